//! The loop: begin what comes next, let an agent work, judge, go on.

mod forge;
mod heard;
mod seat;
mod spent;
mod take_over;
mod wrong;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use sprag_core::workflow::REVIEW;
use sprag_core::{Fence, Hold, RunId, Time};
use sprag_engine::clock;
use sprag_engine::drive::{Coming, Left, SIGN, UnitEnd, Work};
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::forge::Forge;
use sprag_store::Place;

use crate::agent::Stop;
use crate::branch::Branch;
use crate::clocks::Clocks;
use crate::hands::Hands;
use crate::interrupt::Interrupt;
use crate::options::{Options, Seat};
use crate::shared::{Shared, sit};
use crate::turn::Turn;
use crate::yard::Yard;
use crate::{RunEnd, RunError, Seen, Watch};

/// How long nothing is looked at when nothing is expected before some event.
const LONG: Duration = Duration::from_mins(10);

/// How often is looked again when somebody could work and nothing says when to look.
const POLL: Duration = Duration::from_secs(10);

/// How often is looked whether a person ended the run: its agents are ended, too.
const GLANCE: Duration = Duration::from_secs(2);

/// Drives runs of one project.
pub struct Runner<'a> {
    /// The project.
    pub place: &'a Place,
    /// The person's own environment.
    pub environment: &'a [(OsString, OsString)],
    /// How it is driven.
    pub options: Options,
    /// Who sees it.
    pub watch: &'a dyn Watch,
    /// The worktrees in which agents work; nothing where one works in the project itself.
    pub yard: Option<Yard>,
    /// Where the pull request is that a run is about.
    pub forge: Option<&'a (dyn Forge + Sync)>,
    /// Whether the agent of one unit goes on in the session of the one before.
    pub one_session: bool,
}

impl std::fmt::Debug for Runner<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Runner").field("options", &self.options).finish_non_exhaustive()
    }
}

/// What the loop waits for.
#[derive(Debug)]
enum Message {
    Ended { who: Who, end: Result<UnitEnd, RunError> },
    Interrupt,
}

/// Who works on what.
#[derive(Clone, Debug)]
struct Who {
    fence: Fence,
    host: String,
    /// Whether nobody else may.
    alone: bool,
}

impl<'a> Runner<'a> {
    /// Opens the project; each thread does for itself.
    pub(crate) fn engine(&self) -> Result<Engine<'a>, EngineError> {
        Engine::open(self.place, self.environment)
    }

    /// Drives a run as far as it goes. `begun` gets the handle by which the driver is interrupted.
    pub fn drive(&self, run: &RunId, begun: impl FnOnce(Interrupt)) -> Result<RunEnd, RunError> {
        self.drive_in(run, &Shared::new(self.options.budget), begun)
    }

    /// Drives a run beside others.
    pub(crate) fn drive_in(
        &self,
        run: &RunId,
        shared: &Shared,
        begun: impl FnOnce(Interrupt),
    ) -> Result<RunEnd, RunError> {
        self.drive_on(run, shared, begun).or_else(|error| self.hold_for(run, error))
    }

    fn drive_on(
        &self,
        run: &RunId,
        shared: &Shared,
        begun: impl FnOnce(Interrupt),
    ) -> Result<RunEnd, RunError> {
        let stop = Stop::new().map_err(RunError::NoPipe)?;
        let engine = self.engine()?.ended_by(&stop);
        let chair = engine.driver_seat(run)?;
        let _sits = sit(&chair, run)?;
        let (sender, receiver) = Interrupt::heard(begun, &stop, || Message::Interrupt);
        let left = match engine.drive_claim(run).map_err(RunError::from) {
            Err(error) if error.is_interrupted() => return self.pause(run, &stop),
            left => left?,
        };
        let yard = match self.yard_unless_cancelled(run, &stop) {
            Err(_) if engine.drive_cancelled(run)? => return Ok(RunEnd::Cancelled),
            Err(error) if error.is_interrupted() => return self.pause(run, &stop),
            yard => yard?,
        };
        engine.drive_apart(run, yard.as_ref().map(Yard::branch).as_deref())?;
        let forge = self.forge.and_then(|forge| forge.ended_by(&stop));
        std::thread::scope(|scope| {
            let mut driver = Loop {
                runner: self,
                run,
                engine: &engine,
                shared,
                stop: &stop,
                yard: yard.as_ref(),
                forge: forge.as_deref().or(self.forge),
                hands: Hands::new(scope),
                sender,
                receiver,
                parked: Vec::new(),
                at_work: BTreeSet::new(),
                untaken: None,
                branch: yard.is_none().then(|| Branch::of(self.place)),
                losses: Clocks::default(),
            };
            let outcome = driver.drive(left);
            // Whatever went wrong, nobody works on unseen.
            stop.ask();
            outcome
        })
    }

    /// Makes the worktrees ready; where a person ends the run meanwhile, that ends, too.
    fn yard_unless_cancelled(&self, run: &RunId, stop: &Stop) -> Result<Option<Yard>, RunError> {
        if self.yard.is_none() {
            return Ok(None);
        }
        let (made, is_made) = channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let Ok(engine) = self.engine() else { return };
                while is_made.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
                    if engine.drive_cancelled(run).unwrap_or(false) {
                        return stop.ask();
                    }
                }
            });
            let yard = self.yard_for(stop);
            drop(made);
            yard
        })
    }

    /// Makes the worktrees ready, where there are any, such that `stop` ends their commands.
    pub(crate) fn yard_for(&self, stop: &Stop) -> Result<Option<Yard>, RunError> {
        let yard = self.yard.as_ref().map(|yard| yard.ended_by(stop));
        if let Some(yard) = &yard {
            yard.make_ready()?;
        }
        Ok(yard)
    }

    /// Holds a run whose driver was interrupted, without a longer look at the files.
    fn pause(&self, run: &RunId, stop: &Stop) -> Result<RunEnd, RunError> {
        self.engine()?.ended_by(stop).pause_driven(run, &Hold::Interrupted, "person")?;
        Ok(RunEnd::Paused)
    }
}

