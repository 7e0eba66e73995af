//! `sprag adopt`: shows the settings that a folder brought from elsewhere, asks once, and then
//! trusts them.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sprag_engine::adopting::{Adopted, Brought, Keep};
use sprag_engine::engine::Engine;
use sprag_world::trust::Belongs;

use crate::context::{CommandContext, OutputFormat};
use crate::exit::Exit;
use crate::fault::{EarlyExit, Next};
use crate::style::{StreamStyle, count};
use crate::{belongs, env, person, question, screen, whole};

/// Records the current folder as the user's own.
pub(crate) fn perform(call: &CommandContext, fresh: bool, yes: bool) -> Result<Exit, EarlyExit> {
    let by = person::only("adopt")?;
    let place = call.place_anyway()?;
    let found = belongs::of(&place);
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    if let Belongs::Unknown { .. } = found {
        belongs::counts(&found)?;
    }
    if found.counts() && !fresh {
        // Updates the record of a folder that was moved.
        engine.make_ours()?;
        let said = "This folder is yours already; everything in it counts.\n";
        return end(call, said, &json!({ "ok": true, "adopted": false, "next": next() }));
    }
    let brought = engine.brought_along()?;
    if call.answer == OutputFormat::Text {
        screen::print(&text(call.look, &found, &brought, fresh))?;
    }
    let unasked = if fresh { "sprag adopt --fresh --yes" } else { "sprag adopt --yes" };
    question::agreed(yes, "Agree?", unasked)?;
    let keep = if fresh { Keep::Nothing } else { Keep::Runs };
    let adopted = engine.adopt_folder(&brought, keep, &by)?;
    end(call, &told(call.look, &adopted), &object(&brought, &adopted))
}

fn end(call: &CommandContext, said: &str, object: &Value) -> Result<Exit, EarlyExit> {
    match call.answer {
        OutputFormat::Text => screen::print(said)?,
        OutputFormat::Json => screen::print_json(object)?,
    }
    Ok(Exit::Done)
}

fn next() -> Next {
    Next { safe: vec!["sprag".to_owned()], human: vec![] }
}

/// Shows all settings that would take effect.
fn text(look: StreamStyle, found: &Belongs, brought: &Brought, fresh: bool) -> String {
    let mut out = String::new();
    if let Some(why) = belongs::why(found) {
        let _ = writeln!(out, "{}. Nothing in it counts yet.\n", capital(&look.clean(&why)));
    }
    if let Some(config) = &brought.config {
        let _ = writeln!(out, "Settings, in .sprag/config.yaml:\n");
        for line in whole::lines(look, config).lines() {
            let _ = writeln!(out, "    {line}");
        }
        out.push('\n');
    }
    for fault in &brought.faults {
        let _ = writeln!(out, "Cannot be used: {}", look.clean(&fault.to_string()));
    }
    let commands = brought.commands.iter().map(|one| whole::one(look, &one.what));
    list(&mut out, "Commands that may run here from now on:", commands);
    let has = |(agent, unit): &(String, String)| format!("{agent} has {unit}");
    let assignments = brought.assignments.iter().map(|one| whole::one(look, &has(one)));
    list(&mut out, "Assignments, which sessions are held to:", assignments);
    let foreign = brought.foreign.iter().map(|one| format!("{} ({})", one.path, one.what));
    list(&mut out, "Folders of other systems:", foreign);
    if brought.has_state {
        let runs = count(brought.runs.len(), "run");
        let becomes = if fresh {
            "they are put aside"
        } else {
            "they stay, but they were proven elsewhere (`--fresh` puts them aside)"
        };
        let _ = writeln!(out, "State of {runs}, with sessions and a journal: {becomes}.\n");
    }
    out
}

fn list(out: &mut String, head: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "{head}\n");
    for line in lines {
        let _ = writeln!(out, "    {line}");
    }
    out.push('\n');
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn told(look: StreamStyle, adopted: &Adopted) -> String {
    let mut out = String::from("This folder is yours now; what is in it counts.\n");
    for name in &adopted.aside {
        let _ = writeln!(out, "What was there before is in .sprag/{name}.");
    }
    for (run, why) in &adopted.unread {
        let _ = writeln!(out, "{run} cannot be used: {}", look.clean(why));
    }
    out.push_str("Next: sprag\n");
    out
}

fn object(brought: &Brought, adopted: &Adopted) -> Value {
    let unread = adopted.unread.iter().map(|(run, why)| json!({ "run": run.as_str(), "why": why }));
    json!({
        "ok": true,
        "adopted": true,
        "commands": brought.commands.iter().map(|one| &one.what).collect::<Vec<_>>(),
        "aside": adopted.aside,
        "unread": unread.collect::<Vec<_>>(),
        "next": next(),
    })
}
