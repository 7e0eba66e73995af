//! Commits the decisions of commands and host hooks.

use std::time::Duration;

use sprag_store::{CommitError, CommitRequest, Committed, View};
use sprag_world::clock;
use sprag_world::trust::Belongs;

use crate::draft::Draft;
use crate::engine::{Engine, EngineError};

/// A decision without its answer, so that one commit path serves decisions of every type.
type Decide<'d> = dyn FnMut(&View<'_>) -> Result<Draft, EngineError> + 'd;

impl Engine<'_> {
    /// Runs a decision and commits its draft; an empty draft writes nothing.
    pub(crate) fn commit<T>(
        &self,
        actor: &str,
        wait: Duration,
        decide: impl FnMut(&View<'_>) -> Result<(Draft, T), EngineError>,
    ) -> Result<T, EngineError> {
        let mut answer = None;
        self.commit_or_rehearse(actor, wait, &mut keeping(decide, &mut answer))?;
        // A successful commit has run the decision.
        answer.ok_or(EngineError::Restless)
    }

    /// Decides under the lock and commits: for decisions that take no time and mostly write.
    pub(crate) fn commit_at_once<T>(
        &self,
        actor: &str,
        wait: Duration,
        decide: impl FnMut(&View<'_>) -> Result<(Draft, T), EngineError>,
    ) -> Result<T, EngineError> {
        let mut answer = None;
        self.commit_now(actor, wait, &mut keeping(decide, &mut answer))?;
        answer.ok_or(EngineError::Restless)
    }

    fn commit_now(
        &self,
        actor: &str,
        wait: Duration,
        decide: &mut Decide<'_>,
    ) -> Result<(), EngineError> {
        self.claim_before(decide)?;
        made(self.store.commit_at_once(wait, |view| self.change(actor, view, decide)))
    }

    fn commit_or_rehearse(
        &self,
        actor: &str,
        wait: Duration,
        decide: &mut Decide<'_>,
    ) -> Result<(), EngineError> {
        let Some(rehearsal) = &self.rehearsal else {
            self.claim_before(decide)?;
            return made(self.store.commit(wait, |view| self.change(actor, view, decide)));
        };
        self.look(|view| {
            rehearsal.note(view, decide(view)?.edits());
            Ok(())
        })
    }

    /// Claims the project before a decision writes to it, if it has no owner yet. The deed has to
    /// come first: state without a deed would pass for a stranger's.
    fn claim_before(&self, decide: &mut Decide<'_>) -> Result<(), EngineError> {
        let Some(beginner) = &self.beginner else { return Ok(()) };
        if matches!(self.belongs(), Belongs::Here(_)) {
            return Ok(());
        }
        if self.look(|view| Ok(decide(view)?.is_empty()))? { Ok(()) } else { self.claim(beginner) }
    }

    fn change(
        &self,
        actor: &str,
        view: &View<'_>,
        decide: &mut Decide<'_>,
    ) -> Result<CommitRequest, EngineError> {
        let mut draft = decide(view)?;
        draft.begins_at(|| self.checked_out());
        Ok(draft.into_change(clock::now(), actor))
    }
}

/// Wraps a decision so that its answer lands in `answer`.
fn keeping<'d, T>(
    mut decide: impl FnMut(&View<'_>) -> Result<(Draft, T), EngineError> + 'd,
    answer: &'d mut Option<T>,
) -> impl FnMut(&View<'_>) -> Result<Draft, EngineError> + 'd {
    move |view| {
        let (draft, decided) = decide(view)?;
        *answer = Some(decided);
        Ok(draft)
    }
}

/// Converts the result of a commit.
fn made(committed: Result<Committed, CommitError<EngineError>>) -> Result<(), EngineError> {
    match committed {
        // The journal holds a commit that the disk did not confirm, and the next commit will see
        // it.
        Ok(_) | Err(CommitError::Unsynced { .. }) => Ok(()),
        Err(CommitError::Refused(error)) => Err(error),
        Err(CommitError::Store(error)) => Err(error.into()),
        Err(
            error @ (CommitError::Unknown { .. }
            | CommitError::TooLarge { .. }
            | CommitError::Misfit { .. }),
        ) => Err(EngineError::NotWritten(error.to_string())),
    }
}
