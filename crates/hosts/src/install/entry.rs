//! One entry: how we write it, and how we know it again.
//!
//! Claude Code starts a program without a shell; the others run a text in one. There the text is
//! harmless where sprag is missing: some hosts deny every tool when an entry fails. An entry that
//! somebody wrote by hand is left alone, and not doubled.

use std::time::Duration;

use sprag_core::quoted;
use sprag_formats::{Node, Value};

use super::form::{Form, Scope};
use crate::Host;

/// What is wanted in a settings file.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The host.
    pub host: Host,
    /// Our program: its name where the search path finds it, else the whole path.
    pub program: &'a str,
    /// How long the host must wait for the answer to a stop.
    pub limit: Duration,
    /// Whose settings these are.
    pub scope: Scope,
    /// The project's whole path, for what holds in it alone.
    pub root: &'a str,
}

/// Whose an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// Written by `init`.
    Ours,
    /// It calls sprag, in words of its own.
    ByHand,
    /// It has nothing to do with us.
    Other,
}

/// The name by which everybody finds sprag.
const SPRAG: &str = "sprag";

impl Wanted<'_> {
    /// Returns the entry for an event.
    pub(super) fn entry(&self, form: &Form, event: &str) -> Value {
        let mut fields: Vec<(&str, Value)> = vec![("type", "command".into())];
        if let Some(label) = form.label {
            fields.push(("name", label.into()));
        }
        match (self.host, self.scope) {
            (Host::Claude, Scope::Personal) => {
                fields.push(("command", self.program.into()));
                fields.push(("args", Value::list(["hook", self.host.name(), event])));
            }
            (Host::Copilot, Scope::Personal | Scope::Shared) => {
                fields.push(("bash", self.line(event).into()));
            }
            (Host::Claude, Scope::Shared)
            | (Host::Codex | Host::Gemini | Host::Opencode | Host::Pi, _) => {
                fields.push(("command", self.line(event).into()));
            }
        }
        if event == form.stop {
            fields.push((form.unit.key(), form.unit.count(self.limit).into()));
        }
        Value::map(fields)
    }

    fn line(&self, event: &str) -> String {
        line(&quoted(self.named()), self.host, event)
    }

    /// Returns what sprag is called by in this file.
    pub(super) const fn named(&self) -> &str {
        match self.scope {
            Scope::Personal => self.program,
            // Everybody has it somewhere else.
            Scope::Shared => SPRAG,
        }
    }
}

/// Returns the text for a shell that calls sprag where it is, and does nothing where it is not.
fn line(program: &str, host: Host, event: &str) -> String {
    let host = host.name();
    format!("if command -v {program} >/dev/null 2>&1; then {program} hook {host} {event}; fi")
}

/// Returns whose an entry of an event is.
pub(super) fn whose(entry: &Node, host: Host, event: &str) -> Whose {
    let text = |key: &str| match entry.child(key).map(|node| &node.value) {
        Some(Value::String(text)) => Some(text.as_str()),
        Some(_) | None => None,
    };
    let Some(command) = text("command").or(text("bash")) else { return Whose::Other };
    if let Some(args) = entry.child("args") {
        let calls = is_sprag(command) && starts(args, &["hook", host.name()]);
        let exact = args.value == Value::list(["hook", host.name(), event]);
        return match (calls, exact) {
            (true, true) => Whose::Ours,
            (true, false) => Whose::ByHand,
            (false, _) => Whose::Other,
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
        (true, _) => Whose::Ours,
        (false, true) => Whose::ByHand,
        (false, false) => Whose::Other,
    }
}

/// Returns whether a program is sprag by its name: `sprag`, or another version of it beside that,
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

/// Returns what an entry runs, in one line, for a message.
pub(super) fn shown(entry: &Node) -> String {
    let found = ["command", "bash", "url", "prompt", "type"].iter().find_map(|key| {
        match entry.child(key).map(|node| &node.value) {
            Some(Value::String(text)) => Some(text.clone()),
            Some(_) | None => None,
        }
    });
    found.unwrap_or_else(|| "something".to_owned())
}
