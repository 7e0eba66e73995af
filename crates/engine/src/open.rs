//! Opens projects with all kinds of runs. The other modules take the kinds that they are given.

use std::ffi::OsString;

use sprag_core::Time;
use sprag_store::{Place, StoreError};

use crate::engine::{Engine, EngineError};
use crate::kinds::KINDS;
use crate::retention::Old;
use crate::status::Status;

impl<'a> Engine<'a> {
    /// Opens a project with all kinds of runs.
    pub fn open(
        place: &'a Place,
        environment: &'a [(OsString, OsString)],
    ) -> Result<Self, EngineError> {
        Self::judging(place, place, environment)
    }

    /// Opens a project whose gates judge the files of another worktree.
    pub fn judging(
        place: &'a Place,
        files: &'a Place,
        environment: &'a [(OsString, OsString)],
    ) -> Result<Self, EngineError> {
        Self::knowing(KINDS, place, files, environment)
    }
}

impl Status {
    /// Reads a project's state. Unreadable entries are part of the result; the only error is a
    /// writer that leaves no quiet moment to look.
    pub fn of(place: &Place) -> Result<Self, StoreError> {
        Self::knowing(KINDS, place)
    }
}

impl Old {
    /// Finds the old runs of a project.
    pub fn find(place: &Place, now: Time) -> Result<Self, StoreError> {
        Self::find_in(KINDS, place, now)
    }
}
