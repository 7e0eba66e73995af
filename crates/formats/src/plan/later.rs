//! `.opti-gsd/*.json`: the state of opti-gsd since its version 2.
//!
//! Those versions have no verify loop and no host hook for the stop, so sprag cannot hold a session
//! by them. The files are recognised and displayed: milestone, phase and status are read, and all
//! other keys are listed as not read.

use crate::document::{Document, Format};
use crate::fault::Fault;
use crate::field::Field;
use crate::value::Value;

/// The content of a file of a later version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Later {
    /// The kind of file.
    pub what: &'static str,
    /// The keys that are read, with their values, for display only.
    pub shown: Vec<(&'static str, String)>,
    /// The keys that are not read.
    pub unread: Vec<String>,
}

/// The keys that are displayed.
const SHOWN: [&str; 6] = ["milestone", "phase", "task", "title", "status", "mode"];

/// The most unread keys that are listed.
const NAMED: usize = 32;

/// Reads a file of a later version, by its name.
pub fn read(name: &str, text: &str) -> Result<Later, Fault> {
    let document = Document::parse(Format::Json, text)?;
    let top = document.top();
    let entries = top.entries()?;
    let shown = |key: &'static str| {
        let field = top.optional(&[key])?;
        Some((key, scalar(&field)?))
    };
    let unread = entries.iter().map(|(key, _)| *key).filter(|key| !SHOWN.contains(key));
    Ok(Later {
        what: what(name),
        shown: SHOWN.into_iter().filter_map(shown).collect(),
        unread: unread.take(NAMED).map(str::to_owned).collect(),
    })
}

/// Describes a file of a later version by its name.
pub fn what(name: &str) -> &'static str {
    match name {
        "state.json" => "the state of opti-gsd 2 and 3",
        "plan.json" | "fix-plan.json" => "a plan of opti-gsd 2 and 3",
        "verification.json" => "a verification of opti-gsd 2 and 3",
        "config.json" => "the settings of opti-gsd 2 and 3",
        _ => "a file of opti-gsd 2 and 3",
    }
}

fn scalar(field: &Field<'_>) -> Option<String> {
    match &field.node().value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.text().to_owned()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Null | Value::List(_) | Value::Map(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_and_what_is_not_is_named() {
        let found = read(
            "plan.json",
            r#"{"phase": 3, "title": "X", "status": null, "tasks": [], "key_links": []}"#,
        );
        assert_eq!(
            found.unwrap(),
            Later {
                what: "a plan of opti-gsd 2 and 3",
                shown: vec![("phase", "3".to_owned()), ("title", "X".to_owned())],
                unread: vec!["tasks".to_owned(), "key_links".to_owned()],
            }
        );
        assert!(read("state.json", "[]").is_err());
    }
}
