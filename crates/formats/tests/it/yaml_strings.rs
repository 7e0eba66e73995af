//! Nasty strings, specs/yaml-editing.md part C: set and inserted everywhere, always read back.

use sprag_formats::{Edit, Format, Value};

use crate::support::{edited, parse, yaml_set};

const NASTY: [&str; 44] = [
    "",
    " ",
    " lead",
    "trail ",
    "a: b",
    "a:",
    ":a",
    "a #b",
    "#a",
    "- a",
    "-",
    "? a",
    "[a",
    "a]",
    "{a}",
    "a, b",
    "&a",
    "*a",
    "!a",
    "|",
    ">",
    "%a",
    "@a",
    "`a",
    "'a'",
    "\"a\"",
    "a\\b",
    "tab\there",
    "two\nlines",
    "ends\n",
    "\n\nstarts",
    "cr\rhere",
    "nul\0",
    "bell\u{7}",
    "\u{85}",
    "\u{2028}",
    "\u{feff}bom",
    "é🚀",
    "---",
    "...",
    "a\n---\nb",
    "<<",
    "\u{fffe}",
    "  two\n spaces\n",
];

const LOOK_ALIKES: [&str; 22] = [
    "null",
    "~",
    "true",
    "False",
    "yes",
    "No",
    "on",
    "OFF",
    "y",
    "1",
    "-1",
    "1.5",
    "1e3",
    "0x1f",
    "0o7",
    "017",
    "1_000",
    "1:30",
    ".inf",
    ".NaN",
    "2026-03-02",
    "2026-03-02T10:30:00Z",
];

const PLACES: [(Format, &str, &str); 8] = [
    (Format::Yaml, "a: old\nb: 1\n", "a"),
    (Format::Yaml, "a: 'old' # c\nb: 1\n", "a"),
    (Format::Yaml, "a: \"old\"\r\nb: 1\r\n", "a"),
    (Format::Yaml, "a: |\n  old\n  text\nb: 1\n", "a"),
    (Format::Yaml, "x: {a: old, b: 1}\n", "x"),
    (Format::Yaml, "b: 1\na: old", "a"),
    (Format::FrontMatter, "---\na: old\n---\nbody\n", "a"),
    (Format::Json, "{\"a\": \"old\"}\n", "a"),
];

#[test]
fn every_string_comes_back() {
    for text in NASTY.iter().chain(&LOOK_ALIKES) {
        for (format, document, key) in PLACES {
            let path: &[&str] = if key == "x" { &["x", "a"] } else { &["a"] };
            let set = edited(format, document, &[Edit::set(path.iter().copied(), *text)]);
            assert_eq!(parse(format, &set).need(path).unwrap().as_str().unwrap(), *text, "{set}");
            let inserted = edited(format, document, &[Edit::set([*text, "k"], *text)]);
            let node = parse(format, &inserted).root().at(&[*text, "k"]).cloned();
            assert_eq!(node.unwrap().value, Value::from(*text), "{inserted}");
        }
    }
}

#[test]
fn look_alikes_are_double_quoted() {
    for text in LOOK_ALIKES {
        assert_eq!(yaml_set("a: old\n", &["a"], text), format!("a: \"{text}\"\n"));
        let listed = yaml_set("", &["k"], Value::list([text]));
        assert_eq!(listed, format!("k:\n  - \"{text}\"\n"));
    }
    assert_eq!(yaml_set("a: old\n", &["a"], "tab\there"), "a: \"tab\\there\"\n");
}

#[test]
fn quotes_stay_as_they_were() {
    for (old, new, want) in [
        ("old", "new", "new"),
        ("old", "4/6", "4/6"),
        ("'old'", "it's", "'it''s'"),
        ("'old'", "yes", "'yes'"),
        ("'old'", "a\nb", "\"a\\nb\""),
        ("\"old\"", "new", "\"new\""),
        ("12", "new", "new"),
        ("\"12\"", "13", "\"13\""),
    ] {
        assert_eq!(yaml_set(&format!("a: {old}\n"), &["a"], new), format!("a: {want}\n"));
    }
    assert_eq!(yaml_set("a: \"12\"\n", &["a"], 13), "a: 13\n");
}

#[test]
fn block_scalars_stay_block_scalars() {
    let text = "a: |\n    one\n    two\nb: 1\n";
    assert_eq!(yaml_set(text, &["a"], "x\n\ny\n"), "a: |\n    x\n\n    y\nb: 1\n");
    assert_eq!(yaml_set(text, &["a"], "no end"), "a: |-\n    no end\nb: 1\n");
    assert_eq!(yaml_set(text, &["a"], " lead\n"), "a: \" lead\\n\"\nb: 1\n");
    assert_eq!(yaml_set("a: |\n  at the end", &["a"], "x\n"), "a: \"x\\n\"");
}
