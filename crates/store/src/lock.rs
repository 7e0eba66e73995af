//! The one lock of a project. The kernel drops it with its holder, so it is never stale.

use std::fs::{File, TryLockError};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use crate::dir::Dir;
use crate::error::{Context, PathError, StoreError};

/// The file is never removed: whoever holds it open holds the same lock as everybody else.
pub(crate) const NAME: &str = "lock";

/// The held lock; dropping it lets the next one in.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
    inode: (rustix::fs::Dev, u64),
}

/// How often the lock is taken anew because somebody removed its file.
const TRIES: u32 = 8;
/// How long is waited before somebody looks whether to give up.
const PIECE: Duration = Duration::from_millis(100);

impl Lock {
    /// Returns whether the file that is locked is still the one that others find. Where somebody
    /// removed it (`git clean`), the next one locks another, and both would write.
    pub(crate) fn is_named(&self, state: &Dir) -> Result<bool, PathError> {
        let named = state.stat(NAME)?;
        Ok(named.is_some_and(|named| (named.st_dev, named.st_ino) == self.inode))
    }
}

/// Takes the lock, or gives up after `wait`.
///
/// The first try is free of cost. After it a thread waits in the kernel, which lets waiters in
/// fairly; polling would starve under load. A thread that is given up ends with the process, or
/// drops the lock at once when it still gets it.
pub(crate) fn take(state: &Dir, wait: Duration) -> Result<Lock, StoreError> {
    take_unless(state, wait, &|| false)
}

/// Takes the lock for a reader. Where nobody ever wrote there is none, and none is made.
pub(crate) fn take_to_read(state: &Dir, wait: Duration) -> Result<Option<Lock>, StoreError> {
    if state.stat(NAME)?.is_none() {
        return Ok(None);
    }
    take(state, wait).map(Some)
}

/// Takes the lock, or gives up after `wait` or when `gives_up` says so.
pub(crate) fn take_unless(
    state: &Dir,
    wait: Duration,
    gives_up: &dyn Fn() -> bool,
) -> Result<Lock, StoreError> {
    for _ in 0..TRIES {
        let lock = take_once(state, wait, gives_up)?;
        if lock.is_named(state)? {
            return Ok(lock);
        }
    }
    Err(StoreError::Busy { waited: wait })
}

fn take_once(state: &Dir, wait: Duration, gives_up: &dyn Fn() -> bool) -> Result<Lock, StoreError> {
    let (file, stat) = state.open_or_make(NAME)?;
    let inode = (stat.st_dev, stat.st_ino);
    let path = state.path_of(NAME);
    match file.try_lock() {
        Ok(()) => return Ok(Lock { _file: file, inode }),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(source)) => {
            return Err(PathError { action: "lock", path: path.into(), source }.into());
        }
    }
    let (sender, receiver) = mpsc::sync_channel(1);
    std::thread::spawn(move || {
        let taken = file.lock().map(|()| Lock { _file: file, inode });
        let _ = sender.send(taken);
    });
    let mut left = wait;
    loop {
        // The place in the kernel's queue is kept while we look whether to give up.
        let piece = left.min(PIECE);
        match receiver.recv_timeout(piece) {
            Ok(taken) => return Ok(taken.context("lock", path)?),
            Err(RecvTimeoutError::Timeout) if left > piece && !gives_up() => left -= piece,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                return Err(StoreError::Busy { waited: wait });
            }
        }
    }
}

/// Returns whether somebody holds the lock just now; takes it for a moment to find out. A lock that
/// cannot be looked at is held by nobody we know of.
pub(crate) fn is_held(state: &Dir) -> bool {
    let lock = state.open(NAME).ok().flatten();
    lock.is_some_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}
