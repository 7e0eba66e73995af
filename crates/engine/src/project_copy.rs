//! A copy of a project's files in a private folder, for a gate that is evaluated on other texts than
//! those of the project.
//!
//! The project is only read. What git ignores is not copied, with two exceptions: folders of installed
//! packages are shared by links, and a few small files of settings are copied. Nothing of `.sprag` or
//! `.git` is copied; a repository of the copy's own borrows the objects of the project's.

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

use crate::process::Stop;

mod environment;
mod packages;
mod plan;
mod python;
mod removal;
mod repository;
#[cfg(test)]
mod tests;

pub(crate) use plan::CopyPlan;
use plan::{PlannedFile, is_plain};

/// How many files a copy may have.
pub(crate) const MOST_FILES: usize = 20_000;
/// How many bytes they may have together.
pub(crate) const MOST_BYTES: u64 = 512 << 20;

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoCopy {
    /// The files are too many or too large.
    #[error("the project has more than {MOST_FILES} files or {} MiB", MOST_BYTES >> 20)]
    TooLarge,
    /// There is no place for it.
    #[error("there is no folder outside the project to copy it to; set HOME or XDG_CACHE_HOME")]
    NoPlace,
    /// The system refused.
    #[error("the project cannot be copied: {0}")]
    Io(#[from] io::Error),
    /// Its end was asked for.
    #[error("it was interrupted")]
    Interrupted,
}

/// A copy of a project; it is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct ProjectCopy {
    /// The private folder that is removed.
    top: PathBuf,
    folder: PathBuf,
    environment: Vec<(OsString, OsString)>,
}

/// A project that is to be copied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Original<'a> {
    /// Its folder.
    pub(crate) root: &'a Path,
    /// The variables of whoever asks.
    pub(crate) environment: &'a [(OsString, OsString)],
    /// What ends the copying.
    pub(crate) stop: Option<&'a Stop>,
}

impl Original<'_> {
    /// Returns the folder of the copies of this project: `$XDG_CACHE_HOME/sprag/looks`, else below
    /// `~/.cache`. Nothing where it would lie in the project.
    pub(crate) fn copies(&self) -> Option<PathBuf> {
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

    /// Removes the copies that killed processes left. Whoever asks has the turn in this project.
    pub(crate) fn sweep(&self) {
        let Some(folder) = self.copies() else { return };
        let Ok(left) = std::fs::read_dir(&folder) else { return };
        for entry in left.flatten() {
            removal::remove(&entry.path());
        }
        let _ = std::fs::remove_dir(folder);
    }

    /// Copies the files of a plan; `name` is no other copy's.
    pub(crate) fn copy(&self, plan: &CopyPlan, name: &str) -> Result<ProjectCopy, NoCopy> {
        let bytes = self.measure(plan)?;
        let copies = self.copies().ok_or(NoCopy::NoPlace)?;
        private(&copies)?;
        // A link on the way may lead into the project all the same.
        let copies = std::fs::canonicalize(copies)?;
        if copies.starts_with(std::fs::canonicalize(self.root)?) {
            return Err(NoCopy::NoPlace);
        }
        let top = copies.join(name);
        DirBuilder::new().mode(0o700).create(&top)?;
        // The name of the folder may be seen by a gate, so it is the project's.
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

    /// Returns how many bytes a plan has, before anything is copied.
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
    /// Returns the folder in which the project's files are.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns whether the texts that a plan put in place of the project's own are still there.
    pub(crate) fn has_texts_of(&self, plan: &CopyPlan) -> bool {
        plan.files().iter().all(|(path, file)| match file {
            PlannedFile::Own(_) => true,
            PlannedFile::Text { bytes, .. } => {
                let here = std::fs::read(self.folder.join(OsStr::from_bytes(path)));
                here.is_ok_and(|here| here == *bytes)
            }
        })
    }

    /// Returns the variables for what runs in it.
    pub(crate) fn environment(&self) -> &[(OsString, OsString)] {
        &self.environment
    }
}

impl Drop for ProjectCopy {
    fn drop(&mut self) {
        removal::remove(&self.top);
        if let Some(copies) = self.top.parent() {
            // Another copy may be in it.
            let _ = std::fs::remove_dir(copies);
        }
    }
}

/// Makes a folder that only its owner can enter; one that is another's, or a link, is refused.
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

/// Writes the files of a copy. Its folder is empty at first and each path is written once, so nothing
/// is ever written through a link.
struct CopyWriter<'a> {
    original: Original<'a>,
    folder: &'a Path,
    /// The folders that are there.
    made: BTreeSet<PathBuf>,
    files: usize,
    bytes: u64,
}

impl CopyWriter<'_> {
    fn write(&mut self, path: &[u8], file: &PlannedFile) -> Result<(), NoCopy> {
        if self.original.stop.is_some_and(Stop::is_asked) {
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

    /// Makes the folders that a path lies in.
    fn make_parents(&mut self, way: &Path) -> io::Result<()> {
        let parents: Vec<&Path> = way.ancestors().skip(1).collect();
        for parent in parents.into_iter().rev().filter(|parent| !parent.as_os_str().is_empty()) {
            if self.made.insert(parent.to_path_buf()) {
                DirBuilder::new().create(self.folder.join(parent))?;
            }
        }
        Ok(())
    }

    /// Copies a file of the project, or a link that stays in it. What went meanwhile is not copied.
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

    /// Copies the bytes of a regular file with its permissions and its time.
    fn copy_file(&self, from: &Path, way: &Path) -> io::Result<()> {
        // Never waits for the other end of a pipe, and never follows a link that was put in its place.
        let flags = (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits();
        let flags = i32::try_from(flags).unwrap_or(0);
        let from = OpenOptions::new().read(true).custom_flags(flags).open(from)?;
        let found = from.metadata()?;
        if !found.is_file() {
            return Ok(());
        }
        let mut to = self.create(way, (found.mode() & 0o755) | 0o600)?;
        io::copy(&mut (&from).take(MOST_BYTES), &mut to)?;
        // What is built compares times.
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

    /// Takes room for one more entry of so many bytes.
    fn take_room(&mut self, bytes: u64) -> Result<(), NoCopy> {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        let fits = self.files <= MOST_FILES && self.bytes <= MOST_BYTES;
        if fits { Ok(()) } else { Err(NoCopy::TooLarge) }
    }
}

/// Returns whether a link at a path leads to a place below the root. Its folder is a real one, so steps
/// up count only before the first name: a name may be a link itself.
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
