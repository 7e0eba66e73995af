//! What an agent did to the state of its run while it had the turn.
//!
//! A person may change any document at any time. While an agent works nobody can tell who did, and
//! without host hooks nothing keeps an agent from it; so a change then counts for nothing until a
//! person says that it is theirs. What a command of ours wrote is in the journal and is no change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sprag_core::event::AgentStarted;
use sprag_core::plan::LoopKind;
use sprag_core::{
    Attempt, BadPath, Changes, DocPath, Event, Fence, Hash, Hold, Kind, RunId, Seq, Signal,
};
use sprag_store::{Doc, Listing, Point, StoreError, View};

use super::brought::read;
use super::ledger::Ledger;
use super::{ACTOR, Left, open};
use crate::case::Case;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::live::Live;
use crate::sitting::Now;
use crate::tx::{Draft, Tx};
use crate::{config, milestones, plan, root};

/// How the state of a run was when its agent got the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The line of the journal.
    point: Point,
    /// What the run is judged by: the documents that were there.
    pub(super) basis: Basis,
    /// What the worktree had of them in which it works; nothing where that is the project.
    found: Option<Basis>,
    /// What a plan counts in its own document.
    pub(super) counts: Option<Hash>,
}

/// The documents that say what a run is judged by, and what each of them said.
pub(super) type Basis = BTreeMap<DocPath, Hash>;

/// What became of the state of a run meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touched {
    /// Nothing that is not ours.
    Nothing,
    /// These documents are not as we left them, and can be read.
    Changed(Vec<DocPath>),
    /// It cannot be gone on with.
    Ruined {
        /// What is in the way.
        why: String,
    },
}

impl Mark {
    /// Takes note of the state as it is in `view`, and of what is about to be written of a run.
    pub(super) fn of(view: &View<'_>, live: &Live) -> Result<Self, EngineError> {
        let counts = match live {
            Live::Plan(held) => Some(plan::kept(&plan::written(held))),
            // What these count stands in `run.yaml`.
            Live::Guard(_) | Live::Workflow(_) | Live::Loop(_) | Live::Gsd(_) | Live::Pr(_) => None,
        };
        Ok(Self { point: view.point(), basis: basis(view, live)?, found: None, counts })
    }

    /// Returns what a worktree has of the documents that the run is judged by.
    fn basis_in(&self, worktree: &Path) -> Basis {
        let said =
            |doc: &DocPath| Some((doc.clone(), Hash::of(&read(&worktree.join(doc.as_str()))?)));
        self.basis.keys().filter_map(said).collect()
    }
}

impl Touched {
    /// Takes note of what changed in a worktree: merged, it is what the next run is judged by.
    fn and_apart(self, apart: BTreeSet<DocPath>) -> Self {
        match self {
            Self::Changed(mut docs) => {
                docs.extend(apart);
                Self::Changed(docs)
            }
            Self::Nothing if !apart.is_empty() => Self::Changed(apart.into_iter().collect()),
            Self::Nothing => Self::Nothing,
            ruined @ Self::Ruined { .. } => ruined,
        }
    }
}

/// Returns what a run is judged by, as far as no copy of it stands beside the run.
fn basis(view: &View<'_>, live: &Live) -> Result<Basis, EngineError> {
    let mut docs = vec![config::path()?];
    match live {
        // A check that is taken out of a plan leaves nothing that a pass could be doubted for.
        Live::Plan(held) => {
            docs.push(DocPath::parse(&format!("{}/plan.md", held.docs.folder))?);
            docs.push(DocPath::parse(plan::CONFIG)?);
        }
        Live::Gsd(_) => docs.push(DocPath::parse(milestones::PREFERENCES)?),
        Live::Guard(_) | Live::Workflow(_) | Live::Loop(_) | Live::Pr(_) => {}
    }
    let said = |doc: DocPath| Some((Hash::of(view.read(&doc).text()?), doc));
    Ok(docs.into_iter().filter_map(said).map(|(hash, doc)| (doc, hash)).collect())
}

/// Names the documents of two bases that say something else, or stand in one of them alone.
fn amended(before: &Basis, now: &Basis) -> BTreeSet<DocPath> {
    let docs = before.keys().chain(now.keys());
    docs.filter(|doc| before.get(*doc) != now.get(*doc)).cloned().collect()
}

