//! Limits how many gates run at once: concurrent tests in several worktrees make each other fail.

use std::sync::{Condvar, Mutex, PoisonError};

#[derive(Debug)]
pub(crate) struct Gates {
    free: Mutex<usize>,
    changed: Condvar,
}

/// A gate's slot; dropping it admits the next gate.
#[derive(Debug)]
pub(crate) struct GateSlot<'a>(&'a Gates);

impl Gates {
    /// Creates one slot for every two processors, and at least one.
    pub(crate) fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { free: Mutex::new((cores / 2).max(1)), changed: Condvar::new() }
    }

    /// Blocks until a slot is free.
    pub(crate) fn enter(&self) -> GateSlot<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let free = self.changed.wait_while(free, |free| *free == 0);
        *free.unwrap_or_else(PoisonError::into_inner) -= 1;
        GateSlot(self)
    }
}

impl Drop for GateSlot<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.changed.notify_one();
    }
}
