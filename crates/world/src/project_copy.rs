//! Copies a project's files into a private folder, where a gate can be evaluated with other
//! versions of some files.
//!
//! The project itself is only read. Files that git ignores are not copied, with two exceptions:
//! folders of installed packages are linked, and a few small settings files are copied. `.sprag`
//! and `.git` are not copied; the copy has its own repository, which borrows the project's objects.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, File, FileTimes, OpenOptions, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::{Component, Path, PathBuf};

use sprag_core::Hash;

use crate::process::StopHandle;

mod environment;
mod packages;
mod plan;
mod python;
mod removal;
mod repository;
#[cfg(test)]
mod tests;

pub use plan::CopyPlan;
use plan::{PlannedFile, is_plain};

/// The most files in a copy.
pub const MOST_FILES: usize = 20_000;
/// The most bytes in a copy.
pub const MOST_BYTES: u64 = 512 << 20;

/// Why a copy could not be made.
#[derive(Debug, thiserror::Error)]
pub enum NoCopy {
    /// There are too many files, or they are too large.
    #[error("the project has more than {MOST_FILES} files or {} MiB", MOST_BYTES >> 20)]
    TooLarge,
    /// There is no folder to put the copy in.
    #[error("there is no folder outside the project to copy it to; set HOME or XDG_CACHE_HOME")]
    NoPlace,
    #[error("the project cannot be copied: {0}")]
    Io(#[from] io::Error),
    /// Copying was interrupted on request.
    #[error("it was interrupted")]
    Interrupted,
}

/// A copy of a project. Dropping it removes the files.
#[derive(Debug)]
pub struct ProjectCopy {
    /// The private folder that is removed.
    top: PathBuf,
    folder: PathBuf,
    environment: Vec<(OsString, OsString)>,
}

/// The project that is copied.
#[derive(Clone, Copy, Debug)]
pub struct Original<'a> {
    pub root: &'a Path,
    /// The environment of the calling process.
    pub environment: &'a [(OsString, OsString)],
    /// Interrupts the copying.
    pub stop: Option<&'a StopHandle>,
}

impl Original<'_> {
    /// Returns the folder for copies of this project: in `$XDG_CACHE_HOME/sprag/looks`, else below
    /// `~/.cache`. `None` if that is inside the project.
    pub fn copies(&self) -> Option<PathBuf> {
        let value = |name: &str| {
            let found = self.environment.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| Path::new(value)).filter(|path| path.is_absolute())
        };
        let named = value("XDG_CACHE_HOME").map(Path::to_path_buf);
        let cache = named.or_else(|| Some(value("HOME")?.join(".cache")))?;
        let own = Hash::of(self.root.as_os_str().as_bytes()).short(16);
        let folder = cache.join("sprag/looks").join(own);
        (!folder.starts_with(self.root)).then_some(folder)
    }

    /// Removes copies that killed processes left behind. The caller holds the gate lock of the
    /// project.
    pub fn sweep(&self) {
        let Some(folder) = self.copies() else { return };
        let Ok(left) = std::fs::read_dir(&folder) else { return };
        for entry in left.flatten() {
            removal::remove(&entry.path());
        }
        let _ = std::fs::remove_dir(folder);
    }

    /// Copies the files of a plan. `name` must be unused.
    pub fn copy(&self, plan: &CopyPlan, name: &str) -> Result<ProjectCopy, NoCopy> {
        let bytes = self.measure(plan)?;
        let copies = self.copies().ok_or(NoCopy::NoPlace)?;
        private(&copies)?;
        // A link in the path may still lead into the project.
        let copies = std::fs::canonicalize(copies)?;
        if copies.starts_with(std::fs::canonicalize(self.root)?) {
            return Err(NoCopy::NoPlace);
        }
        let top = copies.join(name);
        DirBuilder::new().mode(0o700).create(&top)?;
        // A gate may see the folder's name, so it is that of the project.
        let own = self.root.file_name().unwrap_or_else(|| OsStr::new("project"));
        let folder = top.join(own);
        let mut copy = ProjectCopy { top, folder, environment: Vec::new() };
        DirBuilder::new().create(&copy.folder)?;
        let mut writer = CopyWriter {
            original: *self,
            folder: &copy.folder,
            made: BTreeSet::new(),
            files: plan.files().len(),
            bytes,
        };
        for (path, file) in plan.files() {
            writer.write(path, file)?;
        }
        packages::share(&mut writer, plan)?;
        repository::borrow(self.root, &copy.folder);
        copy.environment = environment::of(self, &copy.folder);
        Ok(copy)
    }

    /// Returns the total size of a plan's files, before anything is copied.
    fn measure(&self, plan: &CopyPlan) -> Result<u64, NoCopy> {
        let mut bytes = 0_u64;
        for (path, file) in plan.files() {
            let length = match file {
                PlannedFile::Text { bytes, .. } => bytes.len() as u64,
                PlannedFile::Own(_) => {
                    let found = self.root.join(OsStr::from_bytes(path)).symlink_metadata();
                    found.map_or(0, |found| found.len())
                }
            };
            bytes = bytes.saturating_add(length);
        }
        if plan.files().len() > MOST_FILES || bytes > MOST_BYTES {
            return Err(NoCopy::TooLarge);
        }
        Ok(bytes)
    }
}

