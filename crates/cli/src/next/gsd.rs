//! `sprag next gsd`: the next unit, the table row that chose it, and why the rows above did not
//! match.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Map, Value, json};
use sprag_core::gsd::{
    DispatchOutcome, Dispatched, Reading, RuleValues, State, StopSeverity, derive, dispatch,
    instruction, nothing_skipped,
};
use sprag_core::plain_json;
use sprag_engine::engine::Engine;
use sprag_engine::gsd::{Era, NoTree, TreeFound, look};
use sprag_formats::gsd::Depth;
use sprag_store::Place;

use super::rules;
use crate::codes::Code;
use crate::context::{CommandContext, OutputFormat};
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault, Next};
use crate::style::{StreamStyle, Tone, WIDTH, count};
use crate::{belongs, env, screen};

/// Shows the next unit in the project's milestone tree.
pub(super) fn show(call: &CommandContext) -> Result<Exit, EarlyExit> {
    let (place, belongs) = call.project_to_show()?;
    let home = env::get(env::HOME).map(PathBuf::from);
    let looked = look(&place.root, home.as_deref(), Depth::Answer, Reading::Ours)
        .map_err(|error| no_tree(&error))?;
    let tree = &looked.loaded.tree;
    let state = derive(tree);
    let found = dispatch(tree, &state, &nothing_skipped);
    let environment = env::all();
    // In a linked worktree the main one has the state, which may not have this folder yet.
    let place = if place.state.is_dir() { place } else { Place::of(&place.root) };
    let engine = Engine::open(&place, &environment)?;
    let told = engine.foretell(tree, looked.loaded.preferences.as_ref())?;
    match call.answer {
        OutputFormat::Text => {
            let own = rules::text(call.look, &told, &found);
            let verb = if own.is_some() { "Table" } else { "Next" };
            let table = text(call.look, &looked, &state, &found, verb);
            screen::print(&format!("{}{table}", own.unwrap_or_default()))?;
        }
        OutputFormat::Json => {
            let mut object = object(&looked, &state, &found);
            for (key, value) in rules::object(&told) {
                object["next"][key] = value;
            }
            belongs::mark(&mut object, &belongs);
            screen::print_json(&object)?;
        }
    }
    let known = tree.unreadable.is_empty();
    Ok(if known { Exit::Done } else { Exit::Unreadable })
}

/// Returns the error for a missing or unreadable tree.
pub(crate) fn no_tree(error: &NoTree) -> Fault {
    let (exit, code) = match error {
        NoTree::Absent => (Exit::NotFound, Code::NoPath),
        NoTree::Flat | NoTree::OnlyDatabase | NoTree::Unreadable(_) => {
            (Exit::Unreadable, Code::State)
        }
    };
    Fault::new(exit, code, error.to_string())
}

/// Returns a decision in the original's words.
pub(crate) fn dispatched(found: &Dispatched) -> Value {
    let mut said = json!({ "matchedRule": found.row });
    match &found.decision {
        DispatchOutcome::Dispatch { kind, at } => {
            said["action"] = "dispatch".into();
            said["unitType"] = kind.as_str().into();
            said["unitId"] = at.as_str().into();
        }
        DispatchOutcome::Stop { level, why } => {
            said["action"] = "stop".into();
            said["level"] = level.as_str().into();
            said["reason"] = why.as_str().into();
        }
        DispatchOutcome::Skip { why, .. } => {
            said["action"] = "skip".into();
            said["reason"] = why.as_str().into();
        }
    }
    said
}

/// Returns the JSON object: the original's state and dispatch, and sprag's additions.
fn object(looked: &TreeFound, state: &State, found: &Dispatched) -> Value {
    let mut said = dispatched(found);
    if let DispatchOutcome::Dispatch { kind, at } = &found.decision {
        said["prompt"] = instruction(kind, at, &looked.loaded.tree).into();
    }
    let above = |passed: &sprag_core::gsd::Passed| json!({ "row": passed.row, "why": passed.why });
    said["above"] = found.above.iter().map(above).collect::<Vec<_>>().into();
    let mut told = json!(state);
    told["extensions"] = state.extensions.iter().filter_map(kept).collect::<Map<_, _>>().into();
    let problems = looked.loaded.problems.len();
    let next = Next::default();
    let era = looked.era.name();
    json!({
        "ok": true, "era": era, "state": told, "dispatch": said, "problems": problems, "next": next,
    })
}

/// Returns the values that rules store at a milestone, slice or task, by its id.
fn kept(kept: &RuleValues) -> Option<(String, Value)> {
    let values = kept.values.iter().map(|(rule, value)| (rule.clone(), plain_json::json(value)));
    let values: Map<String, Value> = values.collect();
    (!values.is_empty()).then(|| (kept.at.to_string(), values.into()))
}

/// The column in which verbs end.
const VERB: usize = 5;

fn text(
    look: StreamStyle,
    looked: &TreeFound,
    state: &State,
    found: &Dispatched,
    next: &str,
) -> String {
    let mut out = String::new();
    let mut line = |tone: Tone, verb: &str, said: &str| {
        let space = " ".repeat(VERB.saturating_sub(verb.len()));
        let said = look.clip(said, WIDTH - VERB - 1);
        let _ = writeln!(out, "{space}{} {said}", look.paint(tone, verb));
    };
    match &found.decision {
        DispatchOutcome::Dispatch { kind, at } => line(Tone::Good, next, &format!("{kind} {at}")),
        DispatchOutcome::Skip { why, .. } => line(Tone::Note, "Skip", why),
        DispatchOutcome::Stop { level: StopSeverity::Info, why } => line(Tone::Good, "Stop", why),
        DispatchOutcome::Stop { level: StopSeverity::Warning | StopSeverity::Error, why } => {
            line(Tone::Bad, "Stop", why);
        }
    }
    line(Tone::Quiet, "Row", found.row);
    let done = state.progress.milestones;
    let phase = format!("{}; {} of {} milestones complete", state.phase, done.done, done.total);
    line(Tone::Quiet, "Phase", &phase);
    line(Tone::Quiet, "Says", &state.next_action);
    for (why, rows) in grouped(found) {
        let rows = match rows[..] {
            [row] => row.to_owned(),
            _ => count(rows.len(), "row"),
        };
        line(Tone::Quiet, "Not", &format!("{why}: {rows}"));
    }
    if looked.era == Era::Database {
        line(Tone::Note, "Note", looked.era.says());
    }
    let problems = looked.loaded.problems.len();
    if problems > 0 {
        line(Tone::Note, "Note", &format!("{}: sprag check", count(problems, "problem")));
    }
    out
}

/// Groups the skipped rows by reason, in the order in which the reasons first appear.
fn grouped(found: &Dispatched) -> Vec<(&str, Vec<&'static str>)> {
    let mut groups: Vec<(&str, Vec<&'static str>)> = Vec::new();
    for passed in &found.above {
        match groups.iter_mut().find(|(why, _)| *why == passed.why) {
            Some((_, rows)) => rows.push(passed.row),
            None => groups.push((&passed.why, vec![passed.row])),
        }
    }
    groups
}
