//! Gates without a workflow: the guard of a session, and what is built on its machine.

use sprag_core::event::RunStarted;
use sprag_core::guard::{Definition, Guard, Position, UNIT};
use sprag_core::{GateSpec, Hash, Prompt, Run, Unit};
use sprag_formats::command_gate;

use crate::attach::{claim, deadline, is_taken, new_run};
use crate::engine::kind::{AnyRun, Entry, Info, Kind, Reading, check_kernel, on_machine};
use crate::engine::{Engine, EngineError};
use crate::judge;
use crate::judge::tx::Tx;
use crate::receipt_index as receipts;
use crate::run_file::{self, Header, Source};
use crate::run_file::{RunFile, path};
use crate::snapshot::Snapshot;
use crate::unusable::Unusable;
use crate::weigh::of_session;

/// The guard of a session.
pub const INFO: Info = Info { is_automatic: true, is_guarded: true, ..BASE };

pub static ENTRY: Entry = Entry { info: &INFO, open, check: check_kernel::<Position> };

fn open(file: &Reading<'_>) -> Result<AnyRun, Unusable> {
    let gates = file.guard.map_or(&[][..], |guard| &guard.gates);
    let retry = file.guard.and_then(|guard| guard.retry);
    Ok(Box::new(guarding(&INFO, gates, retry, file.kernel()?)))
}

/// Returns the gate of the command that a person typed when the run began.
pub(super) fn typed_gate(file: &Reading<'_>, line: Option<&str>) -> Result<GateSpec, Unusable> {
    let path = path(file.id.as_str())?.to_string();
    let line = line.unwrap_or_default();
    let typed = file.header.definition.as_ref().map(|typed| typed.digest);
    if typed != Some(Hash::of(line)) {
        let why = format!("`{line}` is not the command that it was started with");
        return Err(Unusable::Definition { path, why });
    }
    command_gate(line).map_err(|error| Unusable::Definition { path, why: error.to_string() })
}

/// The properties of every run of this machine.
pub(super) const BASE: Info = Info { is_guard: true, ..Info::new("guard") };

/// The hash that stands for the files at the beginning of a task. No files have it, so there is always
/// something to prove.
pub(super) const NO_TREE: &str = "task";

/// A run that is judged by gates alone.
#[derive(Clone, Debug, PartialEq)]
pub struct GuardRun {
    /// What these gates hold: a session, an assignment, a task.
    pub(crate) info: &'static Info,
    /// Its gates, with the data to evaluate them.
    pub specs: Vec<GateSpec>,
    /// The same gates, as the kernel knows them.
    pub definition: Definition,
    pub run: Run<Position>,
}

/// Combines gates with their run.
pub(crate) fn guarding(
    info: &'static Info,
    gates: &[GateSpec],
    retry: Option<u32>,
    run: Run<Position>,
) -> GuardRun {
    GuardRun { info, specs: gates.to_vec(), definition: definition(gates, retry), run }
}

/// Returns the kernel's definition of a guard.
pub(crate) fn definition(gates: &[GateSpec], retry: Option<u32>) -> Definition {
    Definition {
        gates: gates.iter().map(|spec| spec.gate.clone()).collect(),
        retry: retry.unwrap_or(Definition::RETRY),
        unit: UNIT,
        once: false,
    }
}

on_machine!(GuardRun, Guard);

impl Kind for GuardRun {
    fn info(&self) -> &'static Info {
        self.info
    }

    fn line(&self) -> String {
        let names: Vec<_> = self.specs.iter().map(|spec| spec.gate.name.as_str()).collect();
        let colon = if names.is_empty() { "" } else { ": " };
        format!("{}{colon}{}", self.info.label, names.join(", "))
    }

    fn specs(&self) -> &[GateSpec] {
        &self.specs
    }

    fn retries(&self) -> Option<(u32, u32)> {
        self.run.bounds().values().next().map(|bound| (bound.used(), bound.max()))
    }

    fn order(&self, header: &Header, _: &Unit, _: &Prompt) -> String {
        header.task.clone().unwrap_or_default()
    }
}

impl Engine<'_> {
    /// Begins the guard of a session that changed files.
    pub(crate) fn begin_guard(
        &self,
        tx: &mut Tx<'_>,
        sitting: &mut Snapshot,
        known: &judge::Known,
    ) -> Result<(), EngineError> {
        let (view, now) = (tx.view, tx.now);
        let Some(guard) = sitting.guard() else { return Ok(()) };
        let begun = sitting.file.guard.is_some();
        if begun || !sitting.file.worked {
            return Ok(());
        }
        // The configuration is not among the files of the tree.
        let is_same = now.tree()?.hash() == sitting.file.tree;
        if is_same && !of_session::is_law_changed(sitting, now) {
            return Ok(());
        }
        let id = if let Some(id) = known.run.get() {
            id.clone()
        } else {
            let id = new_run(view)?;
            known.run.get_or_init(|| id).clone()
        };
        if is_taken(view, id.as_str()) {
            return Err(EngineError::Restless);
        }
        let before = receipts::find(self, view, sitting.file.tree, &guard.gates);
        let before: Vec<_> = before.iter().filter_map(|record| record.receipt().ok()).collect();
        let judged = definition(&guard.gates, guard.retry);
        let position = Position::new(sitting.file.tree, &before);
        let mut run = Run::new::<Guard>(id.clone(), &judged, position);
        if let Some(wall) = guard.limits.wall {
            run = run.until(deadline(now.at, wall));
        }
        let path = crate::config::path()?.to_string();
        let judged_by = run_file::DefinitionOrigin { path, digest: sitting.law.digest };
        let header = Header::new(Source::of(&ENTRY), judged_by, now.at);
        let live = Box::new(guarding(&INFO, &guard.gates, guard.retry, run));
        let mut file = RunFile::new(header, live);
        let session = Some(sitting.id.to_string());
        tx.note(Some(&id), RunStarted { session, ..RunStarted::of("guard") });
        let facts = tx.facts()?.clone();
        claim(&mut file, &sitting.id, &facts, tx);
        sitting.file.guard = Some(id);
        sitting.runs.push(file);
        Ok(())
    }
}
