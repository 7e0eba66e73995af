use crate::basis::{rust_tests, with_rust_tests};

/// A source with tests next to the code, in two places.
const SOURCE: &str = "//! Sums.\n\npub fn two() -> u8 { 2 }\n\n#[cfg(test)]\nfn help() {}\n\npub fn four() -> u8 { 4 }\n\n\
    /// Tests.\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn is_two() {\n        \
    assert_eq!(two(), 2);\n    }\n}\n";

/// Restores the tests of [`SOURCE`] in another text and returns the result.
#[track_caller]
fn put_back(now: &str) -> Option<String> {
    let spliced = with_rust_tests(now.as_bytes(), SOURCE.as_bytes())?;
    assert_eq!(rust_tests(&spliced), rust_tests(SOURCE.as_bytes()), "{now}");
    Some(String::from_utf8(spliced).unwrap())
}

#[test]
fn earlier_tests_are_put_back_over_the_code_of_now() {
    let code = "//! Sums.\n\npub fn two() -> u8 { 1 + 1 }\npub fn four() -> u8 { two() * 2 }\n";
    let no_end = code.trim_end();
    let renamed = SOURCE.replace("{ 2 }", "{ 1 + 1 }").replace("fn is_two", "fn two_is_two");
    let emptied = SOURCE.replace("        assert_eq!(two(), 2);\n", "");
    let more = format!("{code}\n#[test]\nfn new() {{}}\n\npub fn six() -> u8 {{ 6 }}\n");
    for now in [code, no_end, &renamed, &emptied, &more, SOURCE] {
        let spliced = put_back(now).unwrap_or_else(|| panic!("not put back:\n{now}"));
        assert!(spliced.contains("assert_eq!(two(), 2)"), "{spliced}");
        assert!(!spliced.contains("two_is_two") && !spliced.contains("fn new"), "{spliced}");
        assert_eq!(spliced.contains("1 + 1"), now.contains("1 + 1"), "{spliced}");
        assert_eq!(spliced.contains("fn six"), now.contains("fn six"), "{spliced}");
    }
    assert_eq!(put_back(SOURCE).unwrap().matches("mod tests").count(), 1);
}

#[test]
fn tests_of_a_source_that_had_none_are_left_out() {
    let (then, now) = ("pub fn two() {}\n", "pub fn two() {}\n\n#[cfg(test)]\nmod tests;\n");
    let spliced = with_rust_tests(now.as_bytes(), then.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(spliced).unwrap(), "pub fn two() {}\n\n");
    assert_eq!(with_rust_tests(now.as_bytes(), b"").unwrap(), b"pub fn two() {}\n\n");
}

#[test]
fn tests_inside_other_items_are_put_back_where_they_were() {
    let source = |body: &str, test: &str| {
        format!("mod inner {{\n    fn a() {{ {body} }}\n    #[test]\n    fn t() {{ {test} }}\n}}\n")
    };
    let spliced =
        with_rust_tests(source("2", "").as_bytes(), source("1", "assert!(true)").as_bytes());
    assert_eq!(String::from_utf8(spliced.unwrap()).unwrap(), source("2", "assert!(true)"));
}

#[test]
fn what_is_not_certain_is_not_put_back() {
    let nested = "mod inner {\n    #[test]\n    fn t() {}\n}\n";
    let switched = format!("#![cfg(any())]\n{SOURCE}");
    for now in [nested, &switched, "fn a() { \"", "fn a() {"] {
        assert_eq!(put_back(now), None, "{now}");
    }
    assert_eq!(with_rust_tests(SOURCE.as_bytes(), nested.as_bytes()), None);
    assert_eq!(with_rust_tests(b"\xff", SOURCE.as_bytes()), None);
}
