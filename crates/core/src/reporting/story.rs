//! What was said without proof, let through, decided without a person, skipped and tried again.

use std::collections::{BTreeMap, BTreeSet};

use super::{Fact, Material, Reviewed, Slip};
use crate::event::{AttemptEnded, EndedBy, RuleAnswer};
use crate::{CheckKind, Event, Time, Verdict};

/// What the journal tells of a run beside its gates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Story {
    /// What was said and not proven, oldest first.
    pub(super) claims: Vec<Claim>,
    /// What persons let through.
    pub(super) waivers: Vec<Waiver>,
    /// What was decided in the place of a person.
    pub decisions: Vec<Decision>,
    /// Units that rules skipped, and which rule.
    pub skipped: Vec<(String, String)>,
    /// What agents changed or left behind beyond their units, by unit.
    pub strays: Vec<(String, String)>,
    /// What agents set in documents of other systems, and was put back, each once.
    pub put_back: Vec<String>,
    /// Files that agents brought together with the work of others, by unit.
    pub conflicts: Vec<(String, String)>,
    /// What each review came to.
    pub(super) reviews: Vec<Reviewed>,
    /// Gates that failed and passed on the same files.
    pub(super) flaky: Vec<String>,
    /// How often a stop was refused.
    pub refused: usize,
    /// How many attempts ended by more than a failure.
    pub(super) passed: usize,
    /// How often a unit was begun again after a failure.
    pub retries: usize,
    /// How often an attempt was lost.
    pub lost: usize,
    /// How often a host took no more work for a time.
    pub limited: usize,
}

/// Something that was said and that nothing proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The unit it is about.
    pub unit: Option<String>,
    /// When it was said.
    pub at: Time,
    /// How it came.
    pub source: Source,
    /// What was said; empty where it was only that it is done.
    pub text: String,
}

/// How a claim came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// An agent's last words.
    Said,
    /// A unit without gates ended because its agent said so.
    Ungated,
    /// A gate failed in the same way before the work began, so it was let be.
    Known,
    /// A check or a goal that no gate looks at: only the agent says that it holds.
    Judged,
}

/// A gate that a person let through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiver {
    /// The gate, with its phase.
    pub gate: String,
    /// Who.
    pub by: String,
    /// Why.
    pub why: String,
    /// When.
    pub at: Time,
}

/// A question that was answered without a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What was asked.
    pub question: String,
    /// What was taken for the answer.
    pub answer: String,
    /// When.
    pub at: Time,
}

/// Returns the commands that failed and passed on the same files, whoever ran them.
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

impl Story {
    /// Reads the story of a run.
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
                let (at, source, text) = (fact.at, Source::Said, ended.said.trim().to_owned());
                // The last word of a unit stands for those before it.
                if !text.is_empty() {
                    let claim = Claim { unit: ended.unit.clone(), at, source, text };
                    said.insert(ended.unit.as_deref(), claim);
                }
            } else if let Event::AgentStarted(started) = &fact.event {
                workers.push((started.unit.as_str(), started.host.as_str()));
            } else if let Event::ReviewEnded(ended) = &fact.event {
                // What a review found stands among the reviews.
                if !ended.is_pass() {
                    said.retain(|unit, _| !unit.is_some_and(|unit| ended.is_unit(unit)));
                }
                let by_writer = ended.is_by_writer(&workers);
                story.reviewed(Reviewed { ended: ended.clone(), by_writer });
            } else if let Event::AttemptEnded(end) = &fact.event {
                // What gates proved is not told once more as a word.
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

    /// Takes note of what stands for itself.
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
            self.decisions.push(Decision { question, answer, at });
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

impl Story {
    /// Takes note of what an attempt ended by and no gate judged.
    fn ended<'e>(&mut self, end: &'e AttemptEnded, at: Time, failed: &mut BTreeSet<&'e str>) {
        match end.how {
            EndedBy::Failed => drop(failed.insert(&end.unit)),
            EndedBy::Passed | EndedBy::Waived | EndedBy::Claimed => self.passed += 1,
            EndedBy::SentBack | EndedBy::Gone => {}
        }
        let unit = Some(end.unit.clone());
        // What it says now stands for what it said before.
        self.claims.retain(|claim| claim.source != Source::Judged || claim.unit != unit);
        let claim = |source, text| Claim { unit: unit.clone(), at, source, text };
        if end.how == EndedBy::Claimed && end.claims.is_empty() {
            self.claims.push(claim(Source::Ungated, String::new()));
        }
        self.claims.extend(end.known.iter().cloned().map(|gate| claim(Source::Known, gate)));
        self.claims.extend(end.claims.iter().cloned().map(|text| claim(Source::Judged, text)));
    }
}

impl Story {
    /// Takes note of a review. Its attempt ends by the agent's word; only where that was a pass, it
    /// is what the phase rests on.
    fn reviewed(&mut self, reviewed: Reviewed) {
        let is_its = |claim: &mut Claim| {
            let unit = claim.unit.as_ref();
            claim.source == Source::Ungated && unit.is_some_and(|unit| reviewed.ended.is_unit(unit))
        };
        if !reviewed.ended.is_pass() {
            self.claims.pop_if(is_its);
        }
        self.reviews.push(reviewed);
    }
}

/// Adds what is told of a unit: every try of it may leave the same.
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
