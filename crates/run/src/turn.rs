//! One agent's turn: it works on a unit, and what it leaves is judged.

use std::path::PathBuf;
use std::time::Duration;

use sprag_core::{Fence, Id, Ran, Time};
use sprag_engine::drive::{Ended, Finish, Work};
use sprag_engine::engine::{Engine, EngineError};

use crate::agent::{self, Heard, How, Job, Stop};
use crate::gates::Gates;
use crate::options::Seat;
use crate::{Runner, Seen};

/// How a turn ended.
#[derive(Debug)]
pub(crate) enum Came {
    /// What was left was judged.
    Judged,
    /// The host takes no more work for now; the attempt is not over.
    Limited {
        /// Until when, where it says so.
        until: Option<Time>,
        /// What it said.
        why: String,
    },
    /// The agent did not end by itself; the attempt is lost.
    Lost,
    /// Somebody asked the agent to end; the attempt is not over.
    Stopped,
    /// The agent never ran; the attempt is given back, unless nobody else may work on it.
    NotStarted(String),
}

/// One agent's turn.
#[derive(Debug)]
pub(crate) struct Turn<'a> {
    pub(crate) runner: &'a Runner<'a>,
    pub(crate) run: &'a Id,
    pub(crate) seat: &'a Seat,
    pub(crate) gates: &'a Gates,
    pub(crate) stop: &'a Stop,
    pub(crate) work: Box<Work>,
    /// The session in which it goes on, where there is one.
    pub(crate) session: Option<String>,
}

impl Turn<'_> {
    /// Lets the agent work and judges what it leaves.
    pub(crate) fn take(mut self) -> Result<Came, EngineError> {
        let engine = self.runner.engine()?;
        // An end without any change goes on in the same attempt; the engine holds it after a few.
        loop {
            let finish = self.listen();
            engine.drive_heard(self.run, self.work.fence, &ledger(&finish))?;
            let how = finish.how_in_a_word();
            let seen = Seen::Ended {
                fence: self.work.fence,
                how: &how,
                said: &finish.said,
                took: finish.took,
            };
            self.runner.watch.see(&seen);
            if let Some(limited) = finish.limited.filter(|_| finish.how != How::Stopped) {
                return Ok(Came::Limited { until: limited.until, why: limited.why });
            }
            let why = match (finish.how, finish.failed) {
                (How::Stopped, _) => return Ok(Came::Stopped),
                (How::NotStarted(why), _) => {
                    // Where nobody else may work on it, it waits for a person as it is.
                    if self.work.host.is_none() {
                        engine.drive_lost(self.run, self.work.fence, Ran::No)?;
                    }
                    return Ok(Came::NotStarted(why));
                }
                (How::Exit(0), None) => None,
                (_, failed) => Some(failed.unwrap_or(how)),
            };
            if let Some(why) = why {
                engine.drive_lost(self.run, self.work.fence, Ran::Yes)?;
                self.see_lost(&why);
                return Ok(Came::Lost);
            }
            let ended = self.judge(&engine, &finish.said)?;
            if !matches!(ended, Ended::Unchanged { .. }) {
                return Ok(Came::Judged);
            }
            self.session = finish.session;
        }
    }

    /// Judges what an agent left.
    pub(crate) fn judge(&self, engine: &Engine<'_>, said: &str) -> Result<Ended, EngineError> {
        let place = self.gates.enter();
        let judged = engine.drive_end(self.run, self.work.fence, said)?;
        drop(place);
        self.runner.watch.see(&Seen::Judged {
            fence: self.work.fence,
            unit: &self.work.unit.id,
            gates: &judged.shown,
            ended: &judged.ended,
        });
        Ok(judged.ended)
    }

    fn listen(&self) -> agent::Finish {
        let fence: Fence = self.work.fence;
        let mut hear = |heard: &Heard| self.runner.watch.see(&Seen::Heard { fence, heard });
        agent::work(&self.job(), self.stop, &mut hear)
    }

    fn job(&self) -> Job {
        let goes_on = self.session.is_some();
        let prompt = if goes_on { &self.work.reminder } else { &self.work.prompt };
        let own = [("SPRAG_RUN", self.run.as_str())];
        let own = own.into_iter().map(|(name, value)| (name.into(), value.into()));
        let set = self.seat.environment.iter();
        let set = set.map(|(name, value)| (name.into(), value.into()));
        Job {
            kind: self.seat.kind.clone(),
            prompt: prompt.clone(),
            folder: self.folder(),
            person: self.runner.environment.to_vec(),
            environment: set.chain(own).collect(),
            effect: self.work.effect.clone(),
            resume: self.session.clone(),
            limits: self.runner.options.limits,
            deny: self.work.denied.clone(),
            extra: self.seat.extra.clone(),
        }
    }

    fn folder(&self) -> PathBuf {
        self.runner.place.root.clone()
    }

    fn see_lost(&self, why: &str) {
        let seen = Seen::Lost { fence: self.work.fence, unit: &self.work.unit.id, why };
        self.runner.watch.see(&seen);
    }
}

/// Returns how a process ended, as the engine keeps it.
fn ledger(finish: &agent::Finish) -> Finish {
    Finish {
        how: finish.how_in_a_word(),
        said: finish.said.clone(),
        session: finish.session.clone(),
        micro_usd: finish.spent.micro_usd,
        tokens: finish.spent.tokens,
        millis: millis(finish.took),
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl agent::Finish {
    /// Returns how it ended, in a word.
    fn how_in_a_word(&self) -> String {
        match &self.how {
            How::Exit(code) => format!("exit {code}"),
            How::Signal(signal) => format!("signal {signal}"),
            How::Wall => "took too long".to_owned(),
            How::Idle => "said nothing for too long".to_owned(),
            How::Flooded => "said too much".to_owned(),
            How::Stopped => "stopped".to_owned(),
            How::NotStarted(_) => "not started".to_owned(),
        }
    }
}
