//! How long an assignment stays with the session that works on it, though another session begins as
//! the same agent: as long as that one may be alive.

use sprag_core::inbox::{FOREIGN, SKEW};
use sprag_core::{Agent, Attempt, SessionId, Time};
use sprag_store::View;

use super::board::LEASE;
use super::paths;
use super::seat::Seat;
use crate::engine::{Engine, EngineError};
use crate::process::{self, Life};
use crate::session::{self, Known, NoFile};
use crate::sitting::Sitting;

/// A session that works on an assignment, and until when it counts as alive: as long as its process
/// is there, where that is known.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) session: SessionId,
    pub(super) until: Option<Time>,
}

impl Engine<'_> {
    /// Returns who works on an agent's assignment besides the session at hand; nobody where that is
    /// known to be gone, or not known to be there and was silent for too long.
    pub(super) fn lease(
        &self,
        view: &View<'_>,
        seat: &Seat,
        sitting: &Sitting,
        now: Time,
    ) -> Result<Option<Lease>, EngineError> {
        let (agent, holder) = (seat.slice.agent(), seat.slice.attempt().and_then(Attempt::session));
        let Some(session) = holder.filter(|holder| **holder != sitting.id) else {
            return Ok(None);
        };
        // Foreign tools and a shell that does not know its session have none that could be alive.
        if *session == FOREIGN || session.as_str() == agent.as_str() {
            return Ok(None);
        }
        if let Known::Seen(file) = session::read(view, session)? {
            let own = sitting.file.process.as_ref();
            let is_same = own.is_some() && own == file.process.as_ref();
            let life = file.process.as_deref().map(process::life);
            if file.ended.is_some() || is_same || life == Some(Life::Gone) {
                return Ok(None);
            }
            if life == Some(Life::Alive) {
                // It is silent as long as a tool runs.
                return Ok(Some(Lease { session: session.clone(), until: None }));
            }
        }
        let seen = self.last_seen(agent, session, now)?;
        let until = seen.unwrap_or(now).plus_millis(LEASE);
        Ok((until > now).then(|| Lease { session: session.clone(), until: Some(until) }))
    }

    /// Returns when an agent, or the session that works for it, last gave a sign of life. A time from
    /// the future was set by another clock.
    fn last_seen(
        &self,
        agent: &Agent,
        session: &SessionId,
        now: Time,
    ) -> Result<Option<Time>, EngineError> {
        let own = self.store.seen_at(&paths::holder(agent)?)?;
        let its = match session::path(session) {
            Ok(path) => self.store.seen_at(&path)?,
            // A session whose name no file can have was never seen.
            Err(NoFile::Name(_)) => None,
            Err(bad) => return Err(bad.into()),
        };
        let is_ours = |at: &Time| *at <= now.plus_millis(SKEW);
        Ok(own.filter(is_ours).max(its.filter(is_ours)))
    }
}
