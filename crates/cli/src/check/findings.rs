//! The findings of a check, as plain values.

use sprag_core::workflow::{Definition, OrderEntry, Phase};
use sprag_core::{CheckKind, GateSpec, Hash, Plain};
use sprag_engine::gate;

use crate::diagnostic::Diagnostic;

/// Everything that was checked.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    /// Usable files.
    pub(super) checked: Vec<Checked>,
    /// Errors and warnings.
    pub(super) complaints: Vec<Diagnostic>,
    /// The results for documents of other systems, in the format of their samples.
    pub(super) answers: Vec<Plain>,
}

/// A usable file.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    pub(super) file: String,
    pub(super) kind: FindingKind,
    pub(super) parts: Vec<GatedPart>,
}

#[derive(Clone, Debug)]
pub(super) enum FindingKind {
    Config,
    Workflow {
        key: String,
        digest: Option<Hash>,
    },
    Phase,
    /// A plan, with a summary of its tasks.
    Plan {
        said: String,
    },
    /// Another document of opti-gsd, with its result.
    Beside {
        noun: &'static str,
        said: String,
    },
    Tree {
        told: String,
    },
}

/// A part of a workflow that gates may hold.
#[derive(Clone, Debug)]
pub(super) enum GatedPart {
    /// A phase, or the guard.
    Held { name: String, gates: Vec<GateCommands> },
    /// Another workflow, included here.
    Workflow { key: String },
}

/// A gate and its commands.
#[derive(Clone, Debug)]
pub(super) struct GateCommands {
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) commands: Vec<GateCommand>,
}

/// A command, and whether the user approved it in this project; `None` outside a project.
#[derive(Clone, Debug)]
pub(super) struct GateCommand {
    pub(super) argv: Vec<String>,
    pub(super) approved: Option<bool>,
}

impl Findings {
    /// Returns the commands that are not approved in this project.
    pub(super) fn unapproved(&self) -> impl Iterator<Item = &[String]> {
        let gates =
            self.checked.iter().flat_map(|checked| &checked.parts).flat_map(GatedPart::gates);
        let commands = gates.flat_map(|gate| &gate.commands);
        commands.filter(|one| one.approved == Some(false)).map(|one| one.argv.as_slice())
    }
}

impl GatedPart {
    pub(super) fn gates(&self) -> &[GateCommands] {
        match self {
            Self::Held { gates, .. } => gates,
            Self::Workflow { .. } => &[],
        }
    }

    pub(super) fn of(phase: &Phase, approved: &dyn Fn(&[String]) -> Option<bool>) -> Self {
        Self::Held { name: phase.id.clone(), gates: held(&phase.gates, approved) }
    }
}

pub(super) fn parts(
    definition: &Definition,
    approved: &dyn Fn(&[String]) -> Option<bool>,
) -> Vec<GatedPart> {
    let part = |entry: &OrderEntry| match entry {
        OrderEntry::Phase(phase) => GatedPart::of(phase, approved),
        OrderEntry::Workflow(key) => GatedPart::Workflow { key: key.clone() },
    };
    definition.phases.iter().map(part).collect()
}

/// Returns a workflow's last phase if it has no gate, with a gate of an earlier phase that may fail
/// after it: a gate is evaluated only when its own phase ends.
pub(super) fn open_end(definition: &Definition) -> Option<(&Phase, &GateSpec)> {
    let last = phase(definition.phases.last()?).filter(|last| last.gates.is_empty())?;
    let mut before = definition.phases.iter().rev().filter_map(phase);
    // A person's answer cannot break later.
    let breaks = |spec: &&GateSpec| spec.gate.check.kind() != CheckKind::Human;
    Some((last, before.find_map(|phase| phase.gates.iter().find(breaks))?))
}

/// Returns the phase of an entry, or `None` for another workflow.
fn phase(entry: &OrderEntry) -> Option<&Phase> {
    match entry {
        OrderEntry::Phase(phase) => Some(phase),
        OrderEntry::Workflow(_) => None,
    }
}

pub(super) fn held(
    gates: &[GateSpec],
    approved: &dyn Fn(&[String]) -> Option<bool>,
) -> Vec<GateCommands> {
    let one = |spec: &GateSpec| {
        let check = &spec.gate.check;
        let command =
            |argv: &[String]| GateCommand { argv: argv.to_vec(), approved: approved(argv) };
        GateCommands {
            name: spec.gate.name.to_string(),
            kind: check.kind().as_str(),
            commands: gate::commands(check).into_iter().map(command).collect(),
        }
    };
    gates.iter().map(one).collect()
}
