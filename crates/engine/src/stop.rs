//! A session wants to stop: the engine's part of the decision.
//!
//! What the session works on is ended by what the gates say; every run then votes, and one answer
//! is made of the votes. Gates take long, so they run between looks at the documents: a round that
//! lacks an answer names the gates, they are evaluated, and the next round decides. Everything that
//! comes of it is one commit.

use std::time::Duration;

use sprag_core::{
    Denied, Effect, Facts, Fence, Hash, Id, Kind, Rank, Reply, Signal, Stop, Vote, Word, merge,
};
use sprag_store::View;

use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::evaluate::{Gathered, Wanted, left};
use crate::run_file::{RunFile, Source};
use crate::session::SessionId;
use crate::sitting::{Now, Sitting, protected};
use crate::standing::Standing;
use crate::{known, process};

/// How long a stop waits for its gates when the project does not say.
pub const WAIT: Duration = Duration::from_mins(10);
/// So often gates are asked for again because the files changed meanwhile.
const ROUNDS: u32 = 6;

/// What a host says of a stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stopping<'a> {
    /// How many refusals in a row the host endures.
    pub cap: Option<u32>,
    /// The run that the session was told to drive.
    pub told: Option<&'a Id>,
}

/// The answer to a stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The session may stop.
    Allow {
        /// What the person should know.
        say: Vec<String>,
    },
    /// The session may not stop.
    Refuse {
        /// What the agent is told.
        message: String,
        /// What the person should know.
        say: Vec<String>,
    },
}

/// What a round came to.
enum Round {
    Done(Answer),
    Needs { wanted: Vec<Wanted>, checks: sprag_formats::Checks, wait: Duration },
}

impl Engine<'_> {
    /// Decides whether a session may stop.
    pub fn stop(&self, id: &SessionId, stopping: Stopping<'_>) -> Result<Answer, EngineError> {
        let began = crate::clock::now();
        let mut gathered = Gathered::default();
        for _ in 0..ROUNDS {
            let now = Now::new(self);
            let round = self.commit(id.as_str(), PATIENT, |view| {
                self.round(view, id, stopping, &now, &gathered)
            })?;
            let (wanted, checks, wait) = match round {
                Round::Done(answer) => {
                    known::remember(self.place, &gathered.evidence);
                    return Ok(answer);
                }
                Round::Needs { wanted, checks, wait } => (wanted, checks, wait),
            };
            let until = began.plus_millis(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX));
            // What may not run at all needs no time.
            let long = |one: &Wanted| !one.fits(until) && self.may_run(one, checks);
            if wanted.first().is_some_and(long) {
                return self.hand_over(id, stopping, &wanted, until, &gathered);
            }
            self.evaluate(&wanted, checks, until, &mut gathered)?;
            if !gathered.late.is_empty() {
                return Ok(Answer::Allow { say: vec![late(&wanted)] });
            }
        }
        Err(EngineError::Restless)
    }

    /// Lets a process of its own evaluate gates that may take longer than there is time, waits for
    /// it as long as there is, and decides by what it left. What is not there in time spends
    /// nothing.
    fn hand_over(
        &self,
        id: &SessionId,
        stopping: Stopping<'_>,
        wanted: &[Wanted],
        until: sprag_core::Time,
        gathered: &Gathered,
    ) -> Result<Answer, EngineError> {
        let runs: std::collections::BTreeSet<&Id> =
            wanted.iter().map(|one| &one.asked.run).collect();
        // It must find the runs, so what was begun is written first.
        let now = Now::new(self);
        self.commit(id.as_str(), PATIENT, |view| {
            let mut draft = Draft::default();
            let mut sitting = Sitting::load(view, id, &now)?;
            self.begin(view, &mut sitting, stopping.told, &now, gathered, &mut draft)?;
            sitting.save(&mut draft)?;
            for evidence in &gathered.evidence {
                draft.evidence(evidence)?;
            }
            Ok((draft, ()))
        })?;
        known::remember(self.place, &gathered.evidence);
        for run in runs {
            let words = ["gate".as_ref(), run.as_str().as_ref()];
            let done = process::apart(&words, &self.place.root, left(until))
                .map_err(|error| EngineError::NotWritten(error.to_string()))?;
            if !done {
                return Ok(Answer::Allow { say: vec![late(wanted)] });
            }
        }
        let now = Now::new(self);
        let gathered = Gathered::default();
        let round = self
            .commit(id.as_str(), PATIENT, |view| self.round(view, id, stopping, &now, &gathered))?;
        match round {
            Round::Done(answer) => Ok(answer),
            // The files changed meanwhile; the next stop will ask again.
            Round::Needs { wanted, .. } => Ok(Answer::Allow { say: vec![late(&wanted)] }),
        }
    }

    /// Decides as far as that is possible with what is known.
    fn round(
        &self,
        view: &View<'_>,
        id: &SessionId,
        stopping: Stopping<'_>,
        now: &Now<'_>,
        gathered: &Gathered,
    ) -> Result<(Draft, Round), EngineError> {
        let mut draft = Draft::default();
        let mut sitting = Sitting::load(view, id, now)?;
        let free = sitting.law.config.off || sitting.file.is_paused(now.at);
        if !free {
            self.begin(view, &mut sitting, stopping.told, now, gathered, &mut draft)?;
        }
        if free || sitting.runs.is_empty() {
            sitting.save(&mut draft)?;
            return Ok((draft, Round::Done(Answer::Allow { say: sitting.trouble })));
        }
        for evidence in &gathered.evidence {
            draft.evidence(evidence)?;
        }
        let tree = now.tree()?;
        let facts = Facts::new(now.at, view.seq(), tree.hash());
        let mut wanted = Vec::new();
        for at in 0..sitting.runs.len() {
            let standing = Standing::of(self, view, &sitting, at, tree, gathered)?;
            wanted.extend(end(&mut sitting, at, &standing, &facts, gathered, &mut draft)?);
        }
        if !wanted.is_empty() {
            let checks = sitting.law.config.checks;
            let wait = sitting.law.config.wait.unwrap_or(WAIT);
            // Nothing is written before everything is known.
            return Ok((Draft::default(), Round::Needs { wanted, checks, wait }));
        }
        let answer = vote(&mut sitting, stopping, &facts, &mut draft)?;
        let answer = close(&mut sitting, now, &facts, answer, &mut draft)?;
        sitting.save(&mut draft)?;
        Ok((draft, Round::Done(answer)))
    }
}

