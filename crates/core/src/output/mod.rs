//! Reads the output of test runners, linters, compilers and build tools: what happened, what
//! failed, and which lines a person should see.
//!
//! The way of an output: `lines` cleans its bytes, `noise` removes the lines of wrappers,
//! `recognise` finds the runners by the table in `rows`, `found` and `counts` read their names and
//! numbers, and `fallback` does so for runners without a row. From these follow the `kind`, the
//! `best_line` and the `excerpt`.

mod banners;
mod best_line;
mod cannot;
mod counts;
mod excerpt;
mod fallback;
mod found;
mod kind;
mod layouts;
mod lines;
mod names;
mod noise;
mod patterns;
mod recognise;
mod repeated;
mod rows;
mod score;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

pub use counts::{CountKind, TestCounts};
pub use kind::ReadingKind;

use best_line::Facts;
use fallback::Marked;
use found::Found;
use recognise::Recognised;
use rows::Work;

/// The name of a failing test, or the file and rule of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingName {
    /// As the runner shows it.
    pub shown: String,
    /// Without what changes from run to run, such as durations and line numbers.
    pub identity: String,
}

/// What the output of one run of a check says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputReading {
    pub kind: ReadingKind,
    /// Empty unless something failed.
    pub failing: Vec<FailingName>,
    pub counts: TestCounts,
    /// One line for a person.
    pub best_line: String,
    /// At most 900 characters, with expected and actual values where the runner shows them.
    pub excerpt: String,
}

impl OutputReading {
    /// Returns the set of failures, by which two readings are compared.
    pub fn identities(&self) -> BTreeSet<&str> {
        self.failing.iter().map(|name| name.identity.as_str()).collect()
    }

    /// Returns whether another run failed in the same places. Without names it cannot be known.
    pub fn same_failure(&self, other: &Self) -> Option<bool> {
        let (ours, theirs) = (self.identities(), other.identities());
        (!ours.is_empty() || !theirs.is_empty()).then(|| ours == theirs)
    }
}

/// Reads an output.
///
/// The exit code is that of a shell: 128 and the number of the signal after a signal. The command
/// is only needed to tell a compiler error under tests, where nothing ran, from one under a build.
pub fn read(exit: i32, output: &[u8], command: Option<&str>) -> OutputReading {
    read_except(exit, output, command, None)
}

/// Reads as if one row were not there, to measure how well the others generalise.
fn read_except(
    exit: i32,
    output: &[u8],
    command: Option<&str>,
    held_out: Option<&str>,
) -> OutputReading {
    let text = noise::without_wrappers(lines::lines(output));
    let runners = recognise::recognise(&text, held_out);
    let mut names = names_of(&runners);
    let is_known = !names.is_empty() || runners.iter().any(passed_only);
    let marked = if is_known { Marked::default() } else { fallback::marked(&text) };
    let kind = kind::kind(exit, &text, command, &runners, &marked);
    if exit != 0 {
        names.extend(marked.names.iter().cloned());
    }
    let counts = counts_of(&runners, &marked);
    let mut left_out = banners::left_out(&text);
    for name in &names {
        left_out[name.line] = false;
    }
    let facts = Facts {
        kind,
        exit,
        text: &text,
        left_out: &left_out,
        names: &names,
        counts: &counts,
        runners: &runners,
        marked: &marked,
    };
    let ended_early = kind::ended_early(&runners, &marked);
    let best_line = best_line::best_line(&facts, ended_early);
    let details_first = runners.first().is_some_and(|one| one.row.details_first);
    let cannot = kind == ReadingKind::CouldNotRun;
    let excerpt = excerpt::excerpt(&text, &left_out, &names, details_first, cannot);
    names.retain(|_| kind == ReadingKind::Failed);
    OutputReading {
        kind,
        failing: names.into_iter().map(shown).collect(),
        counts,
        best_line,
        excerpt,
    }
}

/// A runner that told its counts and no failures has no names to look for.
fn passed_only(one: &Recognised) -> bool {
    let of = |counted| one.counts.get(counted).unwrap_or_default();
    !one.counts.is_empty() && of(CountKind::Failed) == 0 && of(CountKind::Errors) == 0
}

/// Returns the names of all runners, tests before findings, each failure once.
fn names_of(runners: &[Recognised]) -> Vec<Found> {
    let of = |tests: bool| {
        let all = runners.iter().filter(move |one| (one.row.work == Work::Tests) == tests);
        let mut names: Vec<Found> = all.flat_map(|one| one.names.iter().cloned()).collect();
        names.sort_by_key(|one| one.line);
        names
    };
    let mut seen = BTreeSet::new();
    let all = of(true).into_iter().chain(of(false));
    all.filter(|one| seen.insert(names::identity(&one.shown))).collect()
}

fn counts_of(runners: &[Recognised], marked: &Marked) -> TestCounts {
    let mut counts = TestCounts::default();
    for one in runners {
        counts.add(&one.counts);
    }
    if counts.is_empty() { marked.counts.clone() } else { counts }
}

fn shown(one: Found) -> FailingName {
    FailingName { identity: names::identity(&one.shown), shown: one.shown }
}
