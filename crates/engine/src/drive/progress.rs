//! The progress of a run, for display while it works.

use std::time::Duration;

use sprag_core::{RunId, Time};
use sprag_store::View;

use super::{Spent, inbox, is_inbox, open};
use crate::agents_file::{AgentsFile, Tally};
use crate::engine::kind::{Count, Kind};
use crate::engine::{Engine, EngineError};
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::run_file::Source;

#[derive(Clone, Debug, PartialEq)]
pub struct Far {
    pub source: Source,
    /// The task, as a person wrote it.
    pub task: Option<String>,
    /// The command that the task must satisfy.
    pub until: Option<String>,
    pub started: Time,
    pub ended: Option<Time>,
    /// The time limit, if there is one.
    pub wall: Option<Duration>,
    pub count: Count,
    /// The cost so far.
    pub spent: Spent,
    /// The results of its units so far.
    pub tally: Tally,
    /// The names of open units, as far as they are known.
    pub open: Vec<String>,
}

impl Engine<'_> {
    pub fn drive_far(&self, run: &RunId) -> Result<Far, EngineError> {
        let now = Now::new(self);
        self.look(|view: &View<'_>| {
            if is_inbox(run) {
                return inbox::far(view, &now);
            }
            let case = open(view, run, &now)?;
            let ledger = AgentsFile::read(view, run)?;
            let header = case.run.header;
            Ok(Far {
                wall: case.run.live.wall(),
                count: case.run.live.count(ledger.tally.units()),
                open: open_units(&*case.run.live),
                spent: ledger.spent,
                tally: ledger.tally,
                source: header.source,
                task: header.task,
                until: header.until,
                started: header.started,
                ended: header.ended,
            })
        })
    }

    /// Returns whether a person cancelled a run.
    pub fn drive_cancelled(&self, run: &RunId) -> Result<bool, EngineError> {
        // Without a scan of the files: this is also called during shutdown.
        self.look(|view: &View<'_>| {
            Ok(OpenRun::open(self.kinds, view, run)?.run.live.is_cancelled())
        })
    }
}

/// Returns the open units: those in progress, and those to come as far as they are known.
fn open_units(live: &dyn Kind) -> Vec<String> {
    let begun = live.attempts().iter().map(|attempt| attempt.unit().to_string());
    let mut open: Vec<String> = begun.collect();
    open.extend(live.to_come());
    open.sort();
    open.dedup();
    open
}
