//! `sprag init`: inspects the project, shows the plan, asks once, applies it, and runs the gates
//! once.

mod files;
mod object;
mod question;
mod text;
mod tree;
mod undo;

use sprag_core::Time;
use sprag_engine::engine::Engine;
use sprag_engine::init::apply::Applied;
use sprag_engine::init::plan::{InitPlan, InitRequest, NoPlan};
use sprag_engine::init::program;
use sprag_engine::init::setting::FileChange;
use sprag_engine::receipt::Record;
use sprag_formats::words;
use sprag_hosts::Host;
use sprag_hosts::install::{Scope, is_sprag};
use sprag_world::caller::Caller;
use sprag_world::clock;

use crate::args::{Consent, Init};
use crate::codes::Code;
use crate::context::{Begins, CommandContext, OutputFormat};
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use crate::{env, person, screen};
use tree::TreeRead;

/// Sets sprag up in the current project, or removes it with `--undo`.
pub(crate) fn perform(call: &CommandContext, asked: &Init) -> Result<Exit, EarlyExit> {
    let by = person::only(if asked.undo { "init --undo" } else { "init" })?;
    if asked.undo {
        return undo::perform(call, asked, &by);
    }
    let place = call.place_to_begin(Begins::Source)?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?.begun_by(Caller::Person);
    let program = own_name(&environment)?;
    let gates = asked.gates.iter().map(|line| read_gate(line)).collect::<Result<Vec<_>, _>>()?;
    let hosts: Vec<Host> = asked.hosts.iter().filter_map(|name| Host::from_name(name)).collect();
    let (scope, switch) = (scope(asked), asked.switch);
    let wish = InitRequest { gates: &gates, hosts: &hosts, scope, program: &program, switch };
    let tree = TreeRead::of(&place.root);
    if call.answer == OutputFormat::Text {
        // The tree is shown even if no plan can be made.
        screen::print(&tree.text(call.look))?;
    }
    let plan = InitPlan::make(&engine, &wish).map_err(no_plan)?;
    if call.answer == OutputFormat::Text {
        screen::print(&text::plan(call.look, &plan))?;
    }
    if asked.consent() == Consent::NotWanted || plan.is_done() && engine.belongs().counts() {
        return end(call, &plan, &tree, None);
    }
    if asked.consent() == Consent::Asked {
        question::agreed("sprag init --yes", || text::diffs(call.look, &plan))?;
    }
    let started = clock::now();
    let applied = engine.apply(&plan, &by);
    if let Some(fault) = failure(&applied) {
        return Err(fault.into());
    }
    let written = clock::now().since(started);
    let records = check(call, &engine, &plan)?;
    end(call, &plan, &tree, Some(&Done { applied, records, ms: written, started }))
}

/// The results of an applied plan.
struct Done {
    applied: Applied,
    records: Vec<Record>,
    /// The duration of the writes, in milliseconds.
    ms: i64,
    started: Time,
}

/// Runs the gates once.
fn check(
    call: &CommandContext,
    engine: &Engine<'_>,
    plan: &InitPlan,
) -> Result<Vec<Record>, EarlyExit> {
    if call.answer == OutputFormat::Text {
        screen::print(&text::checking(call.look, plan))?;
    }
    Ok(engine.check_now(plan)?)
}

fn end(
    call: &CommandContext,
    plan: &InitPlan,
    tree: &TreeRead,
    done: Option<&Done>,
) -> Result<Exit, EarlyExit> {
    match call.answer {
        OutputFormat::Text => screen::print(&text::end(call.look, plan, done))?,
        OutputFormat::Json => screen::print_json(&object::of(plan, &tree.object(), done))?,
    }
    let cannot = plan.files.iter().any(|file| matches!(file.change, FileChange::Cannot { .. }));
    Ok(if cannot { Exit::Failed } else { Exit::Done })
}

fn own_name(environment: &[(std::ffi::OsString, std::ffi::OsString)]) -> Result<String, EarlyExit> {
    let own = std::env::current_exe().map_err(|error| {
        let message = format!("it cannot be told where this program is: {error}");
        Fault::new(Exit::Failed, Code::Refused, message).help("start sprag by its whole path")
    })?;
    let name = program::own_name(&own, environment);
    if !is_sprag(&name) {
        let message = format!("entries that call `{name}` could not be told from others");
        return Err(Fault::new(Exit::Usage, Code::Refused, message).help("call it `sprag`").into());
    }
    Ok(name)
}

const fn scope(asked: &Init) -> Scope {
    if asked.shared { Scope::Shared } else { Scope::Personal }
}

fn read_gate(line: &str) -> Result<Vec<String>, EarlyExit> {
    words(line).map_err(|bad| {
        let message = format!("--gate `{}`: {}", line.escape_debug(), bad.why);
        let help = "give it words, or a shell: --gate 'sh -c \"…\"'";
        Fault::new(Exit::Usage, Code::Usage, message).help(help).into()
    })
}

fn no_plan(error: NoPlan) -> EarlyExit {
    let message = error.to_string();
    match error {
        NoPlan::Engine(error) => error.into(),
        NoPlan::NoHost { .. } => Fault::new(Exit::NotFound, Code::Refused, message)
            .help("name one that you use: `sprag init --host claude`")
            .human("sprag init --host claude")
            .into(),
        NoPlan::NoCheck => Fault::new(Exit::NotFound, Code::Refused, message)
            .help("name it: `sprag init --gate 'npm test'`")
            .human("sprag init --gate CMD")
            .into(),
        NoPlan::NoState => {
            Fault::new(Exit::Failed, Code::Refused, message).help("set HOME and try again").into()
        }
    }
}

/// Reports exactly how far an incomplete set-up got.
pub(super) fn failure(applied: &Applied) -> Option<Fault> {
    let (what, why) = applied.failed.as_ref()?;
    let list = |names: &[String]| match names {
        [] => "nothing".to_owned(),
        some => some.join(", "),
    };
    let (written, left) = (list(&applied.written), list(&applied.left));
    let message = format!("{what} was not written: {why}. Written: {written}. Not tried: {left}.");
    let help = "`sprag init` continues from here; `sprag init --undo` removes what was written";
    let fault = Fault::new(Exit::Failed, Code::NotWritten, message).help(help);
    Some(fault.human("sprag init").human("sprag init --undo"))
}
