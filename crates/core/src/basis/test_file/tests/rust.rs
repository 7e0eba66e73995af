use super::{Blank, Grew, Other, before, edit, hold};
use crate::basis::{compare, rust_tests, with_rust_tests};

const WAS: &str = r##"use super::*;

const SUM: u32 = 3;

#[test]
fn adds<'a>() {
    let quote = '"';
    assert_eq!(total(&[1, 2]), SUM, "{quote}");
}

#[test]
fn is_empty() {
    let text = r#"a  "b" {"#;
    assert_eq!(total(&[]), 0, "{text}");
}
"##;

#[test]
fn honest_edits() {
    let test = "#[test]\nfn doubles() {\n    assert_eq!(total(&[2]), 2);\n}\n\n";
    hold(
        "tests/cart.rs",
        WAS,
        vec![
            ("blanks within a line", edit(WAS, "&[1, 2]", "&[1,  2]"), Blank),
            ("a test between two", before(WAS, "#[test]\nfn is_empty", test), Grew),
            ("a test at the end", format!("{WAS}\n{test}"), Grew),
            (
                "a test of another kind",
                format!(
                    "{WAS}\n#[tokio::test]\nasync fn waits() {{\n    assert!(ready().await);\n}}\n"
                ),
                Grew,
            ),
            ("an import", before(WAS, "\nconst SUM", "use std::collections::BTreeMap;\n"), Grew),
            (
                "a helper",
                before(
                    WAS,
                    "#[test]\nfn adds",
                    "fn items(count: usize) -> Vec<u32> {\n    vec![1; count]\n}\n\n",
                ),
                Grew,
            ),
            ("a module", format!("{WAS}\nmod more {{\n    #[test]\n    fn one() {{}}\n}}\n"), Grew),
            (
                "an assertion at the end of a test",
                edit(WAS, "\"{text}\");\n", "\"{text}\");\n    assert!(total(&[0]) < 1);\n"),
                Grew,
            ),
        ],
    );
}

#[test]
fn dishonest_edits() {
    let ignore = concat!("#[", "ignore]\n");
    hold(
        "tests/cart.rs",
        WAS,
        vec![
            ("another expected value", edit(WAS, "&[]), 0", "&[]), 1"), Other),
            ("blanks in a raw string", edit(WAS, "a  \"b\"", "a \"b\""), Other),
            ("ignored", before(WAS, "fn is_empty", ignore), Other),
            ("left out", before(WAS, "#[test]\nfn is_empty", "#[cfg(any())]\n"), Other),
            ("the file is left out", before(WAS, "use super", "#![cfg(any())]\n"), Other),
            ("returns early", before(WAS, "    let text", "    return;\n"), Other),
            ("in a comment", before(&format!("{WAS}*/\n"), "#[test]\nfn is_empty", "/*\n"), Other),
            (
                "in a comment within one",
                before(&format!("{WAS}*/\n"), "#[test]\nfn is_empty", "/* /* */\n"),
                Other,
            ),
            (
                "in a macro",
                before(&format!("{WAS}}}\n"), "#[test]\nfn is_empty", "macro_rules! hide {\n"),
                Other,
            ),
            (
                "another assertion",
                before(
                    WAS,
                    "#[test]\nfn adds",
                    "macro_rules! assert_eq {\n    ($($any:tt)*) => {};\n}\n\n",
                ),
                Other,
            ),
            (
                "an assertion from elsewhere",
                before(WAS, "\nconst SUM", "use fake::assert_eq;\n"),
                Other,
            ),
            ("anything from elsewhere", before(WAS, "\nconst SUM", "use fake::*;\n"), Other),
            (
                "the function is replaced",
                before(WAS, "#[test]\nfn adds", "fn total(_: &[u32]) -> u32 {\n    0\n}\n\n"),
                Other,
            ),
            (
                "two items on a line",
                before(WAS, "\nconst SUM", "use std::fmt; fn total(_: &[u32]) -> u32 { 0 }\n"),
                Other,
            ),
            (
                "ends the run",
                format!("{WAS}\n#[test]\nfn a() {{\n    std::process::exit(0);\n}}\n"),
                Other,
            ),
            (
                "the attribute goes to another function",
                before(WAS, "fn is_empty", "fn other() {}\n\n"),
                Other,
            ),
        ],
    );
}

const SOURCE: &str = r##"//! Sums.

