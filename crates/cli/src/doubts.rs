//! Shows agents' changes to files that judge them in full, for a person's approval.

use std::fmt::Write as _;

use sprag_core::RunId;
use sprag_engine::engine::Engine;
use sprag_engine::weigh::ShownDoubt;

use crate::codes::Code;
use crate::context::{CommandContext, OutputFormat};
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use crate::style::StreamStyle;
use crate::{diff, env, person, question, screen, whole};

/// The message to a person who decides about a missing record.
const NO_RECORD: &str = "  sprag's record of the earlier texts is gone or full, so no diff can be shown.\n  \
                         Look at what changed yourself, for example with `git log -p`.\n";

/// Shows a run's doubts, asks, and records the approval. Returns `None` if there is no doubt.
pub(crate) fn agree(
    call: &CommandContext,
    engine: &Engine<'_>,
    what: Option<&str>,
    yes: bool,
    by: &str,
) -> Result<Option<(RunId, String)>, EarlyExit> {
    let Some(run) = meant(engine, what)? else { return Ok(None) };
    let seen = engine.in_doubt(&run)?;
    if seen.is_empty() {
        return Ok(None);
    }
    if matches!(call.answer, OutputFormat::Text) {
        screen::print(&shown(call.look, &seen))?;
    }
    let names: Vec<&str> = seen.iter().map(|one| one.name.as_str()).collect();
    let question = format!("Agree to these changes of {}?", names.join(", "));
    question::agreed(yes, &question, &format!("sprag approve {run} --yes"))?;
    let agreed = engine.agree(&run, &seen, by)?;
    Ok(Some((run.clone(), format!("{run}: agreed to {}", agreed.join(", ")))))
}

/// Returns the named run; without a name the only one that waits, or the newest.
fn meant(engine: &Engine<'_>, what: Option<&str>) -> Result<Option<RunId>, EarlyExit> {
    if let Some(name) = what {
        return Ok(person::named(engine, name).ok().map(|(run, _)| run));
    }
    let mut waits: Vec<RunId> = engine.waits()?.into_iter().map(|wait| wait.run).collect();
    waits.dedup();
    Ok(match waits.len() {
        0 => engine.newest_run().ok(),
        1 => waits.pop(),
        _ => None,
    })
}

/// Shows the changes in a file that gates depend on.
pub(crate) fn diff(call: &CommandContext, path: &str) -> Result<Exit, EarlyExit> {
    let place = call.project()?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    let seen = engine.in_doubt_at(path)?;
    if seen.is_empty() {
        let message = format!("no change of `{}` is in doubt", path.escape_debug());
        return Err(Fault::new(Exit::NotFound, Code::NoPath, message)
            .help("`sprag report` lists what is")
            .safe("sprag report")
            .into());
    }
    screen::print(&shown(call.look, &seen))?;
    Ok(Exit::Done)
}

/// Returns every change in full, with nothing cut or hidden.
fn shown(look: StreamStyle, seen: &[ShownDoubt]) -> String {
    let mut out = String::new();
    for one in seen {
        let _ = writeln!(out, "{}", whole::one(look, &one.name));
        if let Some(said) = &one.said {
            let _ = writeln!(out, "  the agent said: {}", whole::one(look, said));
        }
        match (&one.before, one.was_there, &one.after) {
            _ if one.is_record => out.push_str(NO_RECORD),
            (None, true, _) => {
                let _ = writeln!(out, "  its earlier text was not kept; its text now:");
                out.push_str(&diff::lines(look, "", &text(one.after.as_deref())));
            }
            (before, _, after) => {
                let (before, after) = (text(before.as_deref()), text(after.as_deref()));
                out.push_str(&diff::lines(look, &before, &after));
            }
        }
        out.push('\n');
    }
    out
}

fn text(bytes: Option<&[u8]>) -> String {
    bytes.map_or_else(String::new, |bytes| String::from_utf8_lossy(bytes).into_owned())
}
