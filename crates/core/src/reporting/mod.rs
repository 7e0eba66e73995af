//! The read model behind `sprag report`: what of a run is proven, what is only said, what a person
//! let through, what waits, what it cost, and how the time went.
//!
//! Everything is derived from what the journal and the receipts say ([`Material`]); nothing is
//! stored, and nothing is decided here. A claim never counts as a proof.

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
pub use branch::{At, Branch};
pub use cost::{Cost, money};
pub use evidence::{Evidence, GateEvidence, JudgedFiles, UnitEvidence};
pub use files::{Change, Files, short};
pub use gates::{GateLine, Standing};
pub use material::{Doubt, Fact, Findings, Limited, Material, Slip, Wait, Wrong};
pub use reviewed::Reviewed;
pub use story::{Claim, Decision, Source, Story, Waiver};
pub use timeline::{Bar, How, Lane, Mark, Row, Stretch, Timeline};
pub use unproven::{Gap, Unproven};

use crate::{RunId, Time};

/// What there is to say of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The run.
    pub run: RunId,
    /// What it is a run of: `workflow:feature`, `guard`.
    pub source: String,
    /// What was asked, as a person wrote it.
    pub task: Option<String>,
    /// Where it stands, in one line.
    pub at: String,
    /// When it began.
    pub started: Time,
    /// When it ended.
    pub ended: Option<Time>,
    /// When this was looked at.
    pub now: Time,
    /// How it ended, and the evidence for that.
    pub evidence: Evidence,
    /// What was decided and skipped, and how often it had to be tried again.
    pub story: Story,
    /// What it cost.
    pub cost: Cost,
    /// What reviews found.
    pub findings: Option<Findings>,
    /// What waits for a person in it.
    pub waits: Vec<Wait>,
    /// The hosts that it waits for.
    pub limits: Vec<Limited>,
    /// The branch in which its work was brought together; none where it was done in the project.
    pub branch: Option<Branch>,
    /// Which files changed since it began.
    pub files: Option<Files>,
    /// How the time went.
    pub timeline: Timeline,
}

impl Report {
    /// Makes the report of a run.
    pub fn of(material: Material) -> Self {
        let timeline = Timeline::of(&material);
        let mut story = Story::of(&material);
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

    /// Returns how long it has gone on, in milliseconds.
    pub fn took(&self) -> i64 {
        self.ended.unwrap_or(self.now).since(self.started).max(0)
    }

    /// Returns the branch whose files are judged; nothing where the project's own are.
    pub fn apart(&self) -> Option<&Branch> {
        self.branch.as_ref().filter(|branch| branch.at != At::Here)
    }

    /// Returns the command that shows what changed in the files that git knows, where it can.
    pub fn command(&self) -> Option<String> {
        self.files.as_ref().map(|files| files.command(self.branch.as_ref()))
    }

    /// Returns the command that shows all that changed.
    pub fn whole_command(&self) -> Option<String> {
        let new = self.files.as_ref().filter(|files| files.untracked() > 0);
        new.map(Files::whole).or_else(|| self.command())
    }
}
