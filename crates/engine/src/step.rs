//! `sprag step`: the agent's own way to move its workflow, and `sprag gate`, which only looks.
//!
//! The agent asks, the engine decides: a phase with gates is left only when they pass. They run
//! here, in the foreground, so that a stop usually finds their receipts.

use std::time::Duration;

use sprag_core::rules::Rule;
use sprag_core::{
    Ask, Check, Denied, Facts, Fence, Hold, Id, Signal, UnitId, Verdict, Word, prompt,
};
use sprag_store::View;

use crate::case::Case;
use crate::draft::Draft;
use crate::drive::has_driver;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::evaluate::{Came, Floor, Gathered, Wanted};
use crate::known;
use crate::live::Live;
use crate::run_file::RunFile;
use crate::session::SessionId;
use crate::sitting::Now;
use crate::stop::settle;

/// So often gates are asked for again because the files changed meanwhile.
const ROUNDS: u32 = 6;
/// How long another process that evaluates gates here is waited for.
const LONG: Duration = Duration::from_hours(8);

/// Who moves a workflow.
#[derive(Clone, Copy, Debug)]
pub enum Who<'a> {
    /// A person.
    Person,
    /// The agent of this session.
    Session(&'a SessionId),
    /// An agent that does not say which session it is of.
    Stranger,
}

impl Who<'_> {
    fn actor(&self) -> &str {
        match self {
            Self::Person => "person",
            Self::Session(session) => session.as_str(),
            Self::Stranger => "agent",
        }
    }
}

/// What came of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stepped {
    /// The run went on.
    Moved {
        /// What the agent is told.
        text: String,
    },
    /// The phase is not done.
    Failed {
        /// What failed, and the evidence.
        text: String,
    },
    /// Only a person can set it going.
    Held {
        /// Why.
        hold: Hold,
    },
}

/// What a round came to.
enum Round {
    Done(Stepped),
    Needs(Vec<Wanted>, Vec<(Rule, Ask)>, sprag_formats::Checks),
}

