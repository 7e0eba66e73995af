//! The read model behind `sprag report`: the proven, claimed and waived parts of a run, its holds,
//! its cost, and its timeline.
//!
//! Everything is derived from the journal and the receipts ([`Material`]); nothing is stored or
//! decided here. A claim never counts as a proof.

mod axis;
mod began;
mod branch;
mod cost;
mod ending;
mod evidence;
mod files;
mod gates;
mod material;
mod outcome;
mod reviewed;
mod story;
#[cfg(test)]
mod tests;
mod timeline;
mod unproven;

pub use axis::{Axis, Fold, WIDTH};
pub use began::{is_untouched, missing};
pub use branch::{BranchState, WorkBranch};
pub use cost::{Cost, money};
pub use evidence::{Evidence, GateEvidence, JudgedFiles, UnitEvidence};
pub use files::{ChangedFile, Files, short};
pub use gates::{GateLine, ReceiptWorth};
pub use material::{Doubt, Fact, Findings, Limited, Material, Slip, Wait, Wrong};
pub use reviewed::Reviewed;
pub use story::{AssumedAnswer, Claim, ClaimSource, RunStory, Waiver};
pub use timeline::{Bar, How, Lane, Stretch, Timeline, UnitRow, VerdictMark};
pub use unproven::{Unproven, UnprovenReason};

use crate::{RunId, Time};

/// The report of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub run: RunId,
    /// The source of the run: `workflow:feature`, `guard`.
    pub source: String,
    /// The request, as a person wrote it.
    pub task: Option<String>,
    /// Its state on one line.
    pub at: String,
    pub started: Time,
    pub ended: Option<Time>,
    /// When the report was made.
    pub now: Time,
    /// How it ended, with the evidence.
    pub evidence: Evidence,
    /// Its decisions, skipped units and retries.
    pub story: RunStory,
    pub cost: Cost,
    /// The counted findings of reviews.
    pub findings: Option<Findings>,
    /// The holds that wait for a person.
    pub waits: Vec<Wait>,
    /// The hosts that it waits for.
    pub limits: Vec<Limited>,
    /// The branch into which its work is merged; `None` if it works in the project's own folder.
    pub branch: Option<WorkBranch>,
    /// The files that changed since it began.
    pub files: Option<Files>,
    pub timeline: Timeline,
}

impl Report {
    pub fn of(material: Material) -> Self {
        let timeline = Timeline::of(&material);
        let mut story = RunStory::of(&material);
        let evidence = Evidence::of(&material, &mut story);
        let cost = Cost::of(&material.facts);
        let Material { run, source, task, at, started, ended, now, .. } = material;
        let Material { findings, waits, limits, branch, files, .. } = material;
        Self {
            run,
            source,
            task,
            at,
            started,
            ended,
            now,
            evidence,
            story,
            cost,
            findings,
            waits,
            limits,
            branch,
            files,
            timeline,
        }
    }

    /// Returns its duration in milliseconds, until now if it is open.
    pub fn took(&self) -> i64 {
        self.ended.unwrap_or(self.now).since(self.started).max(0)
    }

    /// Returns the branch whose files are judged; `None` if the project's own are.
    pub fn apart(&self) -> Option<&WorkBranch> {
        self.branch.as_ref().filter(|branch| branch.at != BranchState::Here)
    }

    /// Returns the command that shows the changes in tracked files, if possible.
    pub fn command(&self) -> Option<String> {
        self.files.as_ref().map(|files| files.command(self.branch.as_ref()))
    }

    /// Returns the command that shows all changes.
    pub fn whole_command(&self) -> Option<String> {
        let new = self.files.as_ref().filter(|files| files.untracked() > 0);
        new.map(Files::whole).or_else(|| self.command())
    }
}
