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

use crate::pr::Part;
use crate::{Changes, Deadline, DocPath, Name, Time, Wall};

/// Why work stands still.
///
/// A hold stands on an attempt, and its siblings go on, or on the run when a person paused it. What
/// follows from a count (a bound used up, the same failure again) is derived and not stored.
///
/// A hold carries data. Its [`Display`](fmt::Display) is the only place that makes the sentence people
/// read, and no decision reads that sentence: [`Hold::ways`] lists the commands that lead on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hold {
    /// A person said so.
    Person {
        /// What the person said.
        why: String,
    },
    /// A person interrupted the driver of the run; the next driver goes on.
    Interrupted,
    /// The driver of the run is gone. This is found out by a look and never stored.
    DriverGone {
        /// What is driven again so that it goes on.
        by: Driven,
        /// Whether the run itself is over, and only its assignment is left.
        over: bool,
    },
    /// The budget is spent.
    Budget(Overspent),
    /// The host of the run cannot be started.
    NoHost(Unstarted),
    /// The loop of a pull request names a host that is not installed here.
    NoPart {
        /// For which part.
        part: Part,
        /// The host.
        host: String,
    },
    /// Something that the run needs cannot be used: a worktree, its set-up, the model.
    Blocked {
        /// The error.
        why: String,
    },
    /// A question waits for an answer.
    Asked {
        /// The question.
        what: String,
    },
    /// The rounds of a review ran out. A person accepts the work as it is, or grants as many again.
    RoundsOver {
        /// How many rounds there were, and which findings are open.
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
        what: Stuck,
    },
    /// A gate could not be run, so nothing is known.
    Unproven {
        /// Which gate.
        gate: Name,
        /// What it said, or why it could not run.
        why: String,
    },
    /// A gate passes, but what its pass depends on was changed: a person decides.
    Doubtful {
        /// Which gate.
        gate: Name,
        /// What was changed.
        why: Doubt,
    },
    /// A document cannot be read.
    Unreadable {
        /// Which document.
        path: DocPath,
    },
    /// Commands of the project were not yet allowed by a person.
    Untrusted {
        /// Which commands.
        what: Commands,
    },
    /// What a run needs before anybody works on it was not yet allowed by a person: its gates, its
    /// rules, the set-up of its worktrees.
    SetUp {
        /// The commands.
        what: Commands,
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
        matches!(self, Self::Unproven { .. } | Self::Doubtful { .. } | Self::Untrusted { .. })
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

    /// Returns whether the whole run waits, also attempts that could continue.
    pub const fn is_of_the_run(&self) -> bool {
        self.is_pause() || matches!(self, Self::SetUp { .. } | Self::Changed { .. })
    }

    /// Returns whether a count holds the work: fresh bounds let it go on.
    pub const fn is_tired(&self) -> bool {
        matches!(self, Self::Exhausted { .. } | Self::NoProgress { .. })
    }

    /// Returns what a person may answer in words.
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

    /// Returns the same hold with `by` in front of a question or a reason.
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

    /// Reads why a document of another system is paused: of a plan that the first release drove,
    /// its `STATE.md` has nothing but the sentence.
    pub fn of_pause(why: String) -> Self {
        first_release::pause(&why).unwrap_or(Self::Person { why })
    }

    /// Returns the reason, without the word for the kind of hold.
    pub fn said(&self) -> String {
        match self {
            Self::Person { why } | Self::Blocked { why } | Self::Until { why, .. } => why.clone(),
            Self::Interrupted => "interrupted".to_owned(),
            Self::DriverGone { over: false, .. } => "whoever drove it is gone".to_owned(),
            Self::DriverGone { over: true, .. } => {
                "its run is over, and whoever drove it is gone".to_owned()
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

    /// Returns when this hold ends by itself; every other one needs a person.
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
            Self::Exhausted { bound, used } => write!(out, "all {used} of `{bound}` are used up"),
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
