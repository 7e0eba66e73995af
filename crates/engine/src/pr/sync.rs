//! Brings a folder and its forge together, as a person asks for it: what is due is posted, what the
//! forge says is taken in, what failed is kept, what was answered is hidden.

use super::drive::Looked;
use super::post::{self, Posted, Posting};
use super::{Refreshed, runs};
use crate::engine::{Engine, EngineError};
use crate::forge::{Forge, ForgeError};

/// What that came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Synced {
    /// What the forge said.
    pub found: Refreshed,
    /// What was posted.
    pub posted: Vec<Posted>,
    /// What did not work and does not matter much.
    pub notes: Vec<String>,
}

impl Engine<'_> {
    /// Posts, looks, keeps and hides; a forge that cannot be asked changes nothing in the file.
    ///
    /// Where a run drives the loop it is the run that looks, so that it knows what it waits for;
    /// and it posts first, because a review that is not there yet would be asked for again.
    /// Where posts are only shown, nothing is hidden and no output is asked for either.
    pub fn review_sync(
        &self,
        forge: &dyn Forge,
        posting: Posting,
        actor: &str,
    ) -> Result<Synced, EngineError> {
        let runs = self.look(runs::of_pull)?;
        let mut posted = Vec::new();
        for run in &runs.speaking {
            let sent = self.review_post(run, forge, posting, actor)?;
            posted.extend(sent.map_err(|error| down(&error))?);
        }
        let found = match &runs.open {
            None => self.review_refresh(forge, actor)?,
            Some(run) => match self.review_look(run, forge, actor)? {
                Looked::Seen => self.review_number()?.map_or(Refreshed::None, Refreshed::Pull),
                Looked::Gone => Refreshed::None,
                Looked::Down(error) => return Err(down(&error)),
            },
        };
        if posting == Posting::Show {
            return Ok(Synced { found, posted, notes: Vec::new() });
        }
        // An answer is due once the forge was seen to have what it speaks of.
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

    /// Returns what is to be posted.
    pub fn review_due(&self) -> Result<Vec<Posted>, EngineError> {
        self.look(|view| {
            let mut due = Vec::new();
            for run in runs::of_pull(view)?.speaking {
                due.extend(post::shown(view, &run)?);
            }
            Ok(due)
        })
    }

    /// Returns the number of the pull request that this folder is at.
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
