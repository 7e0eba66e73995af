//! Asks the user at the terminal the question that a run waits for.

use std::io::{BufRead as _, IsTerminal as _};
use std::time::Duration;

use sprag_core::RunId;
use sprag_core::plan::Choice;
use sprag_engine::drive::is_inbox;
use sprag_engine::engine::Engine;
use sprag_engine::run_file::Source;
use sprag_run::RunEnd;
use sprag_world::terminal;

use super::notify;
use super::signals::Ear;
use crate::context::{CommandContext, OutputFormat};
use crate::fault::EarlyExit;
use crate::{person, screen};

/// Returns whether a user can be asked.
pub(super) fn can_ask(call: &CommandContext) -> bool {
    let terminals = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    call.answer == OutputFormat::Text && terminals
}

/// Asks the question a run waits for, if a user can be asked, and returns whether the run
/// continues.
pub(super) fn answered(
    call: &CommandContext,
    engine: &Engine<'_>,
    run: &RunId,
    source: &Source,
    outcome: &RunEnd,
) -> Result<bool, EarlyExit> {
    let RunEnd::Held(hold) = outcome else { return Ok(false) };
    let Some(what) = hold.question() else { return Ok(false) };
    // Several assignments of the inbox may wait; the final list names each one.
    if is_inbox(run) || !can_ask(call) {
        return Ok(false);
    }
    // The user may be away from the terminal.
    notify::needs_you(engine, run, None, hold)?;
    let question = call.look.clean_lines(what);
    if source.info().has_choices {
        // The run has its own wording, and interprets the answer.
        let Some(said) = of_plan(&question, engine.plan_choice(run)?)? else { return Ok(false) };
        engine.plan_answer(run, &said, &person::name())?;
        return Ok(true);
    }
    let said = heard(&format!("\n{question}\nApprove? [y/N] "))?;
    let agreed = said.is_some_and(|said| matches!(said.as_str(), "y" | "Y" | "yes"));
    if agreed {
        engine.approve(run, Some(hold), &person::name())?;
    }
    Ok(agreed)
}

/// How many times a user who types neither yes nor no is asked.
const TRIES: u32 = 3;

/// Asks a question of a plan. If only yes or no is valid, other answers are asked again.
fn of_plan(question: &str, choice: Choice) -> Result<Option<String>, EarlyExit> {
    let (choice, only) = match choice {
        Choice::Said => ("", true),
        Choice::Unsaid => (" [Y/n]", true),
        Choice::Free => ("", false),
    };
    let mut asked = format!("\n{question}{choice} ");
    for _ in 0..TRIES {
        let said = heard(&asked)?;
        let word = said.as_deref().map(str::to_ascii_lowercase);
        if !only || matches!(word.as_deref(), None | Some("" | "y" | "yes" | "n" | "no")) {
            return Ok(said);
        }
        "Type y or n: ".clone_into(&mut asked);
    }
    Ok(None)
}

/// The polling interval for Ctrl-C while waiting for an answer.
const LOOK: Duration = Duration::from_millis(50);

/// Asks like [`heard`], but a signal also ends the wait without an answer, so that the start can be
/// undone.
pub(super) fn heard_or_interrupted(ear: &Ear, question: &str) -> Result<Option<String>, EarlyExit> {
    screen::print(question)?;
    while !ear.is_asked() && !terminal::is_typed(LOOK) {}
    if ear.is_asked() { screen::print("\n").map(|()| None) } else { heard("") }
}

/// Asks, and returns the typed line; `None` at the end of the input.
pub(super) fn heard(question: &str) -> Result<Option<String>, EarlyExit> {
    screen::print(question)?;
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        // Ending the input prints no line break after the question.
        Ok(0) | Err(_) => screen::print("\n").map(|()| None),
        Ok(_) => Ok(Some(line.trim().to_owned())),
    }
}
