//! Large and hostile input takes no longer than its length.

use std::fmt::Write as _;
use std::time::Duration;

use sprag_hosts::shell::{MAX_TEXT, forbidden};
use sprag_hosts::{Happening, Host, MAX_BYTES, NotUnderstood};

use crate::support::{fixtures, timed};

/// Far above what is needed and far below what anything but linear would take.
const LIMIT: Duration = Duration::from_secs(1);

/// A call that writes a file of this content.
fn write_call(content: &str) -> Vec<u8> {
    let content = serde_json::to_string(content).unwrap();
    format!(
        "{{\"session_id\":\"s\",\"cwd\":\"/p\",\"hook_event_name\":\"PreToolUse\",\
         \"tool_name\":\"Write\",\"tool_input\":{{\"content\":{content},\
         \"file_path\":\"/p/.sprag/config.yaml\"}},\"tool_use_id\":\"t\"}}"
    )
    .into_bytes()
}

#[test]
fn an_edit_is_judged_however_large_its_content() {
    for (name, content) in [
        ("plain", "line of text\n".repeat(1 << 18)),
        ("quotes", "\"\\".repeat(1 << 20)),
        ("brackets", "[{".repeat(1 << 20)),
        ("not ascii", "größe 😀 ".repeat(1 << 18)),
    ] {
        let said = write_call(&content);
        let mut heard = None;
        let time = timed(LIMIT, || heard = Some(Host::Claude.decode(&said, None).unwrap()));
        let Happening::BeforeTool(call) = heard.unwrap().happening else { panic!("{name}") };
        assert_eq!(call.writes(), ["/p/.sprag/config.yaml"], "{name}");
        println!("{name}: {} bytes in {time:?}", said.len());
        assert!(time < LIMIT, "{name}: {} bytes took {time:?}", said.len());
    }
}

#[test]
fn a_payload_beyond_all_measure_is_said_to_be() {
    let said = vec![b' '; MAX_BYTES + 1];
    let bytes = said.len();
    assert_eq!(Host::Claude.decode(&said, None), Err(NotUnderstood::TooLong { bytes }));
}

#[test]
fn recorded_payloads_are_read_in_no_time() {
    let fixtures = fixtures();
    let (name, largest) = fixtures.iter().max_by_key(|(_, bytes)| bytes.len()).unwrap();
    let time = timed(LIMIT, || {
        for _ in 0..1000 {
            Host::Claude.decode(largest, None).unwrap();
        }
    });
    println!("{name}: {} bytes in {:?}", largest.len(), time / 1000);
    assert!(time < LIMIT, "{name}: a thousand times took {time:?}");
}

/// The longest text there is; an eighth of it where everything is slow.
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
        let time = timed(LIMIT, || drop(forbidden(Host::Claude, &text)));
        println!("{time:?} {name}");
        slowest = slowest.max((time, name));
    }
    assert!(slowest.0 < LIMIT, "{slowest:?}");
}
