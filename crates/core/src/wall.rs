//! How long something may take: a whole run, or what some of its units share, such as a phase.
//!
//! A clock starts with the first begin of a unit that names it, stands in the run from then on, and
//! is over at a time and not after a count. So it goes on through retries, crashes and drivers. Time
//! in which nobody could work, because a host took none or a person was waited for, is not counted.

use std::time::Duration;

use crate::{Attempt, Hold, Name, Run, Time, Unit};

/// How long the units that name it may take together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wall {
    /// What it is called where it is said: `wall dev/build`.
    pub name: Name,
    /// How long.
    pub millis: u32,
}

impl Wall {
    /// What its name begins with; whose time it is follows.
    pub(crate) const PREFIX: &'static str = "wall ";

    /// Returns the wall of what is called `whose`; one that is no name shares that of the run.
    pub fn of(whose: &str, time: Duration) -> Self {
        let name = Name::parse(&format!("{}{whose}", Self::PREFIX)).unwrap_or(Deadline::NAME);
        Self { name, millis: u32::try_from(time.as_millis()).unwrap_or(u32::MAX) }
    }
}

/// How long a run, or what units of it share, may take, and when that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    pub(crate) wall_millis: u32,
    pub(crate) at: Time,
}

impl Deadline {
    /// The name under which the passed deadline of a run is said.
    pub const NAME: Name = Name::literal("wall");

    /// Returns the deadline `wall_millis` after `now`.
    pub fn starting(now: Time, wall_millis: u32) -> Self {
        Self { wall_millis, at: now.plus_millis(i64::from(wall_millis)) }
    }

    /// Returns the same time anew.
    pub(crate) fn renewed(self, now: Time) -> Self {
        Self::starting(now, self.wall_millis)
    }

    /// Returns it later by how long it is until `then`.
    fn after(self, then: Time, now: Time) -> Self {
        Self { at: self.at.plus_millis(then.since(now).max(0)), ..self }
    }
}

impl<P> Run<P> {
    /// Returns when the time of `unit` is over, where it has one and was begun.
    pub fn due(&self, unit: &Unit) -> Option<Time> {
        Some(self.walls.get(&unit.wall.as_ref()?.name)?.at)
    }

    /// Returns the hold of a unit whose time is over.
    pub(crate) fn late(&self, wall: Option<&Name>, now: Time) -> Option<Hold> {
        let name = wall?;
        let is_over = self.walls.get(name).is_some_and(|deadline| now >= deadline.at);
        is_over.then(|| Hold::Exhausted { bound: name.clone(), used: 1 })
    }

    /// Returns what holds `attempt` at `now`: what was said, or the end of its time.
    pub fn hold_of(&self, attempt: &Attempt, now: Time) -> Option<Hold> {
        let said = attempt.hold().filter(|hold| hold.stands(now)).cloned();
        said.or_else(|| self.late(attempt.wall.as_ref(), now))
    }

    /// Starts the clock of a unit that begins, unless it runs already.
    pub(crate) fn start_wall(&mut self, unit: &Unit, now: Time) {
        if let Some(wall) = &unit.wall {
            let start = || Deadline::starting(now, wall.millis);
            self.walls.entry(wall.name.clone()).or_insert_with(start);
        }
    }

    /// Gives every clock its whole time again.
    pub(crate) fn renew_walls(&mut self, now: Time) {
        for deadline in self.walls.values_mut() {
            *deadline = deadline.renewed(now);
        }
    }

    /// Stops the clock that `only` names, or all, until `then`: nobody can work before.
    pub(crate) fn stop_walls(&mut self, only: Option<&Name>, then: Time, now: Time) {
        let named = self.walls.iter_mut().filter(|(name, _)| only.is_none_or(|only| only == *name));
        for (_, deadline) in named {
            *deadline = deadline.after(then, now);
        }
    }
}
