//! Syncs many files in parallel.
//!
//! A disk serves several waiting syncs in one go, so syncing from several threads is faster.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::error::PathError;

/// The most threads, including the caller's.
const VOICES: usize = 8;
/// One thread per this many files.
const FEW: usize = 3;

/// Calls `sync` for each of `all`, in no particular order, and stops at the first error. Items are
/// assigned to threads in a fixed way, so that a test can make a certain thread fail.
pub(crate) fn each<T: Sync>(
    all: &[T],
    sync: impl Fn(&T) -> Result<(), PathError> + Sync,
) -> Result<(), PathError> {
    let voices = (all.len() / FEW).clamp(1, VOICES);
    let failed = AtomicBool::new(false);
    let voice = |own: usize| {
        for one in all.iter().skip(own).step_by(voices) {
            // After an error the other threads stop, because further syncs are pointless.
            if failed.load(Ordering::Relaxed) {
                break;
            }
            sync(one).inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let voice = &voice;
        let start = |own| {
            // If the system has no thread left, the caller does that thread's share.
            let started = thread::Builder::new().spawn_scoped(scope, move || voice(own));
            started.map_err(|_| own)
        };
        let others: Vec<_> = (1..voices).map(start).collect();
        let own = voice(0);
        let joined = others.into_iter().map(|other| match other {
            Ok(other) => other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(own) => voice(own),
        });
        joined.fold(own, Result::and)
    })
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn each_is_done_once_however_many_there_are() {
        for many in [0, 1, FEW, 2 * FEW, 100] {
            let done: Vec<AtomicUsize> = (0..many).map(|_| AtomicUsize::new(0)).collect();
            let count = |one: &AtomicUsize| {
                one.fetch_add(1, Ordering::Relaxed);
                Ok(())
            };
            assert!(each(&done, count).is_ok());
            assert!(done.iter().all(|one| one.load(Ordering::Relaxed) == 1), "{many}");
        }
    }

    #[test]
    fn one_that_fails_is_an_error_wherever_it_stands() {
        for many in [1, 100] {
            for bad in [0, many - 1] {
                let all: Vec<usize> = (0..many).collect();
                let full = || PathError {
                    action: "sync",
                    path: "x".into(),
                    source: ErrorKind::StorageFull.into(),
                };
                let fails = |at: &usize| if *at == bad { Err(full()) } else { Ok(()) };
                let failed = each(&all, fails).unwrap_err();
                assert_eq!(failed.source.kind(), ErrorKind::StorageFull);
            }
        }
    }
}
