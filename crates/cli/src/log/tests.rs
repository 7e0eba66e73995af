use serde_json::json;
use sprag_core::{Hash, Kind};
use sprag_store::LoggedEdit;

use super::*;

fn record(data: Value) -> Record {
    Record {
        seq: Seq(388),
        at: Time::parse("2026-03-05T10:41:07.250Z").unwrap(),
        actor: "claude\u{1b}".to_owned(),
        events: vec![Event {
            run: Some(RunId::parse("r-7k2m").unwrap()),
            kind: Kind::StopRefused,
            data,
        }],
        edits: vec![LoggedEdit {
            doc: ".gsd/STATE.md".to_owned(),
            before: None,
            after: Some(Hash::of("a")),
        }],
    }
}

#[test]
fn an_event_is_a_row() {
    let row = rows(StreamStyle::PLAIN, &record(json!({"gate": "tests", "retry": 2, "of": [1, 2]})));
    let expected =
        "#388   2026-03-05 10:41:07 r-7k2m   stop.refused     gate=tests of=[2] retry=2\n";
    assert_eq!(row, expected);
}

#[test]
fn a_row_is_no_wider_than_the_screen_and_one_line() {
    let row = rows(StreamStyle::PLAIN, &record(json!("x\n".repeat(500))));
    assert_eq!((row.lines().count(), row.lines().next().unwrap().len()), (1, WIDTH));
}

#[test]
fn a_line_of_edits_alone_is_shown() {
    let mut record = record(Value::Null);
    record.events.clear();
    let row = rows(StreamStyle::PLAIN, &record);
    assert_eq!(row, "#388   2026-03-05 10:41:07 -        edit             .gsd/STATE.md\n");
}

#[test]
fn the_sheet_shows_everything_and_sends_no_control_characters() {
    let expected = sprag_testkit::text(
        "
        event 388  2026-03-05T10:41:07.250Z  by claude\\u{1b}
          stop.refused  r-7k2m
            {
              \"gate\": \"tests\"
            }
          edited .gsd/STATE.md  none -> ca978112
        ",
    );
    assert_eq!(sheet(StreamStyle::PLAIN, &record(json!({"gate": "tests"}))), expected);
}
