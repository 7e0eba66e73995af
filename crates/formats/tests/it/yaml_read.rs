//! What the strict reader takes, refuses, and says.

use sprag_formats::{Document, FaultKind, Format, Value};

use crate::support::{fault, parse};

fn value(text: &str) -> Value {
    parse(Format::Yaml, text).root().value.clone()
}

#[test]
fn the_core_schema_is_followed() {
    let text =
        "a: yes\nb: on\nc: ~\nd:\ne: 'no'\nf: 0o17\ng: True\nh: 2026-03-02\ni: 1_000\nj: !!str 5\n";
    let want = Value::map([
        ("a", Value::from("yes")),
        ("b", Value::from("on")),
        ("c", Value::Null),
        ("d", Value::Null),
        ("e", Value::from("no")),
        ("f", Value::from(15)),
        ("g", Value::from(true)),
        ("h", Value::from("2026-03-02")),
        ("i", Value::from("1_000")),
        ("j", Value::from("5")),
    ]);
    assert_eq!(value(text), want);
}

#[test]
fn what_readers_disagree_about_is_refused() {
    for (text, place, what) in [
        ("a: b: c\n", (1, 5), "a second `:` in one value"),
        ("a: 1\nb: 2\na: 3\n", (3, 1), "the key `a` is here twice"),
        ("1: x\n\"1\": y\n", (2, 1), "the key `1` is here twice"),
        ("a:\n\tb: 1\n", (2, 2), "a tab is used as indentation"),
        ("\ta: 1\n", (1, 2), "a tab is used as indentation"),
        ("a: *x\n", (1, 4), "this alias has no anchor before it"),
        ("a: &x [*x]\n", (1, 8), "this alias stands inside its own anchor"),
        ("---\na: 1\n---\nb: 2\n", (3, 1), "a second document begins here"),
        ("a: 1\n...\nb: 2\n", (3, 1), "a second document begins here"),
        ("b: &x {a: 1}\n<<: *x\n", (2, 1), "merge keys (`<<`) are not read here"),
        ("[a]: 1\n", (1, 1), "this key is no simple text"),
        ("? |\n  a\n: 1\n", (2, 3), "this key is no simple text"),
        ("a: !foo 1\n", (1, 9), "the tag `!foo` is not known here"),
        ("a: !!int x\n", (1, 10), "this value is no `!!int`"),
        ("a: [1, 2\n", (1, 4), "`[` is never closed"),
        ("a: \"b\n", (2, 1), "a quote before this line is not closed"),
        ("# c\n\u{feff}- a\n", (2, 1), "a second byte order mark"),
        ("ä: @b\n", (1, 4), "`@` cannot stand here"),
        ("a:\n  b: 1\n c: 2\n", (3, 2), "this line fits no map or list above it"),
    ] {
        let fault = fault(Format::Yaml, text);
        assert_eq!(
            (fault.what.as_str(), (fault.place.line, fault.place.col)),
            (what, place),
            "{text}"
        );
        assert_eq!(fault.kind, FaultKind::Syntax);
    }
}

#[test]
fn a_quoted_merge_key_is_a_key() {
    assert_eq!(value("'<<': 1\n"), Value::map([("<<", 1)]));
}

#[test]
fn aliases_are_written_out() {
    assert_eq!(value("a: &x [1]\nb: *x\n"), value("a: [1]\nb: [1]\n"));
}

#[test]
fn empty_documents_are_null() {
    for text in ["", "# only\n", "---\n", "\u{feff}", "---\n...\n", "\n\n"] {
        assert_eq!(value(text), Value::Null, "{text:?}");
    }
}

#[test]
fn every_value_knows_its_bytes() {
    let text = "\u{feff}k:\r\n- größe # c\r\n- {a: 'b'}\r\nm: |\r\n  text\r\n";
    let doc = parse(Format::Yaml, text);
    let bytes = |path: &[&str]| &text[doc.get(path).unwrap().node().span.range()];
    assert_eq!(bytes(&["k", "0"]), "größe");
    assert_eq!(bytes(&["k", "1"]), "{a: 'b'}");
    assert_eq!(bytes(&["k", "1", "a"]), "'b'");
    let place = doc.place(doc.get(&["k", "1", "a"]).unwrap().node().span.start());
    assert_eq!((place.line, place.col), (3, 7));
}

#[test]
fn front_matter_faults_stand_in_the_whole_file() {
    let fault = fault(Format::FrontMatter, "\u{feff}---\r\nok: 1\r\nä: b: c\r\n---\r\n");
    assert_eq!((fault.place.line, fault.place.col), (3, 5));
}

#[test]
fn a_body_is_never_state() {
    let text = "# Notes\n---\nloop: 1\n---\n";
    let doc = parse(Format::FrontMatter, text);
    assert!(!doc.has_front_matter());
    assert_eq!((doc.body(), doc.get(&["loop"]).is_none()), (text, true));
    let doc = parse(Format::FrontMatter, "---\na: 1\n---\nloop: 1\n");
    assert_eq!((doc.body(), doc.get(&["loop"]).is_none()), ("loop: 1\n", true));
}

#[test]
fn directives_and_markers_are_allowed() {
    for text in ["%YAML 1.2\n---\na: 1\n...\n", "--- # c\na: 1\n", "a: 1\n...\n# end\n"] {
        assert!(Document::parse(Format::Yaml, text).is_ok(), "{text:?}");
    }
}
