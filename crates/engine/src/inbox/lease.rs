//! Decides how long an assignment stays with its session when another session begins as the same
//! agent: while the first may be alive.

use sprag_core::inbox::{FOREIGN, SKEW};
use sprag_core::{Agent, Attempt, SessionId, Time};
use sprag_store::View;
use sprag_world::process::{self, Life};

use super::assignment_files::AssignmentFiles;
use super::board::LEASE;
use super::paths;
use crate::engine::{Engine, EngineError};
use crate::session::{self, LoadedSession, NoFile};
use crate::snapshot::Snapshot;

/// A session that works on an assignment, and when its lease ends; `None` while its process is
/// known to be alive.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) session: SessionId,
    pub(super) until: Option<Time>,
}

impl Engine<'_> {
    /// Returns the other session that works on an agent's assignment. `None` if that session is
    /// gone, or was silent for too long and its process is not known to be alive.
    pub(super) fn lease(
        &self,
        view: &View<'_>,
        seat: &AssignmentFiles,
        sitting: &Snapshot,
        now: Time,
    ) -> Result<Option<Lease>, EngineError> {
        let (agent, holder) = (seat.slice.agent(), seat.slice.attempt().and_then(Attempt::session));
        let Some(session) = holder.filter(|holder| **holder != sitting.id) else {
            return Ok(None);
        };
        // Foreign tools, and shells without a known session, have no session that could be alive.
        if *session == FOREIGN || session.as_str() == agent.as_str() {
            return Ok(None);
        }
        if let LoadedSession::Seen(file) = session::read(view, session)? {
            let own = sitting.file.process.as_ref();
            let is_same = own.is_some() && own == file.process.as_ref();
            let life = file.process.as_deref().map(process::life);
            if file.ended.is_some() || is_same || life == Some(Life::Gone) {
                return Ok(None);
            }
            if life == Some(Life::Alive) {
                // It sends no signs while a tool runs.
                return Ok(Some(Lease { session: session.clone(), until: None }));
            }
        }
        let seen = self.last_seen(agent, session, now)?;
        let until = seen.unwrap_or(now).plus_millis(LEASE);
        Ok((until > now).then(|| Lease { session: session.clone(), until: Some(until) }))
    }

    /// Returns the last sign of life of an agent or its session. A time in the future was set by
    /// another clock and does not count.
    fn last_seen(
        &self,
        agent: &Agent,
        session: &SessionId,
        now: Time,
    ) -> Result<Option<Time>, EngineError> {
        let own = self.store.seen_at(&paths::holder(agent)?)?;
        let its = match session::path(session) {
            Ok(path) => self.store.seen_at(&path)?,
            // A session without a possible file name was never seen.
            Err(NoFile::Name(_)) => None,
            Err(bad) => return Err(bad.into()),
        };
        let is_ours = |at: &Time| *at <= now.plus_millis(SKEW);
        Ok(own.filter(is_ours).max(its.filter(is_ours)))
    }
}
