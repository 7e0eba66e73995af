//! A session wants to stop: the engine's part of the decision.
//!
//! What the session works on is ended by what the gates say; every run then votes, and one answer
//! is made of the votes. Gates take long, so they run between looks at the documents: a round that
//! lacks an answer names the gates, they are evaluated, and the next round decides. Everything that
//! comes of it is one commit.

use std::time::Duration;

use sprag_core::rules::Rule;
use sprag_core::{Ask, Facts, Id};
use sprag_store::View;

use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::evaluate::{Came, Floor, Gathered, Wanted, left};
use crate::inbox::gupp::When;
use crate::milestones::note_hold;
use crate::session::{self, SessionId};
use crate::sitting::{Now, Sitting};
use crate::standing::Standing;
use crate::whose::Told;
use crate::{known, process};

mod answers;
mod ends;

pub(crate) use answers::settle;
use answers::{after_loss, close, vote};
use ends::end;

/// How long a stop waits for its gates when the project does not say.
pub const WAIT: Duration = Duration::from_mins(10);
/// So often gates are asked for again because the files changed meanwhile.
const ROUNDS: u32 = 6;

/// What a host says of a stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stopping<'a> {
    /// How many refusals in a row the host endures.
    pub cap: Option<u32>,
    /// What the session was told about the run it drives.
    pub told: Told<'a>,
    /// The agent's last words.
    pub said: Option<&'a str>,
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

impl Answer {
    const fn is_refusal(&self) -> bool {
        match self {
            Self::Allow { .. } => false,
            Self::Refuse { .. } => true,
        }
    }
}

/// What a round came to.
enum Round {
    /// The answer, and what the session was not judged by.
    Done(Answer, Vec<String>),
    Needs(Box<Needs>),
}

/// What must be known for a decision.
struct Needs {
    wanted: Vec<Wanted>,
    rules: Vec<(Rule, Ask)>,
    checks: sprag_formats::Checks,
    wait: Duration,
}

impl Engine<'_> {
    /// Decides whether a session may stop.
    pub fn stop(&self, id: &SessionId, stopping: Stopping<'_>) -> Result<Answer, EngineError> {
        let began = crate::clock::now();
        let mut gathered = Gathered::default();
        // A session with nothing to answer for mostly writes nothing, and needs no lock for that.
        let at_work = session::seems_at_work(&self.place.state, id);
        let floor = Floor::default();
        let mut turn = None;
        for _ in 0..ROUNDS {
            let now = Now::knowing(self, gathered.tree.take());
            let decide = |view: &View<'_>| self.round(view, id, stopping, &now, &gathered);
            let round = if at_work {
                // The files are looked at before the lock is taken; that is what takes long.
                now.tree()?;
                self.commit_at_once(id.as_str(), PATIENT, decide)?
            } else {
                self.commit(id.as_str(), PATIENT, decide)?
            };
            let Needs { wanted, rules, checks, wait } = match round {
                Round::Done(answer, trouble) => {
                    known::remember(self.place, &gathered.evidence);
                    self.trace_trouble(id, "at a stop", answer.is_refusal(), &trouble);
                    return Ok(answer);
                }
                Round::Needs(needs) => *needs,
            };
            self.ask_rules(rules, checks, &mut gathered.answers)?;
            if wanted.is_empty() {
                continue;
            }
            let until = began.plus_millis(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX));
            // What may not run at all needs no time.
            let long = |one: &Wanted| !one.fits(until) && self.may_run(one, checks);
            if wanted.first().is_some_and(long) {
                return self.hand_over(id, stopping, &wanted, until, &gathered);
            }
            match floor.enter(self, &mut turn, until)? {
                Came::Ready => {}
                Came::After => continue,
                Came::Late => return Ok(Answer::Allow { say: vec![late(&wanted)] }),
            }
            if let Some(turn) = &turn {
                self.evaluate(&wanted, checks, until, now, turn, &mut gathered)?;
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
            let is_here =
                |run: &Id| sitting.runs.iter().any(|file| file.id().as_str() == run.as_str());
            for evidence in gathered.evidence.iter().filter(|one| is_here(&one.record.run)) {
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
            Round::Done(answer, trouble) => {
                self.trace_trouble(id, "at a stop", answer.is_refusal(), &trouble);
                Ok(answer)
            }
            // The files changed meanwhile; the next stop will ask again.
            Round::Needs(needs) => Ok(Answer::Allow { say: vec![late(&needs.wanted)] }),
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
            crate::plan::hear(view, &mut sitting, stopping.said, now)?;
        }
        let asked = (When::Stops, &mut draft);
        let mut work = self.at_work(view, &mut sitting, stopping.told, now, asked)?;
        if free || (sitting.runs.is_empty() && work.is_none()) {
            sitting.save(&mut draft)?;
            let trouble = std::mem::take(&mut sitting.trouble);
            let mut say = trouble.clone();
            if sitting.is_new() && !free && sitting.guard().is_some() {
                say.push(
                    "this session was never seen before, so nothing is known of it".to_owned(),
                );
            }
            return Ok((draft, Round::Done(Answer::Allow { say }, trouble)));
        }
        // A run that did not come to be, because another process was quicker, has no receipts.
        let is_here = |run: &Id| sitting.runs.iter().any(|file| file.id().as_str() == run.as_str());
        for evidence in gathered.evidence.iter().filter(|one| is_here(&one.record.run)) {
            draft.evidence(evidence)?;
        }
        let tree = now.tree()?;
        let mut facts = Facts::new(now.at, view.seq(), tree.hash());
        facts.answers.clone_from(&gathered.answers);
        let (mut wanted, mut rules) = (Vec::new(), Vec::new());
        for at in 0..sitting.runs.len() {
            rules.extend(sitting.runs[at].live.unanswered(&facts));
            sitting.play(at, &facts);
            let standing = Standing::of(self, view, &sitting, at, tree, gathered)?;
            let asks = end(view, &mut sitting, at, &standing, &facts, gathered, &mut draft)?;
            wanted.extend(standing.wanted(&sitting.runs[at], &asks)?);
            rules.extend(sitting.runs[at].live.rules_of(&asks));
            // What comes after the end may be a rule's as well.
            rules.extend(sitting.runs[at].live.unanswered(&facts));
        }
        if !wanted.is_empty() || !rules.is_empty() {
            let checks = sitting.law.config.checks;
            let wait = sitting.law.config.wait.unwrap_or(WAIT);
            // Nothing is written before everything is known.
            let needs = Needs { wanted, rules, checks, wait };
            return Ok((Draft::default(), Round::Needs(Box::new(needs))));
        }
        for run in &mut sitting.runs {
            note_hold(run, &facts)?;
        }
        let answer = vote(&mut sitting, work.as_mut(), stopping, &facts, &mut draft)?;
        let lost = work.as_mut().and_then(|work| work.lost.take());
        let answer = after_loss(answer, lost, &mut sitting);
        if let Some(work) = &mut work {
            work.seat.save(&mut draft)?;
        }
        let trouble = sitting.trouble.clone();
        let answer = close(&mut sitting, now, &facts, answer, &mut draft)?;
        sitting.save(&mut draft)?;
        Ok((draft, Round::Done(answer, trouble)))
    }
}

/// Says that gates take longer than a host may wait.
fn late(wanted: &[Wanted]) -> String {
    let names: Vec<_> = wanted.iter().map(|one| format!("`{}`", one.spec.gate.name)).collect();
    format!("{} still runs; `sprag` shows what it says when it is done", names.join(", "))
}
