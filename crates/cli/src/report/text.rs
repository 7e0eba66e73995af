//! A report as text: five summary lines, then the details.

use std::fmt::Write as _;

use sprag_core::Outcome;
use sprag_core::reporting::{BranchState, ReceiptWorth, Report, Unproven, WorkBranch};

use super::{command, drawn, next, sections};
use crate::style::{StreamStyle, Tone, WIDTH, age, columns, count};

/// The width of the labels.
const LABEL: usize = 11;

/// Returns the whole text; tables fit into `width` columns.
pub(super) fn text(look: StreamStyle, report: &Report, width: usize) -> String {
    let mut out = head(look, report);
    sections::asked(&mut out, look, report);
    sections::branch(&mut out, look, report);
    sections::receipts(&mut out, look, report);
    sections::claims(&mut out, look, report);
    sections::word_of_persons(&mut out, look, report);
    sections::also(&mut out, look, report);
    sections::files(&mut out, look, report, width);
    drawn::timeline(&mut out, look, &report.timeline, width);
    let all = next(report);
    let verify = format!("sprag report {} --verify", report.run);
    let command = all.human.first().unwrap_or(&verify);
    let _ = write!(out, "\nNext: {}\n", look.clip(command, WIDTH - 6));
    out
}

/// Returns the five summary lines.
pub(super) fn head(look: StreamStyle, report: &Report) -> String {
    let tone = match report.evidence.outcome {
        Some(Outcome::Proven) => Tone::Good,
        Some(Outcome::Cancelled) => Tone::Quiet,
        Some(
            Outcome::NotProven
            | Outcome::Doubted
            | Outcome::Held
            | Outcome::Paused
            | Outcome::GaveUp
            | Outcome::Unreadable
            | Outcome::Failed,
        )
        | None => Tone::Note,
    };
    let mut out = line(look, "Outcome", Some(tone), &outcome(report));
    out += &line(look, "Unproven", None, &unproven(report));
    out += &line(look, "Waiting", None, &waiting(report));
    out += &line(look, "Cost", None, &cost(report));
    let (diff, command) = difference(look, report);
    out += &line(look, "Diff", None, &diff);
    for part in command.iter().flat_map(|one| command::lines(look, one, WIDTH - LABEL)) {
        let _ = writeln!(out, "{:LABEL$}{part}", "");
    }
    out
}

/// Lists the unproven points by name, or as numbers if the names do not fit.
fn unproven(report: &Report) -> String {
    let all = report.evidence.unproven();
    let said = |one: fn(&Unproven) -> String| all.iter().map(one).collect::<Vec<_>>().join("; ");
    match said(Unproven::to_string) {
        none if none.is_empty() => "nothing".to_owned(),
        names if columns(&names) <= WIDTH - LABEL => names,
        _ => said(Unproven::short),
    }
}

fn line(look: StreamStyle, label: &str, tone: Option<Tone>, said: &str) -> String {
    let said = look.clip(said, WIDTH - LABEL);
    let said = tone.map_or_else(|| said.clone(), |tone| look.paint(tone, &said));
    let pad = " ".repeat(LABEL - columns(label));
    format!("{}{pad}{said}\n", look.paint(Tone::Strong, label))
}

/// Describes a run's state in one sentence.
pub(super) fn outcome(report: &Report) -> String {
    let run = &report.run;
    // A limit stops everything, whatever state the units are in.
    let at = report.limits.first().map_or_else(|| report.at.clone(), ToString::to_string);
    match report.evidence.outcome {
        None => format!("{run} is {}: {at}", Outcome::OPEN),
        Some(Outcome::Proven | Outcome::NotProven | Outcome::Doubted)
            if report.evidence.is_elsewhere() =>
        {
            format!("{run} was done elsewhere; nothing of it was checked here")
        }
        Some(outcome @ (Outcome::Proven | Outcome::NotProven | Outcome::Doubted)) => {
            format!("{run} is {}{}", outcome.as_str(), done(report))
        }
        Some(Outcome::Cancelled) => format!("{run} was {}", Outcome::Cancelled.as_str()),
        Some(
            outcome @ (Outcome::Held
            | Outcome::Paused
            | Outcome::GaveUp
            | Outcome::Unreadable
            | Outcome::Failed),
        ) => format!("{run} is {}: {at}", outcome.as_str()),
    }
}

/// Qualifies a done run: proven, claimed or stale.
fn done(report: &Report) -> String {
    let (claims, other): (Vec<_>, Vec<_>) =
        report.evidence.unproven().iter().partition(|one| one.is_claim());
    let stale = report.evidence.gates.standing(ReceiptWorth::Stale).count() > 0;
    let files = || match report.apart() {
        None => "as they are now".to_owned(),
        Some(branch) => format!("of {}", branch.whose()),
    };
    match (other.as_slice(), claims.is_empty()) {
        ([], true) => format!(", and proven on the files {}", files()),
        ([], false) if report.evidence.gates.lines.is_empty() => {
            " as agents say: no gate looked at it".to_owned()
        }
        ([], false) => format!("; what has gates holds on the files {}", files()),
        ([_], true) if stale => " and was proven; the files changed since".to_owned(),
        ([_], false) if stale => " and its gates held; the files changed since".to_owned(),
        ([..], _) => ", and not all of it is proven".to_owned(),
    }
}

pub(super) fn waiting(report: &Report) -> String {
    match report.waits.as_slice() {
        [] => "nothing waits for you".to_owned(),
        [one] => format!("{} ({})", one.why, one.command),
        [one, more @ ..] => format!("{} ({}), and {} more", one.why, one.command, more.len()),
    }
}

/// Formats the cost in money and time.
pub(super) fn cost(report: &Report) -> String {
    let mut parts = vec![report.cost.money()];
    if report.cost.agents == 0 {
        parts = vec!["unknown: its session reported none".to_owned()];
    }
    parts.extend(report.cost.tokens_after_price());
    parts.push(age(report.took()));
    match report.timeline.waited() {
        0 => {}
        waited => parts.push(format!("{} of it waiting", age(waited))),
    }
    parts.join(", ")
}

/// Formats the number of changes, with the command that shows them. If the command does not fit, it
/// goes on its own line, since a cut command cannot be copied.
fn difference(look: StreamStyle, report: &Report) -> (String, Option<String>) {
    let (Some(files), Some(command)) = (&report.files, report.command()) else {
        return (no_difference(report), None);
    };
    let (added, removed) = files.lines();
    let minus = look.sign("−", "-");
    let counted = match files.changed.len() {
        0 => "nothing changed".to_owned(),
        some => format!("{}, +{added} {minus}{removed}", count(some, "file")),
    };
    let new = match files.untracked() {
        0 => String::new(),
        some => format!(", {some} new"),
    };
    let merged = match report.branch.as_ref().map(|branch| &branch.at) {
        None
        | Some(
            BranchState::Empty | BranchState::Open(_) | BranchState::Past { merged: false, .. },
        ) => "",
        Some(
            BranchState::Merged(_) | BranchState::Past { merged: true, .. } | BranchState::Here,
        ) => ", merged",
        Some(BranchState::Gone { .. }) => ", branch gone",
    };
    let beside = format!("{command}  ({counted}{new}){merged}");
    if columns(&beside) <= WIDTH - LABEL {
        return (beside, None);
    }
    (format!("{counted}{new}{merged}"), Some(command))
}

/// Explains why no difference can be shown.
pub(super) fn no_difference(report: &Report) -> String {
    let told = report.branch.as_ref().map(WorkBranch::sentence);
    told.unwrap_or_else(|| "unknown to git here".to_owned())
}
