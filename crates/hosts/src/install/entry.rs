//! One entry: how sprag writes it and recognises it.
//!
//! Claude Code starts a program without a shell; the other hosts run a text in a shell. That text
//! does nothing if sprag is missing, because some hosts deny every tool when an entry fails. An
//! entry written by hand is left alone and not duplicated.

use std::time::Duration;

use sprag_core::quoted;
use sprag_formats::{Node, Value};

use super::settings_layout::{CommandField, Scope, SettingsLayout};
use crate::Host;

/// The wanted contents of a settings file.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    pub host: Host,
    /// The sprag program: its name if it is on the search path, else its full path.
    pub program: &'a str,
    /// How long the host must wait for the answer to a stop.
    pub limit: Duration,
    pub scope: Scope,
    /// The project's absolute path, for parts that apply only in this project.
    pub root: &'a str,
}

/// The owner of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryOwner {
    /// Written by `init`.
    Ours,
    /// Calls sprag, but was not written by `init`.
    ByHand,
    /// Does not call sprag.
    Other,
}

/// The program's name on the search path.
const SPRAG: &str = "sprag";

impl Wanted<'_> {
    /// The entry for an event.
    pub(crate) fn entry(&self, form: &SettingsLayout, event: &str) -> Value {
        let mut fields: Vec<(&str, Value)> = vec![("type", "command".into())];
        if let Some(label) = form.label {
            fields.push(("name", label.into()));
        }
        match (form.command, self.scope) {
            (CommandField::Program, Scope::Personal) => {
                fields.push(("command", self.program.into()));
                fields.push(("args", Value::list(["hook", self.host.name(), event])));
            }
            (CommandField::Program, Scope::Shared) => {
                fields.push(("command", self.line(event).into()));
            }
            (CommandField::Shell(field), _) => fields.push((field, self.line(event).into())),
        }
        if event == form.stop {
            fields.push((form.unit.key(), form.unit.count(self.limit).into()));
        }
        Value::map(fields)
    }

    fn line(&self, event: &str) -> String {
        line(&quoted(self.named()), self.host, event)
    }

    /// The program's name in this file.
    pub(crate) const fn named(&self) -> &str {
        match self.scope {
            Scope::Personal => self.program,
            // Its path differs from person to person.
            Scope::Shared => SPRAG,
        }
    }
}

/// A shell text that calls sprag if it is installed, and does nothing otherwise.
fn line(program: &str, host: Host, event: &str) -> String {
    let host = host.name();
    format!("if command -v {program} >/dev/null 2>&1; then {program} hook {host} {event}; fi")
}

/// Returns the owner of an entry of an event.
pub(crate) fn whose(entry: &Node, host: Host, form: &SettingsLayout, event: &str) -> EntryOwner {
    let text = |key: &str| match entry.child(key).map(|node| &node.value) {
        Some(Value::String(text)) => Some(text.as_str()),
        Some(_) | None => None,
    };
    let Some(command) = text("command").or(text("bash")).or(text(form.command.key())) else {
        return EntryOwner::Other;
    };
    if let Some(args) = entry.child("args") {
        let calls = is_sprag(command) && starts(args, &["hook", host.name()]);
        let exact = args.value == Value::list(["hook", host.name(), event]);
        return match (calls, exact) {
            (true, true) => EntryOwner::Ours,
            (true, false) => EntryOwner::ByHand,
            (false, _) => EntryOwner::Other,
        };
    }
    let program = command.strip_prefix("if command -v ").and_then(|rest| rest.split_once(" >"));
    let exact = program.is_some_and(|(program, _)| {
        is_sprag(program.trim_matches('\'')) && command == line(program, host, event)
    });
    let words: Vec<&str> = command.split_whitespace().collect();
    let calls = words.windows(3).any(|three| {
        is_sprag(three[0].trim_matches(['"', '\''])) && three[1..] == ["hook", host.name()]
    });
    match (exact, calls) {
        (true, _) => EntryOwner::Ours,
        (false, true) => EntryOwner::ByHand,
        (false, false) => EntryOwner::Other,
    }
}

/// Returns whether a program's file name is that of sprag: `sprag`, or a version beside it such as
/// `sprag-0.1`.
pub fn is_sprag(program: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or_default();
    let rest = name.strip_prefix(SPRAG);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_', '.']))
}

fn starts(list: &Node, words: &[&str]) -> bool {
    let Value::List(items) = &list.value else { return false };
    let same = |(item, word): (&Node, &&str)| item.value == Value::from(*word);
    items.len() >= words.len() && items.iter().zip(words).all(same)
}

/// The command of an entry in one line, for a message.
pub(crate) fn shown(entry: &Node, form: &SettingsLayout) -> String {
    let keys = ["command", "bash", form.command.key(), "url", "prompt", "type"];
    let found = keys.iter().find_map(|key| match entry.child(key).map(|node| &node.value) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(_) | None => None,
    });
    found.unwrap_or_else(|| "something".to_owned())
}
