//! The evidence for the verdict on a run, computed once. Status, `why`, report, summary, exit code and
//! notification are made from it, so they cannot disagree.

use std::collections::{BTreeMap, BTreeSet};

use super::gates::{self, GateLine, Standing};
use super::story::Story;
use super::{Claim, Doubt, Gap, Material, Reviewed, Slip, Source, Unproven, Waiver};
use super::{began, is_untouched, outcome, unproven};
use crate::basis::ReportedChange;
use crate::event::EndedBy;
use crate::plan::VERIFY;
use crate::{Event, Hash, Outcome, Receipt, UnitId, Verdict};

/// The files that a run is judged by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JudgedFiles {
    /// The files as they are now, where they can be listed.
    pub now: Option<Hash>,
    /// The files of a worktree on which the run was judged last, where they are not these.
    pub apart: Option<Hash>,
}

impl JudgedFiles {
    /// Returns whether a receipt about the files of `tree` is about these.
    fn are(self, tree: Hash) -> bool {
        [self.now, self.apart].contains(&Some(tree))
    }
}

/// What is known of a run's gates at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GateEvidence {
    /// The files that the receipts are weighed on.
    pub files: JudgedFiles,
    /// Every receipt, oldest first.
    pub receipts: Vec<Slip>,
    /// What the judge counts on these files, oldest first. A pass that a change of protected files
    /// took away is unknown here. Nothing where the judge is not asked any more: the run is over.
    counted: Option<Vec<Receipt>>,
    /// Every gate with its last receipt, in the order of their first ones.
    pub lines: Vec<GateLine>,
}

impl GateEvidence {
    /// Weighs receipts on these files. `asked` are the gates of the unit at hand, and
    /// `is_begun_again` tells whether an agent worked on a gate's unit after its last receipt.
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

    /// Takes back what the judge does not count: a pass after a change of protected files, and a
    /// person's agreement to other files.
    fn follow_the_judge(&mut self, asked: &[String]) {
        let newest: BTreeSet<_> = self.newest().into_iter().map(GateLine::name).collect();
        let Some(counted) = &self.counted else { return };
        for line in self.lines.iter_mut().filter(|line| newest.contains(&line.name())) {
            let last = counted.iter().rfind(|one| one.gate.as_str() == line.gate);
            let is_unknown = last.is_some_and(|one| one.verdict == Verdict::Unknown);
            if line.standing == Standing::Holds && is_unknown {
                line.standing = Standing::Uncounted;
            }
            if line.standing == Standing::Agreed && last.is_none() && asked.contains(&line.gate) {
                line.standing = Standing::Stale;
            }
        }
    }

    /// Returns of each gate the line with its newest receipt, by name.
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

    /// Returns the gates that passed on other files than there are now, and on these not yet.
    pub fn stale(&self) -> Vec<String> {
        let newest = self.newest().into_iter();
        let stale = newest.filter(|line| line.standing == Standing::Stale);
        stale.map(|line| line.gate.clone()).collect()
    }

    /// Returns the gates that stand like this.
    pub fn standing(&self, standing: Standing) -> impl Iterator<Item = &GateLine> {
        self.lines.iter().filter(move |line| line.standing == standing)
    }

    /// Returns the newest receipt of a gate, whatever it is worth.
    pub fn last(&self, gate: &str) -> Option<&Slip> {
        self.receipts.iter().rfind(|slip| slip.receipt.gate.as_str() == gate)
    }

    /// Returns what counts of a gate on the files as they are now; nothing where it must be
    /// evaluated.
    pub fn now(&self, gate: &str) -> Option<&Receipt> {
        self.counted.iter().flatten().rfind(|one| one.gate.as_str() == gate)
    }

    /// Returns whether a receipt is about other files than those that are judged.
    pub fn is_stale(&self, slip: &Slip) -> bool {
        !self.files.are(slip.receipt.tree)
    }
}

/// The evidence for the verdict on a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// How the run ended; nothing while it is open.
    pub outcome: Option<Outcome>,
    /// Its gates, and what they are worth now.
    pub gates: GateEvidence,
    /// Receipts that count for nothing.
    pub doubts: Vec<Doubt>,
    /// What agents changed of what judges them, and no person agreed to.
    pub doubted: Vec<ReportedChange>,
    /// The other changes of what its passes rest on: they count, and are named.
    pub named: Vec<ReportedChange>,
    /// What changed, or did not, such that passes do not prove the work.
    pub weak: Vec<Unproven>,
    /// What was said and not proven, and what was known to fail, oldest first.
    pub claims: Vec<Claim>,
    /// What persons let through.
    pub waivers: Vec<Waiver>,
    /// Gates that failed and passed on the same files.
    pub flaky: Vec<String>,
    /// What each review came to.
    pub reviews: Vec<Reviewed>,
    /// How many attempts ended by more than a failure.
    pub passed: usize,
    /// What is not proven, the worst first.
    unproven: Vec<Unproven>,
}

