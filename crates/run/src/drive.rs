//! The driver loop: begin the next unit, run an agent, judge, repeat.

mod driver_lock;
mod forge;
mod heard;
mod spent;
mod take_over;
mod wrong;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use sprag_core::review::{ReviewEnd, Subject};
use sprag_core::{Fence, Hold, RunId, Time};
use sprag_engine::drive::{BegunUnit, Coming, LeftAttempt, SIGN, UnitEnd};
use sprag_engine::engine::{Engine, EngineError};
use sprag_store::Place;
use sprag_world::clock;
use sprag_world::forge::Forge;

use crate::agent::StopHandle;
use crate::agent_threads::AgentThreads;
use crate::branch::CheckedBranch;
use crate::clocks::Clocks;
use crate::interrupt::Interrupt;
use crate::options::{Options, Seat};
use crate::shared::{Shared, sit};
use crate::turn::AgentTurn;
use crate::worktrees::Worktrees;
use crate::{RunEnd, RunError, RunEvent, Watch};

/// How long to wait for an event when nothing else is scheduled.
const LONG: Duration = Duration::from_mins(10);

/// How often to look for work while an agent is free and no time is scheduled.
const POLL: Duration = Duration::from_secs(10);

/// How often to check whether a person cancelled the run, so that its agents end too.
const GLANCE: Duration = Duration::from_secs(2);

/// Drives the runs of one project.
pub struct Runner<'a> {
    pub place: &'a Place,
    /// The user's own environment.
    pub environment: &'a [(OsString, OsString)],
    pub options: Options,
    pub watch: &'a dyn Watch,
    /// The worktrees for agents; `None` if an agent works in the project itself.
    pub worktrees: Option<Worktrees>,
    /// The forge that holds the run's pull request.
    pub forge: Option<&'a (dyn Forge + Sync)>,
    /// Whether each unit's agent continues the session of the previous unit.
    pub one_session: bool,
}

impl std::fmt::Debug for Runner<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Runner").field("options", &self.options).finish_non_exhaustive()
    }
}

#[derive(Debug)]
enum DriveMessage {
    Ended { who: BusyAgent, end: Result<UnitEnd, RunError> },
    Interrupt,
}

/// An agent at work on an attempt.
#[derive(Clone, Debug)]
struct BusyAgent {
    fence: Fence,
    host: String,
    /// Whether only this agent may work on it.
    alone: bool,
}

