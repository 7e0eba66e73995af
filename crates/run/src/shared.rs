//! State shared by concurrent drivers: one clock per host, and the gate slots.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sprag_core::RunId;
use sprag_engine::drive::{Driver, SEAT};
use sprag_engine::engine::EngineError;
use sprag_formats::Budget;
use sprag_store::{CacheDir, CacheLock, StoreError};

use crate::RunError;
use crate::clocks::Clocks;
use crate::gates::Gates;

/// State shared by the drivers of one process.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) gates: Gates,
    clocks: Mutex<Clocks>,
    /// Whether a driver has already read the limits that other processes recorded.
    has_learnt: AtomicBool,
    /// The budget of each run.
    pub(crate) budget: Budget,
}

impl Shared {
    pub(crate) fn new(budget: Budget) -> Self {
        let (clocks, has_learnt) = (Mutex::default(), AtomicBool::new(false));
        Self { gates: Gates::new(), clocks, has_learnt, budget }
    }

    /// Returns true for the first caller only, which reads the limits of other drivers for all.
    pub(crate) fn is_first(&self) -> bool {
        !self.has_learnt.swap(true, Ordering::Relaxed)
    }

    pub(crate) fn clocks(&self) -> MutexGuard<'_, Clocks> {
        self.clocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the driver lock of a run; there is one driver at a time.
pub(crate) fn sit<'c>(chair: &'c CacheDir, run: &RunId) -> Result<CacheLock<'c>, RunError> {
    let turn = chair.turn(SEAT).map_err(|error| match error {
        StoreError::Busy { .. } => RunError::Driven { run: run.to_string(), by: Driver::of(chair) },
        other @ (StoreError::Path(_) | StoreError::Unknown { .. } | StoreError::Away { .. }) => {
            RunError::from(EngineError::from(other))
        }
    })?;
    Driver::note(&turn);
    Ok(turn)
}
