//! Posts a loop's texts once each, and hides resolved reviews.
//!
//! Each text contains a marker that is searched for before sending, so that a process killed
//! between sending and recording does not send twice. Concurrent posters take turns.

use std::time::Duration;

use sprag_core::pr::{Marker, addressed};
use sprag_core::{Effect, RunId, Signal};
use sprag_store::{CacheDir, StoreError, View};
use sprag_world::forge::{Forge, ForgeError, Post};

use super::runs;
use crate::engine::kind::{Kind, Kinds};
use crate::engine::{Engine, EngineError};
use crate::open_run::OpenRun;

/// Whether posts are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posting {
    Send,
    /// They are only shown.
    Show,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The number of the pull request.
    pub number: u32,
    /// The text by which it is found.
    pub marker: String,
    pub body: String,
    /// Whether it was sent now, and not found at the forge or only shown.
    pub sent: bool,
}

/// How long to wait for another process that posts.
const TURN: Duration = Duration::from_mins(3);

impl Engine<'_> {
    /// Sends the due posts, once each. A marker that exists already was posted by a process that
    /// was killed before it could record that.
    pub fn review_post(
        &self,
        run: &RunId,
        forge: &dyn Forge,
        posting: Posting,
        actor: &str,
    ) -> Result<Result<Vec<Posted>, ForgeError>, EngineError> {
        let due_now = self.look(|view| shown(self.kinds, view, run))?;
        if posting == Posting::Show || due_now.is_empty() {
            return Ok(Ok(due_now));
        }
        let desk = self.post_desk()?;
        let turn = desk.turn(TURN)?;
        let mut posted = Vec::new();
        // The previous holder of the lock may have sent some of them.
        for (number, marker, body, effect) in self.look(|view| due(self.kinds, view, run))? {
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

    /// Hides the resolved reviews of a run, and returns how many there were.
    pub fn review_tidy(
        &self,
        run: &RunId,
        forge: &dyn Forge,
    ) -> Result<Result<usize, ForgeError>, EngineError> {
        let (number, ids) = self.look(|view| {
            let case = OpenRun::open(self.kinds, view, run)?;
            let known = runs::known(&*case.run.live);
            let ids = known.map_or_else(Vec::new, |known| addressed(known, case.run.id()));
            Ok((runs::number(&*case.run.live), ids))
        })?;
        let Some(number) = number.filter(|_| !ids.is_empty()) else { return Ok(Ok(0)) };
        Ok(forge.minimize(number, &ids).map(|()| ids.len()))
    }

    /// Returns the folder whose lock lets only one process post at a time.
    fn post_desk(&self) -> Result<CacheDir, EngineError> {
        let desk = CacheDir::make_below(&self.place.state, ".sprag/cache/posts");
        Ok(desk.map_err(StoreError::from)?)
    }
}

/// Posts a text, unless it exists already.
fn send(forge: &dyn Forge, number: u32, marker: &str, body: &str) -> Result<bool, ForgeError> {
    if forge.has(number, marker)? {
        return Ok(false);
    }
    let kind = if Marker::is_review(marker) { Post::Review } else { Post::Comment };
    forge.post(number, kind, body)?;
    Ok(true)
}

/// Returns the due posts of a run without sending them.
pub(super) fn shown(
    kinds: Kinds,
    view: &View<'_>,
    run: &RunId,
) -> Result<Vec<Posted>, EngineError> {
    let sent = false;
    let post = |(number, marker, body, _): Due| Posted { number, marker, body, sent };
    Ok(due(kinds, view, run)?.into_iter().map(post).collect())
}

/// A due post: the pull request, its marker, its text, and its effect.
type Due = (u32, String, String, Effect);

fn due(kinds: Kinds, view: &View<'_>, run: &RunId) -> Result<Vec<Due>, EngineError> {
    let case = OpenRun::open(kinds, view, run)?;
    let Some(number) = runs::number(&*case.run.live) else { return Ok(Vec::new()) };
    let posts = case.run.live.outbox().iter().filter_map(|effect| match effect {
        Effect::Post { marker, body } => {
            Some((number, marker.clone(), body.clone(), effect.clone()))
        }
        Effect::Kill { .. } | Effect::Notify { .. } => None,
    });
    Ok(posts.collect())
}

impl dyn Kind {
    pub fn posts(&self) -> usize {
        let is_post = |effect: &&Effect| matches!(effect, Effect::Post { .. });
        self.outbox().iter().filter(is_post).count()
    }
}
