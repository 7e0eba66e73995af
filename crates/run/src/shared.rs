//! What those share who drive at the same time: each host has one clock, and gates have one room.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sprag_core::RunId;
use sprag_engine::drive::{Driver, SEAT};
use sprag_engine::engine::EngineError;
use sprag_formats::Budget;
use sprag_store::{Shelf, StoreError, Turn};

use crate::RunError;
use crate::clocks::Clocks;
use crate::gates::Gates;

/// What drivers of one process share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) gates: Gates,
    clocks: Mutex<Clocks>,
    /// Whether somebody of them looked what other drivers know of the hosts.
    has_learnt: AtomicBool,
    /// How much each run may spend.
    pub(crate) budget: Budget,
}

impl Shared {
    pub(crate) fn new(budget: Budget) -> Self {
        let (clocks, has_learnt) = (Mutex::default(), AtomicBool::new(false));
        Self { gates: Gates::new(), clocks, has_learnt, budget }
    }

    /// Returns whether whoever asks is the first: it looks what other drivers know, for all of them.
    pub(crate) fn is_first(&self) -> bool {
        !self.has_learnt.swap(true, Ordering::Relaxed)
    }

    pub(crate) fn clocks(&self) -> MutexGuard<'_, Clocks> {
        self.clocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the seat of the driver of a run, of whom there is one at a time.
pub(crate) fn sit<'c>(chair: &'c Shelf, run: &RunId) -> Result<Turn<'c>, RunError> {
    let turn = chair.turn(SEAT).map_err(|error| match error {
        StoreError::Busy { .. } => RunError::Driven { run: run.to_string(), by: Driver::of(chair) },
        other @ (StoreError::Path(_) | StoreError::Unknown { .. } | StoreError::Away { .. }) => {
            RunError::from(EngineError::from(other))
        }
    })?;
    Driver::note(&turn);
    Ok(turn)
}
