use super::machine::part_of;
use super::{Known, Own, Part, Pending, Turn};
use crate::review::Ledger;
use crate::{Hash, Hold, Name, Plain, Stored, Stuck, Time, Unit, Unreadable, stored};

/// Where the run of a pull request stands, beside what `metadata.yaml` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The pull request that the run is of, by its number: a folder may go on to another one.
    pub pull: Option<u32>,
    /// The turn that the loop itself wrote last; what others write is looked at anew.
    pub wrote: Option<Turn>,
    /// The turn that comes when the checks are green.
    pub due: Option<Turn>,
    /// The number of the round at hand, once somebody worked in it.
    pub number: Option<u32>,
    /// Whether the file says `AUTHOR` for `RESPONSE`.
    pub author: bool,
    /// Whether this pull request ever had a check.
    pub has_ci: bool,
    /// Since when the checks of which commit are waited for.
    pub ci: Option<CiWait>,
    /// What was found, over all rounds.
    pub ledger: Ledger,
    /// The files that are reviewed, or were last.
    pub reviewed: Option<Hash>,
    /// The commit that was reviewed last.
    pub commit: Option<String>,
    /// The files that the findings in the ledger are of; nothing once some were refused, for then
    /// there is a word to judge.
    pub judged: Option<Hash>,
    /// What was wrong with the last answer of the reviewer.
    pub unclear: Option<String>,
    /// What the developer answered, until the forge has what it speaks of.
    pub answer: Option<Pending>,
    /// What the forge did not have of the answer before.
    pub missing: Option<String>,
    /// The files in no commit that were here when the run began: they are the person's.
    pub loose: Option<Hash>,
    /// How often in a row the forge could not be reached.
    pub outages: u32,
    /// Whether the review found nothing that stands in the way, and a look at the forge is to grant
    /// the approval.
    pub passed: bool,
    /// When an agent of the loop pushed last: its checks may not have begun.
    pub pushed: Option<Time>,
    /// What the file said that agents do not decide, while one has the turn.
    pub kept: Option<Own>,
    /// Why the loop stands, if it does.
    pub exit: Option<Exit>,
    /// What the file is to say from now on. It is written by the commit that decides it; here it
    /// stands only until then.
    pub after: Option<Box<Known>>,
    /// The files that were taken and are to be removed in that commit.
    pub taken: Vec<&'static str>,
}

/// A wait for the checks of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CiWait {
    /// Which commit.
    pub head: Option<String>,
    /// Since when checks are waited for, whatever is pushed meanwhile.
    pub since: Time,
    /// Since when it is this commit.
    pub moved: Time,
}

/// Why a loop stands before it is approved or used up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The reviewer found again what the developer had refused, and nothing else.
    Disputed {
        /// What.
        what: String,
    },
    /// The last round found nothing new.
    Converged {
        /// What it found again.
        what: String,
    },
    /// Nothing gets better.
    NoProgress {
        /// What did not.
        what: String,
    },
    /// The reviewer's answers cannot be read.
    Unclear {
        /// Why not.
        why: String,
    },
    /// What the developer did is not on the forge.
    Unpushed {
        /// What is not.
        why: String,
    },
    /// The forge cannot be asked.
    Forge {
        /// What it said.
        why: String,
    },
}

impl Position {
    /// Returns the number of the round at hand: one more than are over, unless the review that is
    /// answered is counted already.
    pub(super) fn round(&self, known: &Known, part: Part) -> u32 {
        let own = known.review_loop.as_ref().map_or(0, |review_loop| review_loop.round);
        self.number.unwrap_or(match part {
            Part::Developer => known.round().max(own.saturating_add(1)),
            Part::Reviewer | Part::CiChecker | Part::CiFixer => known.round().saturating_add(1),
        })
    }

    /// Returns why what came of a unit before does not count.
    pub fn again(&self, unit: &Unit) -> Option<&str> {
        match part_of(&unit.id)? {
            Part::Reviewer => self.unclear.as_deref(),
            Part::Developer => self.missing.as_deref(),
            Part::CiChecker | Part::CiFixer => None,
        }
    }
}

impl Exit {
    /// Returns what a person is told.
    pub fn hold(&self) -> Hold {
        match self {
            Self::Disputed { what } => Hold::Asked {
                what: format!("the developer refused what the reviewer finds again: {what}"),
            },
            Self::Converged { what } => {
                Hold::NoProgress { what: Stuck::ReviewRepeats { what: what.clone() } }
            }
            Self::NoProgress { what } => Hold::NoProgress { what: what.clone().into() },
            Self::Unclear { why } => {
                Hold::Unproven { gate: Name::literal("review"), why: why.clone() }
            }
            Self::Unpushed { why } => {
                let why = format!("{why}; commit and push it, then let the run go on");
                Hold::Unproven { gate: Name::literal("push"), why }
            }
            Self::Forge { why } => {
                Hold::Unproven { gate: Name::literal("forge"), why: why.clone() }
            }
        }
    }
}

stored!(enum Exit, "end" {
    "disputed" => Disputed(what),
    "converged" => Converged(what),
    "no_progress" => NoProgress(what),
    "unclear" => Unclear(why),
    "unpushed" => Unpushed(why),
    "forge" => Forge(why),
});

stored!(struct CiWait { head, since, moved });

impl Stored for Turn {
    fn lower(&self) -> Plain {
        self.as_str().into()
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        Self::parse(&String::lift(plain)?).ok_or_else(|| Unreadable::here("expected a turn"))
    }
}

stored!(struct Position or default {
    pull,
    wrote,
    due,
    number,
    author,
    has_ci,
    ci,
    ledger: unless_default,
    reviewed,
    commit,
    judged,
    unclear,
    answer,
    missing,
    loose,
    outages: unless_default,
    passed: unless_default,
    pushed: unless_default,
    kept: unless_default,
    exit,
    ..default
});
