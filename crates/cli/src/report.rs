//! `sprag report`: shows the results of a run: what is proven, and what is only claimed, waived or waiting, as
//! text, as JSON or as an HTML page. `--verify` compares the receipts with the journal and runs the
//! gates again.

use std::ffi::OsString;
use std::path::Path;

use sprag_core::RunId;
use sprag_core::reporting::{ReceiptWorth, Report};
use sprag_engine::drive::is_inbox;
use sprag_engine::engine::Engine;
use sprag_engine::verify::{Again, Checked};
use sprag_run::verify_branch;
use sprag_store::Place;
use sprag_world::terminal;

use crate::args;
use crate::context::{CommandContext, OutputFormat};
use crate::exit::Exit;
use crate::fault::{EarlyExit, Next};
use crate::run::signals;
use crate::style::{StreamStyle, WIDTH};
use crate::{belongs, env, screen};

mod command;
mod drawn;
mod file;
mod html;
mod object;
mod sections;
#[cfg(test)]
mod tests;
mod text;
mod verified;

/// A wider timeline would not be easier to read.
const WIDEST: usize = 120;

pub(crate) fn show(call: &CommandContext, asked: &args::ReportArgs) -> Result<Exit, EarlyExit> {
    let (place, belongs) = call.project_to_show()?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    let run = match &asked.run {
        Some(name) => named(&engine, name)?,
        None => engine.newest_run()?,
    };
    let mut report = engine.report(&run)?;
    let mut checked = None;
    if asked.verify {
        checked = Some(verify(&place, &environment, &run, &report)?);
        // Include the new verification results.
        report = engine.report(&run)?;
    }
    let name = place.root.file_name().unwrap_or(place.root.as_os_str()).to_string_lossy();
    let page = || html::page(&name, &report);
    let written = match (&asked.html, asked.open) {
        (Some(to), _) if to.as_os_str() == "-" => {
            screen::print(&page())?;
            return Ok(end(&report, checked.as_deref()));
        }
        (Some(to), _) => Some(file::write(&call.folder.join(to), &page())?),
        (None, true) => Some(file::keep(&place, &run, &page())?),
        (None, false) => None,
    };
    match call.answer {
        OutputFormat::Json => {
            let mut object = object::object(&report, checked.as_deref(), written.as_deref());
            belongs::mark(&mut object, &belongs);
            screen::print_json(&object)?;
        }
        OutputFormat::Text => {
            let said = match (&checked, &written) {
                (Some(checked), _) => verified::text(call.look, &report, checked),
                (None, Some(_)) => String::new(),
                (None, None) => text::text(call.look, &report, width()),
            };
            screen::print(&said)?;
            if let Some(path) = &written {
                screen::print(&told(call.look, &engine, path))?;
            }
        }
    }
    if let (true, Some(path)) = (asked.open, &written) {
        file::open(path, &environment);
    }
    Ok(end(&report, checked.as_deref()))
}

/// Finds a run by name; here the inbox counts as one.
fn named(engine: &Engine<'_>, name: &str) -> Result<RunId, EarlyExit> {
    let inbox = RunId::parse(name).ok().filter(is_inbox);
    Ok(inbox.map_or_else(|| engine.find_run(name), Ok)?)
}

/// Returns the number of columns for drawing.
fn width() -> usize {
    terminal::size().map_or(WIDTH, |(columns, _)| columns.min(WIDEST))
}

/// Reports where a page was written, and whether that changed the files that gates judge.
fn told(look: StreamStyle, engine: &Engine<'_>, page: &Path) -> String {
    let said = format!("Report  {}\n", look.clean(&page.display().to_string()));
    let Some(name) = engine.judged_file(page) else { return said };
    let name = look.clean(&name);
    format!(
        "{said}        {name} is one of the project's files now, so they changed since:\n        \
         put it elsewhere, or let git ignore it\n"
    )
}

/// Runs a run's gates again on its work; a signal stops them first.
fn verify(
    place: &Place,
    environment: &[(OsString, OsString)],
    run: &RunId,
    report: &Report,
) -> Result<Vec<Checked>, EarlyExit> {
    let stop = signals::stopping()?;
    if let Some(branch) = report.apart() {
        let checked = verify_branch(place, environment, (run, branch), report, &stop);
        return checked.map_err(crate::run::wrong);
    }
    Ok(Engine::open(place, environment)?.ended_by(&stop).verify(run, report)?)
}

/// Only `--verify` can fail; a report without it succeeds whatever it contains.
fn end(report: &Report, checked: Option<&[Checked]>) -> Exit {
    let Some(checked) = checked else { return Exit::Done };
    let fails = |one: &Checked| match &one.result {
        Again::Fails { .. } | Again::Unknown { .. } => !is_waived(report, one),
        Again::Holds { .. } | Again::Person | Again::Untrusted { .. } => false,
    };
    let asks = |one: &Checked| matches!(one.result, Again::Untrusted { .. });
    if !report.evidence.doubts.is_empty() || checked.iter().any(fails) {
        Exit::Failed
    } else if checked.iter().any(asks) {
        Exit::NeedsPerson
    } else {
        Exit::Done
    }
}

/// Returns whether a gate was waived with no work on it since: its current result then breaks no
/// proof.
fn is_waived(report: &Report, one: &Checked) -> bool {
    report.evidence.gates.standing(ReceiptWorth::Waived).any(|line| line.name() == one.gate)
}

/// Returns the next commands, for anyone and for a person only.
fn next(report: &Report) -> Next {
    let mut human: Vec<String> = report.waits.iter().map(|wait| wait.command.clone()).collect();
    // One approval may answer for several units.
    human.dedup();
    let mut safe: Vec<String> = report.whole_command().into_iter().collect();
    safe.push(format!("sprag report {} --verify", report.run));
    safe.push(format!("sprag log {}", report.run));
    Next { safe, human }
}
