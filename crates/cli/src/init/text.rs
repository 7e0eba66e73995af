//! `init` as text: a few lines before the question, and two after it.

use std::fmt::Write as _;

use sprag_core::{Verdict, typed};
use sprag_engine::init::plan::InitPlan;
use sprag_engine::init::setting::FileChange;
use sprag_engine::receipt::Record;
use sprag_formats::Checks;
use sprag_hosts::install::Component;

use super::{Done, files};
use crate::diff;
use crate::style::{StreamStyle, Tone, WIDTH, columns};

/// The column in which verbs end.
const VERB: usize = 10;
/// The column of notes on a file, if its name is short enough.
const ABOUT: usize = 31;

/// Formats a line: a right-aligned verb and its object.
pub(super) fn line(look: StreamStyle, verb: &str, about: &str) -> String {
    let tone = match verb {
        "Cannot" => Tone::Bad,
        "Note" | "Skip" | "Keep" => Tone::Note,
        _ => Tone::Good,
    };
    let blank = " ".repeat(VERB.saturating_sub(columns(verb)));
    format!("{blank}{} {}\n", look.paint(tone, verb), look.clean(about))
}

/// Appends a note to the name of a file.
pub(super) fn file(shown: &str, about: &str) -> String {
    let blank = " ".repeat(ABOUT.saturating_sub(columns(shown)).max(1));
    format!("{shown}{blank}{about}").trim_end().to_owned()
}

/// Formats a number: `1 entry`, `5 entries`.
pub(super) fn entries(number: usize) -> String {
    if number == 1 { "1 entry".to_owned() } else { format!("{number} entries") }
}

pub(super) fn plan(look: StreamStyle, plan: &InitPlan) -> String {
    let mut out = String::new();
    let mut say = |verb: &str, about: String| out.push_str(&line(look, verb, &about));
    let hosts: Vec<String> = plan.hosts.iter().map(host).collect();
    match hosts.as_slice() {
        [] => say("Found", "no host on the search path".to_owned()),
        some => say("Found", some.join(", ")),
    }
    if let Some(check) = found(plan) {
        say("Found", check);
    }
    if !plan.foreign.is_empty() {
        let all = plan.foreign.iter().map(|one| format!("{} ({})", one.path, one.what));
        let all = all.collect::<Vec<_>>().join(", ");
        say("Found", format!("{all}: kept, read where it is"));
    }
    for (host, why) in &plan.closed {
        say("Skip", format!("{}: {why}", host.name()));
    }
    config(plan, &mut say);
    for (verb, about) in files::lines(&plan.files) {
        say(verb, about);
    }
    for argv in &plan.untrusted {
        say("Allow", format!("this command to run on your machine: {}", typed(argv)));
    }
    out
}

fn host(found: &sprag_engine::init::program::HostProgram) -> String {
    match &found.version {
        Some(version) => format!("{} {version}", found.host.name()),
        None => format!("{} (it did not tell its version)", found.host.name()),
    }
}

/// Explains where the check was found, and names the alternatives.
fn found(plan: &InitPlan) -> Option<String> {
    let named = |candidate: &sprag_engine::usual_checks::Candidate| {
        format!("{} ({})", typed(&candidate.argv), candidate.from)
    };
    let (first, rest) = plan.checks.split_first()?;
    // If gates are configured already, no search was made.
    let runs = plan.config.gates().iter().any(|spec| {
        sprag_engine::gate::commands(&spec.gate.check).contains(&first.argv.as_slice())
    });
    let also = match rest {
        [] => String::new(),
        [other, ..] => format!("; also {}, with --gate", named(other)),
    };
    runs.then(|| format!("{}{also}", named(first)))
}

fn config(plan: &InitPlan, say: &mut impl FnMut(&str, String)) {
    let names: Vec<&str> = plan.config.gates().iter().map(|spec| spec.gate.name.as_str()).collect();
    let about = format!("gate: {}", names.join(", "));
    let verb = match (&plan.config.before, &plan.config.after) {
        (None, _) => "Write",
        (Some(_), Some(_)) => "Change",
        (Some(_), None) => "Already",
    };
    say(verb, file(".sprag/config.yaml", &about));
    let protect = plan.config.gates().iter().flat_map(|spec| &spec.protect);
    let protect: Vec<&str> = protect.map(sprag_core::Glob::as_str).collect();
    if !protect.is_empty() {
        say("Protected", format!("{}: no agent edits these", protect.join(", ")));
    }
    if plan.config.config.off {
        say("Note", "it has `off: true`: no session is held".to_owned());
    }
    if plan.config.config.checks == Checks::Never {
        say("Note", "it has `checks: {run: never}`: no command will run".to_owned());
    }
}

