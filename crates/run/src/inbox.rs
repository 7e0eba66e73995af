//! Drives the inbox: agents pull assignments and work on them until none is left.
//!
//! Each assignment is a run of its own, driven like any other. All of them share the host clocks,
//! the gate slots and the budget. A killed driver leaves its assignments active under its name, and
//! the next driver resumes them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Scope;
use std::time::Duration;

use sprag_core::inbox::{Refusal, Who};
use sprag_core::{Denied, Driven, Hold, Overspent, RunId, UnitId};
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::inbox::{ClaimedHolder, Pulled};
use sprag_formats::Budget;
use sprag_formats::chipset::Nudge;
use sprag_world::clock;

use crate::agent::StopHandle;
use crate::budget::used_up;
use crate::shared::{Shared, sit};
use crate::{Interrupt, RunEnd, RunError, RunEvent, Runner};

/// How often a working agent's heartbeat is recorded.
const BEAT: Duration = Duration::from_secs(30);

/// How long to wait for an event while no agent is free.
const LONG: Duration = Duration::from_mins(10);

/// Returns how often to check whether a person has answered.
fn poll() -> Duration {
    Duration::from_millis(clock::pause(10_000).unsigned_abs())
}

/// The result of working on an assignment.
#[derive(Debug)]
enum Came {
    /// It is done and cleared.
    Done,
    /// It stays with its agent until a person acts on its run.
    Held(RunId, Hold),
    /// A person cancelled its run or took it back; the unit is open again.
    Gone,
    /// The driver was stopped; the assignment resumes later.
    Paused,
}

/// Why unfinished work must end.
#[derive(Debug)]
enum Lost {
    /// The assignment was taken back.
    Taken,
    /// The dispatcher aborted it.
    Aborted(Nudge),
}

enum InboxMessage {
    Came(UnitId, Result<Came, RunError>),
    Interrupt,
}

/// An assignment that waits for a person.
struct Waits {
    unit: UnitId,
    run: RunId,
    hold: Hold,
    /// Whether to take it again when the wait is over.
    returns: bool,
}

/// State shared by all agents of the inbox.
struct InboxDriver<'e> {
    runner: &'e Runner<'e>,
    shared: Shared,
    desks: Mutex<ActiveAssignments>,
}

/// The agents at work and their interrupt handles.
#[derive(Default)]
struct ActiveAssignments {
    closed: bool,
    at_work: BTreeMap<UnitId, Interrupt>,
}

impl Runner<'_> {
    /// Drives the inbox until no assignment can be worked on. `begun` receives the handle that
    /// interrupts the driver.
    pub fn drive_inbox(
        &self,
        run: &RunId,
        begun: impl FnOnce(Interrupt),
    ) -> Result<RunEnd, RunError> {
        let engine = self.engine()?;
        let chair = engine.driver_seat(run)?;
        let _sits = sit(&chair, run)?;
        let stop = StopHandle::new().map_err(RunError::NoPipe)?;
        let (sender, receiver) = Interrupt::heard(begun, &stop, || InboxMessage::Interrupt);
        match self.worktrees_for(&stop) {
            Err(error) if error.is_interrupted() => return Ok(RunEnd::Paused),
            Err(error) => return self.hold_for(run, error),
            Ok(made) => drop(made),
        }
        // The budget covers all runs together, so it is checked between assignments.
        let shared = Shared::new(Budget::default());
        let office = InboxDriver { runner: self, shared, desks: Mutex::default() };
        std::thread::scope(|scope| {
            let (seen, held) = (BTreeSet::new(), Vec::new());
            let mut driver = Driver {
                office: &office,
                run,
                engine,
                scope,
                sender,
                receiver,
                stop,
                seen,
                held,
                unseen: BTreeSet::new(),
                running: 0,
            };
            let outcome = driver.go();
            // After any error, no agent may keep working unsupervised.
            office.close();
            outcome
        })
    }
}

/// The inbox while it is driven.
struct Driver<'s, 'e: 's> {
    office: &'e InboxDriver<'e>,
    run: &'e RunId,
    engine: Engine<'e>,
    scope: &'s Scope<'s, 'e>,
    sender: Sender<InboxMessage>,
    receiver: Receiver<InboxMessage>,
    /// Set on the first interrupt.
    stop: StopHandle,
    /// Units already taken. Each is taken once, unless a person resumes it meanwhile.
    seen: BTreeSet<UnitId>,
    /// Taken units that wait for a person.
    held: Vec<Waits>,
    /// Units that were held although their runs did not appear to wait.
    unseen: BTreeSet<UnitId>,
    running: usize,
}

