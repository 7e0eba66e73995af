use crate::{Changes, Deadline, DocPath, Name, Time, Wall};

/// Why work stands still.
///
/// A hold stands on an attempt, and its siblings go on, or on the run when a person paused it. What
/// follows from a count (a bound used up, the same failure again) is derived and not stored.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hold {
    /// A person said so.
    Person {
        /// What the person said.
        why: String,
    },
    /// A question waits for an answer.
    Asked {
        /// The question.
        what: String,
    },
    /// It goes on by itself at a time: a rate limit, `pause --for 1h`.
    Until {
        /// When it goes on.
        at: Time,
        /// What it waits for.
        why: String,
    },
    /// A bound is used up; that is never a pass.
    Exhausted {
        /// Which bound.
        bound: Name,
        /// How many were used.
        used: u32,
    },
    /// The same came again without anything getting better.
    NoProgress {
        /// What came again.
        what: String,
    },
    /// A gate could not be run, or what it says does not count, so nothing is known.
    Unproven {
        /// Which gate.
        gate: Name,
        /// Why not.
        why: String,
    },
    /// A document cannot be read.
    Unreadable {
        /// Which document.
        path: DocPath,
    },
    /// A command of the project was not yet allowed by a person.
    Untrusted {
        /// Which command.
        what: String,
    },
    /// What a run needs before anybody works on it was not yet allowed by a person: its gates, its
    /// rules, the set-up of its worktrees.
    SetUp {
        /// The commands, with "` and `" between two.
        what: String,
    },
    /// What the run is judged by changed, and no person took that as theirs: nothing is judged.
    Changed {
        /// What changed, and when.
        what: Changes,
    },
}

impl Hold {
    /// Returns whether this hold still stands at `now`.
    pub fn stands(&self, now: Time) -> bool {
        self.ends().is_none_or(|at| now < at)
    }

    /// Returns whether a gate said so and may say something else on other files.
    pub const fn is_of_a_gate(&self) -> bool {
        match self {
            Self::Unproven { .. } | Self::Untrusted { .. } => true,
            Self::Person { .. }
            | Self::Asked { .. }
            | Self::Until { .. }
            | Self::Exhausted { .. }
            | Self::NoProgress { .. }
            | Self::Unreadable { .. }
            | Self::SetUp { .. }
            | Self::Changed { .. } => false,
        }
    }

    /// Returns the hold of a run that was held before: what a person must take as theirs is neither
    /// forgotten nor over by itself.
    pub(crate) fn after(self, before: Option<Self>) -> Self {
        match (before, self) {
            (Some(Self::Changed { what: before }), Self::Changed { what }) => {
                Self::Changed { what: before.and(what) }
            }
            (Some(changed @ Self::Changed { .. }), _) => changed,
            (_, hold) => hold,
        }
    }

    /// Returns whether a document that the run is judged by changed.
    pub fn is_change_of(&self, doc: &str) -> bool {
        matches!(self, Self::Changed { what } if what.names(doc))
    }

    /// Returns whether what the run is judged by changed.
    pub const fn is_change(&self) -> bool {
        matches!(self, Self::Changed { .. })
    }

    /// Returns what whoever holds it said, without a word that tells what kind of hold it is.
    pub fn said(&self) -> String {
        match self {
            Self::Person { why } | Self::Until { why, .. } => why.clone(),
            Self::Asked { .. }
            | Self::Exhausted { .. }
            | Self::NoProgress { .. }
            | Self::Unproven { .. }
            | Self::Unreadable { .. }
            | Self::Untrusted { .. }
            | Self::SetUp { .. }
            | Self::Changed { .. } => self.to_string(),
        }
    }

    /// Returns when this hold ends by itself; every other one needs a person.
    pub const fn ends(&self) -> Option<Time> {
        match self {
            Self::Until { at, .. } => Some(*at),
            Self::Person { .. }
            | Self::Asked { .. }
            | Self::Exhausted { .. }
            | Self::NoProgress { .. }
            | Self::Unproven { .. }
            | Self::Unreadable { .. }
            | Self::Untrusted { .. }
            | Self::SetUp { .. }
            | Self::Changed { .. } => None,
        }
    }
}

impl std::fmt::Display for Hold {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Person { why } => write!(out, "paused: {why}"),
            Self::Asked { what } => write!(out, "asks: {what}"),
            Self::Until { at, why } => write!(out, "waits until {at}: {why}"),
            Self::Exhausted { bound, .. } if *bound == Deadline::NAME => {
                write!(out, "the time for this run is over")
            }
            Self::Exhausted { bound, .. } if bound.as_str().starts_with(Wall::PREFIX) => {
                write!(out, "the time for `{}` is over", &bound.as_str()[Wall::PREFIX.len()..])
            }
            Self::Exhausted { bound, used: 0 } => write!(out, "`{bound}` allows none"),
            Self::Exhausted { bound, used } => write!(out, "all {used} of `{bound}` are used up"),
            Self::NoProgress { what } => write!(out, "no progress: {what}"),
            Self::Unproven { gate, why } => write!(out, "`{gate}` is not proven: {why}"),
            Self::Unreadable { path } => write!(out, "`{path}` cannot be read"),
            Self::Untrusted { what } | Self::SetUp { what } => {
                write!(out, "`{what}` is not yet allowed to run here")
            }
            Self::Changed { what } => write!(out, "{what}; `sprag resume` takes it as yours"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_timed_hold_ends_by_itself() {
        let at = Time::from_millis(1000);
        let until = Hold::Until { at, why: "rate limit".into() };
        assert!(until.stands(Time::from_millis(999)));
        assert!(!until.stands(at));
        assert!(Hold::Person { why: "lunch".into() }.stands(at));
    }
}
