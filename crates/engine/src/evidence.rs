//! Collects the evidence for the verdict on a run: its receipts, the files they are about, and the
//! receipts that count now. No other module computes this.

use sprag_core::reporting::{GateEvidence, JudgedFiles, Slip};
use sprag_core::{Hash, Receipt, RunId, typed};
use sprag_store::View;

use crate::drive::looked_at_apart;
use crate::engine::{Engine, EngineError};
use crate::judge::Known;
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::receipt::{self, Record};

impl Engine<'_> {
    /// Returns the evidence about the gates of an open run.
    pub(crate) fn gate_evidence(
        &self,
        view: &View<'_>,
        case: &OpenRun,
        id: &RunId,
        now: &Now<'_>,
    ) -> Result<GateEvidence, EngineError> {
        let receipts = slips(view, id)?;
        let (tree, counted) = self.counted(view, case, id, now)?;
        let specs = case.run.live.specs().iter();
        let asked: Vec<_> = specs.map(|spec| spec.gate.name.to_string()).collect();
        // A run in a worktree was last judged by other files than those of its branch. An
        // unreadable agents.json holds the run by itself, so the rest is still shown.
        let apart = looked_at_apart(view, case).unwrap_or_default();
        let files = JudgedFiles { now: Some(tree), apart };
        Ok(GateEvidence::of(receipts, Some(counted), files, &asked, |_| false))
    }

    /// Returns the hash of the files that a run is judged by, and the receipts that count for it.
    pub(crate) fn counted(
        &self,
        view: &View<'_>,
        case: &OpenRun,
        id: &RunId,
        now: &Now<'_>,
    ) -> Result<(Hash, Vec<Receipt>), EngineError> {
        let (tree, files) = self.judged_in(view, id, now)?;
        let counted = if let Some(files) = files {
            case.standing(self, view, &files, &Known::default())?.receipts
        } else {
            // If the files cannot be listed, only the receipts about this tree count.
            let records = receipt::of_run(view, id)?.0;
            records.iter().filter(|one| one.tree == tree).flat_map(Record::receipt).collect()
        };
        Ok((tree, counted))
    }
}

/// Returns the readable receipts of a run, oldest first.
fn slips(view: &View<'_>, run: &RunId) -> Result<Vec<Slip>, EngineError> {
    Ok(receipt::of_run(view, run)?.0.iter().filter_map(slip).collect())
}

/// Converts a receipt to the form that people see.
pub(crate) fn slip(record: &Record) -> Option<Slip> {
    Some(Slip {
        id: record.id.clone(),
        phase: record.phase.clone(),
        kind: record.kind,
        command: record.argv.as_deref().map(typed),
        by: record.by.clone(),
        ms: record.ms,
        receipt: record.receipt().ok()?,
    })
}
