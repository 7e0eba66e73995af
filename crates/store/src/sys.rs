//! The operations that differ between operating systems, beyond those that `rustix` unifies.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{Gid, OFlags, Uid};

/// Identifies the machine's current boot. A later boot means that unsynced writes may be lost.
///
/// `None` (the system does not provide an id) is treated as another boot. That loses nothing, but
/// if a person takes a document back to one of its last versions, it is brought forward again.
#[cfg(target_os = "linux")]
pub(crate) fn boot_id() -> Option<String> {
    use std::io::Read as _;
    // One read suffices for 36 characters, and every host hook makes this call.
    let mut text = [0; 64];
    let mut file = std::fs::File::open("/proc/sys/kernel/random/boot_id").ok()?;
    let length = file.read(&mut text).ok()?;
    Some(std::str::from_utf8(text.get(..length)?).ok()?.trim().to_owned())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn boot_id() -> Option<String> {
    None
}

/// Gives a file that root created to the project's owner.
pub(crate) fn give_to(file: impl AsFd, owner: Option<(Uid, Gid)>) -> io::Result<()> {
    match owner {
        Some((uid, gid)) => Ok(rustix::fs::fchown(file, Some(uid), Some(gid))?),
        None => Ok(()),
    }
}

/// Only root may give files away.
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Creates a nameless file in a folder; it vanishes with its last holder. Returns `None` if the
/// system or the file system has no such files.
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

/// Gives a nameless file a name, which must be free.
#[cfg(target_os = "linux")]
pub(crate) fn give_name(file: impl AsFd, folder: impl AsFd, name: &str) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use rustix::io::Errno;
    use std::os::fd::AsRawFd as _;
    match linkat(&file, "", &folder, name, AtFlags::EMPTY_PATH) {
        // Before Linux 6.10, only root may link a file descriptor directly.
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

/// Opens a path below a folder in one step, without following a link on the way.
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
