//! What a check found, as plain values.

use sprag_core::workflow::{Definition, Entry, Phase};
use sprag_core::{CheckKind, GateSpec, Hash, Plain};
use sprag_engine::gate;

use crate::diagnostic::Diagnostic;

/// Everything that was looked at.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    /// What can be used.
    pub(super) checked: Vec<Checked>,
    /// What is wrong, or only odd.
    pub(super) complaints: Vec<Diagnostic>,
    /// What documents of other systems come to, in the words of their samples.
    pub(super) answers: Vec<Plain>,
}

/// A file that can be used.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    pub(super) file: String,
    pub(super) kind: Kind,
    pub(super) parts: Vec<Part>,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Config,
    Workflow {
        key: String,
        digest: Option<Hash>,
    },
    Phase,
    /// A plan, with how much there is to do.
    Plan {
        said: String,
    },
    /// Another document of opti-gsd, with what it comes to.
    Beside {
        noun: &'static str,
        said: String,
    },
    Tree {
        told: String,
    },
}

/// What is held by gates, or not.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// A phase, or the guard.
    Held { name: String, gates: Vec<Held> },
    /// Another workflow in its place.
    Workflow { key: String },
}

/// A gate and the commands in it.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) commands: Vec<GateCommand>,
}

/// A command, and whether a person let it run in this project; nobody knows outside of one.
#[derive(Clone, Debug)]
pub(super) struct GateCommand {
    pub(super) argv: Vec<String>,
    pub(super) approved: Option<bool>,
}

impl Findings {
    /// Returns the commands that a person has not let run in this project.
    pub(super) fn unapproved(&self) -> impl Iterator<Item = &[String]> {
        let gates = self.checked.iter().flat_map(|checked| &checked.parts).flat_map(Part::gates);
        let commands = gates.flat_map(|gate| &gate.commands);
        commands.filter(|one| one.approved == Some(false)).map(|one| one.argv.as_slice())
    }
}

impl Part {
    pub(super) fn gates(&self) -> &[Held] {
        match self {
            Self::Held { gates, .. } => gates,
            Self::Workflow { .. } => &[],
        }
    }

    pub(super) fn of(phase: &Phase, approved: &dyn Fn(&[String]) -> Option<bool>) -> Self {
        Self::Held { name: phase.id.clone(), gates: held(&phase.gates, approved) }
    }
}

/// Returns the parts of a workflow, in order.
pub(super) fn parts(
    definition: &Definition,
    approved: &dyn Fn(&[String]) -> Option<bool>,
) -> Vec<Part> {
    let part = |entry: &Entry| match entry {
        Entry::Phase(phase) => Part::of(phase, approved),
        Entry::Workflow(key) => Part::Workflow { key: key.clone() },
    };
    definition.phases.iter().map(part).collect()
}

/// Returns the last phase of a workflow where nothing holds it, and the gate of an earlier one that may
/// fail after it: a gate is looked at when its own phase ends, and not again.
pub(super) fn open_end(definition: &Definition) -> Option<(&Phase, &GateSpec)> {
    let last = phase(definition.phases.last()?).filter(|last| last.gates.is_empty())?;
    let mut before = definition.phases.iter().rev().filter_map(phase);
    // What a person said is said.
    let breaks = |spec: &&GateSpec| spec.gate.check.kind() != CheckKind::Human;
    Some((last, before.find_map(|phase| phase.gates.iter().find(breaks))?))
}

/// Returns the phase that an entry of a workflow is; nothing for another workflow.
fn phase(entry: &Entry) -> Option<&Phase> {
    match entry {
        Entry::Phase(phase) => Some(phase),
        Entry::Workflow(_) => None,
    }
}

/// Returns gates with their commands.
pub(super) fn held(gates: &[GateSpec], approved: &dyn Fn(&[String]) -> Option<bool>) -> Vec<Held> {
    let one = |spec: &GateSpec| {
        let check = &spec.gate.check;
        let command =
            |argv: &[String]| GateCommand { argv: argv.to_vec(), approved: approved(argv) };
        Held {
            name: spec.gate.name.to_string(),
            kind: check.kind().as_str(),
            commands: gate::commands(check).into_iter().map(command).collect(),
        }
    };
    gates.iter().map(one).collect()
}
