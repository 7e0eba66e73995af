//! Detects changes to a run's state during an agent's turn.
//!
//! A person may edit any document at any time. While an agent works, the author of an edit is
//! unknown, and without host hooks an agent can edit too. Such an edit therefore counts only once a
//! person accepts it. Our own commands' writes are in the journal and are not edits. The inputs
//! that the run is judged by are not covered here but weighed in `integrity`.

use sprag_core::event::AgentStarted;
use sprag_core::{BadPath, Changes, DocPath, Event, Fence, Hold, Kind, RunId, Seq};
use sprag_store::{Doc, Listing, Point, StoreError, View};
use sprag_world::root;

use super::{ACTOR, LeftAttempt, open};
use crate::agents_file::AgentsFile;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::now::Now;

/// The state of a run when its agent's turn began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunCheckpoint {
    /// A position in the journal.
    point: Point,
}

/// What changed in a run's state since then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tampering {
    /// No edits but ours.
    Nothing,
    /// These documents were edited and are still valid.
    Changed(Vec<DocPath>),
    /// The run cannot continue.
    Ruined { why: String },
}

impl RunCheckpoint {
    /// Records the state as it is in `view`.
    pub(super) fn of(view: &View<'_>) -> Self {
        Self { point: view.point() }
    }
}

impl Engine<'_> {
    /// Holds a whole run because of an edit that no person has accepted.
    pub fn drive_changed(&self, run: &RunId, hold: &Hold) -> Result<(), EngineError> {
        self.hold(run, hold, ACTOR, &Now::new(self))
    }

    /// Records that an agent is about to work in a worktree: if its driver is killed, the next one
    /// checks its work.
    pub fn drive_found(&self, run: &RunId, fence: Fence) -> Result<(), EngineError> {
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = AgentsFile::read(view, run)?;
            let mut draft = Draft::default();
            if let Some(working) = ledger.working.get_mut(&fence.0.0) {
                working.begun_apart = true;
                draft.edit(ledger.edit(run)?);
            }
            Ok((draft, ()))
        })
    }

    /// Returns the changes to a run's state since its agent's turn began.
    pub fn drive_touched(
        &self,
        run: &RunId,
        mark: &RunCheckpoint,
    ) -> Result<Tampering, EngineError> {
        match self.look_for_changes(run, mark) {
            Err(busy @ EngineError::Store(StoreError::Busy { .. })) => Err(busy),
            Err(error) => Ok(Tampering::Ruined { why: error.to_string() }),
            Ok(touched) => Ok(touched),
        }
    }

    fn look_for_changes(
        &self,
        run: &RunId,
        mark: &RunCheckpoint,
    ) -> Result<Tampering, EngineError> {
        let noted = self.store.foreign_since(&mark.point)?;
        let now = Now::new(self);
        self.look(|view| {
            let docs = documents(run)?;
            if view.read(&docs[0]) == Doc::Absent {
                let gone = if view.last() == Seq(0) { root::STATE } else { docs[0].as_str() };
                return Ok(Tampering::Ruined { why: format!("`{gone}` is gone") });
            }
            // The mark was in the journal when the turn began, and a journal only grows.
            if view.last() < mark.point.seq() {
                return Ok(Tampering::Ruined { why: cut(view.last(), mark.point.seq()) });
            }
            if let Some(why) = barred(view, run)? {
                return Ok(Tampering::Ruined { why });
            }
            let mut changed: Vec<DocPath> = docs
                .into_iter()
                .filter(|doc| noted.contains(doc.as_str()) || view.is_foreign(doc))
                .collect();
            // A run that cannot be read cannot be held either.
            AgentsFile::read(view, run)?;
            open(view, run, &now)?;
            // The journal is valid again, but persons rarely repair it while an agent works.
            let journal = DocPath::parse(&format!("{}/journal", root::STATE))?;
            changed.extend(noted.contains(journal.as_str()).then_some(journal));
            Ok(if changed.is_empty() { Tampering::Nothing } else { Tampering::Changed(changed) })
        })
    }

    /// Returns the state at the beginning of the turn that an earlier driver left open. `None` if a
    /// person resumed the run since, which accepts all edits.
    pub fn drive_marked(
        &self,
        run: &RunId,
        left: &LeftAttempt,
    ) -> Result<Option<RunCheckpoint>, EngineError> {
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
                    return Ok(Some(RunCheckpoint { point: Point::of(record.seq) }));
                }
            }
            if record.seq < fence.0 {
                break;
            }
        }
        // The line that began the attempt must exist, so a shorter journal was cut.
        let is_cut = self.store.last()? < fence.0;
        Ok(is_cut.then(|| RunCheckpoint { point: Point::of(fence.0) }))
    }
}

/// Returns the error if the folder of receipts or outputs is unreadable: then nothing can be
/// judged.
fn barred(view: &View<'_>, run: &RunId) -> Result<Option<String>, BadPath> {
    for part in ["receipts", "output"] {
        let folder = DocPath::parse(&format!(".sprag/runs/{run}/{part}"))?;
        if let Listing::Unknown(why) = view.list(&folder) {
            return Ok(Some(format!("`{folder}` {why}")));
        }
    }
    Ok(None)
}

/// Describes the loss of journal lines.
fn cut(last: Seq, had: Seq) -> String {
    let journal = format!("{}/journal", root::STATE);
    match last {
        Seq(0) => format!("`{journal}` is gone"),
        Seq(last) => format!("`{journal}` ends with line {last}, and had line {}", had.0),
    }
}

/// Returns the documents that only we write while a run is driven, its own file first. Doubts and
/// turns are not among them: an edit of those has no effect.
fn documents(run: &RunId) -> Result<[DocPath; 3], BadPath> {
    let of = |name: &str| DocPath::parse(&format!("{}/runs/{run}/{name}", root::STATE));
    Ok([of("run.yaml")?, of("agents.json")?, of("definition.json")?])
}

impl Tampering {
    /// Returns the hold for the run of the agent at work, if an edit needs one.
    pub fn hold(&self, host: &str) -> Option<Hold> {
        let Self::Changed(docs) = self else { return None };
        let how = format!("changed while `{}` worked", host.escape_debug());
        let what = Changes::new(docs.iter().map(DocPath::to_string), how);
        Some(Hold::Changed { what })
    }
}
