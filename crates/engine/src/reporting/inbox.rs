//! The report of the inbox: the runs of its assignments as one. Their gates are those of the project,
//! so what one of them said last says it of the work of all; only a waiver stays that of its unit.

use std::collections::BTreeMap;

use sprag_core::reporting::{Branch, Doubt, Fact, Material, Report, Slip};
use sprag_core::{Hash, Id, Life, Verdict};

use super::{Told, receipts, waits};
use crate::clock;
use crate::drive::driven;
use crate::engine::{Engine, EngineError};
use crate::inbox;

impl Engine<'_> {
    /// Makes the report of the inbox.
    pub(super) fn inbox_report(&self) -> Result<Report, EngineError> {
        let (since, children) = self.look(driven)?;
        let told = self.told_of(&children, since.map_or(u64::MAX, |since| since.seq))?;
        let (slips, doubts) = self.slips_of(&told)?;
        let mut shown = self.shown()?.0;
        let waits = waits(&shown, |run| children.contains(run));
        let own = shown.iter().filter(|run| children.contains(&run.id));
        let limits = own.clone().flat_map(|run| run.limits.clone()).take(1).collect();
        shown.retain(|run| children.contains(&run.id));
        let is_over = shown.iter().all(|run| run.ended.is_some());
        let now = clock::now();
        let started = since.map_or(now, |since| since.at);
        let (branch, tree) = self.brought_by(&children)?;
        let mut facts: Vec<Fact> = told.into_values().flat_map(|one| one.facts).collect();
        facts.sort_by_key(|fact| fact.at);
        Ok(Report::of(Material {
            run: inbox::run()?,
            source: inbox::NAME.to_owned(),
            task: None,
            at: "the units of work that are assigned or open".to_owned(),
            life: if is_over { Life::Done } else { Life::Working },
            started,
            ended: shown.iter().filter_map(|run| run.ended).max().filter(|_| is_over),
            now,
            tree,
            facts,
            slips,
            doubts,
            asked: Vec::new(),
            findings: None,
            waits,
            limits,
            files: self.changed(started, None, branch.as_ref()),
            branch,
            // The report of each assignment tells.
            rewritten: Vec::new(),
            gone: Vec::new(),
        }))
    }

    /// Reads the part that these runs have in the journal since then.
    fn told_of(&self, runs: &[Id], since: u64) -> Result<BTreeMap<Id, Told>, EngineError> {
        let mut all: BTreeMap<Id, Told> =
            runs.iter().map(|run| (run.clone(), Told::default())).collect();
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

    /// Returns the receipts of these runs that count, oldest first, and what is wrong with others.
    fn slips_of(&self, told: &BTreeMap<Id, Told>) -> Result<(Vec<Slip>, Vec<Doubt>), EngineError> {
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

    /// Returns the branch in which the work of these runs is, with its files; what was merged last
    /// knows them best.
    fn brought_by(&self, runs: &[Id]) -> Result<(Option<Branch>, Option<Hash>), EngineError> {
        let known = self.look(|view| {
            let mut all = runs.iter().rev().filter_map(|run| self.branch_of(view, run));
            Ok(all.find(|(branch, tree)| branch.commit().is_some() && tree.is_some()))
        })?;
        Ok(match known {
            Some((branch, tree)) => (Some(branch), tree),
            None => (None, self.tree().ok().map(|tree| tree.hash())),
        })
    }
}