/// A run while it is driven.
struct Loop<'s, 'e: 's> {
    runner: &'e Runner<'e>,
    run: &'e RunId,
    engine: &'e Engine<'e>,
    shared: &'e Shared,
    stop: &'e Stop,
    yard: Option<&'e Yard>,
    forge: Option<&'e (dyn Forge + Sync)>,
    hands: Hands<'s, 'e>,
    sender: Sender<Message>,
    receiver: Receiver<Message>,
    /// Attempts that go on later.
    parked: Vec<Parked>,
    /// The attempts that somebody works on.
    at_work: BTreeSet<Fence>,
    /// The attempt that nobody could go on with when it was looked at last.
    untaken: Option<Fence>,
    /// The branch of the person's folder, where agents work in it.
    branch: Option<Branch>,
    /// The pauses after losses: those of others say nothing of these, nor does their work.
    losses: Clocks,
}

/// An attempt that goes on later.
struct Parked {
    due: Time,
    fence: Fence,
    /// What its agent had said already.
    said: Option<String>,
}

/// What was before in an attempt.
enum Before {
    /// It begins.
    Nothing,
    /// It goes on; with what its agent had said, where that was not yet judged.
    Parked(Option<String>),
}

/// What a look at the run came to.
enum Step {
    /// Something was begun; there may be more.
    Again,
    /// Nothing can be begun before something happens, or that time.
    Wait(Option<Time>),
    Over(RunEnd),
}

