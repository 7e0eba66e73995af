//! `unittest`, whose names changed their form with Python 3.11.

use super::super::found::Found;
use super::super::patterns::{Text, line};

/// `FAIL: test_a (shop.CartTest)`, and since 3.11 `FAIL: test_a (shop.CartTest.test_a)`.
pub(in super::super) fn unittest(text: &Text) -> Vec<Found> {
    let all = text.matches(line("(", r"^(?:FAIL|ERROR): (\S+) \(([^\s()]+)\)"));
    let found = all.into_iter().map(|(at, found)| {
        let part =
            |number| found.get(number).map_or("", |part: regex_lite::Match<'_>| part.as_str());
        let (method, class) = (part(1), part(2));
        let shown = if class.contains("_FailedTest") {
            method.to_owned()
        } else if class.ends_with(&format!(".{method}")) {
            class.to_owned()
        } else {
            format!("{class}.{method}")
        };
        Found { shown, line: at }
    });
    found.collect()
}
