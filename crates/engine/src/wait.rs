//! A hold that waits for a person, with the command that resolves it.

use sprag_core::{Hold, RunId, UnitId};

/// The kind of thing that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Still {
    /// A run, or a unit of it.
    Run,
    /// An agent's assignment, or an unassigned unit of work.
    Work,
}

/// One hold that only a person can resolve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The run. For [`Still::Work`] the id of the agent or the unit of work, which a person answers
    /// like a run.
    pub run: RunId,
    pub still: Still,
    /// The unit that waits, or `None` for the whole run.
    pub unit: Option<UnitId>,
    pub hold: Hold,
    /// The command with which a person resolves it.
    pub command: String,
}

impl Wait {
    pub(crate) fn of_run(run: &RunId, unit: Option<UnitId>, hold: Hold) -> Self {
        let command = command(run, &hold);
        Self { run: run.clone(), still: Still::Run, unit, hold, command }
    }
}

/// Returns the command with which a person resolves a hold.
pub fn command(run: &RunId, hold: &Hold) -> String {
    hold.ways().first().command(run)
}
