//! Large and hostile input takes time linear in its length.

use std::fmt::Write as _;
use std::time::Duration;

use sprag_hosts::shell::{MAX_TEXT, forbidden};
use sprag_hosts::{HOSTS, HookEvent, Host, MAX_BYTES, NotUnderstood};

use crate::support::{fixtures, timed};

/// Far above the need, and far below any time that is not linear.
const LIMIT: Duration = Duration::from_secs(1);

/// Calls that write a file with this content, and the hosts that make them.
fn write_calls(content: &str) -> Vec<(Host, Vec<u8>)> {
    let content = serde_json::to_string(content).unwrap();
    let path = "/p/.sprag/config.yaml";
    let named = |tool: &str, input: &str| {
        format!(
            "{{\"session_id\":\"s\",\"cwd\":\"/p\",\"tool_name\":\"{tool}\",\
             \"tool_input\":{{{input}}},\"tool_use_id\":\"t\"}}"
        )
    };
    let file = |key: &str| format!("\"content\":{content},\"{key}\":\"{path}\"");
    let diff = format!(
        "\"command\":\"*** Begin Patch\\n*** Add File: {path}\\n+{}",
        content.strip_prefix('"').unwrap()
    );
    let camel = format!(
        "{{\"sessionId\":\"s\",\"cwd\":\"/p\",\"toolName\":\"create\",\"toolArgs\":{{{}}}}}",
        file("path")
    );
    [
        (Host::CLAUDE, named("Write", &file("file_path"))),
        (Host::CODEX, named("apply_patch", &diff)),
        (Host::GEMINI, named("write_file", &file("file_path"))),
        (Host::COPILOT, camel),
        (Host::OPENCODE, named("write", &file("filePath"))),
    ]
    .map(|(host, said)| (host, said.into_bytes()))
    .into()
}

/// The host's name of the event before a tool.
fn before_a_tool(host: Host) -> &'static str {
    match host.name() {
        "gemini" => "BeforeTool",
        "copilot" => "preToolUse",
        _ => "PreToolUse",
    }
}

#[test]
fn an_edit_is_judged_however_large_its_content() {
    for (name, content) in [
        ("plain", "line of text\n".repeat(1 << 18)),
        ("quotes", "\"\\".repeat(1 << 20)),
        ("brackets", "[{".repeat(1 << 20)),
        ("not ascii", "größe 😀 ".repeat(1 << 18)),
        ("like a diff", "*** Add File:\n".repeat(1 << 18)),
    ] {
        for (host, said) in write_calls(&content) {
            let mut heard = None;
            let event = Some(before_a_tool(host));
            let time = timed(LIMIT, || heard = Some(host.decode(&said, event).unwrap()));
            let HookEvent::BeforeTool(call) = heard.unwrap().happening else { panic!("{name}") };
            assert_eq!(call.writes(), ["/p/.sprag/config.yaml"], "{host:?} {name}");
            println!("{host:?} {name}: {} bytes in {time:?}", said.len());
            assert!(time < LIMIT, "{host:?} {name}: {} bytes took {time:?}", said.len());
        }
    }
}

#[test]
fn a_payload_beyond_all_measure_is_said_to_be() {
    let said = vec![b' '; MAX_BYTES + 1];
    let bytes = said.len();
    assert_eq!(Host::CLAUDE.decode(&said, None), Err(NotUnderstood::TooLong { bytes }));
}

#[test]
fn recorded_payloads_are_read_in_no_time() {
    let fixtures = fixtures();
    for host in HOSTS.into_iter().filter(|host| *host != Host::PI) {
        let of_host = fixtures.iter().filter(|fixture| fixture.host == host);
        let largest = of_host.max_by_key(|fixture| fixture.bytes.len()).unwrap();
        let time = timed(LIMIT, || {
            for _ in 0..1000 {
                largest.decode().unwrap();
            }
        });
        println!("{}: {} bytes in {:?}", largest.name, largest.bytes.len(), time / 1000);
        assert!(time < LIMIT, "{}: a thousand times took {time:?}", largest.name);
    }
}

/// The longest text allowed, or an eighth of it in slow debug builds.
const LENGTH: usize = if cfg!(debug_assertions) { MAX_TEXT / 8 } else { MAX_TEXT };

fn filled(piece: &str) -> String {
    piece.repeat(LENGTH / piece.len())
}

fn hostile() -> Vec<(String, String)> {
    let pieces = [
        "a",
        " ",
        "a ",
        "a;",
        "\n",
        "\\",
        "'",
        "\"",
        "`",
        "$",
        "$(",
        "$((",
        "${",
        "(",
        ")",
        "{",
        "}",
        "<",
        ">",
        "<<",
        "<<<",
        "<(",
        ">(",
        "&",
        "|",
        "a|",
        "sh|",
        "#",
        "*",
        "/",
        "../",
        ".sprag/",
        ".*",
        "[",
        "\"$(",
        "\"`",
        "${x:-\"",
        "<<a\n",
        "<<a <<b\n",
        "sh<<a\n",
        "cat<<a\n$(",
        "eval ",
        "sh -c ",
        "sh -c '",
        "env ",
        "env rm ",
        "sprag ",
        "sprag;",
        "rm .spr[",
        "x=",
        "cd .sprag;",
        "cd a;",
        "rm x;",
        "xargs rm|",
        "echo a|sh|",
        "python -c ",
        "\"sprag,",
        "$'",
        "\\\n",
        "é",
        "\u{0}",
        "case a) ",
        "find -exec ",
        "tee *[*[ ",
        "sprag\\ ",
        "if ",
    ];
    let mut all: Vec<_> =
        pieces.iter().map(|piece| (format!("{piece:?}"), filled(piece))).collect();
    let mut nested = String::new();
    for level in 0..1000 {
        let _ = writeln!(nested, "sh <<E{level}\n$(sh <<F{level}");
    }
    for level in (0..1000).rev() {
        let _ = writeln!(nested, "F{level}\n)\nE{level}");
    }
    all.push(("documents in documents".to_owned(), nested.clone()));
    all.push(("many of those".to_owned(), nested.repeat(LENGTH / nested.len())));
    let mut open = String::new();
    for level in 0..LENGTH / 16 {
        let _ = writeln!(open, "sh <<E{level}");
    }
    all.push(("documents that never end".to_owned(), open));
    all
}

#[test]
fn hostile_shell_text_takes_no_time() {
    let mut slowest = (Duration::ZERO, String::new());
    for (name, text) in hostile() {
        let time = timed(LIMIT, || drop(forbidden(Host::CLAUDE, &text)));
        println!("{time:?} {name}");
        slowest = slowest.max((time, name));
    }
    assert!(slowest.0 < LIMIT, "{slowest:?}");
}
