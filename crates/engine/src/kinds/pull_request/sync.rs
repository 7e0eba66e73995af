//! Synchronizes a folder with its forge on request: sends due posts, merges the forge's answer,
//! stores the output of failures, and hides resolved reviews.

use super::drive::ForgeLook;
use super::post::{self, Posted, Posting};
use super::{Refreshed, runs};
use crate::engine::{Engine, EngineError};
use sprag_world::forge::{Forge, ForgeError};

/// The result of a synchronization.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Synced {
    /// The pull request that was found.
    pub found: Refreshed,
    pub posted: Vec<Posted>,
    /// Failures that do not matter much.
    pub notes: Vec<String>,
}

impl Engine<'_> {
    /// Posts, queries, stores and hides. If the forge fails, the file stays as it is.
    ///
    /// If a run drives the loop, the run queries the forge, so that it knows what it waits for. It
    /// posts first, because a missing review would be requested again. If posts are only shown,
    /// nothing is hidden and no output is fetched.
    pub fn review_sync(
        &self,
        forge: &dyn Forge,
        posting: Posting,
        actor: &str,
    ) -> Result<Synced, EngineError> {
        let runs = self.look(|view| runs::of_pull(self.kinds, view))?;
        let mut posted = Vec::new();
        for run in &runs.speaking {
            let sent = self.review_post(run, forge, posting, actor)?;
            posted.extend(sent.map_err(|error| down(&error))?);
        }
        let found = match &runs.open {
            None => self.review_refresh(forge, actor)?,
            Some(run) => match self.review_look(run, forge, actor)? {
                ForgeLook::Seen => self.review_number()?.map_or(Refreshed::None, Refreshed::Pull),
                ForgeLook::Gone => Refreshed::None,
                ForgeLook::Down(error) => return Err(down(&error)),
            },
        };
        if posting == Posting::Show {
            return Ok(Synced { found, posted, notes: Vec::new() });
        }
        // An answer is due only after the forge has the commits it refers to.
        if let Some(run) = &runs.open {
            let sent = self.review_post(run, forge, posting, actor)?;
            posted.extend(sent.map_err(|error| down(&error))?);
        }
        let kept = self.review_logs(forge, actor)?.map(drop);
        let hidden = match &runs.open {
            Some(run) => self.review_tidy(run, forge)?.map(drop),
            None => Ok(()),
        };
        let notes = [("the output of failed checks", kept), ("answered reviews", hidden)];
        let notes = notes.into_iter().filter_map(|(what, came)| {
            let error = came.err()?;
            Some(format!("{what}: {error}"))
        });
        Ok(Synced { found, posted, notes: notes.collect() })
    }

    /// Returns the due posts.
    pub fn review_due(&self) -> Result<Vec<Posted>, EngineError> {
        self.look(|view| {
            let mut due = Vec::new();
            for run in runs::of_pull(self.kinds, view)?.speaking {
                due.extend(post::shown(self.kinds, view, &run)?);
            }
            Ok(due)
        })
    }

    /// Returns the number of this folder's pull request.
    pub fn review_number(&self) -> Result<Option<u32>, EngineError> {
        Ok(self.review_metadata()?.known().map(|known| known.pull.number))
    }
}

fn down(error: &ForgeError) -> EngineError {
    EngineError::Refused {
        what: error.to_string(),
        help: "the file is as it was; try again later".to_owned(),
    }
}
