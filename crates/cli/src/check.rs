//! `sprag check`: lists all problems in workflows, plans and configuration in one pass. It also
//! shows the gates of each phase and task, so that ungated ones are not mistaken for gated ones.

use std::path::PathBuf;

use sprag_world::clock;

use crate::context::{CommandContext, OutputFormat};
use crate::diagnostic::Level;
use crate::exit::Exit;
use crate::fault::EarlyExit;
use crate::{belongs, screen};

mod findings;
mod object;
mod pull;
mod reader;
mod shown;
mod sort;
mod target;
mod text;
mod tree;

use findings::Findings;
use reader::CheckReader;
use target::CheckTarget;

/// Performs the checks and prints the findings.
pub(crate) fn show(call: &CommandContext, paths: &[PathBuf]) -> Result<Exit, EarlyExit> {
    let begun = clock::now();
    let targets = if paths.is_empty() {
        vec![CheckTarget::here(call)?]
    } else {
        paths.iter().map(|path| CheckTarget::of(call, path)).collect::<Result<_, _>>()?
    };
    let mut findings = Findings::default();
    for target in &targets {
        CheckReader::of(call, target)?.check(target, &mut findings);
    }
    let millis = clock::now().since(begun);
    match call.answer {
        OutputFormat::Text => screen::print(&text::draw(call.look, &findings, millis))?,
        OutputFormat::Json => {
            let mut object = object::of(&findings);
            if let Some(place) = call.place()? {
                belongs::mark(&mut object, &belongs::of(&place));
            }
            screen::print_json(&object)?;
        }
    }
    let wrong = findings.complaints.iter().any(|complaint| complaint.level == Level::Error);
    Ok(if wrong { Exit::Invalid } else { Exit::Done })
}
