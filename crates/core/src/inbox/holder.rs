//! sprag's own records of agents and units: the documents in `.sprag/agents/`.

use std::collections::BTreeMap;

use super::Slot;
use crate::{
    Attempt, Bound, Fence, Fields, LastFailure, LossCount, Name, Plain, SessionId, Stored, UnitId,
    Unreadable, stored,
};

/// The latest format version that this code reads and writes.
const VERSION: u32 = 1;

/// sprag's record of an agent, besides the original's files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentRecord {
    /// The last known slot; a file that differs was written by another program.
    pub known: Option<Slot>,
    /// The attempt behind the assignment.
    pub attempt: Option<Attempt>,
    /// The previous attempt, if it ended without being done.
    pub was: Option<Was>,
    /// The journal position at which the current or last assignment began, even if another session
    /// has continued it.
    pub since: Option<Fence>,
    /// The last assignment that was requested with a key.
    pub request: Option<Request>,
}

/// A completed request: asking again with its key gets the same answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The idempotency key.
    pub key: String,
    pub unit: UnitId,
    /// The attempt that the request began.
    pub fence: Fence,
}

/// An attempt that was taken from its holder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Was {
    pub fence: Fence,
    pub unit: UnitId,
    /// The session that owned it, if it had begun.
    pub session: Option<SessionId>,
    /// Whether that session has yet to be informed of the loss.
    pub untold: bool,
}

/// The counters of a unit, independent of its agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnitCounts {
    pub bounds: BTreeMap<Name, Bound>,
    /// The last failure.
    pub failed: BTreeMap<UnitId, LastFailure>,
    /// How often in a row the unit was lost, and why.
    pub lost: BTreeMap<UnitId, LossCount>,
}

impl Stored for AgentRecord {
    fn lower(&self) -> Plain {
        Plain::map([
            ("v", VERSION.lower()),
            ("known", self.known.lower()),
            ("attempt", self.attempt.lower()),
            ("was", self.was.lower()),
            ("since", self.since.lower()),
            ("request", self.request.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        version(&fields)?;
        let holder = Self {
            known: fields.get("known")?,
            attempt: fields.get("attempt")?,
            was: fields.get("was")?,
            since: fields.get("since")?,
            request: fields.get("request")?,
        };
        let known = holder.known.as_ref().and_then(Slot::unit);
        if known != holder.attempt.as_ref().map(Attempt::unit) {
            return Err(Unreadable::here("it is not of the unit that is known").below("attempt"));
        }
        Ok(holder)
    }
}

impl Stored for UnitCounts {
    fn lower(&self) -> Plain {
        Plain::map([
            ("v", VERSION.lower()),
            ("bounds", self.bounds.lower()),
            ("failed", self.failed.lower()),
            ("lost", self.lost.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        version(&fields)?;
        Ok(Self {
            bounds: fields.get("bounds")?,
            failed: fields.get("failed")?,
            lost: fields.get("lost")?,
        })
    }
}

stored!(struct Was { fence, unit, session, untold });

stored!(struct Request { key, unit, fence });

/// Rejects documents of a later version.
pub(super) fn version(fields: &Fields<'_>) -> Result<(), Unreadable> {
    let version: u32 = fields.get("v")?;
    if version <= VERSION {
        return Ok(());
    }
    let why = format!("version {version}, and this sprag knows {VERSION}");
    Err(Unreadable::here(why).below("v"))
}
