//! Decides whether a session may stop: its attempts end by their gates, every run votes, and the
//! votes are merged into one answer.

use sprag_core::event::{EndedBy, StopAllowed, StopRefused};
use sprag_core::{
    Ask, Denied, Event, Fence, Hash, Prompt, Rank, Reply, RunId, SessionId, Signal, StopFacts,
    Unit, UnitId, Vote, merge,
};

use crate::after_step::{after_step, note_hold};
use crate::attach::HookEnv;
use crate::engine::kind::unit_of;
use crate::engine::{Engine, EngineError};
use crate::inbox::on_session_event::{AtWork, When};
use crate::integrity::DoubtsDoc;
use crate::judge::evaluate::Wanted;
use crate::judge::gate_results::GateResults;
use crate::judge::tx::Tx;
use crate::judge::{Decision, Known, Needs, Progress, Within};
use crate::run_file::RunFile;
use crate::session;
use crate::snapshot::Snapshot;
use crate::weigh::of_session;

/// A host's report of a stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stopping<'a> {
    /// How many refusals in a row the host accepts.
    pub cap: Option<u32>,
    /// What the session knows about the run it drives.
    pub told: HookEnv<'a>,
    /// The agent's last message.
    pub said: Option<&'a str>,
}

/// The answer to a stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopAnswer {
    Allow {
        /// Messages for the person.
        say: Vec<String>,
    },
    Refuse {
        /// The message for the agent.
        message: String,
        /// Messages for the person.
        say: Vec<String>,
    },
}

impl StopAnswer {
    const fn is_refusal(&self) -> bool {
        match self {
            Self::Allow { .. } => false,
            Self::Refuse { .. } => true,
        }
    }
}

impl Engine<'_> {
    /// Decides whether a session may stop in the current worktree.
    pub(crate) fn stop_in(
        &self,
        id: &SessionId,
        stopping: Stopping<'_>,
        part: StopScope,
    ) -> Result<StopAnswer, EngineError> {
        // A session without work to answer for rarely writes, so it needs no lock.
        let at_work = session::seems_at_work(&self.place.state, id);
        let mut stop = SessionStop { id, stopping, part };
        let (answer, trouble) = self.settle(id.as_str(), Within::Host { at_work }, &mut stop)?;
        self.trace_trouble(id, "at a stop", answer.is_refusal(), &trouble);
        Ok(answer)
    }
}

/// The stop of one session.
struct SessionStop<'a> {
    id: &'a SessionId,
    stopping: Stopping<'a>,
    part: StopScope,
}

/// Which part of a session a stop judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopScope {
    /// All of it: the session is in this worktree.
    Whole,
    /// Only its guard: the session was in this worktree before.
    Guard,
}

