//! The events read from recorded streams.

use super::*;

macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../../../fixtures/headless/", $name, ".jsonl"))
    };
}

/// Reads a whole stream and formats each event as a line.
fn heard(host: Host, stream: &str) -> Vec<String> {
    let mut reader = Stream::of(host);
    let mut all: Vec<OutputEvent> =
        stream.lines().flat_map(|line| reader.line(line, at())).collect();
    all.extend(reader.end("", at()));
    all.iter().map(told).collect()
}

fn told(heard: &OutputEvent) -> String {
    match heard {
        OutputEvent::Session(id) => format!("session {}", &id[..8]),
        OutputEvent::Text(text) => format!("text {text}"),
        OutputEvent::Tool { name, about } => {
            format!("tool {name}: {}", about.replace(SHELL, "SHELL"))
        }
        OutputEvent::Spent { micro_usd, tokens } => format!("spent {micro_usd:?} {tokens:?}"),
        OutputEvent::Limited { until, why } => {
            let until = until.map_or("?".to_owned(), |until| until.to_string());
            format!("limited {until}: {}", why.chars().take(40).collect::<String>())
        }
        OutputEvent::Failed { why } => format!("failed {why}"),
    }
}

/// The command that the recorded agents run.
const SHELL: &str = "env | cut -d= -f1 | sort > ENVNAMES; echo hello-ok > RAN; cat RAN";

#[test]
fn work_is_heard_of_every_host() {
    let claude = [
        "session c7ccca30",
        "text I will run it.",
        "tool Bash: SHELL",
        "tool Write: /home/dev/proj/w.txt",
        "text The final answer.",
        "spent Some(420) Some(45)",
    ];
    assert_eq!(heard(Host::CLAUDE, fixture!("claude")), claude);
    let codex = [
        "session 01a1e04a",
        "text I will run it.",
        "tool command_execution: /bin/bash -lc 'SHELL'",
        "tool file_change: /home/dev/proj/w.txt",
        "text The final answer.",
        "spent None Some(45)",
    ];
    assert_eq!(heard(Host::CODEX, fixture!("codex")), codex);
    let gemini = [
        "session 82bc3e1a",
        "text I will run it.",
        "tool run_shell_command: SHELL",
        "tool write_file: /home/dev/proj/w.txt",
        "text The final answer.",
        "spent None Some(45)",
    ];
    assert_eq!(heard(Host::GEMINI, fixture!("gemini")), gemini);
    let copilot = [
        "text I will run it.",
        "tool bash: SHELL",
        "tool create: /home/dev/proj/w.txt",
        "text The final answer.",
        "session fd02f8e9",
    ];
    assert_eq!(heard(Host::COPILOT, fixture!("copilot")), copilot);
}

#[test]
fn what_each_step_spends_is_added_up() {
    let spent =
        ["spent Some(105) Some(15)", "spent Some(210) Some(30)", "spent Some(315) Some(45)"];
    let opencode = [
        "session ses_e1fb",
        "text I will run it.",
        "tool bash: SHELL",
        spent[0],
        "tool write: /home/dev/proj/w.txt",
        spent[1],
        "text The final answer.",
        spent[2],
    ];
    assert_eq!(heard(Host::OPENCODE, fixture!("opencode")), opencode);
    let pi = [
        "session 01a1e04b",
        "text I will run it.",
        spent[0],
        "tool bash: SHELL",
        spent[1],
        "tool write: /home/dev/proj/w.txt",
        "text The final answer.",
        spent[2],
    ];
    assert_eq!(heard(Host::PI, fixture!("pi")), pi);
}

#[test]
fn a_limit_is_heard_once_and_with_its_end() {
    for (host, stream, expected) in [
        (
            Host::CLAUDE,
            fixture!("claude-limited"),
            "2026-11-15T18:41:25.000Z: the five hour limit is reached",
        ),
        (
            Host::CLAUDE,
            fixture!("claude-limited-key"),
            "?: API Error: Request rejected (429) · This",
        ),
        (
            Host::CODEX,
            fixture!("codex-limited"),
            "2026-11-15T18:42:00.000Z: You’ve hit your usage limit. Upgrade to ",
        ),
        (
            Host::GEMINI,
            fixture!("gemini-limited"),
            "2026-11-15T17:56:25.000Z: [API Error: You exceeded your current qu",
        ),
        (
            Host::COPILOT,
            fixture!("copilot-limited"),
            "2026-11-15T18:01:25.000Z: 429 Rate limit reached for fake-model. P",
        ),
        (
            Host::PI,
            fixture!("pi-limited"),
            "2026-11-15T18:01:25.000Z: 429: {\"message\":\"Rate limit reached for",
        ),
    ] {
        let all = heard(host, stream);
        let trouble = |one: &&String| one.starts_with("limited") || one.starts_with("failed");
        let trouble: Vec<_> = all.iter().filter(trouble).map(|one| one.trim_end()).collect();
        assert_eq!(trouble, [format!("limited {}", expected.trim_end())], "{host:?}");
    }
}

