//! Every answer to every event of every host, compared with the fields that the host reads.

use serde_json::{Value as Json, json};

use super::*;
use crate::{By, Class, EndReason, Host, StartSource, ToolCall};

/// The hosts that the tables below are about; a later one has its tests in its own folder.
const HOSTS: [Host; 6] =
    [Host::CLAUDE, Host::CODEX, Host::GEMINI, Host::COPILOT, Host::OPENCODE, Host::PI];

fn call() -> ToolCall {
    let name = "Bash".to_owned();
    ToolCall { name, class: Class::Shell, paths: Vec::new(), command: None, prompt: None, id: None }
}

fn happenings() -> Vec<(&'static str, HookEvent)> {
    let text = String::new;
    vec![
        ("start", HookEvent::SessionStart { source: StartSource::Startup }),
        ("prompt", HookEvent::Prompt { text: text(), by: By::Person }),
        ("before", HookEvent::BeforeTool(call())),
        ("after", HookEvent::AfterTool { call: call(), ended: TurnEnd::Well }),
        ("failed", HookEvent::AfterTool { call: call(), ended: TurnEnd::Failed }),
        ("interrupted", HookEvent::AfterTool { call: call(), ended: TurnEnd::Interrupted }),
        ("stop", HookEvent::Stop { again: false, background: Vec::new(), message: None }),
        ("subagent", HookEvent::SubagentStop),
        ("end", HookEvent::SessionEnd { left: EndReason::Other }),
        ("compaction", HookEvent::PreCompact),
        ("notification", HookEvent::Notification { text: text(), kind: None }),
        ("failure", HookEvent::StopFailure { error: text() }),
        ("line", HookEvent::StatusLine),
        ("later", HookEvent::Ignored { event: "Later".to_owned() }),
    ]
}

fn answers(text: &str) -> [HostAnswer; 6] {
    let text = || text.to_owned();
    [
        HostAnswer::Nothing,
        HostAnswer::Context(text()),
        HostAnswer::Deny { why: text() },
        HostAnswer::Refuse { why: text() },
        HostAnswer::Told(text()),
        HostAnswer::Line(text()),
    ]
}

/// The events that are answered in JSON.
fn in_json(host: Host) -> Vec<(&'static str, HookEvent)> {
    let line = |event: &str| host == Host::CLAUDE && event == "line";
    happenings().into_iter().filter(|(event, _)| !line(event)).collect()
}

/// The events that take context, the event name required in it (if any), and whether it is nested.
const CONTEXT: &[(Host, &str, &str, bool)] = &[
    (Host::CLAUDE, "start", "SessionStart", true),
    (Host::CLAUDE, "prompt", "UserPromptSubmit", true),
    (Host::CLAUDE, "before", "PreToolUse", true),
    (Host::CLAUDE, "after", "PostToolUse", true),
    (Host::CODEX, "start", "SessionStart", true),
    (Host::CODEX, "prompt", "UserPromptSubmit", true),
    (Host::CODEX, "before", "PreToolUse", true),
    (Host::CODEX, "after", "PostToolUse", true),
    (Host::GEMINI, "start", "SessionStart", true),
    (Host::GEMINI, "prompt", "BeforeAgent", true),
    (Host::GEMINI, "after", "AfterTool", true),
    (Host::GEMINI, "failed", "AfterTool", true),
    (Host::GEMINI, "interrupted", "AfterTool", true),
    (Host::COPILOT, "start", "", false),
    (Host::COPILOT, "prompt", "", false),
    (Host::COPILOT, "after", "", false),
    (Host::COPILOT, "failed", "", false),
    (Host::COPILOT, "interrupted", "", false),
    (Host::OPENCODE, "start", "", true),
    (Host::OPENCODE, "prompt", "", true),
    (Host::OPENCODE, "after", "", false),
    (Host::OPENCODE, "failed", "", false),
    (Host::OPENCODE, "interrupted", "", false),
];

/// The events that take no context but a message to the person.
const PERSON: &[(Host, &[&str])] = &[
    (Host::CLAUDE, &["failed", "interrupted", "stop", "subagent", "notification"]),
    (Host::CODEX, &["stop", "subagent"]),
    (Host::GEMINI, &["before", "stop", "subagent", "notification"]),
];

/// The expected output of a denial or refusal.
fn no(host: Host, event: &str) -> Json {
    let nested = json!({"hookSpecificOutput": {"hookEventName": "PreToolUse",
        "permissionDecision": "deny", "permissionDecisionReason": "T"}});
    match (host.name(), event) {
        ("claude" | "codex", "before") => nested,
        ("copilot", "before") => {
            json!({"permissionDecision": "deny", "permissionDecisionReason": "T"})
        }
        ("gemini", _) => json!({"decision": "deny", "reason": "T"}),
        ("pi", _) => Json::Null,
        (_, _) => json!({"decision": "block", "reason": "T"}),
    }
}