impl Evidence {
    /// Weighs what is known of a run.
    pub(super) fn of(material: &Material, story: &mut Story) -> Self {
        let begun_again = |line: &GateLine| gates::is_begun_again(&material.facts, line);
        let (receipts, counted) = (material.slips.clone(), material.counted.clone());
        let files = JudgedFiles { now: material.tree, apart: None };
        let gates = GateEvidence::of(receipts, counted, files, &material.asked, begun_again);
        let elsewhere = material.elsewhere.then_some(Unproven::bare(Gap::Elsewhere)).into_iter();
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
        // A guard has no units: its gates say all of it.
        evidence.unproven = unproven::of(&evidence, material.source != "guard");
        if evidence.is_done() {
            evidence.outcome = Some(evidence.done());
        }
        evidence
    }

    /// Returns the outcome of the run once nothing is left to do.
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
        self.weak.iter().any(|one| one.what == Gap::Elsewhere)
    }

    /// Returns whether nothing is left to do, proven or not.
    pub fn is_done(&self) -> bool {
        self.outcome.is_some_and(Outcome::is_done)
    }

    /// Returns whether all of it is proven.
    pub fn is_proven(&self) -> bool {
        self.unproven.is_empty()
    }

    /// Returns what is not proven, the worst first; empty when everything is.
    pub fn unproven(&self) -> &[Unproven] {
        &self.unproven
    }

    /// Returns the units of the claims that came like this, one for each claim.
    pub fn units(&self, source: Source) -> impl Iterator<Item = &str> {
        let claims = self.claims.iter().filter(move |claim| claim.source == source);
        claims.filter_map(|claim| claim.unit.as_deref())
    }

    /// Returns the units, or parts of units, that only an agent vouches for, each once.
    pub fn claimed(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for claim in &self.claims {
            let unit = claim.unit.as_deref().unwrap_or_default();
            let said = match claim.source {
                Source::Ungated => unit.to_owned(),
                Source::Judged => format!("{unit}: {}", claim.text),
                // These are counted by the end of their unit, where nothing else speaks for it.
                Source::Said | Source::Known => continue,
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
    /// What of it is not proven, where gates judged only a part.
    pub claims: Vec<String>,
    /// How many gates speak for it.
    pub gates: usize,
    /// What keeps their passes from proving the work.
    pub weak: Vec<Unproven>,
}

impl UnitEvidence {
    /// Reads the evidence for the end of a unit from the events that the kernel emitted. `decided` are the
    /// receipts that are no person's words, and `start` the files that the run began with: a pass
    /// on them does not prove the work.
    pub fn of(
        events: &[Event],
        unit: &UnitId,
        receipts: &[Receipt],
        mut decided: impl Iterator<Item = Receipt>,
        start: Option<Hash>,
    ) -> Self {
        let mut evidence = Self::counted(events, unit, receipts);
        // What failed on them before did not pass.
        let untouched = evidence.weak.is_empty() && decided.any(|one| is_untouched(&one, start));
        evidence.weak.extend(untouched.then(|| Unproven::bare(Gap::Untouched)));
        evidence
    }

    /// Reads the same where it does not matter with which files the run began.
    pub fn counted(events: &[Event], unit: &UnitId, receipts: &[Receipt]) -> Self {
        let Some(end) = events.iter().find_map(Event::ending) else { return Self::default() };
        let gates = match end.how {
            EndedBy::Passed | EndedBy::Waived => speak(unit, receipts),
            EndedBy::Claimed | EndedBy::Failed | EndedBy::SentBack | EndedBy::Gone => 0,
        };
        let is_flaky = events.iter().any(|event| matches!(event, Event::GateFlaky(_)));
        let flaky = is_flaky.then(|| Unproven::bare(Gap::Flaky));
        let doubted = Unproven::new(Gap::Doubted, end.doubted.clone());
        let weak = flaky.into_iter().chain(doubted).collect();
        Self { proven: end.is_proven(), gates, claims: end.unproven(), weak }
    }

    /// Adds the parts that only the agent vouches for, beside those that gates proved.
    pub fn but(&mut self, word: Vec<String>) {
        self.proven &= word.is_empty();
        self.claims.extend(word);
    }

    /// Returns whether nothing keeps the unit from being proven.
    pub const fn is_proven(&self) -> bool {
        self.proven && self.weak.is_empty()
    }
}

/// Returns how many gates speak for a unit, each once; to verify a plan is to look at those of its
/// tasks again, so they are counted there.
fn speak(unit: &UnitId, receipts: &[Receipt]) -> usize {
    if *unit == VERIFY {
        return 0;
    }
    let passed = receipts.iter().filter(|receipt| receipt.verdict == Verdict::Pass);
    passed.map(|receipt| receipt.gate.as_str()).collect::<BTreeSet<_>>().len()
}

/// Returns the changes of what a run rests on that nobody doubts.
fn undoubted(material: &Material) -> Vec<ReportedChange> {
    let is_doubted = |one: &&ReportedChange| material.doubted.iter().any(|d| d.path == one.path);
    material.inputs.iter().filter(|one| !is_doubted(one)).cloned().collect()
}
