//! Copilot CLI, as observed at 1.0.102. The case of an event's name in its settings selects the
//! payload: `preToolUse` has other fields than `PreToolUse`, and does not name its event. The
//! answers are the same for both, and all are flat.

use crate::decode::{after, ignored, named};
use crate::dialect::Dialect;
use crate::encode::{ContextField, DenyField, ReplyFormat};
use crate::payload::Payload;
use crate::{Ability, Class, HookEvent, Host, Limit, NotUnderstood, PathBase, Setting};

pub(crate) const DIALECT: Dialect = Dialect {
    name: "copilot",
    observed: "1.0.102",
    refusals: Some(8),
    settings: &[
        Setting { at: PathBase::Project, path: ".github/hooks/" },
        Setting { at: PathBase::Project, path: ".github/copilot/settings.json" },
        Setting { at: PathBase::Project, path: ".github/copilot/settings.local.json" },
        // It also reads Claude Code's settings.
        Setting { at: PathBase::Project, path: ".claude/settings.json" },
        Setting { at: PathBase::Project, path: ".claude/settings.local.json" },
        Setting { at: PathBase::Home, path: ".copilot/hooks/" },
        Setting { at: PathBase::Home, path: ".copilot/settings.json" },
        Setting { at: PathBase::Home, path: ".copilot/config.json" },
    ],
    // In payloads of the second kind, its tools have names like Claude Code's.
    tools: &[
        (Class::Read, READ),
        (Class::Edit, &["edit", "create", "apply_patch", "str_replace_editor", "Edit", "Write"]),
        (Class::Shell, SHELL),
        (Class::Search, &["grep", "rg", "glob", "Grep", "Glob"]),
        (Class::Web, &["web_fetch", "web_search", "WebFetch", "WebSearch"]),
        (Class::Agent, &["task", "read_agent", "write_agent", "list_agents", "Task", "Agent"]),
    ],
    counterparts: &[
        ("read", READ),
        ("edit", &["edit", "apply_patch", "str_replace_editor", "Edit"]),
        ("write", &["create", "apply_patch", "str_replace_editor", "Write"]),
        ("bash", SHELL),
        ("grep", &["grep", "rg", "Grep"]),
        // `view` lists folders, but mainly it reads files.
        ("find", &["glob", "Glob"]),
    ],
    served: &[("", "-"), ("mcp__", "__")],
    limits: &[
        Limit::partly(
            Ability::Calls,
            "Copilot CLI runs a repository's own host hooks only in a folder that the person \
             trusts, and denies every tool where sprag is registered but cannot be started",
        ),
        Limit::partly(Ability::Context, "Copilot CLI lets the agent read nothing before a tool"),
        Limit::partly(
            Ability::Subagents,
            "Copilot CLI says when a subagent ends, but not which calls are a subagent's, so \
             phases hold for them too",
        ),
        Limit::never(
            Ability::Background,
            "Copilot CLI does not say which agents still run when it stops",
        ),
        Limit::never(
            Ability::PlanMode,
            "Copilot CLI does not say whether the session may only plan",
        ),
        Limit::partly(
            Ability::Interrupts,
            "Copilot CLI sends no stop when it is interrupted without a terminal; not tried in one",
        ),
        Limit::partly(
            Ability::Compaction,
            "Copilot CLI reports compaction according to its documentation; not observed yet",
        ),
        Limit::partly(
            Ability::Failures,
            "Copilot CLI reports API failures according to its documentation; not observed yet",
        ),
        Limit::never(
            Ability::Messages,
            "Copilot CLI shows the person nothing that a host hook says",
        ),
        Limit::never(Ability::StatusLine, "Copilot CLI asks for no status line"),
    ],
    hears,
    room,
};

const READ: &[&str] = &["view", "Read"];

const SHELL: &[&str] = &[
    "bash",
    "read_bash",
    "write_bash",
    "stop_bash",
    "list_bash",
    "powershell",
    "read_powershell",
    "write_powershell",
    "stop_powershell",
    "list_powershell",
    "Bash",
    "PowerShell",
];

fn hears(host: Host, event: &str, payload: Payload) -> Result<HookEvent, NotUnderstood> {
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
