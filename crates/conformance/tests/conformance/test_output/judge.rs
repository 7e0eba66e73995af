//! The rules of `score.py`.

use regex_lite::Regex;
use sprag_conformance::{as_list, as_text, entries, field};
use sprag_core::Plain;
use sprag_core::output::{OutputReading, ReadingKind};

const EXCERPT: usize = 900;

/// Returns what differs from the expectation.
pub(super) fn wrong(expected: &Plain, reading: &OutputReading) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut check = |is_right: bool, aspect: &str| {
        if !is_right {
            wrong.push(format!("{aspect}: expected {:?}", field(expected, aspect)));
        }
    };
    check(is_kind(expected, reading.kind), "kind");
    check(are_names(expected, reading), "failed");
    check(are_counts(field(expected, "counts"), reading), "counts");
    let best = texts(field(expected, "best_line"));
    check(best.is_empty() || best.iter().any(|part| reading.best_line.contains(part)), "best_line");
    let mut parts = texts(field(expected, "must_contain")).into_iter();
    check(parts.all(|part| reading.excerpt.contains(part)), "must_contain");
    let mut parts = texts(field(expected, "must_not_contain")).into_iter();
    let is_shown = |part: &str| reading.excerpt.contains(part) || reading.best_line.contains(part);
    check(!parts.any(is_shown), "must_not_contain");
    check(reading.excerpt.chars().count() <= EXCERPT, "length");
    wrong
}

fn texts(list: &Plain) -> Vec<&str> {
    as_list(list).iter().filter_map(as_text).collect()
}

const fn word(kind: ReadingKind) -> &'static str {
    match kind {
        ReadingKind::Passed => "pass",
        ReadingKind::Failed => "fail",
        ReadingKind::CouldNotRun => "cannot_run",
        ReadingKind::NoTests => "no_tests",
    }
}

fn is_kind(expected: &Plain, kind: ReadingKind) -> bool {
    let also = texts(field(expected, "kind_also"));
    as_text(field(expected, "kind")) == Some(word(kind)) || also.contains(&word(kind))
}

/// Names are judged where the check ran; where it may also count as not run, none are right too.
fn are_names(expected: &Plain, reading: &OutputReading) -> bool {
    if as_text(field(expected, "kind")) != Some("fail") {
        return true;
    }
    let normal = |names: Vec<&str>| {
        let mut names: Vec<String> = names.into_iter().map(normal).collect();
        names.sort();
        names
    };
    let ours = reading.failing.iter().map(|name| name.shown.as_str()).collect();
    let may_be_empty = texts(field(expected, "kind_also")).contains(&"cannot_run");
    normal(ours) == normal(texts(field(expected, "failed")))
        || reading.failing.is_empty() && may_be_empty
}

/// A count that the reading does not have is zero.
fn are_counts(expected: &Plain, reading: &OutputReading) -> bool {
    let ours = |name: &str| {
        let mut all = reading.counts.iter();
        all.find(|(counted, _)| counted.name() == name).map_or(0, |(_, number)| i128::from(number))
    };
    entries(expected).iter().all(|(name, number)| *number == Plain::Int(ours(name)))
}

/// The form in which names are compared: paths by their last part, without durations and lines.
fn normal(name: &str) -> String {
    let steps = [
        (r"\S*/([^/\s]+\.\w+)(\s|:|$)", "$1$2"),
        (r"(?:\s|^)(?:>|›|::|#|\.\.\.)(?:\s|$)", " "),
        (r"::|#", " "),
        (r"\s*[\[(][\d.]+ ?m?s[\])]", ""),
        (r":\d+(:\d+)?$", ""),
        (r" \(line \d+\)", ""),
        (r"\s+", " "),
    ];
    let mut name = name.to_owned();
    for (pattern, put) in steps {
        if let Ok(pattern) = Regex::new(pattern) {
            name = pattern.replace_all(&name, put).into_owned();
        }
    }
    name.trim().to_owned()
}
