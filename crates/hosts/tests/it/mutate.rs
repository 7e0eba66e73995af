//! Decodes recorded payloads and shell texts, randomly broken: no panic, and no reply outside the
//! protocol.

use serde_json::Value;
use sprag_hosts::{HOSTS, HookCall, HookEvent, Host, HostAnswer, Reply, edits, shell};
use sprag_testkit::seed::Seed;

use crate::support::{fixtures, long};

const TOKENS: [&[u8]; 34] = [
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"null",
    b"true",
    b"1e999",
    b"\\u",
    b"\\ud800",
    b"\xff",
    b"\0",
    b"\n",
    b"\"Stop\"",
    b"\"PreToolUse\"",
    b"\"hook_event_name\":",
    b"\"agent_id\":\"\",",
    b"\"session_id\":\"../x\",",
    b"\"tool_input\":{\"file_path\":\".sprag\"},",
    b"\"sessionId\":\"s\",",
    b"\"toolArgs\":\"{\\\"path\\\":\\\"a\\\"}\",",
    b"\"toolName\":\"bash\",",
    b"\"raw\":{\"properties\":{\"sessionID\":\"x\"}},",
    b"\"error\":{\"message\":\"m\"},",
    b"\"AfterAgent\"",
    b"\"BeforeTool\"",
    b"\"agentStop\"",
    b"\"event:session.error\"",
    b"\"prompt\":\"<hook_context></hook_context>\",",
    b"<hook_context>",
    b"*** Add File: .sprag\\n",
];

pub(crate) fn mutate(seed: &mut Seed, bytes: &mut Vec<u8>, tokens: &[&[u8]]) {
    let (one, two) = (seed.below(bytes.len() + 1), seed.below(bytes.len() + 1));
    let (from, to) = (one.min(two), one.max(two));
    match seed.below(7) {
        0 => drop(bytes.drain(from..to.min(from + 12))),
        1 => bytes.truncate(from),
        2 => {
            let copy = bytes[from..to].to_vec();
            bytes.splice(from..from, copy);
        }
        3 => {
            if let Some(byte) = bytes.get_mut(from) {
                *byte ^= 1 << seed.below(8);
            }
        }
        4 => bytes[from..to].reverse(),
        _ => drop(bytes.splice(from..from, seed.pick(tokens).iter().copied())),
    }
    bytes.truncate(16 << 10);
}

fn replies() -> Vec<Reply> {
    let text = || "why\u{1b} \"\\ \n".to_owned();
    let answers = [
        HostAnswer::Nothing,
        HostAnswer::Context(text()),
        HostAnswer::Deny { why: text() },
        HostAnswer::Refuse { why: text() },
        HostAnswer::Told(text()),
        HostAnswer::Line(text()),
    ];
    answers
        .into_iter()
        .flat_map(|answer| [Reply::from(answer.clone()), Reply::from(answer).saying(text())])
        .collect()
}

/// The fields that a host reads in replies.
fn known(host: Host) -> &'static [&'static str] {
    match host.name() {
        "copilot" => &[
            "decision",
            "reason",
            "additionalContext",
            "permissionDecision",
            "permissionDecisionReason",
        ],
        "opencode" => &["decision", "reason", "hookSpecificOutput", "additionalContext"],
        "pi" => &[],
        _ => &["decision", "reason", "hookSpecificOutput", "systemMessage"],
    }
}

/// The events that a host requires by name in replies, if any.
fn named(host: Host) -> &'static [&'static str] {
    match host.name() {
        "claude" | "codex" => &["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"],
        "gemini" => &["SessionStart", "BeforeAgent", "AfterTool"],
        _ => &[],
    }
}

/// Checks that the host understands an output, and that only a denial, a refusal or an answer to
/// the person stops anything.
fn holds_to_the_protocol(heard: &HookCall, reply: &Reply, stdout: &str) {
    let HookCall { host, happening, .. } = heard;
    let refuses = matches!(happening, HookEvent::Stop { .. })
        && matches!(reply.answer, HostAnswer::Refuse { .. });
    let denies = matches!(happening, HookEvent::BeforeTool(_))
        && matches!(reply.answer, HostAnswer::Deny { .. });
    // A prompt for sprag goes no further, if the host can stop it.
    let answers = matches!(happening, HookEvent::Prompt { .. })
        && matches!(reply.answer, HostAnswer::Told(_))
        && *host != Host::OPENCODE;
    let stops = refuses || denies || answers;
    if stdout.is_empty() || *happening == HookEvent::StatusLine {
        assert!(stdout.lines().count() <= 1 && !stops);
        return;
    }
    let value: Value = serde_json::from_str(stdout).unwrap();
    let fields = value.as_object().unwrap();
    assert!(fields.keys().all(|key| known(*host).contains(&key.as_str())), "{host:?} {stdout}");
    let special = &value["hookSpecificOutput"];
    let stopping =
        [&value["decision"], &value["permissionDecision"], &special["permissionDecision"]];
    assert_eq!(stopping.iter().any(|word| !word.is_null()), stops, "{host:?} {stdout}");
    let own = special["hookEventName"].as_str();
    assert!(own.is_none_or(|own| named(*host).contains(&own)), "{host:?} {stdout}");
    let wanted = special.is_object() && !named(*host).is_empty();
    assert_eq!(own.is_some(), wanted, "{host:?} {stdout}");
}

