//! Claude Code, as observed at 2.1.325: its tools, settings, payloads and replies.

use crate::decode::{ignored, named, prompt};
use crate::dialect::Dialect;
use crate::encode::{ReplyFormat, named_room};
use crate::payload::Payload;
use crate::{By, Class, HookEvent, Host, NotUnderstood, PathBase, Setting};

pub(crate) const DIALECT: Dialect = Dialect {
    name: "claude",
    observed: "2.1.325",
    refusals: Some(8),
    settings: &[
        Setting { at: PathBase::Project, path: ".claude/settings.json" },
        Setting { at: PathBase::Project, path: ".claude/settings.local.json" },
        Setting { at: PathBase::Home, path: ".claude/settings.json" },
    ],
    tools: &[
        (Class::Read, &["Read", "NotebookRead"]),
        (Class::Edit, &["Edit", "Write", "MultiEdit", "NotebookEdit"]),
        (Class::Shell, SHELL),
        (Class::Search, &["Grep", "Glob", "LS"]),
        (Class::Web, &["WebFetch", "WebSearch"]),
        (Class::Agent, &["Agent", "Task", "Workflow"]),
    ],
    counterparts: &[
        ("read", &["Read", "NotebookRead"]),
        ("edit", &["Edit", "MultiEdit", "NotebookEdit"]),
        ("write", &["Write"]),
        ("bash", SHELL),
        ("grep", &["Grep"]),
        ("find", &["Glob"]),
        ("ls", &["LS"]),
    ],
    served: &[("mcp__", "__")],
    limits: &[],
    hears,
    room,
};

const SHELL: &[&str] = &["Bash", "PowerShell", "Monitor", "BashOutput", "KillShell"];

fn hears(host: Host, event: &str, payload: Payload) -> Result<HookEvent, NotUnderstood> {
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
