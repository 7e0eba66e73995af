//! Weighs the pass of a unit, for sessions and driven runs alike.

use sprag_core::basis::{
    Attribution, Basis, Conditions, Consent, Departure, Doubts, Excuse, Input, InputKey, InputKeys,
    MaySendBack, NamedChange, OnTests, ReportedChange, Role, SentBack, UnitEnded, Worth, named,
    weigh,
};
use sprag_core::{GateSpec, Hash, RunId, Verdict};

use super::law::TakenLaw;
use super::look::{LookCase, LookResult};
use super::{Baseline, Collector, DoubtsDoc, Opens, TurnFacts, Turns, WantedLook, texts};
use crate::engine::{Engine, EngineError};
use crate::now::Now;

/// A unit whose gates pass, with the facts for weighing it.
pub(crate) struct UnitUnderJudgement<'a> {
    /// Its run, if it has one yet.
    pub(crate) run: Option<&'a RunId>,
    /// The host of its agent.
    pub(crate) host: Option<&'a str>,
    /// The agent's last message.
    pub(crate) said: Option<&'a str>,
    /// The names of its gates.
    pub(crate) gates: Vec<String>,
    /// The definitions of its gates, for a second look.
    pub(crate) specs: Vec<&'a GateSpec>,
    /// Its baseline; `None` if none was ever recorded.
    pub(crate) baseline: Option<Hash>,
    /// The source files of the run's own definition and, for a run with a branch, the documents of
    /// the project that judge it.
    pub(crate) recorded: TakenLaw,
    /// The consents that persons gave beforehand.
    pub(crate) consents: Vec<Consent>,
    /// The inputs for which its agent was sent back before.
    pub(crate) sent_back: Option<InputKeys>,
    /// The treatment of changed tests.
    pub(crate) tests: OnTests,
    /// The facts that attribute changes.
    pub(crate) facts: TurnFacts,
    /// The turns of all agents.
    pub(crate) turns: &'a Turns,
    /// Which changes come into doubt.
    pub(crate) opens: Opens,
}

/// The worth of a pass, with the records to keep.
pub(crate) struct Weighed {
    pub(crate) worth: Worth,
    /// The doubts that are open afterwards.
    pub(crate) doubts: Doubts,
    /// All changes of its inputs.
    pub(crate) named: Vec<ReportedChange>,
}

/// The result of weighing.
pub(crate) enum Weighing {
    Done(Weighed),
    /// A second look decides; this is the result without one.
    Undecided(Weighed, Box<WantedLook>),
}

impl Weighing {
    /// Returns the result without a second look.
    pub(crate) fn without_look(self) -> Weighed {
        match self {
            Self::Done(weighed) | Self::Undecided(weighed, _) => weighed,
        }
    }
}