impl Engine<'_> {
    /// Moves a run to its next phase, if its gates let it.
    pub fn step_next(
        &self,
        run: &Id,
        who: Who<'_>,
        summary: Option<&str>,
    ) -> Result<Stepped, EngineError> {
        let actor = who.actor();
        let mut gathered = Gathered::default();
        let floor = Floor::default();
        let mut turn = None;
        for _ in 0..ROUNDS {
            let now = Now::knowing(self, gathered.tree.take());
            let round = self.commit(actor, PATIENT, |view| {
                self.step_round(view, run, who, summary, &now, &gathered)
            })?;
            let (wanted, rules, checks) = match round {
                Round::Done(stepped) => {
                    known::remember(self.place, &gathered.evidence);
                    return Ok(stepped);
                }
                Round::Needs(wanted, rules, checks) => (wanted, rules, checks),
            };
            self.ask_rules(rules, checks, &mut gathered.answers)?;
            if wanted.is_empty() {
                continue;
            }
            match floor.enter(self, &mut turn, soon())? {
                Came::Ready => {}
                Came::After => continue,
                Came::Late => {
                    let text = "another process has been checking here all the time".to_owned();
                    return Ok(Stepped::Failed { text });
                }
            }
            if let Some(turn) = &turn {
                self.evaluate(&wanted, checks, soon(), now, turn, &mut gathered)?;
            }
        }
        Err(EngineError::Restless)
    }

    fn step_round(
        &self,
        view: &View<'_>,
        id: &Id,
        who: Who<'_>,
        summary: Option<&str>,
        now: &Now<'_>,
        gathered: &Gathered,
    ) -> Result<(Draft, Round), EngineError> {
        let mut draft = Draft::default();
        let mut case = Case::open(view, id)?;
        is_theirs(&case.run, who)?;
        let mut facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
        facts.answers.clone_from(&gathered.answers);
        let unanswered = case.run.live.unanswered(&facts);
        if !unanswered.is_empty() {
            let checks = case.law.config.checks;
            return Ok((draft, Round::Needs(Vec::new(), unanswered, checks)));
        }
        for evidence in &gathered.evidence {
            draft.evidence(evidence)?;
        }
        let mut standing = case.standing(self, view, now.tree()?, gathered)?;
        // Asked for by name, a failure is looked at again: it may have been a flaky one.
        let fresh = |gate: &sprag_core::Name| {
            gathered.evidence.iter().any(|one| one.record.gate == gate.as_str())
        };
        standing.receipts.retain(|one| one.verdict != Verdict::Fail || fresh(&one.gate));
        if let Some(hold) = case.run.awaits_review(&facts) {
            return Ok((Draft::default(), Round::Done(Stepped::Held { hold })));
        }
        let from = case.run.phase_name();
        let run = case.run.id().clone();
        let fence = match begin(&mut case.run, &facts, &mut draft)? {
            Ok(fence) => fence,
            Err(hold) => return Ok((Draft::default(), Round::Done(Stepped::Held { hold }))),
        };
        let unit = case.run.live.attempts().iter().find(|a| a.fence() == fence);
        let unit = unit.map(|attempt| attempt.unit().clone());
        let stands = gathered.held.iter().find(|(of, ..)| of == id);
        let receipts = standing.receipts.clone();
        let signal = stands
            .map_or(Signal::End { fence, word: Word::Done, receipts }, |(_, _, why)| {
                Signal::Stall { fence, hold: why.clone() }
            });
        match case.run.live.step_reading(view, &signal, &facts) {
            Ok(events) => standing.tell(&mut draft, &run, events),
            Err(Denied::Needs(asks)) => {
                let wanted = standing.wanted(&case.run, &asks)?;
                let rules = case.run.live.rules_of(&asks);
                return Ok((Draft::default(), Round::Needs(wanted, rules, case.law.config.checks)));
            }
            Err(Denied::Unchanged { .. }) => {}
            Err(Denied::Held(hold)) => {
                return Ok((Draft::default(), Round::Done(Stepped::Held { hold })));
            }
            Err(other) => return Err(other.into()),
        }
        if matches!(case.run.live, Live::Gsd(_)) && fence != Fence(facts.seq) {
            again(&mut case.run, unit.as_ref(), &facts, &mut draft)?;
        }
        if case.run.has_moved() {
            case.run.header.summary = summary.map(str::to_owned);
        }
        let said = settle(&mut case.run, now, &facts, &mut draft)?;
        draft.run(&case.run)?;
        Ok((draft, Round::Done(outcome(&case.run, &from, said, &facts))))
    }

    /// Goes back to the first phase of the innermost workflow.
    pub fn step_loop(&self, run: &Id, who: Who<'_>) -> Result<Stepped, EngineError> {
        let now = Now::new(self);
        self.commit(who.actor(), PATIENT, |view| {
            let mut draft = Draft::default();
            let mut case = Case::open(view, run)?;
            is_theirs(&case.run, who)?;
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            let verb = Signal::Do { verb: "loop".to_owned() };
            match case.run.live.step(&verb, &facts) {
                Ok(events) => draft.tell(&case.run.id().clone(), events),
                Err(Denied::Held(hold @ Hold::Exhausted { .. })) => {
                    let text = format!("{hold}; a person's `sprag resume {run}` gives more");
                    return Ok((draft, Stepped::Failed { text }));
                }
                Err(Denied::Held(hold)) => return Ok((draft, Stepped::Held { hold })),
                Err(Denied::Refused { why }) => {
                    return Ok((draft, Stepped::Failed { text: format!("⚠️ {why}") }));
                }
                Err(other) => return Err(other.into()),
            }
            settle(&mut case.run, &now, &facts, &mut draft)?;
            draft.run(&case.run)?;
            let to = case.run.view().map_or_else(String::new, |view| view.what_to_do());
            Ok((draft, Stepped::Moved { text: format!("🔄 Looped back to: {to}") }))
        })
    }

    /// Returns what an agent should know of where a run stands.
    pub fn step_status(&self, run: &Id) -> Result<String, EngineError> {
        self.look(|view| {
            let case = Case::open(view, run)?;
            // Whoever is told from outside what comes next has nothing to advance with.
            let alone = has_driver(&case.run);
            let context =
                case.run.view().map(|view| if alone { view.alone() } else { view.context() });
            Ok(context.unwrap_or_else(|| format!("{run} is over.")))
        })
    }

    /// Evaluates the gates of what a run works on and leaves their receipts; nothing is decided by
    /// it.
    pub fn gate(&self, run: &Id) -> Result<(), EngineError> {
        let floor = Floor::default();
        let mut turn = None;
        for _ in 0..ROUNDS {
            let now = Now::new(self);
            let (wanted, checks) = self.look(|view| self.unknown(view, run, &now))?;
            let mut gathered = Gathered::default();
            if wanted.is_empty() {
                return Ok(());
            }
            if floor.enter(self, &mut turn, soon())? == Came::After {
                continue;
            }
            let Some(turn) = &turn else { break };
            self.evaluate(&wanted, checks, soon(), now, turn, &mut gathered)?;
            return self.leave(&gathered);
        }
        Err(EngineError::Restless)
    }

    /// Returns the gates of what a run works on that nobody knows about on the files as they are.
    fn unknown(
        &self,
        view: &View<'_>,
        run: &Id,
        now: &Now<'_>,
    ) -> Result<(Vec<Wanted>, sprag_formats::Checks), EngineError> {
        let case = Case::open(view, run)?;
        let standing = case.standing(self, view, now.tree()?, &Gathered::default())?;
        let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
        let gates = case.run.live.unit(&facts).into_iter().flat_map(|unit| unit.gates);
        let asks: Vec<_> = gates
            .filter(|gate| !matches!(gate.check, Check::Human { .. }))
            .filter(|gate| !standing.receipts.iter().any(|receipt| receipt.gate == gate.name))
            .map(Ask::Gate)
            .collect();
        Ok((standing.wanted(&case.run, &asks)?, case.law.config.checks))
    }
}

