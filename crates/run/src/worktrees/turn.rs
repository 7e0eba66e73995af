//! Locks a run's branch or an agent's worktree for one process at a time.
//!
//! The system releases the lock when its holder dies, but a git that the holder started may live
//! on. The next holder kills it first; such processes carry a mark in their environment.

use std::path::PathBuf;
use std::time::Duration;

use sprag_core::{EffectId, Hash};
use sprag_store::{CacheDir, Lasting, StoreError};
use sprag_world::process::Family;
use sprag_world::root::STATE;

use super::error::WorktreesError;
use super::git::Git;
use super::{Worktrees, registry};

/// How long to wait for a turn: as long as a run may take, since gates run within one.
const PATIENCE: Duration = Duration::from_hours(8);
/// The file that exists while a turn is in progress.
const BUSY: &str = "busy";

impl Worktrees {
    /// Runs `act` while holding the lock for `name`.
    pub(super) fn turn<T, E: From<WorktreesError>>(
        &self,
        name: &str,
        act: impl FnOnce(&Git) -> Result<T, E>,
    ) -> Result<T, E> {
        let room = self.room(name)?;
        let turn = room.turn_unless(PATIENCE, &|| self.is_stopped()).map_err(|error| {
            if self.is_stopped() {
                WorktreesError::Interrupted
            } else {
                WorktreesError::from(error)
            }
        })?;
        let (busy, effect) = (self.in_room(name, BUSY), self.effect(name)?);
        // A turn that ended normally removed the mark, and searching for processes is slow.
        if busy.exists() && !Family::of(&effect).end() {
            return Err(WorktreesError::from(StoreError::Busy { waited: Duration::ZERO }).into());
        }
        turn.write(BUSY, b"", 0o600, Lasting::Cached).map_err(WorktreesError::from)?;
        let done = act(&self.git.marked(&effect));
        // A leftover mark only costs the next turn some time.
        let _ = registry::forget(&[busy]);
        done
    }

    /// Returns the folder with the lock for a name; any other file in it may be deleted at any
    /// time.
    pub(super) fn room(&self, name: &str) -> Result<CacheDir, WorktreesError> {
        let folder = format!("{STATE}/cache/worktrees/{name}");
        Ok(CacheDir::make_below(&self.place.state, &folder)?)
    }

    pub(super) fn in_room(&self, name: &str, file: &str) -> PathBuf {
        self.place.state.join(STATE).join("cache/worktrees").join(name).join(file)
    }

    /// Returns the mark for processes started during a name's turn in this project.
    fn effect(&self, name: &str) -> Result<EffectId, WorktreesError> {
        let whole = [self.common.as_os_str().as_encoded_bytes(), name.as_bytes()].join(&0);
        Ok(EffectId::parse(&format!("y-{}", Hash::of(whole).short(16)))?)
    }
}
