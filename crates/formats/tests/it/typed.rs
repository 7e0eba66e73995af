//! Typed reading: values, and faults that point at them.

use sprag_formats::{Document, Fault, FaultKind, Format};

use crate::support::parse;

const TEXT: &str = "loop:\n  iteration: 3\n  type: ~\n  on: true\n  history:\n    - gaps: [a]\n    - x\n  cost: 1.5\n";

fn place(fault: &Fault) -> (usize, usize) {
    (fault.place.line, fault.place.col)
}

#[test]
fn values_are_read_by_path() {
    let doc = parse(Format::Yaml, TEXT);
    assert_eq!(doc.need(&["loop", "iteration"]).unwrap().as_u64().unwrap(), 3);
    assert_eq!(doc.need(&["loop", "iteration"]).unwrap().as_i64().unwrap(), 3);
    assert!(doc.need(&["loop", "on"]).unwrap().as_bool().unwrap());
    assert!((doc.need(&["loop", "cost"]).unwrap().as_f64().unwrap() - 1.5).abs() < f64::EPSILON);
    assert_eq!(doc.need(&["loop", "history", "0", "gaps", "0"]).unwrap().as_str().unwrap(), "a");
    assert!(doc.get(&["loop", "type"]).unwrap().is_null());
    assert!(doc.optional(&["loop", "type"]).is_none());
    let keys: Vec<_> = doc.need(&["loop"]).unwrap().entries().unwrap();
    let keys: Vec<_> = keys.iter().map(|(key, field)| (*key, field.path())).collect();
    assert_eq!(keys[0], ("iteration", "loop.iteration".to_owned()));
    let items = doc.need(&["loop", "history"]).unwrap().items().unwrap();
    assert_eq!(items[1].path(), "loop.history[1]");
}

#[test]
fn a_wrong_type_says_what_was_expected_and_found() {
    let doc = parse(Format::Yaml, TEXT);
    let field = |path: &[&str]| doc.need(path).unwrap();
    let fault = field(&["loop", "history", "1"]).as_u64().unwrap_err();
    assert_eq!(fault.what, "expected a whole number from 0 up, found a string");
    assert_eq!((fault.kind, place(&fault)), (FaultKind::Type, (7, 7)));
    assert_eq!(fault.expected.as_deref(), Some("a whole number from 0 up"));
    let fault = field(&["loop", "cost"]).as_i64().unwrap_err();
    assert_eq!(fault.what, "expected a whole number, found `1.5`");
    let fault = field(&["loop"]).items().unwrap_err();
    assert_eq!(fault.what, "expected a list, found a map");
    assert_eq!(&TEXT[fault.span.range()], "iteration: 3", "one line under the caret");
    for wrong in [
        field(&["loop"]).as_str().unwrap_err(),
        field(&["loop"]).as_bool().unwrap_err(),
        field(&["loop", "on"]).as_f64().unwrap_err(),
        field(&["loop", "on"]).entries().unwrap_err(),
    ] {
        assert_eq!(wrong.kind, FaultKind::Type);
    }
}

#[test]
fn a_missing_value_is_named_with_its_path() {
    let doc = parse(Format::Yaml, TEXT);
    for (path, what) in [
        (&["loop", "max"][..], "`loop.max` is missing"),
        (&["loop", "type"][..], "`loop.type` is missing"),
        (&["loop", "history", "7"][..], "`loop.history[7]` is missing"),
        (&["nothing", "below"][..], "`nothing` is missing"),
    ] {
        let fault = doc.need(path).unwrap_err();
        assert_eq!((fault.what.as_str(), fault.kind), (what, FaultKind::Missing));
    }
}

#[test]
fn unknown_keys_are_listed_with_their_lines() {
    let doc = parse(Format::Yaml, TEXT);
    let unknown = doc.need(&["loop"]).unwrap().unknown_keys(&["iteration", "type", "history"]);
    let unknown: Vec<_> = unknown.iter().map(|fault| (fault.what.as_str(), place(fault))).collect();
    assert_eq!(unknown, [("unknown key `loop.on`", (4, 3)), ("unknown key `loop.cost`", (8, 3))]);
}

#[test]
fn json_is_read_the_same_way() {
    let doc = Document::parse(Format::Json, "{\n  \"a\": {\"b\": \"x\"}\n}\n").unwrap();
    let fault = doc.need(&["a", "b"]).unwrap().as_bool().unwrap_err();
    assert_eq!(fault.to_string(), "2:14: expected a boolean, found a string");
}
