//! The sections of a report as text; empty sections are omitted.

use std::fmt::Write as _;

use sprag_core::basis::{Excuse, InputChange, ReportedChange, Role};
use sprag_core::reporting::{ClaimSource, GateLine, ReceiptWorth, Report};
use sprag_core::{CheckKind, Time, is_test, prompt};
use sprag_engine::drive::first_line;

use super::command;
use crate::style::{StreamStyle, Tone, WIDTH, age, columns, count};

/// The most entries per list; the rest is counted.
const SHOWN: usize = 12;
/// The most characters of a failure's evidence.
const EVIDENCE: usize = 300;
/// Columns reserved for the line counts after a file name.
const COUNTS: usize = 30;

/// The task, and the source of the run.
pub(super) fn asked(out: &mut String, look: StreamStyle, report: &Report) {
    heading(out, look, "ASKED");
    let task = match &report.task {
        Some(task) => task.as_str(),
        None if report.source == "guard" => "nothing was typed; it guards a session",
        // The task is in a document: a plan, a tree, a pull request.
        None => report.at.as_str(),
    };
    for line in look.wrap(&look.clean(task).replace("\\u{a}", " "), WIDTH - 2).iter().take(6) {
        let _ = writeln!(out, "  {line}");
    }
    let began = format!("{}, began {}", report.source, moment(report.started));
    let ended = report.ended.map_or_else(String::new, |at| format!(", ended {}", moment(at)));
    let _ =
        writeln!(out, "  {}", look.paint(Tone::Quiet, &look.clip(&(began + &ended), WIDTH - 2)));
}

/// The state of the branch that holds the work.
pub(super) fn branch(out: &mut String, look: StreamStyle, report: &Report) {
    if let Some(branch) = &report.branch {
        heading(out, look, "BRANCH");
        let _ = writeln!(out, "  {}", look.clip(&branch.sentence(), WIDTH - 2));
    }
}

/// Every gate with its last receipt.
pub(super) fn receipts(out: &mut String, look: StreamStyle, report: &Report) {
    if report.evidence.gates.lines.is_empty() && report.evidence.doubts.is_empty() {
        return;
    }
    heading(out, look, "RECEIPTS");
    // Failures come last, where they are noticed.
    let (bad, good): (Vec<&GateLine>, Vec<_>) =
        report.evidence.gates.lines.iter().partition(|gate| gate.standing == ReceiptWorth::Fails);
    list(out, good.into_iter().chain(bad).map(|gate| gate_lines(look, gate)).collect());
    let cross = look.paint(Tone::Bad, look.sign("✗", "x"));
    let doubt = |doubt: &sprag_core::reporting::Doubt| {
        let said = format!("{}: {}, so it counts for nothing", doubt.id, doubt.wrong.as_str());
        format!("  {cross} {}\n", look.clip(&said, WIDTH - 4))
    };
    list(out, report.evidence.doubts.iter().map(doubt).collect());
}

fn gate_lines(look: StreamStyle, gate: &GateLine) -> String {
    let name = look.clip(&gate.name(), 30);
    let pad = " ".repeat(31 - columns(&name));
    let standing = gate.standing.as_str();
    let mark = mark(look, gate.standing);
    let Some(last) = &gate.last else { return format!("  {mark} {name}{pad}{standing}\n") };
    let when = moment(last.receipt.at);
    let mut shown = format!("  {mark} {name}{pad}{standing:<23}{when}\n");
    let what = match (&last.command, last.kind) {
        (Some(command), _) => format!("`{command}` in {}", length(last.ms)),
        (None, CheckKind::Human) => format!("{}: {}", last.by, last.receipt.why),
        (None, kind) => format!("a gate of the kind {}", kind.as_str()),
    };
    let on = format!("  {} on tree {}", last.id, last.receipt.tree.short(7));
    let room = (WIDTH - 4).saturating_sub(columns(&on));
    let quiet = format!("{}{on}", look.clip(&what, room));
    let _ = writeln!(shown, "    {}", look.paint(Tone::Quiet, &quiet));
    if gate.standing == ReceiptWorth::Fails {
        let reason =
            if last.receipt.why.is_empty() { &last.receipt.tail } else { &last.receipt.why };
        for line in prompt::evidence(reason, EVIDENCE).lines().take(6) {
            let _ = writeln!(shown, "    {}", look.clip(line, WIDTH - 4));
        }
    }
    shown
}

/// Claims without proof.
pub(super) fn claims(out: &mut String, look: StreamStyle, report: &Report) {
    if report.evidence.claims.is_empty() {
        return;
    }
    heading(out, look, "CLAIMED, NOT PROVEN");
    let line = |claim: &sprag_core::reporting::Claim| {
        let unit = claim.unit.as_deref().unwrap_or("-");
        let said = match claim.source {
            ClaimSource::Said => format!("{unit}: \"{}\"", first_line(&claim.text)),
            ClaimSource::Ungated => format!("{unit} ended on its agent's word; it has no gate"),
            ClaimSource::Known => format!("{unit}: `{}` failed in the same way before", claim.text),
            ClaimSource::Judged => format!("{unit}, by its agent's word: {}", claim.text),
        };
        format!("  {}\n", look.clip(&said, WIDTH - 2))
    };
    list(out, report.evidence.claims.iter().map(line).collect());
}

