//! Starts driven runs: a workflow, or a task that agents work on until a command passes, `sprag run
//! "task" --until CMD`. The same commit stores the driver's settings.
//!
//! A task needs no definition: it is a run of the guard's machine with one command. A person typed
//! the command, so it is trusted. It is stored in the run, out of reach of changes to the project.
//! The project's guard applies to a task as to a session.

use std::time::Duration;

use serde_json::Value;
use sprag_core::event::RunStarted;
use sprag_core::guard::{Guard, Position, TASK};
use sprag_core::{Facts, GateSpec, Hash, Run, RunId, Signal};
use sprag_formats::{GuardConfig, command_gate};
use sprag_store::View;

use super::ACTOR;
use super::ledger::Ledger;
use crate::began::Found;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::gate;
use crate::kinds;
use crate::kinds::guard::{GuardRun, definition};
use crate::run_file::driver_of;
use crate::run_file::{self, Header, RunFile, Source};
use crate::sitting::{Law, Now, protected};
use crate::tx::Draft;
use crate::whose::{WALL, deadline, in_journal, new_run};

/// The hash that stands for the files at the beginning. No files have it, so there is always
/// something to prove.
pub(super) const NO_TREE: &str = "task";

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
        let now = Now::new(self);
        self.commit(ACTOR, PATIENT, |view| {
            let id = new_run(view)?;
            let (law, _) = Law::of(view, None)?;
            let gates = gates(&spec, law.config.guard.as_ref());
            let position = Position::new(Hash::of(NO_TREE), &[]);
            let judged = definition(&gates, Some(max)).once(TASK);
            let run = Run::new::<Guard>(id.clone(), &judged, position);
            let wall: Duration = law.config.limits.wall.unwrap_or(WALL);
            let run = run.until(deadline(now.at, wall));
            let typed =
                run_file::Definition { path: "sprag run".to_owned(), digest: Hash::of(until) };
            let mut header = Header::new(Source::Task, typed, now.at);
            header.task = Some(task.to_owned());
            header.until = Some(until.to_owned());
            header.protected = protected(&now, &gates)?;
            let info = &kinds::task::INFO;
            let live = Box::new(GuardRun { info, specs: gates, definition: judged, run });
            let mut draft = Draft::default();
            let (task, until) = (Some(in_journal(task)), Some(until.to_owned()));
            draft.note(Some(&id), RunStarted { task, until, ..RunStarted::of("task") });
            let mut file = RunFile::new(header, live);
            own(&mut file, how, &now, view, &mut draft)?;
            draft.run(&file)?;
            Ok((draft, id))
        })
    }

    /// Starts a driven workflow.
    pub fn start_workflow(
        &self,
        name: &str,
        task: &str,
        how: &Value,
    ) -> Result<RunId, EngineError> {
        let begun = self.start_for(name, task, ACTOR, |view, file, now, draft| {
            own(file, how, now, view, draft)?;
            Ok(true)
        })?;
        Ok(begun.run)
    }
}

/// Returns the gates of a task: its own command, and those of the guard. If both name the same
/// command, the guard's gate is used.
pub(crate) fn gates(typed: &GateSpec, guard: Option<&GuardConfig>) -> Vec<GateSpec> {
    let of_guard = guard.map_or(&[][..], |guard| &guard.gates);
    let is_same =
        |spec: &GateSpec| spec.gate.check == typed.gate.check || spec.gate.name == typed.gate.name;
    let own = (!of_guard.iter().any(is_same)).then_some(typed);
    own.into_iter().chain(of_guard).cloned().collect()
}

/// Gives a new run to its driver, and stores the driver's settings.
pub(super) fn own(
    file: &mut RunFile,
    how: &Value,
    now: &Now<'_>,
    view: &View<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let run = file.id().clone();
    let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
    Found::note(view, now, draft)?;
    let claimed = Signal::Claimed { session: driver_of(&run)? };
    draft.tell(&run, file.live.step(&claimed, &facts)?);
    draft.edit(Ledger::driven(how).edit(&run)?);
    Ok(())
}
