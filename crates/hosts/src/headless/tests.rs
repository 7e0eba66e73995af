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

#[test]
fn every_host_is_started_with_nobody_to_ask() {
    let all = Host::ALL.map(|host| typed(host, None, &[], &[]));
    assert_eq!(
        all,
        [
            "claude -p --output-format=stream-json --verbose --permission-mode=dontAsk \
             --allowedTools=Bash,Edit,NotebookEdit,WebFetch,WebSearch,Write,mcp__sprag,mcp__plugin_sprag_sprag",
            "codex exec --json --skip-git-repo-check --sandbox=workspace-write -",
            "gemini --output-format=stream-json --approval-mode=yolo --skip-trust",
            "copilot --output-format=json --allow-all-tools --no-ask-user --no-color",
            "opencode run --format=json --print-logs --log-level=ERROR",
            "pi --mode json -p",
        ]
    );
}

#[test]
fn a_conversation_is_taken_up_again() {
    let ends = [
        "--resume=s-1",
        "resume s-1 -",
        "--resume=s-1",
        "--resume=s-1",
        "--session=s-1",
        "--session s-1",
    ];
    for (host, end) in Host::ALL.into_iter().zip(ends) {
        assert!(typed(host, Some("s-1"), &[], &[]).ends_with(&format!(" {end}")), "{end}");
    }
}

#[test]
fn denied_tools_get_the_host_s_names() {
    let deny = ["@web", "bash", "bash", "mcp__x__y", "--evil", "a,b", ""];
    let typed = |host| typed(host, None, &deny, &[]);
    let claude = "--disallowedTools=WebFetch,WebSearch,Bash,PowerShell,Monitor,BashOutput,KillShell,bash,mcp__x__y";
    assert!(typed(Host::Claude).ends_with(claude), "{}", typed(Host::Claude));
    assert!(typed(Host::Copilot).contains(" --excluded-tools=web_fetch,web_search,"));
    assert!(typed(Host::Pi).ends_with(" --exclude-tools bash,mcp__x__y"), "{}", typed(Host::Pi));
    let config = "OPENCODE_CONFIG_CONTENT={\"permission\":{\"webfetch\":\"deny\",";
    assert!(typed(Host::Opencode).starts_with(config), "{}", typed(Host::Opencode));
}

#[test]
fn a_person_s_word_replaces_ours() {
    let typed = |host, extra: &[&str]| typed(host, Some("s"), &[], extra);
    let codex = typed(Host::Codex, &["--sandbox", "read-only"]);
    assert_eq!(codex, "codex exec --json --skip-git-repo-check --sandbox read-only resume s -");
    let gemini = typed(Host::Gemini, &["--approval-mode=plan"]);
    assert_eq!(
        gemini,
        "gemini --output-format=stream-json --skip-trust --resume=s --approval-mode=plan"
    );
    assert!(typed(Host::Pi, &["--model", "x"]).ends_with(" --session s --model x"));
}
