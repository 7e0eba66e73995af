//! The evidence for the verdict on a run, computed once. Status, `why`, report, summary, exit code and
//! notification are made from it, so they cannot disagree.

use std::collections::{BTreeMap, BTreeSet};

use super::gates::{self, GateLine, ReceiptWorth};
use super::story::RunStory;
use super::{
    Claim, ClaimSource, Doubt, Material, Reviewed, Slip, Unproven, UnprovenReason, Waiver,
};
use super::{began, is_untouched, outcome, unproven};
use crate::basis::ReportedChange;
use crate::event::EndedBy;
use crate::plan::VERIFY;
use crate::{Event, Hash, Outcome, Receipt, UnitId, Verdict};

/// The files that a run is judged by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JudgedFiles {
    /// The current files, if they can be listed.
    pub now: Option<Hash>,
    /// The files of the worktree in which the run was last judged, if they differ.
    pub apart: Option<Hash>,
}

impl JudgedFiles {
    /// Returns whether a receipt for `tree` applies to these files.
    fn are(self, tree: Hash) -> bool {
        [self.now, self.apart].contains(&Some(tree))
    }
}

/// The evidence of a run's gates at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GateEvidence {
    /// The files for which the receipts are weighed.
    pub files: JudgedFiles,
    /// Every receipt, oldest first.
    pub receipts: Vec<Slip>,
    /// The receipts that the judge counts for these files, oldest first. A pass invalidated by a
    /// change of protected files is unknown here. `None` if the run is over and the judge is no
    /// longer asked.
    counted: Option<Vec<Receipt>>,
    /// Every gate with its last receipt, in the order of first evaluation.
    pub lines: Vec<GateLine>,
}

impl GateEvidence {
    /// Weighs receipts for these files. `asked` are the gates of the current unit, and
    /// `is_begun_again` returns whether an agent worked on a gate's unit after its last receipt.
    pub fn of(
        receipts: Vec<Slip>,
        counted: Option<Vec<Receipt>>,
        files: JudgedFiles,
        asked: &[String],
        is_begun_again: impl Fn(&GateLine) -> bool,
    ) -> Self {
        let is_now = |tree| files.are(tree);
        let lines = gates::lines(&receipts, is_now, asked, is_begun_again);
        let mut all = Self { files, receipts, counted, lines };
        all.follow_the_judge(asked);
        all
    }

    /// Withdraws results that the judge does not count: a pass after a change of protected files,
    /// and a person's agreement to other files.
    fn follow_the_judge(&mut self, asked: &[String]) {
        let newest: BTreeSet<_> = self.newest().into_iter().map(GateLine::name).collect();
        let Some(counted) = &self.counted else { return };
        for line in self.lines.iter_mut().filter(|line| newest.contains(&line.name())) {
            let last = counted.iter().rfind(|one| one.gate.as_str() == line.gate);
            let is_unknown = last.is_some_and(|one| one.verdict == Verdict::Unknown);
            if line.standing == ReceiptWorth::Holds && is_unknown {
                line.standing = ReceiptWorth::Uncounted;
            }
            if line.standing == ReceiptWorth::Agreed && last.is_none() && asked.contains(&line.gate)
            {
                line.standing = ReceiptWorth::Stale;
            }
        }
    }

    /// Returns for each gate the line with its newest receipt, sorted by name.
    fn newest(&self) -> Vec<&GateLine> {
        let mut newest: BTreeMap<&str, (&GateLine, &Slip)> = BTreeMap::new();
        for (line, last) in self.lines.iter().filter_map(|line| Some((line, line.last.as_ref()?))) {
            let known = newest.entry(&line.gate).or_insert((line, last));
            if last.receipt.at >= known.1.receipt.at {
                *known = (line, last);
            }
        }
        newest.into_values().map(|(line, _)| line).collect()
    }

    /// Returns the gates that passed on other files and not yet on the current ones.
    pub fn stale(&self) -> Vec<String> {
        let newest = self.newest().into_iter();
        let stale = newest.filter(|line| line.standing == ReceiptWorth::Stale);
        stale.map(|line| line.gate.clone()).collect()
    }

