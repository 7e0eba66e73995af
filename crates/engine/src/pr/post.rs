//! Posts what a loop has to say, each text once, and hides what was dealt with.
//!
//! A marker in the text is looked for before it is sent, so that whoever was killed between sending
//! and noting does not send twice; two who post at the same moment take turns.

use std::time::Duration;

use sprag_core::pr::{Marker, addressed};
use sprag_core::{Effect, RunId, Signal};
use sprag_store::{Shelf, StoreError, View};

use super::runs;
use crate::case::Case;
use crate::engine::{Engine, EngineError};
use crate::forge::{Forge, ForgeError, Post};
use crate::live::Live;

/// Whether posts are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posting {
    /// They are.
    Send,
    /// They are only shown.
    Show,
}

/// A post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The pull request, by its number.
    pub number: u32,
    /// What it is found by.
    pub marker: String,
    /// The text.
    pub body: String,
    /// Whether it was sent now, and not found there already or only shown.
    pub sent: bool,
}

/// How long somebody else may take to post.
const TURN: Duration = Duration::from_mins(3);

impl Engine<'_> {
    /// Posts what is due, each once: a marker that stands there already was posted by whoever was
    /// ended before they could say so.
    pub fn review_post(
        &self,
        run: &RunId,
        forge: &dyn Forge,
        posting: Posting,
        actor: &str,
    ) -> Result<Result<Vec<Posted>, ForgeError>, EngineError> {
        let due_now = self.look(|view| shown(view, run))?;
        if posting == Posting::Show || due_now.is_empty() {
            return Ok(Ok(due_now));
        }
        let desk = self.post_desk()?;
        let turn = desk.turn(TURN)?;
        let mut posted = Vec::new();
        // Whoever had the turn before may have posted some of it.
        for (number, marker, body, effect) in self.look(|view| due(view, run))? {
            match send(forge, number, &marker, &body) {
                Ok(sent) => {
                    self.review_step(run, actor, &Signal::Performed { effect }, None)?;
                    posted.push(Posted { number, marker, body, sent });
                }
                Err(error) => return Ok(Err(error)),
            }
        }
        drop(turn);
        Ok(Ok(posted))
    }

    /// Hides the reviews of a run that were answered; returns how many there were.
    pub fn review_tidy(
        &self,
        run: &RunId,
        forge: &dyn Forge,
    ) -> Result<Result<usize, ForgeError>, EngineError> {
        let (number, ids) = self.look(|view| {
            let case = Case::open(view, run)?;
            let known = runs::known(&case.run.live);
            let ids = known.map_or_else(Vec::new, |known| addressed(known, case.run.id()));
            Ok((runs::number(&case.run.live), ids))
        })?;
        let Some(number) = number.filter(|_| !ids.is_empty()) else { return Ok(Ok(0)) };
        Ok(forge.minimize(number, &ids).map(|()| ids.len()))
    }

    /// Returns the folder whose turn makes sure that only one posts at a time.
    fn post_desk(&self) -> Result<Shelf, EngineError> {
        let desk = Shelf::make_below(&self.place.state, ".sprag/cache/posts");
        Ok(desk.map_err(StoreError::from)?)
    }
}

/// Posts a text, unless it stands there already.
fn send(forge: &dyn Forge, number: u32, marker: &str, body: &str) -> Result<bool, ForgeError> {
    if forge.has(number, marker)? {
        return Ok(false);
    }
    let kind = if Marker::is_review(marker) { Post::Review } else { Post::Comment };
    forge.post(number, kind, body)?;
    Ok(true)
}

/// Returns what a run has to post, as it would be.
pub(super) fn shown(view: &View<'_>, run: &RunId) -> Result<Vec<Posted>, EngineError> {
    let sent = false;
    let post = |(number, marker, body, _): Due| Posted { number, marker, body, sent };
    Ok(due(view, run)?.into_iter().map(post).collect())
}

/// A post that is due: the pull request, its marker, its text, and the effect that it is.
type Due = (u32, String, String, Effect);

fn due(view: &View<'_>, run: &RunId) -> Result<Vec<Due>, EngineError> {
    let case = Case::open(view, run)?;
    let Some(number) = runs::number(&case.run.live) else { return Ok(Vec::new()) };
    let posts = case.run.live.outbox().iter().filter_map(|effect| match effect {
        Effect::Post { marker, body } => {
            Some((number, marker.clone(), body.clone(), effect.clone()))
        }
        Effect::Kill { .. } | Effect::Notify { .. } => None,
    });
    Ok(posts.collect())
}

impl Live {
    /// Returns how many texts are to be posted.
    pub fn posts(&self) -> usize {
        let is_post = |effect: &&Effect| matches!(effect, Effect::Post { .. });
        self.outbox().iter().filter(is_post).count()
    }
}
