use super::*;
use crate::{Class, HookCall, TurnEnd};

fn heard(event: &str, more: &str) -> HookCall {
    let said = format!(r#"{{"session_id":"s","cwd":"/p","hook_event_name":"{event}"{more}}}"#);
    Host::GEMINI.decode(said.as_bytes(), None).unwrap()
}

#[test]
fn a_prompt_is_what_was_said_and_not_what_we_put_before_it() {
    for (prompt, said) in [
        ("do it", "do it"),
        ("<hook_context>of the start</hook_context>\\n\\ndo it", "do it"),
        ("<hook_context>a</hook_context><hook_context>b</hook_context> do it", "do it"),
        ("<hook_context>never closed", "<hook_context>never closed"),
        ("what is <hook_context>x</hook_context>?", "what is <hook_context>x</hook_context>?"),
    ] {
        let heard = heard("BeforeAgent", &format!(r#","prompt":"{prompt}""#));
        let expected = HookEvent::Prompt { text: said.to_owned(), by: By::Person };
        assert_eq!(heard.happening, expected);
    }
}

#[test]
fn a_tool_that_failed_says_so_in_its_result() {
    for (result, expected) in [
        (r#"{"llmContent":"x"}"#, TurnEnd::Well),
        (r#"{"llmContent":"x","error":null}"#, TurnEnd::Well),
        (r#"{"llmContent":"x","error":{"message":"no"}}"#, TurnEnd::Failed),
    ] {
        let more = format!(r#","tool_name":"replace","tool_response":{result}"#);
        let HookEvent::AfterTool { call, ended } = heard("AfterTool", &more).happening else {
            panic!("{more}")
        };
        assert_eq!((ended, call.class), (expected, Class::Edit), "{result}");
    }
}

#[test]
fn a_later_version_may_name_the_subagent() {
    let more = r#","agent_name":"browser_agent","prompt":"look""#;
    assert_eq!(heard("AfterAgent", more).happening, HookEvent::SubagentStop);
    let asked = HookEvent::Prompt { text: "look".to_owned(), by: By::Notification };
    assert_eq!(heard("BeforeAgent", more).happening, asked);
}

#[test]
fn events_of_others_are_not_its_own() {
    for event in ["Stop", "PreToolUse", "BeforeModel", "AfterModel", "statusLine"] {
        assert_eq!(heard(event, "").happening, HookEvent::Ignored { event: event.to_owned() });
    }
}