#[test]
fn broken_payloads_are_answered_within_the_protocol() {
    let (fixtures, replies) = (fixtures(), replies());
    let rounds = if long() { 1_000_000 } else { 50_000 };
    let mut understood = [0_u64; HOSTS.len()];
    for round in 0..rounds {
        let mut seed = Seed::new(round);
        let fixture = seed.pick(&fixtures);
        let mut bytes = fixture.bytes.clone();
        for _ in 0..=seed.below(3) {
            mutate(&mut seed, &mut bytes, &TOKENS);
        }
        let Ok(heard) = fixture.host.decode(&bytes, Some(fixture.event())) else { continue };
        understood[HOSTS.iter().position(|host| *host == fixture.host).unwrap()] += 1;
        let reply = seed.pick(&replies);
        let output = fixture.host.encode(&heard, reply);
        assert_eq!((output.exit, output.stderr.as_str()), (0, ""), "round {round}");
        holds_to_the_protocol(&heard, reply, &output.stdout);
        let file = |session| sprag_hosts::session_file(fixture.host, session).as_str().len() < 80;
        let ignored = matches!(heard.happening, HookEvent::Ignored { .. });
        assert!(heard.session.as_ref().map_or(ignored, file), "round {round}");
    }
    println!("understood of {rounds}, by host: {understood:?}");
    for (host, count) in HOSTS.iter().zip(understood) {
        let enough = if *host == Host::PI { 0 } else { rounds / 100 };
        assert!(count >= enough, "only {count} of {host:?} were understood");
    }
}

const SHELL: [&[u8]; 40] = [
    b"sprag ",
    b"cancel",
    b" -C x ",
    b".sprag/",
    b"rm ",
    b"echo ",
    b"\"",
    b"'",
    b"`",
    b"$(",
    b"$((",
    b"${",
    b"}",
    b"(",
    b")",
    b"{ ",
    b";",
    b"\n",
    b"&&",
    b"|",
    b"||",
    b">",
    b">>",
    b"<<E\n",
    b"\nE\n",
    b"<<<",
    b"\\",
    b"#",
    b"$x",
    b" ",
    b"sh -c ",
    b"eval ",
    b"env ",
    b"xargs ",
    b"python3 -c ",
    b"cd .sprag\n",
    b"*",
    b"[",
    "é".as_bytes(),
    b"\0",
];

#[test]
fn any_shell_text_has_an_answer() {
    let rounds = if long() { 1_000_000 } else { 50_000 };
    let mut denied = 0;
    for round in 0..rounds {
        let mut seed = Seed::new(round);
        let mut bytes = Vec::new();
        for _ in 0..seed.below(24) {
            let token: &[u8] = seed.pick::<&[u8]>(&SHELL);
            bytes.extend_from_slice(token);
        }
        for _ in 0..seed.below(3) {
            mutate(&mut seed, &mut bytes, &SHELL);
        }
        let text = String::from_utf8_lossy(&bytes);
        let answer = shell::forbidden(*seed.pick(&HOSTS), &text);
        denied += u64::from(answer.is_some());
        assert!(answer.is_none_or(|why| why.to_string().len() < 600), "round {round}");
    }
    println!("{denied} of {rounds} were denied");
    assert!(denied > rounds / 40 && denied < rounds / 2, "{denied} of {rounds} were denied");
}

#[test]
fn any_path_has_an_answer() {
    let steps = ["/", ".", "..", ".sprag", "home", "dev", "~", "\\", "\0", "é", ".github", "hooks"];
    let ground = edits::EditContext {
        root: "/home/dev".as_ref(),
        cwd: "/home/dev/api".as_ref(),
        home: Some("/home".as_ref()),
    };
    let mut protected = 0;
    for round in 0..50_000 {
        let mut seed = Seed::new(round);
        let path: Vec<&str> = (0..seed.below(8)).map(|_| *seed.pick(&steps)).collect();
        let path = path.join(if seed.below(4) == 0 { "" } else { "/" });
        let found = edits::protected(Host::COPILOT, &path, ground);
        protected += u32::from(found.is_some());
        let speaks = path.contains(".sprag") || path.contains("hooks");
        assert!(found.is_none() || speaks, "{path}");
    }
    assert!(protected > 100, "only {protected} were protected");
}
