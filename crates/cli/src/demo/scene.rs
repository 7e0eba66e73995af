//! What acts have in common: a run is driven, and they hear of every event in its journal.

use std::sync::mpsc::{Sender, channel};

use sprag_core::{Event, RunId, Seq};
use sprag_engine::clock;
use sprag_engine::engine::Engine;
use sprag_run::{RunEnd, Seen, Watch};
use sprag_store::Store;

use super::scratch::Scratch;
use super::step::{Beat, Step};
use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{Fault, Stop};
use crate::log;
use crate::run::Unseen;

/// What is told of an event: what it is, in words, and what stands beside it.
pub(super) type Told = (Beat, String, String);

/// Makes a story of events.
pub(super) trait Act {
    /// Hears of an event, and tells of it.
    fn hear(&mut self, event: &Event, scene: &Scene<'_>) -> Result<Vec<Told>, Stop>;
}

/// Where an act plays.
pub(super) struct Scene<'a> {
    pub(super) scratch: &'a Scratch,
    pub(super) engine: &'a Engine<'a>,
    pub(super) run: &'a RunId,
}

/// The story, as far as it was told.
pub(super) struct Story<'a> {
    scratch: &'a Scratch,
    /// How runs are driven here.
    pub(super) runs: Unseen<'a>,
    store: Store,
    seen: Seq,
    say: &'a mut dyn FnMut(&Step) -> Result<(), Stop>,
    pub(super) steps: Vec<Step>,
}

/// Tells that something happened; what it was stands in the journal.
struct Tick(Sender<()>);

impl Watch for Tick {
    fn see(&self, _: &Seen<'_>) {
        // Nobody listens any more when the story broke off.
        let _ = self.0.send(());
    }
}

impl<'a> Story<'a> {
    /// Begins a story.
    pub(super) fn new(
        scratch: &'a Scratch,
        say: &'a mut dyn FnMut(&Step) -> Result<(), Stop>,
    ) -> Result<Self, Stop> {
        let store = Store::open(&scratch.place, clock::first())?;
        let runs = Unseen::new(&scratch.place, &scratch.environment);
        Ok(Self { scratch, runs, store, seen: Seq(0), say, steps: Vec::new() })
    }

    /// Drives a run, and tells what happens while it happens.
    pub(super) fn drive(&mut self, run: &RunId, act: &mut dyn Act) -> Result<RunEnd, Stop> {
        let engine = Engine::open(&self.scratch.place, &self.scratch.environment)?;
        let scene = Scene { scratch: self.scratch, engine: &engine, run };
        let runs = self.runs.clone();
        let (sender, ticks) = channel();
        let outcome = std::thread::scope(|scope| {
            // The tick goes with the driver, and the loop ends when it is gone.
            let driver = scope.spawn(move || runs.drive(run, &Tick(sender)));
            while ticks.recv().is_ok() {
                self.look(&scene, act)?;
            }
            driver.join().unwrap_or_else(|_| Err(broken("the driver of the run broke off")))
        })?;
        self.look(&scene, act)?;
        Ok(outcome)
    }

    /// Tells of something that happened.
    pub(super) fn tell(&mut self, told: Told, event: Option<Seq>) -> Result<(), Stop> {
        let (beat, what, note) = told;
        let step = Step { beat, what, note, event };
        (self.say)(&step)?;
        self.steps.push(step);
        Ok(())
    }

    /// Fails where something did not happen that must.
    pub(super) fn must(&self, beats: &[Beat]) -> Result<(), Stop> {
        let missing = beats.iter().find(|beat| !self.steps.iter().any(|step| step.beat == **beat));
        missing.map_or(Ok(()), |beat| Err(broken(beat.missing())))
    }

    fn look(&mut self, scene: &Scene<'_>, act: &mut dyn Act) -> Result<(), Stop> {
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

/// Returns enough of a name to find it again.
pub(super) fn short(name: &str) -> &str {
    name.get(..6).unwrap_or(name)
}

/// Says that something did not go as it must.
pub(super) fn broken(what: &str) -> Stop {
    Fault::new(Exit::Failed, Code::Refused, format!("the demo broke off: {what}")).into()
}

/// Ends the demo where the system does not let us.
pub(super) fn asked<T>(answer: std::io::Result<T>) -> Result<T, Stop> {
    answer.map_err(|error| broken(&error.to_string()))
}
