//! Moves a workflow to where a branch of a pi session says it is.
//!
//! pi keeps a session as a tree. The last entry of ours in the current branch holds the workflow's
//! position, and a person can go back to it. Spent budgets and receipts stay in `run.yaml` and are
//! never taken back.

use sprag_core::event::RunDid;
use sprag_core::workflow::session::Session;
use sprag_core::workflow::{Position, SessionRecord};
use sprag_core::{Plain, Run, RunId, SessionId, Stored as _, Unreadable};
use sprag_store::View;

use super::WorkflowRun;
use crate::draft::Draft;
use crate::engine::kind::{Kind, Kinds};
use crate::engine::{Engine, EngineError, PATIENT};
use crate::now::Now;
use crate::run_file::RunFile;
use crate::session::{self, LoadedSession};
use crate::snapshot::protected;

/// The result of following a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Followed {
    /// The run is at the branch's position.
    Stands(RunId),
    /// The run does not belong to this session.
    NotOurs,
}

impl Engine<'_> {
    /// Returns the workflow that a session drives, in pi's form.
    pub fn driven(&self, id: &SessionId) -> Result<Option<(RunId, Session)>, EngineError> {
        self.look(|view| {
            let LoadedSession::Seen(file) = session::read(view, id)? else { return Ok(None) };
            for run in &file.runs {
                if let Some(found) = seen(&RunFile::open(self.kinds, view, run, None)?) {
                    return Ok(Some((run.clone(), found)));
                }
            }
            Ok(None)
        })
    }

    /// Returns a run in pi's form; `None` if it is not a workflow.
    pub fn as_in_pi(&self, run: &RunId) -> Result<Option<Session>, EngineError> {
        self.look(|view| Ok(seen(&RunFile::open(self.kinds, view, run, None)?)))
    }

    /// Moves a run to the position that a session's branch records.
    pub fn follow(&self, id: &SessionId, state: &SessionRecord) -> Result<Followed, EngineError> {
        let now = Now::new(self);
        self.commit(id.as_str(), PATIENT, |view| {
            let mut draft = Draft::default();
            let Some((run, mut file)) = named(self.kinds, view, id, state) else {
                return Ok((draft, Followed::NotOurs));
            };
            if stand(&mut *file.live, &state.position)? {
                file.header.protected = protected(&now, file.live.specs())?;
                if !state.position.done {
                    file.header.ended = None;
                    file.header.notified = false;
                }
                let (verb, session) = ("branch".to_owned(), Some(id.to_string()));
                draft.note(Some(file.id()), RunDid { verb, session });
                draft.run(&file)?;
            }
            Ok((draft, Followed::Stands(run)))
        })
    }
}

/// Returns the run that an entry names, unless another session owns it.
fn named(
    kinds: Kinds,
    view: &View<'_>,
    id: &SessionId,
    state: &SessionRecord,
) -> Option<(RunId, RunFile)> {
    let run = RunId::parse(state.task_id()).ok()?;
    let file = RunFile::open(kinds, view, &run, None).ok()?;
    let owner = file.live.owner().map(sprag_core::SessionId::as_str);
    let is_its = owner.is_none_or(|owner| owner == id.as_str());
    (is_its && file.live.of::<WorkflowRun>().is_some()).then_some((run, file))
}

/// Moves a run to a position and returns whether it moved. A cancelled run stays as it is.
fn stand(live: &mut dyn Kind, position: &Position) -> Result<bool, EngineError> {
    let Some(held) = live.of_mut::<WorkflowRun>() else { return Ok(false) };
    let WorkflowRun { run, definition } = held;
    if run.is_cancelled() || run.position() == position {
        return Ok(false);
    }
    let invalid = |bad: Unreadable| EngineError::Invalid {
        problem: format!("the branch's workflow:state, `{}`: {}", bad.at, bad.why),
    };
    position.check(&definition.key, &definition.definitions).map_err(invalid)?;
    // The same as if a person had edited the run's file.
    let Plain::Map(mut fields) = run.lower() else { return Ok(false) };
    for (key, value) in &mut fields {
        if key == "position" {
            *value = position.lower();
        }
    }
    *run = Run::lift(&Plain::Map(fields)).map_err(invalid)?;
    Ok(true)
}

/// Converts a run to the form that a pi session stores.
fn seen(file: &RunFile) -> Option<Session> {
    let held = file.live.of::<WorkflowRun>()?;
    let started = &held.definition;
    let position = held.run.position().clone();
    let cancelled = held.run.is_cancelled();
    let state = SessionRecord {
        active: !cancelled && !position.done,
        notified: Some(file.header.notified),
        cancelled: Some(cancelled),
        summary: file.header.summary.clone(),
        ..SessionRecord::new(
            &started.key,
            position,
            started.task_id.clone(),
            &started.task,
            file.header.started.as_millis(),
        )
    };
    let definitions = started.definitions.clone();
    Some(Session { definitions, state: Some(state), countdown: None })
}
