//! `sprag report`: what of a run is proven, only claimed, waived or waiting; as text, as one object,
//! or as one page of HTML. `--verify` holds the receipts against the journal and evaluates the gates
//! again.

use std::ffi::OsString;

use sprag_core::Id;
use sprag_core::reporting::Report;
use sprag_engine::engine::Engine;
use sprag_engine::verify::{Again, Checked};
use sprag_run::verify_branch;
use sprag_store::Place;

use crate::args;
use crate::call::{Answer, Call};
use crate::exit::Exit;
use crate::fault::{Next, Stop};
use crate::run::signals;
use crate::{env, screen};

mod drawn;
mod file;
mod html;
mod object;
mod sections;
#[cfg(test)]
mod tests;
mod text;
mod verified;

/// Shows the report that was asked for.
pub(crate) fn show(call: &Call, asked: &args::Report) -> Result<Exit, Stop> {
    let place = call.project()?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    let run = match &asked.run {
        Some(name) => engine.find_run(name)?,
        None => engine.newest_run()?,
    };
    let mut report = engine.report(&run)?;
    let mut checked = None;
    if asked.verify {
        checked = Some(verify(&place, &environment, &run, &report)?);
        // What was found out just now belongs into what is shown.
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
        Answer::Json => {
            let object = object::object(&report, checked.as_deref(), written.as_deref());
            screen::print_json(&object)?;
        }
        Answer::Text => {
            let said = match (&checked, &written) {
                (Some(checked), _) => verified::text(call.look, &report, checked),
                (None, Some(_)) => String::new(),
                (None, None) => text::text(call.look, &report),
            };
            screen::print(&said)?;
            if let Some(path) = &written {
                screen::print(&format!(
                    "Report  {}\n",
                    call.look.clean(&path.display().to_string())
                ))?;
            }
        }
    }
    if let (true, Some(path)) = (asked.open, &written) {
        file::open(path, &environment);
    }
    Ok(end(&report, checked.as_deref()))
}

/// Evaluates the gates of a run again where its work is; a signal ends them first.
fn verify(
    place: &Place,
    environment: &[(OsString, OsString)],
    run: &Id,
    report: &Report,
) -> Result<Vec<Checked>, Stop> {
    let stop = signals::stopping()?;
    if let Some(branch) = report.apart() {
        let checked = verify_branch(place, environment, (run, branch), report, &stop);
        return checked.map_err(crate::run::wrong);
    }
    Ok(Engine::open(place, environment)?.ended_by(&stop).verify(run, report)?)
}

/// A report can be shown whatever it says; only one that was asked to verify can fail.
fn end(report: &Report, checked: Option<&[Checked]>) -> Exit {
    let Some(checked) = checked else { return Exit::Done };
    let waived = |one: &Checked| report.story.waivers.iter().any(|waiver| waiver.gate == one.gate);
    let fails = |one: &Checked| match &one.result {
        Again::Fails { .. } | Again::Unknown { .. } => !waived(one),
        Again::Holds { .. } | Again::Person | Again::Untrusted { .. } => false,
    };
    let asks = |one: &Checked| matches!(one.result, Again::Untrusted { .. });
    if !report.doubts.is_empty() || checked.iter().any(fails) {
        Exit::Failed
    } else if checked.iter().any(asks) {
        Exit::NeedsPerson
    } else {
        Exit::Done
    }
}

/// Says what anybody, or only a person, can do next.
fn next(report: &Report) -> Next {
    let human = report.waits.iter().map(|wait| wait.command.clone()).collect();
    let mut safe: Vec<String> = report.whole_command().into_iter().collect();
    safe.push(format!("sprag report {} --verify", report.run));
    safe.push(format!("sprag log {}", report.run));
    Next { safe, human }
}
