//! The claims, waivers, automatic decisions, skips and retries of a run.

use std::collections::{BTreeMap, BTreeSet};

use super::{Fact, Material, Reviewed, Slip};
use crate::event::{AttemptEnded, EndedBy, RuleAnswer};
use crate::{CheckKind, Event, Time, Verdict};

/// The journal's record of a run besides its gates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunStory {
    /// Unproven claims, oldest first.
    pub(super) claims: Vec<Claim>,
    /// The gates that persons waived.
    pub(super) waivers: Vec<Waiver>,
    /// Decisions made instead of a person.
    pub decisions: Vec<AssumedAnswer>,
    /// Units that rules skipped, with the rule.
    pub skipped: Vec<(String, String)>,
    /// Undeclared changes and left-over processes of agents, by unit.
    pub strays: Vec<(String, String)>,
    /// Restored changes of agents in documents of other systems, each once.
    pub put_back: Vec<String>,
    /// Conflicting files that agents merged with the work of others, by unit.
    pub conflicts: Vec<(String, String)>,
    /// The result of each review.
    pub(super) reviews: Vec<Reviewed>,
    /// Gates that both failed and passed on the same files.
    pub(super) flaky: Vec<String>,
    /// The number of refused stops.
    pub refused: usize,
    /// The number of attempts that ended successfully.
    pub(super) passed: usize,
    /// The number of begins after a failure of the same unit.
    pub retries: usize,
    /// The number of lost attempts.
    pub lost: usize,
    /// How often a host accepted no more work for a time.
    pub limited: usize,
}

/// An unproven claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The unit it is about.
    pub unit: Option<String>,
    /// When it was made.
    pub at: Time,
    /// How it came about.
    pub source: ClaimSource,
    /// The text; empty if it was only that the unit is done.
    pub text: String,
}

/// How a claim came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimSource {
    /// An agent's last message.
    Said,
    /// A unit without gates ended on its agent's word.
    Ungated,
    /// A gate failed in the same way before the work began, so its failure was tolerated.
    Known,
    /// A check or goal without a gate: only the agent reports that it holds.
    Judged,
}

/// A gate that a person waived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiver {
    /// The gate, prefixed with the phase.
    pub gate: String,
    pub by: String,
    pub why: String,
    pub at: Time,
}

/// A question that was answered without a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssumedAnswer {
    pub question: String,
    /// The assumed answer.
    pub answer: String,
    pub at: Time,
}

/// Returns the commands that both failed and passed on the same files.
pub(super) fn flaky(slips: &[Slip]) -> Vec<String> {
    let said = |verdict: Verdict| {
        let said = slips
            .iter()
            .filter(|slip| slip.kind == CheckKind::Run && slip.receipt.verdict == verdict);
        let of = |slip: &Slip| (slip.receipt.gate.to_string(), slip.receipt.tree);
        said.map(of).collect::<BTreeSet<_>>()
    };
    let both = &said(Verdict::Pass) & &said(Verdict::Fail);
    both.into_iter().map(|(gate, _)| gate).collect::<BTreeSet<_>>().into_iter().collect()
}

impl RunStory {
    /// Collects the story of a run.
    pub(super) fn of(material: &Material) -> Self {
        let mut story = Self { waivers: waivers(&material.slips), ..Self::default() };
        let sessions = sessions(&material.facts);
        let (mut failed, mut said) = (BTreeSet::new(), BTreeMap::new());
        let mut workers = Vec::new();
        for fact in &material.facts {
            if !fact.own {
                if let Event::StopRefused(refused) = &fact.event {
                    story.refused += usize::from(sessions.contains(refused.session.as_str()));
                }
                continue;
            }
            if let Event::AgentEnded(ended) = &fact.event {
                let (at, source, text) = (fact.at, ClaimSource::Said, ended.said.trim().to_owned());
                // The last message of a unit replaces the earlier ones.
                if !text.is_empty() {
                    let claim = Claim { unit: ended.unit.clone(), at, source, text };
                    said.insert(ended.unit.as_deref(), claim);
                }
            } else if let Event::AgentStarted(started) = &fact.event {
                workers.push((started.unit.as_str(), started.host.as_str()));
            } else if let Event::ReviewEnded(ended) = &fact.event {
                // The findings of a review are listed with the reviews.
                if !ended.is_pass() {
                    said.retain(|unit, _| !unit.is_some_and(|unit| ended.is_unit(unit)));
                }
                let by_writer = ended.is_by_writer(&workers);
                story.reviewed(Reviewed { ended: ended.clone(), by_writer });
            } else if let Event::AttemptEnded(end) = &fact.event {
                // A proven result is not repeated as a claim.
                if end.how == EndedBy::Passed {
                    said.remove(&Some(end.unit.as_str()));
                }
                story.ended(end, fact.at, &mut failed);
            } else {
                story.note(&fact.event, fact.at, &mut failed);
            }
        }
        story.claims.extend(said.into_values());
        story.claims.sort_by_key(|claim| claim.at);
        story.flaky.extend(flaky(&material.slips));
        let mut known = BTreeSet::new();
        story.flaky.retain(|gate| known.insert(gate.clone()));
        story
    }

