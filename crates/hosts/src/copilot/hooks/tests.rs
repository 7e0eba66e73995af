use super::*;
use crate::{Class, EndReason, StartSource, ToolCall, TurnEnd};

fn camel(event: &str, more: &str) -> HookEvent {
    let said = format!(r#"{{"sessionId":"s","timestamp":1,"cwd":"/p"{more}}}"#);
    Host::COPILOT.decode(said.as_bytes(), Some(event)).unwrap().happening
}

fn pascal(event: &str, more: &str) -> HookEvent {
    let said = format!(r#"{{"hook_event_name":"{event}","session_id":"s","cwd":"/p"{more}}}"#);
    // The event's name on the command line is ignored.
    Host::COPILOT.decode(said.as_bytes(), Some("sessionEnd")).unwrap().happening
}

#[test]
fn both_kinds_of_payload_say_the_same() {
    for (one, two, fields) in [
        ("sessionStart", "SessionStart", r#","source":"resume""#),
        ("sessionEnd", "SessionEnd", r#","reason":"complete""#),
        ("userPromptSubmitted", "UserPromptSubmit", r#","prompt":"hi""#),
        ("agentStop", "Stop", r#","stop_hook_active":true"#),
        ("preCompact", "PreCompact", ""),
        ("notification", "Notification", r#","message":"m","notification_type":"agent_idle""#),
        ("subagentStart", "SubagentStart", ""),
        ("permissionRequest", "PermissionRequest", r#","toolName":"bash""#),
    ] {
        let (one_heard, two_heard) = (camel(one, fields), pascal(two, fields));
        match (&one_heard, &two_heard) {
            (HookEvent::Ignored { .. }, HookEvent::Ignored { event }) => assert_eq!(event, two),
            _ => assert_eq!(one_heard, two_heard, "{one}"),
        }
    }
    assert_eq!(
        camel("subagentStop", r#","agentName":"explore""#),
        pascal("SubagentStop", r#","agent_name":"explore""#)
    );
}

#[test]
fn sources_and_reasons_are_its_own() {
    let source = |text: &str| camel("sessionStart", &format!(r#","source":"{text}""#));
    assert_eq!(source("new"), HookEvent::SessionStart { source: StartSource::Startup });
    assert_eq!(source("startup"), HookEvent::SessionStart { source: StartSource::Startup });
    let ended = camel("sessionEnd", r#","reason":"user_exit""#);
    assert_eq!(ended, HookEvent::SessionEnd { left: EndReason::Other });
}

fn before(more: &str) -> ToolCall {
    let HookEvent::BeforeTool(call) = camel("preToolUse", more) else { panic!("{more}") };
    call
}

#[test]
fn tools_are_given_objects_texts_or_patches() {
    let shell = before(r#","toolName":"bash","toolArgs":{"command":"make"}"#);
    assert_eq!((shell.class, shell.command.as_deref()), (Class::Shell, Some("make")));
    let unread = r#","toolName":"create","toolArgs":"{\"path\":\"/p/.sprag/x\"}""#;
    assert_eq!(before(unread).writes(), ["/p/.sprag/x"]);
    let patch = r#","toolName":"apply_patch","toolArgs":"*** Begin Patch\n*** Add File: a\n+x\n""#;
    assert_eq!(before(patch).writes(), ["a"]);
    let keys = r#","toolName":"write_bash","toolArgs":{"shellId":"0","input":"sprag cancel\n"}"#;
    assert_eq!(before(keys).command.as_deref(), Some("sprag cancel\n"));
}

#[test]
fn tools_end_as_their_result_says() {
    for (event, more, expected) in [
        ("postToolUse", r#","toolResult":{"resultType":"success"}"#, TurnEnd::Well),
        ("postToolUse", r#","toolResult":{"resultType":"failure"}"#, TurnEnd::Failed),
        ("postToolUse", "", TurnEnd::Well),
        ("postToolUseFailure", r#","error":"no""#, TurnEnd::Failed),
    ] {
        let more = format!(r#","toolName":"bash"{more}"#);
        let HookEvent::AfterTool { ended, .. } = camel(event, &more) else { panic!("{more}") };
        assert_eq!(ended, expected, "{more}");
    }
}

#[test]
fn only_a_model_that_cannot_be_reached_ends_a_turn() {
    let error = r#","error":{"message":"429","name":"Error","stack":"x"}"#;
    let of = |more: &str| camel("errorOccurred", &format!("{error}{more}"));
    assert_eq!(
        of(r#","errorContext":"model_call","recoverable":false"#),
        HookEvent::StopFailure { error: "429".to_owned() }
    );
    for more in [
        r#","errorContext":"model_call","recoverable":true"#,
        r#","errorContext":"tool_execution","recoverable":false"#,
        "",
    ] {
        assert_eq!(of(more), HookEvent::Ignored { event: "errorOccurred".to_owned() }, "{more}");
    }
}

#[test]
fn a_payload_that_names_no_event_needs_it_as_an_argument() {
    let said = br#"{"sessionId":"s","cwd":"/p"}"#;
    let why = Host::COPILOT.decode(said, None).unwrap_err();
    assert_eq!(why, NotUnderstood::Missing { field: "hook_event_name" });
}
