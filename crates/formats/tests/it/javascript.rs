//! Compares new JSON files with a table made by node 20: tests/data/javascript.js.

use sprag_formats::{Document, Field, Format, Value, to_json, to_json_line};

use crate::support::parse;

const TABLE: &str = include_str!("../data/javascript.json");

fn rows<'d>(doc: &'d Document<'_>, key: &str) -> Vec<Vec<&'d str>> {
    let cells = |row: Field<'d>| -> Vec<&'d str> {
        row.items().unwrap().iter().map(|cell| cell.as_str().unwrap()).collect()
    };
    doc.need(&[key]).unwrap().items().unwrap().into_iter().map(cells).collect()
}

#[test]
fn numbers_are_written_as_javascript_writes_them() {
    let table = parse(Format::Json, TABLE);
    let rows = rows(&table, "numbers");
    assert!(rows.len() > 30);
    for row in rows {
        let value = parse(Format::Json, row[0]).root().value.clone();
        assert_eq!(to_json_line(&value).trim_end(), row[1], "{}", row[0]);
    }
}

#[test]
fn documents_are_sorted_as_javascript_sorts_them() {
    let table = parse(Format::Json, TABLE);
    for row in rows(&table, "documents") {
        let value = parse(Format::Json, row[0]).root().value.clone();
        assert_eq!(to_json(&value), row[1]);
        assert_eq!(to_json_line(&value), row[2]);
    }
}

#[test]
fn whole_numbers_beyond_javascript_keep_their_digits() {
    assert_eq!(to_json_line(&Value::from(u64::MAX)), "18446744073709551615\n");
    assert_eq!(to_json_line(&Value::from(f64::NAN)), "null\n");
}