/// Waivers, decisions made without a person, units skipped by rules, changes outside a unit, and
/// review findings.
pub(super) fn word_of_persons(out: &mut String, look: StreamStyle, report: &Report) {
    let story = &report.story;
    let show = |out: &mut String, title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            heading(out, look, title);
            let line = |line: &String| format!("  {}\n", look.clip(line, WIDTH - 2));
            list(out, lines.iter().map(line).collect());
        }
    };
    let waits = report.waits.iter();
    let waits = waits.map(|wait| format!("{}  {}  {}", wait.number, wait.why, wait.command));
    show(out, "WAITS FOR YOU", waits.collect());
    let waivers = report.evidence.waivers.iter();
    let waivers =
        waivers.map(|one| format!("{} by {}, {}: {}", one.gate, one.by, moment(one.at), one.why));
    show(out, "WAIVED", waivers.collect());
    let decisions = story.decisions.iter();
    let decisions = decisions.map(|one| format!("{} -> {}", one.question, one.answer));
    show(out, "DECIDED FOR YOU", decisions.collect());
    let skipped = story.skipped.iter().map(|(unit, rule)| format!("{unit} by the rule `{rule}`"));
    show(out, "SKIPPED", skipped.collect());
    let doubted = report.evidence.doubted.iter().map(|one| {
        let why = one.said.as_ref().map_or_else(String::new, |said| format!(" (\"{said}\")"));
        format!("{}{why}", changed_input(one))
    });
    show(out, "IN DOUBT", doubted.collect());
    let named = report.evidence.named.iter().map(changed_input);
    show(out, "CHANGED, AND COUNTS", named.collect());
    let weak = report.evidence.weak.iter();
    let weak = weak
        .flat_map(|one| one.names.iter().map(move |name| format!("{name}: {}", one.what.as_str())));
    show(out, "WEAKENS THE PROOF", weak.collect());
    let strays = story.strays.iter().map(|(unit, what)| format!("{unit}: {what}"));
    show(out, "BEYOND ITS UNIT", strays.collect());
    show(out, "PUT BACK", story.put_back.clone());
    let conflicts = story.conflicts.iter().map(|(unit, file)| format!("{unit}: {file}"));
    show(out, "CONFLICTS GIVEN TO AN AGENT", conflicts.collect());
    reviews(out, look, report);
}

/// Describes a changed gate input: `test_a.py: a test, changed by claude`.
fn changed_input(one: &ReportedChange) -> String {
    let what = match one.role {
        Role::Test => "a test",
        Role::Runner => "says how the gate runs",
        Role::Script => "a script that the gate runs",
        Role::Program => "a program that the gate runs",
        Role::Protected => "protected",
        Role::Law => "decides how the work is judged",
        Role::State => "state of the work",
        Role::Host => "starts a host",
        Role::Memory => "kept by sprag",
        Role::Forge => "reported by the forge",
    };
    let how = match one.how {
        InputChange::Same => "only blanks changed",
        InputChange::Stricter => "made stricter",
        InputChange::New => "new",
        InputChange::Grew => "added to",
        InputChange::Moved => "renamed",
        InputChange::Changed => "changed",
        InputChange::Gone => "removed",
    };
    let excuse = match one.excuse {
        None => "",
        Some(Excuse::HeldByRef) => "; a branch had this text before",
        Some(Excuse::LockFile) => "; its lock file changed as well",
        Some(Excuse::SecondLook) => "; the earlier one passes, too",
        Some(Excuse::OtherGate) => "; no gate of this unit depends on it",
    };
    format!("{}: {what}, {how} by {}{excuse}", one.path, one.by)
}

/// The result of each review. Findings, their fixes and the reasons for refusing them are never
/// cut.
fn reviews(out: &mut String, look: StreamStyle, report: &Report) {
    if report.evidence.reviews.is_empty() {
        return;
    }
    heading(out, look, "REVIEWED");
    let finding = |text: String| {
        let lines = look.wrap(&look.clean(&text), WIDTH - 6);
        format!("    {}\n", lines.join("\n      "))
    };
    let items = report.evidence.reviews.iter().flat_map(|one| {
        let line = format!("  {}\n", look.clip(&one.line(), WIDTH - 2));
        let refused = one.ended.refused.iter().map(ToString::to_string);
        let findings = one.ended.findings.iter().cloned().chain(refused);
        std::iter::once(line).chain(findings.map(finding))
    });
    list(out, items.collect());
}

