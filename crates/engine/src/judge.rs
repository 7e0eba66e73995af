//! The one loop that decides: load, decide, find out what is missing, decide again, commit.
//!
//! A [`Decision`] names the gates, rules and second looks whose answers it needs. They take long, so
//! none runs while the store is locked: [`Engine::settle`] runs them between two looks
//! at the documents and lets the decision be made again. Its outcome is one commit.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::time::Duration;

use sprag_core::rules::Rule;
use sprag_core::{Ask, Fence, Hold, Name, Receipt, RunId, Signal, Time, Word};
use sprag_formats::{Checks, Config};
use sprag_store::Turn;

use crate::engine::{Engine, EngineError, PATIENT};
use crate::evaluate::{Acquired, Answers, GateLock, Wanted, left};
use crate::integrity::{LookAnswers, WantedLook};
use crate::receipt::Evidence;
use crate::sitting::Now;
use crate::tree::Tree;
use crate::tx::{Tx, deciding};
use crate::{clock, gate, known as receipts, process};

/// A decision is given up after so many rounds: the documents or the files never stand still.
pub(crate) const ROUNDS: u32 = 32;
/// How long a stop waits for its gates when the project does not say.
pub(crate) const WAIT: Duration = Duration::from_mins(10);
/// How long a process that is not a host hook waits for another one that evaluates gates here.
const LONG: Duration = Duration::from_hours(8);

/// Something to decide that may need gates or rules first.
///
/// A closure is one, where nothing but [`Decision::decide`] is needed.
pub(crate) trait Decision {
    /// The answer.
    type Out;

    /// Decides as far as `known` carries; [`Engine::settle`] calls it again with more, or because a
    /// document changed meanwhile.
    fn decide(
        &mut self,
        tx: &mut Tx<'_>,
        known: &Known,
    ) -> Result<Progress<Self::Out>, EngineError>;

    /// Writes what `sprag gate RUN` must find before it evaluates gates that a host does not wait
    /// for.
    fn hand_over(&mut self, _: &mut Tx<'_>, _: &Known) -> Result<(), EngineError> {
        Ok(())
    }

    /// Answers without these gates: there was no time for them.
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

/// How far a decision came.
pub(crate) enum Progress<T> {
    /// It is made: what the transaction holds is committed.
    Done(T),
    /// It only looked: the receipts are left, and nothing else is written.
    Looked(T),
    /// What the transaction holds is committed, and what comes next may be something else.
    Again,
    /// This must be known first; nothing is written before.
    Needs(Box<Needs>),
}

impl<T> Progress<T> {
    /// Names the gates and rules that a decision needs, to be run as `config` says.
    pub(crate) fn needs(config: &Config, gates: Vec<Wanted>, rules: Vec<(Rule, Ask)>) -> Self {
        Self::Needs(Box::new(Needs::new(config, gates, rules)))
    }
}

/// What a decision must know.
pub(crate) struct Needs {
    pub(crate) gates: Vec<Wanted>,
    pub(crate) rules: Vec<(Rule, Ask)>,
    /// The second looks; they come after everything else.
    pub(crate) looks: Vec<WantedLook>,
    /// Whether commands may run at all.
    pub(crate) checks: Checks,
    /// How long a host waits for the answer.
    pub(crate) wait: Duration,
    /// Whether the gates after one that fails are evaluated as well.
    pub(crate) every: bool,
}

impl Needs {
    /// Names gates and rules, to be run as `config` says.
    pub(crate) fn new(config: &Config, gates: Vec<Wanted>, rules: Vec<(Rule, Ask)>) -> Self {
        let wait = config.wait.unwrap_or(WAIT);
        let looks = Vec::new();
        Self { gates, rules, looks, checks: config.checks, wait, every: false }
    }

    /// Names second looks as well.
    pub(crate) fn looking(self, looks: Vec<WantedLook>) -> Self {
        Self { looks, ..self }
    }
}

/// What was found out for a decision so far.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// New receipts, not yet committed.
    pub(crate) evidence: Vec<Evidence>,
    /// The gates that only a person can decide or allow, with their runs.
    pub(crate) held: Vec<(RunId, Name, Hold)>,
    /// The tree as the last evaluation left it.
    pub(crate) tree: Option<Tree>,
    /// What the commands of rules said.
    pub(crate) answers: Answers,
    /// What second looks found.
    pub(crate) looks: LookAnswers,
    /// Whether the driver of the run judges it.
    pub(crate) driven: bool,
    /// The name of a run that begins with this decision. The receipts bear it, so every round uses
    /// the same one.
    pub(crate) run: OnceCell<RunId>,
    /// The name of the run that a loop becomes with this decision, for the same reason.
    pub(crate) loop_run: OnceCell<RunId>,
}

