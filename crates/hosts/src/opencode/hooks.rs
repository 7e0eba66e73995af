//! opencode, as observed at 1.18.33. It calls no commands: a bridge inside it uses Claude Code's
//! event names, and passes on opencode's own events as `event:…`.
//!
//! The bridge adds facts beyond the recorded payloads in Claude Code's fields: `agent_id` for a
//! session that is another's child, `permission_mode`, `source`, `background_tasks`.

use crate::decode::{ignored, named};
use crate::encode::{ContextField, DenyField, ReplyFormat};
use crate::payload::Payload;
use crate::row::Hooks;
use crate::{HookEvent, Host, NotUnderstood};

pub(super) const HOOKS: Hooks = Hooks { decode, room };

fn decode(host: Host, event: &str, payload: Payload) -> Result<HookEvent, NotUnderstood> {
    match event {
        "event:session.error" => named(host, "StopFailure", payload),
        // This includes `event:session.idle`, which the bridge also sends as a stop.
        _ if event.starts_with("event:") => Ok(ignored(event)),
        _ => named(host, event, payload),
    }
}

fn room(happening: &HookEvent) -> ReplyFormat {
    let (context, no) = match happening {
        HookEvent::SessionStart { .. } | HookEvent::Prompt { .. } => {
            (ContextField::Nested, DenyField::Never)
        }
        HookEvent::AfterTool { .. } => (ContextField::Flat, DenyField::Never),
        HookEvent::BeforeTool(_) | HookEvent::Stop { .. } => {
            (ContextField::Nowhere, DenyField::Decision("block"))
        }
        HookEvent::SubagentStop
        | HookEvent::SessionEnd { .. }
        | HookEvent::PreCompact
        | HookEvent::Notification { .. }
        | HookEvent::StopFailure { .. }
        | HookEvent::StatusLine
        | HookEvent::Ignored { .. } => return ReplyFormat::Nothing,
    };
    ReplyFormat::Fields { context, no, person: false }
}

#[cfg(test)]
mod tests;
