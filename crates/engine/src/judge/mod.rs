//! The one decision loop: load, decide, find out what is missing, decide again, commit.
//!
//! A [`Decision`] names the gates, rules and second looks whose answers it needs. They take long,
//! so none runs while the store is locked: [`Engine::settle`] runs them between two reads of the
//! documents and then repeats the decision. The outcome is one commit.

pub(crate) mod evaluate;
pub(crate) mod gate_results;
mod look_again;
pub(crate) mod tx;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::time::Duration;

use sprag_core::rules::Rule;
use sprag_core::{Ask, Fence, Hold, Name, Receipt, RunId, Signal, Time, Word};
use sprag_formats::{Checks, Config};
use sprag_store::CacheLock;
use sprag_world::tree::Tree;
use sprag_world::{clock, process};

use crate::engine::{Engine, EngineError, PATIENT};
use crate::integrity::{LookAnswers, WantedLook};
use crate::judge::evaluate::{Acquired, Answers, GateLock, Wanted, left};
use crate::judge::tx::{Tx, deciding};
use crate::now::Now;
use crate::receipt::Evidence;
use crate::{gate, receipt_index as receipts};

/// Gives up a decision after this many rounds, because the documents or the files keep changing.
pub(crate) const ROUNDS: u32 = 32;
/// How long a stop waits for its gates if the configuration sets no time.
pub(crate) const WAIT: Duration = Duration::from_mins(10);
/// How long a process that is not a host hook waits for another one that evaluates gates here.
const LONG: Duration = Duration::from_hours(8);

/// A decision that may need gates or rules evaluated first.
///
/// A closure implements it if [`Decision::decide`] is enough.
pub(crate) trait Decision {
    type Out;

    /// Decides as far as `known` allows. [`Engine::settle`] calls it again when it knows more, or
    /// when a document changed meanwhile.
    fn decide(
        &mut self,
        tx: &mut Tx<'_>,
        known: &Known,
    ) -> Result<Progress<Self::Out>, EngineError>;

    /// Writes the state that `sprag gate RUN` needs before it evaluates gates that are too slow for
    /// a host to wait for.
    fn hand_over(&mut self, _: &mut Tx<'_>, _: &Known) -> Result<(), EngineError> {
        Ok(())
    }

    /// Answers without these gates, because there was no time for them.
    fn late(&mut self, _: &[Wanted]) -> Result<Self::Out, EngineError> {
        Err(EngineError::Restless)
    }
}

impl<T, F> Decision for F
where
    F: FnMut(&mut Tx<'_>, &Known) -> Result<Progress<T>, EngineError>,
{
    type Out = T;

    fn decide(&mut self, tx: &mut Tx<'_>, known: &Known) -> Result<Progress<T>, EngineError> {
        self(tx, known)
    }
}

/// How far a decision got.
pub(crate) enum Progress<T> {
    /// It is decided: the transaction is committed.
    Done(T),
    /// It was a read only: the receipts are committed and nothing else.
    Looked(T),
    /// The transaction is committed, and the decision runs again.
    Again,
    /// It needs these answers first; nothing is committed yet.
    Needs(Box<Needs>),
}

impl<T> Progress<T> {
    /// Requests gates and rules, to be run as `config` specifies.
    pub(crate) fn needs(config: &Config, gates: Vec<Wanted>, rules: Vec<(Rule, Ask)>) -> Self {
        Self::Needs(Box::new(Needs::new(config, gates, rules)))
    }
}

/// The answers that a decision needs.
pub(crate) struct Needs {
    pub(crate) gates: Vec<Wanted>,
    pub(crate) rules: Vec<(Rule, Ask)>,
    /// Second looks, which run after everything else.
    pub(crate) looks: Vec<WantedLook>,
    /// Whether commands may run at all.
    pub(crate) checks: Checks,
    /// How long a host waits for the answer.
    pub(crate) wait: Duration,
    /// Whether to continue after a gate that fails.
    pub(crate) every: bool,
}

impl Needs {
    /// Requests gates and rules, to be run as `config` specifies.
    pub(crate) fn new(config: &Config, gates: Vec<Wanted>, rules: Vec<(Rule, Ask)>) -> Self {
        let wait = config.wait.unwrap_or(WAIT);
        let looks = Vec::new();
        Self { gates, rules, looks, checks: config.checks, wait, every: false }
    }

    /// Adds second looks.
    pub(crate) fn looking(self, looks: Vec<WantedLook>) -> Self {
        Self { looks, ..self }
    }
}

/// What was found out for a decision so far.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// New receipts, not yet committed.
    pub(crate) evidence: Vec<Evidence>,
    /// The gates that need a person's decision or approval, with their runs.
    pub(crate) held: Vec<(RunId, Name, Hold)>,
    /// The scan of the files after the last evaluation.
    pub(crate) tree: Option<Tree>,
    /// The answers of rules.
    pub(crate) answers: Answers,
    /// The results of second looks.
    pub(crate) looks: LookAnswers,
    /// Whether the driver of the run judges it.
    pub(crate) driven: bool,
    /// The id of a run that begins with this decision. Its receipts contain the id, so every round
    /// uses the same one.
    pub(crate) run: OnceCell<RunId>,
    /// The id of the run that a loop becomes with this decision, for the same reason.
    pub(crate) loop_run: OnceCell<RunId>,
}

