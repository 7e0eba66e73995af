//! The one line that a person sees first.

use super::cannot::says_none;
use super::counts::{CountKind, TestCounts};
use super::fallback::Marked;
use super::found::Found;
use super::kind::ReadingKind;
use super::patterns::{Text, line};
use super::recognise::Recognised;
use super::rows::Work;
use super::score::telling;

/// Characters of the line.
const WIDTH: usize = 300;

pub(super) struct Facts<'a> {
    pub(super) kind: ReadingKind,
    pub(super) exit: i32,
    pub(super) text: &'a Text,
    pub(super) left_out: &'a [bool],
    pub(super) names: &'a [Found],
    pub(super) counts: &'a TestCounts,
    pub(super) runners: &'a [Recognised],
    pub(super) marked: &'a Marked,
}

pub(super) fn best_line(facts: &Facts<'_>, ended_early: bool) -> String {
    let line = match facts.kind {
        ReadingKind::Passed => passed(facts),
        ReadingKind::NoTests => none(facts),
        ReadingKind::Failed if !facts.names.is_empty() => failed(facts),
        ReadingKind::Failed | ReadingKind::CouldNotRun => stopped(facts, ended_early),
    };
    line.trim().chars().take(WIDTH).collect()
}

/// The first failing test, or the first finding with its place.
fn failed(facts: &Facts<'_>) -> String {
    let tests =
        facts.runners.iter().find(|one| one.row.work == Work::Tests && !one.names.is_empty());
    let more = |number: usize| match number {
        0 | 1 => String::new(),
        all => format!(" (+{} more)", all - 1),
    };
    if facts.runners.first().is_some_and(|one| one.row.work == Work::Wrapper) {
        return stopped(facts, false);
    }
    if let Some(tests) = tests {
        let others = facts.names.len();
        return tests
            .names
            .first()
            .map_or_else(String::new, |first| first.shown.clone() + &more(others));
    }
    let Some(first) = facts.names.first() else { return String::new() };
    let is_finding =
        facts.runners.iter().any(|one| !one.names.is_empty()) || facts.marked.are_findings;
    let shown = if is_finding { finding(facts.text, first) } else { first.shown.clone() };
    shown + &more(facts.names.len())
}

/// Returns the line of a finding, with the file if the line does not name it.
fn finding(text: &Text, first: &Found) -> String {
    let shown = text.lines[first.line].trim();
    let file = first.shown.split(' ').next().unwrap_or_default();
    if shown.contains(file) {
        return shown.to_owned();
    }
    let arrow = line("", r"(?:-->|on) (\S+?(?::\d+:\d+| line \d+))");
    let place = (first.line + 1..first.line + 4)
        .find_map(|at| Some(text.at(at, arrow)?.get(1)?.as_str().to_owned()));
    format!("{}: {shown}", place.as_deref().unwrap_or(file))
}

/// Built from the counts, since the closing lines of runners are very different. A runner that only
/// tells how many tests there were is quoted.
fn passed(facts: &Facts<'_>) -> String {
    let of = |counted| facts.counts.get(counted).filter(|number| *number > 0);
    let is_tests = facts.runners.first().is_none_or(|one| one.row.work == Work::Tests);
    let is_plain =
        facts.counts.iter().all(|(counted, number)| counted == CountKind::Total || number == 0);
    let all = of(CountKind::Total).filter(|_| is_plain);
    if let Some(passes) = of(CountKind::Passed).or(all).filter(|_| is_tests) {
        let mut parts = vec![format!("{passes} passed")];
        for counted in [CountKind::Skipped, CountKind::Todo, CountKind::ExpectedFailures] {
            parts.extend(of(counted).map(|number| format!("{number} {}", counted.name())));
        }
        return parts.join(", ");
    }
    if let Some(number) = of(CountKind::Warnings) {
        return format!("passed with {number} warnings");
    }
    if let Some(line) = facts.runners.first().and_then(|one| closing(one, facts.text)) {
        return line;
    }
    let mut shown = (0..facts.text.lines.len()).rev().filter(|at| !facts.left_out[*at]);
    let last = shown.find(|at| !facts.text.lines[*at].trim().is_empty());
    last.map_or_else(|| "passed, without output".to_owned(), |at| facts.text.lines[at].clone())
}

/// Returns the line that tells the counts.
fn closing(runner: &Recognised, text: &Text) -> Option<String> {
    runner.row.counts.iter().find_map(|rule| {
        let (at, _) = text.matches(rule.line()).pop()?;
        Some(text.lines[at].clone())
    })
}

fn none(facts: &Facts<'_>) -> String {
    match telling(facts.text, facts.left_out, true) {
        Some((at, _)) if says_none(facts.text, at) => facts.text.lines[at].clone(),
        Some(_) | None => "no tests ran".to_owned(),
    }
}

/// A line below this weight is not about an error.
const WEIGHT: i32 = 3;

fn stopped(facts: &Facts<'_>, ended_early: bool) -> String {
    let cannot = facts.kind == ReadingKind::CouldNotRun;
    let Some((at, weight)) = telling(facts.text, facts.left_out, cannot) else {
        return format!("exit code {}, without output", facts.exit);
    };
    let line = facts.text.lines[at].trim();
    match facts.exit {
        124 => format!("ended by a time limit: {line}"),
        137 => format!("killed: {line}"),
        exit if ended_early && weight < WEIGHT => {
            let shown =
                |at: &usize| !facts.left_out[*at] && !facts.text.lines[*at].trim().is_empty();
            let last = (0..facts.text.lines.len()).rev().find(shown).unwrap_or(at);
            format!("ended early with exit code {exit}, after: {}", facts.text.lines[last].trim())
        }
        _ => line.to_owned(),
    }
}
