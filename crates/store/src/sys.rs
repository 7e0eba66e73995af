//! The operations that differ between Linux and macOS, beyond those that `rustix` unifies.
//!
//! With `--cfg sprag_portable`, Linux takes the ways of macOS that it has too, so that tests on Linux
//! run them.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{Gid, Mode, OFlags, RawMode, Stat, Uid};

/// Identifies the machine's current boot. A later boot means that unsynced writes may be lost.
///
/// `None` (the system does not provide an id) is treated as another boot. That loses nothing, but
/// if a person takes a document back to one of its last versions, it is brought forward again.
#[cfg(not(target_os = "macos"))]
pub fn boot_id() -> Option<String> {
    use std::io::Read as _;
    // One read suffices for 36 characters, and every host hook makes this call.
    let mut text = [0; 64];
    let mut file = std::fs::File::open("/proc/sys/kernel/random/boot_id").ok()?;
    let length = file.read(&mut text).ok()?;
    Some(std::str::from_utf8(text.get(..length)?).ok()?.trim().to_owned())
}

/// Identifies the machine's current boot. `kern.boottime` would change whenever the clock is
/// corrected, so this is the id that the kernel draws at each boot.
#[cfg(target_os = "macos")]
pub fn boot_id() -> Option<String> {
    use sysctl::Sysctl as _;
    let id = sysctl::Ctl::new("kern.bootsessionuuid").ok()?.value_string().ok()?;
    Some(id).filter(|id| !id.is_empty())
}

/// Returns the time of the last change of a file's content: seconds, and the nanoseconds beyond.
#[cfg(not(target_os = "macos"))]
pub(crate) const fn changed(stat: &Stat) -> (i64, u64) {
    (stat.st_mtime, stat.st_mtime_nsec)
}

#[cfg(target_os = "macos")]
pub(crate) fn changed(stat: &Stat) -> (i64, u64) {
    (stat.st_mtime, u64::try_from(stat.st_mtime_nsec).unwrap_or(0))
}

/// Converts permission bits, which have 16 bits on macOS and 32 on Linux.
pub(crate) fn mode(bits: u32) -> Mode {
    Mode::from_bits_truncate(RawMode::try_from(bits & 0o7777).unwrap_or(0))
}

/// Makes the bytes of a file survive a power cut.
#[cfg(not(target_os = "macos"))]
pub(crate) fn sync_data(file: &File) -> io::Result<()> {
    file.sync_data()
}

/// Makes the bytes of a file survive a power cut: the standard library uses `F_FULLFSYNC`, because
/// `fsync` leaves them in the drive's cache.
#[cfg(target_os = "macos")]
pub(crate) fn sync_data(file: &File) -> io::Result<()> {
    or_plain_sync(file, file.sync_data())
}

/// Makes the names in a folder survive a power cut.
#[cfg(not(target_os = "macos"))]
pub(crate) fn sync_folder(folder: impl AsFd) -> io::Result<()> {
    Ok(rustix::fs::fsync(folder)?)
}

#[cfg(target_os = "macos")]
pub(crate) fn sync_folder(folder: impl AsFd) -> io::Result<()> {
    let synced = rustix::fs::fcntl_fullfsync(&folder);
    or_plain_sync(folder, synced.map_err(io::Error::from))
}

/// Uses `fsync` where a disk has no full sync, as network disks do.
#[cfg(target_os = "macos")]
fn or_plain_sync(file: impl AsFd, synced: io::Result<()>) -> io::Result<()> {
    use rustix::io::Errno;
    let why = synced.as_ref().err().and_then(Errno::from_io_error);
    match why {
        Some(Errno::NOTSUP | Errno::INVAL | Errno::NOTTY) => Ok(rustix::fs::fsync(file)?),
        Some(_) | None => synced,
    }
}

/// Exchanges two names in a folder in one step. Returns whether the system can do that here.
pub(crate) fn exchange(folder: impl AsFd, one: &str, other: &str) -> rustix::io::Result<bool> {
    use rustix::fs::{RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(&folder, one, &folder, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        Err(error) => Err(error),
    }
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
#[cfg(not(any(target_os = "macos", sprag_portable)))]
pub(crate) fn nameless(folder: &OwnedFd) -> Option<OwnedFd> {
    let flags = OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC;
    rustix::fs::openat(folder, ".", flags, Mode::from_raw_mode(0o666)).ok()
}

#[cfg(any(target_os = "macos", sprag_portable))]
pub(crate) const fn nameless(_folder: &OwnedFd) -> Option<OwnedFd> {
    None
}

/// Gives a nameless file a name, which must be free.
#[cfg(not(any(target_os = "macos", sprag_portable)))]
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

#[cfg(any(target_os = "macos", sprag_portable))]
pub(crate) fn give_name(_file: impl AsFd, _folder: impl AsFd, _name: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Opens a path below a folder in one step, without following a link on the way.
#[cfg(not(any(target_os = "macos", sprag_portable)))]
pub(crate) fn open_below(
    folder: &OwnedFd,
    path: &str,
    flags: OFlags,
) -> rustix::io::Result<OwnedFd> {
    use rustix::fs::{ResolveFlags, openat2};
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat2(folder, path, flags, Mode::empty(), ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS)
}

/// Opens a path below a folder in one step. The flag refuses links on the whole way and at its end,
/// since macOS 11; a `DocPath` has no `..`.
#[cfg(target_os = "macos")]
pub(crate) fn open_below(
    folder: &OwnedFd,
    path: &str,
    flags: OFlags,
) -> rustix::io::Result<OwnedFd> {
    let flags = (flags - OFlags::NOFOLLOW) | OFlags::NOFOLLOW_ANY | OFlags::CLOEXEC;
    rustix::fs::openat(folder, path, flags, Mode::empty())
}

/// Opens a path below a folder, without following a link on the way: one name after the other.
#[cfg(all(sprag_portable, not(target_os = "macos")))]
pub(crate) fn open_below(
    folder: &OwnedFd,
    path: &str,
    flags: OFlags,
) -> rustix::io::Result<OwnedFd> {
    use rustix::fs::openat;
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let Some((folders, name)) = path.rsplit_once('/') else {
        return openat(folder, path, flags, Mode::empty());
    };
    let way = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut at = folder.try_clone().map_err(|_| rustix::io::Errno::MFILE)?;
    for folder in folders.split('/') {
        at = openat(&at, folder, way, Mode::empty())?;
    }
    openat(&at, name, flags, Mode::empty())
}
