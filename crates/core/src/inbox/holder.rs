//! What is ours of an agent and of a unit: the forms of `.sprag/agents/`.

use std::collections::BTreeMap;

use super::Slot;
use crate::{
    Attempt, Bound, Fence, Fields, Loss, Name, Plain, Red, SessionId, Stored, UnitId, Unreadable,
    stored,
};

/// The newest form that this version writes and reads.
const VERSION: u32 = 1;

/// What we know of an agent beside what the original's files say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Holder {
    /// Its assignment as we last knew it; a file that says something else was written by others.
    pub known: Option<Slot>,
    /// The attempt behind the assignment.
    pub attempt: Option<Attempt>,
    /// Whoever had the last one that ended without being done.
    pub was: Option<Was>,
    /// Where in the journal its present or last assignment began, whoever has gone on with it since.
    pub since: Option<Fence>,
    /// The last assignment that was asked for by a key.
    pub request: Option<Request>,
}

/// A request that was carried out: who asks again by its key is told the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// What it is known by.
    pub key: String,
    /// The unit that was given.
    pub unit: UnitId,
    /// The attempt that it began.
    pub fence: Fence,
}

/// An attempt that was taken from its holder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Was {
    /// Which attempt.
    pub fence: Fence,
    /// Of which unit.
    pub unit: UnitId,
    /// Whose it was, if it had begun.
    pub session: Option<SessionId>,
    /// Whether that session has yet to hear that it is not its own any more.
    pub untold: bool,
}

/// What is counted of a unit, whoever has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Its counters.
    pub bounds: BTreeMap<Name, Bound>,
    /// Its last failure.
    pub failed: BTreeMap<UnitId, Red>,
    /// How often in a row it was lost, and why.
    pub lost: BTreeMap<UnitId, Loss>,
}

impl Stored for Holder {
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

impl Stored for Tally {
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

/// Refuses a form of a later version.
pub(super) fn version(fields: &Fields<'_>) -> Result<(), Unreadable> {
    let version: u32 = fields.get("v")?;
    if version <= VERSION {
        return Ok(());
    }
    let why = format!("version {version}, and this sprag knows {VERSION}");
    Err(Unreadable::here(why).below("v"))
}
