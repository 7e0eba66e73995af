//! A parsed but unchecked workflow, and its validation.
//!
//! The texts are the original's, verbatim; it stops at the first error, sprag reports all.

use std::collections::BTreeSet;

use super::javascript::is_blank;
use super::{Definition, OrderEntry, Phase, Show, Texts, Tools};

/// A value that may be missing or of the wrong type.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum DraftValue<T> {
    #[default]
    Absent,
    Is(T),
    /// It has the wrong type.
    Wrong,
}

/// A workflow as in its files; a text that is missing or of the wrong type is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkflowDraft {
    /// `name`.
    pub name: Option<String>,
    /// `commandName`.
    pub command: Option<String>,
    /// `initialMessage`.
    pub initial_message: Option<String>,
    /// `phases`, if it is a list.
    pub phases: Option<Vec<DraftEntry>>,
    /// `show`.
    pub show: DraftValue<Show>,
    /// `loopable`.
    pub loopable: DraftValue<bool>,
    /// `sessionNamePrefix`.
    pub session_prefix: Option<String>,
    /// `sessionNameMaxLength`.
    pub session_length: Option<f64>,
    /// Its own texts.
    pub texts: Texts,
}

/// An entry in the order of a draft.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftEntry {
    Phase(Box<DraftPhase>),
    /// Another workflow, by its key.
    Workflow(Option<String>),
}

/// A phase as in its file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DraftPhase {
    /// `id`.
    pub id: Option<String>,
    /// `name`.
    pub name: Option<String>,
    /// `emoji`.
    pub emoji: Option<String>,
    /// The text after the front matter.
    pub instructions: Option<String>,
    /// `tools.blacklist`.
    pub blacklist: DraftValue<Vec<String>>,
    /// `tools.whitelist`.
    pub whitelist: DraftValue<Vec<String>>,
    /// Everything that needs no validation.
    pub rest: Phase,
}

/// The part of a workflow with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkflowPart {
    /// A key of the workflow itself.
    Key(&'static str),
    /// An entry of `phases`.
    Entry(usize),
    /// A key of the phase at this entry.
    Phase(usize, &'static str),
}

/// An error in a workflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    pub part: WorkflowPart,
    /// The message in the original's words.
    pub text: String,
}

fn blank(text: Option<&str>) -> bool {
    text.is_none_or(is_blank)
}

