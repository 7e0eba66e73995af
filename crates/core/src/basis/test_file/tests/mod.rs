//! Tables of honest and dishonest edits of tests, one file per language.

mod braces;
mod data;
mod gates;
mod javascript;
mod names;
mod python;
mod rust;
mod rust_splice;
mod scripts;

use proptest::prelude::*;

use super::{compare, rust_tests, with_rust_tests};
use crate::basis::Difference::{self, Blank, Grew, Other};

/// One edit: its description, the text after it, and the expected difference.
type Row = (&'static str, String, Difference);

/// Compares each row of a table with the actual difference.
fn hold(path: &str, was: &str, rows: Vec<Row>) {
    let mut wrong = Vec::new();
    for (what, now, expected) in rows {
        assert!(now != was || expected == Blank, "{what}: nothing was edited");
        let found = compare(path, was.as_bytes(), now.as_bytes());
        if found != expected {
            wrong.push(format!("{what}: expected {expected:?}, found {found:?}\n{now}"));
        }
    }
    assert!(wrong.is_empty(), "{path}\n{}", wrong.join("\n----\n"));
}

/// Replaces the only occurrence of a text.
fn edit(was: &str, from: &str, to: &str) -> String {
    assert_eq!(was.matches(from).count(), 1, "{from:?}");
    was.replacen(from, to, 1)
}

/// Inserts lines before the line that begins with a text.
fn before(was: &str, line: &str, new: &str) -> String {
    edit(was, line, &format!("{new}{line}"))
}

proptest! {
    /// Any two texts can be compared without a panic; equal ones are the same.
    #[test]
    fn any_two_texts_can_be_compared(
        was in "[a-z(){}\\[\\]\"'`/*#\\\\\n \t@<>=]{0,60}",
        now in "[a-z(){}\\[\\]\"'`/*#\\\\\n \t@<>=]{0,60}",
        name in prop::sample::select(vec![
            "test_a.py", "a.test.tsx", "a_test.go", "tests/a.rs", "ATest.java", "ATest.kt", "ATests.cs",
            "tests/a.php", "a_spec.rb", "test.sh", "tests/a.bats", "tests/a.txt", "a.snap",
        ]),
    ) {
        compare(name, was.as_bytes(), now.as_bytes());
        prop_assert_eq!(compare(name, was.as_bytes(), was.as_bytes()), Difference::Blank);
        rust_tests(was.as_bytes());
        with_rust_tests(now.as_bytes(), was.as_bytes());
        // A text that becomes empty has never only grown.
        if !was.trim().is_empty() {
            prop_assert_eq!(compare(name, was.as_bytes(), b""), Difference::Other);
        }
    }
}
