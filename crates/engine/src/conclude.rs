//! Ends attempts without an agent: by known receipts, or by a person's word.

use sprag_core::basis::Worth;
use sprag_core::event::AttemptEnded;
use sprag_core::{
    Ask, Denied, Event, Facts, Fence, Gate, Receipt, ReceiptId, Signal, Unit, UnitId, Verdict, Word,
};
use sprag_store::View;
use sprag_world::tree::Tree;

use crate::after_step::after_step;
use crate::draft::Draft;
use crate::engine::kind::unit_of;
use crate::engine::{Engine, EngineError};
use crate::integrity::DoubtsDoc;
use crate::judge::gate_results::GateResults;
use crate::judge::tx::Tx;
use crate::judge::{self, Progress};
use crate::open_run::OpenRun;
use crate::receipt::Evidence;
use crate::weigh::of_unit;

/// The attempts that a person's verdict ended.
#[derive(Debug, Default)]
pub(crate) struct Concluded {
    pub(crate) events: Vec<Event>,
    /// The receipts that decided.
    pub(crate) receipts: Vec<Receipt>,
    /// The attempts that the driver judges as they are, without another agent.
    pub(crate) judged: Vec<(Fence, UnitId)>,
    /// The receipts of waivers.
    pub(crate) waived: Vec<ReceiptId>,
}

impl Concluded {
    /// Returns the signal that ends an attempt without a message of its agent.
    pub(crate) fn end(&self, fence: Fence) -> Signal {
        Signal::End { fence, word: Word::None, receipts: self.receipts.clone(), worth: None }
    }
}

impl OpenRun {
    /// Collects the known results of the run's gates.
    pub(crate) fn standing(
        &self,
        engine: &Engine<'_>,
        view: &View<'_>,
        tree: &Tree,
        known: &judge::Known,
    ) -> Result<GateResults, EngineError> {
        GateResults::of_run(engine, view, &self.run, tree, known)
    }

    /// Ends an attempt with a signal. If its gates pass, the evidence is weighed first against the
    /// session's baseline or the unit's record.
    pub(crate) fn end_weighed(
        &mut self,
        tx: &Tx<'_>,
        signal: &Signal,
        fence: Fence,
        said: Option<&str>,
        doubts: &mut DoubtsDoc,
    ) -> Result<Result<Vec<Event>, Denied>, EngineError> {
        let mut live = self.run.live.clone();
        let facts = tx.facts()?;
        let stepped = live.step_weighed(tx.view, signal, facts, |live| {
            let Some(unit) = unit_of(live, fence, facts) else { return Ok(Some(Worth::Proven)) };
            let host = crate::agents_file::host_of(tx.view, self.run.id(), fence)?;
            let who = (host.as_deref(), said);
            of_unit::weigh(tx.view, self, &unit, who, tx.now, doubts)
        })?;
        self.run.live = live;
        Ok(stepped)
    }

    /// Returns the progress of a decision that needs answers from the run's rules first.
    pub(crate) fn asks<T>(&self, asks: &[Ask]) -> Progress<T> {
        Progress::needs(&self.law.config, Vec::new(), self.run.live.rules_of(asks))
    }

    /// Ends every attempt that the known receipts decide, without evaluating a gate, and records
    /// the result. Returns the lines to show, and what ended.
    pub(crate) fn conclude(
        &mut self,
        tx: &mut Tx<'_>,
        known: &judge::Known,
    ) -> Result<(Vec<String>, Concluded), EngineError> {
        let facts = &tx.facts()?.clone();
        let standing = self.standing(tx.engine(), tx.view, tx.now.tree()?, known)?;
        let id = self.run.id().clone();
        let receipts = standing.receipts.clone();
        let mut concluded = Concluded { receipts, ..Concluded::default() };
        let attempts = self.run.live.attempts().iter();
        let fences: Vec<_> = attempts.map(sprag_core::Attempt::fence).collect();
        let mut doubts = DoubtsDoc::read(tx.engine(), tx.view, None)?.seeing(&known.looks);
        for fence in &fences {
            // The next stop ends the attempts that cannot be ended now.
            let signal = concluded.end(*fence);
            if let Ok(events) = self.end_weighed(tx, &signal, *fence, None, &mut doubts)? {
                self.run.header.forget_baselines(&events);
                concluded.events.extend(events);
            }
        }
        doubts.save(tx);
        if fences.is_empty() {
            concluded.events = self.end_unbegun(&concluded, facts);
        }
        standing.tell(tx, &id, concluded.events.clone());
        Ok((after_step(tx, &mut self.run)?, concluded))
    }

    /// Returns the attempts that the driver shall judge as they are, because a person approved
    /// them. Begins the current unit again for this purpose if it had failed or was lost.
    pub(crate) fn hand_on(
        &mut self,
        mut held: Vec<(Fence, UnitId)>,
        words: &[Evidence],
        facts: &Facts,
        draft: &mut Draft,
    ) -> Vec<(Fence, UnitId)> {
        let is_of = |gate: &Gate| words.iter().any(|word| word.record.gate == gate.name.as_str());
        let unit = self.let_through(facts, is_of);
        let live = &mut self.run.live;
        let Some(unit) = unit.filter(|_| live.attempts().is_empty()) else { return held };
        let begin = Signal::Begin { unit: unit.id.clone(), agent: None, session: None };
        if let Ok(events) = live.step(&begin, facts) {
            let id = live.id().clone();
            draft.tell(&id, events);
            held.push((Fence(facts.seq), unit.id));
        }
        held
    }

    /// Returns the current unit if it failed, or if a person waived one of its gates.
    fn let_through(&self, facts: &Facts, is_waived: impl Fn(&Gate) -> bool) -> Option<Unit> {
        let live = &self.run.live;
        let is_through =
            |unit: &Unit| live.red_of(&unit.id).is_some() || unit.gates.iter().any(&is_waived);
        live.unit(facts).filter(is_through)
    }

    /// Ends the current unit if a person waived its gates after it failed or was lost, so that no
    /// agent has to begin it again.
    fn end_unbegun(&mut self, concluded: &Concluded, facts: &Facts) -> Vec<Event> {
        let is_waived = |gate: &Gate| {
            let mut receipts = concluded.receipts.iter();
            receipts.any(|one| one.verdict == Verdict::Waived && one.gate == gate.name)
        };
        let Some(unit) = self.let_through(facts, is_waived) else { return Vec::new() };
        let mut live = self.run.live.clone();
        let begin = Signal::Begin { unit: unit.id, agent: None, session: None };
        let Ok(mut events) = live.step(&begin, facts) else { return Vec::new() };
        // A waiver does not depend on the changed files, so the pass counts in full.
        let mut end = concluded.end(Fence(facts.seq));
        if let Signal::End { worth, .. } = &mut end {
            *worth = Some(Worth::Proven);
        }
        let Ok(ended) = live.step(&end, facts) else {
            return Vec::new();
        };
        if !ended.iter().filter_map(Event::ending).any(AttemptEnded::is_through) {
            return Vec::new();
        }
        self.run.live = live;
        events.extend(ended);
        events
    }
}
