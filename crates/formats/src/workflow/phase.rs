//! A phase file: pi's front matter, the original's keys, and ours.

use std::borrow::Cow;

use sprag_core::workflow::Phase;
use sprag_core::workflow::draft::{DraftPhase, Given};
use sprag_core::workflow::javascript::trim;

use super::gates;
use super::problem::{Report, TOP, said};
use crate::{Document, Format, Map, Place, Value, to_json_line};

/// The keys of the original.
const KEYS: [&str; 5] = ["id", "name", "emoji", "tools", "availableProfiles"];

/// A text after pi's rules: where its front matter begins, and its body.
struct Split<'t> {
    yaml: &'t str,
    start: usize,
    body: &'t str,
}

/// Splits a text as pi does: the marker that closes is the first line that begins with `---`.
fn split(text: &str) -> Split<'_> {
    let none = Split { yaml: "", start: 0, body: trim(text) };
    if !text.starts_with("---") {
        return none;
    }
    let Some(end) = text[3..].find("\n---").map(|at| at + 3) else { return none };
    let body = trim(&text[end + 4..]);
    match text.get(4..end) {
        Some(yaml) => Split { yaml, start: 4, body },
        None => Split { body, ..none },
    }
}

/// Returns the text as pi sees it: no byte order mark, line feeds only.
fn unified(text: &str) -> Cow<'_, str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Places in a phase file by what they are about.
#[derive(Debug, Default)]
pub(super) struct Places {
    keys: Vec<(String, Place)>,
    body: Option<Place>,
}

impl Places {
    /// Returns the place of a key, or of the body for the instructions.
    pub(super) fn of(&self, key: &str) -> Place {
        let found = self.keys.iter().find(|(known, _)| known == key).map(|(_, place)| *place);
        if key == "instructions" { self.body.unwrap_or(TOP) } else { found.unwrap_or(TOP) }
    }
}

/// Reads a phase; what is wrong goes to the report.
pub(super) fn read(file: &str, text: &str, report: &mut Report) -> (DraftPhase, Places) {
    let text = unified(text);
    let parts = split(&text);
    let place = |at: usize| Place::of(&text, parts.start + at);
    let mut phase =
        DraftPhase { instructions: Some(parts.body.to_owned()), ..DraftPhase::default() };
    let body = Place::of(&text, text.find(parts.body).unwrap_or(0));
    let mut places = Places { keys: Vec::new(), body: Some(body) };
    let document = match Document::parse(Format::Yaml, parts.yaml) {
        Ok(document) => document,
        Err(fault) => {
            let what = format!("Failed to load phase file {file}: {}", said(&fault));
            report.reject(file, place(fault.span.start()), what);
            return (phase, places);
        }
    };
    let empty = Map::default();
    let map = match &document.root().value {
        Value::Map(map) => map,
        Value::Null | Value::List(_) => &empty,
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            report.reject(file, TOP, format!("Invalid frontmatter in phase {file}"));
            return (phase, places);
        }
    };
    places.keys =
        map.iter().map(|entry| (entry.key.clone(), place(entry.key_span.start()))).collect();
    for (key, slot) in
        [("id", &mut phase.id), ("name", &mut phase.name), ("emoji", &mut phase.emoji)]
    {
        *slot = text_of(map, key);
        if slot.as_deref().is_none_or(str::is_empty) {
            report.reject(file, places.of(key), format!("Missing or invalid \"{key}\" in {file}"));
        }
    }
    if let Some(Value::Map(tools)) = map.get("tools").map(|node| &node.value) {
        phase.blacklist = list_of(tools, "blacklist").map_or(Given::Absent, Given::Is);
        phase.whitelist = list_of(tools, "whitelist").map_or(Given::Absent, Given::Is);
    }
    phase.rest = Phase { profiles: list_of(map, "availableProfiles"), ..Phase::default() };
    gates::read(file, &document, &place, &mut phase.rest, report);
    for entry in map {
        let key = entry.key.as_str();
        if !KEYS.contains(&key) && !gates::KEYS.contains(&key) {
            report.note(file, places.of(key), format!("`{key}` is not known here and ignored"));
        }
    }
    (phase, places)
}

/// Returns the text at a key.
pub(super) fn text_of(map: &Map, key: &str) -> Option<String> {
    match &map.get(key)?.value {
        Value::String(text) => Some(text.clone()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => None,
    }
}

/// Returns the list at a key, each item as JavaScript writes it.
fn list_of(map: &Map, key: &str) -> Option<Vec<String>> {
    match &map.get(key)?.value {
        Value::List(items) => Some(items.iter().map(|item| javascript(&item.value)).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Map(_) => None,
    }
}

fn javascript(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(_) => to_json_line(value).trim().to_owned(),
        Value::String(text) => text.clone(),
        // Inside a list nothing is written for null.
        Value::List(items) => {
            let inside = |item: &Value| match item {
                Value::Null => String::new(),
                Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::List(_)
                | Value::Map(_) => javascript(item),
            };
            items.iter().map(|item| inside(&item.value)).collect::<Vec<_>>().join(",")
        }
        Value::Map(_) => "[object Object]".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_split_as_pi_does() {
        let cut = |text: &'static str| {
            let Split { yaml, body, .. } = split(text);
            (yaml, body)
        };
        assert_eq!(cut("---\nid: a\n---\nbody\n"), ("id: a", "body"));
        assert_eq!(cut("---\nid: a\n--- tail\nbody"), ("id: a", "tail\nbody"));
        assert_eq!(cut("---\nid: a\n----\n"), ("id: a", "-"));
        assert_eq!(cut("---\nid: a\n"), ("", "---\nid: a"));
        assert_eq!(cut("---\n---\nbody"), ("", "body"));
        assert_eq!(cut("no\n---\n"), ("", "no\n---"));
    }

    #[test]
    fn problems_have_their_place_in_the_file() {
        let mut report = Report::default();
        read(
            "p.md",
            "\u{feff}---\r\nid: plan\r\nname: 5\r\ncolor: red\r\n---\r\nDo.\r\n",
            &mut report,
        );
        let said: Vec<_> = report.problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "p.md:3:1: Missing or invalid \"name\" in p.md",
                "p.md:1:1: Missing or invalid \"emoji\" in p.md",
                "p.md:4:1: `color` is not known here and ignored",
            ]
        );
    }
}
