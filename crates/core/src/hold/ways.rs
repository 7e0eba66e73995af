//! What a person can do about a hold: the one place from which commands, needs and exit codes come.

use super::{Driven, Hold};
use crate::pr::Part;
use crate::{RunId, Time};

/// One thing that sets held work going again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// A person agrees to what waits.
    Approve,
    /// A person lets a gate through, and it counts as not proven.
    Waive,
    /// A person resumes it.
    Resume,
    /// A person resumes it with more to spend.
    Raise {
        /// What is driven again.
        by: Driven,
        /// The new budget.
        budget: String,
    },
    /// A person drives it again.
    Drive(Driven),
    /// A person names another host for it.
    OtherHost(Driven),
    /// A person names another host for a part of a pull request's loop.
    OtherPart(Part),
    /// It continues by itself at this time.
    Wait(Time),
    /// A person finds out what cannot be read, and mends it.
    Doctor,
}

/// What an end with this hold asks for: the exit code is made from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// A person must do something.
    Person,
    /// A limit is reached.
    Limit,
    /// Something cannot be read.
    Mending,
}

/// Everything that leads on from a hold. The first way is the one that a person is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ways {
    first: Way,
    more: Vec<Way>,
    need: Need,
}

impl Way {
    /// Returns what a person types about `run`; who does not want to wait resumes it.
    pub fn command(&self, run: &RunId) -> String {
        match self {
            Self::Approve | Self::Resume | Self::Wait(_) => format!("{} {run}", self.verb()),
            Self::Waive => format!("{} {run} --waive \"why\"", self.verb()),
            Self::OtherHost(driven) => other_host(driven),
            Self::OtherPart(part) => other_part(*part),
            Self::Raise { by, budget } => raise(by, budget),
            Self::Drive(driven) => driven.again(),
            Self::Doctor => self.verb().to_owned(),
        }
    }

    /// Returns the same without the name of a run, where only one can be meant.
    pub const fn verb(&self) -> &'static str {
        match self {
            Self::Approve | Self::Waive => "sprag approve",
            Self::OtherPart(_) => "sprag pr resume",
            Self::Resume
            | Self::Raise { .. }
            | Self::Drive(_)
            | Self::OtherHost(_)
            | Self::Wait(_) => "sprag resume",
            Self::Doctor => "sprag doctor",
        }
    }
}

/// Returns the command that raises a budget.
pub(super) fn raise(by: &Driven, budget: &str) -> String {
    format!("{} --budget {budget}", by.again())
}

/// Returns the command that names another host for a part of a loop.
pub(super) fn other_part(part: Part) -> String {
    format!("sprag pr resume {} NAME", part.flag())
}

/// Returns the command that names another host.
pub(super) fn other_host(by: &Driven) -> String {
    format!("sprag run {by} --host NAME")
}

impl Ways {
    fn new(first: Way, more: &[Way], need: Need) -> Self {
        Self { first, more: more.to_vec(), need }
    }

    /// Returns the way that is shown.
    pub const fn first(&self) -> &Way {
        &self.first
    }

    /// Returns whether `way` leads on.
    pub fn has(&self, way: &Way) -> bool {
        self.all().any(|one| one == way)
    }

    /// Returns every way, the one that is shown first.
    pub fn all(&self) -> impl Iterator<Item = &Way> {
        std::iter::once(&self.first).chain(&self.more)
    }

    /// Returns what an end with this hold asks for.
    pub const fn need(&self) -> Need {
        self.need
    }
}

impl Hold {
    /// Returns what leads on.
    pub fn ways(&self) -> Ways {
        use Way::{Approve, Doctor, Drive, OtherHost, OtherPart, Raise, Resume, Wait, Waive};
        match self {
            Self::Person { .. }
            | Self::Interrupted
            | Self::Blocked { .. }
            | Self::Changed { .. } => Ways::new(Resume, &[Approve], Need::Person),
            Self::NoPart { part, .. } => {
                Ways::new(Resume, &[OtherPart(*part), Approve], Need::Person)
            }
            // What did not run leaves nothing to agree to.
            Self::Unproven { .. } => Ways::new(Resume, &[Waive], Need::Person),
            Self::DriverGone { by, .. } => Ways::new(Drive(by.clone()), &[], Need::Person),
            Self::Budget(spent) => {
                let (by, budget) = (spent.by.clone(), spent.raise.clone());
                Ways::new(Raise { by, budget }, &[Resume, Approve], Need::Limit)
            }
            Self::NoHost(host) => {
                Ways::new(Resume, &[OtherHost(host.by.clone()), Approve], Need::Person)
            }
            Self::Until { at, .. } => Ways::new(Resume, &[Wait(*at), Approve], Need::Person),
            Self::Exhausted { .. } | Self::NoProgress { .. } => {
                Ways::new(Resume, &[Approve], Need::Limit)
            }
            Self::RoundsOver { .. } => Ways::new(Approve, &[Resume], Need::Limit),
            Self::Asked { .. }
            | Self::Doubtful { .. }
            | Self::Untrusted { .. }
            | Self::SetUp { .. } => Ways::new(Approve, &[Resume], Need::Person),
            Self::Unreadable { .. } => Ways::new(Doctor, &[], Need::Mending),
        }
    }
}