impl<'a> Runner<'a> {
    /// Opens the project; each thread opens it for itself.
    pub(crate) fn engine(&self) -> Result<Engine<'a>, EngineError> {
        Engine::open(self.place, self.environment)
    }

    /// Drives a run as far as possible. `begun` receives the handle that interrupts the driver.
    pub fn drive(&self, run: &RunId, begun: impl FnOnce(Interrupt)) -> Result<RunEnd, RunError> {
        self.drive_in(run, &Shared::new(self.options.budget), begun)
    }

    /// Drives a run concurrently with others.
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
        let stop = StopHandle::new().map_err(RunError::NoPipe)?;
        let engine = self.engine()?.ended_by(&stop);
        let chair = engine.driver_seat(run)?;
        let _sits = sit(&chair, run)?;
        let (sender, receiver) = Interrupt::heard(begun, &stop, || DriveMessage::Interrupt);
        let left = match engine.drive_claim(run).map_err(RunError::from) {
            Err(error) if error.is_interrupted() => return self.pause(run, &stop),
            left => left?,
        };
        let worktrees = match self.worktrees_unless_cancelled(run, &stop) {
            Err(_) if engine.drive_cancelled(run)? => return Ok(RunEnd::Cancelled),
            Err(error) if error.is_interrupted() => return self.pause(run, &stop),
            worktrees => worktrees?,
        };
        engine.drive_apart(run, worktrees.as_ref().map(Worktrees::branch).as_deref())?;
        let forge = self.forge.and_then(|forge| forge.ended_by(&stop));
        std::thread::scope(|scope| {
            let mut driver = DriveLoop {
                runner: self,
                run,
                engine: &engine,
                shared,
                stop: &stop,
                worktrees: worktrees.as_ref(),
                forge: forge.as_deref().or(self.forge),
                hands: AgentThreads::new(scope),
                sender,
                receiver,
                parked: Vec::new(),
                at_work: BTreeSet::new(),
                untaken: None,
                branch: worktrees.is_none().then(|| CheckedBranch::of(self.place)),
                losses: Clocks::default(),
            };
            let outcome = driver.drive(left);
            // After any error, no agent may keep working unsupervised.
            stop.ask();
            outcome
        })
    }

    /// Prepares the worktrees; stops when a person cancels the run meanwhile.
    fn worktrees_unless_cancelled(
        &self,
        run: &RunId,
        stop: &StopHandle,
    ) -> Result<Option<Worktrees>, RunError> {
        if self.worktrees.is_none() {
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
            let worktrees = self.worktrees_for(stop);
            drop(made);
            worktrees
        })
    }

    /// Prepares the worktrees, if the runner uses them, so that `stop` ends their commands.
    pub(crate) fn worktrees_for(&self, stop: &StopHandle) -> Result<Option<Worktrees>, RunError> {
        let worktrees = self.worktrees.as_ref().map(|worktrees| worktrees.ended_by(stop));
        if let Some(worktrees) = &worktrees {
            worktrees.make_ready()?;
        }
        Ok(worktrees)
    }

    /// Holds a run whose driver was interrupted, without scanning the files again.
    fn pause(&self, run: &RunId, stop: &StopHandle) -> Result<RunEnd, RunError> {
        self.engine()?.ended_by(stop).pause_driven(run, &Hold::Interrupted, "person")?;
        Ok(RunEnd::Paused)
    }
}

/// The state of a run while it is driven.
struct DriveLoop<'s, 'e: 's> {
    runner: &'e Runner<'e>,
    run: &'e RunId,
    engine: &'e Engine<'e>,
    shared: &'e Shared,
    stop: &'e StopHandle,
    worktrees: Option<&'e Worktrees>,
    forge: Option<&'e (dyn Forge + Sync)>,
    hands: AgentThreads<'s, 'e>,
    sender: Sender<DriveMessage>,
    receiver: Receiver<DriveMessage>,
    /// Attempts that resume later.
    parked: Vec<Parked>,
    /// Attempts with an agent at work.
    at_work: BTreeSet<Fence>,
    /// The attempt that could not be resumed at the last check.
    untaken: Option<Fence>,
    /// The branch of the user's folder, if agents work in it.
    branch: Option<CheckedBranch>,
    /// The pauses after losses. They are kept per run: losses and successes of other runs do not
    /// affect them.
    losses: Clocks,
}

/// An attempt that resumes later.
struct Parked {
    due: Time,
    fence: Fence,
    /// Its agent's last message, if not yet judged.
    said: Option<String>,
}

/// The earlier state of an attempt.
enum Before {
    /// The attempt is new.
    Nothing,
    /// The attempt resumes, with its agent's last message if that was not judged.
    Parked(Option<String>),
}

/// The result of one look at the run.
enum LoopStep {
    /// Something began; there may be more.
    Again,
    /// Nothing can begin before an event or this time.
    Wait(Option<Time>),
    Over(RunEnd),
}

