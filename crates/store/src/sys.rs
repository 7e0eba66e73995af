//! What differs from one operating system to the next, apart from the calls `rustix` evens out.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{Gid, OFlags, Uid};

/// Names this boot of the machine, so that a later one knows that unsynced writes may be gone.
///
/// `None` (a system that does not say) makes everybody assume another boot. That loses nothing, but
/// a document that somebody takes back to one of its last versions is brought forward again.
#[cfg(target_os = "linux")]
pub(crate) fn boot_id() -> Option<String> {
    use std::io::Read as _;
    // One read is enough for 36 letters, and every host hook asks.
    let mut text = [0; 64];
    let mut file = std::fs::File::open("/proc/sys/kernel/random/boot_id").ok()?;
    let length = file.read(&mut text).ok()?;
    Some(std::str::from_utf8(text.get(..length)?).ok()?.trim().to_owned())
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

/// Makes a file in a folder that has no name yet, so that it goes with its last holder. `None`
/// where the system or the file system has no such files.
#[cfg(target_os = "linux")]
pub(crate) fn nameless(folder: impl AsFd) -> Option<OwnedFd> {
    use rustix::fs::Mode;
    let flags = OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC;
    rustix::fs::openat(folder, ".", flags, Mode::from_raw_mode(0o666)).ok()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn nameless(_folder: impl AsFd) -> Option<OwnedFd> {
    None
}

/// Gives a nameless file a name that must be free.
#[cfg(target_os = "linux")]
pub(crate) fn give_name(file: impl AsFd, folder: impl AsFd, name: &str) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use rustix::io::Errno;
    use std::os::fd::AsRawFd as _;
    match linkat(&file, "", &folder, name, AtFlags::EMPTY_PATH) {
        // Kernels before 6.10 let only root do it this way.
        Err(Errno::NOENT) => {
            let path = format!("/proc/self/fd/{}", file.as_fd().as_raw_fd());
            Ok(linkat(CWD, path, folder, name, AtFlags::SYMLINK_FOLLOW)?)
        }
        named => Ok(named?),
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn give_name(_file: impl AsFd, _folder: impl AsFd, _name: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Opens what is below a folder for reading, in one step and without following a link on the way.
#[cfg(target_os = "linux")]
pub(crate) fn open_below(
    folder: &OwnedFd,
    path: &str,
    flags: OFlags,
) -> rustix::io::Result<OwnedFd> {
    use rustix::fs::{Mode, ResolveFlags, openat2};
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat2(folder, path, flags, Mode::empty(), ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn open_below(
    _folder: &OwnedFd,
    _path: &str,
    _flags: OFlags,
) -> rustix::io::Result<OwnedFd> {
    Err(rustix::io::Errno::NOSYS)
}
