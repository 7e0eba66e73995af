mod driven;
pub(crate) mod first_release;
mod reasons;
mod stored;
#[cfg(test)]
mod tests;
mod ways;

use std::fmt;

pub use driven::Driven;
pub use reasons::{Commands, Doubt, Overspent, Stuck, Unstarted};
pub use ways::{Need, Way, Ways};

use crate::pr::TurnRole;
use crate::{Changes, Deadline, DocPath, Name, Time, Wall};

/// Why work is held.
///
/// A hold applies to an attempt, whose siblings continue, or to the run when a person paused it.
/// Holds that follow from a count (an exhausted bound, a repeated failure) are derived and not
/// stored.
///
/// A hold carries data. Its [`Display`](fmt::Display) is the only place that builds the sentence
/// people read, and no decision depends on that sentence: [`Hold::ways`] lists the commands that
/// lead on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hold {
    /// A person paused it.
    Person {
        why: String,
    },
    /// A person interrupted the driver of the run; the next driver continues.
    Interrupted,
    /// The driver of the run is gone. This is detected when the run is read and never stored.
    DriverGone {
        /// What to drive again to continue.
        by: Driven,
        /// Whether the run itself has ended, so that only its assignment is left.
        over: bool,
    },
    Budget(Overspent),
    /// The host of the run cannot be started.
    NoHost(Unstarted),
    /// The loop of a pull request names a host that is not installed here.
    NoPart {
        /// The part of the loop.
        part: TurnRole,
        host: String,
    },
    /// A resource of the run is unusable: a worktree, its set-up, the model.
    Blocked {
        why: String,
    },
    /// A question waits for an answer.
    Asked {
        what: String,
    },
    /// The rounds of a review ran out. A person accepts the work as it is, or grants the same
    /// number again.
    RoundsOver {
        /// The number of rounds and the open findings.
        what: String,
    },
    /// The hold ends at a given time: a rate limit, `pause --for 1h`.
    Until {
        at: Time,
        why: String,
    },
    /// A bound is exhausted; that is never a pass.
    Exhausted {
        bound: Name,
        /// The number of charges.
        used: u32,
    },
    /// The same result came up repeatedly without progress.
    NoProgress {
        what: Stuck,
    },
    /// A gate could not run, so its result is unknown.
    Unproven {
        gate: Name,
        /// Its output, or why it could not run.
        why: String,
    },
    /// A gate passes, but inputs of its verdict were changed: a person decides.
    Doubtful {
        gate: Name,
        why: Doubt,
    },
    /// A document is unreadable.
    Unreadable {
        path: DocPath,
    },
    /// A person has not yet allowed these commands of the project.
    Untrusted {
        what: Commands,
    },
    /// A person has not yet allowed the commands that a run needs before work begins: its gates,
    /// its rules, the set-up of its worktrees.
    SetUp {
        what: Commands,
    },
    /// Documents that judge the run changed, and no person has accepted the change: nothing is
    /// judged.
    Changed {
        /// The changed documents and the times.
        what: Changes,
    },
}

impl Hold {
    /// Returns whether this hold is still in force at `now`.
    pub fn stands(&self, now: Time) -> bool {
        self.ends().is_none_or(|at| now < at)
    }

    /// Returns whether the hold comes from a gate, whose result may differ on other files.
    pub const fn is_of_a_gate(&self) -> bool {
        matches!(self, Self::Unproven { .. } | Self::Doubtful { .. } | Self::Untrusted { .. })
    }

    /// Returns the hold that replaces `before`: a change that a person must accept is neither
    /// forgotten nor ends by itself.
    pub(crate) fn after(self, before: Option<Self>) -> Self {
        match (before, self) {
            (Some(Self::Changed { what: before }), Self::Changed { what }) => {
                Self::Changed { what: before.and(what) }
            }
            (Some(changed @ Self::Changed { .. }), _) => changed,
            (_, hold) => hold,
        }
    }

    /// Returns whether this document, by which the run is judged, changed.
    pub fn is_change_of(&self, doc: &str) -> bool {
        matches!(self, Self::Changed { what } if what.names(doc))
    }

    /// Returns whether documents that judge the run changed.
    pub const fn is_change(&self) -> bool {
        matches!(self, Self::Changed { .. })
    }

    /// Returns whether a person paused the run, or its driver did because it cannot continue.
    pub const fn is_pause(&self) -> bool {
        match self {
            Self::Person { .. }
            | Self::Interrupted
            | Self::DriverGone { .. }
            | Self::Budget(_)
            | Self::NoHost(_)
            | Self::NoPart { .. }
            | Self::Blocked { .. } => true,
            Self::Asked { .. }
            | Self::RoundsOver { .. }
            | Self::Until { .. }
            | Self::Exhausted { .. }
            | Self::NoProgress { .. }
            | Self::Unproven { .. }
            | Self::Doubtful { .. }
            | Self::Unreadable { .. }
            | Self::Untrusted { .. }
            | Self::SetUp { .. }
            | Self::Changed { .. } => false,
        }
    }