    /// Returns the gates with this standing.
    pub fn standing(&self, standing: ReceiptWorth) -> impl Iterator<Item = &GateLine> {
        self.lines.iter().filter(move |line| line.standing == standing)
    }

    /// Returns the newest receipt of a gate, whatever its worth.
    pub fn last(&self, gate: &str) -> Option<&Slip> {
        self.receipts.iter().rfind(|slip| slip.receipt.gate.as_str() == gate)
    }

    /// Returns the receipt of a gate that counts for the current files; `None` if it must be
    /// evaluated.
    pub fn now(&self, gate: &str) -> Option<&Receipt> {
        self.counted.iter().flatten().rfind(|one| one.gate.as_str() == gate)
    }

    /// Returns whether a receipt applies to files other than the judged ones.
    pub fn is_stale(&self, slip: &Slip) -> bool {
        !self.files.are(slip.receipt.tree)
    }
}

/// The evidence for the verdict on a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// How the run ended; `None` while it is open.
    pub outcome: Option<Outcome>,
    /// Its gates and their current worth.
    pub gates: GateEvidence,
    /// Receipts that do not count.
    pub doubts: Vec<Doubt>,
    /// Changes by agents of inputs that judge them, without a person's consent.
    pub doubted: Vec<ReportedChange>,
    /// The other changed inputs of its passes: they count and are named.
    pub named: Vec<ReportedChange>,
    /// Why passes do not prove the work: missing or improper changes.
    pub weak: Vec<Unproven>,
    /// Unproven claims and known failures, oldest first.
    pub claims: Vec<Claim>,
    /// The gates that persons waived.
    pub waivers: Vec<Waiver>,
    /// Gates that both failed and passed on the same files.
    pub flaky: Vec<String>,
    /// The result of each review.
    pub reviews: Vec<Reviewed>,
    /// The number of attempts that ended successfully.
    pub passed: usize,
    /// The unproven parts, worst first.
    unproven: Vec<Unproven>,
}

impl Evidence {
    /// Weighs the material of a run.
    pub(super) fn of(material: &Material, story: &mut RunStory) -> Self {
        let begun_again = |line: &GateLine| gates::is_begun_again(&material.facts, line);
        let (receipts, counted) = (material.slips.clone(), material.counted.clone());
        let files = JudgedFiles { now: material.tree, apart: None };
        let gates = GateEvidence::of(receipts, counted, files, &material.asked, begun_again);
        let elsewhere =
            material.elsewhere.then_some(Unproven::bare(UnprovenReason::Elsewhere)).into_iter();
        let weak = elsewhere.chain(began::of(material, &gates.lines)).collect();
        let mut evidence = Self {
            outcome: outcome::reached(material, &gates.lines),
            gates,
            doubts: material.doubts.clone(),
            doubted: material.doubted.clone(),
            named: undoubted(material),
            weak,
            claims: std::mem::take(&mut story.claims),
            waivers: std::mem::take(&mut story.waivers),
            flaky: std::mem::take(&mut story.flaky),
            reviews: std::mem::take(&mut story.reviews),
            passed: story.passed,
            unproven: Vec::new(),
        };
        // A guard has no units: its gates are all of its evidence.
        evidence.unproven = unproven::of(&evidence, material.source != "guard");
        if evidence.is_done() {
            evidence.outcome = Some(evidence.done());
        }
        evidence
    }

    /// Returns the outcome of a finished run.
    pub fn done(&self) -> Outcome {
        if self.is_proven() {
            Outcome::Proven
        } else if self.unproven.iter().any(|one| one.what.needs_person()) {
            Outcome::Doubted
        } else {
            Outcome::NotProven
        }
    }

    /// Returns whether the folder came from elsewhere.
    pub fn is_elsewhere(&self) -> bool {
        self.weak.iter().any(|one| one.what == UnprovenReason::Elsewhere)
    }

    pub fn is_done(&self) -> bool {
        self.outcome.is_some_and(Outcome::is_done)
    }

    pub fn is_proven(&self) -> bool {
        self.unproven.is_empty()
    }

