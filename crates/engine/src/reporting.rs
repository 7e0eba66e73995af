//! Collects the material of a report: the run, its part of the journal, its receipts checked
//! against the journal, its holds, and the changed files.

use std::collections::{BTreeMap, BTreeSet};

use sprag_core::basis::{OpenDoubt, ReportedChange};
use sprag_core::reporting::{
    BranchState, Doubt, Fact, Files, Material, Report, Slip, Wait, WorkBranch, Wrong,
};
use sprag_core::{Event, Gate, Hash, Kind, Receipt, ReceiptId, RunId, Time};
use sprag_store::View;
use sprag_world::clock;

use crate::changes::Since;
use crate::drive::is_inbox;
use crate::edits::{EditsLeft, RunBaseline};
use crate::engine::kind::Kinds;
use crate::engine::{Engine, EngineError};
use crate::evidence::slip;
use crate::now::Now;
use crate::receipt::{self, Record};
use crate::run_file::Unusable;
use crate::run_file::runs;
use crate::{integrity, open_run, waits};

mod inbox;

/// Fails with the first run that cannot be read.
fn all_readable(kinds: Kinds, view: &View<'_>) -> Result<(), EngineError> {
    for id in runs(view)? {
        match open_run::OpenRun::open(kinds, view, &id) {
            Ok(_) | Err(EngineError::Run(Unusable::Absent(_))) => {}
            Err(error) => {
                let path = format!(".sprag/runs/{id}");
                return Err(EngineError::Unreadable { path, why: error.to_string() });
            }
        }
    }
    Ok(())
}

/// A run's part of the journal.
#[derive(Debug, Default)]
struct RunHistory {
    facts: Vec<Fact>,
    receipts: Receipts,
    found: RunBaseline,
    /// What was left of it when the last agent ended.
    left: Option<EditsLeft>,
    /// The commits that merged its work into a branch, newest first.
    merges: Vec<String>,
    /// The inputs that agents changed, by the last end of each unit.
    doubted: BTreeSet<String>,
    /// The inputs of passed units that differ from their baseline, by path.
    changed: BTreeMap<String, ReportedChange>,
    /// The units whose `changed` entries were recorded.
    weighed: BTreeSet<String>,
    /// The units whose last end was read.
    ended: BTreeSet<String>,
}

/// A run's receipts according to the journal.
#[derive(Debug, Default)]
struct Receipts {
    /// The hash of each, and how many newer ones there are; an older version recorded no hash.
    hashes: BTreeMap<String, (usize, Option<Hash>)>,
    /// The receipts of other runs that it relies on, and how many newer ones there are.
    reused: BTreeMap<ReceiptId, (usize, Record)>,
    /// Whether the journal reaches back to the beginning of the run.
    whole: bool,
}

