//! `sprag step`, with which an agent moves its workflow, and `sprag gate`, which only evaluates.
//!
//! The agent asks and the engine decides: a phase with gates is left only when they pass. The gates
//! run in the foreground, so a later stop usually finds their receipts.

use sprag_core::{
    Ask, Check, Denied, Facts, Fence, Hold, Name, RunId, SessionId, Signal, UnitId, Verdict, Word,
    prompt,
};

use crate::after_step::after_step;
use crate::engine::{Engine, EngineError};
use crate::integrity::DoubtsDoc;
use crate::judge::evaluate::Wanted;
use crate::judge::tx::Tx;
use crate::judge::{Decision, Known, Needs, Progress, Within};
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::run_file::RunFile;

/// Who moves a workflow.
#[derive(Clone, Copy, Debug)]
pub enum WorkflowActor<'a> {
    Person,
    /// The agent of this session.
    Session(&'a SessionId),
    /// An agent without a known session.
    Stranger,
}

impl WorkflowActor<'_> {
    fn actor(&self) -> &str {
        match self {
            Self::Person => "person",
            Self::Session(session) => session.as_str(),
            Self::Stranger => "agent",
        }
    }
}

/// The result of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stepped {
    /// The run moved on.
    Moved {
        /// The message for the agent.
        text: String,
    },
    /// The phase is not done.
    Failed {
        /// The failure with its evidence.
        text: String,
    },
    /// Only a person can resume the run.
    Held { hold: Hold },
}

impl Engine<'_> {
    /// Moves a run to its next phase if its gates pass.
    pub fn step_next(
        &self,
        run: &RunId,
        who: WorkflowActor<'_>,
        summary: Option<&str>,
    ) -> Result<Stepped, EngineError> {
        self.settle(who.actor(), Within::Caller, &mut StepNext { run, who, summary })
    }

    /// Goes back to the first phase of the innermost workflow.
    pub fn step_loop(&self, run: &RunId, who: WorkflowActor<'_>) -> Result<Stepped, EngineError> {
        let now = Now::new(self);
        self.transact(who.actor(), &now, |tx| {
            let mut case = OpenRun::open(self.kinds, tx.view, run)?;
            is_theirs(&case.run, who)?;
            let verb = Signal::Verb { verb: "loop".to_owned() };
            match case.run.live.step(&verb, tx.facts()?) {
                Ok(events) => tx.tell(&case.run.id().clone(), events),
                Err(Denied::Held(hold @ Hold::Exhausted { .. })) => {
                    let more = hold.ways().first().command(run);
                    let text = format!("{hold}; a person's `{more}` gives more");
                    return Ok(Stepped::Failed { text });
                }
                Err(Denied::Held(hold)) => return Ok(Stepped::Held { hold }),
                Err(Denied::Refused { why }) => {
                    return Ok(Stepped::Failed { text: format!("⚠️ {why}") });
                }
                Err(other) => return Err(other.into()),
            }
            after_step(tx, &mut case.run)?;
            tx.run(&case.run)?;
            let to = case.run.live.view().map_or_else(String::new, |view| view.what_to_do());
            Ok(Stepped::Moved { text: format!("🔄 Looped back to: {to}") })
        })
    }

    /// Returns the position of a run, as the agent should know it.
    pub fn step_status(&self, run: &RunId) -> Result<String, EngineError> {
        self.look(|view| {
            let case = OpenRun::open(self.kinds, view, run)?;
            // A driver announces the next phase, so its agent needs no command to advance.
            let alone = case.run.has_driver();
            let context =
                case.run.live.view().map(|view| if alone { view.alone() } else { view.context() });
            Ok(context.unwrap_or_else(|| format!("{run} is over.")))
        })
    }

    /// Evaluates the gates of a run's current unit and leaves their receipts, without deciding
    /// anything.
    pub fn gate(&self, run: &RunId) -> Result<(), EngineError> {
        self.settle("sprag", Within::Caller, &mut |tx: &mut Tx<'_>, known: &Known| {
            if known.is_evaluated() {
                return Ok(Progress::Looked(()));
            }
            let case = OpenRun::open(self.kinds, tx.view, run)?;
            let gates = unknown(tx, &case)?;
            if gates.is_empty() {
                return Ok(Progress::Looked(()));
            }
            Ok(Progress::needs(&case.law.config, gates, Vec::new()))
        })
    }
}