impl UnitUnderJudgement<'_> {
    /// Weighs a pass of all its gates, with the answers of second looks.
    pub(crate) fn weigh(&self, now: &Now<'_>, doc: &DoubtsDoc) -> Result<Weighing, EngineError> {
        let (basis, doubts) = (self.basis(now, doc)?, &doc.doubts);
        let mut consents = self.consents.clone();
        consents.extend(doubts.consents());
        consents.extend(doc.agreed_elsewhere());
        let kept = self.compared_with(now);
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
        let mut basis = if self.gates.iter().any(rests) { basis } else { basis.without_tests() };
        let mut looked = LookResult::NotCleared;
        if let (Some(baseline), Some(run)) = (&kept, self.run) {
            let gates = self.specs_of(rests);
            let (basis, conditions) = (&basis, &conditions);
            let case = LookCase { now, run, baseline, doubts, basis, conditions, gates };
            looked = case.look(&doc.looks)?;
        }
        let wanted = match looked {
            LookResult::Cleared(tests) => {
                basis = basis.excused(&tests, Excuse::SecondLook);
                None
            }
            LookResult::NotCleared => None,
            LookResult::Wanted(look) => Some(look),
        };
        let worth = weigh(Verdict::Pass, &basis, &conditions);
        let ended = UnitEnded {
            run: self.run,
            host: self.host,
            gate: self.gates.first().map(String::as_str),
            said: self.said,
        };
        let counts = |input: &Input| match self.opens {
            Opens::All => true,
            Opens::Unasked => input.whose().send_back == MaySendBack::No,
            Opens::Law => input.role() == Role::Law,
        };
        let opened = basis.iter().filter(|(_, input)| counts(input));
        let opened: Basis = opened.map(|(key, input)| (key.clone(), input.clone())).collect();
        let mut after = doubts.after(&opened, &conditions, &ended);
        if let Some(kept) = &kept {
            keep_law_texts(kept, &mut after);
            keep_texts(now.engine, kept, &mut after);
        }
        if let Some(name) = self.baseline {
            after.keep_baseline(name);
        }
        let is_tracked = after.tracked().next().is_some();
        after.stand_at(now.engine.checked_out_here().filter(|_| is_tracked));
        let reported = |one: NamedChange| one.reported(ended.host, ended.gate, None);
        let named = named(&basis, &conditions).into_iter().map(reported).collect();
        let weighed = Weighed { worth, doubts: after, named };
        Ok(match wanted {
            None => Weighing::Done(weighed),
            Some(look) => Weighing::Undecided(weighed, look),
        })
    }

    /// Returns its baseline, if that still exists.
    fn compared_with(&self, now: &Now<'_>) -> Option<Baseline> {
        let mut kept = Baseline::kept(now.engine, self.baseline?)?;
        let TakenLaw { here, project, .. } = &self.recorded;
        kept.law.later.retain(|path| !here.contains_key(path));
        for (own, more) in [(&mut kept.law.here, here), (&mut kept.law.project, project)] {
            for (path, text) in more {
                own.entry(path.clone()).or_insert(*text);
            }
        }
        Some(kept)
    }

    /// Returns the definitions of its gates that count; empty if one is unknown.
    fn specs_of(&self, counts: impl Fn(&String) -> bool) -> Vec<&GateSpec> {
        let named = |name: &String| {
            self.specs.iter().copied().find(|spec| spec.gate.name.as_str() == name.as_str())
        };
        let gates = self.gates.iter().filter(|gate| counts(gate));
        gates.map(named).collect::<Option<_>>().unwrap_or_default()
    }

    fn basis(&self, now: &Now<'_>, doc: &DoubtsDoc) -> Result<Basis, EngineError> {
        let Some(name) = self.baseline else { return Ok(Basis::default()) };
        let kept = self.compared_with(now);
        let is_lost = kept.is_none();
        let baseline = kept.unwrap_or_default();
        let (doubts, elsewhere) = (&doc.doubts, &doc.elsewhere[..]);
        let collector = Collector {
            now,
            baseline: &baseline,
            doubts,
            elsewhere,
            facts: &self.facts,
            turns: self.turns,
        };
        let gates: Vec<&str> = self.gates.iter().map(String::as_str).collect();
        let basis = collector.basis(&gates)?;
        if !is_lost {
            return Ok(basis);
        }
        // The baseline is lost, so nothing is proven, and the doubts of earlier units remain.
        let earlier = basis.iter().filter(|(_, input)| input.was().is_some());
        let mut basis: Basis = earlier.map(|(key, input)| (key.clone(), input.clone())).collect();
        let key = InputKey::file(format!(".sprag/texts/{name}"));
        let lost = Input::departed(Role::Memory, name, Departure::Gone, Attribution::SOME_AGENT);
        basis.insert(key, lost);
        Ok(basis)
    }
}

/// Records the names of the stored texts that are in force in place of changed documents.
fn keep_law_texts(baseline: &Baseline, doubts: &mut Doubts) {
    let law = doubts.tracked().filter(|doubt| doubt.role == Role::Law);
    let texts = law.filter_map(|doubt| Some((doubt.key.clone(), baseline.law_text(&doubt.key)?)));
    for (key, text) in texts.collect::<Vec<_>>() {
        doubts.keep_text(&key, text.text);
    }
}

/// Stores the earlier texts of files in doubt, for the diff, and of files that a second look
/// cleared, for further looks.
fn keep_texts(engine: &Engine<'_>, baseline: &Baseline, doubts: &mut Doubts) {
    let bare: Vec<InputKey> = doubts
        .tracked()
        .filter(|doubt| doubt.text.is_none())
        // A part may be new in an existing file.
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