#[test]
fn a_limit_that_is_only_logged_is_heard_at_the_end() {
    let log = "timestamp=2026-11-15T17:48:40.917Z level=INFO run=3f5df1e0 message=\"a quota\"\n\
        timestamp=2026-11-15T17:48:41.989Z level=ERROR run=3f5df1e0 message=\"stream error\" small=true \
        error.error=\"AI_RetryError: Failed after 3 attempts. Last error: Rate limit reached for \
        fake-model. Please try again in 20m0s.\"\n";
    let all = Stream::of(Host::OPENCODE).end(log, at());
    assert_eq!(
        all.iter().map(told).collect::<Vec<_>>(),
        ["limited 2026-11-15T18:08:41.989Z: AI_RetryError: Failed after 3 attempts. "]
    );
    assert_eq!(Stream::of(Host::CLAUDE).end(log, at()), []);
    // It waited on its own and continued: the limit is over.
    let mut outlasted = Stream::of(Host::OPENCODE);
    let text = r#"{"type":"text","part":{"text":"on"}}"#;
    let later = Moment { now: Time::parse("2026-11-15T17:48:44Z").unwrap(), ..at() };
    assert_eq!(outlasted.line(text, later), [OutputEvent::Text("on".to_owned())]);
    assert_eq!(outlasted.end(log, later), []);
}

#[test]
fn a_failure_is_heard_once() {
    for (host, stream, expected) in [
        (Host::OPENCODE, fixture!("opencode-failed"), "failed bad key"),
        (Host::PI, fixture!("pi-failed"), "failed 401: {\"message\":\"bad key\"}"),
    ] {
        let all = heard(host, stream);
        assert_eq!(
            all.iter().filter(|one| one.starts_with("failed")).collect::<Vec<_>>(),
            [expected]
        );
    }
    let all = heard(Host::CODEX, fixture!("codex-failed"));
    assert_eq!(all.len(), 2, "{all:?}");
    assert!(all[1].starts_with("failed unexpected status 401 Unauthorized"));
}

#[test]
fn subagents_and_hostile_ids_are_not_taken_for_the_agent() {
    let said = r#"{"type":"assistant","message":{"content":[{"type":"text","text":"mine"},{"type":"tool_use","name":"Read","input":{"file_path":"a\u001b[2J\nb"}}]},"parent_tool_use_id":"t","session_id":"--evil"}"#;
    assert_eq!(heard(Host::CLAUDE, said), ["tool Read: a [2J"]);
    for id in ["", "-x", "../x", "a b", "é", &"x".repeat(129)] {
        let said = format!("{{\"type\":\"thread.started\",\"thread_id\":{id:?}}}");
        assert_eq!(heard(Host::CODEX, &said), Vec::<String>::new(), "{id}");
    }
}

#[test]
fn work_after_a_limit_lets_a_new_one_be_told() {
    let limit = r#"{"type":"error","message":"429"}"#;
    let text = r#"{"type":"item.completed","item":{"type":"agent_message","text":"on"}}"#;
    let all = heard(Host::CODEX, &[limit, limit, text, limit].join("\n"));
    assert_eq!(all, ["limited ?: 429", "text on", "limited ?: 429"]);
}

#[test]
fn a_limit_that_is_told_again_after_its_end_is_another() {
    let limit = r#"{"type":"error","message":"Rate limit. Please try again in 2s."}"#;
    let mut reader = Stream::of(Host::CODEX);
    let mut ends = |seconds: i64| {
        let now = at().now.plus_millis(seconds * 1000);
        let heard = reader.line(limit, Moment { now, ..at() });
        heard.iter().map(told).collect::<String>()
    };
    assert!(ends(0).starts_with("limited 2026-11-15T17:41:27.000Z"));
    assert_eq!(ends(1), "", "the same, told twice");
    assert!(ends(4).starts_with("limited 2026-11-15T17:41:31.000Z"));
}
