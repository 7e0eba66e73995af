//! Claude Code, as observed at 2.1.325: its tools, settings, payloads and replies.

use crate::decode::{ignored, named, prompt};
use crate::encode::{ReplyFormat, named_room};
use crate::payload::Payload;
use crate::row::Hooks;
use crate::{By, HookEvent, Host, NotUnderstood};

pub(super) const HOOKS: Hooks = Hooks { decode, room };

fn decode(host: Host, event: &str, payload: Payload) -> Result<HookEvent, NotUnderstood> {
    match event {
        "UserPromptSubmit" => {
            let by = by(&payload);
            Ok(prompt(payload, by))
        }
        // The host's own helpers (one of them shortens conversations) have no type.
        "SubagentStop" if payload.agent_type.as_deref() == Some("") => Ok(ignored(event)),
        // The only payload that does not name its event.
        _ if event.eq_ignore_ascii_case("statusLine") => Ok(HookEvent::StatusLine),
        _ => named(host, event, payload),
    }
}

/// Tells a person's prompt from the host's own. A finished task arrives as a prompt that has no
/// source and starts with a mark; a timer has its own source.
fn by(payload: &Payload) -> By {
    let persons = matches!(payload.source.as_deref(), None | Some("user" | "sdk"));
    let text = payload.prompt.as_deref().unwrap_or_default();
    let told = text.trim_start().starts_with("<task-notification>");
    if persons && !told { By::Person } else { By::Notification }
}

fn room(happening: &HookEvent) -> ReplyFormat {
    match happening {
        HookEvent::StatusLine => ReplyFormat::Line,
        HookEvent::SessionStart { .. }
        | HookEvent::Prompt { .. }
        | HookEvent::BeforeTool(_)
        | HookEvent::AfterTool { .. }
        | HookEvent::Stop { .. }
        | HookEvent::SubagentStop
        | HookEvent::SessionEnd { .. }
        | HookEvent::PreCompact
        | HookEvent::Notification { .. }
        | HookEvent::StopFailure { .. }
        | HookEvent::Ignored { .. } => named_room(happening),
    }
}

#[cfg(test)]
mod tests;
