//! Collects the receipts that count for a run's gates on the current files.
//!
//! A receipt counts only for exactly the files it was made of. The basis of a pass is weighed when
//! a unit ends (`integrity`).

use sprag_core::event::GateReused;
use sprag_core::{Ask, Event, Receipt, RunId, Verdict};
use sprag_store::View;
use sprag_world::tree::Tree;

use crate::draft::Draft;
use crate::engine::{Engine, EngineError};
use crate::judge::Known;
use crate::judge::evaluate::Wanted;
use crate::receipt::{self, GateOrigin, Record};
use crate::receipt_index;
use crate::run_file::RunFile;
use crate::snapshot::Snapshot;

/// The known results of a run's gates.
#[derive(Debug)]
pub(crate) struct GateResults {
    /// The receipts that the kernel judges by, oldest first.
    pub(crate) receipts: Vec<Receipt>,
    /// Those receipts that are a person's verdict.
    pub(crate) words: Vec<Receipt>,
    /// The latest receipts of other runs, which save evaluating the gates again.
    reused: Vec<Record>,
    asked: GateOrigin,
}

impl GateResults {
    /// Collects the results for the session's run at index `at`.
    pub(crate) fn of(
        engine: &Engine<'_>,
        view: &View<'_>,
        sitting: &Snapshot,
        at: usize,
        tree: &Tree,
        gathered: &Known,
    ) -> Result<Self, EngineError> {
        Self::of_run(engine, view, &sitting.runs[at], tree, gathered)
    }

    /// Collects the results for a run.
    pub(crate) fn of_run(
        engine: &Engine<'_>,
        view: &View<'_>,
        run: &RunFile,
        tree: &Tree,
        gathered: &Known,
    ) -> Result<Self, EngineError> {
        let id = run.id();
        let specs = run.live.specs();
        let own = receipt::about(view, id, tree.hash())?;
        let carried = carried(engine, view, run, &own, tree)?;
        let fresh = gathered.evidence.iter().map(|evidence| evidence.record.clone());
        let is_asked =
            |record: &Record| specs.iter().any(|spec| receipt_index::is_of(record, spec));
        let reuses = !run.live.info().judges_anew;
        // A command depends on more than files, so a driver only counts receipts made for its own
        // run.
        let is_driven = gathered.driven || run.has_driver();
        let takes_over = reuses && !is_driven;
        let known =
            if takes_over { receipt_index::find(engine, view, tree.hash(), specs) } else { vec![] };
        let mut records: Vec<Record> = own
            .into_iter()
            .filter(|record| {
                if record.is_word() {
                    return run.is_word_here(record);
                }
                is_asked(record) && reuses && (counts(record) || run.is_unproven())
            })
            .filter(|record| record.tree == tree.hash() && record.is_told(&engine.store))
            .chain(known)
            .collect();
        let mut seen = std::collections::BTreeSet::new();
        records.retain(|record| seen.insert(record.id.clone()));
        records.sort_by_key(|record| record.started);
        if is_driven {
            keep_passed(&mut records, gathered);
        }
        // New receipts come last, even if the clock was set back.
        let fresh = fresh.filter(|record| record.is_word() || is_asked(record));
        records.extend(fresh.filter(|record| record.tree == tree.hash()));
        records.extend(carried);
        let (mut receipts, mut words) = (Vec::new(), Vec::new());
        for record in &records {
            let Ok(receipt) = record.receipt() else { continue };
            if record.is_word() {
                words.push(receipt.clone());
            }
            receipts.push(receipt);
        }
        let phase = run.phase();
        let definition = run.header.definition.as_ref().map(|definition| definition.digest);
        Ok(Self {
            receipts,
            words,
            reused: reused(records, id, phase.as_ref()),
            asked: GateOrigin { run: id.clone(), phase, definition },
        })
    }

    /// Records the end of an attempt. A reused receipt of another run goes into the journal whole,
    /// because that run may be removed.
    pub(crate) fn tell(&self, draft: &mut Draft, run: &RunId, events: Vec<Event>) {
        let is_end = events.iter().any(|event| event.ending().is_some());
        for record in self.reused.iter().filter(|_| is_end) {
            draft.note(Some(run), GateReused { receipt: serde_json::json!(record) });
        }
        draft.tell(run, events);
    }

    /// Returns the receipts that are not a person's verdict.
    pub(crate) fn decided(&self) -> impl Iterator<Item = &Receipt> {
        self.receipts.iter().filter(|one| !self.words.contains(one))
    }

    /// Returns the gates that must be evaluated before the kernel can decide.
    pub(crate) fn wanted(&self, run: &RunFile, asks: &[Ask]) -> Result<Vec<Wanted>, EngineError> {
        let mut wanted = Vec::new();
        for ask in asks {
            let Ask::Gate(gate) = ask else { continue };
            let spec = run.live.specs().iter().find(|spec| spec.gate == *gate);
            let spec = spec.ok_or_else(|| EngineError::NotFound {
                what: format!("the gate `{}` is not in the definition", gate.name),
            })?;
            wanted.push(Wanted { asked: self.asked.clone(), spec: spec.clone() });
        }
        Ok(wanted)
    }
}

/// Drops the gates whose latest evaluation did not pass, unless it happened just now: a failure
/// counts only for the decision it was made for.
fn keep_passed(records: &mut Vec<Record>, gathered: &Known) {
    let found = records.iter().filter(|record| !record.is_word());
    let passed = |record: &Record| record.verdict == Verdict::Pass;
    let last = found.map(|record| (record.gate.clone(), passed(record)));
    let mut last: std::collections::BTreeMap<_, _> = last.collect();
    last.extend(gathered.evidence.iter().map(|one| (one.record.gate.clone(), true)));
    records.retain(|record| record.is_word() || last[&record.gate]);
}

/// Returns a person's waivers of an attempt that has not ended, transferred to the current files:
/// its agent went on to change them.
fn carried(
    engine: &Engine<'_>,
    view: &View<'_>,
    run: &RunFile,
    own: &[Record],
    tree: &Tree,
) -> Result<Vec<Record>, EngineError> {
    let is_elsewhere = |record: &&Record| record.tree != tree.hash() && run.is_word_here(record);
    let words: Vec<_> = own.iter().filter(is_elsewhere).collect();
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let waived = crate::agents_file::waived(view, run.id())?;
    let counts = |word: &&Record| waived.contains(&word.id) && word.is_told(&engine.store);
    let words = words.into_iter().filter(counts);
    let mut words: Vec<Record> = words.cloned().collect();
    for word in &mut words {
        word.tree = tree.hash();
    }
    Ok(words)
}

/// Returns the last receipt of each gate that belongs to another run, as reused by this phase.
fn reused(records: Vec<Record>, run: &RunId, phase: Option<&String>) -> Vec<Record> {
    let mut last = std::collections::BTreeMap::new();
    for record in records.into_iter().filter(|record| !record.is_word()) {
        last.insert(record.gate.clone(), record);
    }
    let mut others: Vec<Record> = last.into_values().filter(|record| record.run != *run).collect();
    for record in &mut others {
        record.phase = phase.cloned();
        // The output stays with the run that it belongs to.
        record.tail.clear();
    }
    others
}

/// Returns whether an older receipt still counts: a gate that could not run may run now.
fn counts(record: &Record) -> bool {
    matches!(record.verdict, Verdict::Pass | Verdict::Fail)
}
