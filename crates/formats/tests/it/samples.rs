//! Real files of the edited formats, and the parts that an edit must keep.

use sprag_formats::{Document, Edit, Format, Value};

use crate::support::{edited, fault, parse};

macro_rules! samples {
    ($($format:ident $name:literal),* $(,)?) => {
        &[$((Format::$format, include_str!(concat!("../data/", $name)), $name)),*]
    };
}

static SAMPLES: &[(Format, &str, &str)] = samples![
    Yaml "01-review-full-comments.yaml",
    Yaml "02-response-block-scalars.yaml",
    Yaml "04-ci-pending-checker.yaml",
    Yaml "prompts.yaml",
    FrontMatter "s01-active-execute.md",
    FrontMatter "s10-body-decoy.md",
    FrontMatter "s12-crlf.md",
    FrontMatter "s14-quoted-and-flow.md",
    FrontMatter "s17-injection.md",
    FrontMatter "c05-autonomous-crlf.md",
    Json "hook-skill.json",
];

pub(crate) fn all() -> &'static [(Format, &'static str, &'static str)] {
    SAMPLES
}

fn sample(name: &str) -> (Format, &'static str) {
    let found = SAMPLES.iter().find(|(_, _, of)| *of == name).unwrap();
    (found.0, found.1)
}

/// The lines that differ, old and new.
fn changed(before: &str, after: &str) -> Vec<(String, String)> {
    assert_eq!(before.lines().count(), after.lines().count(), "{after}");
    let pairs = before.lines().zip(after.lines()).filter(|(old, new)| old != new);
    pairs.map(|(old, new)| (old.to_owned(), new.to_owned())).collect()
}

fn pair(old: &str, new: &str) -> (String, String) {
    (old.to_owned(), new.to_owned())
}

#[test]
fn every_sample_is_read() {
    for (format, text, name) in SAMPLES {
        assert!(Document::parse(*format, text).is_ok(), "{name}");
    }
}

#[test]
fn doubled_keys_are_shown_where_they_are() {
    let text = include_str!("../data/s21-duplicate-keys.md");
    let fault = fault(Format::FrontMatter, text);
    assert!(fault.what.contains("twice"), "{fault}");
    let line = text.lines().nth(fault.place.line - 1).unwrap();
    assert!(text.matches(line.split(':').next().unwrap()).count() > 1, "{line}");
}

#[test]
fn one_line_changes_and_keeps_its_comment() {
    let (format, text) = sample("01-review-full-comments.yaml");
    let edits = [
        Edit::set(["reviewLoop", "pausedAt"], "2026-03-02T10:30:00Z"),
        Edit::set(["reviewLoop", "active"], false),
        Edit::set(["turn"], "RESPONSE"),
    ];
    assert_eq!(
        changed(text, &edited(format, text, &edits)),
        [
            pair("turn: REVIEW", "turn: RESPONSE"),
            pair(
                "  active: true                    # Is loop currently running?",
                "  active: false                    # Is loop currently running?",
            ),
            pair(
                "  pausedAt: null                  # Set when paused, null when active",
                "  pausedAt: \"2026-03-02T10:30:00Z\"                  # Set when paused, null when active",
            ),
        ]
    );
}

#[test]
fn loop_state_is_edited_in_every_state_file() {
    for (format, text, name) in SAMPLES.iter().filter(|(_, _, name)| name.starts_with('s')) {
        let doc = parse(*format, text);
        if doc.get(&["loop", "iteration"]).is_none() {
            continue;
        }
        let after = edited(*format, text, &[Edit::set(["loop", "iteration"], 9)]);
        let after = parse(*format, &after);
        assert_eq!(after.need(&["loop", "iteration"]).unwrap().as_u64().unwrap(), 9, "{name}");
        assert_eq!(after.body(), doc.body(), "{name}");
    }
}

#[test]
fn line_ends_of_a_windows_file_stay() {
    let (format, text) = sample("s12-crlf.md");
    let edits = [
        Edit::set(["loop", "history", "0"], Value::map([("iteration", 1)])),
        Edit::set(["loop", "session_id"], "s-1"),
    ];
    let after = edited(format, text, &edits);
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
}

#[test]
fn lists_of_maps_replace_lists() {
    let (format, text) = sample("04-ci-pending-checker.yaml");
    let review = Value::map([("body", Value::from("one\ntwo: 2")), ("author", Value::from("r"))]);
    let after = edited(
        format,
        text,
        &[
            Edit::set(["latestReviews"], Value::list([review.clone(), review])),
            Edit::set(["ciStatus"], Value::List(Vec::new())),
            Edit::set(["latestComments", "0"], "first"),
        ],
    );
    assert!(after.contains("\nciStatus: []\n"), "{after}");
    assert!(after.contains("latestComments:\n- first\n"), "zero-indented as the file is: {after}");
    assert!(after.contains("- body: \"one\\ntwo: 2\"\n  author: r\n"), "{after}");
}

#[test]
fn thirty_cycles_leave_no_trace() {
    let (format, text) = sample("01-review-full-comments.yaml");
    let mut now = text.to_owned();
    for round in 0..30 {
        let nested =
            Value::map([("round", Value::from(round)), ("ids", Value::list(["F1", "F2"]))]);
        now = edited(format, &now, &[Edit::set(["reviewLoop", "last"], nested)]);
        now = edited(format, &now, &[Edit::set(["turn"], "CI-PENDING")]);
        now = edited(format, &now, &[Edit::remove(["reviewLoop", "last"])]);
        now = edited(format, &now, &[Edit::set(["turn"], "REVIEW")]);
    }
    assert_eq!(now, text);
}
