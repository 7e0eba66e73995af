//! Understands what Claude Code says.

use sprag_core::Session;

use super::payload::Payload;
use crate::json::{Json, MAX_BYTES};
use crate::{By, Call, Ended, Happening, Heard, Host, Left, NotUnderstood, Source};

/// Reads a payload. Its own word for the event counts before `event`; the status line has none.
pub(crate) fn decode(said: &[u8], event: Option<&str>) -> Result<Heard, NotUnderstood> {
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
    let session = payload.session.as_deref().and_then(|text| Session::parse(text).ok());
    Ok(Heard {
        host: Host::Claude,
        session: session.ok_or(missing("session_id"))?,
        cwd: payload.cwd.take(),
        subagent: payload.agent.clone(),
        plan_mode: payload.mode.as_deref() == Some("plan"),
        happening: happening(event, payload)?,
    })
}

fn happening(event: String, payload: Payload) -> Result<Happening, NotUnderstood> {
    Ok(match event.as_str() {
        "SessionStart" => Happening::SessionStart { source: source(payload.source.as_deref()) },
        "UserPromptSubmit" => prompt(payload),
        "PreToolUse" => Happening::BeforeTool(call(payload)?),
        "PostToolUse" => Happening::AfterTool { call: call(payload)?, ended: Ended::Well },
        "PostToolUseFailure" => {
            let ended = if payload.interrupt { Ended::Interrupted } else { Ended::Failed };
            Happening::AfterTool { call: call(payload)?, ended }
        }
        // The host's own helpers (it shortens a conversation with one) have no type.
        "SubagentStop" if payload.agent_type.as_deref() == Some("") => Happening::Ignored { event },
        "SubagentStop" => Happening::SubagentStop,
        // Whatever it is called, the end of a subagent is not the end of the session.
        "Stop" if payload.agent.is_some() => Happening::SubagentStop,
        "Stop" => Happening::Stop {
            again: payload.again,
            background: payload.background,
            message: payload.last_message,
        },
        "StopFailure" => Happening::StopFailure { error: payload.error.unwrap_or_default() },
        "SessionEnd" => Happening::SessionEnd { left: left(payload.reason.as_deref()) },
        "PreCompact" => Happening::PreCompact,
        "Notification" => Happening::Notification {
            text: payload.message.unwrap_or_default(),
            kind: payload.notification,
        },
        "statusLine" => Happening::StatusLine,
        _ => Happening::Ignored { event },
    })
}

fn source(text: Option<&str>) -> Source {
    match text {
        Some("startup") => Source::Startup,
        Some("resume") => Source::Resume,
        Some("clear") => Source::Clear,
        Some("compact") => Source::Compact,
        Some("fork") => Source::Fork,
        Some(_) | None => Source::Other,
    }
}

fn left(text: Option<&str>) -> Left {
    match text {
        Some("clear") => Left::Clear,
        Some("resume") => Left::Resume,
        Some(_) | None => Left::Other,
    }
}

/// Tells a person's prompt from the host's own: a task that ended comes as a prompt without a
/// source that begins with a mark, a timer with a source of its own.
fn prompt(payload: Payload) -> Happening {
    let text = payload.prompt.unwrap_or_default();
    let persons = matches!(payload.source.as_deref(), None | Some("user" | "sdk"));
    let told = text.trim_start().starts_with("<task-notification>");
    let by = if persons && !told { By::Person } else { By::Notification };
    Happening::Prompt { text, by }
}

fn call(payload: Payload) -> Result<Call, NotUnderstood> {
    let name = payload.tool.ok_or(NotUnderstood::Missing { field: "tool_name" })?;
    let class = Host::Claude.class(&name);
    let input = payload.input;
    Ok(Call { name, class, paths: input.paths, command: input.command, id: payload.call })
}

#[cfg(test)]
mod tests;
