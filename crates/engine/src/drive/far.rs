//! The progress of a run, for display while it works.

use std::time::Duration;

use sprag_core::plan::{Task, TaskState};
use sprag_core::{RunId, Time};
use sprag_store::View;

use super::ledger::{Ledger, Tally};
use super::{Spent, inbox, is_inbox, open};
use crate::case::Case;
use crate::engine::{Engine, EngineError};
use crate::live::Live;
use crate::run_file::Source;
use crate::sitting::Now;

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

/// How much of a run is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    pub done: usize,
    /// The total, if it is known.
    pub total: Option<usize>,
    /// The name of what is counted, in the plural.
    pub of: &'static str,
}

impl Engine<'_> {
    pub fn drive_far(&self, run: &RunId) -> Result<Far, EngineError> {
        let now = Now::new(self);
        self.look(|view: &View<'_>| {
            if is_inbox(run) {
                return inbox::far(view, &now);
            }
            let case = open(view, run, &now)?;
            let ledger = Ledger::read(view, run)?;
            let header = case.run.header;
            Ok(Far {
                wall: case.run.live.wall(),
                count: count(&case.run.live, &ledger.tally),
                open: open_units(&case.run.live),
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
        self.look(|view: &View<'_>| Ok(Case::open(view, run)?.run.live.is_cancelled()))
    }
}

/// Returns the open units: those in progress, and for a plan also those to come.
fn open_units(live: &Live) -> Vec<String> {
    let begun = live.attempts().iter().map(|attempt| attempt.unit().to_string());
    let mut open: Vec<String> = begun.collect();
    match live {
        Live::Plan(held) => {
            let tasks = held.definition.plan.tasks.iter();
            let is_over = |id: &str| held.run.position().task(id).is_some_and(TaskState::is_over);
            open.extend(tasks.filter(|task| !is_over(&task.id)).map(Task::retry_key));
        }
        Live::Guard(_) | Live::Workflow(_) | Live::Loop(_) | Live::Gsd(_) | Live::Pr(_) => {}
    }
    open.sort();
    open.dedup();
    open
}

fn count(live: &Live, tally: &Tally) -> Count {
    match live {
        Live::Workflow(held) => {
            let position = held.run.position();
            let known = held.definition.definitions.get(&held.definition.key);
            let total = known.map_or(0, |known| known.phases.len());
            let at = position.path.first().and_then(|first| usize::try_from(first.index).ok());
            let done = if position.done { total } else { at.unwrap_or(0).min(total) };
            Count { done, total: Some(total), of: "phases" }
        }
        Live::Plan(held) => {
            let total = held.definition.plan.tasks.len();
            Count { done: held.run.position().done(), total: Some(total), of: "tasks" }
        }
        Live::Gsd(held) => {
            let progress = held.definition.state.progress;
            let (of, count) = match (progress.tasks, progress.slices) {
                (Some(tasks), _) => ("tasks", tasks),
                (None, Some(slices)) => ("slices", slices),
                (None, None) => ("milestones", progress.milestones),
            };
            Count { done: count.done, total: Some(count.total), of }
        }
        Live::Guard(_) | Live::Loop(_) | Live::Pr(_) => {
            Count { done: tally.units(), total: None, of: "units" }
        }
    }
}