/// Other notable numbers.
pub(super) fn also(out: &mut String, look: StreamStyle, report: &Report) {
    let said = counts(report);
    if !said.is_empty() {
        heading(out, look, "ALSO");
        for line in look.wrap(&said.join(", "), WIDTH - 2) {
            let _ = writeln!(out, "  {line}");
        }
    }
}

pub(super) fn counts(report: &Report) -> Vec<String> {
    let story = &report.story;
    let some = |number: usize, noun: &str| (number > 0).then(|| count(number, noun));
    let flaky = (!report.evidence.flaky.is_empty())
        .then(|| format!("flaky: {}", report.evidence.flaky.join(", ")));
    let findings = report.findings.map(|found| {
        let rounds = count(found.rounds as usize, "review round");
        let (all, open) = (count(found.found, "finding"), found.open);
        format!("{rounds}: {all}, {} fixed, {} refused, {open} open", found.fixed, found.refused)
    });
    let counted = [
        some(story.refused, "refused stop"),
        (story.retries > 0).then(|| format!("begun again {}", count(story.retries, "time"))),
        some(story.lost, "lost attempt"),
        some(story.limited, "usage limit"),
        flaky,
        findings,
    ];
    counted.into_iter().flatten().collect()
}

/// The changed files; tests are marked.
pub(super) fn files(out: &mut String, look: StreamStyle, report: &Report, width: usize) {
    let Some(files) = report.files.as_ref().filter(|files| !files.changed.is_empty()) else {
        return;
    };
    heading(out, look, "FILES");
    let mut sorted: Vec<_> = files.changed.iter().collect();
    // A changed test may have made a gate pass, so tests come first.
    sorted.sort_by_key(|change| !is_test(&change.path));
    let minus = look.sign("−", "-");
    let room = width.saturating_sub(COUNTS).max(COUNTS / 2);
    let line = |change: &&sprag_core::reporting::ChangedFile| {
        let test = if is_test(&change.path) { "  a test" } else { "" };
        let new = if change.untracked { "  new" } else { "" };
        let lines = match (change.added, change.removed) {
            (Some(added), Some(removed)) => format!("+{added} {minus}{removed}"),
            (_, _) => "not text".to_owned(),
        };
        let path = tail(look, &change.path, room);
        let pad = " ".repeat(room + 1 - columns(&path));
        format!("  {path}{pad}{lines}{new}{test}\n")
    };
    list(out, sorted.iter().map(line).collect());
    if let Some(whole) = report.whole_command().filter(|_| files.untracked() > 0) {
        let _ = writeln!(out, "  `git diff` does not show new files; this does:");
        for line in command::lines(look, &whole, width.saturating_sub(2)) {
            let _ = writeln!(out, "  {line}");
        }
    }
}

/// Cuts the start of a path: its end distinguishes it from others.
fn tail(look: StreamStyle, path: &str, width: usize) -> String {
    let clean = look.clean(path);
    let mut over = columns(&clean).saturating_sub(width);
    if over == 0 {
        return clean;
    }
    let more = look.sign("…", "...");
    over += columns(more);
    let mut rest = clean.chars();
    while over > 0 {
        let Some(next) = rest.next() else { break };
        over = over.saturating_sub(columns(next.encode_utf8(&mut [0; 4])));
    }
    format!("{more}{}", rest.as_str())
}

/// Returns the sign of a standing, which does not depend on colour.
fn mark(look: StreamStyle, standing: ReceiptWorth) -> String {
    match standing {
        ReceiptWorth::Holds => look.paint(Tone::Good, look.sign("✓", "+")),
        ReceiptWorth::Agreed => look.paint(Tone::Good, look.sign("☑", "a")),
        ReceiptWorth::Stale => look.paint(Tone::Note, look.sign("◦", "o")),
        ReceiptWorth::Waived => look.paint(Tone::Note, look.sign("⚠", "w")),
        ReceiptWorth::Fails => look.paint(Tone::Bad, look.sign("✗", "x")),
        ReceiptWorth::Unknown | ReceiptWorth::Uncounted | ReceiptWorth::Missing => {
            look.paint(Tone::Note, "?")
        }
    }
}

/// Formats a time in UTC: `2026-03-05 10:41`.
pub(super) fn moment(at: Time) -> String {
    at.to_string().replacen('T', " ", 1).chars().take(16).collect()
}

/// Formats a duration: `320 ms`, `4.1 s`, `12 min`.
pub(super) fn length(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..120_000 => format!("{}.{} s", ms / 1_000, ms / 100 % 10),
        _ => age(i64::try_from(ms).unwrap_or(i64::MAX)),
    }
}

pub(super) fn heading(out: &mut String, look: StreamStyle, title: &str) {
    let _ = writeln!(out, "\n {}", look.paint(Tone::Quiet, title));
}

fn list(out: &mut String, items: Vec<String>) {
    let more = items.len().saturating_sub(SHOWN);
    out.extend(items.into_iter().take(SHOWN));
    if more > 0 {
        let _ = writeln!(out, "  and {more} more");
    }
}
