//! Fills the evidence for the verdict on a run: which receipts there are, which files they are about,
//! and which of them the judge counts now. No other module works this out for itself.

use sprag_core::reporting::{GateEvidence, Slip};
use sprag_core::{Hash, Receipt, RunId, typed};
use sprag_store::View;

use crate::case::Case;
use crate::drive::looked_at;
use crate::engine::{Engine, EngineError};
use crate::judge::Known;
use crate::receipt::{self, Record};
use crate::sitting::Now;

impl Engine<'_> {
    /// Returns what is known of the gates of a run that is open.
    pub(crate) fn gate_evidence(
        &self,
        view: &View<'_>,
        case: &Case,
        id: &RunId,
        now: &Now<'_>,
    ) -> Result<GateEvidence, EngineError> {
        let receipts = slips(view, id)?;
        let (tree, counted) = self.counted(view, case, id, now)?;
        let specs = case.run.live.specs().iter();
        let asked: Vec<_> = specs.map(|spec| spec.gate.name.to_string()).collect();
        let evidence = GateEvidence::of(receipts, counted, Some(tree), &asked, |_| false);
        // In a worktree the files that it looked at last are not those of the branch.
        Ok(GateEvidence { looked_at: Some(looked_at(view, case, now)?), ..evidence })
    }

    /// Returns the files that a run is judged by, and what counts of its gates on them.
    pub(crate) fn counted(
        &self,
        view: &View<'_>,
        case: &Case,
        id: &RunId,
        now: &Now<'_>,
    ) -> Result<(Hash, Vec<Receipt>), EngineError> {
        let (tree, files) = self.judged_in(view, id, now)?;
        let counted = if let Some(files) = files {
            case.standing(self, view, &files, &Known::default())?.receipts
        } else {
            // Where the files cannot be looked at, what was said of them is all there is.
            let records = receipt::of_run(view, id)?.0;
            records.iter().filter(|one| one.tree == tree).flat_map(Record::receipt).collect()
        };
        Ok((tree, counted))
    }
}

/// Returns the gates of a run that passed on other files than those of `tree`, and on these not yet.
pub(crate) fn stale(view: &View<'_>, run: &RunId, tree: Hash) -> Result<Vec<String>, EngineError> {
    Ok(GateEvidence::of(slips(view, run)?, Vec::new(), Some(tree), &[], |_| false).stale())
}

/// Returns the receipts of a run, oldest first, as far as they can be read.
fn slips(view: &View<'_>, run: &RunId) -> Result<Vec<Slip>, EngineError> {
    Ok(receipt::of_run(view, run)?.0.iter().filter_map(slip).collect())
}

/// Returns a receipt as people are shown it.
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
