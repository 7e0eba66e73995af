//! Codex CLI, as observed at 0.166.0. It uses Claude Code's event names, and drops a whole answer
//! if one field is unknown to it.

use crate::decode::named;
use crate::dialect::Dialect;
use crate::encode::{ReplyFormat, named_room};
use crate::payload::Payload;
use crate::{Ability, Class, HookEvent, Host, Limit, NotUnderstood, PathBase, Setting, TurnEnd};

pub(crate) const DIALECT: Dialect = Dialect {
    name: "codex",
    observed: "0.166.0",
    // None was observed in thirty refusals.
    refusals: None,
    settings: &[
        Setting { at: PathBase::Project, path: ".codex/hooks.json" },
        Setting { at: PathBase::Project, path: ".codex/config.toml" },
        Setting { at: PathBase::Home, path: ".codex/hooks.json" },
        Setting { at: PathBase::Home, path: ".codex/config.toml" },
    ],
    tools: &[
        (Class::Read, &["read_file", "view_image"]),
        (Class::Edit, EDIT),
        (Class::Shell, SHELL),
        (Class::Search, &["grep_files", "list_dir"]),
        (Class::Web, &["web_search"]),
        (Class::Agent, &["spawn_agent", "send_input", "resume_agent", "wait", "close_agent"]),
    ],
    counterparts: &[
        ("read", &["read_file", "view_image"]),
        ("edit", EDIT),
        ("write", EDIT),
        ("bash", SHELL),
        ("grep", &["grep_files"]),
        ("ls", &["list_dir"]),
    ],
    served: &[("mcp__", "__")],
    limits: &[
        Limit::partly(
            Ability::Calls,
            "Codex runs no host hook before a person has reviewed it there, and does not say so",
        ),
        Limit::partly(
            Ability::Tools,
            "Codex asks before its shell, its patches, MCP tools and new agents; its other tools \
             cannot be denied",
        ),
        Limit::partly(
            Ability::Subagents,
            "Codex reports subagents according to its source; not observed yet",
        ),
        Limit::never(
            Ability::Background,
            "Codex does not say which agents still run when it stops",
        ),
        Limit::partly(
            Ability::Interrupts,
            "Codex sends no stop when it is interrupted without a terminal; not tried in one",
        ),
        Limit::partly(
            Ability::Compaction,
            "Codex reports compaction according to its source; not observed yet",
        ),
        Limit::never(Ability::Failures, "Codex does not say when the model cannot be reached"),
        Limit::never(Ability::StatusLine, "Codex asks for no status line"),
    ],
    hears,
    room,
};

/// No other tool changes files.
const EDIT: &[&str] = &["apply_patch"];

/// Its host hooks call every shell `Bash`; the other names are the model's.
const SHELL: &[&str] =
    &["Bash", "exec_command", "write_stdin", "shell", "shell_command", "local_shell"];

fn hears(host: Host, event: &str, payload: Payload) -> Result<HookEvent, NotUnderstood> {
    match event {
        // The program in `notify` is called after a turn, and its output is ignored.
        "notify" => Ok(HookEvent::Notification {
            text: payload.last_message.unwrap_or_default(),
            kind: payload.kind,
        }),
        _ => named(host, event, payload),
    }
}

fn room(happening: &HookEvent) -> ReplyFormat {
    match happening {
        HookEvent::Notification { .. }
        | HookEvent::AfterTool { ended: TurnEnd::Failed | TurnEnd::Interrupted, .. } => {
            ReplyFormat::Nothing
        }
        HookEvent::SessionStart { .. }
        | HookEvent::Prompt { .. }
        | HookEvent::BeforeTool(_)
        | HookEvent::AfterTool { ended: TurnEnd::Well, .. }
        | HookEvent::Stop { .. }
        | HookEvent::SubagentStop
        | HookEvent::SessionEnd { .. }
        | HookEvent::PreCompact
        | HookEvent::StopFailure { .. }
        | HookEvent::StatusLine
        | HookEvent::Ignored { .. } => named_room(happening),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(event: &str, more: &str) -> HookEvent {
        let said = format!(r#"{{"session_id":"s","cwd":"/p","hook_event_name":"{event}"{more}}}"#);
        Host::Codex.decode(said.as_bytes(), None).unwrap().happening
    }

    #[test]
    fn a_patch_is_an_edit_of_its_files_and_no_command() {
        let patch = "*** Begin Patch\\n*** Update File: src/x.rs\\n*** Move to: .sprag/config.yaml\\n\
                     @@\\n-sprag cancel\\n+rm -rf .sprag\\n*** End Patch\\n";
        let more = format!(r#","tool_name":"apply_patch","tool_input":{{"command":"{patch}"}}"#);
        let HookEvent::BeforeTool(call) = heard("PreToolUse", &more) else { panic!("no call") };
        assert_eq!((call.class, call.command.as_deref()), (Class::Edit, None));
        assert_eq!(call.writes(), ["src/x.rs", ".sprag/config.yaml"]);
    }

    #[test]
    fn it_knows_no_status_line_and_its_agents_have_types() {
        let ignored = HookEvent::Ignored { event: "statusLine".to_owned() };
        assert_eq!(heard("statusLine", ""), ignored);
        let stopped = heard("SubagentStop", r#","agent_id":"a","agent_type":"explorer""#);
        assert_eq!(stopped, HookEvent::SubagentStop);
        assert_eq!(heard("Stop", r#","agent_id":"a""#), HookEvent::SubagentStop);
    }

    #[test]
    fn absent_words_may_be_null() {
        let more = r#","transcript_path":null,"last_assistant_message":null"#;
        let stop = HookEvent::Stop { again: false, background: Vec::new(), message: None };
        assert_eq!(heard("Stop", more), stop);
    }
}
