use std::collections::BTreeMap;

use super::{Gap, Plan, Round};
use crate::{Hash, Hold, UnitId, stored};

/// The position of a run of a plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Position {
    pub(super) stage: Stage,
    /// The tasks that were tried, by id; all others have not begun.
    pub(super) tasks: BTreeMap<String, TaskState>,
    /// The last wave that a person approved.
    pub(super) agreed: Option<u32>,
    /// The machine's own hold, until a person resumes it.
    pub(super) hold: Option<Hold>,
    /// The gaps of the last verification, with the results of their fixes.
    pub(super) gaps: Vec<Fix>,
    /// The number of fixes in earlier rounds.
    pub(super) fixed: u32,
    /// The fix that began first in this round and was charged for it.
    pub(super) opened: Option<UnitId>,
    /// Whether a person agreed to this round of fixes.
    pub(super) consent: bool,
    /// The rounds so far, oldest first.
    pub(super) history: Vec<Round>,
    /// Whether a report that named no gap was requested once more.
    pub(super) asked_again: bool,
    /// The points that a person must check, once the verification requires it.
    pub(super) human: Option<Vec<String>>,
    /// The number of rounds that count towards "no progress": those since a person resumed.
    pub(super) rounds: u32,
    /// A person's decisions for agents that asked, by unit.
    pub(super) decisions: BTreeMap<UnitId, String>,
    /// A report that is older than this run and does not apply to it.
    pub(super) stale: Option<Hash>,
    /// The report that existed when the current verification began: it is not that verification's
    /// own.
    pub(super) seen: Option<Hash>,
}

/// The stage of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Tasks are being executed.
    #[default]
    Execute,
    /// The whole is being verified, and gaps closed.
    Verify,
    /// The plan ended well.
    Done,
}

/// The result of a task that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskState {
    /// It failed, and a retry was not yet allowed.
    Failed,
    /// It failed and will be retried.
    Again,
    /// Its checks passed.
    Complete,
    /// It was reported done, and no check could decide.
    Claimed,
    /// A person skipped it.
    Skipped,
}

/// A gap and the result of its fix in this round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    pub gap: Gap,
    /// The agent's report; `None` while the gap is open.
    pub said: Option<Closed>,
}

/// An agent's report on the gap it was to close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// `GAP CLOSED`.
    Yes,
    /// `GAP FAILED`, or no marker.
    No,
}

impl Position {
    /// Creates the position of an untouched plan; `stale` is a verification report that already
    /// exists.
    pub fn new(stale: Option<Hash>) -> Self {
        Self { stale, ..Self::default() }
    }

    /// Marks the first tasks of a plan as done, by a counter that no check of sprag has verified;
    /// the verification still covers everything.
    #[must_use]
    pub fn counted(mut self, plan: &Plan, done: usize) -> Self {
        let first = plan.tasks.iter().take(done);
        self.tasks.extend(first.map(|task| (task.id.clone(), TaskState::Claimed)));
        self
    }

    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// Returns the result of a task; `None` if it was never tried.
    pub fn task(&self, id: &str) -> Option<TaskState> {
        self.tasks.get(id).copied()
    }

    pub fn gaps(&self) -> &[Fix] {
        &self.gaps
    }

    pub fn history(&self) -> &[Round] {
        &self.history
    }

    /// Returns the number of finished tasks.
    pub fn done(&self) -> usize {
        self.tasks.values().filter(|state| state.is_over()).count()
    }
}

impl TaskState {
    pub const ALL: [Self; 5] =
        [Self::Failed, Self::Again, Self::Complete, Self::Claimed, Self::Skipped];

    /// Returns the word used in `run.yaml`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Again => "again",
            Self::Complete => "complete",
            Self::Claimed => "claimed",
            Self::Skipped => "skipped",
        }
    }

    /// Returns whether dependent tasks may begin.
    pub const fn is_over(self) -> bool {
        match self {
            Self::Complete | Self::Claimed | Self::Skipped => true,
            Self::Failed | Self::Again => false,
        }
    }
}

impl Stage {
    pub const ALL: [Self; 3] = [Self::Execute, Self::Verify, Self::Done];

    /// Returns the word used in `run.yaml`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Execute => "execute",
            Self::Verify => "verify",
            Self::Done => "done",
        }
    }
}

impl Closed {
    const ALL: [Self; 2] = [Self::Yes, Self::No];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "closed",
            Self::No => "failed",
        }
    }
}

stored!(word TaskState);
stored!(word Stage);
stored!(word Closed);

stored!(struct Fix { gap, said });

stored!(struct Position {
    stage,
    tasks,
    agreed,
    hold,
    gaps,
    fixed,
    opened,
    consent,
    history,
    asked_again,
    human,
    rounds,
    decisions,
    stale,
    seen: unless_default,
});