impl<'e> DriveLoop<'_, 'e> {
    fn drive(&mut self, left: Vec<LeftAttempt>) -> Result<RunEnd, RunError> {
        if self.shared.is_first() {
            self.engine.drive_learn_limits(self.run)?;
        }
        let limits = self.engine.drive_limits(self.run)?;
        self.know(&limits);
        match self.take_over(left, &limits).and_then(|()| self.go()) {
            // An ended run accepts no begin, judgment or hold. Any other error is reported whether
            // or not the run was cancelled.
            Err(error) if error.is_of_an_end() && self.is_cancelled() => Ok(self.cancelled()),
            // The interrupt came during a gate or a forge request.
            Err(error) if error.is_interrupted() => self.interrupted(),
            outcome => outcome,
        }
    }

    /// Returns whether a person cancelled the run. A read error counts as no; it is checked again
    /// later.
    fn is_cancelled(&self) -> bool {
        self.engine.drive_cancelled(self.run).unwrap_or(false)
    }

    fn go(&mut self) -> Result<RunEnd, RunError> {
        loop {
            let until = match self.look()? {
                LoopStep::Again => continue,
                LoopStep::Wait(until) => until,
                LoopStep::Over(outcome) => return Ok(outcome),
            };
            if let Some(outcome) = self.wait(until)? {
                return Ok(outcome);
            }
        }
    }

    /// Begins at most one thing.
    fn look(&mut self) -> Result<LoopStep, RunError> {
        if self.stop.is_asked() {
            return self.interrupted().map(LoopStep::Over);
        }
        if let Some((from, to)) = self.branch.as_mut().and_then(CheckedBranch::moved) {
            self.runner.watch.see(&RunEvent::Branch { from: &from, to: &to });
        }
        if !self.has_room() {
            return Ok(LoopStep::Wait(None));
        }
        if let Some(step) = self.spent()? {
            return Ok(step);
        }
        self.look_at_forge()?;
        let now = clock::now();
        let seat = match self.seat(now)? {
            Ok(seat) => seat,
            Err(LoopStep::Wait(until)) if self.at_work.is_empty() => {
                return self.without_seat(until);
            }
            Err(step) => return Ok(step),
        };
        if let Some(nth) = self.parked.iter().position(|parked| parked.due <= now) {
            let parked = self.parked.remove(nth);
            if let Some(work) = self.engine.drive_again(self.run, parked.fence, &seat.name)? {
                self.give(seat, work, Before::Parked(parked.said))?;
            }
            return Ok(LoopStep::Again);
        }
        let waits = self.parked.iter().map(|parked| parked.due).min();
        Ok(match self.engine.drive_begin(self.run, &seat.name, self.most())? {
            Coming::Begun(work) => {
                self.give(seat, work, Before::Nothing)?;
                LoopStep::Again
            }
            Coming::Wait { .. } if self.take_up(seat)? => LoopStep::Again,
            Coming::Wait { on, until } if self.at_work.is_empty() && waits.is_none() => {
                self.runner.watch.see(&RunEvent::Waiting { on: &on, until });
                LoopStep::Wait(until)
            }
            Coming::Wait { until, .. } => LoopStep::Wait(earlier(until, waits)),
            // The whole run waits for a person, and so do its parked attempts.
            Coming::Held(hold) if hold.is_of_the_run() && self.at_work.is_empty() => {
                LoopStep::Over(RunEnd::Held(hold))
            }
            Coming::Held(_) if !self.at_work.is_empty() || waits.is_some() => LoopStep::Wait(waits),
            Coming::Done if !self.at_work.is_empty() => LoopStep::Wait(waits),
            Coming::Held(hold) => LoopStep::Over(RunEnd::Held(hold)),
            Coming::Done => LoopStep::Over(RunEnd::Done),
            Coming::Cancelled => LoopStep::Over(self.cancelled()),
        })
    }

    /// Dispatches the work to the free seat, or to the only host allowed to do it.
    fn give(
        &mut self,
        free: &'e Seat,
        work: Box<BegunUnit>,
        before: Before,
    ) -> Result<(), RunError> {
        let Some(name) = &work.host else { return self.begin(free, work, before) };
        let Some(seat) = self.runner.options.called(name) else {
            return self.miss(work.fence, name, "it is not here");
        };
        match self.busy(seat, clock::now()) {
            None => self.begin(seat, work, before),
            Some(until) => self.park(work.fence, until, format!("`{name}` takes no work")),
        }
    }

    /// Holds an attempt because the only host allowed to work on it cannot.
    fn miss(&self, fence: Fence, name: &str, why: &str) -> Result<(), RunError> {
        let name = name.escape_debug();
        let why = format!("only `{name}` may review this, and {why}: install it, then resume");
        let hold = ReviewEnd::NoReviewer { why }.hold(Subject::Phase);
        Ok(self.engine.drive_stall(self.run, fence, hold)?)
    }

    /// Parks an attempt until `until`.
    fn park(&mut self, fence: Fence, until: Time, why: String) -> Result<(), RunError> {
        self.engine.drive_stall(self.run, fence, Hold::Until { at: until, why })?;
        self.parked.push(Parked { due: until, fence, said: None });
        Ok(())
    }

    /// Starts an agent's turn.
    fn begin(
        &mut self,
        seat: &'e Seat,
        work: Box<BegunUnit>,
        before: Before,
    ) -> Result<(), RunError> {
        let runner = self.runner;
        let (fence, unit) = (work.fence, &work.unit.id);
        if let Some(why) = &work.again {
            let end = &UnitEnd::Failed { why: why.clone() };
            runner.watch.see(&RunEvent::Judged { fence, unit, gates: &[], end });
        }
        // A reviewer never continues the session of the agent whose work it reviews.
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
        runner.watch.see(&RunEvent::Begun { fence, unit, retry, host });
        let who = BusyAgent { fence: work.fence, host: seat.name.clone(), alone };
        let sender = self.sender.clone();
        let (run, gates, stop) = (self.run, &self.shared.gates, self.stop);
        let worktrees = self.worktrees;
        let working = self.at_work.len();
        self.at_work.insert(work.fence);
        let turn = AgentTurn { runner, run, seat, gates, stop, worktrees, work, session, said };
        self.hands.begin(working, move || {
            let end = turn.take();
            // The loop receives until no agent is at work.
            let _ = sender.send(DriveMessage::Ended { who, end });
        });
        Ok(())
    }

    fn most(&self) -> usize {
        self.runner.options.agents.max(1)
    }

    fn has_room(&self) -> bool {
        self.at_work.len() < self.most()
    }

    /// Waits for an event, or until a time comes.
    fn wait(&mut self, until: Option<Time>) -> Result<Option<RunEnd>, RunError> {
        // A person may hold or resume the run at any time.
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
                Ok(DriveMessage::Ended { who, end }) => {
                    self.at_work.remove(&who.fence);
                    self.heard(&who, end)?;
                    return Ok(None);
                }
                Ok(DriveMessage::Interrupt) => return self.interrupted().map(Some),
                Err(RecvTimeoutError::Timeout) => left -= pause,
                // Unreachable: the loop holds a sender itself.
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

    /// Ends all agents and holds the run; no work is lost, and no retry is charged.
    fn interrupted(&mut self) -> Result<RunEnd, RunError> {
        for (who, end) in self.end_all() {
            self.heard(&who, end)?;
        }
        self.runner.pause(self.run, self.stop)
    }

    /// Ends all agents of a cancelled run; their results no longer count.
    fn cancelled(&mut self) -> RunEnd {
        self.end_all();
        RunEnd::Cancelled
    }

    /// Ends all agents and returns their results.
    fn end_all(&mut self) -> Vec<(BusyAgent, Result<UnitEnd, RunError>)> {
        self.stop.ask();
        let mut ended = Vec::new();
        while !self.at_work.is_empty() {
            match self.receiver.recv() {
                Ok(DriveMessage::Ended { who, end }) => {
                    self.at_work.remove(&who.fence);
                    ended.push((who, end));
                }
                Ok(DriveMessage::Interrupt) => {}
                Err(_) => break,
            }
        }
        ended
    }
}

/// Returns the time left until `until`.
fn left(until: Time) -> Duration {
    let millis = u64::try_from(until.since(clock::now())).unwrap_or(0);
    // One millisecond more, so that the time has surely passed.
    Duration::from_millis(millis + 1).min(LONG)
}

fn earlier(one: Option<Time>, other: Option<Time>) -> Option<Time> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
