//! What differs from one operating system to the next, apart from the calls `rustix` evens out.

use std::io;
use std::os::fd::AsFd;

use rustix::fs::{Gid, Uid};

/// Names this boot of the machine, so that a later one knows that unsynced writes may be gone.
///
/// `None` (a system that does not say) makes everybody assume another boot. That loses nothing, but
/// a document that somebody takes back to one of its last versions is brought forward again.
#[cfg(target_os = "linux")]
pub(crate) fn boot_id() -> Option<String> {
    let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(text.trim().to_owned())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn boot_id() -> Option<String> {
    None
}

/// Gives what root made to the person whose project it is.
pub(crate) fn give_to(file: impl AsFd, owner: Option<(Uid, Gid)>) -> io::Result<()> {
    match owner {
        Some((uid, gid)) => Ok(rustix::fs::fchown(file, Some(uid), Some(gid))?),
        None => Ok(()),
    }
}

/// Returns whether this process may give files away, which only root may.
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