    /// Returns the unproven parts, worst first.
    pub fn unproven(&self) -> &[Unproven] {
        &self.unproven
    }

    /// Returns the units with claims from this source, one for each claim.
    pub fn units(&self, source: ClaimSource) -> impl Iterator<Item = &str> {
        let claims = self.claims.iter().filter(move |claim| claim.source == source);
        claims.filter_map(|claim| claim.unit.as_deref())
    }

    /// Returns the units, or parts of units, that are only an agent's claims, each once.
    pub fn claimed(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for claim in &self.claims {
            let unit = claim.unit.as_deref().unwrap_or_default();
            let said = match claim.source {
                ClaimSource::Ungated => unit.to_owned(),
                ClaimSource::Judged => format!("{unit}: {}", claim.text),
                // These count at the end of their unit, if it has no other evidence.
                ClaimSource::Said | ClaimSource::Known => continue,
            };
            if !all.contains(&said) {
                all.push(said);
            }
        }
        all
    }
}

/// The evidence for a unit that passed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitEvidence {
    /// Whether gates and persons judged all of it.
    pub proven: bool,
    /// The unproven parts, if gates judged only some.
    pub claims: Vec<String>,
    /// The number of gates that passed.
    pub gates: usize,
    /// Why their passes do not prove the work.
    pub weak: Vec<Unproven>,
}

impl UnitEvidence {
    /// Collects the evidence for the end of a unit from the kernel's events. `decided` are the
    /// receipts that are not a person's words, and `start` the files that the run began with: a
    /// pass on them does not prove the work.
    pub fn of(
        events: &[Event],
        unit: &UnitId,
        receipts: &[Receipt],
        mut decided: impl Iterator<Item = Receipt>,
        start: Option<Hash>,
    ) -> Self {
        let mut evidence = Self::counted(events, unit, receipts);
        // If a gate failed on those files, they did not pass before.
        let untouched = evidence.weak.is_empty() && decided.any(|one| is_untouched(&one, start));
        evidence.weak.extend(untouched.then(|| Unproven::bare(UnprovenReason::Untouched)));
        evidence
    }

    /// Collects the same evidence where the files at the start do not matter.
    pub fn counted(events: &[Event], unit: &UnitId, receipts: &[Receipt]) -> Self {
        let Some(end) = events.iter().find_map(Event::ending) else { return Self::default() };
        let gates = match end.how {
            EndedBy::Passed | EndedBy::Waived => speak(unit, receipts),
            EndedBy::Claimed | EndedBy::Failed | EndedBy::SentBack | EndedBy::Gone => 0,
        };
        let is_flaky = events.iter().any(|event| matches!(event, Event::GateFlaky(_)));
        let flaky = is_flaky.then(|| Unproven::bare(UnprovenReason::Flaky));
        let doubted = Unproven::new(UnprovenReason::Doubted, end.doubted.clone());
        let weak = flaky.into_iter().chain(doubted).collect();
        Self { proven: end.is_proven(), gates, claims: end.unproven(), weak }
    }

    /// Adds parts that are only the agent's claims.
    pub fn but(&mut self, word: Vec<String>) {
        self.proven &= word.is_empty();
        self.claims.extend(word);
    }

    /// Returns whether the unit is fully proven.
    pub const fn is_proven(&self) -> bool {
        self.proven && self.weak.is_empty()
    }
}

/// Returns the number of distinct gates that passed for a unit. The verification of a plan repeats
/// the gates of its tasks, so they are counted there.
fn speak(unit: &UnitId, receipts: &[Receipt]) -> usize {
    if *unit == VERIFY {
        return 0;
    }
    let passed = receipts.iter().filter(|receipt| receipt.verdict == Verdict::Pass);
    passed.map(|receipt| receipt.gate.as_str()).collect::<BTreeSet<_>>().len()
}

/// Returns the changed inputs of a run that are not in doubt.
fn undoubted(material: &Material) -> Vec<ReportedChange> {
    let is_doubted = |one: &&ReportedChange| material.doubted.iter().any(|d| d.path == one.path);
    material.inputs.iter().filter(|one| !is_doubted(one)).cloned().collect()
}
