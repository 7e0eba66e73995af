//! Converts recorded inputs to sprag's types.

use sprag_conformance::{as_text, entries, field};
use sprag_core::Plain;
use sprag_core::workflow::draft::{DraftEntry, DraftPhase, DraftValue, WorkflowDraft};
use sprag_core::workflow::{Definitions, Phase, SessionRecord, Show, Texts};

/// Reads `defs`.
pub(super) fn definitions(input: &Plain) -> Definitions {
    let defs = entries(field(input, "defs")).iter();
    defs.map(|(key, definition)| (key.clone(), draft(definition).finish())).collect()
}

/// Reads `state`; the original's functions treat a state with an empty path as none.
pub(super) fn state(input: &Plain) -> Option<SessionRecord> {
    SessionRecord::lift(field(input, "state")).ok()
}

fn given<T>(plain: &Plain, read: impl Fn(&Plain) -> Option<T>) -> DraftValue<T> {
    read(plain).map_or(DraftValue::Wrong, DraftValue::Is)
}

fn at<T>(map: &Plain, key: &str, read: impl Fn(&Plain) -> Option<T>) -> DraftValue<T> {
    match entries(map).iter().find(|(known, _)| known == key) {
        None => DraftValue::Absent,
        Some((_, value)) => given(value, read),
    }
}

fn text(map: &Plain, key: &str) -> Option<String> {
    as_text(field(map, key)).map(str::to_owned)
}

fn flag(plain: &Plain) -> Option<bool> {
    let Plain::Bool(flag) = plain else { return None };
    Some(*flag)
}

fn list(plain: &Plain) -> Option<Vec<String>> {
    let Plain::List(items) = plain else { return None };
    Some(items.iter().filter_map(|item| as_text(item).map(str::to_owned)).collect())
}

/// Reads a definition that may be wrong.
pub(super) fn draft(map: &Plain) -> WorkflowDraft {
    WorkflowDraft {
        name: text(map, "name"),
        command: text(map, "commandName"),
        initial_message: text(map, "initialMessage"),
        phases: match field(map, "phases") {
            Plain::List(items) => Some(items.iter().map(entry).collect()),
            Plain::Null
            | Plain::Bool(_)
            | Plain::Int(_)
            | Plain::Other(_)
            | Plain::Text(_)
            | Plain::Map(_) => None,
        },
        show: at(map, "show", |show| match as_text(show) {
            Some("user") => Some(Show::User),
            Some("workflows") => Some(Show::Workflows),
            Some(_) | None => None,
        }),
        loopable: at(map, "loopable", flag),
        session_prefix: text(map, "sessionNamePrefix"),
        session_length: None,
        texts: Texts {
            role: text(map, "roleInstruction"),
            advance: text(map, "advanceReminder"),
            block: text(map, "blockReasonTemplate"),
            complete: text(map, "completionMessage"),
            not_done: text(map, "notDoneReminder"),
        },
    }
}

fn entry(item: &Plain) -> DraftEntry {
    if let Some((_, target)) = entries(item).iter().find(|(key, _)| key == "subworkflow") {
        return DraftEntry::Workflow(as_text(target).map(str::to_owned));
    }
    let tools = field(item, "tools");
    DraftEntry::Phase(Box::new(DraftPhase {
        id: text(item, "id"),
        name: text(item, "name"),
        emoji: text(item, "emoji"),
        instructions: text(item, "instructions"),
        blacklist: at(tools, "blacklist", list),
        whitelist: at(tools, "whitelist", list),
        rest: Phase { profiles: list(field(item, "availableProfiles")), ..Phase::default() },
    }))
}
