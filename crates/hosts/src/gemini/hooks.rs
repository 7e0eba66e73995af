//! Gemini CLI, as observed at 0.61.0. It has its own event names, and denies with `deny`.

use crate::decode::{after, ignored, named, prompt};
use crate::dialect::Dialect;
use crate::encode::{ContextField, DenyField, ReplyFormat};
use crate::payload::Payload;
use crate::{Ability, By, Class, HookEvent, Host, Limit, NotUnderstood, PathBase, Setting};

pub(crate) const DIALECT: Dialect = Dialect {
    name: "gemini",
    observed: "0.61.0",
    // Not tested beyond two refusals.
    refusals: None,
    settings: &[
        Setting { at: PathBase::Project, path: ".gemini/settings.json" },
        Setting { at: PathBase::Home, path: ".gemini/settings.json" },
    ],
    tools: &[
        (Class::Read, &["read_file", "read_many_files"]),
        (Class::Edit, &["write_file", "replace"]),
        (Class::Shell, SHELL),
        (Class::Search, &["grep_search", "search_file_content", "glob", "list_directory"]),
        (Class::Web, &["google_web_search", "web_fetch"]),
        (
            Class::Agent,
            &["invoke_agent", "delegate_to_agent", "codebase_investigator", "browser_agent"],
        ),
    ],
    counterparts: &[
        ("read", &["read_file", "read_many_files"]),
        ("edit", &["replace"]),
        ("write", &["write_file"]),
        ("bash", SHELL),
        ("grep", &["grep_search", "search_file_content"]),
        ("find", &["glob"]),
        ("ls", &["list_directory"]),
    ],
    // The first form is that of older versions.
    served: &[("mcp__", "__"), ("mcp_", "_")],
    limits: &[
        Limit::partly(
            Ability::Calls,
            "Gemini CLI runs a project's own host hooks only in a folder that the person trusts",
        ),
        Limit::partly(
            Ability::Context,
            "Gemini CLI lets the agent read nothing before a tool; the person is shown it instead",
        ),
        Limit::partly(
            Ability::Subagents,
            "Gemini CLI does not say what comes from a subagent, so phases and gates hold for it \
             too",
        ),
        Limit::never(
            Ability::Background,
            "Gemini CLI does not say which agents still run when it stops",
        ),
        Limit::never(
            Ability::PlanMode,
            "Gemini CLI does not say whether the session may only plan",
        ),
        Limit::partly(
            Ability::Interrupts,
            "Gemini CLI sends no stop when it is interrupted without a terminal; not tried in one",
        ),
        Limit::partly(
            Ability::Compaction,
            "Gemini CLI says before every request that it may shorten the conversation",
        ),
        Limit::never(Ability::Failures, "Gemini CLI does not say when the model cannot be reached"),
        Limit::partly(
            Ability::Messages,
            "Gemini CLI shows messages according to its documentation; not observed yet",
        ),
        Limit::never(Ability::StatusLine, "Gemini CLI asks for no status line"),
    ],
    hears,
    room,
};

const SHELL: &[&str] = &["run_shell_command"];

fn hears(host: Host, event: &str, mut payload: Payload) -> Result<HookEvent, NotUnderstood> {
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
