//! Time limits of a whole run, or shared by some of its units, such as those of a phase.
//!
//! A clock starts with the first begin of a unit that names it. The run stores the time at which it
//! ends, so it continues across retries, crashes and drivers. Time in which no work was possible,
//! because the host was limited or a person had to answer, does not count.

use std::time::Duration;

use crate::{Attempt, Hold, Name, Run, Time, Unit};

/// A time limit that units share by its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wall {
    /// The name shown to people: `wall dev/build`.
    pub name: Name,
    /// The limit in milliseconds.
    pub millis: u32,
}

impl Wall {
    /// The prefix of its name, followed by the owner.
    pub(crate) const PREFIX: &'static str = "wall ";

    /// Creates the wall of the owner `whose`; an invalid name shares the wall of the run.
    pub fn of(whose: &str, time: Duration) -> Self {
        let name = Name::parse(&format!("{}{whose}", Self::PREFIX)).unwrap_or(Deadline::NAME);
        Self { name, millis: u32::try_from(time.as_millis()).unwrap_or(u32::MAX) }
    }
}

/// The time limit of a run, or of units that share it, and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    pub(crate) wall_millis: u32,
    pub(crate) at: Time,
}

impl Deadline {
    /// The bound name that reports the passed deadline of a run.
    pub const NAME: Name = Name::literal("wall");

    pub fn starting(now: Time, wall_millis: u32) -> Self {
        Self { wall_millis, at: now.plus_millis(i64::from(wall_millis)) }
    }

    /// Restarts the same time limit.
    pub(crate) fn renewed(self, now: Time) -> Self {
        Self::starting(now, self.wall_millis)
    }

    /// Postpones the deadline by the time from `now` until `then`.
    fn after(self, then: Time, now: Time) -> Self {
        Self { at: self.at.plus_millis(then.since(now).max(0)), ..self }
    }
}

impl<P> Run<P> {
    /// Returns when the time of `unit` ends, if it has a limit and has begun.
    pub fn due(&self, unit: &Unit) -> Option<Time> {
        Some(self.walls.get(&unit.wall.as_ref()?.name)?.at)
    }

    /// Returns the hold of a unit whose time has ended.
    pub(crate) fn late(&self, wall: Option<&Name>, now: Time) -> Option<Hold> {
        let name = wall?;
        let is_over = self.walls.get(name).is_some_and(|deadline| now >= deadline.at);
        is_over.then(|| Hold::Exhausted { bound: name.clone(), used: 1 })
    }

    /// Returns the hold of `attempt` at `now`: an explicit one, or the end of its time.
    pub fn hold_of(&self, attempt: &Attempt, now: Time) -> Option<Hold> {
        let said = attempt.hold().filter(|hold| hold.stands(now)).cloned();
        said.or_else(|| self.late(attempt.wall.as_ref(), now))
    }

    /// Starts the clock of a unit that begins, unless it is running already.
    pub(crate) fn start_wall(&mut self, unit: &Unit, now: Time) {
        if let Some(wall) = &unit.wall {
            let start = || Deadline::starting(now, wall.millis);
            self.walls.entry(wall.name.clone()).or_insert_with(start);
        }
    }

    /// Restarts every clock with its full time.
    pub(crate) fn renew_walls(&mut self, now: Time) {
        for deadline in self.walls.values_mut() {
            *deadline = deadline.renewed(now);
        }
    }

    /// Stops the clock named by `only`, or all clocks, until `then`: no work is possible before
    /// that.
    pub(crate) fn stop_walls(&mut self, only: Option<&Name>, then: Time, now: Time) {
        let named = self.walls.iter_mut().filter(|(name, _)| only.is_none_or(|only| only == *name));
        for (_, deadline) in named {
            *deadline = deadline.after(then, now);
        }
    }
}