impl Known {
    pub(crate) const fn is_evaluated(&self) -> bool {
        !self.evidence.is_empty() || !self.held.is_empty()
    }

    /// Returns whether this gate was evaluated for this decision.
    pub(crate) fn is_fresh(&self, gate: &str) -> bool {
        self.evidence.iter().any(|one| one.record.gate == gate)
    }

    /// Returns the signal that ends an attempt with these receipts, or holds it if one of its gates
    /// waits for a person. The signal carries no worth, so the machine refuses a pass until it is
    /// weighed.
    pub(crate) fn end(&self, run: &str, fence: Fence, word: Word, receipts: &[Receipt]) -> Signal {
        match self.held.iter().find(|(of, ..)| of.as_str() == run) {
            Some((_, _, hold)) => Signal::Hold { fence, hold: hold.clone() },
            None => Signal::End { fence, word, receipts: receipts.to_vec(), worth: None },
        }
    }
}

/// Who waits for the answer, which decides how long gates may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Within {
    /// A host, for the time in the configuration. `sprag gate RUN` evaluates a gate that may take
    /// longer.
    Host {
        /// Whether the session has work to answer for. Such a decision mostly writes, so it is made
        /// under the store's lock at once; any other takes the lock only to write.
        at_work: bool,
    },
    /// A person or an agent, without a time limit in practice.
    Caller,
    /// The driver of a run, likewise. It judges by the gates that ran for it.
    Driver,
    /// A person, no longer than the limits of the gates add up to.
    Limits,
}

impl Within {
    /// Returns the time at which the answer is due.
    fn due(self, began: Time, needs: &Needs) -> Time {
        let limit = |one: &Wanted| one.spec.timeout.unwrap_or(gate::LIMIT);
        let (from, length) = match self {
            Self::Host { .. } => (began, needs.wait),
            Self::Caller | Self::Driver => (clock::now(), LONG),
            Self::Limits => (clock::now(), needs.gates.iter().map(limit).sum()),
        };
        from.plus_millis(i64::try_from(length.as_millis()).unwrap_or(i64::MAX))
    }

    const fn is_host(self) -> bool {
        matches!(self, Self::Host { .. })
    }
}

