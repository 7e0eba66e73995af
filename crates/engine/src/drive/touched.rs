//! What an agent did to the state of its run while it had the turn.
//!
//! A person may change any document at any time. While an agent works nobody can tell who did, and
//! without host hooks nothing keeps an agent from it; so a change then counts for nothing until a
//! person says that it is theirs. What a command of ours wrote is in the journal and is no change.
//! The documents that the run is judged by are no part of this: those are weighed (`integrity`).

use sprag_core::event::AgentStarted;
use sprag_core::{BadPath, Changes, DocPath, Event, Fence, Hold, Kind, RunId, Seq};
use sprag_store::{Doc, Listing, Point, StoreError, View};

use super::ledger::Ledger;
use super::{ACTOR, Left, open};
use crate::engine::{Engine, EngineError, PATIENT};
use crate::root;
use crate::sitting::Now;
use crate::tx::Draft;

/// How the state of a run was when its agent got the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The line of the journal.
    point: Point,
}

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
    pub(super) fn of(view: &View<'_>) -> Self {
        Self { point: view.point() }
    }
}

impl Engine<'_> {
    /// Holds a whole run because of a change that no person took as theirs.
    pub fn drive_changed(&self, run: &RunId, hold: &Hold) -> Result<(), EngineError> {
        self.hold(run, hold, ACTOR, &Now::new(self))
    }

    /// Takes note that an agent is about to work in a worktree: whoever comes after its driver was
    /// killed looks at what it did.
    pub fn drive_found(&self, run: &RunId, fence: Fence) -> Result<(), EngineError> {
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = Ledger::read(view, run)?;
            let mut draft = Draft::default();
            if let Some(working) = ledger.working.get_mut(&fence.0.0) {
                working.begun_apart = true;
                draft.edit(ledger.edit(run)?);
            }
            Ok((draft, ()))
        })
    }

    /// Returns what became of the state of a run since its agent got the turn.
    pub fn drive_touched(&self, run: &RunId, mark: &Mark) -> Result<Touched, EngineError> {
        match self.look_for_changes(run, mark) {
            Err(busy @ EngineError::Store(StoreError::Busy { .. })) => Err(busy),
            Err(error) => Ok(Touched::Ruined { why: error.to_string() }),
            Ok(touched) => Ok(touched),
        }
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
            Ledger::read(view, run)?;
            open(view, run, &now)?;
            // It is whole again, but nobody cleans up for no reason while an agent works.
            let journal = DocPath::parse(&format!("{}/journal", root::STATE))?;
            changed.extend(noted.contains(journal.as_str()).then_some(journal));
            Ok(if changed.is_empty() { Touched::Nothing } else { Touched::Changed(changed) })
        })
    }

    /// Returns how the state was when the agent got the turn that was left at work; nothing where a
    /// person let the run go on since, and so took whatever there was for theirs.
    pub fn drive_marked(&self, run: &RunId, left: &Left) -> Result<Option<Mark>, EngineError> {
        if !left.was_at_work {
            return Ok(None);
        }
        let fence = left.fence;
        for record in self.store.history()? {
            let record = record?;
            for event in record.events.iter().filter(|event| event.run.as_ref() == Some(run)) {
                if event.kind == Kind::RunResumed {
                    return Ok(None);
                }
                let Event::AgentStarted(AgentStarted { fence: of, .. }) = event.read() else {
                    continue;
                };
                if of == fence {
                    return Ok(Some(Mark { point: Point::of(record.seq) }));
                }
            }
            if record.seq < fence.0 {
                break;
            }
        }
        // An attempt is as old as the line that began it: a journal that is shorter was cut.
        let is_cut = self.store.last()? < fence.0;
        Ok(is_cut.then(|| Mark { point: Point::of(fence.0) }))
    }
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
fn documents(run: &RunId) -> Result<[DocPath; 5], BadPath> {
    let of = |name: &str| DocPath::parse(&format!("{}/{name}", root::STATE));
    let of_run = |name: &str| of(&format!("runs/{run}/{name}"));
    let [own, agents, definition] = ["run.yaml", "agents.json", "definition.json"].map(of_run);
    // Which text judges is told by these.
    let [turns, doubts] = ["turns.json", "doubts.json"].map(of);
    Ok([own?, agents?, definition?, turns?, doubts?])
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