/// Adds "#[cfg(test)] mod tests {" up.
pub fn total(all: &[u32]) -> u32 {
    let _ = ("#[test]", '{', r#"}"#);
    all.iter().sum()
}

#[cfg(all(test, not(windows)))]
#[path = "other.rs"]
mod far;

/// Checks.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(total(&[1, 2]), 3, "}}");
    }
}

#[cfg(not(test))]
fn only_shipped() {}

mod inner {
    #[test]
    fn alone() {}
}
"##;

#[test]
fn tests_in_a_source_file_are_cut_out() {
    let found = String::from_utf8(rust_tests(SOURCE.as_bytes()).unwrap()).unwrap();
    let expected = "#[cfg(all(test, not(windows)))]\n#[path = \"other.rs\"]\nmod far;\n\
        /// Checks.\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        \
        assert_eq!(total(&[1, 2]), 3, \"}}\");\n    }\n}\nmod inner {\n    #[test]\n    fn alone() {}\n}\n";
    assert_eq!(found, expected);
    assert_eq!(rust_tests(b"fn a() {}\n// #[test]\n"), None);
    assert_eq!(rust_tests(b"/* #[test]\nfn a() {} */\n"), None);
}

#[test]
fn code_beside_the_tests_does_not_change_them() {
    let of = |text: &str| rust_tests(text.as_bytes());
    assert_eq!(of(&edit(SOURCE, ".sum()", ".copied().sum()")), of(SOURCE));
    assert_eq!(of(&before(SOURCE, "#[cfg(not", "fn more() {}\n\n")), of(SOURCE));
    for (what, now) in [
        ("left out", edit(SOURCE, "#[cfg(test)]\nmod tests", "#[cfg(any())]\nmod tests")),
        ("commented out", edit(SOURCE, "mod far;", "// mod far;")),
        ("left out with what is around", edit(SOURCE, "mod inner", "#[cfg(any())]\nmod inner")),
        ("in a macro", edit(SOURCE, "mod inner", "hide!")),
        ("the file is left out", format!("#![cfg(any())]\n{SOURCE}")),
    ] {
        assert_ne!(of(&now), of(SOURCE), "{what}");
    }
}

#[test]
fn tests_in_a_source_file_grow_like_others() {
    let how = |now: &str| {
        let [was, now] = [SOURCE, now].map(|text| rust_tests(text.as_bytes()).unwrap());
        compare("src/lib.rs", &was, &now)
    };
    let new = "    #[test]\n    fn is_empty() {\n        assert_eq!(total(&[]), 0);\n    }\n\n";
    assert_eq!(how(&before(SOURCE, "    #[test]\n    fn adds", new)), Grew);
    assert_eq!(how(&before(SOURCE, "        assert_eq!", "        return;\n")), Other);
    assert_eq!(how(&edit(SOURCE, "[1, 2]), 3", "[1, 2]), 4")), Other);
    let more = "#[cfg(test)]\nmod more {\n    #[test]\n    fn one() {}\n}\n";
    assert_eq!(how(&format!("{SOURCE}\n{more}")), Grew);
}

#[test]
fn a_module_of_tests_is_declared() {
    let tests = |text: &str| rust_tests(text.as_bytes()).map(|all| String::from_utf8(all).unwrap());
    for line in ["mod tests;", "pub(crate) mod cart_tests;", "pub mod test_cart;"] {
        let text = format!("use a::b;\n\n{line}\nfn a() {{}}\n");
        assert_eq!(tests(&text), Some(format!("{line}\n")), "{line}");
        let spliced = with_rust_tests(b"use a::b;\n\nfn a() {}\n", text.as_bytes()).unwrap();
        assert_eq!(tests(&String::from_utf8(spliced).unwrap()), tests(&text));
    }
    let cfg = "#[cfg(test)]\nmod tests;\n";
    assert_eq!(tests(cfg), Some(cfg.to_owned()));
    for line in
        ["mod testing;", "// mod tests;", "mod contests;", "let x = \"mod tests;\";", "mod a;"]
    {
        assert_eq!(tests(&format!("fn a() {{\n    {line}\n}}\n")), None, "{line}");
    }
    let was = "mod tests;\nfn a() {}\n";
    assert_eq!(compare("src/lib.rs", was.as_bytes(), b"fn a() {}\n"), Other);
}
