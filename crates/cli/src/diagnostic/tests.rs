use sprag_testkit::text;

use super::*;
use crate::style::{Colour, Signs, WIDTH};

const UNICODE: StreamStyle = StreamStyle { colour: Colour::No, signs: Signs::Unicode };

fn complaint(text: &str, line: usize, column: usize) -> Diagnostic {
    Diagnostic {
        level: Level::Error,
        code: Code::Document,
        message: "expected a value".to_owned(),
        at: Some(Location {
            file: "a.yaml".to_owned(),
            spot: Some(Spot { line, column, text: text.to_owned() }),
        }),
        help: Some("close the list".to_owned()),
    }
}

/// Returns the drawn line and the line with the caret.
fn drawn(look: StreamStyle, text: &str, column: usize) -> (String, String) {
    let whole = complaint(text, 1, column).draw(look, WIDTH);
    let mut lines = whole.lines().skip(3).map(|line| {
        assert!(columns(line) <= WIDTH, "{line}");
        line.chars().skip(5).collect::<String>()
    });
    (lines.next().unwrap(), lines.next().unwrap())
}

#[test]
fn place_line_and_caret_are_drawn() {
    let expected = text(
        "
        error[K0102]: expected a value
          ──▶ a.yaml:2:8
           │
         2 │ guard: [
           │        ^
        help: close the list
        ",
    );
    assert_eq!(complaint("guard: [", 2, 8).draw(UNICODE, WIDTH), expected);
}

#[test]
fn plain_is_ascii_and_colour_is_marked() {
    let expected = text(
        "
        error[K0102]: expected a value
          --> a.yaml:1:4
           |
         1 | a: \\u{e9}
           |    ^
        help: close the list
        ",
    );
    assert_eq!(complaint("a: é", 1, 4).draw(StreamStyle::PLAIN, WIDTH), expected);
    let look = StreamStyle { colour: Colour::Yes, ..UNICODE };
    let head = "\u{1b}[31merror[K0102]\u{1b}[0m: \u{1b}[1mexpected a value\u{1b}[0m\n";
    assert!(complaint("", 1, 1).draw(look, WIDTH).starts_with(head));
}

#[test]
fn tabs_wide_and_hostile_characters_keep_the_caret_in_place() {
    assert_eq!(drawn(UNICODE, "\tx: y", 2), ("    x: y".into(), "    ^".into()));
    assert_eq!(drawn(UNICODE, "漢字: y", 5), ("漢字: y".into(), "      ^".into()));
    assert_eq!(drawn(UNICODE, "a\u{1b}b", 3), ("a\\u{1b}b".into(), "       ^".into()));
    assert_eq!(drawn(UNICODE, "e\u{301}x", 3), ("e\u{301}x".into(), " ^".into()));
}

#[test]
fn empty_lines_and_places_past_the_end_are_drawn() {
    assert_eq!(drawn(UNICODE, "", 1), (String::new(), "^".into()));
    assert_eq!(drawn(UNICODE, "ab", 99), ("ab".into(), "  ^".into()));
}

#[test]
fn a_warning_is_called_one() {
    let warning = Diagnostic { level: Level::Warning, ..complaint("", 1, 1) };
    assert!(warning.draw(UNICODE, WIDTH).starts_with("warning[K0102]: expected a value\n"));
}

#[test]
fn a_long_line_is_cut_around_the_place() {
    for look in [UNICODE, StreamStyle::PLAIN] {
        for wide in ["x", "漢"] {
            for at in [0, 1, 50, 74, 75, 76, 77, 500, 998, 999] {
                let line = format!("{}!{}", wide.repeat(at), wide.repeat(999 - at));
                let (text, caret) = drawn(look, &line, at + 1);
                let before = &text[..text.find('!').unwrap_or_else(|| panic!("{at}: {text}"))];
                assert_eq!(columns(before), caret.len() - 1, "{text}\n{caret}");
            }
        }
    }
}

#[test]
fn without_a_spot_only_the_file_is_named() {
    let mut complaint = complaint("", 1, 1);
    complaint.at = Some(Location { file: "a\nb".to_owned(), spot: None });
    complaint.help = None;
    assert_eq!(complaint.draw(UNICODE, WIDTH), "error[K0102]: expected a value\n  ──▶ a\\u{a}b\n");
}
