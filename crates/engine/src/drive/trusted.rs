//! Which commands of a run a person has not yet let run: asked before the work, not in its midst.

use sprag_core::workflow::Entry;
use sprag_core::{GateSpec, Id};

use super::open;
use crate::engine::{Engine, EngineError};
use crate::gate;
use crate::live::Live;
use crate::sitting::Now;

impl Engine<'_> {
    /// Returns the commands of a run's gates and rules, and the one that tells a person, which no
    /// person has let run.
    pub fn drive_untrusted(&self, run: &Id) -> Result<Vec<Vec<String>>, EngineError> {
        let now = Now::new(self);
        self.look(|view| {
            let case = open(view, run, &now)?;
            let trust = self.trust();
            let bench = self.bench(&trust, case.law.config.checks);
            let of = |spec: &GateSpec| -> Vec<Vec<String>> {
                gate::commands(&spec.gate.check).into_iter().map(<[String]>::to_vec).collect()
            };
            let mut commands: Vec<Vec<String>> =
                specs(&case.run.live).iter().flat_map(of).collect();
            commands.extend(case.run.live.rule_commands());
            commands.extend(case.law.config.notify.command.clone());
            commands.sort();
            commands.dedup();
            commands.retain(|argv| !bench.may_run(argv));
            Ok(commands)
        })
    }

    /// Lets commands run, because a person said so.
    pub fn drive_trust(&self, commands: &[Vec<String>]) -> Result<(), EngineError> {
        self.trust_commands(commands)
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
