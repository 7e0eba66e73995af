//! The end of an attempt: gates decide, an agent's word never does; an attempt that was not judged
//! is not charged.

use super::Step;
use crate::basis::{InputKeys, Worth};
use crate::event::{AttemptEnded, AttemptLost, EndedBy, GateFlaky};
use crate::judge::{JudgeInput, Judged};
use crate::next::unit_of;
use crate::prompt::short;
use crate::unit_states::{Survey, survey};
use crate::{
    Attempt, Bound, Closes, Denied, Fence, Hold, KernelDecision, LastFailure, LossCount, Machine,
    Name, Next, Proof, Ran, Receipt, Unit, Word,
};

/// Maximum number of claims recorded with one end.
const CLAIMS: usize = 200;
/// Maximum length of a recorded claim.
const LINE: usize = 200;

impl<M: Machine> Step<'_, M> {
    /// Ends an attempt by its gate results.
    pub(super) fn end(
        &mut self,
        fence: Fence,
        word: &Word,
        receipts: &[Receipt],
        worth: Option<&Worth>,
    ) -> Result<(), Denied> {
        let at = self.live(fence)?;
        // Changed documents judge nothing until a person accepts them.
        if let Some(hold) = self.run.hold.clone().filter(Hold::is_change) {
            return Err(Denied::Held(hold));
        }
        let hold = self.said_hold(at);
        if let Some(hold) = hold.clone().filter(|hold| !hold.is_of_a_gate()) {
            return Err(Denied::Held(hold));
        }
        let Some(unit) = self.unit_at(at)? else {
            return self.gone(at);
        };
        if unit.closes == Closes::Claim && *word == Word::None && !self.run.attempts[at].claimed {
            return Err(Denied::Unclaimed { fence });
        }
        let red = self.run.failed.get(&unit.id);
        let (tree, now) = (self.facts.tree, self.facts.now);
        let judged = JudgeInput { unit: &unit, word, receipts, worth, red, tree, now }.judge();
        match judged {
            Judged::Needs(asks) => return Err(Denied::Needs(asks)),
            Judged::Unweighed => return Err(Denied::Unweighed { fence }),
            // The hold is unchanged.
            Judged::Held(again) if hold.as_ref() == Some(&again) => {
                return Err(Denied::Held(again));
            }
            Judged::Held(again) => self.hold_attempt(at, again),
            Judged::Passed(proof) => self.pass(at, &unit, word, &proof)?,
            Judged::SentBack(inputs) => self.send_back(at, &unit, inputs)?,
            Judged::Failed(receipt) => self.fail(at, &unit, word, receipt, receipts)?,
        }
        Ok(())
    }

    /// Loses an attempt; a held one stays, because it waits for a person and not for its session.
    pub(super) fn lost(&mut self, fence: Fence, ran: Ran, why: &str) -> Result<(), Denied> {
        let at = self.live(fence)?;
        let said = (!why.is_empty()).then(|| why.to_owned());
        self.tell(AttemptLost { fence, ran: ran == Ran::Yes, why: said });
        if self.said_hold(at).is_some() {
            self.run.attempts[at].session = None;
            return Ok(());
        }
        let settle = match ran {
            Ran::No => Bound::refund,
            Ran::Returned => Bound::give_back,
            Ran::Yes => Bound::settle,
        };
        let retries = self.unit_at(at).ok().flatten().filter(|_| ran == Ran::Yes);
        let retries = retries.map_or_else(Vec::new, |unit| unit.retries);
        let Attempt { unit, spent, .. } = self.take_out(at, settle);
        // Nothing failed, so no retry is spent: repeated losses are limited by their own count.
        for name in spent.iter().filter(|name| retries.contains(name)) {
            self.run.bounds.entry(name.clone()).and_modify(Bound::give_back);
        }
        if ran != Ran::Returned {
            let lost = self.run.lost.entry(unit.clone()).or_default();
            *lost = LossCount { times: lost.times.saturating_add(1), why: why.to_owned() };
        }
        self.hear(&KernelDecision::Lost { unit: &unit, ran })
    }

    /// Returns the explicit hold of an attempt. The end of its time does not count: work done in
    /// time is judged.
    fn said_hold(&self, at: usize) -> Option<Hold> {
        self.run.attempts[at].hold.clone().filter(|hold| hold.stands(self.facts.now))
    }

    /// Returns the attempt's unit as it is now; `None` if it no longer exists.
    fn unit_at(&self, at: usize) -> Result<Option<Unit>, Denied> {
        match survey::<M>(self.definition, &self.run, self.facts) {
            Survey::Units(units) => Ok(unit_of(&units, &self.run.attempts[at].unit)),
            Survey::Other(Next::Ask(asks)) => Err(Denied::Needs(asks)),
            Survey::Other(Next::Held(hold)) => Err(Denied::Held(hold)),
            Survey::Other(Next::Wait { .. } | Next::Done | Next::Cancelled | Next::Units(_)) => {
                Ok(None)
            }
        }
    }

    fn pass(&mut self, at: usize, unit: &Unit, word: &Word, proof: &Proof) -> Result<(), Denied> {
        let settle = if proof.flaky.is_empty() { Bound::settle } else { Bound::forgive };
        let attempt = self.take_out(at, settle);
        self.run.failed.remove(&unit.id);
        self.run.lost.remove(&unit.id);
        self.run.sent_back.remove(&unit.id);
        for gate in &proof.flaky {
            self.tell(GateFlaky { gate: gate.to_string() });
        }
        let how = match (proof.is_claim(), proof.waived.is_empty()) {
            (true, _) => EndedBy::Claimed,
            (false, false) => EndedBy::Waived,
            (false, true) => EndedBy::Passed,
        };
        let told = self.events.len();
        self.hear(&KernelDecision::Passed { unit, word, proof })?;
        // Waived, known and claimed results are recorded with the end, so that it never looks
        // proven.
        let names = |gates: &[Name]| gates.iter().map(Name::to_string).collect();
        let claims = std::mem::take(&mut self.claims);
        self.tell(AttemptEnded {
            waived: names(&proof.waived),
            known: names(&proof.known),
            claims: claims.iter().take(CLAIMS).map(|claim| short(claim, LINE)).collect(),
            doubted: proof.doubted.iter().map(ToString::to_string).collect(),
            ..ended(&attempt, how)
        });
        // The end precedes its consequences.
        self.events[told..].rotate_right(1);
        Ok(())
    }

    /// Ends an attempt whose agent changed inputs that it is judged by, and asks it once to undo
    /// that. It costs nothing, because nothing failed.
    fn send_back(&mut self, at: usize, unit: &Unit, inputs: InputKeys) -> Result<(), Denied> {
        let attempt = self.take_out(at, Bound::give_back);
        self.run.failed.remove(&unit.id);
        self.run.lost.remove(&unit.id);
        let doubted = inputs.iter().map(ToString::to_string).collect();
        self.run.sent_back.insert(unit.id.clone(), inputs);
        self.tell(AttemptEnded { doubted, ..ended(&attempt, EndedBy::SentBack) });
        self.hear(&KernelDecision::Lost { unit: &unit.id, ran: Ran::Returned })
    }

    fn fail(
        &mut self,
        at: usize,
        unit: &Unit,
        word: &Word,
        receipt: Receipt,
        receipts: &[Receipt],
    ) -> Result<(), Denied> {
        let known = self.run.failed.get(&unit.id);
        let known = known.filter(|red| red.receipt.gate == receipt.gate);
        let unchanged = known.is_some_and(|red| red.tree() == receipt.tree);
        if unchanged && unit.closes != Closes::Exit {
            return Err(Denied::Unchanged { fence: self.run.attempts[at].fence });
        }
        let before = known.filter(|red| red.receipt.fingerprint() == receipt.fingerprint());
        let same = before.map_or(0, |red| red.same).saturating_add(1);
        let red = LastFailure { receipt, same };
        let attempt = self.take_out(at, Bound::settle);
        self.run.failed.insert(unit.id.clone(), red.clone());
        self.run.lost.remove(&unit.id);
        let gate = Some(red.receipt.gate.to_string());
        self.tell(AttemptEnded { gate, ..ended(&attempt, EndedBy::Failed) });
        self.hear(&KernelDecision::Failed { unit, word, red: &red, receipts })
    }

    /// Ends an attempt whose unit no longer exists; nothing is judged or charged.
    fn gone(&mut self, at: usize) -> Result<(), Denied> {
        let attempt = self.take_out(at, Bound::forgive);
        self.tell(ended(&attempt, EndedBy::Gone));
        self.hear(&KernelDecision::Gone { unit: &attempt.unit })
    }

    /// Removes an attempt from the run and applies `settle` to each bound that it charged.
    fn take_out(&mut self, at: usize, settle: fn(&mut Bound)) -> Attempt {
        let attempt = self.run.attempts.remove(at);
        for name in &attempt.spent {
            if let Some(bound) = self.run.bounds.get_mut(name) {
                settle(bound);
            }
        }
        attempt
    }
}

/// Creates the event of an end, without gates and claims.
fn ended(attempt: &Attempt, how: EndedBy) -> AttemptEnded {
    let (fence, unit) = (attempt.fence, attempt.unit.to_string());
    AttemptEnded { fence, unit, how, ..AttemptEnded::default() }
}
