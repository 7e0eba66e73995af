//! Edits in the odd documents of specs/yaml-editing.md, part B, and the refused edits.

use sprag_formats::{Edit, FaultKind, Format, Value, to_yaml};

use crate::support::{edited, numbered, try_edit, yaml_remove, yaml_set};

#[test]
fn parents_are_made() {
    for (text, want) in [
        ("", "loop:\n  last: 1\n"),
        ("# only\n", "# only\nloop:\n  last: 1\n"),
        ("# only", "# only\nloop:\n  last: 1"),
        ("---\n...\n", "---\nloop:\n  last: 1\n...\n"),
        ("a: 1\n", "a: 1\nloop:\n  last: 1\n"),
        ("a: 1", "a: 1\nloop:\n  last: 1"),
        ("loop:\n", "loop:\n  last: 1\n"),
        ("loop: ~ # none\n", "loop: # none\n  last: 1\n"),
        ("loop: {} # none\nb: 2\n", "loop: # none\n  last: 1\nb: 2\n"),
        ("loop: {a: 1}\n", "loop: {a: 1, last: 1}\n"),
        ("loop: {\n  a: 1,\n  b: 2\n}\n", "loop: {\n  a: 1,\n  b: 2,\n  last: 1\n}\n"),
        ("loop:\n    a: 1\n    # more\nb: 2\n", "loop:\n    a: 1\n    last: 1\n    # more\nb: 2\n"),
        ("\"loop\": 'x'\n'b': 2\n", "\"loop\": 'x'\n'b': 2\n"),
        ("loops: 1\nloop_: 2\n", "loops: 1\nloop_: 2\nloop:\n  last: 1\n"),
        ("\u{feff}a: 1\r\nloop:\r\n  b: 2\r\n", "\u{feff}a: 1\r\nloop:\r\n  b: 2\r\n  last: 1\r\n"),
        ("%YAML 1.2\n---\na: &x 1\n...\n", "%YAML 1.2\n---\na: &x 1\nloop:\n  last: 1\n...\n"),
        ("t: |\n  text\n\n", "t: |\n  text\n\nloop:\n  last: 1\n"),
        ("t: |+\n  text\n\n", "t: |+\n  text\n\nloop:\n  last: 1\n"),
        ("a: 1\nt: |\n  text", "a: 1\nloop:\n  last: 1\nt: |\n  text"),
    ] {
        let edit = [Edit::set(["loop", "last"], 1)];
        match try_edit(Format::Yaml, text, &edit) {
            Ok(after) => assert_eq!(after, want, "{text:?}"),
            Err(fault) => {
                assert_eq!(fault.what, "`loop` is a string, so it has no `last`");
                assert_eq!(text, want);
            }
        }
    }
}

#[test]
fn front_matter_is_made_and_kept() {
    let set = |text: &str| edited(Format::FrontMatter, text, &[Edit::set(["a"], 1)]);
    assert_eq!(set("# Title\n"), "---\na: 1\n---\n# Title\n");
    assert_eq!(set("\u{feff}# Title\r\n"), "\u{feff}---\r\na: 1\r\n---\r\n# Title\r\n");
    assert_eq!(set("---\n---\nbody"), "---\na: 1\n---\nbody");
    assert_eq!(set("---\nb: 2 # c\n---\n\ta: 1\n"), "---\nb: 2 # c\na: 1\n---\n\ta: 1\n");
    assert_eq!(edited(Format::FrontMatter, "body\n", &[Edit::remove(["a"])]), "body\n");
}

#[test]
fn scalars_become_collections_and_back() {
    let list = || Value::list([Value::map([("id", "F1"), ("sev", "high")]), Value::from("x")]);
    let text = "a: 1 # c\nb: 2\n";
    let there = yaml_set(text, &["a"], list());
    assert_eq!(there, "a: # c\n  - id: F1\n    sev: high\n  - x\nb: 2\n");
    assert_eq!(yaml_set(&there, &["a"], 1), text);
    assert_eq!(yaml_set("a:\n- 1\n- 2\n", &["a"], "x"), "a: x\n");
    assert_eq!(yaml_set("a:\n- 1\n", &["a"], Value::List(Vec::new())), "a: []\n");
    assert_eq!(
        yaml_set("- 1\n- 2\n", &["0"], Value::map([("a", 1), ("b", 2)])),
        "- a: 1\n  b: 2\n- 2\n"
    );
    assert_eq!(yaml_set("a: |\n  one\n  two\nb: 1\n", &["a"], 5), "a: 5\nb: 1\n");
}

#[test]
fn collections_change_entry_by_entry() {
    let text = "m:\n  a: 1 # one\n  # about b\n  b: 'x'\n  c: [1, 2] # list\n";
    let want = Value::map([
        ("a", Value::from(1)),
        ("b", Value::from("y")),
        ("c", Value::list([1, 3, 4])),
        ("d", Value::from(true)),
    ]);
    let after = yaml_set(text, &["m"], want);
    assert_eq!(
        after,
        "m:\n  a: 1 # one\n  # about b\n  b: 'y'\n  c: [1, 3, 4] # list\n  d: true\n"
    );
}

