//! Builds the prompts of driven agents: the unit, and the last failure.

use sprag_core::{Closes, Gate, GateSpec, Prompt, Receipt, Retry, Time, Unit, prompt, typed};

use crate::run_file::RunFile;

/// Returns two prompts: for an agent in a new session, and for one that resumes its own session.
pub(super) fn of(run: &RunFile, unit: &Unit, prompt: &Prompt, now: Time) -> (String, String) {
    let first = joined(&[&run.live.order(&run.header, unit, prompt), &protected(run, unit)]);
    if !prompt.sent_back.is_empty() {
        let sent_back = prompt::sent_back(unit, &prompt.sent_back);
        return (joined(&[&first, &sent_back]), sent_back);
    }
    if run.live.info().prompts_failures {
        return (first.clone(), first);
    }
    match &prompt.evidence {
        None => {
            let reminder = run.live.reminder(unit, prompt).unwrap_or_else(|| first.clone());
            (joined(&[&first, &checked(unit)]), joined(&[&reminder, &checked(unit)]))
        }
        Some(receipt) => {
            let failed = failed(receipt, prompt.retry, now);
            let order = "Fix this, then stop again.";
            (joined(&[&first, &failed, order]), joined(&[&failed, order]))
        }
    }
}

/// Lists the files that the gates of a unit protect.
fn protected(run: &RunFile, unit: &Unit) -> String {
    let is_own = |spec: &&GateSpec| unit.gates.iter().any(|gate| gate.name == spec.gate.name);
    let own = run.live.specs().iter().filter(is_own);
    prompt::protected(own.flat_map(|spec| &spec.protect)).unwrap_or_default()
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
