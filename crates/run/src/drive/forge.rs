//! What a run that is about a pull request does at its forge, between two agents.

use sprag_engine::forge::ForgeError;
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
        let down = |error: &ForgeError| {
            if *error == ForgeError::Interrupted {
                return;
            }
            let on = format!("the forge: {error}");
            self.runner.watch.see(&Seen::Waiting { on: &on, until: None });
        };
        if let Err(error) = self.engine.review_post(self.run, forge, Posting::Send, "run")? {
            down(&error);
            if error != ForgeError::Interrupted {
                return Ok(self.engine.review_outage(self.run, "run")?);
            }
        }
        if let Looked::Down(error) = self.engine.review_look(self.run, forge, "run")? {
            down(&error);
            return Ok(());
        }
        // Without the output of failed checks the fixer looks for it; what is not hidden is seen.
        if let Err(error) = self.engine.review_logs(forge, "run")? {
            down(&error);
        }
        if let Err(error) = self.engine.review_tidy(self.run, forge)? {
            down(&error);
        }
        Ok(())
    }
}
