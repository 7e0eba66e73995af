//! The findings of a check as text: the gates, then the problems, then a one-line summary.

use std::fmt::Write as _;

use sprag_core::{CheckKind, typed};

use super::findings::{Checked, FindingKind, Findings, GateCommands, GatedPart};
use crate::diagnostic::Level;
use crate::style::{StreamStyle, Tone, WIDTH, columns, count};

/// The column in which verbs end.
const VERB: usize = 8;
/// The maximum width of phase names, so that the gates line up.
const NAME: usize = 20;

/// Draws all findings; `millis` is the duration of the check.
pub(super) fn draw(look: StreamStyle, findings: &Findings, millis: i64) -> String {
    let mut out = String::new();
    for checked in &findings.checked {
        draw_checked(&mut out, look, checked);
    }
    for complaint in &findings.complaints {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&complaint.draw(look, WIDTH));
    }
    if !findings.complaints.is_empty() {
        out.push('\n');
    }
    if let Some(said) = waiting(findings) {
        line(&mut out, look, Tone::Note, "Waiting", &said);
    }
    let of = |level| findings.complaints.iter().filter(|one| one.level == level).count();
    let (errors, warnings) = (of(Level::Error), of(Level::Warning));
    let counts = format!("{}, {}", count(errors, "error"), count(warnings, "warning"));
    let good = good(findings);
    let (tone, verb, said) = match (errors, good.as_str()) {
        (0, "") => (Tone::Good, "Finished", format!("nothing to check: {counts}")),
        (0, good) => (Tone::Good, "Finished", format!("{good}: {counts}")),
        (_, "") => (Tone::Bad, "Failed", counts),
        (_, good) => (Tone::Bad, "Failed", format!("{counts}; good: {good}")),
    };
    line(&mut out, look, tone, verb, &format!("{said}, in {millis} ms"));
    out
}

fn line(out: &mut String, look: StreamStyle, tone: Tone, verb: &str, said: &str) {
    let space = " ".repeat(VERB.saturating_sub(verb.len()));
    let _ =
        writeln!(out, "{space}{} {}", look.paint(tone, verb), look.clip(said, WIDTH - VERB - 1));
}

fn draw_checked(out: &mut String, look: StreamStyle, checked: &Checked) {
    let phases = |parts: &[GatedPart]| {
        let ungated = parts.iter().filter(|part| is_ungated(part)).count();
        format!("{}, {ungated} ungated", count(parts.len(), "phase"))
    };
    let said = match &checked.kind {
        FindingKind::Config | FindingKind::Phase => checked.file.clone(),
        FindingKind::Workflow { .. } => format!("{}  {}", checked.file, phases(&checked.parts)),
        FindingKind::Plan { said } | FindingKind::Beside { said, .. } => {
            format!("{}  {said}", checked.file)
        }
        FindingKind::Tree { told } => format!("{}  {told}", checked.file),
    };
    line(out, look, Tone::Good, "Checked", &said);
    if let FindingKind::Plan { .. } = checked.kind {
        return draw_tasks(out, look, &checked.parts);
    }
    let wide = checked.parts.iter().map(|part| columns(&look.clean(name(part)))).max();
    let wide = wide.unwrap_or(0).min(NAME);
    for part in &checked.parts {
        let name = look.clip(name(part), wide);
        let space = " ".repeat(wide.saturating_sub(columns(&name)));
        let (word, more) = match part {
            GatedPart::Workflow { .. } => ("workflow", String::new()),
            GatedPart::Held { gates, .. } if gates.is_empty() => ("ungated", UNGATED.to_owned()),
            GatedPart::Held { gates, .. } => {
                ("gated", gates.iter().map(gate).collect::<Vec<_>>().join(", "))
            }
        };
        let indent = " ".repeat(VERB + 1);
        let said = format!("{name}{space}  {word:<8}  {more}");
        let _ = writeln!(out, "{indent}{}", look.clip(said.trim_end(), WIDTH - VERB - 1));
    }
}

/// The most checks of a plan that are shown; `--json` has all.
const CHECKS: usize = 100;

/// Draws each check of each task on its own line: how it is decided, then its text.
fn draw_tasks(out: &mut String, look: StreamStyle, parts: &[GatedPart]) {
    let wide =
        parts.iter().map(|part| columns(&look.clean(name(part)))).max().unwrap_or(0).min(NAME);
    let rows = parts.iter().flat_map(|part| {
        part.gates()
            .iter()
            .enumerate()
            .map(move |(at, held)| (if at == 0 { name(part) } else { "" }, held))
    });
    let indent = " ".repeat(VERB + 1);
    for (task, held) in rows.clone().take(CHECKS) {
        let task = look.clip(task, wide);
        let space = " ".repeat(wide.saturating_sub(columns(&task)));
        let said = format!("{task}{space}  {:<8}  {}", held.kind, gate(held));
        let _ = writeln!(out, "{indent}{}", look.clip(said.trim_end(), WIDTH - VERB - 1));
    }
    if let Some(more) = rows.count().checked_sub(CHECKS).filter(|more| *more > 0) {
        let _ = writeln!(out, "{indent}and {} more", count(more, "check"));
    }
}

const UNGATED: &str = "the agent says when it is done";

fn is_ungated(part: &GatedPart) -> bool {
    match part {
        GatedPart::Held { gates, .. } => gates.is_empty(),
        GatedPart::Workflow { .. } => false,
    }
}

fn name(part: &GatedPart) -> &str {
    match part {
        GatedPart::Held { name, .. } => name,
        GatedPart::Workflow { key } => key,
    }
}

fn gate(held: &GateCommands) -> String {
    let waits = held.commands.iter().any(|command| command.approved == Some(false));
    let by = if held.kind == CheckKind::Human.as_str() { " (a person)" } else { "" };
    format!("{}{by}{}", held.name, if waits { " (not approved)" } else { "" })
}

/// Returns a line about the commands that are not approved.
fn waiting(findings: &Findings) -> Option<String> {
    let mut commands: Vec<_> = findings.unapproved().map(typed).collect();
    commands.sort();
    commands.dedup();
    let names = commands.join(", ");
    match commands.len() {
        0 => None,
        1 => Some(format!("1 command is not approved, so it will not run: {names}")),
        many => Some(format!("{many} commands are not approved, so they will not run: {names}")),
    }
}

/// Returns the numbers of usable files by kind.
fn good(findings: &Findings) -> String {
    let of = |wanted: fn(&FindingKind) -> bool| {
        findings.checked.iter().filter(|checked| wanted(&checked.kind)).count()
    };
    let kinds = [
        (of(|kind| matches!(kind, FindingKind::Config)), "configuration"),
        (of(|kind| matches!(kind, FindingKind::Workflow { .. })), "workflow"),
        (of(|kind| matches!(kind, FindingKind::Phase)), "phase"),
        (of(|kind| matches!(kind, FindingKind::Plan { .. })), "plan"),
        (of(|kind| matches!(kind, FindingKind::Beside { .. })), "document"),
        (of(|kind| matches!(kind, FindingKind::Tree { .. })), "milestone tree"),
    ];
    let there = kinds.into_iter().filter(|(number, _)| *number > 0);
    there.map(|(number, noun)| count(number, noun)).collect::<Vec<_>>().join(", ")
}
