//! Ends commands that run in other threads.

use std::io::{self, PipeReader, PipeWriter, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A handle that ends all commands that use it. Clones share the state.
#[derive(Clone, Debug)]
pub struct StopHandle(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    is_asked: AtomicBool,
    /// Becomes readable when the stop is requested. The byte is never read, so every waiter sees
    /// it.
    heard: PipeReader,
    said: PipeWriter,
}

impl StopHandle {
    pub fn new() -> io::Result<Self> {
        let (heard, said) = io::pipe()?;
        Ok(Self(Arc::new(Inner { is_asked: AtomicBool::new(false), heard, said })))
    }

    /// Ends running commands and all that start later. Cannot be undone.
    pub fn ask(&self) {
        if !self.0.is_asked.swap(true, Ordering::SeqCst) {
            // One byte always fits into an empty pipe.
            let _ = (&self.0.said).write_all(b"!");
        }
    }

    pub fn is_asked(&self) -> bool {
        self.0.is_asked.load(Ordering::SeqCst)
    }

    /// Returns the pipe that becomes readable when the stop is requested.
    pub(super) fn waits(&self) -> BorrowedFd<'_> {
        self.0.heard.as_fd()
    }
}
