//! The limits, exact to the byte, the level and the value.

use sprag_formats::{Document, FaultKind, Format, MAX_BYTES, MAX_DEPTH, MAX_NODES};

use crate::support::numbered;

#[test]
fn limits_are_faults() {
    let over = [
        (Format::Yaml, "a".repeat(MAX_BYTES + 1)),
        (Format::Json, format!("\"{}\"", "a".repeat(MAX_BYTES))),
        (Format::Yaml, "[".repeat(129) + &"]".repeat(129)),
        (Format::Json, "[".repeat(129) + &"]".repeat(129)),
        (Format::Yaml, "- ".repeat(129) + "x"),
        (Format::Yaml, numbered(66_000, |n| format!("k{n}: 1\n"))),
        (
            Format::Yaml,
            format!(
                "a: &a {}{}\nb: {}*a{}\n",
                "[".repeat(100),
                "]".repeat(100),
                "[".repeat(100),
                "]".repeat(100)
            ),
        ),
    ];
    for (format, text) in over {
        let fault = Document::parse(format, &text).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Limit, "{fault}");
    }
}

/// Returns whether a text can be read. If not, the fault must be a limit.
fn within_limits(format: Format, text: &str) -> bool {
    match Document::parse(format, text) {
        Ok(_) => true,
        Err(fault) => {
            assert_eq!(fault.kind, FaultKind::Limit, "{fault}");
            false
        }
    }
}

#[test]
fn limits_are_exact() {
    let list = |items: usize| format!("[{}]", vec!["1"; items].join(","));
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    let long = |bytes: usize| format!("\"{}\"", "a".repeat(bytes - 2));
    for format in [Format::Yaml, Format::Json] {
        for (most, make) in [
            (MAX_NODES - 1, &list as &dyn Fn(usize) -> String),
            (MAX_DEPTH, &deep),
            (MAX_BYTES, &long),
        ] {
            assert!(within_limits(format, &make(most)), "{format:?} {most}");
            assert!(!within_limits(format, &make(most + 1)), "{format:?} {most}");
        }
    }
}

#[test]
fn what_an_anchor_keeps_is_counted_too() {
    let list = |items: usize| format!("[{}]", vec!["1"; items].join(","));
    let half = MAX_NODES / 2;
    // The list, its items, and all of them again for the anchor.
    assert!(within_limits(Format::Yaml, &format!("&a {}", list(half - 1))));
    assert!(!within_limits(Format::Yaml, &format!("&a {}", list(half))));
    assert!(within_limits(Format::Yaml, &list(half)));
}
