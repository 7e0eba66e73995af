//! `sprag next inbox`: shows the unit of work that a driver would take now; changes nothing.

use std::collections::BTreeSet;

use serde_json::json;
use sprag_core::Hold;
use sprag_engine::engine::Engine;
use sprag_engine::inbox::Ahead;

use crate::context::{CommandContext, OutputFormat};
use crate::env;
use crate::exit::Exit;
use crate::fault::EarlyExit;
use crate::style::WIDTH;
use crate::{belongs, screen};

pub(super) fn show(call: &CommandContext) -> Result<Exit, EarlyExit> {
    let (place, belongs) = call.project_to_show()?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    let coming = engine.pull_next(&BTreeSet::new())?;
    let held = if coming.is_none() { engine.pull_left()? } else { None };
    match call.answer {
        OutputFormat::Text => screen::print(&text(call, &engine, coming.as_ref(), held.as_ref())?)?,
        OutputFormat::Json => {
            let mut object = json!({
                "ok": true,
                "unit": coming.as_ref().map(|coming| coming.unit.as_str()),
                "agent": coming.as_ref().map(|coming| coming.agent.as_str()),
                "assigned": coming.as_ref().is_some_and(|coming| coming.has),
                "held": held.as_ref().map(ToString::to_string),
            });
            belongs::mark(&mut object, &belongs);
            screen::print_json(&object)?;
        }
    }
    Ok(if held.is_some() { Exit::NeedsPerson } else { Exit::Done })
}

fn text(
    call: &CommandContext,
    engine: &Engine<'_>,
    coming: Option<&Ahead>,
    held: Option<&Hold>,
) -> Result<String, EarlyExit> {
    let clip = |text: &str| call.look.clip(text, WIDTH - 2);
    let held = match (coming, held) {
        (Some(Ahead { agent, unit, has }), _) => {
            let why = if *has { "it is assigned to" } else { "it is open, and would be given to" };
            let line = clip(&format!("{unit}: {}", engine.work_of(unit)?.title));
            return Ok(format!("{line}\n  {}\n", clip(&format!("{why} {agent}"))));
        }
        (None, None) => return Ok("nothing is assigned or open\n".to_owned()),
        (None, Some(Hold::Asked { what })) => what.clone(),
        (None, Some(other)) => other.to_string(),
    };
    let lines = call.look.wrap(&format!("nothing can be begun: {held}"), WIDTH);
    Ok(format!("{}\n", lines.join("\n")))
}
