use std::collections::BTreeMap;

use super::{Gap, Plan, Round};
use crate::{Hash, Hold, UnitId, stored};

/// Where a run of a plan stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Position {
    /// What is going on.
    pub(super) stage: Stage,
    /// The tasks that were tried, by their id; the others are still to be begun.
    pub(super) tasks: BTreeMap<String, TaskState>,
    /// The last wave that a person let begin.
    pub(super) agreed: Option<u32>,
    /// Why the machine itself stands still, until a person resumes it.
    pub(super) hold: Option<Hold>,
    /// What the last verification found, and what became of each.
    pub(super) gaps: Vec<Fix>,
    /// How many fixes there were in the rounds before.
    pub(super) fixed: u32,
    /// The fix that was begun first in this round and was charged for it.
    pub(super) opened: Option<UnitId>,
    /// Whether a person agreed to this round of fixes.
    pub(super) consent: bool,
    /// The rounds so far, oldest first.
    pub(super) history: Vec<Round>,
    /// Whether a report that named no gap was asked for once more.
    pub(super) asked_again: bool,
    /// What a person must look at, once the verification says so.
    pub(super) human: Option<Vec<String>>,
    /// How many of the rounds count towards "no progress": those since a person resumed.
    pub(super) rounds: u32,
    /// What a person decided for an agent that asked, by the unit it works on.
    pub(super) decisions: BTreeMap<UnitId, String>,
    /// A report that was there before this run, and says nothing about it.
    pub(super) stale: Option<Hash>,
    /// The report that was there when the verification at hand began: it is not its own.
    pub(super) seen: Option<Hash>,
}

/// What is going on in a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Tasks are worked on.
    #[default]
    Execute,
    /// The whole is verified, and gaps are closed.
    Verify,
    /// It is over, well.
    Done,
}

/// What became of a task that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskState {
    /// It failed, and nobody has let it be tried again yet.
    Failed,
    /// It failed and is to be tried again.
    Again,
    /// Its checks hold.
    Complete,
    /// Somebody says that it is done, and no check of ours was there to decide.
    Claimed,
    /// A person left it out.
    Skipped,
}

/// A gap and what became of it in this round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The gap.
    pub gap: Gap,
    /// What its agent said; nothing while it is still to be closed.
    pub said: Option<Closed>,
}

/// What an agent said of the gap it was to close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// `GAP CLOSED`.
    Yes,
    /// `GAP FAILED`, or nothing.
    No,
}

impl Position {
    /// Returns the position of a plan of which nothing was done, where `stale` is a verification
    /// report that is already there.
    pub fn new(stale: Option<Hash>) -> Self {
        Self { stale, ..Self::default() }
    }

    /// Takes the first tasks of a plan for done, as a counter says that nothing here has checked; the
    /// verification still looks at everything.
    #[must_use]
    pub fn counted(mut self, plan: &Plan, done: usize) -> Self {
        let first = plan.tasks.iter().take(done);
        self.tasks.extend(first.map(|task| (task.id.clone(), TaskState::Claimed)));
        self
    }

    /// Returns what is going on.
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// Returns what became of a task; nothing for one that was never tried.
    pub fn task(&self, id: &str) -> Option<TaskState> {
        self.tasks.get(id).copied()
    }

    /// Returns the gaps of this round.
    pub fn gaps(&self) -> &[Fix] {
        &self.gaps
    }

    /// Returns the rounds so far, oldest first.
    pub fn history(&self) -> &[Round] {
        &self.history
    }

    /// Returns how many tasks are behind it.
    pub fn done(&self) -> usize {
        self.tasks.values().filter(|state| state.is_over()).count()
    }
}

impl TaskState {
    /// Every state.
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

    /// Returns whether what waits for the task can begin.
    pub const fn is_over(self) -> bool {
        match self {
            Self::Complete | Self::Claimed | Self::Skipped => true,
            Self::Failed | Self::Again => false,
        }
    }
}

impl Stage {
    /// Every stage.
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