    /// Records events that need no context.
    fn note(&mut self, event: &Event, at: Time, failed: &mut BTreeSet<&str>) {
        if let Event::AttemptBegan(began) = event {
            self.retries += usize::from(failed.remove(began.unit.as_str()));
        } else if let Event::AttemptLost(_) = event {
            self.lost += 1;
        } else if let Event::GateFlaky(flaky) = event {
            self.flaky.push(flaky.gate.clone());
        } else if let Event::StopRefused(_) = event {
            self.refused += 1;
        } else if let Event::HostLimited(_) = event {
            self.limited += 1;
        } else if let Event::QuestionDefaulted(asked) = event {
            let (question, answer) = (asked.question.clone(), asked.answer.clone());
            self.decisions.push(AssumedAnswer { question, answer, at });
        } else if let Event::RuleDecided(decided) = event
            && decided.what == RuleAnswer::Skip
        {
            self.skipped.push((decided.unit.clone(), decided.rule.clone()));
        } else if let Event::WorkStrayed(strayed) = event {
            each_once(&mut self.strays, &strayed.unit, &strayed.what);
        } else if let Event::FieldsPutBack(back) = event {
            let line = back.to_string();
            if !self.put_back.contains(&line) {
                self.put_back.push(line);
            }
        } else if let Event::WorkConflicted(conflicted) = event {
            each_once(&mut self.conflicts, &conflicted.unit, &conflicted.what);
        }
    }
}

impl RunStory {
    /// Records the claims at the end of an attempt.
    fn ended<'e>(&mut self, end: &'e AttemptEnded, at: Time, failed: &mut BTreeSet<&'e str>) {
        match end.how {
            EndedBy::Failed => drop(failed.insert(&end.unit)),
            EndedBy::Passed | EndedBy::Waived | EndedBy::Claimed => self.passed += 1,
            EndedBy::SentBack | EndedBy::Gone => {}
        }
        let unit = Some(end.unit.clone());
        // The current claims of a unit replace its earlier ones.
        self.claims.retain(|claim| claim.source != ClaimSource::Judged || claim.unit != unit);
        let claim = |source, text| Claim { unit: unit.clone(), at, source, text };
        if end.how == EndedBy::Claimed && end.claims.is_empty() {
            self.claims.push(claim(ClaimSource::Ungated, String::new()));
        }
        self.claims.extend(end.known.iter().cloned().map(|gate| claim(ClaimSource::Known, gate)));
        self.claims.extend(end.claims.iter().cloned().map(|text| claim(ClaimSource::Judged, text)));
    }
}

impl RunStory {
    /// Records a review. Its attempt ends with the agent's word, which counts as a claim only if
    /// the review passed.
    fn reviewed(&mut self, reviewed: Reviewed) {
        let is_its = |claim: &mut Claim| {
            let unit = claim.unit.as_ref();
            claim.source == ClaimSource::Ungated
                && unit.is_some_and(|unit| reviewed.ended.is_unit(unit))
        };
        if !reviewed.ended.is_pass() {
            self.claims.pop_if(is_its);
        }
        self.reviews.push(reviewed);
    }
}

/// Adds entries of a unit without duplicates: every attempt may leave the same ones.
fn each_once(all: &mut Vec<(String, String)>, unit: &str, what: &[String]) {
    for one in what {
        let new = (unit.to_owned(), one.clone());
        if !all.contains(&new) {
            all.push(new);
        }
    }
}

/// Returns the sessions that worked on the run: a refused stop names only its session.
fn sessions(facts: &[Fact]) -> BTreeSet<&str> {
    let own = facts.iter().filter(|fact| fact.own);
    own.filter_map(|fact| fact.event.session()).collect()
}

fn waivers(slips: &[Slip]) -> Vec<Waiver> {
    let is_one = |slip: &&Slip| slip.receipt.verdict == Verdict::Waived;
    let waiver = |slip: &Slip| Waiver {
        gate: match &slip.phase {
            Some(phase) => format!("{phase}/{}", slip.receipt.gate),
            None => slip.receipt.gate.to_string(),
        },
        by: slip.by.clone(),
        why: slip.receipt.why.clone(),
        at: slip.receipt.at,
    };
    slips.iter().filter(is_one).map(waiver).collect()
}