#[test]
fn a_value_that_differs_in_too_many_places_is_written_anew() {
    let lines = |value: &str| numbered(70, |n| format!("  k{n}: {value}\n"));
    let text = format!("m:\n  # about all\n{}", lines("1"));
    let with =
        |changed: i32| Value::map((0..70).map(|n| (format!("k{n}"), i32::from(n >= changed))));
    let after = yaml_set(&text, &["m"], with(64));
    assert_eq!(after.matches(": 0\n").count(), 64);
    assert!(after.contains("# about all"), "{after}");
    assert_eq!(yaml_set(&text, &["m"], with(70)), format!("m:\n{}", lines("0")));
    let after = yaml_set(&text, &["m"], with(65));
    assert!(!after.contains("# about all"), "{after}");
}

#[test]
fn equal_values_are_left_alone() {
    let text = "a: 0x10\nb: {y: 1, x: 2}\nc: \"d\"\n";
    assert_eq!(yaml_set(text, &["a"], 16), text);
    assert_eq!(yaml_set(text, &["b"], Value::map([("x", 2), ("y", 1)])), text);
    assert_eq!(yaml_set(text, &["c"], "d"), text);
    assert_eq!(yaml_remove(text, &["no", "such"]), text);
    let huge = sprag_formats::Number::parse("2e400").unwrap();
    assert_eq!(yaml_set("x: 1e400\n", &["x"], huge), "x: 2e400\n");
}

#[test]
fn several_edits_are_separate_splices() {
    let text = "a: 1\nb: 2\nc: 3\n";
    let doc = sprag_formats::Document::parse(Format::Yaml, text).unwrap();
    let edits = [Edit::set(["a"], 9), Edit::set(["c"], 8), Edit::set(["a"], 7)];
    let splices = doc.edit(&edits).unwrap();
    assert_eq!(splices.len(), 2);
    assert_eq!(sprag_core::apply(text, &splices).unwrap(), "a: 7\nb: 2\nc: 8\n");
}

#[test]
fn anchors_are_guarded() {
    let text = "a: &x 1\nb: *x\nc: &y {k: 1}\nd: *y\n";
    for edits in [
        [Edit::set(["a"], 2)],
        [Edit::remove(["a"])],
        [Edit::set(["c", "k"], 2)],
        [Edit::set(["d", "k"], 2)],
    ] {
        let fault = try_edit(Format::Yaml, text, &edits).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::Guard | FaultKind::Edit), "{fault}");
    }
    assert_eq!(yaml_set(text, &["b"], 2), "a: &x 1\nb: 2\nc: &y {k: 1}\nd: *y\n");
    assert_eq!(yaml_remove("a: &x 1\nb: 2\n", &["a"]), "b: 2\n");
}

#[test]
fn a_root_with_an_anchor_is_edited_in_its_brackets() {
    assert_eq!(yaml_set("&aé {}", &["k"], 1), "&aé {k: 1}");
    assert_eq!(yaml_set("&a\nk: 1\n", &["k"], 2), "&a\nk: 2\n");
    // The parser may or may not take the brackets as part of the name; it is enough not to panic.
    let _ = try_edit(Format::Yaml, "&aé{}", &[Edit::set(["k"], 1)]);
}

#[test]
fn impossible_edits_say_why() {
    for (text, edit, what) in [
        ("a: x\n", Edit::set(["a", "b"], 1), "`a` is a string, so it has no `b`"),
        ("a: [1]\n", Edit::set(["a", "5"], 1), "`5` is no index of a list of 1"),
        ("? a\n: 1\n", Edit::remove(["a"]), "a key written with `?` cannot be edited"),
        ("[é: 1]\n", Edit::remove(["0", "é"]), "a pair without braces cannot be edited"),
        ("[é: 1]\n", Edit::set(["0", "k"], 1), "a pair without braces cannot be edited"),
        ("a: 1\n", Edit::remove(Vec::<String>::new()), "the root cannot be removed"),
    ] {
        let fault = try_edit(Format::Yaml, text, &[edit]).unwrap_err();
        assert_eq!((fault.what.as_str(), fault.kind), (what, FaultKind::Edit));
    }
}

#[test]
fn new_files_are_written_for_people() {
    let value = Value::map([
        ("v", Value::from(1)),
        ("bounds", Value::map([("retry", Value::map([("used", 2), ("max", 3)]))])),
        ("attempts", Value::list([Value::map([("fence", 7), ("m", 1)])])),
        ("hold", Value::Null),
    ]);
    let text = "v: 1\nbounds:\n  retry:\n    used: 2\n    max: 3\nattempts:\n  - fence: 7\n    m: 1\nhold: null\n";
    assert_eq!(to_yaml(&value), text);
    assert_eq!(to_yaml(&Value::Null), "null\n");
}
