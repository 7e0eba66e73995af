//! The ways out of a hold: the single source of commands, needs and exit codes.

use super::{Driven, Hold};
use crate::pr::TurnRole;
use crate::{RunId, Time};

/// One action that releases held work.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// A person approves what waits.
    Approve,
    /// A person waives a gate; it counts as not proven.
    Waive,
    /// A person resumes the run.
    Resume,
    /// A person resumes the run with a larger budget.
    Raise {
        /// What to drive again.
        by: Driven,
        budget: String,
    },
    /// A person drives it again.
    Drive(Driven),
    /// A person names another host.
    OtherHost(Driven),
    /// A person names another host for a part of a pull request's loop.
    OtherPart(TurnRole),
    /// It continues by itself at this time.
    Wait(Time),
    /// A person diagnoses and repairs an unreadable document.
    Doctor,
}

/// The kind of attention that an end with this hold needs; it determines the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// A person must act.
    Person,
    /// A limit was reached.
    Limit,
    /// An unreadable document needs repair.
    Mending,
}

/// All ways out of a hold. The first one is shown to people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ways {
    first: Way,
    more: Vec<Way>,
    need: Need,
}

impl Way {
    /// Returns the command to type for `run`; for a wait, the command resumes early.
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

    /// Returns the command without the name of a run, for use where only one run is possible.
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

pub(super) fn raise(by: &Driven, budget: &str) -> String {
    format!("{} --budget {budget}", by.again())
}

/// Returns the command that selects another host for a part of a loop.
pub(super) fn other_part(part: TurnRole) -> String {
    format!("sprag pr resume {} NAME", part.flag())
}

pub(super) fn other_host(by: &Driven) -> String {
    format!("sprag run {by} --host NAME")
}

impl Ways {
    fn new(first: Way, more: &[Way], need: Need) -> Self {
        Self { first, more: more.to_vec(), need }
    }

    /// Returns the way that is shown to people.
    pub const fn first(&self) -> &Way {
        &self.first
    }

    /// Returns whether `way` is among the ways out.
    pub fn has(&self, way: &Way) -> bool {
        self.all().any(|one| one == way)
    }

    /// Returns every way, starting with the one that is shown.
    pub fn all(&self) -> impl Iterator<Item = &Way> {
        std::iter::once(&self.first).chain(&self.more)
    }

    pub const fn need(&self) -> Need {
        self.need
    }
}

impl Hold {
    /// Returns the ways out of this hold.
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
            // A gate that did not run leaves nothing to approve.
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
            Self::RoundsOver { .. } | Self::Exhausted { .. } | Self::NoProgress { .. } => {
                Ways::new(Resume, &[Approve], Need::Limit)
            }
            Self::Asked { .. }
            | Self::Doubtful { .. }
            | Self::Untrusted { .. }
            | Self::SetUp { .. } => Ways::new(Approve, &[Resume], Need::Person),
            Self::Unreadable { .. } => Ways::new(Doctor, &[], Need::Mending),
        }
    }
}