    /// Returns whether the whole run waits, including attempts that could continue.
    pub const fn is_of_the_run(&self) -> bool {
        self.is_pause() || matches!(self, Self::SetUp { .. } | Self::Changed { .. })
    }

    /// Returns whether a count holds the work: fresh bounds release it.
    pub const fn is_tired(&self) -> bool {
        matches!(self, Self::Exhausted { .. } | Self::NoProgress { .. })
    }

    /// Returns the question, if a person may answer this hold in words.
    pub fn question(&self) -> Option<&str> {
        match self {
            Self::Asked { what } | Self::RoundsOver { what } => Some(what),
            Self::Person { .. }
            | Self::Interrupted
            | Self::DriverGone { .. }
            | Self::Budget(_)
            | Self::NoHost(_)
            | Self::NoPart { .. }
            | Self::Blocked { .. }
            | Self::Until { .. }
            | Self::Exhausted { .. }
            | Self::NoProgress { .. }
            | Self::Unproven { .. }
            | Self::Doubtful { .. }
            | Self::Unreadable { .. }
            | Self::Untrusted { .. }
            | Self::SetUp { .. }
            | Self::Changed { .. } => None,
        }
    }

    /// Returns the same hold with its question or reason rewritten by `by`.
    #[must_use]
    pub(crate) fn said_by(self, by: impl Fn(&str) -> String) -> Self {
        if let Self::Asked { what } = &self {
            return Self::Asked { what: by(what) };
        }
        if let Self::RoundsOver { what } = &self {
            return Self::RoundsOver { what: by(what) };
        }
        if let Self::NoProgress { what } = &self {
            return Self::NoProgress { what: by(&what.to_string()).into() };
        }
        self
    }

    /// Parses the pause reason in a document of another system: in the `STATE.md` of a plan that
    /// the first release drove, only the sentence is stored.
    pub fn of_pause(why: String) -> Self {
        first_release::pause(&why).unwrap_or(Self::Person { why })
    }

    /// Returns the reason without the word for the kind of hold.
    pub fn said(&self) -> String {
        match self {
            Self::Person { why } | Self::Blocked { why } | Self::Until { why, .. } => why.clone(),
            Self::Interrupted => "interrupted".to_owned(),
            Self::DriverGone { over: false, .. } => "its driver is gone".to_owned(),
            Self::DriverGone { over: true, .. } => {
                "its run is over, and its driver is gone".to_owned()
            }
            Self::Budget(spent) => spent.to_string(),
            Self::NoHost(host) => host.to_string(),
            Self::NoPart { part, host } => format!(
                "the loop names `{host}` as {}, and it is not here: install it, or `{}` names another",
                part.as_str(),
                ways::other_part(*part)
            ),
            Self::Asked { .. }
            | Self::RoundsOver { .. }
            | Self::Exhausted { .. }
            | Self::NoProgress { .. }
            | Self::Unproven { .. }
            | Self::Doubtful { .. }
            | Self::Unreadable { .. }
            | Self::Untrusted { .. }
            | Self::SetUp { .. }
            | Self::Changed { .. } => self.to_string(),
        }
    }

    /// Returns when this hold ends by itself; `None` if it needs a person.
    pub const fn ends(&self) -> Option<Time> {
        if let Self::Until { at, .. } = self { Some(*at) } else { None }
    }
}

impl fmt::Display for Hold {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person { .. }
            | Self::Interrupted
            | Self::DriverGone { .. }
            | Self::Budget(_)
            | Self::NoHost(_)
            | Self::NoPart { .. }
            | Self::Blocked { .. } => write!(out, "paused: {}", self.said()),
            Self::Asked { what } => write!(out, "asks: {what}"),
            Self::RoundsOver { what } => out.write_str(what),
            Self::Until { at, why } => write!(out, "waits until {at}: {why}"),
            Self::Exhausted { bound, .. } if *bound == Deadline::NAME => {
                write!(out, "the time for this run is over")
            }
            Self::Exhausted { bound, .. } if bound.as_str().starts_with(Wall::PREFIX) => {
                write!(out, "the time for `{}` is over", &bound.as_str()[Wall::PREFIX.len()..])
            }
            Self::Exhausted { bound, used: 0 } => write!(out, "`{bound}` allows none"),
            Self::Exhausted { bound, used } => {
                write!(out, "gave up: `{bound}` reached its limit of {used}")
            }
            Self::NoProgress { what } => write!(out, "no progress: {what}"),
            Self::Unproven { gate, why } => write!(out, "`{gate}` is not proven: {why}"),
            Self::Doubtful { gate, why } => {
                write!(out, "`{gate}` is not proven: {}", why.in_a_receipt())
            }
            Self::Unreadable { path } => write!(out, "`{path}` cannot be read"),
            Self::Untrusted { what } | Self::SetUp { what } => {
                write!(out, "`{what}` is not yet allowed to run here")
            }
            Self::Changed { what } => {
                write!(out, "{what}; `{}` takes it as yours", Way::Resume.verb())
            }
        }
    }
}
