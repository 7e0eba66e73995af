//! Decodes payloads: the part that all hosts have in common.
//!
//! Claude Code's event names are also those of Codex, Copilot CLI and our bridge into opencode;
//! [`named`] reads them. Each host's other names are in its own file.

use sprag_core::HostSession;

use crate::json::{Json, MAX_BYTES};
use crate::payload::{Payload, ToolInput};
use crate::{
    By, Class, EndReason, HookCall, HookEvent, Host, NotUnderstood, StartSource, ToolCall, TurnEnd,
    patch,
};

/// Decodes a payload. An event name in the payload takes precedence over `event`.
pub(crate) fn decode(
    host: Host,
    said: &[u8],
    event: Option<&str>,
) -> Result<HookCall, NotUnderstood> {
    if said.len() > MAX_BYTES {
        return Err(NotUnderstood::TooLong { bytes: said.len() });
    }
    let mut json = Json::new(said);
    if !json.is_map() {
        return Err(NotUnderstood::NotJson { at: 0, what: "no object" });
    }
    let mut payload = Payload::read(&mut json)?;
    let missing = |field| NotUnderstood::Missing { field };
    let event = payload.event.take().or(event.map(str::to_owned));
    let event = event.ok_or(missing("hook_event_name"))?;
    let session = payload.session.as_deref().and_then(|text| HostSession::parse(text).ok());
    let (cwd, subagent) = (payload.cwd.take(), payload.agent.clone());
    let plan_mode = payload.mode.as_deref() == Some("plan");
    let happening = (host.row().hooks.decode)(host, &event, payload)?;
    // An ignored event may belong to no session.
    if session.is_none() && !matches!(happening, HookEvent::Ignored { .. }) {
        return Err(missing("session_id"));
    }
    Ok(HookCall { host, session, cwd, subagent, plan_mode, happening })
}

/// Decodes an event by its name at Claude Code.
pub fn named(host: Host, event: &str, payload: Payload) -> Result<HookEvent, NotUnderstood> {
    Ok(match event {
        "SessionStart" => HookEvent::SessionStart { source: source(payload.source.as_deref()) },
        "UserPromptSubmit" => prompt(payload, By::Person),
        "PreToolUse" => HookEvent::BeforeTool(call(host, payload)?),
        "PostToolUse" => HookEvent::AfterTool { call: call(host, payload)?, ended: TurnEnd::Well },
        "PostToolUseFailure" => {
            let ended = payload.ended.unwrap_or(TurnEnd::Failed);
            HookEvent::AfterTool { call: call(host, payload)?, ended }
        }
        "SubagentStop" => HookEvent::SubagentStop,
        // The end of a subagent is not the end of the session, whatever its name.
        "Stop" if payload.agent.is_some() => HookEvent::SubagentStop,
        "Stop" => HookEvent::Stop {
            again: payload.again,
            background: payload.background,
            message: payload.last_message,
        },
        "StopFailure" => HookEvent::StopFailure { error: payload.error.unwrap_or_default() },
        "SessionEnd" => HookEvent::SessionEnd { left: left(payload.reason.as_deref()) },
        "PreCompact" => HookEvent::PreCompact,
        "Notification" => HookEvent::Notification {
            text: payload.message.unwrap_or_default(),
            kind: payload.kind,
        },
        _ => ignored(event),
    })
}

/// Decodes the end of a tool call, for hosts whose result shows how it ended.
pub fn after(host: Host, payload: Payload) -> Result<HookEvent, NotUnderstood> {
    let ended = payload.ended.unwrap_or(TurnEnd::Well);
    Ok(HookEvent::AfterTool { call: call(host, payload)?, ended })
}

pub fn prompt(payload: Payload, by: By) -> HookEvent {
    HookEvent::Prompt { text: payload.prompt.unwrap_or_default(), by }
}

pub fn ignored(event: &str) -> HookEvent {
    HookEvent::Ignored { event: event.to_owned() }
}

fn source(text: Option<&str>) -> StartSource {
    match text {
        Some("startup" | "new") => StartSource::Startup,
        Some("resume") => StartSource::Resume,
        Some("clear") => StartSource::Clear,
        Some("compact") => StartSource::Compact,
        Some("fork") => StartSource::Fork,
        Some(_) | None => StartSource::Other,
    }
}

fn left(text: Option<&str>) -> EndReason {
    match text {
        Some("clear") => EndReason::Clear,
        Some("resume") => EndReason::Resume,
        Some(_) | None => EndReason::Other,
    }
}

/// Decodes a call without a payload, from the tool's name and its JSON input.
pub(crate) fn bare_call(host: Host, tool: &str, input: &[u8]) -> Result<ToolCall, NotUnderstood> {
    let mut json = Json::new(input);
    let input = ToolInput::read(&mut json)?;
    json.end()?;
    call(host, Payload { tool: Some(tool.to_owned()), input, ..Payload::default() })
}

/// Assigns a tool's input by the kind of tool: shell text for a shell, a patch for an edit.
fn call(host: Host, payload: Payload) -> Result<ToolCall, NotUnderstood> {
    let name = payload.tool.ok_or(NotUnderstood::Missing { field: "tool_name" })?;
    let class = host.class(&name);
    let input = payload.input;
    let (command, patch) = match class {
        Class::Shell => (input.command.or(input.text), None),
        // Codex passes its patches as a command, but no shell runs them.
        Class::Edit => (None, input.command.or(input.text)),
        Class::Read | Class::Search | Class::Web | Class::Agent | Class::Other => {
            (input.command, input.text)
        }
    };
    let mut paths = input.paths;
    paths.extend(patch::files(patch.as_deref().unwrap_or_default()).map(str::to_owned));
    Ok(ToolCall { name, class, paths, command, prompt: input.prompt, id: payload.call })
}
