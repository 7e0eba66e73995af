use super::*;

fn text(json: &str) -> Result<Option<String>, Bad> {
    let mut at = Json::new(json.as_bytes());
    at.text().and_then(|text| at.end().map(|()| text))
}

fn skips(json: &str) -> bool {
    let mut at = Json::new(json.as_bytes());
    at.skip().and_then(|()| at.end()).is_ok()
}

#[test]
fn strings_are_read_as_javascript_means_them() {
    for (json, expected) in [
        (r#""""#, ""),
        (r#" "a\"b\\c\/d\b\f\n\r\te" "#, "a\"b\\c/d\u{8}\u{c}\n\r\te"),
        (r#""\u00e9\u0041""#, "éA"),
        (r#""\ud83d\ude00!""#, "😀!"),
        (r#""\ud83d""#, "\u{fffd}"),
        (r#""\ude00x""#, "\u{fffd}x"),
        (r#""\ud83d\u0041""#, "\u{fffd}A"),
        (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
        (r#""größe""#, "größe"),
    ] {
        assert_eq!(text(json), Ok(Some(expected.to_owned())), "{json}");
    }
}

#[test]
fn bytes_that_are_no_text_do_not_stop_it() {
    assert_eq!(Json::new(b"\"a\xff\\n\xfe\"").text(), Ok(Some("a\u{fffd}\n\u{fffd}".to_owned())));
    assert_eq!(Json::new(b"\xef\xbb\xbf\"a\"").text(), Ok(Some("a".to_owned())));
}

#[test]
fn other_values_are_no_text() {
    for json in ["1", "-1.5e+3", "null", "true", "{}", "[[],{\"a\":[\"]\"]}]"] {
        assert_eq!(text(json), Ok(None), "{json}");
    }
}

#[test]
fn what_is_cut_short_is_not_taken_for_whole() {
    for json in [
        "", " ", "\"", "\"a", "\"a\\", "\"a\\\"", "{", "[", "[1", "{\"a\"", "{\"a\":", "{\"a\":1",
        ",", "]", "[1]]", "1 2", ":",
    ] {
        assert!(!skips(json), "{json}");
    }
    for json in [r#""\u12""#, r#""\u12g4""#, r#""\x""#] {
        assert!(text(json).is_err(), "{json}");
    }
}

#[test]
fn nesting_costs_nothing() {
    let deep = 1_000_000;
    assert!(skips(&format!("{}{}", "[".repeat(deep), "]".repeat(deep))));
    assert!(!skips(&"[{\"a\":".repeat(deep)));
}

#[test]
fn maps_and_lists_hand_out_their_values() {
    let mut seen = Vec::new();
    let json = r#"{"a": "1", "b": [2, "3", {"c": "4"}], "d": {"e": "5"}, "\u0061": true}"#;
    let mut at = Json::new(json.as_bytes());
    at.map(|key, value| match key {
        "b" => value.list(|item| item.text().map(|text| seen.extend(text))),
        "a" => value.is_true().map(|yes| seen.push(yes.to_string())),
        _ => value.skip(),
    })
    .unwrap();
    at.end().unwrap();
    assert_eq!(seen, ["false", "3", "true"]);
}

#[test]
fn a_text_or_a_list_of_texts() {
    for (json, expected) in [
        (r#""a""#, vec!["a"]),
        (r#"["a", 1, "b", ["c"]]"#, vec!["a", "b"]),
        ("{}", vec![]),
        ("[]", vec![]),
    ] {
        let mut into = Vec::new();
        Json::new(json.as_bytes()).texts(&mut into).unwrap();
        assert_eq!(into, expected, "{json}");
    }
}