/// Holds a run where what it is judged by changed while somebody works on something else in it: by
/// that nothing is begun or judged, however long they work on.
pub(super) fn hold_changed(
    tx: &mut Tx<'_>,
    (run, own): (&RunId, Fence),
    case: &mut Case,
) -> Result<Option<Hold>, EngineError> {
    let (view, facts) = (tx.view, tx.facts()?);
    let ledger = Ledger::read(view, run)?;
    let live = &mut case.run.live;
    let is_at_work =
        |attempt: &&Attempt| attempt.fence() != own && live.hold_of(attempt, facts.now).is_none();
    let others = live.attempts().iter().filter(is_at_work);
    let mut others = others.filter_map(|attempt| ledger.working.get(&attempt.fence().0.0));
    let other = others.find(|working| working.said.is_none());
    let (Some(other), Some(law)) = (other, &ledger.law) else { return Ok(None) };
    let mut changed = amended(law, &basis(view, live)?);
    changed.retain(|doc| !view.is_known(doc));
    // Once it is held, nothing is begun or judged.
    let is_held = live.standing_hold(facts.now).is_some_and(|hold| hold.is_change());
    if changed.is_empty() || is_held {
        return Ok(None);
    }
    let hold = Touched::Changed(changed.into_iter().collect()).hold(&other.host);
    if let Some(hold) = &hold {
        tx.step(&mut case.run, &Signal::Pause { hold: hold.clone() })?;
    }
    Ok(hold)
}

impl Engine<'_> {
    /// Holds a whole run because of a change that no person took as theirs.
    pub fn drive_changed(&self, run: &RunId, hold: &Hold) -> Result<(), EngineError> {
        self.hold(run, hold, ACTOR, &Now::new(self))
    }

    /// Takes note of what a worktree has of what the run is judged by, before an agent works there:
    /// also whoever comes after its driver was killed sees what it changed.
    pub fn drive_found(
        &self,
        run: &RunId,
        fence: Fence,
        mark: &mut Mark,
        worktree: &Path,
    ) -> Result<(), EngineError> {
        let found = Some(mark.basis_in(worktree));
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = Ledger::read(view, run)?;
            let mut draft = Draft::default();
            if let Some(working) = ledger.working.get_mut(&fence.0.0) {
                working.found.clone_from(&found);
                draft.edit(ledger.edit(run)?);
            }
            Ok((draft, ()))
        })?;
        mark.found = found;
        Ok(())
    }

    /// Returns what became of the state of a run since its agent got the turn, and of the worktree in
    /// which it works.
    pub fn drive_touched(
        &self,
        run: &RunId,
        mark: &Mark,
        worktree: Option<&Path>,
    ) -> Result<Touched, EngineError> {
        let touched = match self.look_for_changes(run, mark) {
            Err(busy @ EngineError::Store(StoreError::Busy { .. })) => return Err(busy),
            Err(error) => Touched::Ruined { why: error.to_string() },
            Ok(touched) => touched,
        };
        let (Some(found), Some(worktree)) = (&mark.found, worktree) else { return Ok(touched) };
        Ok(touched.and_apart(amended(found, &mark.basis_in(worktree))))
    }

    fn look_for_changes(&self, run: &RunId, mark: &Mark) -> Result<Touched, EngineError> {
        let noted = self.store.foreign_since(&mark.point)?;
        let now = Now::new(self);
        self.look(|view| {
            let docs = documents(run)?;
            if view.read(&docs[0]) == Doc::Absent {
                let gone = if view.last() == Seq(0) { root::STATE } else { docs[0].as_str() };
                return Ok(Touched::Ruined { why: format!("`{gone}` is gone") });
            }
            // That line was written when the agent got the turn, and a journal only grows.
            if view.last() < mark.point.seq() {
                return Ok(Touched::Ruined { why: cut(view.last(), mark.point.seq()) });
            }
            if let Some(why) = barred(view, run)? {
                return Ok(Touched::Ruined { why });
            }
            let mut changed: Vec<DocPath> = docs
                .into_iter()
                .filter(|doc| noted.contains(doc.as_str()) || view.is_foreign(doc))
                .collect();
            // What cannot be read cannot be held either.
            let case = open(view, run, &now)?;
            let basis = basis(view, &case.run.live)?;
            let mut others = amended(&mark.basis, &basis);
            others.retain(|doc| !view.is_known(doc));
            others.extend(basis.into_keys().filter(|doc| noted.contains(doc.as_str())));
            changed.extend(others);
            let own = Ledger::read(view, run)?.counts;
            match recounted(view, &case.run.live, (mark.counts, own), &noted)? {
                Recounted::No => {}
                Recounted::Yes(doc) => changed.push(doc),
                Recounted::Over { why } => return Ok(Touched::Ruined { why }),
            }
            let is_ours = changed.is_empty();
            Ok(if is_ours { Touched::Nothing } else { Touched::Changed(changed) })
        })
    }

    /// Returns how the state was when the agent got the turn that was left at work; nothing where a
    /// person let the run go on since, and so took whatever there was for theirs.
    pub fn drive_marked(&self, run: &RunId, left: &Left) -> Result<Option<Mark>, EngineError> {
        if !left.was_at_work {
            return Ok(None);
        }
        let (fence, found) = (left.fence, left.found.clone());
        for record in self.store.history()? {
            let record = record?;
            for event in record.events.iter().filter(|event| event.run.as_ref() == Some(run)) {
                if event.kind == Kind::RunResumed {
                    return Ok(None);
                }
                let Event::AgentStarted(AgentStarted { fence: of, law, counts, .. }) = event.read()
                else {
                    continue;
                };
                if of == fence {
                    // An older version did not record the documents.
                    let mark = |basis| Mark { point: Point::of(record.seq), basis, found, counts };
                    return Ok(law.map(mark));
                }
            }
            if record.seq < fence.0 {
                break;
            }
        }
        // An attempt is as old as the line that began it: a journal that is shorter was cut.
        let is_cut = self.store.last()? < fence.0;
        let (point, basis) = (Point::of(fence.0), Basis::new());
        Ok(is_cut.then_some(Mark { point, basis, found: None, counts: None }))
    }
}

