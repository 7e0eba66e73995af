//! Which commands of a run a person has not yet let run: asked before the work, not in its midst.

use sprag_core::workflow::Entry;
use sprag_core::{GateSpec, Hash, Id};

use sprag_formats::Checks;

use super::{is_inbox, open};
use crate::engine::{Engine, EngineError};
use crate::gate::{self, Bench};
use crate::live::Live;
use crate::sitting::Now;
use crate::trust::{self, Trust};

/// Something of a project that runs only where a person approved it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Asked {
    /// As a person reads it.
    pub what: String,
    /// What stands for it.
    pub digest: Hash,
}

impl Asked {
    /// Returns what is asked for a command.
    pub fn of(argv: &[String]) -> Self {
        Self { what: gate::typed(argv), digest: trust::digest(argv, "", &[]) }
    }
}

impl Engine<'_> {
    /// Returns the commands of everything that a run may come to: its gates and its rules.
    pub fn drive_commands(&self, run: &Id) -> Result<Vec<Asked>, EngineError> {
        if is_inbox(run) {
            return self.inbox_commands();
        }
        let now = Now::new(self);
        self.look(|view| {
            let case = open(view, run, &now)?;
            let specs = specs(&case.run.live);
            let gates = specs.iter().flat_map(|spec| gate::commands(&spec.gate.check));
            let mut asked: Vec<Asked> = gates.map(Asked::of).collect();
            asked.extend(case.run.live.rule_commands().iter().map(|argv| Asked::of(argv)));
            asked.sort();
            asked.dedup();
            Ok(asked)
        })
    }

    /// Returns those that no person has approved.
    pub fn drive_unapproved(&self, asked: Vec<Asked>) -> Result<Vec<Asked>, EngineError> {
        let (trust, checks) = (self.trust(), self.drive_config()?.checks);
        let bench = self.bench(&trust, checks);
        Ok(asked.into_iter().filter(|one| !bench.covers(one.digest)).collect())
    }

    /// Takes note that a person approves them.
    pub fn drive_approve(&self, asked: &[Asked]) -> Result<(), EngineError> {
        let digests: Vec<Hash> = asked.iter().map(|one| one.digest).collect();
        self.trust_digests(&digests)
    }

    /// Returns what commands of this project are run with.
    pub fn drive_bench<'t>(&'t self, trust: &'t Trust, checks: Checks) -> Bench<'t> {
        self.bench(trust, checks)
    }
}

/// Returns the gates of everything that a run may come to.
fn specs(live: &Live) -> Vec<GateSpec> {
    let Live::Workflow(held) = live else { return live.specs().to_vec() };
    let known = &held.definition.definitions;
    let mut specs = Vec::new();
    for key in known.reached(&held.definition.key) {
        for entry in known.get(key).map_or(&[][..], |known| &known.phases) {
            if let Entry::Phase(phase) = entry {
                specs.extend(phase.gates.iter().cloned());
            }
        }
    }
    specs
}
