use super::machine::part_of;
use super::{Own, Pending, PullRecord, ReviewTurn, TurnRole};
use crate::review::{Ledger, ReviewEnd, RoundEnd, Subject};
use crate::{Hash, Hold, Plain, Stored, Time, Unit, Unreadable, stored};

/// The position of a pull request's run, besides the content of `metadata.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The number of the run's pull request: the folder may move on to another one.
    pub pull: Option<u32>,
    /// The last turn that the loop itself wrote; a turn written by others is recomputed.
    pub wrote: Option<ReviewTurn>,
    /// The turn that follows when the checks pass.
    pub due: Option<ReviewTurn>,
    /// The number of the current round, once an agent has worked in it.
    pub number: Option<u32>,
    /// Whether the file uses `AUTHOR` for `RESPONSE`.
    pub author: bool,
    /// Whether this pull request ever had a check.
    pub has_ci: bool,
    /// The wait for a commit's checks.
    pub ci: Option<CiWait>,
    /// The findings of all rounds.
    pub ledger: Ledger,
    /// The files of the current or last review.
    pub reviewed: Option<Hash>,
    /// The commit that was reviewed last.
    pub commit: Option<String>,
    /// The files that the findings in the ledger refer to; `None` after a refusal, which the
    /// reviewer must judge.
    pub judged: Option<Hash>,
    /// Why the reviewer's last answer was unclear.
    pub unclear: Option<String>,
    /// The developer's answer, until the forge has its changes.
    pub answer: Option<Pending>,
    /// The part of the previous answer that the forge lacked.
    pub missing: Option<String>,
    /// The uncommitted files that existed when the run began: they are the person's.
    pub loose: Option<Hash>,
    /// Consecutive failures to reach the forge.
    pub outages: u32,
    /// Whether the review found nothing blocking, and a look at the forge must confirm the
    /// approval.
    pub passed: bool,
    /// When an agent of the loop last pushed: its checks may not have begun.
    pub pushed: Option<Time>,
    /// The fields that agents do not decide, while an agent has the turn.
    pub kept: Option<Own>,
    /// Why the loop is stopped, if it is.
    pub exit: Option<LoopExit>,
    /// The new content of the file. The commit that decides it also writes it; it is here only
    /// until then.
    pub after: Option<Box<PullRecord>>,
    /// The processed files that this commit removes.
    pub taken: Vec<&'static str>,
}

/// A wait for the checks of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CiWait {
    pub head: Option<String>,
    /// The start of the wait, regardless of later pushes.
    pub since: Time,
    /// When this commit appeared.
    pub moved: Time,
}

/// Why a loop stops before it is approved or exhausted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoopExit {
    /// The reviewer repeated findings that the developer refused, and found nothing else.
    Disputed {
        /// The disputed finding.
        what: String,
    },
    /// The last round found nothing new.
    Converged {
        /// The repeated findings.
        what: String,
    },
    /// The findings do not get fewer.
    NotFewer {
        /// The numbers, round by round.
        rounds: String,
    },
    /// The developer neither changed nor refused anything.
    FindingsLeft {
        /// The last finished round.
        round: u32,
    },
    /// The developer is gone and left half of an answer. An earlier version also stored plateaus
    /// and untouched findings under this name.
    NoProgress {
        /// The details.
        what: String,
    },
    /// The reviewer's answers cannot be parsed.
    Unclear { why: String },
    /// The developer's changes are not on the forge.
    Unpushed {
        /// The missing changes.
        why: String,
    },
    /// The forge is unreachable.
    Forge {
        /// The error.
        why: String,
    },
}

impl Position {
    /// Returns the number of the current round: one more than are finished, unless the review being
    /// answered is already counted.
    pub(super) fn round(&self, known: &PullRecord, part: TurnRole) -> u32 {
        let own = known.review_loop.as_ref().map_or(0, |review_loop| review_loop.round);
        self.number.unwrap_or(match part {
            TurnRole::Developer => known.round().max(own.saturating_add(1)),
            TurnRole::Reviewer | TurnRole::CiChecker | TurnRole::CiFixer => {
                known.round().saturating_add(1)
            }
        })
    }

    /// Returns why the previous result of a unit does not count.
    pub fn again(&self, unit: &Unit) -> Option<&str> {
        match part_of(&unit.id)? {
            TurnRole::Reviewer => self.unclear.as_deref(),
            TurnRole::Developer => self.missing.as_deref(),
            TurnRole::CiChecker | TurnRole::CiFixer => None,
        }
    }
}

impl LoopExit {
    /// Returns the exit after a round; `None` if its rounds are over, which the file decides.
    pub(super) fn of(end: RoundEnd) -> Option<Self> {
        match end {
            RoundEnd::RoundsOver { .. } => None,
            RoundEnd::Repeats { what } => Some(Self::Converged { what }),
            RoundEnd::NotFewer { rounds } => Some(Self::NotFewer { rounds }),
            RoundEnd::Disputed { what } => Some(Self::Disputed { what }),
        }
    }

    /// Returns the hold for a person.
    pub fn hold(&self) -> Hold {
        self.clone().end().hold(Subject::Pull)
    }

    fn end(self) -> ReviewEnd {
        match self {
            Self::Disputed { what } => ReviewEnd::Round(RoundEnd::Disputed { what }),
            Self::Converged { what } => ReviewEnd::Round(RoundEnd::Repeats { what }),
            Self::NotFewer { rounds } => ReviewEnd::Round(RoundEnd::NotFewer { rounds }),
            Self::FindingsLeft { .. } => ReviewEnd::FindingsLeft,
            Self::NoProgress { what } => ReviewEnd::HalfDone { what },
            Self::Unclear { why } => ReviewEnd::NotCounted { why },
            Self::Unpushed { why } => ReviewEnd::Unpushed { why },
            Self::Forge { why } => ReviewEnd::NoForge { why },
        }
    }
}

stored!(enum LoopExit, "end" {
    "disputed" => Disputed(what),
    "converged" => Converged(what),
    "not_fewer" => NotFewer(rounds),
    "findings_left" => FindingsLeft(round),
    "no_progress" => NoProgress(what),
    "unclear" => Unclear(why),
    "unpushed" => Unpushed(why),
    "forge" => Forge(why),
});

stored!(struct CiWait { head, since, moved });

impl Stored for ReviewTurn {
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
