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
pub use began::{UNTOUCHED, is_untouched, taken};
pub use branch::{At, Branch};
pub use cost::{Cost, money};
pub use files::{Change, Files, short};
pub use gates::{GateLine, Standing};
pub use material::{Doubt, Fact, Findings, Limited, Material, Slip, Wait, Wrong};
pub use reviewed::Reviewed;
pub use story::{Claim, Decision, Source, Story, Waiver};
pub use timeline::{Bar, How, Lane, Mark, Row, Stretch, Timeline};
pub use unproven::{FLAKY, Unproven};

use crate::{Hash, Outcome, RunId, Time};

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
    /// The files that its receipts are about, as they are now, where they can be told.
    pub tree: Option<Hash>,
    /// How it ended; nothing while it is open.
    pub outcome: Option<Outcome>,
    /// Every gate with its last receipt, in the order of their first ones.
    pub gates: Vec<GateLine>,
    /// Every receipt that counts, oldest first.
    pub receipts: Vec<Slip>,
    /// Receipts that count for nothing.
    pub doubts: Vec<Doubt>,
    /// What was said, waived, decided and skipped, and how often it had to be tried again.
    pub story: Story,
    /// What it cost.
    pub cost: Cost,
    /// What reviews found.
    pub findings: Option<Findings>,
    /// What keeps passes from proving its work.
    pub weak: Vec<Unproven>,
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
        let gates = gates::standing(&material);
        let weak = began::of(&material, &gates);
        let timeline = Timeline::of(&material);
        let story = Story::of(&material);
        let cost = Cost::of(&material.facts);
        let outcome = outcome::reached(&material, &gates);
        let Material { run, source, task, at, started, ended, now, tree, .. } = material;
        let Material { slips: receipts, doubts, findings, waits, limits, branch, files, .. } =
            material;
        let mut report = Self {
            run,
            source,
            task,
            at,
            started,
            ended,
            now,
            tree,
            outcome,
            gates,
            receipts,
            doubts,
            story,
            cost,
            findings,
            weak,
            waits,
            limits,
            branch,
            files,
            timeline,
        };
        if report.is_done() && report.unproven().is_empty() {
            report.outcome = Some(Outcome::Proven);
        }
        report
    }

    /// Returns whether nothing is left to do, proven or not.
    pub fn is_done(&self) -> bool {
        self.outcome.is_some_and(Outcome::is_done)
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

    /// Returns the gates that stand like this.
    pub fn standing(&self, standing: Standing) -> impl Iterator<Item = &GateLine> {
        self.gates.iter().filter(move |gate| gate.standing == standing)
    }

    /// Says what is not proven, a few words each; empty when everything is.
    pub fn unproven(&self) -> Vec<Unproven> {
        unproven::of(self)
    }
}