impl Engine<'_> {
    /// Returns the default run of a report: the newest that is not a guard, else the newest guard.
    pub fn newest_run(&self) -> Result<RunId, EngineError> {
        let (runs, trouble) = self.shown()?;
        if !trouble.is_empty() {
            // An unreadable run may be the newest one, so fail instead of taking another.
            self.look(|view| all_readable(self.kinds, view))?;
        }
        let more = runs.iter().any(|run| !run.source.info().is_automatic);
        let meant = runs.iter().filter(|run| !more || !run.source.info().is_automatic);
        let newest = meant.clone().map(|run| run.started).max();
        let mut names = meant.filter(|run| Some(run.started) == newest).map(|run| run.id.clone());
        match (names.next(), names.next()) {
            (None, _) => Err(EngineError::NotFound { what: "there is no run yet".to_owned() }),
            (Some(one), None) => Ok(one),
            (Some(one), Some(other)) => {
                let what = "several runs began at the same time".to_owned();
                let names = [one, other].into_iter().chain(names).map(|id| id.to_string());
                Err(EngineError::Several { what, names: names.collect() })
            }
        }
    }

    /// Builds the report of a run. The inbox's report covers all assignments worked on since its
    /// driver started.
    pub fn report(&self, id: &RunId) -> Result<Report, EngineError> {
        if is_inbox(id) {
            return self.inbox_report();
        }
        let (runs, _) = self.shown()?;
        let all: Vec<_> = runs.iter().flat_map(|run| run.waits.clone()).collect();
        let waits = waiting(&all, |run| run == id);
        let Some(shown) = runs.into_iter().find(|run| run.id == *id) else {
            // Opening it returns the reason why it cannot be shown.
            self.look(|view| open_run::OpenRun::open(self.kinds, view, id).map(drop))?;
            return Err(EngineError::NotFound { what: format!("no run is called `{id}`") });
        };
        let told = self.told(id)?;
        let (slips, doubts) = self.look(|view| receipts(view, id, &told.receipts))?;
        let findings = self
            .look(|view| Ok(open_run::OpenRun::open(self.kinds, view, id)?.run.live.findings()))?;
        let (branch, tree) = match self.look(|view| Ok(self.branch_of(view, id)))? {
            Some((branch, tree)) => (Some(branch), tree),
            // If the files cannot be listed, the report is made without their hash.
            None => (None, self.tree().ok().map(|tree| tree.hash())),
        };
        let is_own = shown.source.info().is_assigned;
        let own = if is_own { &told.merges[..] } else { &[] };
        let commit = told.found.edits.commit.as_deref();
        let files = self
            .brought_with(shown.started, own)
            .or_else(|| self.changed(shown.started, commit, branch.as_ref()));
        let EditsLeft { missing, rewritten } = told.left.unwrap_or_default();
        Ok(Report::of(Material {
            run: id.clone(),
            elsewhere: !self.belongs().counts(),
            source: shown.source.to_string(),
            task: shown.task,
            at: shown.at,
            life: shown.life,
            started: shown.started,
            ended: shown.ended,
            now: clock::now(),
            tree,
            facts: told.facts,
            slips,
            counted: self.counted_now(id, shown.ended)?,
            doubts,
            asked: shown.gates,
            findings,
            waits,
            held: shown.waits.into_iter().next().map(|wait| wait.hold),
            limits: shown.limits,
            branch,
            files,
            rewritten,
            doubted: self.doubted(id, &told.doubted)?,
            inputs: told.changed.into_values().collect(),
            unguarded: self.unguarded(id)?,
            unfollowed: self.unfollowed(id)?,
            missing,
        }))
    }

    /// Returns the open doubts about these inputs of a run, and those left by its agents in units
    /// that have not passed.
    fn doubted(
        &self,
        id: &RunId,
        named: &BTreeSet<String>,
    ) -> Result<Vec<ReportedChange>, EngineError> {
        let now = Now::new(self);
        let doubts = self.look(|view| integrity::doubts_of(self, view, id, &now))?;
        let is_own = |doubt: &&OpenDoubt| {
            doubt.run.as_ref() == Some(id) || named.contains(&doubt.key.to_string())
        };
        let open = doubts.iter().filter(is_own);
        Ok(open.map(OpenDoubt::reported).collect())
    }

    /// Returns the receipts that count for a run now, or `None` if the run is over.
    fn counted_now(
        &self,
        id: &RunId,
        ended: Option<Time>,
    ) -> Result<Option<Vec<Receipt>>, EngineError> {
        if ended.is_some() {
            return Ok(None);
        }
        let now = Now::new(self);
        let counted = self.look(|view| {
            self.counted(view, &open_run::OpenRun::open(self.kinds, view, id)?, id, &now)
        })?;
        Ok(Some(counted.1))
    }

    /// Returns the guard's gates that a driven run does not evaluate. In a session the guard
    /// applies to the agent; a driven agent may stop without it.
    fn unguarded(&self, run: &RunId) -> Result<Vec<String>, EngineError> {
        if self.drive_kept(run)?.is_none() {
            return Ok(Vec::new());
        }
        self.look(|view| {
            let case = open_run::OpenRun::open(self.kinds, view, run)?;
            let asked = case.run.live.every_gate();
            let is_asked = |gate: &Gate| asked.iter().any(|(_, one)| one.gate.check == gate.check);
            let guard = case.law.config.guard.as_ref().map_or(&[][..], |guard| &guard.gates);
            let unasked = guard.iter().filter(|spec| !is_asked(&spec.gate));
            Ok(unasked.map(|spec| spec.gate.name.to_string()).collect())
        })
    }

    /// Returns the gates of a run whose commands run more than is compared.
    fn unfollowed(&self, run: &RunId) -> Result<Vec<String>, EngineError> {
        let now = Now::new(self);
        self.look(|view| {
            let case = open_run::OpenRun::open(self.kinds, view, run)?;
            let specs = case.run.live.every_gate();
            Ok(integrity::unfollowed(&now, specs.iter().map(|(_, spec)| spec)))
        })
    }

    /// Returns the changes since a run began, in its branch or in the project itself.
    fn changed(
        &self,
        started: Time,
        commit: Option<&str>,
        branch: Option<&WorkBranch>,
    ) -> Option<Files> {
        let until = match branch {
            None | Some(WorkBranch { at: BranchState::Here, .. }) => None,
            // Before the first merge there is nothing to compare.
            Some(branch) => Some(branch.commit()?.as_str()),
        };
        self.changes(Since { started, commit, until })
    }

    /// Returns the receipts of all runs that contradict the journal.
    pub fn doubtful_receipts(&self) -> Result<Vec<(RunId, Doubt)>, EngineError> {
        let mut told: BTreeMap<RunId, Receipts> = BTreeMap::new();
        for record in self.store.history()? {
            for event in record?.events {
                if let Some(run) = &event.run {
                    told.entry(run.clone()).or_default().take(&event.read());
                }
            }
        }
        let none = Receipts::default();
        self.look(|view| {
            let mut all = Vec::new();
            for id in runs(view)? {
                let (_, doubts) = receipts(view, &id, told.get(&id).unwrap_or(&none))?;
                all.extend(doubts.into_iter().map(|doubt| (id.clone(), doubt)));
            }
            Ok(all)
        })
    }

    /// Returns the receipts of other runs that a run relies on.
    pub(crate) fn reused(&self, id: &RunId) -> Result<Vec<Record>, EngineError> {
        let reused = self.told(id)?.receipts.reused;
        Ok(reused.into_values().map(|(_, record)| record).collect())
    }

    pub(crate) fn found(&self, id: &RunId) -> Result<RunBaseline, EngineError> {
        Ok(self.told(id)?.found)
    }

    /// Reads a run's part of the journal, from the end back to the run's beginning.
    fn told(&self, id: &RunId) -> Result<RunHistory, EngineError> {
        let mut told = RunHistory::default();
        for record in self.store.history()? {
            let record = record?;
            for event in record.events.iter().rev() {
                told.take(id, record.at, &record.actor, event);
            }
            if told.receipts.whole {
                break;
            }
        }
        told.facts.reverse();
        Ok(told)
    }
}

