//! What a run that is about a pull request does at its forge, between two agents.

use sprag_engine::forge::{Forge, ForgeError};
use sprag_engine::pr::{Looked, Posting};

use super::Loop;
use crate::{RunError, Seen};

impl Loop<'_, '_> {
    /// Posts what is due, then takes in what the forge says: a review that is not there yet would be
    /// asked for again. A forge that is down is counted by the kernel, which holds the run when that
    /// goes on.
    pub(super) fn look_at_forge(&self) -> Result<(), RunError> {
        let Some(forge) = self.forge.filter(|_| self.at_work.is_empty()) else {
            return Ok(());
        };
        if !self.post(forge)? {
            return Ok(());
        }
        if let Looked::Down(error) = self.engine.review_look(self.run, forge, "run")? {
            self.see_down(&error);
            return Ok(());
        }
        // An answer is due once the forge was seen to have what it speaks of.
        if !self.post(forge)? {
            return Ok(());
        }
        // Without the output of failed checks the fixer looks for it; what is not hidden is seen.
        if let Err(error) = self.engine.review_logs(forge, "run")? {
            self.see_down(&error);
        }
        if let Err(error) = self.engine.review_tidy(self.run, forge)? {
            self.see_down(&error);
        }
        Ok(())
    }

    /// Posts what is due; returns whether the forge was there, or nobody waits for it any more.
    fn post(&self, forge: &dyn Forge) -> Result<bool, RunError> {
        let Err(error) = self.engine.review_post(self.run, forge, Posting::Send, "run")? else {
            return Ok(true);
        };
        self.see_down(&error);
        if error == ForgeError::Interrupted {
            return Ok(true);
        }
        self.engine.review_outage(self.run, "run")?;
        Ok(false)
    }

    fn see_down(&self, error: &ForgeError) {
        if *error != ForgeError::Interrupted {
            let on = format!("the forge: {error}");
            self.runner.watch.see(&Seen::Waiting { on: &on, until: None });
        }
    }
}
