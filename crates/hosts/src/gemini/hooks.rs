//! Gemini CLI, as observed at 0.61.0. It has its own event names, and denies with `deny`.

use crate::decode::{after, ignored, named, prompt};
use crate::encode::{ContextField, DenyField, ReplyFormat};
use crate::payload::Payload;
use crate::row::Hooks;
use crate::{By, HookEvent, Host, NotUnderstood};

pub(super) const HOOKS: Hooks = Hooks { decode, room };

fn decode(host: Host, event: &str, mut payload: Payload) -> Result<HookEvent, NotUnderstood> {
    match event {
        "BeforeAgent" => {
            // A subagent's prompt comes from the agent.
            let by = if payload.agent.is_some() { By::Notification } else { By::Person };
            payload.prompt = payload.prompt.map(|text| said(&text).to_owned());
            Ok(prompt(payload, by))
        }
        "AfterAgent" => named(host, "Stop", payload),
        "BeforeTool" => named(host, "PreToolUse", payload),
        "AfterTool" => after(host, payload),
        "PreCompress" => named(host, "PreCompact", payload),
        "SessionStart" | "SessionEnd" | "Notification" => named(host, event, payload),
        _ => Ok(ignored(event)),
    }
}

/// Removes the session's start context, which `-p` puts before the prompt.
fn said(prompt: &str) -> &str {
    let mut said = prompt;
    while let Some(inside) = said.trim_start().strip_prefix("<hook_context>") {
        let Some((_, rest)) = inside.split_once("</hook_context>") else { break };
        said = rest.trim_start();
    }
    said
}

fn room(happening: &HookEvent) -> ReplyFormat {
    let (context, no) = match happening {
        HookEvent::SessionStart { .. } => (ContextField::Named("SessionStart"), DenyField::Never),
        HookEvent::Prompt { .. } => {
            (ContextField::Named("BeforeAgent"), DenyField::Decision("deny"))
        }
        HookEvent::AfterTool { .. } => (ContextField::Named("AfterTool"), DenyField::Never),
        HookEvent::BeforeTool(_) | HookEvent::Stop { .. } => {
            (ContextField::Nowhere, DenyField::Decision("deny"))
        }
        HookEvent::SubagentStop | HookEvent::Notification { .. } => {
            (ContextField::Nowhere, DenyField::Never)
        }
        // It does not wait for an answer at the end of a session, and reports compression before
        // every request.
        HookEvent::SessionEnd { .. }
        | HookEvent::PreCompact
        | HookEvent::StopFailure { .. }
        | HookEvent::StatusLine
        | HookEvent::Ignored { .. } => return ReplyFormat::Nothing,
    };
    ReplyFormat::Fields { context, no, person: true }
}

#[cfg(test)]
mod tests;