impl RunHistory {
    /// Adds one event; events arrive newest first.
    fn take(&mut self, id: &RunId, at: Time, actor: &str, event: &sprag_store::Event) {
        if event.kind == Kind::ProjectAdopted {
            // The person adopted the project here: an older receipt was earned elsewhere and counts
            // as stray.
            self.receipts.whole = true;
        }
        let own = event.run.as_ref() == Some(id);
        if !own && (event.run.is_some() || event.kind != Kind::StopRefused) {
            return;
        }
        let event = event.read();
        if own {
            self.receipts.take(&event);
            self.look_at(&event);
        }
        self.facts.push(Fact { at, actor: actor.to_owned(), own, event });
    }

    /// Records the files that an event of the run mentions.
    fn look_at(&mut self, event: &Event) {
        if let Event::RunStarted(started) = event {
            self.found = RunBaseline::of(started);
        } else if let Event::AgentEnded(ended) = event {
            self.left.get_or_insert_with(|| EditsLeft::of(ended));
        } else if let Event::WorkMissing(noted) = event {
            self.left.get_or_insert_with(|| EditsLeft::of_session(noted));
        } else if let Event::WorkMerged(merged) = event {
            self.merges.extend(merged.commit.clone());
        } else if let Event::AttemptEnded(end) = event
            && self.ended.insert(end.unit.clone())
        {
            self.doubted.extend(end.doubted.iter().cloned());
        } else if let Event::InputsChanged(changed) = event
            && self.weighed.insert(changed.unit.clone())
        {
            for one in &changed.changed {
                self.changed.entry(one.path.clone()).or_insert_with(|| one.clone());
            }
        }
    }
}

