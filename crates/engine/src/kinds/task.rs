//! A task that agents work on until a command passes: `sprag run "task" --until CMD`.
//!
//! A task needs no definition: it is a run of the guard's machine with one command. A person typed
//! the command, so it is trusted. It is stored in the run, out of reach of changes to the project.
//! The project's guard applies to a task as to a session.

use std::time::Duration;

use serde_json::Value;
use sprag_core::event::RunStarted;
use sprag_core::guard::{Guard, Position, TASK};
use sprag_core::{GateSpec, Hash, Run, RunId};
use sprag_formats::{GuardConfig, command_gate};

use super::guard::{BASE, GuardRun, NO_TREE, definition, guarding, typed_gate};
use crate::attach::{WALL, deadline, in_journal};
use crate::drive::NewRun;
use crate::engine::kind::{AnyRun, Entry, Info, Reading, check_kernel};
use crate::engine::{Engine, EngineError};
use crate::gate;
use crate::run_file::{self, Header, Source};
use crate::snapshot::{ConfigSnapshot, protected};
use crate::unusable::Unusable;

pub const INFO: Info = Info {
    word: "task",
    label: "until",
    is_guarded: true,
    unit: Some("task"),
    one_session: true,
    ..BASE
};

pub static ENTRY: Entry = Entry { info: &INFO, open, check: check_kernel::<Position> };

fn open(file: &Reading<'_>) -> Result<AnyRun, Unusable> {
    let run = file.kernel()?;
    let gate = typed_gate(file, file.header.until.as_deref())?;
    let mut held = guarding(&INFO, &gates(&gate, file.guard), None, run);
    held.definition = held.definition.once(TASK);
    Ok(Box::new(held))
}

impl Engine<'_> {
    /// Starts a task that may be retried `max` times after its first try.
    pub fn start_task(
        &self,
        task: &str,
        until: &str,
        max: u32,
        how: &Value,
    ) -> Result<RunId, EngineError> {
        let spec = command_gate(until).map_err(|bad| {
            let help = "give it to a shell: --until \"sh -c '…'\"".to_owned();
            EngineError::Refused { what: bad.why, help }
        })?;
        let argv = gate::commands(&spec.gate.check).into_iter().map(<[String]>::to_vec);
        self.trust_commands(&argv.collect::<Vec<_>>())?;
        self.start_driven(how, &|view, now, id| {
            let (law, _) = ConfigSnapshot::of(view, None)?;
            let gates = gates(&spec, law.config.guard.as_ref());
            let position = Position::new(Hash::of(NO_TREE), &[]);
            let judged = definition(&gates, Some(max)).once(TASK);
            let run = Run::new::<Guard>(id, &judged, position);
            let wall: Duration = law.config.limits.wall.unwrap_or(WALL);
            let run = run.until(deadline(now.at(), wall));
            let typed = run_file::DefinitionOrigin {
                path: "sprag run".to_owned(),
                digest: Hash::of(until),
            };
            let mut header = Header::new(Source::of(&ENTRY), typed, now.at());
            header.task = Some(task.to_owned());
            header.until = Some(until.to_owned());
            header.protected = protected(now, &gates)?;
            let live = Box::new(GuardRun { info: &INFO, specs: gates, definition: judged, run });
            let (task, until) = (Some(in_journal(task)), Some(until.to_owned()));
            let started = RunStarted { task, until, ..RunStarted::of("task") };
            Ok(NewRun { header, started, live })
        })
    }
}

/// Returns the gates of a task: its own command, and those of the guard. If both name the same
/// command, the guard's gate is used.
fn gates(typed: &GateSpec, guard: Option<&GuardConfig>) -> Vec<GateSpec> {
    let of_guard = guard.map_or(&[][..], |guard| &guard.gates);
    let is_same =
        |spec: &GateSpec| spec.gate.check == typed.gate.check || spec.gate.name == typed.gate.name;
    let own = (!of_guard.iter().any(is_same)).then_some(typed);
    own.into_iter().chain(of_guard).cloned().collect()
}
