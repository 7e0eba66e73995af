//! What was said without proof, let through, decided without a person, skipped and tried again.

use std::collections::{BTreeMap, BTreeSet};

use super::happening::Happening;
use super::{Ending, Fact, How, Material, Reviewed, Slip, read};
use crate::{CheckKind, Time, Verdict};

/// What the journal tells of a run beside its gates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Story {
    /// What was said and not proven, oldest first.
    pub claims: Vec<Claim>,
    /// What persons let through.
    pub waivers: Vec<Waiver>,
    /// What was decided in the place of a person.
    pub decisions: Vec<Decision>,
    /// Units that rules skipped, and which rule.
    pub skipped: Vec<(String, String)>,
    /// What agents changed or left behind beyond their units, by unit.
    pub strays: Vec<(String, String)>,
    /// Files that agents brought together with the work of others, by unit.
    pub conflicts: Vec<(String, String)>,
    /// What each review came to.
    pub reviews: Vec<Reviewed>,
    /// Gates that failed and passed on the same files.
    pub flaky: Vec<String>,
    /// How often a stop was refused.
    pub refused: usize,
    /// How many attempts ended by more than a failure.
    pub passed: usize,
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
            match (Happening::of(&fact.event), fact.own) {
                (Happening::Refused { session: Some(session) }, false) => {
                    story.refused += usize::from(sessions.contains(session));
                }
                (Happening::Said { unit, words }, true) if !words.is_empty() => {
                    let (at, source, text) = (fact.at, Source::Said, words.to_owned());
                    // The last word of a unit stands for those before it.
                    let claim = Claim { unit: unit.map(str::to_owned), at, source, text };
                    said.insert(unit, claim);
                }
                (Happening::Started { unit, host, .. }, true) => workers.push((unit, host)),
                (Happening::Reviewed(mut reviewed), true) => {
                    reviewed.by_writer = reviewed.is_by_writer(&workers);
                    // What a review found stands among the reviews.
                    if !reviewed.is_pass() {
                        said.retain(|unit, _| !unit.is_some_and(|unit| reviewed.is_unit(unit)));
                    }
                    story.reviewed(reviewed);
                }
                (happening, true) => {
                    // What gates proved is not told once more as a word.
                    if let Happening::Ended(Ending { unit, how: How::Passed, .. }) = &happening {
                        said.remove(&Some(*unit));
                    }
                    story.note(happening, fact.at, &mut failed);
                }
                (_, false) => {}
            }
        }
        story.claims.extend(said.into_values());
        story.claims.sort_by_key(|claim| claim.at);
        story.flaky.extend(flaky(&material.slips));
        let mut known = BTreeSet::new();
        story.flaky.retain(|gate| known.insert(gate.clone()));
        story
    }

    /// Returns the units that only a claim ended.
    pub fn ungated(&self) -> impl Iterator<Item = &str> {
        self.units(Source::Ungated)
    }

    /// Returns the units of the claims that came like this, one for each claim.
    pub fn units(&self, source: Source) -> impl Iterator<Item = &str> {
        let claims = self.claims.iter().filter(move |claim| claim.source == source);
        claims.filter_map(|claim| claim.unit.as_deref())
    }

    fn note(&mut self, happening: Happening<'_>, at: Time, failed: &mut BTreeSet<String>) {
        match happening {
            Happening::Began { unit, .. } => self.retries += usize::from(failed.remove(unit)),
            Happening::Ended(end) => {
                match end.how {
                    How::Failed => drop(failed.insert(end.unit.to_owned())),
                    How::Passed | How::Waived | How::Claimed => self.passed += 1,
                    How::Lost | How::Gone | How::Open => {}
                }
                self.ended(end, at);
            }
            Happening::Lost { .. } => self.lost += 1,
            Happening::Flaky { gate } => self.flaky.push(gate.to_owned()),
            Happening::Refused { .. } => self.refused += 1,
            Happening::Limited { .. } => self.limited += 1,
            Happening::Defaulted { question, answer } => {
                let (question, answer) = (question.to_owned(), answer.to_owned());
                self.decisions.push(Decision { question, answer, at });
            }
            Happening::Skipped { unit, rule } => {
                self.skipped.push((unit.to_owned(), rule.to_owned()));
            }
            Happening::Strayed { unit, what } => each_once(&mut self.strays, unit, what),
            Happening::Conflicted { unit, what } => each_once(&mut self.conflicts, unit, what),
            Happening::Reviewed(_)
            | Happening::Started { .. }
            | Happening::Said { .. }
            | Happening::Stalled { .. }
            | Happening::Paused { .. }
            | Happening::Released
            | Happening::Other => {}
        }
    }
}

impl Story {
    /// Takes note of what an attempt ended by and no gate judged.
    fn ended(&mut self, end: Ending<'_>, at: Time) {
        let unit = Some(end.unit.to_owned());
        // What it says now stands for what it said before.
        self.claims.retain(|claim| claim.source != Source::Judged || claim.unit != unit);
        let claim = |source, text| Claim { unit: unit.clone(), at, source, text };
        if end.how == How::Claimed && end.claims.is_empty() {
            self.claims.push(claim(Source::Ungated, String::new()));
        }
        self.claims.extend(end.known.into_iter().map(|gate| claim(Source::Known, gate)));
        self.claims.extend(end.claims.into_iter().map(|text| claim(Source::Judged, text)));
    }
}

impl Story {
    /// Takes note of a review. Its attempt ends by the agent's word; only where that was a pass, it
    /// is what the phase rests on.
    fn reviewed(&mut self, reviewed: Reviewed) {
        let is_its = |claim: &mut Claim| {
            let unit = claim.unit.as_ref();
            claim.source == Source::Ungated && unit.is_some_and(|unit| reviewed.is_unit(unit))
        };
        if !reviewed.is_pass() {
            self.claims.pop_if(is_its);
        }
        self.reviews.push(reviewed);
    }

    /// Returns what rests on the word of an agent, each once: a unit, or what of one.
    pub fn claimed(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for claim in &self.claims {
            let unit = claim.unit.as_deref().unwrap_or_default();
            let said = match claim.source {
                Source::Ungated => unit.to_owned(),
                Source::Judged => format!("{unit}: {}", claim.text),
                // Where nothing else speaks for it, what was said is counted by its end.
                Source::Said | Source::Known => continue,
            };
            if !all.contains(&said) {
                all.push(said);
            }
        }
        all
    }
}

/// Adds what is told of a unit: every try of it may leave the same.
fn each_once(all: &mut Vec<(String, String)>, unit: &str, what: Vec<String>) {
    for one in what {
        let new = (unit.to_owned(), one);
        if !all.contains(&new) {
            all.push(new);
        }
    }
}

/// Returns the sessions that worked on the run: a refused stop names only its session.
fn sessions(facts: &[Fact]) -> BTreeSet<&str> {
    let own = facts.iter().filter(|fact| fact.own);
    own.filter_map(|fact| read::text(&fact.event.data, "session")).collect()
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