/// Returns the gates of the current unit that have no receipt for the current files.
fn unknown(tx: &Tx<'_>, case: &OpenRun) -> Result<Vec<Wanted>, EngineError> {
    let standing = case.standing(tx.engine(), tx.view, tx.now.tree()?, &Known::default())?;
    let gates = case.run.live.unit(tx.facts()?).into_iter().flat_map(|unit| unit.gates);
    let asks: Vec<_> = gates
        .filter(|gate| !matches!(gate.check, Check::Human { .. }))
        .filter(|gate| !standing.receipts.iter().any(|receipt| receipt.gate == gate.name))
        .map(Ask::Gate)
        .collect();
    standing.wanted(&case.run, &asks)
}

/// A step of a run to its next phase.
struct StepNext<'a> {
    run: &'a RunId,
    who: WorkflowActor<'a>,
    summary: Option<&'a str>,
}

impl Decision for StepNext<'_> {
    type Out = Stepped;

    fn decide(&mut self, tx: &mut Tx<'_>, known: &Known) -> Result<Progress<Stepped>, EngineError> {
        let mut case = OpenRun::open(tx.engine().kinds, tx.view, self.run)?;
        is_theirs(&case.run, self.who)?;
        let unanswered = case.run.live.unanswered(tx.facts()?);
        if !unanswered.is_empty() {
            return Ok(Progress::needs(&case.law.config, Vec::new(), unanswered));
        }
        tx.receipts(known, |_| true)?;
        let mut standing = case.standing(tx.engine(), tx.view, tx.now.tree()?, known)?;
        // An explicit request evaluates a failed gate again: it may be flaky.
        let is_fresh = |gate: &Name| known.is_fresh(gate.as_str());
        standing.receipts.retain(|one| one.verdict != Verdict::Fail || is_fresh(&one.gate));
        if let Some(hold) = case.run.awaits_review(tx.facts()?) {
            return Ok(held(tx, hold));
        }
        let from = case.run.phase_name();
        let run = case.run.id().clone();
        let fence = match begin(tx, &mut case.run)? {
            Ok(fence) => fence,
            Err(hold) => return Ok(held(tx, hold)),
        };
        let unit = case.run.live.attempts().iter().find(|a| a.fence() == fence);
        let unit = unit.map(|attempt| attempt.unit().clone());
        let signal = known.end(run.as_str(), fence, Word::Done, &standing.receipts);
        let mut doubts = DoubtsDoc::read(tx.engine(), tx.view, None)?.seeing(&known.looks);
        let stepped = case.end_weighed(tx, &signal, fence, self.summary, &mut doubts)?;
        doubts.save(tx);
        match stepped {
            Ok(events) => {
                case.run.header.forget_baselines(&events);
                standing.tell(tx, &run, events);
            }
            Err(Denied::Needs(asks)) => {
                let gates = standing.wanted(&case.run, &asks)?;
                let rules = case.run.live.rules_of(&asks);
                let needs = Needs::new(&case.law.config, gates, rules);
                return Ok(Progress::Needs(Box::new(needs.looking(doubts.take_wanted()))));
            }
            Err(Denied::Unchanged { .. }) => {}
            Err(Denied::Held(hold)) => return Ok(held(tx, hold)),
            Err(other) => return Err(other.into()),
        }
        if case.run.live.info().is_dispatched && fence != Fence(tx.facts()?.seq) {
            again(tx, &mut case.run, unit.as_ref())?;
        }
        if case.run.has_moved() {
            case.run.header.summary = self.summary.map(str::to_owned);
        }
        let said = after_step(tx, &mut case.run)?;
        tx.run(&case.run)?;
        Ok(Progress::Done(outcome(&case.run, &from, said, tx.facts()?)))
    }

    fn late(&mut self, _: &[Wanted]) -> Result<Stepped, EngineError> {
        let text = "another process has been checking here all the time".to_owned();
        Ok(Stepped::Failed { text })
    }
}

/// Answers with the hold and discards the transaction.
fn held(tx: &mut Tx<'_>, hold: Hold) -> Progress<Stepped> {
    tx.discard();
    Progress::Done(Stepped::Held { hold })
}