impl<'e> Loop<'_, 'e> {
    fn drive(&mut self, left: Vec<Left>) -> Result<RunEnd, RunError> {
        if self.shared.is_first() {
            self.engine.drive_learn_limits(self.run)?;
        }
        let limits = self.engine.drive_limits(self.run)?;
        self.know(&limits);
        match self.take_over(left, &limits).and_then(|()| self.go()) {
            // Of a run that is over nothing can be begun, judged or held any more. What else went
            // wrong did so whether or not somebody cancelled it.
            Err(error) if error.is_of_an_end() && self.is_cancelled() => Ok(self.cancelled()),
            // A rule or the forge was asked just then.
            Err(error) if error.is_interrupted() => self.interrupted(),
            outcome => outcome,
        }
    }

    /// Returns whether a person ended the run; what cannot be read now is looked at again.
    fn is_cancelled(&self) -> bool {
        self.engine.drive_cancelled(self.run).unwrap_or(false)
    }

    fn go(&mut self) -> Result<RunEnd, RunError> {
        loop {
            let until = match self.look()? {
                Step::Again => continue,
                Step::Wait(until) => until,
                Step::Over(outcome) => return Ok(outcome),
            };
            if let Some(outcome) = self.wait(until)? {
                return Ok(outcome);
            }
        }
    }

    /// Begins one thing that can be begun.
    fn look(&mut self) -> Result<Step, RunError> {
        if self.stop.is_asked() {
            return self.interrupted().map(Step::Over);
        }
        if let Some((from, to)) = self.branch.as_mut().and_then(Branch::moved) {
            self.runner.watch.see(&Seen::Branch { from: &from, to: &to });
        }
        if !self.has_room() {
            return Ok(Step::Wait(None));
        }
        if let Some(step) = self.spent()? {
            return Ok(step);
        }
        self.look_at_forge()?;
        let now = clock::now();
        let seat = match self.seat(now)? {
            Ok(seat) => seat,
            Err(Step::Wait(until)) if self.at_work.is_empty() => return self.without_seat(until),
            Err(step) => return Ok(step),
        };
        if let Some(nth) = self.parked.iter().position(|parked| parked.due <= now) {
            let parked = self.parked.remove(nth);
            if let Some(work) = self.engine.drive_again(self.run, parked.fence, &seat.name)? {
                self.give(seat, work, Before::Parked(parked.said))?;
            }
            return Ok(Step::Again);
        }
        let waits = self.parked.iter().map(|parked| parked.due).min();
        Ok(match self.engine.drive_begin(self.run, &seat.name, self.most())? {
            Coming::Begun(work) => {
                self.give(seat, work, Before::Nothing)?;
                Step::Again
            }
            Coming::Wait { .. } if self.take_up(seat)? => Step::Again,
            Coming::Wait { on, until } if self.at_work.is_empty() && waits.is_none() => {
                self.runner.watch.see(&Seen::Waiting { on: &on, until });
                Step::Wait(until)
            }
            Coming::Wait { until, .. } => Step::Wait(earlier(until, waits)),
            // The whole run waits for a person: who is parked does, too.
            Coming::Held(hold) if hold.is_of_the_run() && self.at_work.is_empty() => {
                Step::Over(RunEnd::Held(hold))
            }
            Coming::Held(_) if !self.at_work.is_empty() || waits.is_some() => Step::Wait(waits),
            Coming::Done if !self.at_work.is_empty() => Step::Wait(waits),
            Coming::Held(hold) => Step::Over(RunEnd::Held(hold)),
            Coming::Done => Step::Over(RunEnd::Done),
            Coming::Cancelled => Step::Over(self.cancelled()),
        })
    }

    /// Gives work to whoever is free, or to the only one who may do it.
    fn give(&mut self, free: &'e Seat, work: Box<Work>, before: Before) -> Result<(), RunError> {
        let Some(name) = &work.host else { return self.begin(free, work, before) };
        let Some(seat) = self.runner.options.called(name) else {
            return self.miss(work.fence, name, "it is not here");
        };
        match self.busy(seat, clock::now()) {
            None => self.begin(seat, work, before),
            Some(until) => self.park(work.fence, until, format!("`{name}` takes no work")),
        }
    }

    /// Holds an attempt because the only one who may work on it cannot.
    fn miss(&self, fence: Fence, name: &str, why: &str) -> Result<(), RunError> {
        let name = name.escape_debug();
        let why = format!("only `{name}` may review this, and {why}: install it, then resume");
        let hold = Hold::Unproven { gate: REVIEW, why };
        Ok(self.engine.drive_stall(self.run, fence, hold)?)
    }

    /// Lets an attempt wait until a time.
    fn park(&mut self, fence: Fence, until: Time, why: String) -> Result<(), RunError> {
        self.engine.drive_stall(self.run, fence, Hold::Until { at: until, why })?;
        self.parked.push(Parked { due: until, fence, said: None });
        Ok(())
    }

    /// Lets an agent begin its turn.
    fn begin(&mut self, seat: &'e Seat, work: Box<Work>, before: Before) -> Result<(), RunError> {
        let runner = self.runner;
        let (fence, unit) = (work.fence, &work.unit.id);
        if let Some(why) = &work.again {
            let end = &UnitEnd::Failed { why: why.clone() };
            runner.watch.see(&Seen::Judged { fence, unit, gates: &[], end });
        }
        // Nobody goes on in the session of whoever worked before to review that work.
        let alone = work.host.is_some();
        let (session, said) = match before {
            Before::Nothing if runner.one_session && !alone => {
                (self.engine.drive_session(self.run, &seat.name)?, work.said.clone())
            }
            Before::Nothing => (None, work.said.clone()),
            Before::Parked(said) => {
                let own = self.engine.drive_own_session(self.run, work.fence, &seat.name)?;
                (own, said)
            }
        };
        let retry = work.retry.map(|retry| (retry.number, retry.max));
        let host = said.is_none().then_some(seat.name.as_str());
        runner.watch.see(&Seen::Begun { fence, unit, retry, host });
        let who = Who { fence: work.fence, host: seat.name.clone(), alone };
        let sender = self.sender.clone();
        let (run, gates, stop) = (self.run, &self.shared.gates, self.stop);
        let yard = self.yard;
        let working = self.at_work.len();
        self.at_work.insert(work.fence);
        let turn = Turn { runner, run, seat, gates, stop, yard, work, session, said };
        self.hands.begin(working, move || {
            let end = turn.take();
            // The loop listens until nobody works any more.
            let _ = sender.send(Message::Ended { who, end });
        });
        Ok(())
    }

    /// Returns how many may work at the same time.
    fn most(&self) -> usize {
        self.runner.options.agents.max(1)
    }

    fn has_room(&self) -> bool {
        self.at_work.len() < self.most()
    }

    /// Waits until something happens or a time comes.
    fn wait(&mut self, until: Option<Time>) -> Result<Option<RunEnd>, RunError> {
        // A person may hold the run, or let it go on, at any time.
        let idle = if self.has_room() { POLL } else { LONG };
        let mut left = until.map_or(idle, left).min(idle);
        let mut unseen = Duration::ZERO;
        loop {
            let pause = if self.at_work.is_empty() { GLANCE } else { SIGN };
            let pause = left.min(pause);
            if !self.at_work.is_empty() {
                self.engine.drive_sign(self.run);
            }
            unseen += pause;
            match self.receiver.recv_timeout(pause) {
                Ok(Message::Ended { who, end }) => {
                    self.at_work.remove(&who.fence);
                    self.heard(&who, end)?;
                    return Ok(None);
                }
                Ok(Message::Interrupt) => return self.interrupted().map(Some),
                Err(RecvTimeoutError::Timeout) => left -= pause,
                // Nobody hangs up: the loop has a sender itself.
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
            if unseen >= GLANCE || left.is_zero() {
                unseen = Duration::ZERO;
                if self.is_cancelled() {
                    return Ok(Some(self.cancelled()));
                }
            }
            if left.is_zero() {
                return Ok(None);
            }
        }
    }

    /// Ends everybody who works and holds the run: nothing is lost, and nothing charged.
    fn interrupted(&mut self) -> Result<RunEnd, RunError> {
        for (who, end) in self.end_all() {
            self.heard(&who, end)?;
        }
        self.runner.pause(self.run, self.stop)
    }

    /// Ends everybody who works on a run that a person ended; what becomes of their work counts no
    /// more.
    fn cancelled(&mut self) -> RunEnd {
        self.end_all();
        RunEnd::Cancelled
    }

    /// Ends everybody who works, and returns what came of it.
    fn end_all(&mut self) -> Vec<(Who, Result<UnitEnd, RunError>)> {
        self.stop.ask();
        let mut ended = Vec::new();
        while !self.at_work.is_empty() {
            match self.receiver.recv() {
                Ok(Message::Ended { who, end }) => {
                    self.at_work.remove(&who.fence);
                    ended.push((who, end));
                }
                Ok(Message::Interrupt) => {}
                Err(_) => break,
            }
        }
        ended
    }
}

/// Returns how long it is until then.
fn left(until: Time) -> Duration {
    let millis = u64::try_from(until.since(clock::now())).unwrap_or(0);
    // Once more after it, so that it has surely come.
    Duration::from_millis(millis + 1).min(LONG)
}

fn earlier(one: Option<Time>, other: Option<Time>) -> Option<Time> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
