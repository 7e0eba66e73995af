//! Asks commands that run in other threads to end.

use std::io::{self, PipeReader, PipeWriter, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A handle that ends every command that was given it; its clones are the same handle.
#[derive(Clone, Debug)]
pub struct Stop(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    is_asked: AtomicBool,
    /// Has something to read from the moment it is asked on, for everybody who waits: nobody reads.
    heard: PipeReader,
    said: PipeWriter,
}

impl Stop {
    /// Makes one that is not asked yet.
    pub fn new() -> io::Result<Self> {
        let (heard, said) = io::pipe()?;
        Ok(Self(Arc::new(Inner { is_asked: AtomicBool::new(false), heard, said })))
    }

    /// Ends the commands that run and those that will be started; once and for all.
    pub fn ask(&self) {
        if !self.0.is_asked.swap(true, Ordering::SeqCst) {
            // One byte in an empty pipe always finds room.
            let _ = (&self.0.said).write_all(b"!");
        }
    }

    /// Returns whether it was asked.
    pub fn is_asked(&self) -> bool {
        self.0.is_asked.load(Ordering::SeqCst)
    }

    /// Returns what becomes readable when it is asked.
    pub(super) fn waits(&self) -> BorrowedFd<'_> {
        self.0.heard.as_fd()
    }
}
