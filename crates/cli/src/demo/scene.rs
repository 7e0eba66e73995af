//! The common part of both acts: a run is driven, and the act receives every event of its journal.

use std::sync::mpsc::{Sender, channel};

use sprag_core::{Event, RunId, Seq};
use sprag_engine::engine::Engine;
use sprag_run::{RunEnd, RunEvent, Watch};
use sprag_store::Store;
use sprag_world::clock;

use super::scratch::Scratch;
use super::step::{Beat, DemoStep};
use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use crate::log;
use crate::run::HeadlessRun;

/// A line of the story: its beat, its text, and a note.
pub(super) type Told = (Beat, String, String);

/// Turns events into a story.
pub(super) trait Act {
    /// Receives an event and returns the lines that tell it.
    fn hear(&mut self, event: &Event, scene: &Scene<'_>) -> Result<Vec<Told>, EarlyExit>;
}

/// The setting of an act.
pub(super) struct Scene<'a> {
    pub(super) scratch: &'a Scratch,
    pub(super) engine: &'a Engine<'a>,
    pub(super) run: &'a RunId,
}

/// The story so far.
pub(super) struct DemoStory<'a> {
    scratch: &'a Scratch,
    /// Drives the runs of the demo.
    pub(super) runs: HeadlessRun<'a>,
    store: Store,
    seen: Seq,
    say: &'a mut dyn FnMut(&DemoStep) -> Result<(), EarlyExit>,
    pub(super) steps: Vec<DemoStep>,
}

/// Signals that something happened; the journal contains the event.
struct Tick(Sender<()>);

impl Watch for Tick {
    fn see(&self, _: &RunEvent<'_>) {
        // The receiver is gone if the story broke off.
        let _ = self.0.send(());
    }
}

impl<'a> DemoStory<'a> {
    pub(super) fn new(
        scratch: &'a Scratch,
        say: &'a mut dyn FnMut(&DemoStep) -> Result<(), EarlyExit>,
    ) -> Result<Self, EarlyExit> {
        let store = Store::open(&scratch.place, clock::first())?;
        let runs = HeadlessRun::new(&scratch.place, &scratch.environment);
        Ok(Self { scratch, runs, store, seen: Seq(0), say, steps: Vec::new() })
    }

    /// Drives a run and tells its events as they happen.
    pub(super) fn drive(&mut self, run: &RunId, act: &mut dyn Act) -> Result<RunEnd, EarlyExit> {
        let engine = Engine::open(&self.scratch.place, &self.scratch.environment)?;
        let scene = Scene { scratch: self.scratch, engine: &engine, run };
        let runs = self.runs.clone();
        let (sender, ticks) = channel();
        let outcome = std::thread::scope(|scope| {
            // The tick is dropped with the driver, which ends the loop.
            let driver = scope.spawn(move || runs.drive(run, &Tick(sender)));
            while ticks.recv().is_ok() {
                self.look(&scene, act)?;
            }
            driver.join().unwrap_or_else(|_| Err(broken("the driver of the run broke off")))
        })?;
        self.look(&scene, act)?;
        Ok(outcome)
    }

    /// Adds a line to the story.
    pub(super) fn tell(&mut self, told: Told, event: Option<Seq>) -> Result<(), EarlyExit> {
        let (beat, what, note) = told;
        let step = DemoStep { beat, what, note, event };
        (self.say)(&step)?;
        self.steps.push(step);
        Ok(())
    }

    /// Fails if a required event did not happen.
    pub(super) fn must(&self, beats: &[Beat]) -> Result<(), EarlyExit> {
        let missing = beats.iter().find(|beat| !self.steps.iter().any(|step| step.beat == **beat));
        missing.map_or(Ok(()), |beat| Err(broken(beat.missing())))
    }

    fn look(&mut self, scene: &Scene<'_>, act: &mut dyn Act) -> Result<(), EarlyExit> {
        let (last, records) = log::since(&self.store, self.seen, Some(scene.run.as_str()))?;
        self.seen = last;
        for record in &records {
            for event in &record.events {
                for told in act.hear(&event.read(), scene)? {
                    self.tell(told, Some(record.seq))?;
                }
            }
        }
        Ok(())
    }
}

/// Returns a short prefix of a name.
pub(super) fn short(name: &str) -> &str {
    name.get(..6).unwrap_or(name)
}

/// Returns the error that ends the demo.
pub(super) fn broken(what: &str) -> EarlyExit {
    Fault::new(Exit::Failed, Code::Refused, format!("the demo broke off: {what}")).into()
}

/// Turns an I/O error into the end of the demo.
pub(super) fn asked<T>(answer: std::io::Result<T>) -> Result<T, EarlyExit> {
    answer.map_err(|error| broken(&error.to_string()))
}
