use super::*;
use crate::{Background, BackgroundWork, Class, EndReason, HookCall, StartSource, TurnEnd};

fn decode(said: &[u8], event: Option<&str>) -> Result<HookCall, NotUnderstood> {
    Host::CLAUDE.decode(said, event)
}

fn heard(json: &str) -> HookCall {
    decode(json.as_bytes(), None).unwrap()
}

fn payload(event: &str, more: &str) -> String {
    format!(r#"{{"session_id":"s","cwd":"/p","hook_event_name":"{event}"{more}}}"#)
}

fn happening_of(event: &str, more: &str) -> HookEvent {
    heard(&payload(event, more)).happening
}

#[test]
fn what_is_common_to_all() {
    let more = r#","permission_mode":"plan","agent_id":"a1""#;
    let heard = heard(&payload("PostCompact", more));
    assert_eq!(heard.session.unwrap().as_str(), "s");
    assert_eq!(heard.cwd.as_deref(), Some("/p"));
    assert_eq!(heard.subagent.as_deref(), Some("a1"));
    assert!(heard.plan_mode);
    assert_eq!(heard.happening, HookEvent::Ignored { event: "PostCompact".to_owned() });
}

#[test]
fn the_payloads_own_event_counts_before_the_argument() {
    let named = decode(payload("Stop", "").as_bytes(), Some("SessionEnd")).unwrap();
    assert!(matches!(named.happening, HookEvent::Stop { .. }));
    let line = decode(br#"{"session_id":"s"}"#, Some("statusLine")).unwrap();
    assert_eq!((line.happening, line.cwd), (HookEvent::StatusLine, None));
}

#[test]
fn sources_and_reasons() {
    for (text, expected) in [
        ("startup", StartSource::Startup),
        ("resume", StartSource::Resume),
        ("clear", StartSource::Clear),
        ("compact", StartSource::Compact),
        ("fork", StartSource::Fork),
        ("later", StartSource::Other),
    ] {
        let happening = happening_of("SessionStart", &format!(r#","source":"{text}""#));
        assert_eq!(happening, HookEvent::SessionStart { source: expected });
    }
    for (text, expected) in [
        ("clear", EndReason::Clear),
        ("resume", EndReason::Resume),
        ("logout", EndReason::Other),
        ("prompt_input_exit", EndReason::Other),
    ] {
        let happening = happening_of("SessionEnd", &format!(r#","reason":"{text}""#));
        assert_eq!(happening, HookEvent::SessionEnd { left: expected });
    }
}

#[test]
fn not_every_prompt_is_a_persons() {
    for (more, expected) in [
        (r#","prompt":"hi""#, By::Person),
        (r#","prompt":"hi","source":"user""#, By::Person),
        (r#","prompt":"hi","source":"sdk""#, By::Person),
        (r#","prompt":"see <task-notification>""#, By::Person),
        (r#","prompt":"hi","source":"system""#, By::Notification),
        (r#","prompt":"hi","source":"loop_wakeup""#, By::Notification),
        (r#","prompt":"hi","source":"of a later version""#, By::Notification),
        (r#","prompt":"<task-notification>\n…""#, By::Notification),
        (r#","prompt":"\n <task-notification>","source":"user""#, By::Notification),
    ] {
        let happening = happening_of("UserPromptSubmit", more);
        assert!(matches!(happening, HookEvent::Prompt { by, .. } if by == expected), "{more}");
    }
}

#[test]
fn calls_name_what_they_touch() {
    let call = |more: &str| {
        let HookEvent::BeforeTool(call) = happening_of("PreToolUse", more) else {
            panic!("{more}")
        };
        call
    };
    let edit = r#","tool_name":"NotebookEdit","tool_input":{"notebook_path":"a.ipynb","x":[{"path":"no"}]}"#;
    let edit = call(edit);
    assert_eq!((edit.class, edit.writes()), (Class::Edit, &["a.ipynb".to_owned()][..]));
    let moved = r#","tool_name":"mcp__fs__move","tool_input":{"source":"a","destination":"b","paths":["c"]}"#;
    assert_eq!(call(moved).writes(), ["a", "b", "c"]);
    let read = call(r#","tool_name":"Read","tool_input":{"file_path":"a"}"#);
    assert_eq!((read.paths.len(), read.writes().len()), (1, 0));
    let shell =
        call(r#","tool_name":"mcp__x__run","tool_input":{"command":"make"},"tool_use_id":"t""#);
    assert_eq!((shell.command.as_deref(), shell.id.as_deref()), (Some("make"), Some("t")));
    let odd = call(r#","tool_name":"Bash","tool_input":"make""#);
    assert_eq!((odd.command.as_deref(), odd.paths.len()), (Some("make"), 0));
    let unread = r#","tool_name":"Write","tool_input":"{\"file_path\":\"a\",\"content\":\"b\"}""#;
    assert_eq!(call(unread).writes(), ["a"]);
    let broken = call(r#","tool_name":"Write","tool_input":"{\"file_path\":""#);
    assert_eq!((broken.paths.len(), broken.command), (0, None));
}

#[test]
fn tools_end_in_three_ways() {
    let ended = |event: &str, more: &str| {
        let HookEvent::AfterTool { ended, .. } = happening_of(event, more) else {
            panic!("{more}")
        };
        ended
    };
    let tool = r#","tool_name":"Bash""#;
    let broken = format!(r#"{tool},"is_interrupt":true"#);
    assert_eq!(ended("PostToolUse", tool), TurnEnd::Well);
    assert_eq!(ended("PostToolUseFailure", tool), TurnEnd::Failed);
    assert_eq!(ended("PostToolUseFailure", &broken), TurnEnd::Interrupted);
}

#[test]
fn only_running_agents_hold_a_session() {
    let more = r#","stop_hook_active":true,"background_tasks":[
        {"id":"1","type":"subagent","status":"running","description":"look"},
        {"id":"2","type":"subagent","status":"completed"},
        {"id":"3","type":"workflow","status":"running"},
        {"id":"4","type":"shell","status":"running","description":"npm run dev"},
        {"type":7}, "x"]"#;
    let HookEvent::Stop { again, background, message } = happening_of("Stop", more) else {
        panic!("no stop")
    };
    assert!(again && message.is_none());
    let holds: Vec<bool> = background.iter().map(Background::holds_the_session).collect();
    assert_eq!(holds, [true, false, true, false, false, false]);
    assert_eq!(background[3].work, BackgroundWork::Other("shell".to_owned()));
    assert_eq!(background[3].about, "npm run dev");
}

#[test]
fn subagents_are_not_the_session() {
    assert_eq!(
        happening_of("SubagentStop", r#","agent_type":"general-purpose""#),
        HookEvent::SubagentStop
    );
    assert_eq!(
        happening_of("SubagentStop", r#","agent_type":"""#),
        HookEvent::Ignored { event: "SubagentStop".to_owned() }
    );
    assert_eq!(happening_of("Stop", r#","agent_id":"a1""#), HookEvent::SubagentStop);
}

#[test]
fn the_rest() {
    assert_eq!(happening_of("PreCompact", ""), HookEvent::PreCompact);
    assert_eq!(
        happening_of("Notification", r#","message":"m","notification_type":"idle_prompt""#),
        HookEvent::Notification { text: "m".to_owned(), kind: Some("idle_prompt".to_owned()) }
    );
    assert_eq!(
        happening_of("StopFailure", r#","error":"rate_limit""#),
        HookEvent::StopFailure { error: "rate_limit".to_owned() }
    );
}

#[test]
fn what_cannot_be_understood_says_why() {
    let why = |said: &str| decode(said.as_bytes(), None).unwrap_err().to_string();
    assert_eq!(why("[]"), "the payload is no whole JSON object: no object at byte 0");
    assert_eq!(why("{}"), "the payload has no usable `hook_event_name`");
    let bad = r#"{"hook_event_name":"Stop","session_id":"a\nb"}"#;
    assert_eq!(why(bad), "the payload has no usable `session_id`");
    assert_eq!(why(&payload("PreToolUse", "")), "the payload has no usable `tool_name`");
    assert_eq!(why("{\"a\": 1"), "the payload is no whole JSON object: no `,` or `}` at byte 7");
    assert_eq!(why("{} {}"), "the payload is no whole JSON object: something follows at byte 3");
}

#[test]
fn of_two_equal_keys_the_last_holds() {
    let twice = r#","tool_name":"Read","tool_name":"Write","tool_input":{"file_path":"a"},"tool_input":{"file_path":"b"}"#;
    let HookEvent::BeforeTool(call) = happening_of("PreToolUse", twice) else { panic!("no call") };
    assert_eq!((call.name.as_str(), call.paths.as_slice()), ("Write", &["b".to_owned()][..]));
}
