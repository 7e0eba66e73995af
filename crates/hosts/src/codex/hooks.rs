//! Codex CLI, as observed at 0.166.0. It uses Claude Code's event names, and drops a whole answer
//! if one field is unknown to it.

use crate::decode::named;
use crate::encode::{ReplyFormat, named_room};
use crate::payload::Payload;
use crate::row::Hooks;
use crate::{HookEvent, Host, NotUnderstood, TurnEnd};

pub(super) const HOOKS: Hooks = Hooks { decode, room };

fn decode(host: Host, event: &str, payload: Payload) -> Result<HookEvent, NotUnderstood> {
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
    use crate::Class;

    fn heard(event: &str, more: &str) -> HookEvent {
        let said = format!(r#"{{"session_id":"s","cwd":"/p","hook_event_name":"{event}"{more}}}"#);
        Host::CODEX.decode(said.as_bytes(), None).unwrap().happening
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
