//! Checks the arguments of `sprag run` before anything is searched or started.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use sprag_core::basis::MayChange;
use sprag_core::quoted;
use sprag_engine::init::program;
use sprag_formats::{BadWords, Budget, WorktreeConfig, duration, money, words};

use crate::args::run::RunArgs;
use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};

/// Rejects arguments that make no sense.
pub(super) fn check(asked: &RunArgs) -> Result<(), EarlyExit> {
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
    if !asked.may_change.is_empty() && asked.until.is_none() && asked.what == "inbox" {
        let help = "name the run of an assignment: sprag run RUN --may-change GLOB";
        return Err(usage("the inbox has no run that could keep `--may-change`", help));
    }
    may_change(&asked.may_change)?;
    budget(Budget::default(), &asked.budget)?;
    length("--idle", asked.idle.as_deref())?;
    length("--wall", asked.wall.as_deref()).map(drop)
}

/// Rejects a command that needs a shell.
fn command(until: &str) -> Result<(), EarlyExit> {
    if until.trim().is_empty() {
        let help = "write the command that must pass: --until \"cargo test\"";
        return Err(usage("`--until` has no command", help));
    }
    let shell = "give it to a shell: --until \"sh -c '…'\"";
    let wrong = |bad: BadWords| usage(&format!("`--until`: {}", bad.why), shell);
    words(until).map(drop).map_err(wrong)
}

pub(super) fn may_change(typed: &[String]) -> Result<Vec<MayChange>, EarlyExit> {
    let read = |text: &String| {
        MayChange::parse(text).map_err(|bad| {
            let help = "write `tests`, or a pattern below the project: --may-change \"spec/**\"";
            usage(&format!("`--may-change`: {bad}"), help)
        })
    };
    typed.iter().map(read).collect()
}

/// Converts arguments typed below the project's root, where commands and agents are started. A
/// command is meant for the folder in which it was typed.
pub(super) fn said_in(root: &Path, folder: &Path, asked: &RunArgs) -> RunArgs {
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let below = folder.strip_prefix(root).ok().filter(|below| !below.as_os_str().is_empty());
    let Some(below) = below else { return asked.clone() };
    let until = |until: &String| {
        // A shell reads any command the same way.
        let there = format!("cd {} && {until}", quoted(&below.to_string_lossy()));
        format!("sh -c {}", quoted(&there))
    };
    let word = |word: &String| match folder.join(word) {
        path if word.contains('/') && path.is_file() => quoted(&path.to_string_lossy()),
        _ => quoted(word),
    };
    let host = |host: &String| match words(host) {
        Ok(words) => words.iter().map(word).collect::<Vec<_>>().join(" "),
        // Starting the host reports the error.
        Err(_) => host.clone(),
    };
    let or = asked.or.iter().map(host).collect();
    let host = asked.host.as_ref().map(host);
    let pattern = |typed: &String| match MayChange::parse(typed) {
        Ok(MayChange::Files(glob)) => format!("{}/{}", below.to_string_lossy(), glob.as_str()),
        Ok(MayChange::AllTests) | Err(_) => typed.clone(),
    };
    let may_change = asked.may_change.iter().map(pattern).collect();
    RunArgs { until: asked.until.as_ref().map(until), host, or, may_change, ..asked.clone() }
}

/// Rejects a command whose program is missing: the run stores the command as typed, so neither an
/// agent nor `resume` could fix it.
pub(super) fn is_found(
    asked: &RunArgs,
    folder: &Path,
    config: &WorktreeConfig,
    environment: &[(OsString, OsString)],
) -> Result<(), EarlyExit> {
    let argv = asked.until.as_deref().and_then(|until| words(until).ok()).unwrap_or_default();
    let Some(name) = argv.first() else { return Ok(()) };
    // Worktrees may have their own search path.
    let is_other = config.env.iter().any(|(name, _)| name == "PATH");
    if is_other || program::is_found(name, folder, environment) {
        return Ok(());
    }
    let message = format!("`--until`: the program `{}` was not found", name.escape_debug());
    Err(usage(&message, "is it spelled so, and installed? nothing was started"))
}

/// Parses the budget; `None` if none was typed.
pub(crate) fn budget_alone(typed: &[String]) -> Result<Option<Budget>, EarlyExit> {
    if typed.is_empty() { Ok(None) } else { budget(Budget::default(), typed).map(Some) }
}

/// Adds the typed amounts to a budget: money, tokens or time.
pub(super) fn budget(known: Budget, typed: &[String]) -> Result<Budget, EarlyExit> {
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
    // A bare number would be ambiguous.
    if text.to_ascii_lowercase().ends_with("usd") {
        return Some(Budget { micro_usd: Some(money(text)?), ..known });
    }
    Some(Budget { wall: Some(some_time(text)?), ..known })
}

pub(super) fn length(option: &str, text: Option<&str>) -> Result<Option<Duration>, EarlyExit> {
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

fn usage(message: &str, help: &str) -> EarlyExit {
    Fault::new(Exit::Usage, Code::Usage, message).help(help).into()
}
