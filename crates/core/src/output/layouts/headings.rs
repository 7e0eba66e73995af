//! Names that stand between rules, or in lines that other lines repeat.

use super::super::found::Found;
use super::super::patterns::{Text, line};

fn captured(text: &Text, has: &'static str, regex: &'static str) -> Vec<Found> {
    let all = text.matches(line(has, regex)).into_iter();
    all.filter_map(|(at, found)| {
        Some(Found { shown: found.get(1)?.as_str().trim().to_owned(), line: at })
    })
    .collect()
}

/// Catch2: the test case and its sections, between two rules, above `FAILED:`.
pub(in super::super) fn catch2(text: &Text) -> Vec<Found> {
    let rules: Vec<usize> =
        text.matches(line("-----", r"^-{40,}$")).into_iter().map(|(at, _)| at).collect();
    let failed = text.matches(line("FAILED:", r": FAILED:$")).into_iter();
    failed
        .filter_map(|(at, _)| {
            let above: Vec<usize> = rules.iter().copied().filter(|rule| *rule < at).collect();
            let [.., start, end] = above[..] else { return None };
            let names: Vec<&str> =
                text.lines[start + 1..end].iter().map(|line| line.trim()).collect();
            Some(Found { shown: names.join(" > "), line: start + 1 })
        })
        .collect()
}

/// `GoogleTest` after a crash: the last test that began and did not end.
pub(in super::super) fn gtest(text: &Text) -> Vec<Found> {
    let began = captured(text, "[ RUN      ]", r"^\[ RUN      \] (\S+)");
    let ended = captured(text, "[  ", r"^\[ +(?:OK|FAILED|SKIPPED) +\] (\S+?),?(?: |$)");
    let is_closed = text.has_line(line("[=====", r"^\[==========\] .* ran\."));
    let last = began.into_iter().next_back();
    let open = last.filter(|one| !is_closed && !ended.iter().any(|end| end.shown == one.shown));
    open.into_iter().collect()
}

/// Robot: a test, not a suite, which is followed by its counts.
pub(in super::super) fn robot(text: &Text) -> Vec<Found> {
    let mut all = captured(text, "| FAIL |", r"^(\S.*?)\s+\| FAIL \|$");
    let counts = line("test", r"^\d+ (?:critical )?tests?, ");
    all.retain(|one| text.at(one.line + 1, counts).is_none());
    for one in &mut all {
        one.shown = one.shown.split(" :: ").next().unwrap_or_default().to_owned();
    }
    all
}

/// Maven's surefire: the line of each failure, else the list at the end.
pub(in super::super) fn surefire(text: &Text) -> Vec<Found> {
    let old = line("<<<", r"^(?:\[ERROR\] )?(\w\S*)\((\S+)\).*<<< (?:FAILURE|ERROR)!");
    let mut all: Vec<Found> = text
        .matches(old)
        .into_iter()
        .filter_map(|(at, found)| {
            let (method, class) = (found.get(1)?.as_str(), found.get(2)?.as_str());
            Some(Found { shown: format!("{class}.{method}"), line: at })
        })
        .collect();
    if all.is_empty() {
        let new = r"^(?:\[ERROR\] )?([\w$]+\.\S+) -- Time elapsed: .*<<< (?:FAILURE|ERROR)!";
        all = captured(text, "<<<", new);
    }
    if all.is_empty() {
        let list = r"^\[ERROR\]\s{2,}([A-Z][\w$]*\.\w+)(?::\d+)?(?:->\S+)?(?: |$)";
        all = captured(text, "[ERROR] ", list);
    }
    all
}