/// Refuses agents that do not drive the run. A person may always step it.
fn is_theirs(run: &RunFile, who: WorkflowActor<'_>) -> Result<(), EngineError> {
    if run.live.info().is_reported {
        return Err(EngineError::Refused {
            what: format!("{} continues by its checks, not by a step", run.id()),
            help: "`sprag next plan` shows what comes next".to_owned(),
        });
    }
    if run.has_driver() && !matches!(who, WorkflowActor::Person) {
        return Err(EngineError::Refused {
            what: format!(
                "{} is driven by `sprag run`, which tells its agent what comes next",
                run.id()
            ),
            help: "if that is you, stop when you are done: its driver judges".to_owned(),
        });
    }
    let foreign = || Err(Denied::Foreign { owner: run.live.owner().cloned() }.into());
    match (who, run.live.owner()) {
        (WorkflowActor::Session(session), Some(owner)) if session != owner => foreign(),
        (WorkflowActor::Stranger, Some(_)) => foreign(),
        (WorkflowActor::Person | WorkflowActor::Session(_) | WorkflowActor::Stranger, _) => Ok(()),
    }
}

/// Returns the attempt of the current unit; begins one if there is none.
fn begin(tx: &mut Tx<'_>, run: &mut RunFile) -> Result<Result<Fence, Hold>, EngineError> {
    let facts = tx.facts()?;
    let seq = facts.seq;
    let Some(unit) = run.live.unit(facts) else {
        return Err(Denied::Over.into());
    };
    let mut attempts = run.live.attempts().iter();
    if let Some(attempt) = attempts.find(|attempt| *attempt.unit() == unit.id) {
        return Ok(Ok(attempt.fence()));
    }
    let session = run.live.owner().cloned();
    let begin = Signal::Begin { unit: unit.id, agent: None, session };
    match run.live.step(&begin, facts) {
        Ok(events) => tx.tell(&run.id().clone(), events),
        Err(Denied::Held(hold)) => return Ok(Err(hold)),
        Err(other) => return Err(other.into()),
    }
    Ok(Ok(Fence(seq)))
}

/// Begins the unit of a tree again that has just failed: from now on the agent's changes are work
/// on it, even if the tree changes.
fn again(tx: &mut Tx<'_>, run: &mut RunFile, unit: Option<&UnitId>) -> Result<(), EngineError> {
    let next = run.live.unit(tx.facts()?).map(|next| next.id);
    let same = next.as_ref() == unit;
    if run.live.attempts().is_empty() && same {
        // If no try is left, the next query reports it.
        let _ = begin(tx, run)?;
    }
    Ok(())
}

/// Builds the answer to a step.
fn outcome(run: &RunFile, from: &str, said: Vec<String>, facts: &Facts) -> Stepped {
    if run.has_moved() {
        let to = match run.live.view() {
            Some(view) => view.what_to_do(),
            None => "DONE\n\n🎉 **All phases complete!**".to_owned(),
        };
        let mut text = format!("✓ Advanced: {from} → {to}");
        for line in said {
            text.push_str("\n\n");
            text.push_str(&line);
        }
        return Stepped::Moved { text };
    }
    let stands = run.live.waiting(facts).into_iter().next().map(|waiting| waiting.hold);
    match (stands.or_else(|| run.awaits_review(facts)), failure(run, facts)) {
        (Some(hold), None) => Stepped::Held { hold },
        (Some(hold), Some(text)) => Stepped::Failed { text: format!("{text}\nHeld: {hold}") },
        (None, Some(text)) => Stepped::Failed { text },
        (None, None) => Stepped::Failed { text: "Not finished.".to_owned() },
    }
}

/// Returns the failure on the current files, with its evidence.
fn failure(run: &RunFile, facts: &Facts) -> Option<String> {
    let red = run.live.failed_on(facts.tree).filter(|_| run.live.info().has_phases)?;
    let line = prompt::headline(&red.receipt, facts.now);
    let tail = prompt::evidence(&red.receipt.tail, prompt::EVIDENCE);
    Some(if tail.is_empty() { line } else { format!("{line}\n{tail}") })
}
