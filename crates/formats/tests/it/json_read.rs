//! The texts that the JSON reader accepts and refuses.

use sprag_formats::{Format, Number, Value};

use crate::support::{fault, parse};

#[test]
fn all_of_json_is_read() {
    let text = "\u{feff} {\"a\": [1, -0.5e+3, true, false, null], \"\\u00e9\\n\\ud83d\\ude00\": \"/\\/\"} ";
    let number = |text: &str| Value::Number(Number::parse(text).unwrap());
    let want = Value::map([
        (
            "a",
            Value::list([number("1"), number("-0.5e+3"), true.into(), false.into(), Value::Null]),
        ),
        ("é\n😀", Value::from("//")),
    ]);
    assert_eq!(parse(Format::Json, text).root().value, want);
    for text in ["1", "\"x\"", "[]", "{}", "null"] {
        parse(Format::Json, text);
    }
}

#[test]
fn what_is_not_json_is_refused_where_it_is() {
    for (text, place, what) in [
        ("", (1, 1), "the file ends here"),
        ("{\"a\": 1", (1, 8), "the file ends here"),
        ("{\"a\": 1}\n x", (2, 2), "something follows the value"),
        ("{\"a\": 1, \"a\": 2}", (1, 10), "the key `a` is here twice"),
        ("{\"a\": 1,}", (1, 9), "this is no key"),
        ("[1,]", (1, 4), "this is no JSON value"),
        ("[1 2]", (1, 4), "this list goes on wrongly"),
        ("{a: 1}", (1, 2), "this is no key"),
        ("{\"a\" 1}", (1, 6), "the key has no value"),
        ("{\"a\": 1 \"b\"}", (1, 9), "this map goes on wrongly"),
        ("[01]", (1, 2), "`01` is no JSON number"),
        ("[+1]", (1, 2), "this is no JSON value"),
        ("[1.]", (1, 2), "`1.` is no JSON number"),
        ("[NaN]", (1, 2), "this is no JSON value"),
        ("[trux]", (1, 2), "this is no JSON value"),
        ("\"é\\x\"", (1, 3), "this escape is not known"),
        ("\"\\u12\"", (1, 2), "this escape is cut short"),
        ("\"\\ud800\"", (1, 2), "half of a surrogate pair is no character"),
        ("\"\\ud800\\ud800\"", (1, 2), "half of a surrogate pair is no character"),
        ("\"\\udc00\"", (1, 2), "half of a surrogate pair is no character"),
        ("\"a\nb\"", (1, 3), "a control character in a string"),
        ("[\"abc", (1, 2), "this string is never closed"),
        ("// c\n1", (1, 1), "this is no JSON value"),
    ] {
        let fault = fault(Format::Json, text);
        assert_eq!(
            (fault.what.as_str(), (fault.place.line, fault.place.col)),
            (what, place),
            "{text}"
        );
        assert!(fault.expected.is_some(), "{text}");
    }
}
