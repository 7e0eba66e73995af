//! Streams of the real clients, recorded against a scripted model, and the commands that start
//! them.

use sprag_core::Time;

use super::*;
use crate::Host;

mod streams;

fn at() -> Moment {
    let now = Time::parse("2026-11-15T17:41:25Z").unwrap();
    Moment { now, offset_minutes: Some(0) }
}

/// The command that starts a host, as one line.
fn typed(host: Host, resume: Option<&str>, deny: &[&str], extra: &[&str]) -> String {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let (deny, extra) = (owned(deny), owned(extra));
    let started =
        start(host, &StartOptions { prompt: "do it", resume, deny: &deny, extra: &extra });
    assert_eq!(started.stdin.as_deref(), Some("do it"));
    let env = started.env.iter().map(|(name, value)| format!("{name}={value} "));
    format!("{}{}", env.collect::<String>(), started.argv.join(" "))
}

/// Each host's command, and how it ends where a conversation is taken up again.
const COMMANDS: [(Host, &str, &str); 6] = [
    (
        Host::CLAUDE,
        "claude -p --output-format=stream-json --verbose --permission-mode=dontAsk \
         --allowedTools=Bash,Edit,NotebookEdit,WebFetch,WebSearch,Write,mcp__sprag,mcp__plugin_sprag_sprag",
        "--resume=s-1",
    ),
    (
        Host::CODEX,
        "codex exec --json --skip-git-repo-check --sandbox=workspace-write -",
        "resume s-1 -",
    ),
    (
        Host::GEMINI,
        "gemini --output-format=stream-json --approval-mode=yolo --skip-trust",
        "--resume=s-1",
    ),
    (
        Host::COPILOT,
        "copilot --output-format=json --allow-all-tools --no-ask-user --no-color",
        "--resume=s-1",
    ),
    (Host::OPENCODE, "opencode run --format=json --print-logs --log-level=ERROR", "--session=s-1"),
    (Host::PI, "pi --mode json -p", "--session s-1"),
];

#[test]
fn hosts_are_started_with_nobody_to_ask() {
    for (host, command, _) in COMMANDS {
        assert_eq!(typed(host, None, &[], &[]), command);
    }
}

#[test]
fn a_conversation_is_taken_up_again() {
    for (host, _, end) in COMMANDS {
        assert!(typed(host, Some("s-1"), &[], &[]).ends_with(&format!(" {end}")), "{end}");
    }
}

#[test]
fn denied_tools_get_the_host_s_names() {
    let deny = ["@web", "bash", "bash", "mcp__x__y", "--evil", "a,b", ""];
    let typed = |host| typed(host, None, &deny, &[]);
    let claude = "--disallowedTools=WebFetch,WebSearch,Bash,PowerShell,Monitor,BashOutput,KillShell,bash,mcp__x__y";
    assert!(typed(Host::CLAUDE).ends_with(claude), "{}", typed(Host::CLAUDE));
    assert!(typed(Host::COPILOT).contains(" --excluded-tools=web_fetch,web_search,"));
    assert!(typed(Host::PI).ends_with(" --exclude-tools bash,mcp__x__y"), "{}", typed(Host::PI));
    let config = "OPENCODE_CONFIG_CONTENT={\"permission\":{\"webfetch\":\"deny\",";
    assert!(typed(Host::OPENCODE).starts_with(config), "{}", typed(Host::OPENCODE));
}

#[test]
fn a_person_s_word_replaces_ours() {
    let typed = |host, extra: &[&str]| typed(host, Some("s"), &[], extra);
    let codex = typed(Host::CODEX, &["--sandbox", "read-only"]);
    assert_eq!(codex, "codex exec --json --skip-git-repo-check --sandbox read-only resume s -");
    let gemini = typed(Host::GEMINI, &["--approval-mode=plan"]);
    assert_eq!(
        gemini,
        "gemini --output-format=stream-json --skip-trust --resume=s --approval-mode=plan"
    );
    assert!(typed(Host::PI, &["--model", "x"]).ends_with(" --session s --model x"));
}
