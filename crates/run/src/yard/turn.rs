//! Turns: who works on a run's branch or on one agent's worktree.
//!
//! The lock is the kernel's and goes with its holder. A git that the holder had started may live
//! on, though, so whoever gets the next turn ends that first: it carries a mark in its environment.

use std::path::PathBuf;
use std::time::Duration;

use sprag_core::{EffectId, Hash};
use sprag_engine::process::Family;
use sprag_engine::root::STATE;
use sprag_store::{Lasting, Shelf, StoreError};

use super::error::YardError;
use super::git::Git;
use super::{Yard, registry};

/// How long somebody waits for a turn: as long as a run may go on, since gates run in one.
const PATIENCE: Duration = Duration::from_hours(8);
/// Stands in a room while somebody works there.
const BUSY: &str = "busy";

impl Yard {
    /// Does something that nobody else may do at the same time for `name`.
    pub(super) fn turn<T, E: From<YardError>>(
        &self,
        name: &str,
        act: impl FnOnce(&Git) -> Result<T, E>,
    ) -> Result<T, E> {
        let room = self.room(name)?;
        let turn = room.turn_unless(PATIENCE, &|| self.is_stopped()).map_err(|error| {
            if self.is_stopped() { YardError::Interrupted } else { YardError::from(error) }
        })?;
        let (busy, effect) = (self.in_room(name, BUSY), self.effect(name)?);
        // Whoever was not cut off took the mark away, and looking for processes is slow.
        if busy.exists() && !Family::of(&effect).end() {
            return Err(YardError::from(StoreError::Busy { waited: Duration::ZERO }).into());
        }
        turn.write(BUSY, b"", 0o600, Lasting::Cached).map_err(YardError::from)?;
        let done = act(&self.git.marked(&effect));
        // One that stays costs only the next one's time.
        let _ = registry::forget(&[busy]);
        done
    }

    /// Returns the folder of a name's turns; what else is in it may be deleted at any time.
    pub(super) fn room(&self, name: &str) -> Result<Shelf, YardError> {
        let folder = format!("{STATE}/cache/yard/{name}");
        Ok(Shelf::make_below(&self.place.state, &folder)?)
    }

    /// Returns where a file of that folder is.
    pub(super) fn in_room(&self, name: &str, file: &str) -> PathBuf {
        self.place.state.join(STATE).join("cache/yard").join(name).join(file)
    }

    /// Returns the mark of what is started in a name's turn, in this project.
    fn effect(&self, name: &str) -> Result<EffectId, YardError> {
        let whole = [self.common.as_os_str().as_encoded_bytes(), name.as_bytes()].join(&0);
        Ok(EffectId::parse(&format!("y-{}", Hash::of(whole).short(16)))?)
    }
}
