//! Builds the prompts of driven agents: the unit, and the last failure.

use sprag_core::workflow::{FIX, REVIEW};
use sprag_core::{Closes, Gate, GateSpec, Prompt, Receipt, Retry, Time, Unit, prompt, typed};

use crate::live::Live;
use crate::run_file::RunFile;

/// Returns two prompts: for an agent in a new session, and for one that resumes its own session.
pub(super) fn of(run: &RunFile, unit: &Unit, prompt: &Prompt, now: Time) -> (String, String) {
    let first = joined(&[&first(run, unit, prompt), &protected(run, unit)]);
    if !prompt.sent_back.is_empty() {
        let sent_back = prompt::sent_back(unit, &prompt.sent_back);
        return (joined(&[&first, &sent_back]), sent_back);
    }
    // The prompts of these machines contain the last failure already.
    if matches!(run.live, Live::Plan(_) | Live::Pr(_)) {
        return (first.clone(), first);
    }
    match &prompt.evidence {
        None => {
            let reminder = match &run.live {
                Live::Workflow(_) if [REVIEW, FIX].contains(&unit.kind) => {
                    Some(prompt.text.clone())
                }
                Live::Workflow(_) => run.live.view().map(|view| view.alone()),
                Live::Guard(_) | Live::Plan(_) | Live::Loop(_) | Live::Gsd(_) | Live::Pr(_) => None,
            };
            let reminder = reminder.unwrap_or_else(|| first.clone());
            (joined(&[&first, &checked(unit)]), joined(&[&reminder, &checked(unit)]))
        }
        Some(receipt) => {
            let failed = failed(receipt, prompt.retry, now);
            let order = "Fix this, then stop again.";
            (joined(&[&first, &failed, order]), joined(&[&failed, order]))
        }
    }
}

fn first(run: &RunFile, unit: &Unit, prompt: &Prompt) -> String {
    match &run.live {
        Live::Workflow(_) if unit.kind == REVIEW => joined(&[&prompt.text, &changed(run)]),
        Live::Workflow(held) if unit.kind == FIX => {
            joined(&[&held.definition.first_message(), &prompt.text])
        }
        Live::Workflow(held) => {
            let context = run.live.view().map_or_else(String::new, |view| view.alone());
            joined(&[&held.definition.first_message(), &context])
        }
        Live::Guard(_) => run.header.task.clone().unwrap_or_default(),
        Live::Plan(_) | Live::Loop(_) | Live::Gsd(_) | Live::Pr(_) => prompt.text.clone(),
    }
}

/// Lists the files that the gates of a unit protect.
fn protected(run: &RunFile, unit: &Unit) -> String {
    let is_own = |spec: &&GateSpec| unit.gates.iter().any(|gate| gate.name == spec.gate.name);
    let own = run.live.specs().iter().filter(is_own);
    prompt::protected(own.flat_map(|spec| &spec.protect)).unwrap_or_default()
}

/// Explains to a reviewer how to see the changes.
fn changed(run: &RunFile) -> String {
    match &run.header.base {
        Some(base) => format!(
            "What changed since the phase began: `git diff {base}`, and the new files that `git \
             status --short` lists."
        ),
        None => "What changed is not known to git here: look at the files.".to_owned(),
    }
}

/// Lists the checks that follow, so that they do not surprise the agent.
fn checked(unit: &Unit) -> String {
    let names: Vec<_> = unit.gates.iter().map(|gate| format!("`{}`", whole(gate))).collect();
    match (unit.closes, names.is_empty()) {
        (_, false) => {
            format!("When you stop, this is checked: {}.", names.join(", "))
        }
        (Closes::Claim | Closes::Stop | Closes::Exit, true) => String::new(),
    }
}

/// Returns a gate's name, or the whole command if the name is a shortened one: the agent may run
/// it.
fn whole(gate: &Gate) -> String {
    let command = gate.check.argv().map(|argv| typed(argv));
    let is_cut = |command: &String| command.starts_with(gate.name.as_str());
    command.filter(is_cut).unwrap_or_else(|| gate.name.to_string())
}

fn failed(receipt: &Receipt, retry: Option<Retry>, now: Time) -> String {
    let line = prompt::headline(receipt, now);
    let tail = prompt::evidence(&receipt.tail, prompt::EVIDENCE);
    let retry = retry.map(|retry| format!("Retry {} of {}.", retry.number, retry.max));
    let parts = [line, tail, retry.unwrap_or_default()];
    let filled: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    filled.join("\n")
}

fn joined(parts: &[&str]) -> String {
    let filled: Vec<_> = parts.iter().filter(|part| !part.is_empty()).copied().collect();
    filled.join("\n\n")
}