/// Ends the session's attempts in one run, beginning one where the run would refuse; returns the
/// gates that must be known first.
fn end(
    sitting: &mut Sitting,
    at: usize,
    standing: &Standing,
    facts: &Facts,
    gathered: &Gathered,
    draft: &mut Draft,
) -> Result<Vec<Wanted>, EngineError> {
    let desk = sitting.file.desk(sitting.session.clone());
    let session = sitting.session.clone();
    let run = &mut sitting.runs[at];
    let id = run.id().clone();
    let mut fences = mine(run, &session);
    if fences.is_empty() {
        if let Ok(Vote::Refuse { unit }) = run.live.vote(&desk, facts) {
            let begin = Signal::Begin { unit: unit.id, agent: None, session: Some(session) };
            draft.tell(&id, run.live.step(&begin, facts)?);
            fences.push(Fence(facts.seq));
        }
    }
    let held = gathered.held.iter().find(|(of, ..)| of.as_str() == id.as_str());
    let mut wanted = Vec::new();
    for fence in fences {
        let signal = match held {
            Some((_, _, hold)) => Signal::Stall { fence, hold: hold.clone() },
            None => Signal::End { fence, word: Word::None, receipts: standing.receipts.clone() },
        };
        match run.live.step(&signal, facts) {
            Ok(events) => draft.tell(&id, events),
            Err(Denied::Needs(asks)) => wanted.extend(standing.wanted(run, &asks)?),
            // It goes on as it was.
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

/// Returns the fences of the session's attempts in a run.
pub(crate) fn mine(run: &RunFile, session: &sprag_core::Session) -> Vec<Fence> {
    let attempts = run.live.attempts().iter();
    attempts.filter(|a| a.session() == Some(session)).map(sprag_core::Attempt::fence).collect()
}

/// Makes one answer of the votes of all runs, and counts it.
fn vote(
    sitting: &mut Sitting,
    stopping: Stopping<'_>,
    facts: &Facts,
    draft: &mut Draft,
) -> Result<Reply, EngineError> {
    let desk = sitting.file.desk(sitting.session.clone());
    let votes: Vec<(Rank, Vote)> = sitting
        .runs
        .iter()
        .map(|run| (run.live.rank(), run.live.vote(&desk, facts).unwrap_or(Vote::Silent)))
        .collect();
    let limits =
        [sitting.law.config.limits, sitting.guard().map_or_else(Default::default, |g| g.limits)];
    let of_project = limits.into_iter().filter_map(|limits| limits.blocks_without_progress);
    let of_runs = sitting.runs.iter().filter_map(|run| run.live.patience());
    let stop = Stop {
        cap: stopping.cap,
        limit: of_project.chain(of_runs).min(),
        mark: mark(sitting, facts.tree),
        now: facts.now,
    };
    let (desk, reply) = merge(&desk, &stop, &votes);
    sitting.file.sit(desk);
    let session = sitting.session.clone();
    for (run, (_, vote)) in sitting.runs.iter_mut().zip(votes) {
        let Vote::Refuse { unit } = vote else { continue };
        let id = run.id().clone();
        let begun = !mine(run, &session).is_empty();
        let begin =
            || Signal::Begin { unit: unit.id.clone(), agent: None, session: Some(session.clone()) };
        let refuses = match &reply {
            Reply::Allow { .. } => false,
            Reply::Refused { .. } | Reply::Stalled { .. } => true,
        };
        if refuses && !begun {
            draft.tell(&id, run.live.step(&begin(), facts)?);
        }
        if let Reply::Stalled { hold, .. } = &reply {
            for fence in mine(run, &session) {
                let stall = Signal::Stall { fence, hold: hold.clone() };
                draft.tell(&id, run.live.step(&stall, facts)?);
            }
        }
    }
    Ok(reply)
}

/// Returns how far the work is.
fn mark(sitting: &Sitting, tree: Hash) -> Hash {
    let mut text = tree.to_string();
    for run in &sitting.runs {
        text.push_str(&sprag_formats::new_file(&run.live.position()));
    }
    Hash::of(text)
}

/// Closes what is done, says what a person should know, and notes the answer.
fn close(
    sitting: &mut Sitting,
    now: &Now<'_>,
    facts: &Facts,
    reply: Reply,
    draft: &mut Draft,
) -> Result<Answer, EngineError> {
    let mut say = std::mem::take(&mut sitting.trouble);
    for run in &mut sitting.runs {
        say.extend(settle(run, now, facts, draft)?);
        let waits = run.live.waiting(facts).into_iter();
        say.extend(waits.map(|waiting| format!("{} waits for you: {}", run.id(), waiting.hold)));
    }
    let over = |run: &&Id| {
        let found = sitting.runs.iter().find(|file| file.id().as_str() == run.as_str());
        found.is_some_and(|file| file.header.ended.is_some())
    };
    let ended: Vec<Id> = sitting.file.runs.iter().filter(over).cloned().collect();
    sitting.file.runs.retain(|run| !ended.contains(run));
    let session = sitting.id.as_str();
    let (kind, why, answer) = match reply {
        Reply::Allow { why } => {
            let said = why.join("; ");
            say.extend(why);
            (Kind::StopAllowed, said, Answer::Allow { say })
        }
        Reply::Refused { message } => {
            let line = message.lines().next().unwrap_or_default().to_owned();
            (Kind::StopRefused, line, Answer::Refuse { message, say })
        }
        Reply::Stalled { hold, .. } => (Kind::StopAllowed, hold.to_string(), Answer::Allow { say }),
    };
    let mut data = serde_json::json!({ "session": session });
    if !why.is_empty() {
        data["why"] = why.into();
    }
    draft.note(None, kind, data);
    Ok(answer)
}

/// Takes note of a run's new phase or end, and does what it has in its outbox for a person.
pub(crate) fn settle(
    run: &mut RunFile,
    now: &Now<'_>,
    facts: &Facts,
    draft: &mut Draft,
) -> Result<Vec<String>, EngineError> {
    let mut say = Vec::new();
    let id = run.id().clone();
    for effect in run.live.outbox().to_vec() {
        if let Effect::Notify { text } = &effect {
            say.push(text.clone());
            draft.tell(&id, run.live.step(&Signal::Performed { effect }, facts)?);
        }
    }
    if matches!(run.header.source, Source::Workflow(_)) && run.has_moved() {
        run.header.protected = protected(now.tree()?, run.live.specs());
    }
    if let Some(notice) = run.ending(facts) {
        run.header.ended = Some(facts.now);
        run.header.notified = true;
        say.extend(notice);
    }
    Ok(say)
}

/// Says that gates take longer than a host may wait.
fn late(wanted: &[Wanted]) -> String {
    let names: Vec<_> = wanted.iter().map(|one| format!("`{}`", one.spec.gate.name)).collect();
    format!("{} still runs; `sprag` shows what it says when it is done", names.join(", "))
}