pub(crate) fn soon() -> sprag_core::Time {
    let wait = i64::try_from(LONG.as_millis()).unwrap_or(i64::MAX);
    crate::clock::now().plus_millis(wait)
}

/// Refuses whoever does not drive the run; a person may.
fn is_theirs(run: &RunFile, who: Who<'_>) -> Result<(), EngineError> {
    if let Live::Plan(_) | Live::Loop(_) = &run.live {
        return Err(EngineError::Refused {
            what: format!("{} goes on by what its checks say, not by a step", run.id()),
            help: "`sprag next plan` shows what comes next".to_owned(),
        });
    }
    if has_driver(run) && !matches!(who, Who::Person) {
        return Err(EngineError::Refused {
            what: format!(
                "{} is driven by `sprag run`, which tells its agent what comes next",
                run.id()
            ),
            help: "if that is you, stop when you are done: whoever drives it judges".to_owned(),
        });
    }
    let foreign = || Err(Denied::Foreign { owner: run.live.owner().cloned() }.into());
    match (who, run.live.owner()) {
        (Who::Session(session), Some(owner)) if session.as_str() != owner.as_str() => foreign(),
        (Who::Stranger, Some(_)) => foreign(),
        (Who::Person | Who::Session(_) | Who::Stranger, _) => Ok(()),
    }
}

/// Returns the attempt of the unit at hand, begun now where it was not.
fn begin(
    run: &mut RunFile,
    facts: &Facts,
    draft: &mut Draft,
) -> Result<Result<Fence, Hold>, EngineError> {
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
        Ok(events) => draft.tell(&run.id().clone(), events),
        Err(Denied::Held(hold)) => return Ok(Err(hold)),
        Err(other) => return Err(other.into()),
    }
    Ok(Ok(Fence(facts.seq)))
}

/// Begins a unit of a tree that failed again: what is done about it from now on is work on it,
/// whatever the tree says by then.
fn again(
    run: &mut RunFile,
    unit: Option<&UnitId>,
    facts: &Facts,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let next = run.live.unit(facts).map(|next| next.id);
    let same = next.as_ref() == unit;
    if run.live.attempts().is_empty() && same {
        // Where nothing is left to try with, that is said by whoever looks next.
        let _ = begin(run, facts, draft)?;
    }
    Ok(())
}

/// Says what came of it.
fn outcome(run: &RunFile, from: &str, said: Vec<String>, facts: &Facts) -> Stepped {
    if run.has_moved() {
        let to = match run.view() {
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

/// Returns what failed on the files as they are.
fn failure(run: &RunFile, facts: &Facts) -> Option<String> {
    let Live::Workflow(held) = &run.live else { return None };
    let red = held.run.failed().values().find(|red| red.tree() == facts.tree)?;
    let line = prompt::headline(&red.receipt, facts.now);
    let tail = prompt::evidence(&red.receipt.tail, prompt::EVIDENCE);
    Some(if tail.is_empty() { line } else { format!("{line}\n{tail}") })
}
