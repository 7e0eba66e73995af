//! What a report is made of, as whoever reads the disk hands it over.

use super::{Branch, Files};
use crate::basis::ReportedChange;
use crate::review::{Ledger, Status};
use crate::{CheckKind, Event, Hash, Hold, Life, Missing, Receipt, ReceiptId, RunId, Time};

/// Everything that is known of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// The run.
    pub run: RunId,
    /// Whether the folder came from elsewhere, so that nothing in it counts here.
    pub elsewhere: bool,
    /// What it is a run of, as people read it.
    pub source: String,
    /// The task, as a person wrote it.
    pub task: Option<String>,
    /// Where it stands, in one line.
    pub at: String,
    /// Its life in one word.
    pub life: Life,
    /// When it began.
    pub started: Time,
    /// When it ended.
    pub ended: Option<Time>,
    /// When this is looked at.
    pub now: Time,
    /// The files that its receipts are about, as they are now, where they can be told.
    pub tree: Option<Hash>,
    /// What happened since it began, oldest first: its own events, and those of no run.
    pub facts: Vec<Fact>,
    /// Its receipts that the journal tells of, oldest first.
    pub slips: Vec<Slip>,
    /// What the judge counts on the files as they are now; nothing for a run that is over.
    pub counted: Option<Vec<Receipt>>,
    /// Receipts that count for nothing.
    pub doubts: Vec<Doubt>,
    /// The gates of the unit at hand: one without a receipt is not proven.
    pub asked: Vec<String>,
    /// What reviews found, where there were any.
    pub findings: Option<Findings>,
    /// What waits for a person.
    pub waits: Vec<Wait>,
    /// What holds it, the first of several.
    pub held: Option<Hold>,
    /// The hosts that it waits for.
    pub limits: Vec<Limited>,
    /// The branch in which its work was brought together; none where it was done in the project.
    pub branch: Option<Branch>,
    /// Which files changed.
    pub files: Option<Files>,
    /// Files that its gates run and that are not as it found them.
    pub rewritten: Vec<String>,
    /// What agents changed of what judges them, and no person agreed to.
    pub doubted: Vec<ReportedChange>,
    /// Every change of what its passes rest on, by whomever.
    pub inputs: Vec<ReportedChange>,
    /// Gates of the project's guard that it is not judged by.
    pub unguarded: Vec<String>,
    /// What is missing in the files: a person's edits, or the work.
    pub missing: Missing,
}

/// One event, when it happened and through whom.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// When.
    pub at: Time,
    /// Who caused it.
    pub actor: String,
    /// Whether it is of this run; otherwise it is of none.
    pub own: bool,
    /// What happened.
    pub event: Event,
}

/// A receipt with what people want to know beside what the kernel judges by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slip {
    /// Its name.
    pub id: ReceiptId,
    /// The phase or unit it was asked for.
    pub phase: Option<String>,
    /// How the gate is decided.
    pub kind: CheckKind,
    /// The command as it would be typed, where the gate is one.
    pub command: Option<String>,
    /// Who decided.
    pub by: String,
    /// How long it took, in milliseconds.
    pub ms: u64,
    /// What it says.
    pub receipt: Receipt,
}

impl Slip {
    /// Returns when its evaluation began.
    pub fn began(&self) -> Time {
        let ms = i64::try_from(self.ms).unwrap_or(i64::MAX);
        self.receipt.at.plus_millis(ms.saturating_neg())
    }
}

/// A receipt that counts for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// Its name.
    pub id: String,
    /// What is wrong with it.
    pub wrong: Wrong,
}

/// What is wrong with a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It is not what the journal says it was.
    Forged,
    /// The journal does not know it.
    Stray,
    /// The journal knows it, and it is not there.
    Gone,
    /// It cannot be read.
    Unreadable,
}

impl Wrong {
    /// Returns the words for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Forged => "changed after it was written",
            Self::Stray => "the journal does not know it",
            Self::Gone => "it is missing",
            Self::Unreadable => "it cannot be read",
        }
    }
}

/// One thing that waits for a person, as status numbers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Its number.
    pub number: usize,
    /// The unit that stands still; none when the whole run does.
    pub unit: Option<String>,
    /// Why.
    pub why: String,
    /// What a person types to let it go on.
    pub command: String,
}

/// A host that takes no work for now, where a run waits for that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limited {
    /// Which one.
    pub host: String,
    /// When it takes work again.
    pub until: Time,
    /// What it said.
    pub why: String,
}

impl std::fmt::Display for Limited {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let until: String = self.until.to_string().chars().take(16).collect();
        write!(out, "`{}` takes no work until {} UTC", self.host, until.replace('T', " "))
    }
}

/// What reviews found, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// How many rounds there were.
    pub rounds: u32,
    /// How many findings there ever were.
    pub found: usize,
    /// How many were not found again.
    pub fixed: usize,
    /// How many the developer refused with a reason.
    pub refused: usize,
    /// How many are left.
    pub open: usize,
}

impl From<&Ledger> for Findings {
    fn from(ledger: &Ledger) -> Self {
        let mut findings = Self { rounds: ledger.round(), ..Self::default() };
        for entry in ledger.entries() {
            findings.found += 1;
            match entry.status {
                Status::Open => findings.open += 1,
                Status::Fixed => findings.fixed += 1,
                Status::Refused { .. } => findings.refused += 1,
            }
        }
        findings
    }
}