impl Decision for SessionStop<'_> {
    /// The answer, and the errors of unreadable runs and documents.
    type Out = (StopAnswer, Vec<String>);

    fn decide(
        &mut self,
        tx: &mut Tx<'_>,
        known: &Known,
    ) -> Result<Progress<Self::Out>, EngineError> {
        let (engine, view, now) = (tx.engine(), tx.view, tx.now);
        let Stopping { told, said, .. } = self.stopping;
        let mut sitting = Snapshot::load(view, self.id, now)?;
        let free = sitting.law.config.off || sitting.file.is_paused(now.at);
        let mut work = None;
        match self.part {
            StopScope::Whole => {
                if !free {
                    engine.begin(tx, &mut sitting, told, known)?;
                    let checks = sitting.law.config.checks;
                    for run in &mut sitting.runs {
                        let signal = run.live.session_said((view, now), checks, said)?;
                        signal.map_or(Ok(()), |signal| tx.step(run, &signal))?;
                    }
                }
                let asked = (When::Stops, &mut **tx);
                work = engine.at_work(view, &mut sitting, told, now, asked)?;
            }
            StopScope::Guard => {
                let guard = sitting.file.guard.clone();
                sitting.runs.retain(|run| Some(run.id()) == guard.as_ref());
                if !free && sitting.file.driven.is_none() {
                    engine.begin_guard(tx, &mut sitting, known)?;
                }
            }
        }
        if free || (sitting.runs.is_empty() && work.is_none()) {
            let mut missing = Vec::new();
            if !sitting.law.config.off {
                let doubts = DoubtsDoc::read(engine, view, None)?.seeing(&known.looks);
                missing = of_session::stopped(view, &mut sitting, now, doubts, tx)?.missing;
            }
            sitting.save(tx)?;
            return Ok(Progress::Done(unjudged(sitting, free, missing)));
        }
        // Another process may have begun a run first; then this one's run and its receipts are
        // dropped.
        tx.receipts(known, |run| has(&sitting, run))?;
        let mut doubts = DoubtsDoc::read(engine, view, None)?.seeing(&known.looks);
        if let Some(needs) = end_all(tx, &mut sitting, known, (said, &mut doubts))? {
            return Ok(needs);
        }
        for run in &mut sitting.runs {
            note_hold(tx, run)?;
        }
        let reply = vote(tx, &mut sitting, work.as_mut(), self.stopping)?;
        let lost = work.as_mut().and_then(|work| work.lost.take());
        let reply = after_loss(reply, lost, &mut sitting);
        if let Some(work) = &mut work {
            work.seat.save(tx)?;
        }
        let trouble = sitting.trouble.clone();
        let mut answer = close(tx, &mut sitting, reply, self.part)?;
        match &mut answer {
            StopAnswer::Refuse { .. } => doubts.save(tx),
            StopAnswer::Allow { say } => {
                let said = of_session::stopped(view, &mut sitting, now, doubts, tx)?;
                say.extend(said.missing.into_iter().chain(said.doubted));
            }
        }
        sitting.save(tx)?;
        Ok(Progress::Done((answer, trouble)))
    }

    fn hand_over(&mut self, tx: &mut Tx<'_>, known: &Known) -> Result<(), EngineError> {
        let mut sitting = Snapshot::load(tx.view, self.id, tx.now)?;
        match self.part {
            StopScope::Whole => tx.engine().begin(tx, &mut sitting, self.stopping.told, known)?,
            StopScope::Guard => tx.engine().begin_guard(tx, &mut sitting, known)?,
        }
        sitting.save(tx)?;
        tx.receipts(known, |run| has(&sitting, run))
    }

    fn late(&mut self, gates: &[Wanted]) -> Result<Self::Out, EngineError> {
        let names: Vec<_> = gates.iter().map(|one| format!("`{}`", one.spec.gate.name)).collect();
        let say = if names.is_empty() {
            "the files or documents changed meanwhile; the next stop is judged anew".to_owned()
        } else {
            let names = names.join(", ");
            format!("{names} still runs; `sprag` shows what it says when it is done")
        };
        Ok((StopAnswer::Allow { say: vec![say] }, Vec::new()))
    }
}

fn has(sitting: &Snapshot, run: &RunId) -> bool {
    sitting.runs.iter().any(|file| file.id() == run)
}

/// Allows the stop of a session that is free or has no work to answer for.
fn unjudged(mut sitting: Snapshot, free: bool, missing: Vec<String>) -> (StopAnswer, Vec<String>) {
    let trouble = std::mem::take(&mut sitting.trouble);
    let mut say = trouble.clone();
    say.extend(missing);
    if sitting.is_new() && !free && sitting.guard().is_some() {
        say.push("this session was never seen before, so nothing is known of it".to_owned());
    }
    (StopAnswer::Allow { say }, trouble)
}

/// Ends the session's attempts in all its runs. Returns what must be evaluated first, if anything.
fn end_all<T>(
    tx: &mut Tx<'_>,
    sitting: &mut Snapshot,
    known: &Known,
    (said, doubts): (Option<&str>, &mut DoubtsDoc),
) -> Result<Option<Progress<T>>, EngineError> {
    let tree = tx.now.tree()?;
    let (mut gates, mut rules) = (Vec::new(), Vec::new());
    for at in 0..sitting.runs.len() {
        rules.extend(sitting.runs[at].live.unanswered(tx.facts()?));
        sitting.play(at, tx.facts()?);
        let standing = GateResults::of(tx.engine(), tx.view, sitting, at, tree, known)?;
        let asks = end(tx, sitting, at, (&standing, known), (said, doubts))?;
        let live = &sitting.runs[at].live;
        gates.extend(standing.wanted(&sitting.runs[at], &asks)?);
        rules.extend(live.rules_of(&asks));
        // The next unit may depend on rules too.
        rules.extend(live.unanswered(tx.facts()?));
    }
    let looks = doubts.take_wanted();
    if gates.is_empty() && rules.is_empty() && looks.is_empty() {
        return Ok(None);
    }
    let needs = Needs::new(&sitting.law.config, gates, rules).looking(looks);
    Ok(Some(Progress::Needs(Box::new(needs))))
}

