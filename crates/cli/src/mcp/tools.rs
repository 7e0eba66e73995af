//! The tools: `workflow_step` as in pi, `sprag_status` and `sprag_why` as on the command line.

use serde_json::{Map, Value, json};
use sprag_core::plain_json;
use sprag_core::workflow::session::{self, AgentAction, Event, Out, Session};
use sprag_core::workflow::texts::TOOL;
use sprag_engine::engine::Engine;
use sprag_engine::step::{Stepped, WorkflowActor};
use sprag_world::clock;

use super::message::Wrong;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use crate::style::{Colour, Signs, StreamStyle};
use crate::{env, status, why, workflow};

const STATUS: &str = "sprag_status";
const WHY: &str = "sprag_why";

/// Returns all tools in a fixed order.
pub(super) fn list() -> Vec<Value> {
    let contract = plain_json::json(&session::contract());
    let step = json!({
        "name": contract["name"],
        "title": contract["label"],
        "description": contract["description"],
        "inputSchema": contract["parameters"],
    });
    let status = json!({
        "name": STATUS,
        "title": "What is going on here",
        "description": "Show this project's runs, what waits for a person, and what cannot be read.",
        "inputSchema": { "type": "object", "additionalProperties": false },
        "annotations": { "readOnlyHint": true },
    });
    let what = json!({
        "type": "string",
        "description": "A run, a tool's name, or a code such as K0007; without it: why a stop is refused",
    });
    let why = json!({
        "name": WHY,
        "title": "Why not",
        "description": "Say why this session may not stop, why a tool is blocked, or what a code means.",
        "inputSchema": { "type": "object", "properties": { "what": what } },
        "annotations": { "readOnlyHint": true },
    });
    vec![step, status, why]
}

/// Calls a tool. Errors that the model can correct are results; only an unknown tool is an error.
pub(super) fn call(params: &Map<String, Value>) -> Result<Value, Wrong> {
    let name = params.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| Wrong::params("no `name`"))?;
    let none = Map::new();
    let given = match params.get("arguments") {
        None | Some(Value::Null) => &none,
        Some(Value::Object(given)) => given,
        Some(_) => return Err(Wrong::params("`arguments` is no object")),
    };
    let done = match name {
        TOOL => step(given),
        STATUS => here().and_then(|call| status::page(&call)),
        WHY => text(given, "what").and_then(|what| Ok(why::answer(&here()?, what)?.0)),
        other => {
            let name: String = other.chars().take(100).collect();
            return Err(Wrong::params(format!("Unknown tool: {}", name.escape_debug())));
        }
    };
    let (text, is_error) = match done {
        Ok(text) => (text, false),
        Err(EarlyExit::Closed) => (String::new(), false),
        // "Nothing to move or show" is an answer, not an error.
        Err(EarlyExit::Fault(fault)) => (said(&fault), fault.exit != Exit::NotFound),
    };
    let content = json!([{ "type": "text", "text": text.trim_end() }]);
    Ok(json!({ "content": content, "isError": is_error }))
}

/// Moves the current workflow, or returns its state.
fn step(given: &Map<String, Value>) -> Result<String, EarlyExit> {
    let action = text(given, "action")?.and_then(AgentAction::parse);
    let action = action.ok_or_else(|| usage("`action` is next, status, loop or cancel"))?;
    let summary = text(given, "summary")?;
    if action == AgentAction::Cancel {
        return Ok(workflow::CANCEL.to_owned());
    }
    let place = here()?.project()?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    // Hosts need not tell a server which session it serves.
    let session = workflow::session(&engine).or_else(|| workflow::only_session(&engine, |_| true));
    let run = workflow::at_hand(&engine, None, session.as_ref())?;
    let who = session.as_ref().map_or(WorkflowActor::Stranger, WorkflowActor::Session);
    let stepped = match action {
        AgentAction::Next => engine.step_next(&run, who, summary)?,
        AgentAction::Loop => engine.step_loop(&run, who)?,
        AgentAction::Status | AgentAction::Cancel => {
            return Ok(stands(engine.as_in_pi(&run)?.unwrap_or_default()));
        }
    };
    Ok(match stepped {
        Stepped::Moved { text } | Stepped::Failed { text } => text,
        Stepped::Held { hold } => format!("Held: {hold}"),
    })
}

/// Describes a workflow's state in the words of pi's tool.
fn stands(mut seen: Session) -> String {
    let status = Event::Step { action: AgentAction::Status, summary: None };
    match seen.take(status, clock::now().as_millis()).out {
        Out::Step(result) => result.text,
        Out::Nothing | Out::Block { .. } | Out::Context { .. } | Out::Commands(_) => String::new(),
    }
}

/// Returns a call for the server's working directory, without colour.
fn here() -> Result<CommandContext, EarlyExit> {
    let folder = std::env::current_dir().map_err(|error| {
        let message = format!("the working directory is gone: {error}");
        Fault::new(Exit::Failed, crate::codes::Code::NoFolder, message)
    })?;
    let look = StreamStyle { colour: Colour::No, signs: Signs::Unicode };
    Ok(CommandContext::in_folder(folder, look))
}

/// Returns an optional text argument.
fn text<'g>(given: &'g Map<String, Value>, name: &str) -> Result<Option<&'g str>, EarlyExit> {
    match given.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(usage(&format!("`{name}` is no text"))),
    }
}

fn usage(message: &str) -> EarlyExit {
    Fault::new(Exit::Usage, crate::codes::Code::Usage, message).into()
}

fn said(fault: &Fault) -> String {
    let help = fault.diagnostic.help.as_ref().map(|help| format!("\n{help}"));
    format!("{}{}", fault.diagnostic.message, help.unwrap_or_default())
}