impl Driver<'_, '_> {
    fn go(&mut self) -> Result<RunEnd, RunError> {
        loop {
            if self.stop.is_asked() {
                return self.interrupted();
            }
            self.free();
            let spent = self.spent()?;
            while spent.is_none() && self.running < self.most() {
                let Some(pulled) = self.engine.pull(&self.seen)? else { break };
                self.begin(pulled);
            }
            if self.running == 0 {
                // A finished inbox needs no budget.
                let left = spent.filter(|_| self.has_more());
                return match left {
                    Some(used) => {
                        self.engine.drive_inbox_ended(Some(&Hold::Budget(used.clone())))?;
                        Ok(RunEnd::Spent(used))
                    }
                    None => self.over(),
                };
            }
            // No event reports a person's answer, so poll while an agent is free to act on it.
            let is_free = self.running < self.most() && !self.held.is_empty();
            match self.receiver.recv_timeout(if is_free { poll() } else { LONG }) {
                Ok(InboxMessage::Came(unit, came)) => self.heard(unit, came?),
                Ok(InboxMessage::Interrupt) => return self.interrupted(),
                Err(RecvTimeoutError::Timeout) => {}
                // Unreachable: the loop holds a sender itself.
                Err(RecvTimeoutError::Disconnected) => return self.over(),
            }
        }
    }

    fn most(&self) -> usize {
        self.office.runner.options.agents.max(1)
    }

    /// Returns the exceeded limit, if there is a budget and it is spent.
    fn spent(&self) -> Result<Option<Overspent>, RunError> {
        let budget = &self.office.runner.options.budget;
        if *budget == Budget::default() {
            return Ok(None);
        }
        let spent = self.engine.drive_far(self.run)?.spent;
        Ok(used_up(budget, &spent, &Driven::Inbox))
    }

    /// Returns whether another assignment can begin; a read error counts as yes.
    fn has_more(&self) -> bool {
        self.engine.pull_next(&self.seen).map_or(true, |next| next.is_some())
    }

    fn begin(&mut self, pulled: Pulled) {
        self.seen.insert(pulled.unit.clone());
        self.running += 1;
        let (office, sender) = (self.office, self.sender.clone());
        self.scope.spawn(move || {
            let came = office.work(&pulled);
            office.desks().at_work.remove(&pulled.unit);
            // The loop receives until no agent is at work.
            let _ = sender.send(InboxMessage::Came(pulled.unit, came));
        });
    }

    fn heard(&mut self, unit: UnitId, came: Came) {
        self.running -= 1;
        match came {
            Came::Held(run, hold) => {
                // A person may have answered just now. A unit that twice did not appear to wait is
                // not taken again, to avoid an endless loop.
                let returns = waits(&self.engine, &run) || self.unseen.insert(unit.clone());
                self.held.push(Waits { unit, run, hold, returns });
            }
            Came::Done | Came::Gone | Came::Paused => {}
        }
    }

    /// Makes units available again whose wait ended because a person answered.
    fn free(&mut self) {
        let engine = &self.engine;
        for one in self.held.extract_if(.., |one| one.returns && !waits(engine, &one.run)) {
            self.seen.remove(&one.unit);
        }
    }

    /// Returns the final result, once no agent works and no assignment can be taken.
    fn over(&self) -> Result<RunEnd, RunError> {
        let held = match self.held.first() {
            Some(first) => Some(first.hold.clone()),
            None => self.engine.pull_left()?,
        };
        if held.is_none() {
            self.engine.drive_inbox_ended(None)?;
        }
        Ok(held.map_or(RunEnd::Done, RunEnd::Held))
    }

    /// Ends all agents; their assignments stay as they are.
    fn interrupted(&mut self) -> Result<RunEnd, RunError> {
        self.office.close();
        while self.running > 0 {
            match self.receiver.recv() {
                Ok(InboxMessage::Came(unit, came)) => self.heard(unit, came?),
                Ok(InboxMessage::Interrupt) => {}
                Err(_) => break,
            }
        }
        Ok(RunEnd::Paused)
    }
}