/// Ends the session's attempts in one run, and begins one first if the run would refuse the stop.
/// Returns what must be evaluated first.
fn end(
    tx: &mut Tx<'_>,
    sitting: &mut Snapshot,
    at: usize,
    (standing, known): (&GateResults, &Known),
    (said, doubts): (Option<&str>, &mut DoubtsDoc),
) -> Result<Vec<Ask>, EngineError> {
    let desk = sitting.desk();
    let session = sitting.id.clone();
    let run = &mut sitting.runs[at];
    let id = run.id().clone();
    let mut fences = mine(run, &session);
    // An agent that asks for its units does not know the next one yet, so there is nothing to judge.
    if fences.is_empty()
        && !run.live.info().is_dispatched
        && let Ok(Vote::Refuse { unit }) = run.live.vote(&desk, tx.facts()?)
    {
        let begin = Signal::Begin { unit: unit.id, agent: None, session: Some(session) };
        let events = run.live.step_reading(tx.view, &begin, tx.facts()?)?;
        tx.tell(&id, events);
        fences.push(Fence(tx.facts()?.seq));
    }
    let mut wanted = Vec::new();
    for fence in fences {
        let signal =
            known.end(id.as_str(), fence, sitting.runs[at].live.word(), &standing.receipts);
        let mut live = sitting.runs[at].live.clone();
        let stepped = live.step_weighed(tx.view, &signal, tx.facts()?, |live| {
            let unit = unit_of(live, fence, tx.facts()?);
            let run = unit.as_ref().map(|unit| (&sitting.runs[at], unit));
            of_session::weigh(tx.view, sitting, run, said, tx.now, doubts)
        })?;
        let run = &mut sitting.runs[at];
        run.live = live;
        match stepped {
            Ok(events) => {
                run.header.forget_baselines(&events);
                if run.live.info().is_listed && events.iter().any(is_gated) {
                    sitting.file.refused = 0;
                }
                standing.tell(tx, &id, events);
            }
            Err(Denied::Needs(asks)) => wanted.extend(asks),
            // The attempt continues.
            Err(
                Denied::Unchanged { .. }
                | Denied::Unclaimed { .. }
                | Denied::Held(_)
                | Denied::Stale { .. },
            ) => {}
            Err(other) => return Err(other.into()),
        }
    }
    Ok(wanted)
}

/// Returns whether an event ends a unit by passing its gates.
fn is_gated(event: &Event) -> bool {
    event.ending().is_some_and(|end| end.how == EndedBy::Passed)
}

/// Returns the fences of the session's attempts in a run.
fn mine(run: &RunFile, session: &SessionId) -> Vec<Fence> {
    let attempts = run.live.attempts().iter();
    attempts.filter(|a| a.session() == Some(session)).map(sprag_core::Attempt::fence).collect()
}

/// Merges the votes of all runs into one answer, and counts it.
fn vote(
    tx: &mut Tx<'_>,
    sitting: &mut Snapshot,
    work: Option<&mut AtWork>,
    stopping: Stopping<'_>,
) -> Result<Reply, EngineError> {
    let facts = tx.facts()?;
    let desk = sitting.desk();
    let mut votes: Vec<(Rank, Vote)> = sitting
        .runs
        .iter()
        .map(|run| (run.live.rank(), run.live.vote(&desk, facts).unwrap_or(Vote::Silent)))
        .collect();
    let own = work.as_ref().map(|work| work.seat.slice.vote(&desk, facts));
    let refuses = matches!(own, Some(Vote::Refuse { .. }));
    votes.extend(own.map(|vote| (Rank::Assignment, vote)));
    let limits =
        [sitting.law.config.limits, sitting.guard().map_or_else(Default::default, |g| g.limits)];
    let phases = sitting.runs.iter().filter_map(|run| Some(run.live.phase()?.limits));
    let refusals = limits.into_iter().chain(phases).filter_map(|limits| limits.refusals).min();
    let of_project = limits.into_iter().filter_map(|limits| limits.blocks_without_progress);
    let of_runs = sitting.runs.iter().filter_map(|run| run.live.patience());
    let stop = StopFacts {
        cap: stopping.cap,
        limit: of_project.chain(of_runs).min(),
        refusals,
        mark: mark(sitting, facts.tree),
        now: facts.now,
    };
    let prompt = |at: usize, unit: &Unit| match (sitting.runs.get(at), &work) {
        (Some(run), _) => run.live.prompt(unit, facts),
        (None, Some(work)) => work.seat.slice.prompt(unit, facts),
        (None, None) => Prompt::default(),
    };
    let (desk, reply) = merge(&desk, &stop, &votes, prompt);
    sitting.file.sit(desk);
    let session = sitting.id.clone();
    for (run, (_, vote)) in sitting.runs.iter_mut().zip(votes) {
        if let Vote::Refuse { unit } = vote {
            carry_out(tx, run, unit.id, &session, &reply)?;
        }
    }
    if let (Reply::Stalled { hold, .. }, Some(work), true) = (&reply, work, refuses) {
        let events = work.seat.slice.stall(hold.clone(), tx.facts()?)?;
        tx.tell(&crate::inbox::run()?, events);
    }
    Ok(reply)
}

