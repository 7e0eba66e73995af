//! The texts that the strict reader accepts and refuses, and its messages.

use sprag_formats::{Document, FaultKind, Format, Value};

use crate::support::{fault, numbered, parse};

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
        ("a: !foo 1\n", (1, 4), "the tag `!foo` is not known here"),
        ("a:\n  !<!bar> baz\n", (2, 3), "the tag `!<!bar>` is not known here"),
        ("a: &x !foo\n", (1, 7), "the tag `!foo` is not known here"),
        ("a: !!set {b}\n", (1, 4), "the tag `!!set` is not known here"),
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
        assert!(fault.expected.is_some(), "{text}");
    }
}

#[test]
fn what_was_expected_is_said() {
    for (text, what, expected) in [
        ("[a] b\n", "the document cannot go on like this", "`---`, or the end of the document"),
        ("a: 1\nb\nc: 2\n", "this key has no `:`", "`:` and a blank after the key"),
        ("a: [1 }\n", "`[` is closed by `}`", "a `]`"),
        ("a: ]\n", "this bracket closes nothing", "an opening bracket before it"),
        ("a: 'b' c\n", "something follows the closing quote", "the end of the value"),
        ("a: \"\\q\"\n", "this escape is not known", "an escape such as `\\n` or `\\u00e9`"),
        ("a: |x\n  b\n", "this block text begins wrongly", "`|` or `>` at the end of the line"),
        ("a: - b\n", "a `-` cannot stand here", "each item of a list in its own line, after `- `"),
        ("a: *\n", "this anchor or alias has no name", "a name right after `&` or `*`"),
        ("a: !x!y z\n", "this is no tag", "a tag such as `!!str`, or none"),
        (
            "%YAML x\n---\na: 1\n",
            "this directive is not understood",
            "`%YAML 1.2` once, then `---`",
        ),
        ("a: 1\n... b\n", "something follows `...` in its line", "only a comment after `...`"),
        ("a: {b: 1 c: 2}\n", "this map in brackets goes on wrongly", "`,` or `}`"),
        ("a: 'b'#c\n", "a comment follows without a blank", "a blank before `#`"),
        ("a: !!int x\n", "this value is no `!!int`", "a whole number"),
        ("a: !!null x\n", "this value is no `!!null`", "nothing, or `null`"),
        ("<<: {}\n", "merge keys (`<<`) are not read here", "the keys themselves"),
    ] {
        let fault = fault(Format::Yaml, text);
        let said = (fault.what.as_str(), fault.expected.as_deref());
        assert_eq!(said, (what, Some(expected)), "{text}");
    }
}

#[test]
fn keys_are_kept_as_they_are_written() {
    let doc = parse(Format::Yaml, "0x1F: a\n1e3: b\n~: c\ntrue: d\n");
    for (key, text) in [("0x1F", "a"), ("1e3", "b"), ("~", "c"), ("true", "d")] {
        assert_eq!(doc.need(&[key]).unwrap().as_str().unwrap(), text);
    }
}

#[test]
fn a_doubled_key_is_seen_among_many() {
    let keys = numbered(40, |n| format!("k{n}: 1\n"));
    parse(Format::Yaml, &keys);
    for n in [0, 14, 15, 16, 17, 39] {
        let fault = fault(Format::Yaml, &format!("{keys}k{n}: 2\n"));
        assert_eq!(fault.what, format!("the key `k{n}` is here twice"));
        assert_eq!(fault.place.line, 41);
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
