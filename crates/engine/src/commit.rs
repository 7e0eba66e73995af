//! Decides what a command or a host hook changes, and commits it.

use std::time::Duration;

use sprag_store::{Change, CommitError, Committed, View};

use crate::clock;
use crate::deed::Belongs;
use crate::engine::{Engine, EngineError};
use crate::tx::Draft;

/// A decision; what it answers is kept apart, so that one way to commit serves for all of them.
type Decide<'d> = dyn FnMut(&View<'_>) -> Result<Draft, EngineError> + 'd;

impl Engine<'_> {
    /// Decides and commits; a decision that wants nothing writes nothing.
    pub(crate) fn commit<T>(
        &self,
        actor: &str,
        wait: Duration,
        decide: impl FnMut(&View<'_>) -> Result<(Draft, T), EngineError>,
    ) -> Result<T, EngineError> {
        let mut answer = None;
        self.commit_or_rehearse(actor, wait, &mut keeping(decide, &mut answer))?;
        // A commit without an error has called its decision.
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

    /// Makes the project the person's, where it is nobody's yet and a decision writes something: what
    /// stands without a deed would be taken for a stranger's, so the deed comes first.
    fn claim_before(&self, decide: &mut Decide<'_>) -> Result<(), EngineError> {
        let Some(beginner) = &self.beginner else { return Ok(()) };
        if matches!(self.belongs(), Belongs::Here(_)) {
            return Ok(());
        }
        if self.look(|view| Ok(decide(view)?.is_empty()))? { Ok(()) } else { self.claim(beginner) }
    }

    /// Returns what a decision changes.
    fn change(
        &self,
        actor: &str,
        view: &View<'_>,
        decide: &mut Decide<'_>,
    ) -> Result<Change, EngineError> {
        let mut draft = decide(view)?;
        draft.begins_at(|| self.checked_out());
        Ok(draft.into_change(clock::now(), actor))
    }
}

/// Returns a decision that leaves what it answers in `answer`.
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

/// Says whether a decision was committed.
fn made(committed: Result<Committed, CommitError<EngineError>>) -> Result<(), EngineError> {
    match committed {
        // One that the disk did not confirm is in the journal, and the next one will see it.
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
