//! A phase file: pi's front matter, the original's keys, and sprag's.

use std::borrow::Cow;

use sprag_core::workflow::draft::{
    DraftEntry, DraftPhase, DraftValue, WorkflowDraft, WorkflowPart,
};
use sprag_core::workflow::javascript::trim;
use sprag_core::workflow::{OrderEntry, Phase};

use super::gates;
use super::problem::{Problem, ProblemList, ProblemPosition};
use crate::{Document, Field, Format, Map, Value, keys, to_json_line};

const NEEDS: &str = "a phase needs `id`, `name` and `emoji`, each a text";

/// A text split by pi's rules: the start of its front matter, and its body.
struct Split<'t> {
    yaml: &'t str,
    start: usize,
    body: &'t str,
}

/// Splits a text as pi does: the closing marker is the first line that starts with `---`.
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

/// Returns the text as pi sees it: without a byte order mark, with LF line ends only.
fn unified(text: &str) -> Cow<'_, str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns the spot of a key in a phase file, or of the body for the instructions.
///
/// Parses the file again, because spots are needed only for problems.
pub(super) fn spot_of(file: &str, text: &str, key: &str) -> ProblemPosition {
    let text = unified(text);
    let parts = split(&text);
    let at = if key == "instructions" {
        text.find(parts.body)
    } else {
        let document = Document::parse(Format::Yaml, parts.yaml).ok();
        document.and_then(|document| Some(parts.start + key_place(&document, key)?))
    };
    ProblemPosition::of(file, &text, at.unwrap_or(0))
}

/// The position of a key in a document.
pub(super) fn key_place(document: &Document<'_>, key: &str) -> Option<usize> {
    let Value::Map(map) = &document.root().value else { return None };
    map.entry(key).map(|entry| entry.key_span.start())
}

/// Reads a phase; problems go to the report.
pub(super) fn read(file: &str, text: &str, report: &mut ProblemList) -> DraftPhase {
    let text = unified(text);
    let parts = split(&text);
    let spot = |at: usize| ProblemPosition::of(file, &text, parts.start + at);
    let top = || ProblemPosition::of(file, &text, 0);
    let mut phase =
        DraftPhase { instructions: Some(parts.body.to_owned()), ..DraftPhase::default() };
    let document = match Document::parse(Format::Yaml, parts.yaml) {
        Ok(document) => document,
        Err(fault) => {
            let what = format!("Failed to load phase file {file}: {}", fault.what);
            report.reject(spot(fault.span.start()), what, fault.advice());
            return phase;
        }
    };
    let empty = Map::default();
    let map = match &document.root().value {
        Value::Map(map) => map,
        Value::Null | Value::List(_) => &empty,
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            let help = "write `key: value` lines between two lines `---`".to_owned();
            report.reject(top(), format!("Invalid frontmatter in phase {file}"), Some(help));
            return phase;
        }
    };
    for (key, slot) in
        [("id", &mut phase.id), ("name", &mut phase.name), ("emoji", &mut phase.emoji)]
    {
        *slot = text_of(map, key);
        if slot.as_deref().is_none_or(str::is_empty) {
            let at = key_place(&document, key).map_or_else(top, spot);
            let what = format!("Missing or invalid \"{key}\" in {file}");
            report.reject(at, what, Some(NEEDS.to_owned()));
        }
    }
    if let Some(Value::Map(tools)) = map.get("tools").map(|node| &node.value) {
        phase.blacklist = list_of(tools, "blacklist").map_or(DraftValue::Absent, DraftValue::Is);
        phase.whitelist = list_of(tools, "whitelist").map_or(DraftValue::Absent, DraftValue::Is);
    }
    phase.rest = Phase { profiles: list_of(map, "availableProfiles"), ..Phase::default() };
    let top = document.top();
    ignored(&top, &spot, report);
    gates::read(&top, &spot, &mut phase.rest, report);
    for fault in top.unknown_keys(&keys::PHASE) {
        report.fault(spot(fault.span.start()), &fault);
    }
    phase
}

/// Reports the original's keys with values of a wrong type, which are ignored.
fn ignored(top: &Field<'_>, spot: &impl Fn(usize) -> ProblemPosition, report: &mut ProblemList) {
    let mut ignore = |field: &Field<'_>, what: &str| {
        let text = format!("`{}` is not {what} and ignored", field.path());
        report.ignore(spot(field.node().span.start()), text);
    };
    let is_list = |field: &Field<'_>| matches!(field.node().value, Value::List(_));
    let tools = top.optional(&["tools"]);
    if let Some(tools) = tools.as_ref().filter(|tools| tools.entries().is_err()) {
        ignore(tools, "a map");
    }
    let lists = [&["tools", "blacklist"][..], &["tools", "whitelist"], &["availableProfiles"]];
    for field in lists.iter().filter_map(|path| top.optional(path)) {
        if !is_list(&field) {
            ignore(&field, "a list");
        }
    }
    for fault in tools.iter().flat_map(|tools| tools.unknown_keys(&keys::TOOLS)) {
        report.fault(spot(fault.span.start()), &fault);
    }
}

/// Reads a phase file on its own, outside a workflow. Returns its problems, and the phase if it is
/// valid.
pub fn read_phase(file: &str, whole: &str) -> (Option<Phase>, Vec<Problem>) {
    let mut report = ProblemList::default();
    let phase = read(file, whole, &mut report);
    let draft = WorkflowDraft {
        phases: Some(vec![DraftEntry::Phase(phase.into())]),
        ..WorkflowDraft::default()
    };
    if !report.is_rejected() {
        for invalid in draft.validate("") {
            if let WorkflowPart::Phase(_, key) = invalid.part {
                // The text before the colon is the position in the workflow, which does not apply
                // here.
                let text = invalid.text.split_once(": ").map_or("", |(_, text)| text).to_owned();
                report.reject(spot_of(file, whole, key), text, None);
            }
        }
    }
    let entry = draft.finish().phases.pop();
    let phase = entry.filter(|_| !report.is_rejected()).and_then(|entry| match entry {
        OrderEntry::Phase(phase) => Some(*phase),
        OrderEntry::Workflow(_) => None,
    });
    (phase, report.problems)
}

/// The text at a key.
pub(super) fn text_of(map: &Map, key: &str) -> Option<String> {
    match &map.get(key)?.value {
        Value::String(text) => Some(text.clone()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => None,
    }
}

/// The list at a key, each item as JavaScript writes it.
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
        // Inside a list, JavaScript writes nothing for null.
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
    fn a_phase_for_itself_is_judged_as_in_a_workflow() {
        let head = "---\nid: a\nname: A\nemoji: x\n";
        let said = |rest: &str| {
            let (phase, problems) = read_phase("p.md", &format!("{head}{rest}"));
            let said: Vec<_> = problems.iter().map(ToString::to_string).collect();
            (phase.map(|phase| phase.instructions), said)
        };
        assert_eq!(said("---\nDo it.\n"), (Some("Do it.".to_owned()), vec![]));
        let empty = "p.md:1:1: instructions must be a non-empty string.";
        assert_eq!(said("---\n \n"), (None, vec![empty.to_owned()]));
        let both = "p.md:5:1: cannot set both blacklist and whitelist.";
        let lists = "tools: {blacklist: [], whitelist: []}\n---\nDo it.\n";
        assert_eq!(said(lists), (None, vec![both.to_owned()]));
    }

    #[test]
    fn problems_have_their_place_in_the_file() {
        let mut report = ProblemList::default();
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
                "p.md:4:1: unknown key `color`",
            ]
        );
    }
}
