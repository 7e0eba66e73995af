//! Parses the command line, runs the command and reports how it ended.

use std::cell::OnceCell;
use std::ffi::OsString;

use crate::args::{self, Cli, Verb};
use crate::codes::Code;
use crate::context::{CommandContext, OutputFormat, look};
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use crate::{
    adopt, agent, belongs, bridges, check, copy, demo, doctor, doubts, fix, hook, init, log,
    manual, mcp, next, person, pr, report, rpc, run, schema, screen, status, usage, why, workflow,
};

/// Runs the command line of this process.
pub(crate) fn command_line() -> Exit {
    let words: Vec<OsString> = std::env::args_os().collect();
    match args::parse(words.iter().cloned()) {
        Ok(typed) => {
            let answer = if typed.json { OutputFormat::Json } else { OutputFormat::Text };
            end(perform(&typed), answer, typed.plain)
        }
        Err(error) if error.use_stderr() => {
            // Parsing failed, so these two flags are searched for by name.
            let has = |flag: &str| words.iter().any(|word| word == flag);
            let answer = if has("--json") { OutputFormat::Json } else { OutputFormat::Text };
            end(Err(usage::fault(&error).into()), answer, has("--plain"))
        }
        // Help and version were requested; they are no errors.
        Err(asked) => end(
            screen::print(&asked.render().to_string()).map(|()| Exit::Done),
            OutputFormat::Text,
            false,
        ),
    }
}

fn perform(typed: &Cli) -> Result<Exit, EarlyExit> {
    let made = OnceCell::new();
    let done = carry_out(typed, &made);
    let place = made.get().and_then(CommandContext::found);
    if let Some(place) = place.filter(|_| typed.verb().writes())
        && belongs::of(place).counts()
    {
        copy::keep(place);
    }
    done
}

fn carry_out(typed: &Cli, made: &OnceCell<CommandContext>) -> Result<Exit, EarlyExit> {
    // Not every command needs a folder.
    let call = || {
        let call = CommandContext::of(typed)?;
        Ok::<&CommandContext, EarlyExit>(made.get_or_init(|| call))
    };
    match typed.verb() {
        Verb::Status => status::show(call()?),
        Verb::Init(asked) => init::perform(call()?, asked),
        Verb::Log(asked) => log::show(call()?, asked),
        Verb::Report(asked) => report::show(call()?, asked),
        Verb::Check { paths, schema: None } => check::show(call()?, paths),
        Verb::Check { schema: Some(name), .. } => schema::show(call()?.answer, name.as_deref()),
        Verb::Adopt { fresh, yes } => adopt::perform(call()?, *fresh, *yes),
        Verb::Doctor { fix: false, .. } => doctor::show(call()?),
        Verb::Doctor { fix: true, yes } => fix::mend(call()?, *yes),
        Verb::Demo => demo::play(call()?),
        Verb::Completions { shell } => print_bytes(Ok(manual::completions(*shell))),
        Verb::Man => print_bytes(manual::page()),
        Verb::Run(asked) => run::perform(call()?, asked),
        Verb::Start { name, task } => {
            workflow::start(call()?, name, task.as_deref().unwrap_or_default())
        }
        Verb::Step(step) => workflow::step(call()?, step),
        Verb::Gate { run } => workflow::gate(call()?, run),
        Verb::Next { source } => next::show(call()?, source.as_ref()),
        Verb::Pr(asked) => pr::perform(call()?, asked),
        Verb::Why { what } => why::show(call()?, what.as_deref()),
        Verb::Approve { what, gate, waive, yes } => {
            person::approve(call()?, what.as_deref(), (gate.as_deref(), waive.as_deref()), *yes)
        }
        Verb::Diff { path } => doubts::diff(call()?, path),
        Verb::Pause { what, length, why } => {
            person::pause(call()?, what.as_deref(), length.as_deref(), why.as_deref())
        }
        Verb::Resume { what, budget, detach } => {
            person::resume(call()?, what.as_deref(), budget, *detach)
        }
        Verb::Cancel { what } => person::cancel(call()?, what.as_deref()),
        Verb::Agent(typed) => agent::perform(call()?, typed),
        Verb::Rpc { bridge: None } => Ok(rpc::serve()),
        Verb::Rpc { bridge: Some(host) } => bridges::print(host),
        Verb::Mcp => Ok(mcp::serve()),
        Verb::Hook { .. } => {
            hook::answer(std::iter::empty());
            Ok(Exit::Done)
        }
    }
}

fn print_bytes(made: std::io::Result<Vec<u8>>) -> Result<Exit, EarlyExit> {
    let bytes = made.map_err(|error| {
        Fault::new(Exit::Failed, Code::Output, format!("cannot write the output: {error}"))
    })?;
    screen::print(&String::from_utf8_lossy(&bytes))?;
    Ok(Exit::Done)
}

/// Prints the error, if any, and returns the exit code.
fn end(done: Result<Exit, EarlyExit>, answer: OutputFormat, plain: bool) -> Exit {
    let fault = match done {
        Ok(exit) => return exit,
        Err(EarlyExit::Closed) => return Exit::Done,
        Err(EarlyExit::Fault(fault)) => fault,
    };
    // If the JSON object cannot be written, the text is.
    let said = answer == OutputFormat::Json && screen::print_json(&fault.json()).is_ok();
    if !said {
        screen::complain(&fault.text(look(plain, &std::io::stderr())));
    }
    fault.exit
}
