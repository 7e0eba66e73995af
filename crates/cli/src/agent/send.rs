//! Sends units to agents, and watches over the assignments.

use std::time::Duration;

use serde_json::{Value, json};
use sprag_core::UnitId;
use sprag_core::inbox::Patience;
use sprag_engine::waits::Still;

use super::waits::length;
use super::{AgentCall, read_unit};
use crate::context::OutputFormat;
use crate::exit::Exit;
use crate::fault::EarlyExit;
use crate::screen;

/// The default interval of the watch.
const EVERY: Duration = Duration::from_mins(1);

/// Sends a unit to a free agent. Without a unit, finishes assignments that were left half done.
pub(super) fn sling(desk: &AgentCall<'_>, unit: Option<&str>) -> Result<Exit, EarlyExit> {
    let who = desk.who()?;
    let Some(unit) = unit else {
        let units = desk.engine.sling_rest(&who)?;
        let units: Vec<&str> = units.iter().map(UnitId::as_str).collect();
        let said = match units.as_slice() {
            [] => "nothing was left half way".to_owned(),
            some => format!("finished: {}", some.join(", ")),
        };
        return desk.answer(&said, json!({ "ok": true, "units": units }));
    };
    let slung = desk.engine.sling(&read_unit(unit)?, &who)?;
    let agent = slung.agent.as_deref().unwrap_or("nobody");
    let folder = slung.folder.as_ref().map(|folder| folder.display().to_string());
    let place = folder.as_ref().map_or(String::new(), |folder| format!(", in {folder}"));
    let object = json!({ "ok": true, "unit": unit, "agent": slung.agent, "folder": folder });
    desk.answer(&format!("{unit}: {agent} has it{place}"), object)
}

/// Checks every assignment repeatedly; ends after one round with `once`, or on a signal.
pub(super) fn watch(
    desk: &AgentCall<'_>,
    once: bool,
    every: Option<&str>,
) -> Result<Exit, EarlyExit> {
    let every = every.map_or(Ok(EVERY), length)?.max(Duration::from_secs(1));
    loop {
        let (done, trouble) = desk.engine.patrol(&Patience::USUAL)?;
        match desk.call.answer {
            OutputFormat::Text => {
                for line in done.iter().map(|one| &one.said).chain(&trouble) {
                    screen::print(&format!("{}\n", desk.call.look.clean(line)))?;
                }
            }
            OutputFormat::Json if once || !done.is_empty() || !trouble.is_empty() => {
                let acts: Vec<Value> = done
                    .iter()
                    .map(|one| {
                        let agent = one.agent.as_str();
                        json!({ "agent": agent, "said": one.said, "person": one.person })
                    })
                    .collect();
                let ok = trouble.is_empty();
                screen::print_json(&json!({ "ok": ok, "acts": acts, "unknown": trouble }))?;
            }
            OutputFormat::Json => {}
        }
        if once {
            let person = done.iter().any(|one| one.person);
            return Ok(if !trouble.is_empty() {
                Exit::Unreadable
            } else if person || is_waiting(desk)? {
                Exit::NeedsPerson
            } else {
                Exit::Done
            });
        }
        std::thread::sleep(every);
    }
}

/// Returns whether any work waits for a person, even if the person was notified long ago.
fn is_waiting(desk: &AgentCall<'_>) -> Result<bool, EarlyExit> {
    Ok(desk.engine.waits()?.iter().any(|wait| wait.still == Still::Work))
}
