//! What is ours of an agent and of a unit: the forms of `.sprag/agents/`.

use std::collections::BTreeMap;

use super::Slot;
use crate::{
    Attempt, Bound, Fence, Fields, Hash, Name, Plain, Red, Session, Stored, Time, UnitId,
    Unreadable,
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
    /// What the watch knows of it.
    pub watched: Watched,
}

/// An attempt that was taken from its holder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Was {
    /// Which attempt.
    pub fence: Fence,
    /// Of which unit.
    pub unit: UnitId,
    /// Whose it was, if it had begun.
    pub session: Option<Session>,
}

/// What the watch counts of one assignment; durable, so that a new watch goes on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// Of which attempt; what was counted of another one says nothing.
    pub fence: Option<Fence>,
    /// How often it was nudged since it last gave a sign of life.
    pub nudged: u32,
    /// When it was nudged last.
    pub nudged_at: Option<Time>,
    /// How often a restart was asked for.
    pub restarts: u32,
    /// When a restart was asked for last.
    pub restarted_at: Option<Time>,
    /// How far the work was.
    pub mark: Option<Hash>,
    /// Since when it is no further.
    pub since: Option<Time>,
    /// Whether a person was told.
    pub escalated: bool,
}

/// What is counted of a unit, whoever has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Its counters.
    pub bounds: BTreeMap<Name, Bound>,
    /// Its last failure.
    pub failed: BTreeMap<UnitId, Red>,
    /// How often in a row it was lost.
    pub lost: BTreeMap<UnitId, u32>,
}

impl Stored for Holder {
    fn lower(&self) -> Plain {
        Plain::map([
            ("v", VERSION.lower()),
            ("known", self.known.lower()),
            ("attempt", self.attempt.lower()),
            ("was", self.was.lower()),
            (
                "watched",
                Some(self.watched.clone()).filter(|all| *all != Watched::default()).lower(),
            ),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        version(&fields)?;
        let holder = Self {
            known: fields.get("known")?,
            attempt: fields.get("attempt")?,
            was: fields.get("was")?,
            watched: fields.get::<Option<Watched>>("watched")?.unwrap_or_default(),
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

impl Stored for Was {
    fn lower(&self) -> Plain {
        Plain::map([
            ("fence", self.fence.lower()),
            ("unit", self.unit.lower()),
            ("session", self.session.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        Ok(Self {
            fence: fields.get("fence")?,
            unit: fields.get("unit")?,
            session: fields.get("session")?,
        })
    }
}

impl Stored for Watched {
    fn lower(&self) -> Plain {
        // Zero is what a missing number means.
        let number = |number: u32| if number == 0 { Plain::Null } else { number.lower() };
        Plain::map([
            ("fence", self.fence.lower()),
            ("nudged", number(self.nudged)),
            ("nudged_at", self.nudged_at.lower()),
            ("restarts", number(self.restarts)),
            ("restarted_at", self.restarted_at.lower()),
            ("mark", self.mark.lower()),
            ("since", self.since.lower()),
            ("escalated", self.escalated.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let number = |key: &str| Ok(fields.get::<Option<u32>>(key)?.unwrap_or_default());
        Ok(Self {
            fence: fields.get("fence")?,
            nudged: number("nudged")?,
            nudged_at: fields.get("nudged_at")?,
            restarts: number("restarts")?,
            restarted_at: fields.get("restarted_at")?,
            mark: fields.get("mark")?,
            since: fields.get("since")?,
            escalated: fields.get("escalated")?,
        })
    }
}

fn version(fields: &Fields<'_>) -> Result<(), Unreadable> {
    let version: u32 = fields.get("v")?;
    if version <= VERSION {
        return Ok(());
    }
    let why = format!("version {version}, and this sprag knows {VERSION}");
    Err(Unreadable::here(why).below("v"))
}
