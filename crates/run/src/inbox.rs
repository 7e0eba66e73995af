//! The inbox, driven: agents pull their assignments and work on them until nothing is left.
//!
//! Each assignment is a run of its own, driven like any other; what is shared is one clock a host,
//! one room for gates and one budget. A driver that is killed leaves its assignments active under
//! the driver's name, and whoever drives next goes on with them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Scope;
use std::time::Duration;

use sprag_core::inbox::{Refusal, Who};
use sprag_core::{Denied, Driven, Hold, Overspent, RunId, UnitId};
use sprag_engine::clock;
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::inbox::{Held, Pulled};
use sprag_formats::Budget;
use sprag_formats::chipset::Nudge;

use crate::agent::Stop;
use crate::budget::used_up;
use crate::shared::{Shared, sit};
use crate::{Interrupt, RunEnd, RunError, Runner, Seen};

/// How often an agent that works gives a sign of life.
const BEAT: Duration = Duration::from_secs(30);

/// How long nothing is looked at when nobody is free.
const LONG: Duration = Duration::from_mins(10);

/// Returns how often is looked whether a person has answered.
fn poll() -> Duration {
    Duration::from_millis(clock::pause(10_000).unsigned_abs())
}

/// What became of an assignment.
#[derive(Debug)]
enum Came {
    /// It is done, and off.
    Done,
    /// It stays with its agent until a person does something about its run.
    Held(RunId, Hold),
    /// A person ended its run, or took it back: the unit is open again.
    Gone,
    /// Its driver was asked to end; it goes on later.
    Paused,
}

/// Why work ends that is not over.
#[derive(Debug)]
enum Lost {
    /// Somebody took it back.
    Taken,
    /// Whoever dispatches said to stop it.
    Aborted(Nudge),
}

enum Message {
    Came(UnitId, Result<Came, RunError>),
    Interrupt,
}

/// An assignment that waits for a person.
struct Waits {
    unit: UnitId,
    run: RunId,
    hold: Hold,
    /// Whether it is taken again once it no longer does.
    returns: bool,
}

/// What all who work on the inbox have in common.
struct Office<'e> {
    runner: &'e Runner<'e>,
    shared: Shared,
    desks: Mutex<Desks>,
}

/// Who works, and how they are asked to end.
#[derive(Default)]
struct Desks {
    closed: bool,
    at_work: BTreeMap<UnitId, Interrupt>,
}

impl Runner<'_> {
    /// Drives the inbox until nothing is left that can be worked on. `begun` gets the handle by which
    /// the driver is interrupted.
    pub fn drive_inbox(
        &self,
        run: &RunId,
        begun: impl FnOnce(Interrupt),
    ) -> Result<RunEnd, RunError> {
        let engine = self.engine()?;
        let chair = engine.driver_seat(run)?;
        let _sits = sit(&chair, run)?;
        let stop = Stop::new().map_err(RunError::NoPipe)?;
        let (sender, receiver) = Interrupt::heard(begun, &stop, || Message::Interrupt);
        match self.yard_for(&stop) {
            Err(error) if error.is_interrupted() => return Ok(RunEnd::Paused),
            Err(error) => return self.hold_for(run, error),
            Ok(made) => drop(made),
        }
        // The budget is that of all together, so it is looked at between two assignments.
        let shared = Shared::new(Budget::default());
        let office = Office { runner: self, shared, desks: Mutex::default() };
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
            // Whatever went wrong, nobody works on unseen.
            office.close();
            outcome
        })
    }
}

/// The inbox while it is driven.
struct Driver<'s, 'e: 's> {
    office: &'e Office<'e>,
    run: &'e RunId,
    engine: Engine<'e>,
    scope: &'s Scope<'s, 'e>,
    sender: Sender<Message>,
    receiver: Receiver<Message>,
    /// Asked as soon as somebody interrupts.
    stop: Stop,
    /// Units that were taken: each is, once, unless a person lets it go on meanwhile.
    seen: BTreeSet<UnitId>,
    /// Those of them that wait for a person.
    held: Vec<Waits>,
    /// Units that were held and not seen to wait.
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
                // What is over needs no budget.
                let left = spent.filter(|_| self.has_more());
                return match left {
                    Some(used) => {
                        self.engine.drive_inbox_ended(Some(&Hold::Budget(used.clone())))?;
                        Ok(RunEnd::Spent(used))
                    }
                    None => self.over(),
                };
            }
            // Nobody says when a person has answered, and somebody may be free for it.
            let is_free = self.running < self.most() && !self.held.is_empty();
            match self.receiver.recv_timeout(if is_free { poll() } else { LONG }) {
                Ok(Message::Came(unit, came)) => self.heard(unit, came?),
                Ok(Message::Interrupt) => return self.interrupted(),
                Err(RecvTimeoutError::Timeout) => {}
                // Nobody hangs up: the loop has a sender itself.
                Err(RecvTimeoutError::Disconnected) => return self.over(),
            }
        }
    }

    /// Returns how many may work at the same time.
    fn most(&self) -> usize {
        self.office.runner.options.agents.max(1)
    }

    /// Returns what is spent, where there is a budget and it is.
    fn spent(&self) -> Result<Option<Overspent>, RunError> {
        let budget = &self.office.runner.options.budget;
        if *budget == Budget::default() {
            return Ok(None);
        }
        let spent = self.engine.drive_far(self.run)?.spent;
        Ok(used_up(budget, &spent, &Driven::Inbox))
    }

    /// Returns whether there is something to begin. What cannot be read may be.
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
            // The loop listens until nobody works any more.
            let _ = sender.send(Message::Came(pulled.unit, came));
        });
    }

    fn heard(&mut self, unit: UnitId, came: Came) {
        self.running -= 1;
        match came {
            Came::Held(run, hold) => {
                // A person may have answered just now; but what nobody sees waiting twice would be
                // taken again and again.
                let returns = waits(&self.engine, &run) || self.unseen.insert(unit.clone());
                self.held.push(Waits { unit, run, hold, returns });
            }
            Came::Done | Came::Gone | Came::Paused => {}
        }
    }

    /// Lets those be taken once more that no longer wait, because a person answered meanwhile.
    fn free(&mut self) {
        let engine = &self.engine;
        for one in self.held.extract_if(.., |one| one.returns && !waits(engine, &one.run)) {
            self.seen.remove(&one.unit);
        }
    }

    /// Returns what it came to, now that nobody works and nothing can be taken.
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

    /// Ends everybody who works; their assignments stay as they are.
    fn interrupted(&mut self) -> Result<RunEnd, RunError> {
        self.office.close();
        while self.running > 0 {
            match self.receiver.recv() {
                Ok(Message::Came(unit, came)) => self.heard(unit, came?),
                Ok(Message::Interrupt) => {}
                Err(_) => break,
            }
        }
        Ok(RunEnd::Paused)
    }
}

