use proptest::prelude::*;

use super::*;
use crate::document::{Document, Format};
use crate::stored::{new_file, to_plain};

/// Reads with the strict reader.
fn strict(text: &str) -> Option<Plain> {
    Document::parse(Format::Yaml, text).ok().map(|document| to_plain(document.root()))
}

/// Compares both readers; returns whether the simple one accepted the text.
fn agree(text: &str) -> bool {
    let simple = read(text);
    if simple.is_some() {
        assert_eq!(simple, strict(text), "{text}");
    }
    simple.is_some()
}

const RUN: &str = "\
v: 1
id: r-e2x3
source: workflow:flow
task: a task, \"quoted\" and (not) & more
definition:
  path: /work/root/.sprag/workflows/flow/workflow.yaml
  digest: 501cf7cd669db95f646b5fdf712fa04d06c518e6d49f9cee485e29e3605d718b
started: \"2026-11-15T20:41:21.425Z\"
bounds:
  retry flow/build:
    used: 0
    max: 3
failed:
  flow/build:
    why: |-
      error: no such file
        at line 3\t# not a comment

      é ✓
    tail: |
      one
attempts:
  - fence: 7
    spent:
      - retry flow/build
      - loop
    hold:
      kind: person
  - fence: 12
position:
  path:
    - workflowKey: flow
      phaseIndex: 0
  done: true
";

#[test]
fn a_run_as_we_write_it_is_read() {
    assert!(agree(RUN));
}

#[test]
fn what_is_not_the_simple_form_is_left_to_the_strict_reader() {
    for text in [
        "",
        "\n",
        "a: 1",
        "a: 1\n\n",
        "a:\n",
        "a:\nb: 1\n",
        "a:\n- b\n",
        "a: b # why\n",
        "# why\na: b\n",
        "a: [1]\n",
        "a: {}\n",
        "a: 'b'\n",
        "a: \"\\n\"\n",
        "a: b\n  c\n",
        "a: b: c\n",
        "a: b:\n",
        "a: b \n",
        "a:  b\n",
        "a: 1\na: 2\n",
        "a: &x b\n",
        "a:\n  - - b\n",
        "a:\n    b: 1\n  c: 2\n",
        "a: |\n  b\n\n",
        "a: |+\n  b\n",
        "a: |\n  b\n   \n  c\n",
        "a: |\n\n  b\n",
        "a: |\n  b\n c: 1\n",
        "\u{feff}a: b\n",
        "a: b\r\n",
        "a:\tb\n",
        "---\na: b\n",
        "- a\n",
    ] {
        assert_eq!(read(text), None, "{text:?}");
    }
    let deep: Vec<_> = (0..=WIDEST + 1).map(|column| " ".repeat(column) + "a:").collect();
    assert_eq!(read(&(deep.join("\n") + " 1\n")), None);
    let allowed = deep[..=WIDEST].join("\n") + " 1\n";
    assert!(agree(&allowed));
    assert_eq!(read(&format!("{}: 1\n", "a".repeat(KEY + 1))), None);
    assert_eq!(read(&"a: 1\n".repeat(LONGEST)), None);
}

#[test]
fn a_changed_character_anywhere_is_read_as_the_strict_reader_reads_it() {
    let letters: Vec<char> = RUN.chars().collect();
    let (mut read, mut left) = (0, 0);
    for at in 0..letters.len() {
        for other in "a -:#\n".chars() {
            let (mut changed, mut added) = (letters.clone(), letters.clone());
            changed[at] = other;
            added.insert(at, other);
            for text in [changed, added] {
                let simple = agree(&text.into_iter().collect::<String>());
                *(if simple { &mut read } else { &mut left }) += 1;
            }
        }
    }
    assert!(read > left / 2 && left > read / 2, "both happen: {read} were read, {left} were not");
}

/// Lines, and pieces of lines, that look alike in YAML but have different meanings.
const PIECES: [&str; 40] = [
    "a:",
    "b: c",
    "d: 1",
    "- e",
    "- f: g",
    "- h:",
    "i: |",
    "j: |-",
    "- |",
    "k: \"l\"",
    "",
    " ",
    "# m",
    "- - n",
    "o: -",
    "p: p: q",
    "r: s:",
    "?",
    "t: ~",
    "u: null",
    "v: 0x1f",
    "w: 1.5",
    "x: +7",
    "y: é",
    "z: \u{a0}",
    "...",
    "---",
    "a: b # c",
    "a : b",
    "\"a\": b",
    "- \"a\": b",
    "a: 'b'",
    "a: [b]",
    "- {a: b}",
    "a: >-",
    "<<: a",
    "a: !!str 1",
    "- &x a",
    "- *x",
    "a b-c/d: e f",
];

fn soup() -> impl Strategy<Value = String> {
    let indent = prop::sample::select(vec![0, 0, 0, 2, 2, 4, 1, 3_usize]);
    // Mostly pieces of the simple form, so that many texts are complete.
    let piece = prop_oneof![
        6 => prop::sample::select(&PIECES[..10]),
        1 => prop::sample::select(&PIECES[..]),
    ];
    let line = (indent, piece);
    let line = line.prop_map(|(indent, piece)| format!("{}{piece}\n", " ".repeat(indent)));
    prop::collection::vec(line, 1..6).prop_map(|lines| lines.concat())
}

fn values() -> impl Strategy<Value = Plain> {
    let text = prop_oneof!["[ -~]{0,12}", "\\PC{0,6}", "[a-z:# \n-]{0,10}"];
    let leaf = prop_oneof![
        Just(Plain::Null),
        any::<bool>().prop_map(Plain::Bool),
        any::<i64>().prop_map(|number| Plain::Int(number.into())),
        text.prop_map(Plain::Text),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let key = prop_oneof!["[a-z]{1,3}", "[ -~]{1,5}"];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Plain::List),
            prop::collection::btree_map(key, inner, 0..4)
                .prop_map(|map| Plain::Map(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_it_reads_of_any_lines_the_strict_reader_reads_the_same(text in soup()) {
        agree(&text);
    }

    #[test]
    fn what_it_reads_of_what_we_write_the_strict_reader_reads_the_same(value in values()) {
        agree(&new_file(&value));
    }

    #[test]
    fn what_it_reads_of_an_edited_run_the_strict_reader_reads_the_same(
        edits in prop::collection::vec((0..RUN.len(), 0..3_usize, prop::sample::select(&PIECES[..])), 1..4)
    ) {
        let mut text: Vec<char> = RUN.chars().collect();
        for (at, cut, piece) in edits {
            let at = at.min(text.len());
            let end = (at + cut).min(text.len());
            text.splice(at..end, piece.chars().take(3));
        }
        agree(&text.into_iter().collect::<String>());
    }
}
