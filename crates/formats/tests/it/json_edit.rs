//! JSON files are edited in their own style.

use sprag_formats::{Edit, FaultKind, Format, Number, Value};

use crate::support::{edited, try_edit};

fn set(text: &str, path: &[&str], value: impl Into<Value>) -> String {
    edited(Format::Json, text, &[Edit::set(path.iter().copied(), value)])
}

fn remove(text: &str, path: &[&str]) -> String {
    edited(Format::Json, text, &[Edit::remove(path.iter().copied())])
}

#[test]
fn order_and_numbers_stay() {
    let text = "{\n  \"z\": 1.0,\n  \"a\": 1e3,\n  \"x_unknown\": [ 1 ]\n}";
    assert_eq!(set(text, &["a"], 2), text.replace("1e3", "2"));
    assert_eq!(set(text, &["z"], Number::parse("1.0").unwrap()), text);
}

#[test]
fn new_entries_look_like_their_neighbours() {
    let nested = || Value::map([("b", Value::list([1, 2]))]);
    for (text, want) in [
        ("{}", "{\n  \"n\": {\n    \"b\": [\n      1,\n      2\n    ]\n  }\n}"),
        ("{\"a\":1}", "{\"a\":1,\"n\":{\"b\":[1,2]}}"),
        ("{\"a\": 1}", "{\"a\": 1, \"n\": {\"b\": [1, 2]}}"),
        (
            "{\r\n\t\"a\": 1\r\n}\r\n",
            "{\r\n\t\"a\": 1,\r\n\t\"n\": {\r\n\t\t\"b\": [\r\n\t\t\t1,\r\n\t\t\t2\r\n\t\t]\r\n\t}\r\n}\r\n",
        ),
    ] {
        assert_eq!(set(text, &["n"], nested()), want);
    }
    let text = "{\n    \"a\": {},\n    \"l\": [\n        1\n    ]\n}\n";
    assert_eq!(
        set(text, &["a", "b", "c"], true),
        text.replace("{},", "{\n        \"b\": {\n            \"c\": true\n        }\n    },")
    );
    assert_eq!(set(text, &["l", "1"], 2), text.replace("        1\n", "        1,\n        2\n"));
}

#[test]
fn removal_takes_one_comma() {
    let text = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n";
    assert_eq!(remove(text, &["a"]), "{\n  \"b\": 2,\n  \"c\": 3\n}\n");
    assert_eq!(remove(text, &["b"]), "{\n  \"a\": 1,\n  \"c\": 3\n}\n");
    assert_eq!(remove(text, &["c"]), "{\n  \"a\": 1,\n  \"b\": 2\n}\n");
    assert_eq!(remove("{\n  \"a\": 1\n}\n", &["a"]), "{}\n");
    assert_eq!(remove("{\"a\":[1,2,3]}", &["a", "1"]), "{\"a\":[1,3]}");
}

#[test]
fn yaml_numbers_become_json_numbers() {
    let number = |text: &str| Number::parse(text).unwrap();
    assert_eq!(set("{\"a\":0}", &["a"], number("0x1F")), "{\"a\":31}");
    assert_eq!(set("{\"a\":0}", &["a"], number(".5")), "{\"a\":0.5}");
    assert_eq!(set("{\"a\":0}", &["a"], number("1.")), "{\"a\":1}");
    assert_eq!(set("{\"a\":0}", &["a"], number("1.0")), "{\"a\":1.0}", "as it is written");
}

#[test]
fn computed_numbers_are_written_as_javascript_does() {
    let text = "{\"a\":0.5,\"l\":[true]}";
    for (value, want) in [
        (1.0, "1"),
        (-0.0, "0"),
        (1.0 / 3.0, "0.3333333333333333"),
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (5e-7, "5e-7"),
    ] {
        assert_eq!(set(text, &["a"], value), text.replace("0.5", want));
        let after = set(text, &["l", "0"], Value::map([("x", Value::list([value]))]));
        assert_eq!(after, text.replace("true", &format!("{{\"x\":[{want}]}}")));
    }
    for same in ["{\"a\":1}", "{\"a\":1.0}", "{\"a\":10e-1}"] {
        assert_eq!(set(same, &["a"], 1.0), same, "no value changes, no byte changes");
        let whole = Value::map([("a", 1.0)]);
        assert_eq!(set(same, &[], whole), same);
    }
    assert_eq!(set("{\"l\":[1.0,2.0]}", &["l"], Value::list([1.0, 3.0])), "{\"l\":[1.0,3]}");
    let fault = try_edit(Format::Json, text, &[Edit::set(["a"], f64::NAN)]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Guard, "JSON has no such number");
}