/// Begins the unit that a refusal names, and holds a run that made no progress.
fn carry_out(
    tx: &mut Tx<'_>,
    run: &mut RunFile,
    unit: UnitId,
    session: &SessionId,
    reply: &Reply,
) -> Result<(), EngineError> {
    let hold = match reply {
        Reply::Allow { .. } => return Ok(()),
        Reply::Refused { .. } => None,
        Reply::Stalled { hold, .. } => Some(hold),
    };
    if mine(run, session).is_empty() {
        let begin = Signal::Begin { unit, agent: None, session: Some(session.clone()) };
        tx.step(run, &begin)?;
    }
    let Some(hold) = hold else { return Ok(()) };
    for fence in mine(run, session) {
        tx.step(run, &Signal::Hold { fence, hold: hold.clone() })?;
    }
    Ok(())
}

/// Returns the hash of the work's progress.
fn mark(sitting: &Snapshot, tree: Hash) -> Hash {
    let mut text = tree.to_string();
    for run in &sitting.runs {
        text.push_str(&sprag_formats::new_file(&run.live.position()));
    }
    Hash::of(text)
}

/// Puts the news of lost work before a refusal's message. If the stop is allowed, the person gets
/// the news.
fn after_loss(reply: Reply, lost: Option<String>, sitting: &mut Snapshot) -> Reply {
    match (reply, lost) {
        (Reply::Refused { message }, Some(lost)) => {
            Reply::Refused { message: format!("{lost}\n{message}") }
        }
        (reply, lost) => {
            sitting.trouble.extend(lost);
            reply
        }
    }
}

/// Closes runs that are done, collects the messages for a person, and records the answer.
fn close(
    tx: &mut Tx<'_>,
    sitting: &mut Snapshot,
    reply: Reply,
    part: StopScope,
) -> Result<StopAnswer, EngineError> {
    let mut say = std::mem::take(&mut sitting.trouble);
    let goes_on = matches!(reply, Reply::Refused { .. });
    for run in &mut sitting.runs {
        say.extend(run.live.session_stopped(goes_on));
    }
    for run in &mut sitting.runs {
        say.extend(after_step(tx, run)?);
        let facts = tx.facts()?;
        let waits = run.live.news(facts).into_iter().map(|waiting| waiting.hold);
        let waits = waits.chain(run.awaits_review(facts));
        say.extend(waits.map(|hold| format!("{} waits for you: {hold}", run.id())));
    }
    let over = |run: &&RunId| {
        let found = sitting.runs.iter().find(|file| file.id() == *run);
        found.is_some_and(|file| file.header.ended.is_some())
    };
    let ended: Vec<RunId> = sitting.file.runs.iter().filter(over).cloned().collect();
    sitting.file.runs.retain(|run| !ended.contains(run));
    let session = sitting.id.to_string();
    let filled = |why: String| Some(why).filter(|why| !why.is_empty());
    let (event, answer): (Event, _) = match reply {
        Reply::Allow { why } => {
            let why = filled(why.join("; "));
            (StopAllowed { session, why }.into(), StopAnswer::Allow { say })
        }
        Reply::Refused { message } => {
            sitting.file.refuse_with(&message);
            let why = filled(message.lines().next().unwrap_or_default().to_owned());
            (StopRefused { session, why }.into(), StopAnswer::Refuse { message, say })
        }
        Reply::Stalled { hold, .. } => {
            let why = filled(hold.to_string());
            (StopAllowed { session, why }.into(), StopAnswer::Allow { say })
        }
    };
    // In a worktree that the session has left, an allowed stop is not final yet.
    if part == StopScope::Whole || answer.is_refusal() {
        tx.note(None, event);
    }
    Ok(answer)
}