impl Engine<'_> {
    /// Makes a decision and commits it, evaluating what it needs on the way.
    pub(crate) fn settle<D: Decision>(
        &self,
        actor: &str,
        within: Within,
        decision: &mut D,
    ) -> Result<D::Out, EngineError> {
        let began = clock::now();
        let mut known = Known { driven: within == Within::Driver, ..Known::default() };
        let lock = GateLock::default();
        let mut turn = None;
        for _ in 0..ROUNDS {
            let now = Now::knowing(self, known.tree.take());
            let needs = match self.round(actor, within, &now, &known, decision)? {
                Progress::Done(out) => {
                    receipts::remember(self.place, &known.evidence);
                    return Ok(out);
                }
                Progress::Looked(out) => {
                    self.leave(&known)?;
                    return Ok(out);
                }
                Progress::Again => continue,
                Progress::Needs(needs) => needs,
            };
            self.ask_rules(&needs.rules, needs.checks, &mut known.answers)?;
            let due = within.due(began, &needs);
            if needs.gates.is_empty() {
                self.take_looks(&needs, due, (&lock, &mut turn), &mut known)?;
                continue;
            }
            // A gate whose commands may not run takes no time.
            let is_long = |one: &Wanted| !one.fits(due) && self.may_run(one, needs.checks);
            if within.is_host() && needs.gates.first().is_some_and(is_long) {
                return self.settle_elsewhere(actor, &needs.gates, due, &known, decision);
            }
            match lock.enter(self, &mut turn, due)? {
                Acquired::AtOnce => {}
                // Another process may have left the wanted receipt.
                Acquired::AfterOthers => continue,
                Acquired::Late => return decision.late(&needs.gates),
            }
            if let Some(turn) = &turn {
                self.evaluate(&needs, due, now, turn, &mut known)?;
            }
        }
        Err(EngineError::Restless)
    }

    /// Takes the second looks that a decision needs, under the gate lock. If there is no time for a
    /// look, its doubts remain.
    fn take_looks<'l>(
        &self,
        needs: &Needs,
        due: Time,
        (lock, turn): (&'l GateLock, &mut Option<CacheLock<'l>>),
        known: &mut Known,
    ) -> Result<(), EngineError> {
        if needs.looks.is_empty() {
            return Ok(());
        }
        match lock.enter(self, turn, due)? {
            Acquired::AtOnce => {}
            // Another process may have taken the wanted look.
            Acquired::AfterOthers => return Ok(()),
            Acquired::Late => {
                known.looks.give_up(&needs.looks, "there was no time");
                return Ok(());
            }
        }
        match turn {
            Some(turn) => self.look_again(needs, due, turn, &mut known.looks),
            None => Ok(()),
        }
    }

    /// Runs a decision once and commits its transaction.
    fn round<D: Decision>(
        &self,
        actor: &str,
        within: Within,
        now: &Now<'_>,
        known: &Known,
        decision: &mut D,
    ) -> Result<Progress<D::Out>, EngineError> {
        let decide = deciding(now, Some(&known.answers), |tx| {
            let progress = decision.decide(tx, known)?;
            match &progress {
                Progress::Done(_) | Progress::Again => {}
                Progress::Looked(_) | Progress::Needs(_) => tx.discard(),
            }
            Ok(progress)
        });
        match within {
            Within::Host { at_work: true } => {
                // Scanning the files takes long, so it comes before the lock.
                now.tree()?;
                self.commit_at_once(actor, PATIENT, decide)
            }
            Within::Host { at_work: false } | Within::Caller | Within::Driver | Within::Limits => {
                self.commit(actor, PATIENT, decide)
            }
        }
    }

    /// Has a separate process evaluate gates that may take longer than the host waits. Waits until
    /// the answer is due and decides by the receipts so far. A missing receipt costs the session no
    /// retry.
    fn settle_elsewhere<D: Decision>(
        &self,
        actor: &str,
        gates: &[Wanted],
        due: Time,
        known: &Known,
        decision: &mut D,
    ) -> Result<D::Out, EngineError> {
        let runs: BTreeSet<&RunId> = gates.iter().map(|one| &one.asked.run).collect();
        // That process must find the runs, so new ones are written first.
        let now = Now::new(self);
        self.transact(actor, &now, |tx| decision.hand_over(tx, known))?;
        receipts::remember(self.place, &known.evidence);
        for run in runs {
            let words = ["gate".as_ref(), run.as_str().as_ref()];
            let done = process::apart(&words, &self.place.root, left(due))
                .map_err(|error| EngineError::NotWritten(error.to_string()))?;
            if !done {
                return decision.late(gates);
            }
        }
        let within = Within::Host { at_work: false };
        let (mut known, lock, mut turn) = (Known::default(), GateLock::default(), None);
        for _ in 0..ROUNDS {
            let now = Now::new(self);
            match self.round(actor, within, &now, &known, decision)? {
                Progress::Done(out) | Progress::Looked(out) => return Ok(out),
                Progress::Again => return decision.late(&[]),
                Progress::Needs(needs) if needs.gates.is_empty() && !needs.looks.is_empty() => {
                    self.take_looks(&needs, due, (&lock, &mut turn), &mut known)?;
                }
                // The files changed meanwhile; the next stop evaluates the gates again.
                Progress::Needs(needs) => return decision.late(&needs.gates),
            }
        }
        Err(EngineError::Restless)
    }

    /// Commits the new receipts without a decision.
    fn leave(&self, known: &Known) -> Result<(), EngineError> {
        if known.evidence.is_empty() && known.looks.kept().next().is_none() {
            return Ok(());
        }
        let now = Now::new(self);
        self.transact("sprag", &now, |tx| tx.receipts(known, |_| true))?;
        receipts::remember(self.place, &known.evidence);
        Ok(())
    }

    /// Runs a decision once, without gates, and commits its transaction.
    pub(crate) fn transact<T>(
        &self,
        actor: &str,
        now: &Now<'_>,
        decide: impl FnMut(&mut Tx<'_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.commit(actor, PATIENT, deciding(now, None, decide))
    }
}

#[cfg(test)]
mod tests;