/// Returns the exact changes of every file.
pub(super) fn diffs(look: StreamStyle, plan: &InitPlan) -> String {
    let mut out = String::new();
    if let Some(after) = &plan.config.after {
        let before = plan.config.before.as_deref().unwrap_or_default();
        out.push_str(&change(look, ".sprag/config.yaml", before, after));
    }
    for setting in &plan.files {
        if let FileChange::Write(done) = &setting.change {
            let before = setting.before.as_deref().unwrap_or_default();
            out.push_str(&change(look, &setting.shown, before, &done.text));
        }
    }
    out
}

pub(super) fn change(look: StreamStyle, shown: &str, before: &str, after: &str) -> String {
    let mut out = format!("{}\n", look.paint(Tone::Strong, &look.clean(shown)));
    for line in diff::changes(before, after) {
        let text = look.clean(&line);
        let tone = match line.as_bytes().first() {
            Some(b'+') => Some(Tone::Good),
            Some(b'-') => Some(Tone::Bad),
            Some(_) | None => None,
        };
        let text = tone.map_or_else(|| text.clone(), |tone| look.paint(tone, &text));
        let _ = writeln!(out, "{text}");
    }
    out
}

/// Announces that the gates run now.
pub(super) fn checking(look: StreamStyle, plan: &InitPlan) -> String {
    let names: Vec<&str> = plan.config.gates().iter().map(|spec| spec.gate.name.as_str()).collect();
    line(look, "Checking", &names.join(", "))
}

/// Returns the closing lines.
pub(super) fn end(look: StreamStyle, plan: &InitPlan, done: Option<&Done>) -> String {
    let mut out = String::new();
    if let Some(done) = done {
        for record in &done.records {
            out.push_str(&line(look, "Ran", &verdict(record)));
        }
    }
    let holds = holds(plan);
    match done {
        Some(done) => {
            out.push_str(&line(look, "Done", &format!("in {} ms. {holds}", done.ms.max(0))));
            let undo = "Undo: sprag init --undo      Free one session: sprag pause";
            let _ = writeln!(out, "{}{undo}", " ".repeat(VERB + 1));
        }
        None if plan.is_done() => {
            out.push_str(&line(look, "Done", &format!("nothing was to be done. {holds}")));
        }
        None => out.push_str(&line(look, "Done", "nothing was written: --dry-run")),
    }
    out
}

/// Explains which sessions are held from now on, and which are not.
fn holds(plan: &InitPlan) -> String {
    let calls = |part: &Component| matches!(part, Component::Entries | Component::Bridge);
    let (open, held): (Vec<_>, Vec<_>) = plan
        .files
        .iter()
        .filter(|file| file.parts.iter().any(calls))
        .partition(|file| matches!(file.change, FileChange::Cannot { .. }));
    if held.is_empty() {
        return "No agent session is held yet: see above.".to_owned();
    }
    let gates: Vec<String> =
        plan.config.gates().iter().map(|spec| format!("`{}`", spec.gate.name)).collect();
    let verb = if gates.len() == 1 { "passes" } else { "pass" };
    let names: Vec<&str> = open.iter().map(|file| file.spot.host.name()).collect();
    let but = match names.as_slice() {
        [] => String::new(),
        some => format!(", but those of {}: see above", some.join(" and ")),
    };
    let gates = gates.join(" and ");
    let tries = match plan.config.tries() {
        1 => "1 try".to_owned(),
        tries => format!("{tries} tries"),
    };
    format!(
        "Agents that change files here are sent back until {gates} {verb} ({tries}, then you \
         decide){but}."
    )
}

/// Formats the result of a gate.
fn verdict(record: &Record) -> String {
    let seconds = format!("{}.{} s", record.ms / 1000, record.ms % 1000 / 100);
    let exit = record.exit.map_or_else(String::new, |code| format!(" (exit {code})"));
    match record.verdict {
        Verdict::Pass => format!("{} in {seconds}: it passes now", record.gate),
        Verdict::Fail => {
            let why = "a session is held only for what fails otherwise";
            format!("{} in {seconds}: it fails now{exit}; {why}", record.gate)
        }
        Verdict::Void | Verdict::Waived | Verdict::Unknown => {
            let width = WIDTH.saturating_sub(columns(&record.gate) + VERB + 20);
            let why: String = record.why.chars().take(width.max(60)).collect();
            format!("{}: it could not tell: {why}", record.gate)
        }
    }
}