impl Receipts {
    /// Adds one event of the run.
    fn take(&mut self, event: &Event) {
        let newer = self.hashes.len() + self.reused.len();
        if let Event::RunStarted(_) = event {
            self.whole = true;
        } else if let Event::GateReceipt(left) = event {
            self.hashes.insert(left.id.clone(), (newer, left.hash));
        } else if let Event::GateReused(reused) = event
            && let Ok(record) = Record::read(&reused.receipt.to_string())
        {
            self.reused.entry(record.id.clone()).or_insert((newer, record));
        }
    }
}

/// Returns the receipts of a run that count, and the faults of the others.
fn receipts(
    view: &View<'_>,
    id: &RunId,
    told: &Receipts,
) -> Result<(Vec<Slip>, Vec<Doubt>), EngineError> {
    let (filed, unreadable) = receipt::filed(view, id)?;
    let (mut slips, mut doubts) = (Vec::new(), Vec::new());
    let mut missing = told.hashes.clone();
    for (record, hash) in filed {
        let wrong = match missing.remove(record.id.as_str()) {
            Some((_, Some(told))) => (told != hash || record.run != *id).then_some(Wrong::Forged),
            Some((_, None)) => None,
            // A journal that was started anew does not know older receipts.
            None => told.whole.then_some(Wrong::Stray),
        };
        match (wrong, slip(&record)) {
            (None, Some(slip)) => slips.push(slip),
            (None, None) => doubts.push(doubt(&record.id, Wrong::Unreadable)),
            (Some(wrong), _) => doubts.push(doubt(&record.id, wrong)),
        }
    }
    for (_, record) in told.reused.values() {
        let by = format!("{}, in {}", record.by, record.run);
        slips.extend(slip(record).map(|slip| Slip { by, ..slip }));
    }
    // Sort by the journal: clocks may stop or go back.
    let newer = |slip: &Slip| {
        let own = told.hashes.get(slip.id.as_str()).map(|(newer, _)| *newer);
        own.or_else(|| told.reused.get(&slip.id).map(|(newer, _)| *newer))
    };
    slips.sort_by_key(|slip| std::cmp::Reverse(newer(slip).unwrap_or(usize::MAX)));
    // A file with another ending was never a receipt.
    for name in unreadable.iter().filter_map(|path| path.strip_suffix(".json")) {
        let id = name.rsplit('/').next().unwrap_or(name).to_owned();
        // A receipt that the journal may not reach back to is not reported.
        if missing.remove(&id).is_some() || told.whole {
            doubts.push(Doubt { id, wrong: Wrong::Unreadable });
        }
    }
    let gone = missing.into_keys().filter(|name| !name.is_empty());
    doubts.extend(gone.map(|id| Doubt { id, wrong: Wrong::Gone }));
    Ok((slips, doubts))
}

fn doubt(id: &ReceiptId, wrong: Wrong) -> Doubt {
    Doubt { id: id.to_string(), wrong }
}

/// Returns these runs' holds, numbered as in the list of all holds.
fn waiting(all: &[waits::Wait], is_own: impl Fn(&RunId) -> bool) -> Vec<Wait> {
    let own = all.iter().enumerate().filter(|(_, wait)| is_own(&wait.run));
    let wait = |(nth, wait): (usize, &waits::Wait)| Wait {
        number: nth + 1,
        unit: wait.unit.as_ref().map(ToString::to_string),
        why: wait.hold.to_string(),
        command: wait.command.clone(),
    };
    own.map(wait).collect()
}
