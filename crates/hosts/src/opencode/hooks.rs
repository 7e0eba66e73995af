//! opencode, as observed at 1.18.33. It calls no commands: a bridge inside it uses Claude Code's
//! event names, and passes on opencode's own events as `event:…`.
//!
//! The bridge adds facts beyond the recorded payloads in Claude Code's fields: `agent_id` for a
//! session that is another's child, `permission_mode`, `source`, `background_tasks`.

use crate::decode::{ignored, named};
use crate::dialect::Dialect;
use crate::encode::{ContextField, DenyField, ReplyFormat};
use crate::payload::Payload;
use crate::{Ability, Class, HookEvent, Host, Limit, NotUnderstood, PathBase, Setting};

pub(crate) const DIALECT: Dialect = Dialect {
    name: "opencode",
    observed: "1.18.33",
    // The bridge's cap; opencode has none.
    refusals: Some(50),
    // `opencode.json` cannot disable plugins in these folders.
    settings: &[
        Setting { at: PathBase::Project, path: ".opencode/plugin/" },
        Setting { at: PathBase::Project, path: ".opencode/plugins/" },
        Setting { at: PathBase::Home, path: ".config/opencode/plugin/" },
        Setting { at: PathBase::Home, path: ".config/opencode/plugins/" },
    ],
    tools: &[
        (Class::Read, &["read"]),
        (Class::Edit, &["edit", "write", "multiedit", "patch", "apply_patch"]),
        (Class::Shell, &["bash"]),
        (Class::Search, &["grep", "glob", "list"]),
        (Class::Web, &["webfetch", "websearch", "codesearch", "browser"]),
        (Class::Agent, &["task"]),
    ],
    counterparts: &[
        ("edit", &["multiedit", "patch", "apply_patch"]),
        ("write", &["patch", "apply_patch"]),
        ("find", &["glob"]),
        ("ls", &["list"]),
    ],
    served: &[("", "_")],
    limits: &[
        Limit::partly(
            Ability::Calls,
            "opencode runs no commands of its own accord; a bridge in its plugin folder does",
        ),
        Limit::partly(Ability::Context, "opencode lets the agent read nothing before a tool"),
        Limit::partly(
            Ability::Stops,
            "`opencode run` ends at its first stop whatever is answered; `opencode serve` goes on",
        ),
        Limit::partly(
            Ability::Subagents,
            "opencode gives a subagent a session of its own, and only the bridge knows whose it is",
        ),
        Limit::never(
            Ability::Background,
            "opencode does not say which agents still run when it stops",
        ),
        Limit::partly(
            Ability::PlanMode,
            "opencode does not say whether the session may only plan; the bridge may",
        ),
        Limit::partly(
            Ability::Interrupts,
            "opencode is idle after an interrupt as after a stop, and only the bridge can tell",
        ),
        Limit::never(
            Ability::Compaction,
            "opencode's bridge does not say when the conversation is shortened",
        ),
        Limit::partly(
            Ability::Failures,
            "opencode reports errors according to its source; not observed yet",
        ),
        Limit::never(Ability::Ends, "opencode's bridge does not say when a session ends"),
        Limit::partly(
            Ability::Messages,
            "opencode shows the bridge's toast in its terminal; elsewhere the message is in its log",
        ),
        Limit::never(Ability::StatusLine, "opencode asks for no status line"),
    ],
    hears,
    room,
};

fn hears(host: Host, event: &str, payload: Payload) -> Result<HookEvent, NotUnderstood> {
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
