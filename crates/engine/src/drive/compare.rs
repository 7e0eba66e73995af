//! Records the baseline of a unit whose work was done in its own worktree.

use sprag_core::{Fence, RunId};

use super::{ACTOR, open};
use crate::agents_file::work_branch;
use crate::engine::kind::unit_of;
use crate::engine::{Engine, EngineError};
use crate::now::Now;
use crate::weigh::of_unit;

/// The choice of the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// The branch as it is now: the work is about to be merged into it.
    Anew,
    /// The previous baseline. If the driver was killed after the merge, the branch already has the
    /// work.
    AsBefore,
}

impl Engine<'_> {
    /// Records the files of a run's branch as the baseline of an attempt's work.
    pub fn drive_compare(
        &self,
        run: &RunId,
        fence: Fence,
        compare: Compare,
    ) -> Result<(), EngineError> {
        let now = Now::new(self);
        self.transact(ACTOR, &now, |tx| {
            let mut case = open(tx.view, run, &now)?;
            let (Some(unit), Some(branch)) =
                (unit_of(&*case.run.live, fence, tx.facts()?), work_branch(tx.view, run)?)
            else {
                return Ok(());
            };
            let is_known = case.run.header.baselines.contains_key(&unit.id);
            match compare {
                Compare::AsBefore if is_known => {}
                Compare::Anew | Compare::AsBefore => {
                    of_unit::takes_branch(tx.view, &mut case, (&unit, &branch), &now, tx)?;
                    tx.run(&case.run)?;
                }
            }
            Ok(())
        })
    }
}
