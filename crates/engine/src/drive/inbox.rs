//! The inbox as a driven run: its start, gates and progress.
//!
//! It has no `run.yaml`, because assignments and units are documents of the original system. The
//! driver's own state is in a separate ledger. Its cost and results are the sum over the runs of
//! all assignments since its driver first started.

use serde_json::Value;
use sprag_core::{Driven, Hold, RunId, Time};
use sprag_store::View;
use sprag_world::{clock, ids};

use super::{ACTOR, Count, Far, Spent, UnapprovedItem};
use crate::agents_file::{AgentsFile, InboxEnd, Since, Tally};
use crate::draft::Draft;
use crate::engine::kind::run_header::source_of_assignments;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::inbox::fence_of;
use crate::now::Now;
use crate::run_file::Source;
use crate::run_file::runs;
use crate::snapshot::ConfigSnapshot;
use crate::{gate, inbox};

/// Returns the command that continues a run.
pub fn again(run: &RunId) -> String {
    Driven::of(run).again()
}

/// Returns the session of the inbox driver. There is only one driver at a time, so an assignment
/// held under this name without an active driver is abandoned.
impl Engine<'_> {
    /// Starts driving the inbox, or continues where an earlier driver left work. The budget covers
    /// all of it.
    pub fn drive_inbox(&self, how: &Value) -> Result<RunId, EngineError> {
        let now = clock::now();
        self.commit(ACTOR, PATIENT, |view| {
            let run = inbox::run()?;
            let mut ledger = AgentsFile::read(view, &run)?;
            let is_over = ledger.ended.take() == Some(InboxEnd::Over);
            if ledger.since.is_some() && !is_over {
                ledger.how = Some(how.clone());
            } else {
                let word = ledger.word.take();
                ledger = AgentsFile::driven(how);
                ledger.word = word;
                ledger.since = Some(Since { seq: view.seq().0, at: now });
            }
            ledger.word.get_or_insert_with(ids::suffix);
            let mut draft = Draft::default();
            draft.edit(ledger.edit(&run)?);
            Ok((draft, run))
        })
    }

    /// Records that the inbox driver ended: with no work left, or with a hold on the whole inbox.
    pub fn drive_inbox_ended(&self, held: Option<&Hold>) -> Result<(), EngineError> {
        self.commit(ACTOR, PATIENT, |view| {
            let run = inbox::run()?;
            let mut ledger = AgentsFile::read(view, &run)?;
            ledger.ended = Some(held.cloned().map_or(InboxEnd::Over, InboxEnd::Held));
            let mut draft = Draft::default();
            draft.edit(ledger.edit(&run)?);
            Ok((draft, ()))
        })
    }

    /// Returns the commands of the gates that judge assignments.
    pub(super) fn inbox_commands(&self) -> Result<Vec<UnapprovedItem>, EngineError> {
        self.look(|view| {
            let guard = ConfigSnapshot::of(view, None)?.0.config.guard;
            let specs = guard.map_or_else(Vec::new, |guard| guard.gates);
            let argv = specs.iter().flat_map(|spec| gate::commands(&spec.gate.check));
            Ok(argv.map(UnapprovedItem::of).collect())
        })
    }
}

/// Returns when the inbox driver started, and the runs of all assignments since then, oldest first.
pub(crate) fn driven(view: &View<'_>) -> Result<(Option<Since>, Vec<RunId>), EngineError> {
    let since = AgentsFile::read(view, &inbox::run()?)?.since;
    let began = since.map_or(u64::MAX, |since| since.seq);
    let mut all = runs(view)?;
    all.retain(|run| fence_of(run).is_some_and(|seq| seq >= began));
    all.sort_by_key(fence_of);
    Ok((since, all))
}

pub(super) fn far(view: &View<'_>, now: &Now<'_>) -> Result<Far, EngineError> {
    let (since, children) = driven(view)?;
    let (mut spent, mut tally) = (Spent::default(), Tally::default());
    for child in &children {
        let ledger = AgentsFile::read(view, child)?;
        spent = spent.and(&ledger.spent);
        tally.add(&ledger.tally);
    }
    let (done, total) = inbox::count(view)?;
    let started: Time = since.map_or(now.at, |since| since.at);
    let count = Count { done, total: Some(total), of: "units" };
    let source = now.engine.inbox_source()?;
    Ok(Far {
        // Each assignment has its own time limit.
        wall: None,
        source,
        task: None,
        until: None,
        started,
        ended: None,
        count,
        spent,
        tally,
        open: Vec::new(),
    })
}

impl Engine<'_> {
    /// Returns the source of the inbox's runs.
    pub fn inbox_source(&self) -> Result<Source, EngineError> {
        let unknown = || EngineError::NotFound { what: "no kind of run is assigned".to_owned() };
        source_of_assignments(self.kinds).ok_or_else(unknown)
    }
}
