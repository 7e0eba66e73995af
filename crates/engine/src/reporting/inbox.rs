//! The report of the inbox: the runs of its assignments as one. They share the project's gates, so
//! the latest result of a gate applies to all of the work; only a waiver stays with its unit.

use std::collections::BTreeMap;

use sprag_core::reporting::{BranchState, Doubt, Fact, Material, Report, Slip, WorkBranch};
use sprag_core::{Event, Hash, MissingText, RunId, RunStatus, Verdict};
use sprag_world::clock;

use super::{RunHistory, receipts, waiting};
use crate::agents_file::InboxEnd;
use crate::agents_file::inbox_ended;
use crate::drive::driven;
use crate::edits::EditsLeft;
use crate::engine::{Engine, EngineError};
use crate::inbox;

/// A description of the work.
const UNITS: &str = "the units of work that are assigned or open";

impl Engine<'_> {
    pub(super) fn inbox_report(&self) -> Result<Report, EngineError> {
        let (since, children) = self.look(driven)?;
        if since.is_none() {
            let what = "the inbox was not driven yet: `sprag run inbox`".to_owned();
            return Err(EngineError::NotFound { what });
        }
        let told = self.told_of(&children, since.map_or(u64::MAX, |since| since.seq))?;
        let (slips, doubts) = self.slips_of(&told)?;
        let mut shown = self.shown()?.0;
        let own = inbox::run()?;
        let is_own = |run: &RunId| children.contains(run) || *run == own;
        let waits = waiting(&self.waits()?, is_own);
        shown.retain(|run| children.contains(&run.id));
        let limits = shown.iter().flat_map(|run| run.limits.clone()).take(1).collect();
        let ended = self.look(inbox_ended)?;
        let is_over = ended == Some(InboxEnd::Over);
        let held = ended.clone().and_then(InboxEnd::held);
        let now = clock::now();
        let started = since.map_or(now, |since| since.at);
        let (branch, tree) = self.brought_by(&told)?;
        let files = self.changed(started, None, branch.as_ref());
        let EditsLeft { missing, rewritten } = Self::left_by(&told);
        let (mut doubted, mut inputs) = (Vec::new(), Vec::new());
        for (run, told) in &told {
            for doubt in self.doubted(run, &told.doubted)? {
                // Everything later in the same branch depends on it as well.
                if !doubted.contains(&doubt) {
                    doubted.push(doubt);
                }
            }
            inputs.extend(told.changed.values().cloned());
        }
        let mut facts: Vec<Fact> = told.into_values().flat_map(|one| one.facts).collect();
        facts.sort_by_key(|fact| fact.at);
        Ok(Report::of(Material {
            elsewhere: !self.belongs().counts(),
            run: own,
            source: inbox::NAME.to_owned(),
            task: Some(UNITS.to_owned()),
            life: match ended {
                Some(InboxEnd::Over) => RunStatus::Done,
                Some(InboxEnd::Held(_)) => RunStatus::Held,
                None => RunStatus::Working,
            },
            at: held.map_or_else(|| UNITS.to_owned(), |hold| hold.said()),
            started,
            ended: shown.iter().filter_map(|run| run.ended).max().filter(|_| is_over),
            now,
            tree,
            facts,
            slips,
            counted: None,
            doubts,
            asked: Vec::new(),
            findings: None,
            waits,
            held: None,
            limits,
            files,
            branch,
            rewritten,
            doubted,
            inputs,
            // Assignments are judged by the guard.
            unguarded: Vec::new(),
            unfollowed: Vec::new(),
            missing,
        }))
    }

    /// Reads these runs' part of the journal, from sequence number `since`.
    fn told_of(
        &self,
        runs: &[RunId],
        since: u64,
    ) -> Result<BTreeMap<RunId, RunHistory>, EngineError> {
        let mut all: BTreeMap<RunId, RunHistory> =
            runs.iter().map(|run| (run.clone(), RunHistory::default())).collect();
        for record in self.store.history()? {
            let record = record?;
            if record.seq.0 < since {
                break;
            }
            for event in record.events.iter().rev() {
                let Some(run) = &event.run else { continue };
                if let Some(told) = all.get_mut(run) {
                    told.take(run, record.at, &record.actor, event);
                }
            }
        }
        for told in all.values_mut() {
            told.facts.reverse();
        }
        Ok(all)
    }

    /// Returns the receipts of these runs that count, oldest first, and the faults of the others.
    fn slips_of(
        &self,
        told: &BTreeMap<RunId, RunHistory>,
    ) -> Result<(Vec<Slip>, Vec<Doubt>), EngineError> {
        let (mut slips, mut doubts) = (Vec::new(), Vec::new());
        for (run, told) in told {
            let (own, wrong) = self.look(|view| receipts(view, run, &told.receipts))?;
            let of = |slip: Slip| match slip.receipt.verdict {
                Verdict::Waived => Slip { phase: Some(run.to_string()), ..slip },
                Verdict::Pass | Verdict::Fail | Verdict::Void | Verdict::Unknown => slip,
            };
            slips.extend(own.into_iter().map(of));
            doubts.extend(wrong);
        }
        slips.sort_by_key(|slip| slip.receipt.at);
        Ok((slips, doubts))
    }

    /// Returns what these runs left of what they found. If there are several, each file names its
    /// run.
    fn left_by(told: &BTreeMap<RunId, RunHistory>) -> EditsLeft {
        let mut all = EditsLeft::default();
        for (run, one) in told {
            let name = |file: String| match told.len() {
                1 => file,
                _ => format!("{file} ({run})"),
            };
            let named = |text: MissingText| MissingText { path: name(text.path), ..text };
            let EditsLeft { missing, rewritten } = one.left.clone().unwrap_or_default();
            all.rewritten.extend(rewritten.into_iter().map(name));
            all.missing.gone.extend(missing.gone.into_iter().map(named));
            all.missing.away.extend(missing.away.into_iter().map(named));
            all.missing.unseen.extend(missing.unseen.into_iter().map(name));
        }
        all.missing.gone.sort();
        all.missing.away.sort();
        all.rewritten.sort();
        all
    }

    /// Returns the branch with the work of these runs, and the hash of its files, from the run that
    /// was merged last.
    fn brought_by(
        &self,
        told: &BTreeMap<RunId, RunHistory>,
    ) -> Result<(Option<WorkBranch>, Option<Hash>), EngineError> {
        let is_merge = |fact: &&Fact| matches!(fact.event, Event::WorkMerged(_));
        let last = |told: &RunHistory| told.facts.iter().rev().find(is_merge).map(|fact| fact.at);
        let mut runs: Vec<_> = told.iter().map(|(run, told)| (last(told), run)).collect();
        runs.sort();
        let known = self.look(|view| {
            let mut all = runs.iter().rev().filter_map(|(_, run)| self.branch_of(view, run));
            Ok(all.find(|(branch, tree)| branch.at != BranchState::Empty && tree.is_some()))
        })?;
        Ok(match known {
            Some((branch, tree)) => (Some(branch), tree),
            None => (None, self.tree().ok().map(|tree| tree.hash())),
        })
    }
}