/// What became of the counts that a plan has in its own document.
enum Recounted {
    /// They are ours.
    No,
    /// Somebody else wrote them.
    Yes(DocPath),
    /// They say that the tasks, or all, are done: then what was begun cannot be held any more.
    Over { why: String },
}

/// Looks whether somebody else wrote what a plan counts; the prose beside it is free. Ours is what
/// was counted `then`, when the agent got the turn, and what we counted for others since.
fn recounted(
    view: &View<'_>,
    live: &Live,
    (then, own): (Option<Hash>, Option<Hash>),
    noted: &BTreeSet<String>,
) -> Result<Recounted, BadPath> {
    let (Live::Plan(held), Some(then)) = (live, then) else { return Ok(Recounted::No) };
    let doc = DocPath::parse(plan::STATE)?;
    let is_theirs = noted.contains(doc.as_str()) || view.is_foreign(&doc);
    let now = plan::kept(&held.docs.read);
    if !is_theirs || now == then || own == Some(now) {
        return Ok(Recounted::No);
    }
    let read = &held.docs.read;
    let is_early = held.run.position().done() < held.definition.plan.tasks.len();
    let says = if read.completed {
        Some("completed: true")
    } else {
        (read.kind == LoopKind::Verify && is_early).then_some("type: verify")
    };
    let over = says.map(|says| format!("`{doc}` says `{says}`, and nobody proved that"));
    Ok(over.map_or(Recounted::Yes(doc), |why| Recounted::Over { why }))
}

/// Says which folder of what gates leave is no folder any more: then nothing can be judged.
fn barred(view: &View<'_>, run: &RunId) -> Result<Option<String>, BadPath> {
    for part in ["receipts", "output"] {
        let folder = DocPath::parse(&format!(".sprag/runs/{run}/{part}"))?;
        if let Listing::Unknown(why) = view.list(&folder) {
            return Ok(Some(format!("`{folder}` {why}")));
        }
    }
    Ok(None)
}

/// Says that the journal lost what was in it.
fn cut(last: Seq, had: Seq) -> String {
    let journal = format!("{}/journal", root::STATE);
    match last {
        Seq(0) => format!("`{journal}` is gone"),
        Seq(last) => format!("`{journal}` ends with line {last}, and had line {}", had.0),
    }
}

/// Returns the documents of a run that nobody but us writes while it is driven, its own file first.
fn documents(run: &RunId) -> Result<[DocPath; 3], BadPath> {
    let of = |name: &str| DocPath::parse(&format!(".sprag/runs/{run}/{name}"));
    Ok([of("run.yaml")?, of("agents.json")?, of("definition.json")?])
}

impl Touched {
    /// Returns what holds the run of whoever had the turn, where something does.
    pub fn hold(&self, host: &str) -> Option<Hold> {
        let Self::Changed(docs) = self else { return None };
        let how = format!("changed while `{}` worked", host.escape_debug());
        let what = Changes::new(docs.iter().map(DocPath::to_string), how);
        Some(Hold::Changed { what })
    }
}
