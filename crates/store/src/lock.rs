//! The lock of a project. The kernel releases it when its holder ends, so it is never stale.

use std::fs::{File, TryLockError};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use crate::dir::Dir;
use crate::error::{Context, PathError, StoreError};

/// The file is never removed, so that all processes lock the same file.
pub(crate) const NAME: &str = "lock";

/// The held lock; dropping it releases it.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
    inode: (rustix::fs::Dev, u64),
}

/// How many times the lock is taken again because its file was removed meanwhile.
const TRIES: u32 = 8;
/// The interval between two checks whether to give up.
const PIECE: Duration = Duration::from_millis(100);

impl Lock {
    /// Returns whether the locked file is still the one with this name. If it was removed
    /// (`git clean`), the next process locks another file, and both would write.
    pub(crate) fn is_named(&self, state: &Dir) -> Result<bool, PathError> {
        let named = state.stat(NAME)?;
        Ok(named.is_some_and(|named| (named.st_dev, named.st_ino) == self.inode))
    }
}

/// Takes the lock, or gives up after `wait`.
///
/// The first try does not block. After it, a thread waits in the kernel, which serves waiters
/// fairly; polling would starve under load. After a timeout that thread ends with the process, or
/// releases the lock as soon as it gets it.
pub(crate) fn take(state: &Dir, wait: Duration) -> Result<Lock, StoreError> {
    take_unless(state, wait, &|| false)
}

/// Takes the lock for a reader. Returns `None` if there is no lock file, and creates none.
pub(crate) fn take_to_read(state: &Dir, wait: Duration) -> Result<Option<Lock>, StoreError> {
    if state.stat(NAME)?.is_none() {
        return Ok(None);
    }
    take(state, wait).map(Some)
}

/// Takes the lock, or gives up after `wait` or when `gives_up` returns true.
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
        // The waiting thread keeps its place in the kernel's queue between the checks.
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

/// Returns whether a process holds the lock now; takes it for a moment to find out. A lock that
/// cannot be opened counts as free.
pub(crate) fn is_held(state: &Dir) -> bool {
    let lock = state.open(NAME).ok().flatten();
    lock.is_some_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}