/// The expected output; null means none.
fn expected(host: Host, event: &str, answer: &HostAnswer) -> Json {
    match (event, answer) {
        (_, HostAnswer::Nothing | HostAnswer::Line(_)) => return Json::Null,
        ("before", HostAnswer::Deny { .. }) | ("stop", HostAnswer::Refuse { .. }) => {
            return no(host, event);
        }
        ("prompt", HostAnswer::Told(_)) if host != Host::OPENCODE => return no(host, event),
        (
            _,
            HostAnswer::Context(_)
            | HostAnswer::Told(_)
            | HostAnswer::Deny { .. }
            | HostAnswer::Refuse { .. },
        ) => {}
    }
    let told = matches!(answer, HostAnswer::Told(_));
    let text = if told { handed_on("T") } else { "T".to_owned() };
    let here = CONTEXT.iter().find(|(of, at, _, _)| (*of, *at) == (host, event));
    let shown = PERSON.iter().any(|(of, events)| *of == host && events.contains(&event));
    match here {
        Some((_, _, "", false)) => json!({"additionalContext": text}),
        Some((_, _, "", true)) => json!({"hookSpecificOutput": {"additionalContext": text}}),
        Some((_, _, name, _)) => {
            json!({"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}})
        }
        None if shown => json!({"systemMessage": "T"}),
        None => Json::Null,
    }
}

fn read(output: &Output) -> Json {
    assert_eq!((output.exit, output.stderr.as_str()), (0, ""));
    match output.stdout.as_str() {
        "" => Json::Null,
        text => serde_json::from_str(text).unwrap(),
    }
}

#[test]
fn every_reply_to_every_event() {
    for host in HOSTS {
        for (event, happening) in in_json(host) {
            for answer in answers("T") {
                let output = encode(host, &happening, &Reply::from(answer.clone()));
                let expected = expected(host, event, &answer);
                assert_eq!(read(&output), expected, "{host:?} {event} {answer:?}");
            }
        }
    }
}

#[test]
fn a_word_to_the_person_goes_along_where_there_is_a_place_for_it() {
    for host in HOSTS {
        for (event, happening) in in_json(host) {
            let reply = Reply::from(HostAnswer::Deny { why: "T".to_owned() });
            let alone = read(&encode(host, &happening, &reply));
            let both = read(&encode(host, &happening, &reply.saying("S")));
            let shows = CONTEXT.iter().any(|(of, at, ..)| (*of, *at) == (host, event))
                && ![Host::COPILOT, Host::OPENCODE].contains(&host)
                || PERSON.iter().any(|(of, events)| *of == host && events.contains(&event));
            let mut expected = alone.clone();
            if shows {
                let told = if alone["systemMessage"] == "T" { "S\nT" } else { "S" };
                expected["systemMessage"] = told.into();
            }
            assert_eq!(both, expected, "{host:?} {event}");
        }
    }
}

#[test]
fn the_status_line_is_one_line_of_text() {
    for (reply, expected) in [
        (Reply::default(), ""),
        (Reply::from(HostAnswer::Line("build 2/3\nmore".to_owned())), "build 2/3\n"),
        (Reply::from(HostAnswer::Line("a\u{1b}[2Jb\u{7}".to_owned())), "a[2Jb\n"),
        (Reply::default().saying("held"), "held\n"),
    ] {
        assert_eq!(encode(Host::CLAUDE, &HookEvent::StatusLine, &reply).stdout, expected);
    }
}

#[test]
fn any_text_makes_valid_json() {
    for text in
        ["", " ", "\"\\\u{0}\u{1}\u{1f}\u{7f}\u{2028}\u{fffd}😀\n\r\t", "{\"decision\":\"block\"}"]
    {
        for host in HOSTS {
            for (event, happening) in in_json(host) {
                for answer in answers(text) {
                    let output = encode(host, &happening, &Reply::from(answer).saying(text));
                    let read = read(&output);
                    assert!(read.is_object() || read.is_null(), "{host:?} {event}");
                    assert!(output.stdout.lines().count() <= 1);
                }
            }
        }
    }
}

#[test]
fn a_decision_always_has_a_reason() {
    let stop = HookEvent::Stop { again: true, background: Vec::new(), message: None };
    for host in HOSTS.into_iter().filter(|host| *host != Host::PI) {
        let refused = encode(host, &stop, &Reply::from(HostAnswer::Refuse { why: " ".to_owned() }));
        assert!(refused.stdout.contains("sprag gave no reason"), "{}", refused.stdout);
    }
}