impl InboxDriver<'_> {
    fn desks(&self) -> MutexGuard<'_, ActiveAssignments> {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Interrupts all agents, including those that start later.
    fn close(&self) {
        let mut desks = self.desks();
        desks.closed = true;
        desks.at_work.values().for_each(Interrupt::now);
    }

    /// Registers the interrupt handle of an agent that starts.
    fn open(&self, unit: &UnitId, interrupt: Interrupt) {
        let mut desks = self.desks();
        if desks.closed {
            interrupt.now();
        }
        desks.at_work.insert(unit.clone(), interrupt);
    }

    /// Interrupts the agent of a unit.
    fn end(&self, unit: &UnitId) {
        if let Some(interrupt) = self.desks().at_work.get(unit) {
            interrupt.now();
        }
    }

    /// Works on an assignment as far as possible.
    fn work(&self, pulled: &Pulled) -> Result<Came, RunError> {
        let engine = self.runner.engine()?;
        let run = engine.start_assignment(pulled)?;
        let (unit, agent) = (&pulled.unit, &pulled.agent);
        self.runner.watch.see(&RunEvent::Assigned { unit, agent, run: &run });
        let lost = &OnceLock::new();
        let outcome = std::thread::scope(|scope| {
            let (works, ended) = channel::<()>();
            if !pulled.claimed {
                scope.spawn(move || self.beat(pulled, &ended, lost));
            }
            let begun = |interrupt| {
                self.open(unit, interrupt);
                // It may be lost before its interrupt handle was registered.
                if lost.get().is_some() {
                    self.end(unit);
                }
            };
            let outcome = self.runner.drive_in(&run, &self.shared, begun);
            drop(works);
            outcome
        });
        let outcome = match outcome {
            Err(error @ RunError::Driven { .. }) => {
                return Ok(Came::Held(run, Hold::Blocked { why: error.to_string() }));
            }
            outcome => outcome?,
        };
        let settled = match lost.get() {
            Some(Lost::Taken) => Ok(Came::Gone),
            Some(Lost::Aborted(abort)) => self.give_back(&engine, pulled, &run, abort),
            None => settle(&engine, pulled, &run, outcome),
        };
        match settled {
            Ok(came) => Ok(came),
            Err(EngineError::Inbox(Refusal::Stale { .. })) => Ok(Came::Gone),
            Err(other) => Err(other.into()),
        }
    }

    /// Gives an aborted assignment back and replies to the dispatcher, as an agent is asked to. A
    /// failed reply is only reported, because other agents keep working.
    fn give_back(
        &self,
        engine: &Engine<'_>,
        pulled: &Pulled,
        run: &RunId,
        abort: &Nudge,
    ) -> Result<Came, EngineError> {
        let (agent, who) = (&pulled.agent, who(pulled));
        let why = format!("by {}: {}", abort.from, abort.message);
        engine.agent_fail(agent, held(pulled), &format!("aborted {why}"), &who)?;
        match engine.cancel(run, who.name()) {
            // It ended just when the abort arrived.
            Ok(_) | Err(EngineError::Denied(Denied::Over)) => {}
            Err(other) => return Err(other),
        }
        let id = abort.id.as_deref().unwrap_or_default();
        let answered = engine.nudge_reply(agent, id, "stopped", &who);
        let unanswered = answered.err().map(|error| error.to_string());
        let (unit, unanswered) = (&pulled.unit, unanswered.as_deref());
        self.runner.watch.see(&RunEvent::Aborted { unit, why: &why, unanswered });
        Ok(Came::Gone)
    }

    /// Sends heartbeats while an agent works, and interrupts it when it loses its assignment.
    fn beat(&self, pulled: &Pulled, ended: &Receiver<()>, lost: &OnceLock<Lost>) {
        let Ok(engine) = self.runner.engine() else { return };
        loop {
            if let Some(why) = look(&engine, pulled) {
                let _ = lost.set(why);
                self.end(&pulled.unit);
                return;
            }
            match ended.recv_timeout(BEAT) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}

/// Returns whether a run waits for a person, or for another driver that a person started.
fn waits(engine: &Engine<'_>, run: &RunId) -> bool {
    // Read errors are reported at the end.
    engine.stands_still(run).unwrap_or(true)
        || !matches!(engine.driven_by(run, Duration::ZERO), Ok(None))
}

/// Sends a heartbeat and returns why the work must end, if it must. Read errors are retried; if
/// they persist, the end reports them.
fn look(engine: &Engine<'_>, pulled: &Pulled) -> Option<Lost> {
    match engine.agent_touch(&pulled.agent, held(pulled), &who(pulled)) {
        Ok(false) | Err(EngineError::Inbox(_)) => return Some(Lost::Taken),
        Ok(true) | Err(_) => {}
    }
    engine.agent_poll(&pulled.agent).ok()?.abort.map(Lost::Aborted)
}

fn held(pulled: &Pulled) -> ClaimedHolder<'_> {
    ClaimedHolder { session: &pulled.session, fence: Some(pulled.fence) }
}

fn who(pulled: &Pulled) -> Who {
    Who::Agent(pulled.agent.clone())
}

/// Updates an assignment with the outcome of its run.
fn settle(
    engine: &Engine<'_>,
    pulled: &Pulled,
    run: &RunId,
    outcome: RunEnd,
) -> Result<Came, EngineError> {
    let (agent, own, who) = (&pulled.agent, held(pulled), who(pulled));
    let (came, why) = match outcome {
        RunEnd::Done => {
            if !pulled.claimed {
                engine.agent_complete(agent, own, &who)?;
            }
            // The dispatcher has nothing left to verify.
            engine.agent_clear(agent, &Who::Mayor)?;
            return Ok(Came::Done);
        }
        RunEnd::Cancelled => {
            engine.agent_fail(agent, own, &format!("a person ended {run}"), &who)?;
            return Ok(Came::Gone);
        }
        RunEnd::Held(hold) => {
            let why = hold.to_string();
            (Came::Held(run.clone(), hold), why)
        }
        RunEnd::Spent(used) => (Came::Paused, used.to_string()),
        RunEnd::Paused => (Came::Paused, Hold::Interrupted.said()),
    };
    if !pulled.claimed {
        // This is no stall: the run's hold states the reason.
        let hold = Hold::Asked { what: format!("{run}: {why}") };
        engine.agent_wait(agent, own, &hold, &who)?;
    }
    Ok(came)
}
