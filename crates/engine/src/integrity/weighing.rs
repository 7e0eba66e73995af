//! Asks what the pass of a unit is worth, for sessions and driven runs alike.

use sprag_core::basis::{
    Attribution, Basis, Conditions, Consent, Departure, Doubts, Input, InputKey, InputKeys,
    NamedChange, OnTests, ReportedChange, Role, SentBack, UnitEnded, Worth, named, weigh,
};
use sprag_core::{Hash, RunId, Verdict};

use super::{Baseline, Collector, TurnFacts, texts};
use crate::engine::{Engine, EngineError};
use crate::sitting::Now;

/// A unit whose gates pass, and what is known of the circumstances.
pub(crate) struct UnitUnderJudgement<'a> {
    /// Its run.
    pub(crate) run: &'a RunId,
    /// The host of its agent.
    pub(crate) host: Option<&'a str>,
    /// What the agent said last.
    pub(crate) said: Option<&'a str>,
    /// The names of its gates.
    pub(crate) gates: Vec<String>,
    /// What it is compared with; nothing where none was ever taken.
    pub(crate) baseline: Option<Hash>,
    /// What persons agreed to beforehand.
    pub(crate) consents: Vec<Consent>,
    /// Whether its agent was sent back before.
    pub(crate) sent_back: Option<InputKeys>,
    /// What is done about tests.
    pub(crate) tests: OnTests,
    /// Whose changes they are.
    pub(crate) facts: TurnFacts,
}

/// What a pass is worth, and what is to be remembered of it.
pub(crate) struct Weighed {
    /// What it is worth.
    pub(crate) worth: Worth,
    /// The open doubts after it.
    pub(crate) doubts: Doubts,
    /// Every change of what it rests on.
    pub(crate) named: Vec<ReportedChange>,
}

impl UnitUnderJudgement<'_> {
    /// Weighs a pass of all of its gates.
    pub(crate) fn weigh(&self, now: &Now<'_>, doubts: &Doubts) -> Result<Weighed, EngineError> {
        let basis = self.basis(now, doubts)?;
        let mut consents = self.consents.clone();
        consents.extend(doubts.consents());
        let kept = self.baseline.and_then(|name| Baseline::kept(now.engine, name));
        let protect = kept.as_ref().map(Baseline::protected).unwrap_or_default();
        let sent_back = self.sent_back.clone().map_or(SentBack::NotYet, SentBack::For);
        let conditions = Conditions {
            consents: &consents,
            protect: &protect,
            sent_back: &sent_back,
            tests: self.tests,
        };
        let rests = |gate: &String| {
            kept.as_ref().and_then(|kept| kept.gates.get(gate)).is_none_or(|gate| gate.tests)
        };
        let judged =
            if self.gates.iter().any(rests) { basis.clone() } else { basis.without_tests() };
        let worth = weigh(Verdict::Pass, &judged, &conditions);
        let ended = UnitEnded {
            run: self.run,
            host: self.host,
            gate: self.gates.first().map(String::as_str),
            said: self.said,
        };
        let mut after = doubts.after(&judged, &conditions, &ended);
        if let Some(kept) = &kept {
            keep_texts(now.engine, kept, &mut after);
        }
        if let Some(name) = self.baseline {
            after.keep_baseline(name);
        }
        after.stand_at(now.engine.checked_out_here().filter(|_| !after.is_empty()));
        let reported = |one: NamedChange| one.reported(ended.host, ended.gate, None);
        let named = named(&basis, &conditions).into_iter().map(reported).collect();
        Ok(Weighed { worth, doubts: after, named })
    }

    fn basis(&self, now: &Now<'_>, doubts: &Doubts) -> Result<Basis, EngineError> {
        let Some(name) = self.baseline else { return Ok(Basis::default()) };
        let Some(baseline) = Baseline::kept(now.engine, name) else {
            // What it is compared with is gone, so nothing is proven.
            let key = InputKey::file(format!(".sprag/texts/{name}"));
            let lost =
                Input::departed(Role::Memory, name, Departure::Gone, Attribution::SOME_AGENT);
            return Ok([(key, lost)].into_iter().collect());
        };
        let collector = Collector { now, baseline: &baseline, doubts, facts: &self.facts };
        let gates: Vec<&str> = self.gates.iter().map(String::as_str).collect();
        collector.basis(&gates)
    }
}

/// Keeps the earlier texts of files in doubt, so that a person can see what changed.
fn keep_texts(engine: &Engine<'_>, baseline: &Baseline, doubts: &mut Doubts) {
    let bare: Vec<InputKey> = doubts
        .iter()
        .filter(|doubt| doubt.text.is_none())
        // A part may be new in a file that was there.
        .filter(|doubt| doubt.was.is_some() || doubt.key.part_name().is_some())
        .map(|doubt| doubt.key.clone())
        .collect();
    for key in bare {
        let text = baseline.text(engine, key.path()).filter(|text| text.len() <= texts::LARGEST);
        if let Some(name) = text.and_then(|text| texts::keep(engine.place, &text)) {
            doubts.keep_text(&key, name);
        }
    }
}
