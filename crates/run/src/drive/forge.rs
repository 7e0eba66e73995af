//! Synchronizes a pull request's run with its forge, between two agents.

use sprag_engine::pr::{ForgeLook, Posting};
use sprag_world::forge::{Forge, ForgeError};

use super::DriveLoop;
use crate::{RunError, RunEvent};

impl DriveLoop<'_, '_> {
    /// Posts what is due, then fetches the forge's state: a review that is not posted yet would be
    /// requested again. The kernel counts outages, and holds the run if they continue.
    pub(super) fn look_at_forge(&self) -> Result<(), RunError> {
        let Some(forge) = self.forge.filter(|_| self.at_work.is_empty()) else {
            return Ok(());
        };
        if !self.post(forge)? {
            return Ok(());
        }
        if let ForgeLook::Down(error) = self.engine.review_look(self.run, forge, "run")? {
            self.see_down(&error);
            return Ok(());
        }
        // An answer is due only after the commit it mentions was seen on the forge.
        if !self.post(forge)? {
            return Ok(());
        }
        // Without the logs of failed checks the fixer would have to search for them. Outdated
        // comments stay visible until they are hidden.
        if let Err(error) = self.engine.review_logs(forge, "run")? {
            self.see_down(&error);
        }
        if let Err(error) = self.engine.review_tidy(self.run, forge)? {
            self.see_down(&error);
        }
        Ok(())
    }

    /// Posts what is due. Returns false if the run must wait for the forge.
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
            self.runner.watch.see(&RunEvent::Waiting { on: &on, until: None });
        }
    }
}
