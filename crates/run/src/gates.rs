//! How many gates run at the same time: tests of several worktrees at once make one another fail.

use std::sync::{Condvar, Mutex, PoisonError};

/// Room for gates.
#[derive(Debug)]
pub(crate) struct Gates {
    free: Mutex<usize>,
    changed: Condvar,
}

/// A place that one gate has; dropping it lets the next one in.
#[derive(Debug)]
pub(crate) struct Place<'a>(&'a Gates);

impl Gates {
    /// Makes room for half as many as there are processors, and for one at least.
    pub(crate) fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { free: Mutex::new((cores / 2).max(1)), changed: Condvar::new() }
    }

    /// Waits for a place.
    pub(crate) fn enter(&self) -> Place<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let free = self.changed.wait_while(free, |free| *free == 0);
        *free.unwrap_or_else(PoisonError::into_inner) -= 1;
        Place(self)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.changed.notify_one();
    }
}
