//! The input of a report, as collected by the code that reads the disk.

use super::{Files, WorkBranch};
use crate::basis::ReportedChange;
use crate::review::{FindingStatus, Ledger};
use crate::{CheckKind, Event, Hash, Hold, Missing, Receipt, ReceiptId, RunId, RunStatus, Time};

/// All data about a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    pub run: RunId,
    /// Whether the folder came from elsewhere, so that its contents do not count here.
    pub elsewhere: bool,
    /// The source of the run, formatted for people.
    pub source: String,
    /// The task, as a person wrote it.
    pub task: Option<String>,
    /// Its state on one line.
    pub at: String,
    pub life: RunStatus,
    pub started: Time,
    pub ended: Option<Time>,
    /// When the report is made.
    pub now: Time,
    /// The current files that its receipts apply to, if known.
    pub tree: Option<Hash>,
    /// The events since it began, oldest first: its own, and those of no run.
    pub facts: Vec<Fact>,
    /// Its receipts that the journal names, oldest first.
    pub slips: Vec<Slip>,
    /// The receipts that the judge counts for the current files; `None` if the run is over.
    pub counted: Option<Vec<Receipt>>,
    /// Receipts that do not count.
    pub doubts: Vec<Doubt>,
    /// The gates of the current unit: one without a receipt is not proven.
    pub asked: Vec<String>,
    /// The counted findings of reviews, if there were any.
    pub findings: Option<Findings>,
    /// The holds that wait for a person.
    pub waits: Vec<Wait>,
    /// Its hold; the first of several.
    pub held: Option<Hold>,
    /// The hosts that it waits for.
    pub limits: Vec<Limited>,
    /// The branch into which its work is merged; `None` if it works in the project's own folder.
    pub branch: Option<WorkBranch>,
    /// The changed files.
    pub files: Option<Files>,
    /// Files that its gates run and that changed since it began.
    pub rewritten: Vec<String>,
    /// Changes by agents of inputs that judge them, without a person's consent.
    pub doubted: Vec<ReportedChange>,
    /// Every changed input of its passes, by any author.
    pub inputs: Vec<ReportedChange>,
    /// Its gates that run more than sprag can compare.
    pub unfollowed: Vec<String>,
    /// Gates of the project's guard that do not judge it.
    pub unguarded: Vec<String>,
    /// Text missing from the files: a person's edits, or the work.
    pub missing: Missing,
}

/// An event with its time and cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    pub at: Time,
    /// The actor that caused it.
    pub actor: String,
    /// Whether it belongs to this run; otherwise it belongs to none.
    pub own: bool,
    pub event: Event,
}

/// A receipt with further details for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slip {
    pub id: ReceiptId,
    /// The phase or unit it was left for.
    pub phase: Option<String>,
    /// How the gate is decided.
    pub kind: CheckKind,
    /// The command as it would be typed, if the gate is a command.
    pub command: Option<String>,
    /// The actor that decided.
    pub by: String,
    /// The duration in milliseconds.
    pub ms: u64,
    pub receipt: Receipt,
}

impl Slip {
    /// Returns when its evaluation began.
    pub fn began(&self) -> Time {
        let ms = i64::try_from(self.ms).unwrap_or(i64::MAX);
        self.receipt.at.plus_millis(ms.saturating_neg())
    }
}

/// A receipt that does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    pub id: String,
    pub wrong: Wrong,
}

/// What is wrong with a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// Its content differs from the hash in the journal.
    Forged,
    /// The journal does not know it.
    Stray,
    /// The journal knows it, but it is missing.
    Gone,
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

/// A hold that waits for a person, as numbered in status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    pub number: usize,
    /// The held unit; `None` if the whole run is held.
    pub unit: Option<String>,
    pub why: String,
    /// The command with which a person resumes it.
    pub command: String,
}

/// A host that accepts no work for now, so a run waits for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limited {
    pub host: String,
    /// When it accepts work again.
    pub until: Time,
    /// The host's message.
    pub why: String,
}

impl std::fmt::Display for Limited {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let until: String = self.until.to_string().chars().take(16).collect();
        write!(out, "`{}` takes no work until {} UTC", self.host, until.replace('T', " "))
    }
}

/// The counted findings of reviews.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// The number of rounds.
    pub rounds: u32,
    /// The total number of findings.
    pub found: usize,
    /// Findings that were not found again.
    pub fixed: usize,
    /// Findings that the developer refused with a reason.
    pub refused: usize,
    /// Findings that are left.
    pub open: usize,
}

impl From<&Ledger> for Findings {
    fn from(ledger: &Ledger) -> Self {
        let mut findings = Self { rounds: ledger.round(), ..Self::default() };
        for entry in ledger.entries() {
            findings.found += 1;
            match entry.status {
                FindingStatus::Open => findings.open += 1,
                FindingStatus::Fixed => findings.fixed += 1,
                FindingStatus::Refused { .. } => findings.refused += 1,
            }
        }
        findings
    }
}
