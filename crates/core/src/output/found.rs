//! Finds the names of failures in the lines, by the rules of a row.

use std::collections::BTreeSet;

use regex_lite::Captures;

use super::names::identity;
use super::patterns::{Pattern, Text};
use super::rows::{NamePlace, NameRule, Row};

/// A name in an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) shown: String,
    /// The line of its first mention.
    pub(super) line: usize,
}

/// How many lines may be between the parts of a finding.
const NEAR: usize = 8;
/// More names than a person reads; also a limit for an output that is only names.
pub(super) const MOST: usize = 500;

/// Returns the names that a row finds, without those that only contain others.
pub(super) fn found(row: &Row, text: &Text) -> Vec<Found> {
    let mut all = by_rules(row.names, text);
    if let Some(layout) = row.layout {
        all.extend(layout(text));
    }
    if all.is_empty() {
        all = by_rules(row.otherwise, text);
    }
    all.retain(|one| !row.not_names.iter().any(|part| one.shown.contains(part)));
    distinct(all)
}

/// Returns the names that some rules find, in the order of the lines.
pub(super) fn by_rules(rules: &[NameRule], text: &Text) -> Vec<Found> {
    let mut all: Vec<Found> = rules.iter().flat_map(|rule| by_rule(rule, text)).collect();
    all.sort_by_key(|one| one.line);
    all
}

fn by_rule(rule: &NameRule, text: &Text) -> Vec<Found> {
    let own = text.matches(rule.line);
    if own.is_empty() {
        return Vec::new();
    }
    let marks = |pattern: Pattern| -> Vec<(usize, String)> {
        let all = text.matches(pattern).into_iter();
        all.map(|(at, found)| (at, capture(&found, 1).to_owned())).collect()
    };
    let found = |at: usize, line: &Captures<'_>, inside: &str| {
        let shown = filled(rule.shown, line, inside);
        (!shown.is_empty()).then_some(Found { shown, line: at })
    };
    let own = own.iter();
    match rule.place {
        NamePlace::Anywhere => own.filter_map(|(at, line)| found(*at, line, "")).collect(),
        NamePlace::Under(heading) => {
            let marks = marks(heading);
            let above = |at: usize| marks.iter().rev().find(|(mark, _)| *mark < at);
            own.filter_map(|(at, line)| found(*at, line, &above(*at)?.1)).collect()
        }
        NamePlace::Before(next) => {
            let marks = marks(next);
            let below = |at: usize| marks.iter().find(|(mark, _)| *mark > at && *mark <= at + NEAR);
            own.filter_map(|(at, line)| found(*at, line, &below(*at)?.1)).collect()
        }
        NamePlace::Within(from, to) => {
            let (from, to) = (marks(from), marks(to));
            let inside = |at: usize| {
                let start = from.iter().rev().find(|(mark, _)| *mark < at)?.0;
                (!to.iter().any(|(mark, _)| *mark > start && *mark <= at)).then_some(())
            };
            own.filter_map(|(at, line)| found(*at, line, inside(*at).map(|()| "")?)).collect()
        }
    }
}

fn capture<'a>(found: &Captures<'a>, number: usize) -> &'a str {
    found.get(number).map_or("", |part| part.as_str())
}

fn filled(template: &str, line: &Captures<'_>, inside: &str) -> String {
    let whole = template
        .replace("{1}", capture(line, 1))
        .replace("{2}", capture(line, 2))
        .replace("{in}", inside);
    whole.trim().to_owned()
}

/// Removes repetitions, and names of groups of which a member is there too.
fn distinct(all: Vec<Found>) -> Vec<Found> {
    let mut seen = BTreeSet::new();
    let mut kept: Vec<Found> = Vec::new();
    for one in all {
        if kept.len() < MOST && seen.insert(identity(&one.shown)) {
            kept.push(one);
        }
    }
    let groups: BTreeSet<String> =
        kept.iter().filter_map(|one| Some(one.shown.rsplit_once('/')?.0.to_owned())).collect();
    kept.retain(|one| !groups.contains(&one.shown));
    kept
}
