use serde_json::{Value as Json, json};
use sprag_core::Session;

use super::*;
use crate::{By, Call, Class, Host, Left, Source};

fn call() -> Call {
    let name = "Bash".to_owned();
    Call { name, class: Class::Shell, paths: Vec::new(), command: None, id: None }
}

fn happenings() -> Vec<(&'static str, Happening)> {
    let text = String::new;
    vec![
        ("SessionStart", Happening::SessionStart { source: Source::Startup }),
        ("UserPromptSubmit", Happening::Prompt { text: text(), by: By::Person }),
        ("PreToolUse", Happening::BeforeTool(call())),
        ("PostToolUse", Happening::AfterTool { call: call(), ended: Ended::Well }),
        ("PostToolUseFailure", Happening::AfterTool { call: call(), ended: Ended::Failed }),
        ("interrupted", Happening::AfterTool { call: call(), ended: Ended::Interrupted }),
        ("Stop", Happening::Stop { again: false, background: Vec::new(), message: None }),
        ("SubagentStop", Happening::SubagentStop),
        ("SessionEnd", Happening::SessionEnd { left: Left::Other }),
        ("PreCompact", Happening::PreCompact),
        ("Notification", Happening::Notification { text: text(), kind: None }),
        ("StopFailure", Happening::StopFailure { error: text() }),
        ("statusLine", Happening::StatusLine),
        ("Later", Happening::Ignored { event: "Later".to_owned() }),
    ]
}

fn output(happening: &Happening, reply: &Reply) -> Output {
    let session = Session::parse("s").unwrap();
    let (cwd, subagent, plan_mode) = (None, None, false);
    let happening = happening.clone();
    let heard = Heard { host: Host::Claude, session, cwd, subagent, plan_mode, happening };
    encode(&heard, reply)
}

fn answers(text: &str) -> [Answer; 5] {
    let text = || text.to_owned();
    [
        Answer::Nothing,
        Answer::Context(text()),
        Answer::Deny { why: text() },
        Answer::Refuse { why: text() },
        Answer::Line(text()),
    ]
}

/// What Claude Code should read; null is no output.
fn expected(event: &str, answer: &Answer) -> Json {
    let context = json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": "T"}});
    match (event, answer) {
        (_, Answer::Nothing | Answer::Line(_)) => Json::Null,
        ("PreToolUse", Answer::Deny { .. }) => json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": "T"}}),
        ("Stop", Answer::Refuse { .. }) => json!({"decision": "block", "reason": "T"}),
        ("SessionStart" | "UserPromptSubmit" | "PreToolUse" | "PostToolUse", _) => context,
        ("PostToolUseFailure" | "interrupted" | "Stop" | "SubagentStop" | "Notification", _) => {
            json!({"systemMessage": "T"})
        }
        (_, _) => Json::Null,
    }
}

#[test]
fn every_reply_to_every_event() {
    for (event, happening) in happenings().iter().filter(|(event, _)| *event != "statusLine") {
        for answer in answers("T") {
            let output = output(happening, &Reply::from(answer.clone()));
            assert_eq!((output.exit, output.stderr.as_str()), (0, ""));
            let read = match output.stdout.as_str() {
                "" => Json::Null,
                text => serde_json::from_str(text).unwrap(),
            };
            assert_eq!(read, expected(event, &answer), "{event} {answer:?}");
        }
    }
}

#[test]
fn a_word_to_the_person_goes_along() {
    for (event, happening) in &happenings() {
        let reply = Reply::from(Answer::Deny { why: "W".to_owned() }).saying("S");
        let stdout = output(happening, &reply).stdout;
        match *event {
            "SessionEnd" | "PreCompact" | "StopFailure" | "Later" => assert_eq!(stdout, ""),
            "statusLine" => assert_eq!(stdout, "W\n"),
            "PreToolUse" | "SessionStart" | "UserPromptSubmit" | "PostToolUse" => {
                assert!(stdout.contains("\"systemMessage\":\"S\""), "{event} {stdout}");
                assert!(stdout.contains("\"W\""), "{event} {stdout}");
            }
            _ => assert_eq!(stdout, "{\"systemMessage\":\"S\\nW\"}\n", "{event}"),
        }
    }
}

#[test]
fn the_status_line_is_one_line_of_text() {
    for (reply, expected) in [
        (Reply::default(), ""),
        (Reply::from(Answer::Line("build 2/3\nmore".to_owned())), "build 2/3\n"),
        (Reply::from(Answer::Line("a\u{1b}[2Jb\u{7}".to_owned())), "a[2Jb\n"),
        (Reply::default().saying("held"), "held\n"),
    ] {
        assert_eq!(output(&Happening::StatusLine, &reply).stdout, expected);
    }
}

#[test]
fn any_text_makes_valid_json() {
    for text in
        ["", " ", "\"\\\u{0}\u{1}\u{1f}\u{7f}\u{2028}\u{fffd}😀\n\r\t", "{\"decision\":\"block\"}"]
    {
        for (event, happening) in happenings().iter().filter(|(event, _)| *event != "statusLine") {
            for answer in answers(text) {
                let stdout = output(happening, &Reply::from(answer).saying(text)).stdout;
                if !stdout.is_empty() {
                    assert!(serde_json::from_str::<Json>(&stdout).unwrap().is_object(), "{event}");
                    assert_eq!(stdout.lines().count(), 1);
                }
            }
        }
    }
}

#[test]
fn a_decision_always_has_a_reason() {
    let stop = Happening::Stop { again: true, background: Vec::new(), message: None };
    let refused = output(&stop, &Reply::from(Answer::Refuse { why: " ".to_owned() }));
    assert!(refused.stdout.contains("sprag gave no reason"), "{}", refused.stdout);
}
