//! What becomes of a run whose budget is spent.

use sprag_core::{Driven, Hold};
use sprag_engine::drive::Coming;
use sprag_engine::persons::OURSELVES;

use super::{Loop, Step};
use crate::budget::used_up;
use crate::{RunEnd, RunError};

impl Loop<'_, '_> {
    /// Holds a run whose budget is spent, once those who work have ended: a budget ends nobody's work,
    /// and what is over needs none.
    pub(super) fn spent(&mut self) -> Result<Option<Step>, RunError> {
        let spent = self.engine.drive_spent(self.run)?;
        let Some(used) = used_up(&self.shared.budget, &spent, &Driven::of(self.run)) else {
            return Ok(None);
        };
        if !self.at_work.is_empty() {
            return Ok(Some(Step::Wait(None)));
        }
        match self.coming()? {
            Coming::Done => return Ok(Some(Step::Over(RunEnd::Done))),
            Coming::Cancelled => return Ok(Some(Step::Over(self.cancelled()))),
            Coming::Begun(_) | Coming::Held(_) | Coming::Wait { .. } => {}
        }
        self.engine.pause_driven(self.run, &Hold::Budget(used.clone()), OURSELVES)?;
        Ok(Some(Step::Over(RunEnd::Spent(used))))
    }
}
