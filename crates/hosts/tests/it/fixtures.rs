//! Decodes every payload that was recorded from a real host.

use sprag_hosts::{HookEvent, Host, ToolCall};

use crate::support::{Fixture, fixtures};

/// The expected result for each fixture, in one line.
const HEARD: &str = include_str!("heard.txt");

fn call(call: &ToolCall) -> String {
    format!("{} {:?} {:?} {:?}", call.name, call.class, call.paths, call.command)
}

fn told(happening: &HookEvent) -> String {
    match happening {
        HookEvent::SessionStart { source } => format!("start {source:?}"),
        HookEvent::Prompt { text, by } => {
            format!("{by:?}: {}", text.lines().next().unwrap_or_default())
        }
        HookEvent::BeforeTool(before) => format!("before {}", call(before)),
        HookEvent::AfterTool { call: after, ended } => format!("after {} {ended:?}", call(after)),
        HookEvent::Stop { again, background, message } => {
            let held = background.iter().any(sprag_hosts::Background::holds_the_session);
            format!("stop, again {again}, held {held}: {message:?}")
        }
        HookEvent::SubagentStop => "subagent's stop".to_owned(),
        HookEvent::SessionEnd { left } => format!("end {left:?}"),
        HookEvent::PreCompact => "before compaction".to_owned(),
        HookEvent::Notification { text, kind } => format!("told {kind:?}: {text}"),
        HookEvent::StopFailure { error } => format!("failed: {error}"),
        HookEvent::StatusLine => "status line".to_owned(),
        HookEvent::Ignored { event } => format!("ignored {event}"),
    }
}

#[test]
fn every_fixture_is_heard_right() {
    let line = |fixture: &Fixture| {
        let heard = fixture.decode().unwrap();
        format!("{}: {}\n", fixture.name, told(&heard.happening))
    };
    let all: Vec<String> = fixtures().iter().map(line).collect();
    let expected: Vec<&str> = HEARD.split_inclusive('\n').collect();
    for (heard, expected) in all.iter().zip(&expected) {
        assert_eq!(heard, expected);
    }
    assert_eq!(all.len(), expected.len());
}

#[test]
fn every_fixture_says_who_and_where() {
    for fixture in fixtures() {
        let (heard, name) = (fixture.decode().unwrap(), &fixture.name);
        // opencode's own events may belong to no session, and name no folder.
        let own = name.starts_with("opencode/event_");
        assert_eq!(heard.cwd.as_deref(), (!own).then_some("/home/dev/proj"), "{name}");
        let length = if fixture.host == Host::OPENCODE { 30 } else { 36 };
        let session = heard.session.map(|session| session.as_str().len());
        assert!(session == Some(length) || own && session.is_none(), "{name}");
        assert_eq!(heard.subagent.is_some(), name.contains("/Subagent"), "{name}");
        assert!(!heard.plan_mode, "{name}");
    }
}

#[test]
fn nothing_is_heard_of_a_fixture_that_is_cut() {
    for fixture in fixtures() {
        let whole = fixture.bytes.trim_ascii_end().len();
        for length in 0..whole {
            let cut = fixture.host.decode(&fixture.bytes[..length], Some(fixture.event()));
            assert!(cut.is_err(), "{} cut to {length}: {cut:?}", fixture.name);
        }
    }
}

#[test]
fn pi_calls_no_commands() {
    let why = Host::PI.decode(br#"{"session_id":"s"}"#, Some("Stop")).unwrap_err();
    assert_eq!(why.to_string(), "this host calls no commands; its bridge speaks to `sprag rpc`");
}