fn is_command(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

impl WorkflowDraft {
    /// Returns all errors, starting with the one that the original reports.
    pub fn validate(&self, key: &str) -> Vec<Invalid> {
        let mut found = Vec::new();
        let mut say = |part: WorkflowPart, text: String| found.push(Invalid { part, text });
        let must = |what: &str| format!("Workflow \"{key}\": {what} must be a non-empty string.");
        if blank(self.name.as_deref()) {
            say(WorkflowPart::Key("name"), must("name"));
        }
        if matches!(self.show, DraftValue::Absent | DraftValue::Is(Show::User)) {
            let command = self.command.as_deref();
            if blank(command) {
                say(WorkflowPart::Key("commandName"), must("commandName"));
            } else if let Some(command) = command.filter(|command| !is_command(command)) {
                let rule = "commandName must match /^[a-zA-Z0-9_-]+$.";
                let text = format!("Workflow \"{key}\": {rule} Got: \"{command}\"");
                say(WorkflowPart::Key("commandName"), text);
            }
            if blank(self.initial_message.as_deref()) {
                say(WorkflowPart::Key("initialMessage"), must("initialMessage"));
            }
        }
        match self.phases.as_deref() {
            None | Some([]) => {
                let text =
                    format!("Workflow \"{key}\": phases must be an array with at least 1 element.");
                say(WorkflowPart::Key("phases"), text);
            }
            Some(entries) => entries_of(key, entries, &mut say),
        }
        if self.loopable == DraftValue::Wrong {
            let text = format!("Workflow \"{key}\" has invalid loopable: must be a boolean");
            say(WorkflowPart::Key("loopable"), text);
        }
        if self.show == DraftValue::Wrong {
            let text =
                format!("Workflow \"{key}\" has invalid show: must be \"user\" or \"workflows\"");
            say(WorkflowPart::Key("show"), text);
        }
        found
    }

    /// Converts a valid draft to a workflow; missing values become empty.
    pub fn finish(self) -> Definition {
        Definition {
            name: self.name.unwrap_or_default(),
            command: self.command.unwrap_or_default(),
            initial_message: self.initial_message.unwrap_or_default(),
            phases: self.phases.unwrap_or_default().into_iter().map(DraftEntry::finish).collect(),
            show: match self.show {
                DraftValue::Is(show) => show,
                DraftValue::Absent | DraftValue::Wrong => Show::User,
            },
            loopable: match self.loopable {
                DraftValue::Is(loopable) => Some(loopable),
                DraftValue::Absent | DraftValue::Wrong => None,
            },
            session_prefix: self.session_prefix,
            session_length: self.session_length,
            texts: self.texts,
        }
    }
}

fn entries_of(key: &str, entries: &[DraftEntry], say: &mut impl FnMut(WorkflowPart, String)) {
    let mut ids = BTreeSet::new();
    for (at, entry) in entries.iter().enumerate() {
        // Formatted only on demand: most workflows have no errors.
        let place = || format!("Workflow \"{key}\", phase[{at}]");
        let must = |what: &str| format!("{}: {what} must be a non-empty string.", place());
        let phase = match entry {
            DraftEntry::Workflow(target) => {
                if blank(target.as_deref()) {
                    say(WorkflowPart::Entry(at), must("workflowKey"));
                }
                continue;
            }
            DraftEntry::Phase(phase) => phase,
        };
        let texts = [
            ("id", &phase.id),
            ("name", &phase.name),
            ("emoji", &phase.emoji),
            ("instructions", &phase.instructions),
        ];
        for (what, _) in texts.iter().filter(|(_, text)| blank(text.as_deref())) {
            say(WorkflowPart::Phase(at, what), must(what));
        }
        let id = phase.id.as_deref().unwrap_or_default();
        if !is_blank(id) && !ids.insert(id) {
            say(
                WorkflowPart::Phase(at, "id"),
                format!("{}: duplicate phase id \"{id}\".", place()),
            );
        }
        for text in tools_of(phase) {
            say(
                WorkflowPart::Phase(at, "tools"),
                format!("Workflow \"{key}\", phase \"{id}\": {text}"),
            );
        }
    }
}

fn tools_of(phase: &DraftPhase) -> Vec<&'static str> {
    let wrong = [
        (phase.blacklist == DraftValue::Wrong, "blacklist must be an array."),
        (phase.whitelist == DraftValue::Wrong, "whitelist must be an array."),
        (
            matches!((&phase.blacklist, &phase.whitelist), (DraftValue::Is(_), DraftValue::Is(_))),
            "cannot set both blacklist and whitelist.",
        ),
    ];
    wrong.into_iter().filter(|(is, _)| *is).map(|(_, text)| text).collect()
}

impl DraftEntry {
    fn finish(self) -> OrderEntry {
        match self {
            Self::Workflow(key) => OrderEntry::Workflow(key.unwrap_or_default()),
            Self::Phase(phase) => {
                let phase = *phase;
                let tools = match (phase.blacklist, phase.whitelist) {
                    (DraftValue::Is(list), _) => Some(Tools::Without(list)),
                    (DraftValue::Absent | DraftValue::Wrong, DraftValue::Is(list)) => {
                        Some(Tools::Only(list))
                    }
                    (
                        DraftValue::Absent | DraftValue::Wrong,
                        DraftValue::Absent | DraftValue::Wrong,
                    ) => None,
                };
                OrderEntry::Phase(Box::new(Phase {
                    id: phase.id.unwrap_or_default(),
                    name: phase.name.unwrap_or_default(),
                    emoji: phase.emoji.unwrap_or_default(),
                    instructions: phase.instructions.unwrap_or_default(),
                    tools,
                    ..phase.rest
                }))
            }
        }
    }
}
