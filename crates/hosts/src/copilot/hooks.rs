//! Copilot CLI, as observed at 1.0.102. The case of an event's name in its settings selects the
//! payload: `preToolUse` has other fields than `PreToolUse`, and does not name its event. The
//! answers are the same for both, and all are flat.

use crate::decode::{after, ignored, named};
use crate::encode::{ContextField, DenyField, ReplyFormat};
use crate::payload::Payload;
use crate::row::Hooks;
use crate::{HookEvent, Host, NotUnderstood};

pub(super) const HOOKS: Hooks = Hooks { decode, room };

fn decode(host: Host, event: &str, payload: Payload) -> Result<HookEvent, NotUnderstood> {
    match event {
        "sessionStart" => named(host, "SessionStart", payload),
        "sessionEnd" => named(host, "SessionEnd", payload),
        "userPromptSubmitted" => named(host, "UserPromptSubmit", payload),
        "preToolUse" => named(host, "PreToolUse", payload),
        "postToolUse" | "PostToolUse" => after(host, payload),
        "postToolUseFailure" => named(host, "PostToolUseFailure", payload),
        "agentStop" => named(host, "Stop", payload),
        "subagentStop" => named(host, "SubagentStop", payload),
        "preCompact" => named(host, "PreCompact", payload),
        "notification" => named(host, "Notification", payload),
        "errorOccurred" | "ErrorOccurred" if ends_the_turn(&payload) => {
            named(host, "StopFailure", payload)
        }
        "SessionStart" | "SessionEnd" | "UserPromptSubmit" | "PreToolUse"
        | "PostToolUseFailure" | "Stop" | "SubagentStop" | "PreCompact" | "Notification" => {
            named(host, event, payload)
        }
        _ => Ok(ignored(event)),
    }
}

/// Returns whether the error is an unreachable model and the host will not retry.
fn ends_the_turn(payload: &Payload) -> bool {
    payload.error_context.as_deref() == Some("model_call") && !payload.recoverable
}

fn room(happening: &HookEvent) -> ReplyFormat {
    let (context, no) = match happening {
        HookEvent::SessionStart { .. } | HookEvent::AfterTool { .. } => {
            (ContextField::Flat, DenyField::Never)
        }
        HookEvent::Prompt { .. } => (ContextField::Flat, DenyField::Decision("block")),
        HookEvent::BeforeTool(_) => (ContextField::Nowhere, DenyField::Permission),
        HookEvent::Stop { .. } => (ContextField::Nowhere, DenyField::Decision("block")),
        // Context at a notification can wake an idle session.
        HookEvent::Notification { .. }
        | HookEvent::SubagentStop
        | HookEvent::SessionEnd { .. }
        | HookEvent::PreCompact
        | HookEvent::StopFailure { .. }
        | HookEvent::StatusLine
        | HookEvent::Ignored { .. } => return ReplyFormat::Nothing,
    };
    ReplyFormat::Fields { context, no, person: false }
}

#[cfg(test)]
mod tests;
