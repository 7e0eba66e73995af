//! Every payload recorded from a real Claude Code, and what we hear.

use sprag_hosts::{Call, Happening, Host};

use crate::support::{event, fixtures};

/// What is heard of each fixture, in one line.
const HEARD: &[(&str, &str)] = &[
    ("InstructionsLoaded.1.json", "ignored InstructionsLoaded"),
    ("PostCompact.manual.json", "ignored PostCompact"),
    ("PostToolBatch.1.json", "ignored PostToolBatch"),
    ("PostToolBatch.2.json", "ignored PostToolBatch"),
    ("PostToolBatch.3.json", "ignored PostToolBatch"),
    ("PostToolBatch.4.json", "ignored PostToolBatch"),
    ("PostToolBatch.5.json", "ignored PostToolBatch"),
    (
        "PostToolUse.1.json",
        "after Bash Shell [] Some(\"echo hello-ok > ALLOWED_FILE; cat ALLOWED_FILE\") Well",
    ),
    ("PostToolUse.2.json", "after Write Edit [\"/home/dev/proj/w.txt\"] None Well"),
    ("PostToolUse.3.json", "after Agent Agent [] None Well"),
    ("PostToolUseFailure.1.json", "after Bash Shell [] Some(\"exit 3\") Failed"),
    ("PreCompact.manual.json", "before compaction"),
    ("PreToolUse.1.json", "before Bash Shell [] Some(\"touch DENIED_FILE\")"),
    (
        "PreToolUse.2.json",
        "before Bash Shell [] Some(\"echo hello-ok > ALLOWED_FILE; cat ALLOWED_FILE\")",
    ),
    ("PreToolUse.3.json", "before Bash Shell [] Some(\"exit 3\")"),
    ("PreToolUse.4.json", "before Write Edit [\"/home/dev/proj/w.txt\"] None"),
    ("PreToolUse.5.json", "before Agent Agent [] None"),
    ("SessionEnd.1.json", "end Other"),
    ("SessionEnd.2.json", "end Other"),
    ("SessionEnd.tui.json", "end Other"),
    ("SessionStart.1.json", "start Startup"),
    ("SessionStart.compact.json", "start Compact"),
    ("SessionStart.resume.json", "start Resume"),
    ("SessionStart.tui.json", "start Startup"),
    ("Stop.1.json", "stop, again false, held true: first final answer"),
    ("Stop.2.json", "stop, again true, held true: second final answer (after stop block)"),
    (
        "Stop.3.json",
        "stop, again true, held false: third final answer (after stop additionalContext)",
    ),
    (
        "Stop.4.json",
        "stop, again false, held false: fourth answer (after the background task notification)",
    ),
    ("Stop.tui.json", "stop, again false, held false: hello from fake"),
    ("SubagentStart.1.json", "ignored SubagentStart"),
    ("SubagentStop.1.json", "subagent's stop"),
    ("SubagentStop.2.json", "subagent's stop"),
    ("SubagentStop.internal-compact.json", "ignored SubagentStop"),
    ("UserPromptExpansion.1.json", "ignored UserPromptExpansion"),
    ("UserPromptSubmit.1.json", "Person: USER_PROMPT_41 please work"),
    ("UserPromptSubmit.2.json", "Notification: <task-notification>"),
    ("UserPromptSubmit.slash.json", "Person: /demo:hi arg1"),
    ("UserPromptSubmit.tui.json", "Person: hello there"),
    ("statusLine.after-first-request.json", "status line"),
    ("statusLine.before-first-request.json", "status line"),
];

fn call(call: &Call) -> String {
    format!("{} {:?} {:?} {:?}", call.name, call.class, call.paths, call.command)
}

fn told(happening: &Happening) -> String {
    match happening {
        Happening::SessionStart { source } => format!("start {source:?}"),
        Happening::Prompt { text, by } => {
            format!("{by:?}: {}", text.lines().next().unwrap_or_default())
        }
        Happening::BeforeTool(before) => format!("before {}", call(before)),
        Happening::AfterTool { call: after, ended } => format!("after {} {ended:?}", call(after)),
        Happening::Stop { again, background, message } => {
            let held = background.iter().any(sprag_hosts::Background::holds_the_session);
            format!("stop, again {again}, held {held}: {}", message.clone().unwrap_or_default())
        }
        Happening::SubagentStop => "subagent's stop".to_owned(),
        Happening::SessionEnd { left } => format!("end {left:?}"),
        Happening::PreCompact => "before compaction".to_owned(),
        Happening::Notification { text, kind } => format!("told {kind:?}: {text}"),
        Happening::StopFailure { error } => format!("failed: {error}"),
        Happening::StatusLine => "status line".to_owned(),
        Happening::Ignored { event } => format!("ignored {event}"),
    }
}

#[test]
fn every_fixture_is_heard_right() {
    let fixtures = fixtures();
    let names: Vec<_> = fixtures.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, HEARD.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for ((name, bytes), (_, expected)) in fixtures.iter().zip(HEARD) {
        let heard = Host::Claude.decode(bytes, Some(event(name))).unwrap();
        assert_eq!(told(&heard.happening), *expected, "{name}");
        assert_eq!(heard.cwd.as_deref(), Some("/home/dev/proj"), "{name}");
        assert_eq!(heard.session.as_str().len(), 36, "{name}");
        assert_eq!(heard.subagent.is_some(), name.starts_with("Subagent"), "{name}");
        assert!(!heard.plan_mode, "{name}");
    }
}

#[test]
fn nothing_is_heard_of_a_fixture_that_is_cut() {
    for (name, bytes) in fixtures() {
        let whole = bytes.trim_ascii_end().len();
        for length in 0..whole {
            let cut = Host::Claude.decode(&bytes[..length], Some(event(&name)));
            assert!(cut.is_err(), "{name} cut to {length}: {cut:?}");
        }
    }
}
