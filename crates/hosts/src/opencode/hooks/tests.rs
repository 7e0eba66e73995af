use super::*;
use crate::{Class, HookCall};

fn heard(said: &str) -> Result<HookCall, NotUnderstood> {
    Host::OPENCODE.decode(said.as_bytes(), None)
}

#[test]
fn its_own_events_are_ignored_with_a_session_and_without() {
    let idle = r#"{"hook_event_name":"event:session.idle",
        "raw":{"type":"session.idle","properties":{"sessionID":"ses_1"}}}"#;
    let idle = heard(idle).unwrap();
    assert_eq!(idle.session.unwrap().as_str(), "ses_1");
    assert_eq!(idle.happening, HookEvent::Ignored { event: "event:session.idle".to_owned() });
    let none = r#"{"hook_event_name":"event:catalog.updated","raw":{"properties":{}}}"#;
    assert_eq!(heard(none).unwrap().session, None);
    let stop = r#"{"hook_event_name":"Stop","raw":{"sessionID":"ses_1"}}"#;
    assert_eq!(heard(stop), Err(NotUnderstood::Missing { field: "session_id" }));
}

#[test]
fn an_error_of_the_session_is_told() {
    let said = r#"{"hook_event_name":"event:session.error","raw":{"properties":
        {"sessionID":"ses_1","error":{"name":"MessageAbortedError","data":{"message":"m"}}}}}"#;
    let expected = HookEvent::StopFailure { error: "MessageAbortedError".to_owned() };
    assert_eq!(heard(said).unwrap().happening, expected);
}

#[test]
fn the_bridge_may_say_more_in_the_names_of_claude_code() {
    let child = r#"{"hook_event_name":"Stop","session_id":"ses_1","agent_id":"ses_2",
        "permission_mode":"plan","raw":{"properties":{"sessionID":"ses_2"}}}"#;
    let child = heard(child).unwrap();
    assert_eq!(child.session.unwrap().as_str(), "ses_1");
    assert_eq!(child.subagent.as_deref(), Some("ses_2"));
    assert!(child.plan_mode);
    assert_eq!(child.happening, HookEvent::SubagentStop);
}

#[test]
fn its_edits_name_their_files_in_its_own_way() {
    for (tool, input) in [
        ("edit", r#"{"filePath":"a","oldString":"x","newString":"y"}"#),
        ("write", r#"{"filePath":"a","content":"x"}"#),
        ("apply_patch", r#"{"patchText":"*** Begin Patch\n*** Update File: a\n"}"#),
    ] {
        let said = format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"{tool}",
            "tool_input":{input}}}"#
        );
        let HookEvent::BeforeTool(call) = heard(&said).unwrap().happening else { panic!("{tool}") };
        assert_eq!((call.class, call.writes()), (Class::Edit, &["a".to_owned()][..]), "{tool}");
    }
}