impl ProjectCopy {
    /// Returns the folder with the project's files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns whether the copy still has the texts that the plan substituted.
    pub fn has_texts_of(&self, plan: &CopyPlan) -> bool {
        plan.files().iter().all(|(path, file)| match file {
            PlannedFile::Own(_) => true,
            PlannedFile::Text { bytes, .. } => {
                let here = std::fs::read(self.folder.join(OsStr::from_bytes(path)));
                here.is_ok_and(|here| here == *bytes)
            }
        })
    }

    /// Returns the environment for commands that run in the copy.
    pub fn environment(&self) -> &[(OsString, OsString)] {
        &self.environment
    }
}

impl Drop for ProjectCopy {
    fn drop(&mut self) {
        removal::remove(&self.top);
        if let Some(copies) = self.top.parent() {
            // Fails if it holds another copy, which is fine.
            let _ = std::fs::remove_dir(copies);
        }
    }
}

/// Creates a folder that only its owner can enter. Refuses a link and another user's folder.
fn private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let found = folder.symlink_metadata()?;
    let is_ours = found.is_dir() && found.uid() == rustix::process::geteuid().as_raw();
    let of_others = found.mode() & 0o077;
    if is_ours && of_others == 0 {
        return Ok(());
    }
    let why = format!("`{}` is not a private folder of yours", folder.display());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, why))
}

/// Writes the files of a copy. The folder is empty at first and each path is written once, so no
/// write goes through a link.
struct CopyWriter<'a> {
    original: Original<'a>,
    folder: &'a Path,
    /// The folders created so far.
    made: BTreeSet<PathBuf>,
    files: usize,
    bytes: u64,
}

impl CopyWriter<'_> {
    fn write(&mut self, path: &[u8], file: &PlannedFile) -> Result<(), NoCopy> {
        if self.original.stop.is_some_and(StopHandle::is_asked) {
            return Err(NoCopy::Interrupted);
        }
        if !is_plain(path) {
            let why = format!("`{}` leads elsewhere", String::from_utf8_lossy(path));
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why).into());
        }
        let way = Path::new(OsStr::from_bytes(path));
        self.make_parents(way)?;
        match file {
            PlannedFile::Own(_) => self.copy_own(way)?,
            PlannedFile::Text { bytes, is_program } => {
                let mode = if *is_program { 0o755 } else { 0o644 };
                self.create(way, mode)?.write_all(bytes)?;
            }
        }
        Ok(())
    }

    /// Creates the parent folders of a path.
    fn make_parents(&mut self, way: &Path) -> io::Result<()> {
        let parents: Vec<&Path> = way.ancestors().skip(1).collect();
        for parent in parents.into_iter().rev().filter(|parent| !parent.as_os_str().is_empty()) {
            if self.made.insert(parent.to_path_buf()) {
                DirBuilder::new().create(self.folder.join(parent))?;
            }
        }
        Ok(())
    }

    /// Copies a file of the project, or a link that stays inside. Skips a file that disappeared.
    fn copy_own(&self, way: &Path) -> io::Result<()> {
        let from = self.original.root.join(way);
        let found = match from.symlink_metadata() {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        if found.is_symlink() {
            let target = std::fs::read_link(&from)?;
            return if stays(way, &target) {
                std::os::unix::fs::symlink(target, self.folder.join(way))
            } else {
                Ok(())
            };
        }
        self.copy_file(&from, way)
    }

    /// Copies the content of a regular file with its permissions and its modification time.
    fn copy_file(&self, from: &Path, way: &Path) -> io::Result<()> {
        // Do not block on a pipe, and do not follow a link that replaced the file.
        let flags = (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits();
        let flags = i32::try_from(flags).unwrap_or(0);
        let from = OpenOptions::new().read(true).custom_flags(flags).open(from)?;
        let found = from.metadata()?;
        if !found.is_file() {
            return Ok(());
        }
        let mut to = self.create(way, (found.mode() & 0o755) | 0o600)?;
        io::copy(&mut (&from).take(MOST_BYTES), &mut to)?;
        // Build tools compare modification times.
        if let Ok(modified) = found.modified() {
            to.set_times(FileTimes::new().set_modified(modified))?;
        }
        Ok(())
    }

    fn create(&self, way: &Path, mode: u32) -> io::Result<File> {
        let file = OpenOptions::new().write(true).create_new(true).open(self.folder.join(way))?;
        file.set_permissions(Permissions::from_mode(mode))?;
        Ok(file)
    }

    /// Counts one more entry of this size against the limits.
    fn take_room(&mut self, bytes: u64) -> Result<(), NoCopy> {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        let fits = self.files <= MOST_FILES && self.bytes <= MOST_BYTES;
        if fits { Ok(()) } else { Err(NoCopy::TooLarge) }
    }
}

/// Returns whether the link at a path leads to a place below the root. Steps up count only before
/// the first name, because that name may itself be a link.
fn stays(way: &Path, target: &Path) -> bool {
    let mut depth = way.components().count().saturating_sub(1);
    let mut is_down = false;
    for part in target.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if !is_down && depth > 0 => depth -= 1,
            Component::Normal(_) => is_down = true,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return false,
        }
    }
    true
}
