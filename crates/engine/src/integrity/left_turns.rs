//! Judges turns that ended without a judgement, so that no later unit begins from a text that their
//! agents weakened.

use std::collections::BTreeSet;

use sprag_core::basis::{Consent, InputKeys};

use super::law::{LawTexts, TakenLaw};
use super::signs::TurnFacts;
use super::{Baseline, DoubtsDoc, OpenTurn, TurnState, Turns, UnitUnderJudgement};
use crate::engine::EngineError;
use crate::now::Now;

/// Which changes of such a turn come into doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opens {
    /// All of them: its agent will not be asked again, or not here.
    All,
    /// Those for which its agent is not sent back; it answers for the others at its next stop.
    Unasked,
    /// Only those of the documents that judge it.
    Law,
}

impl Turns {
    /// Judges the changes of all other turns in these files. Turns of gone agents end with that.
    pub(crate) fn judge_others(
        &mut self,
        own: &str,
        now: &Now<'_>,
        doc: &mut DoubtsDoc,
    ) -> Result<(), EngineError> {
        let mut over = Vec::new();
        for (key, turn) in self.others(own, now.engine.worktree()) {
            let is_over = !turn.is_at_work(now);
            let facts = turn.facts_for_others(is_over, now);
            turn.judge((facts, self), Opens::All, now, doc)?;
            let is_done = match turn.state {
                TurnState::Open | TurnState::Ended { .. } => is_over,
                TurnState::Stopped { .. } => turn.is_gone(now),
            };
            // A process it started may still run, so a later change may be its own.
            if is_done && !turn.has_processes(now) {
                turn.judge_law(self, now, doc)?;
                over.push(key.clone());
            }
        }
        for key in over {
            self.note_commits(&key, now);
            self.remove(&key);
        }
        Ok(())
    }

    /// Adopts a person's changes since this holder's last turn into its baseline. Changes of other
    /// agents are in the doubts. Its own unjudged changes stay its own.
    pub(crate) fn take_persons(
        &self,
        own: &str,
        baseline: &mut Baseline,
        current: &Baseline,
        (now, doc): (&Now<'_>, &mut DoubtsDoc),
    ) -> Result<TurnStart, EngineError> {
        let (engine, Some(turn)) = (now.engine, self.get(own)) else {
            return Ok(TurnStart::GoesOn(Box::new(baseline.clone())));
        };
        let facts = turn.facts(true, now);
        let Some(mut found) = facts.found.clone() else {
            return Ok(TurnStart::GoesOn(Box::new(baseline.clone())));
        };
        let changed = found.changed(current);
        let is_persons = |path: &&String| facts.whose(path, now).author.is_trusted();
        let (start, taken) = match turn.state {
            TurnState::Stopped { .. } => (TurnStart::Fresh, changed),
            TurnState::Open | TurnState::Ended { .. } => {
                let persons: BTreeSet<String> =
                    changed.iter().filter(is_persons).cloned().collect();
                found.advance(engine, current, &persons);
                (TurnStart::GoesOn(Box::new(found)), persons)
            }
        };
        turn.judge((facts, self), Opens::Unasked, now, doc)?;
        baseline.advance(engine, current, &taken);
        Ok(start)
    }
}

/// The state that a new turn begins from.
pub(crate) enum TurnStart {
    /// The current files.
    Fresh,
    /// These inputs, because the previous turn's changes were not judged yet.
    GoesOn(Box<Baseline>),
}

impl OpenTurn {
    /// Returns the documents that its agent is judged by, without those that a person changed
    /// since.
    pub(crate) fn agents_law(&self, now: &Now<'_>) -> TakenLaw {
        let (facts, mut law) = (self.facts(true, now), self.law.clone());
        let here = law.as_it_is(now.engine);
        // The documents it left are its own, even if a gate refused its work.
        let left = match self.state {
            TurnState::Stopped { .. } => facts.found.as_ref().map(|found| found.law.clone()),
            TurnState::Open | TurnState::Ended { .. } => None,
        };
        let left = left.unwrap_or_default();
        let is_agents = |path: &String, now_text: &LawTexts, left: &LawTexts| {
            let is_left = left.contains_key(path) && left.get(path) == now_text.get(path);
            is_left || !facts.whose(path, now).author.is_trusted()
        };
        law.here.retain(|path, _| is_agents(path, &here.here, &left.here));
        law.project.retain(|path, _| is_agents(path, &here.project, &left.project));
        law
    }

    /// Weighs the agent's changes to its own documents, if a gate refused its work and it is not
    /// asked again.
    fn judge_law(
        &self,
        turns: &Turns,
        now: &Now<'_>,
        doc: &mut DoubtsDoc,
    ) -> Result<(), EngineError> {
        if self.is_unjudged() || self.law.is_unknown() {
            return Ok(());
        }
        let law = self.agents_law(now);
        let Some(baseline) = Baseline::of_law(law).keep(now.engine) else { return Ok(()) };
        let turn = Self { baseline, ..self.clone() };
        turn.judge((TurnFacts::alone(), turns), Opens::Law, now, doc)
    }

    /// Weighs the agent's changes and opens doubts.
    fn judge(
        &self,
        (facts, turns): (TurnFacts, &Turns),
        opens: Opens,
        now: &Now<'_>,
        doc: &mut DoubtsDoc,
    ) -> Result<(), EngineError> {
        let baseline = Baseline::kept(now.engine, self.baseline);
        let gates = baseline.map(|kept| kept.gates.into_keys().collect()).unwrap_or_default();
        let consents: Vec<Consent> = super::parsed(&self.unit.may_change).collect();
        let judged = UnitUnderJudgement {
            run: self.unit.run.as_ref(),
            host: self.unit.host.as_deref(),
            said: None,
            gates,
            // No gate passed, so no second look is needed.
            specs: Vec::new(),
            baseline: Some(self.baseline),
            consents,
            sent_back: Some(InputKeys::new()),
            tests: self.unit.tests,
            facts,
            turns,
            opens,
            recorded: TakenLaw::default(),
        };
        let mut weighed = judged.weigh(now, doc)?.without_look().doubts;
        // Its changes were judged before: a later commit was made outside of its turn.
        if !self.is_unjudged() && weighed.tracked().eq(doc.doubts.tracked()) {
            weighed.stand_at(doc.doubts.head().map(str::to_owned));
        }
        doc.doubts = weighed;
        Ok(())
    }
}