impl Known {
    /// Returns whether gates were evaluated for this decision.
    pub(crate) const fn is_evaluated(&self) -> bool {
        !self.evidence.is_empty() || !self.held.is_empty()
    }

    /// Returns whether a gate was evaluated for this decision.
    pub(crate) fn is_fresh(&self, gate: &str) -> bool {
        self.evidence.iter().any(|one| one.record.gate == gate)
    }

    /// Returns the end of an attempt by these receipts; where a gate of its run waits for a person,
    /// the attempt waits with it.
    /// A pass is refused until it is weighed.
    pub(crate) fn end(&self, run: &str, fence: Fence, word: Word, receipts: &[Receipt]) -> Signal {
        match self.held.iter().find(|(of, ..)| of.as_str() == run) {
            Some((_, _, hold)) => Signal::Stall { fence, hold: hold.clone() },
            None => Signal::End { fence, word, receipts: receipts.to_vec(), worth: None },
        }
    }
}

/// Who waits for the answer, and what happens to gates that take long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Within {
    /// A host, as long as the configuration says. `sprag gate RUN` evaluates a gate that may take
    /// longer.
    Host {
        /// Whether the session has work to answer for. Then the decision mostly writes, so it is
        /// made under the store's lock at once; else no lock is taken unless it writes.
        at_work: bool,
    },
    /// A person or an agent, as long as it takes.
    Caller,
    /// The driver of a run, as long as it takes. It judges by what was run for it.
    Driver,
    /// A person, no longer than the gates themselves may take.
    Limits,
}

impl Within {
    /// Returns when the answer is due.
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
    /// Makes a decision and commits it, finding out what it needs on the way.
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
            // What may not run at all needs no time.
            let is_long = |one: &Wanted| !one.fits(due) && self.may_run(one, needs.checks);
            if within.is_host() && needs.gates.first().is_some_and(is_long) {
                return self.settle_elsewhere(actor, &needs.gates, due, &known, decision);
            }
            match lock.enter(self, &mut turn, due)? {
                Acquired::AtOnce => {}
                // Another process may have left the very receipt.
                Acquired::AfterOthers => continue,
                Acquired::Late => return decision.late(&needs.gates),
            }
            if let Some(turn) = &turn {
                self.evaluate(&needs, due, now, turn, &mut known)?;
            }
        }
        Err(EngineError::Restless)
    }

    /// Takes the second looks that a decision needs, once it is this process's turn. Without the time
    /// for one, nothing is cleared.
    fn take_looks<'l>(
        &self,
        needs: &Needs,
        due: Time,
        (lock, turn): (&'l GateLock, &mut Option<Turn<'l>>),
        known: &mut Known,
    ) -> Result<(), EngineError> {
        if needs.looks.is_empty() {
            return Ok(());
        }
        match lock.enter(self, turn, due)? {
            Acquired::AtOnce => {}
            // Another process may have taken the very look.
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

    /// Lets a decision be made once and commits what it writes.
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
                // To look at the files takes long, so that comes before the lock.
                now.tree()?;
                self.commit_at_once(actor, PATIENT, decide)
            }
            Within::Host { at_work: false } | Within::Caller | Within::Driver | Within::Limits => {
                self.commit(actor, PATIENT, decide)
            }
        }
    }

    /// Lets a process of its own evaluate gates that may take longer than there is time, waits for
    /// it as long as there is, and decides by what it left. What is not there in time costs the
    /// session nothing.
    fn settle_elsewhere<D: Decision>(
        &self,
        actor: &str,
        gates: &[Wanted],
        due: Time,
        known: &Known,
        decision: &mut D,
    ) -> Result<D::Out, EngineError> {
        let runs: BTreeSet<&RunId> = gates.iter().map(|one| &one.asked.run).collect();
        // It must find the runs, so those that begin now are written first.
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
                // The files changed meanwhile; the next stop will ask again.
                Progress::Needs(needs) => return decision.late(&needs.gates),
            }
        }
        Err(EngineError::Restless)
    }

    /// Commits the receipts that were found out, without deciding anything by them.
    fn leave(&self, known: &Known) -> Result<(), EngineError> {
        if known.evidence.is_empty() && known.looks.kept().next().is_none() {
            return Ok(());
        }
        let now = Now::new(self);
        self.transact("sprag", &now, |tx| tx.receipts(known, |_| true))?;
        receipts::remember(self.place, &known.evidence);
        Ok(())
    }

    /// Decides once and commits what is written.
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
