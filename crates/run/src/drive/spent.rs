//! Holds a run whose budget is spent.

use sprag_core::{Driven, Hold};
use sprag_engine::drive::Coming;
use sprag_engine::persons::OURSELVES;

use super::{DriveLoop, LoopStep};
use crate::budget::used_up;
use crate::{RunEnd, RunError};

impl DriveLoop<'_, '_> {
    /// Holds the run once its agents have ended: a spent budget interrupts no agent. A finished run
    /// is not held.
    pub(super) fn spent(&mut self) -> Result<Option<LoopStep>, RunError> {
        let spent = self.engine.drive_spent(self.run)?;
        let Some(used) = used_up(&self.shared.budget, &spent, &Driven::of(self.run)) else {
            return Ok(None);
        };
        if !self.at_work.is_empty() {
            return Ok(Some(LoopStep::Wait(None)));
        }
        match self.coming()? {
            Coming::Done => return Ok(Some(LoopStep::Over(RunEnd::Done))),
            Coming::Cancelled => return Ok(Some(LoopStep::Over(self.cancelled()))),
            Coming::Begun(_) | Coming::Held(_) | Coming::Wait { .. } => {}
        }
        self.engine.pause_driven(self.run, &Hold::Budget(used.clone()), OURSELVES)?;
        Ok(Some(LoopStep::Over(RunEnd::Spent(used))))
    }
}
