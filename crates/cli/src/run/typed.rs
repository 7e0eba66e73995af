//! What was typed after `run`, checked before anything is looked for or started.

use std::time::Duration;

use sprag_formats::{BadWords, Budget, duration, money, words};

use super::Asked;
use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{Fault, Stop};

/// Refuses what cannot be meant.
pub(super) fn check(asked: &Asked) -> Result<(), Stop> {
    if asked.what.trim().is_empty() {
        let help = "write what is to be done: sprag run \"Add CSV export\" --until \"npm test\"";
        return Err(usage("the task is empty", help));
    }
    if let Some(until) = &asked.until {
        command(until)?;
        if let Some(more) = asked.task() {
            let message = format!("with --until there is one task, and `{more}` is another word");
            return Err(usage(&message, "put the whole task into quotes"));
        }
    }
    if asked.mode.is_some() && (asked.until.is_some() || asked.what != "plan") {
        return Err(usage("only a plan has modes", "leave out `--mode`"));
    }
    budget(Budget::default(), &asked.budget)?;
    length("--idle", asked.idle.as_deref())?;
    length("--wall", asked.wall.as_deref()).map(drop)
}

/// Refuses what is no command of its own.
fn command(until: &str) -> Result<(), Stop> {
    if until.trim().is_empty() {
        let help = "write the command that must pass: --until \"cargo test\"";
        return Err(usage("`--until` has no command", help));
    }
    let shell = "give it to a shell: --until \"sh -c '…'\"";
    let wrong = |bad: BadWords| usage(&format!("`--until`: {}", bad.why), shell);
    words(until).map(drop).map_err(wrong)
}

/// Reads the budget that was typed; nothing where none was.
pub(crate) fn budget_alone(typed: &[String]) -> Result<Option<Budget>, Stop> {
    if typed.is_empty() { Ok(None) } else { budget(Budget::default(), typed).map(Some) }
}

/// Adds what was typed to a budget: money, tokens or time.
pub(super) fn budget(known: Budget, typed: &[String]) -> Result<Budget, Stop> {
    typed.iter().try_fold(known, |known, text| {
        spend(known, text.trim()).ok_or_else(|| {
            let message = format!("`--budget {}` is no budget", text.escape_debug());
            usage(&message, "write `15usd`, `2000000tokens` or `3h`")
        })
    })
}

fn spend(known: Budget, text: &str) -> Option<Budget> {
    if let Some(tokens) = text.strip_suffix("tokens") {
        let tokens = Some(tokens.trim().parse().ok().filter(|tokens| *tokens > 0)?);
        return Some(Budget { tokens, ..known });
    }
    // A bare number could mean any of the three.
    if text.to_ascii_lowercase().ends_with("usd") {
        return Some(Budget { micro_usd: Some(money(text)?), ..known });
    }
    Some(Budget { wall: Some(some_time(text)?), ..known })
}

/// Reads a length of time.
pub(super) fn length(option: &str, text: Option<&str>) -> Result<Option<Duration>, Stop> {
    let read = |text: &str| {
        some_time(text).ok_or_else(|| {
            let message = format!("`{option} {}` is no length of time", text.escape_debug());
            usage(&message, "write `90s`, `10m` or `1h30m`")
        })
    };
    text.map(read).transpose()
}

fn some_time(text: &str) -> Option<Duration> {
    duration(text).filter(|length| !length.is_zero())
}

fn usage(message: &str, help: &str) -> Stop {
    Fault::new(Exit::Usage, Code::Usage, message).help(help).into()
}