impl Office<'_> {
    fn desks(&self) -> MutexGuard<'_, Desks> {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks everybody to end, and whoever comes later.
    fn close(&self) {
        let mut desks = self.desks();
        desks.closed = true;
        desks.at_work.values().for_each(Interrupt::now);
    }

    /// Keeps how somebody is asked to end who begins now.
    fn open(&self, unit: &UnitId, interrupt: Interrupt) {
        let mut desks = self.desks();
        if desks.closed {
            interrupt.now();
        }
        desks.at_work.insert(unit.clone(), interrupt);
    }

    /// Asks whoever works on a unit to end.
    fn end(&self, unit: &UnitId) {
        if let Some(interrupt) = self.desks().at_work.get(unit) {
            interrupt.now();
        }
    }

    /// Works on an assignment as far as that goes.
    fn work(&self, pulled: &Pulled) -> Result<Came, RunError> {
        let engine = self.runner.engine()?;
        let run = engine.start_assignment(pulled)?;
        let (unit, agent) = (&pulled.unit, &pulled.agent);
        self.runner.watch.see(&Seen::Assigned { unit, agent, run: &run });
        let lost = &OnceLock::new();
        let outcome = std::thread::scope(|scope| {
            let (works, ended) = channel::<()>();
            if !pulled.claimed {
                scope.spawn(move || self.beat(pulled, &ended, lost));
            }
            let begun = |interrupt| {
                self.open(unit, interrupt);
                // It may be lost before there was anybody to ask.
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

    /// Gives back what was aborted, and answers whoever did that, as an agent is told to. An answer
    /// that cannot be given is said: others work on.
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
            // It ended just when the abort came.
            Ok(_) | Err(EngineError::Denied(Denied::Over)) => {}
            Err(other) => return Err(other),
        }
        let id = abort.id.as_deref().unwrap_or_default();
        let answered = engine.nudge_reply(agent, id, "stopped", &who);
        let unanswered = answered.err().map(|error| error.to_string());
        let (unit, unanswered) = (&pulled.unit, unanswered.as_deref());
        self.runner.watch.see(&Seen::Aborted { unit, why: &why, unanswered });
        Ok(Came::Gone)
    }

    /// Gives signs of life while an agent works, and ends the work where it is its own no longer.
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

/// Returns whether a run waits for a person, or for another one who drives it because a person said so.
fn waits(engine: &Engine<'_>, run: &RunId) -> bool {
    // What cannot be read is said at the end.
    engine.stands_still(run).unwrap_or(true)
        || !matches!(engine.driven_by(run, Duration::ZERO), Ok(None))
}

/// Gives a sign of life, and says whether the work is to end. What cannot be read now is tried again;
/// the end says it if it stays so.
fn look(engine: &Engine<'_>, pulled: &Pulled) -> Option<Lost> {
    match engine.agent_touch(&pulled.agent, held(pulled), &who(pulled)) {
        Ok(false) | Err(EngineError::Inbox(_)) => return Some(Lost::Taken),
        Ok(true) | Err(_) => {}
    }
    engine.agent_poll(&pulled.agent).ok()?.abort.map(Lost::Aborted)
}

fn held(pulled: &Pulled) -> Held<'_> {
    Held { session: &pulled.session, fence: Some(pulled.fence) }
}

fn who(pulled: &Pulled) -> Who {
    Who::Agent(pulled.agent.clone())
}

/// Brings an assignment to what its run came to.
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
            // Whoever dispatches has nothing left to verify.
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
        // It is no stall: its run says what it waits for.
        let hold = Hold::Asked { what: format!("{run}: {why}") };
        engine.agent_wait(agent, own, &hold, &who)?;
    }
    Ok(came)
}
