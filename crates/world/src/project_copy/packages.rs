//! Adds the ignored files to a copy that a gate needs: links to installed packages, and a few small
//! settings files.
//!
//! Programs among the packages are part of a gate's definition, so they stay the same: otherwise
//! more than tests would be in doubt.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::plan::{is_cache, is_plain};
use super::{CopyPlan, CopyWriter, NoCopy, stays};
use crate::git::{GitQuestion, QuietGit};

/// Folders of packages that are shared if git ignores them.
///
/// `.tox` and `.nox` are left out: their runners would install the copy into them.
const FOLDERS: [&[u8]; 8] = [
    b"node_modules",
    b".venv",
    b"venv",
    b"vendor",
    b"bower_components",
    b"Pods",
    b".bundle",
    b".yarn",
];
/// Folders of packages whose files contain their own location. They are created in the copy, and
/// their contents are shared.
const OPEN: [&[u8]; 3] = [b"node_modules", b"vendor", b"bower_components"];
/// The same, inside of those.
const OPEN_INSIDE: [&[u8]; 3] = [b".bin", b"bin", b"composer"];
/// Small files that are copied if git ignores them.
const FILES: [&[u8]; 10] = [
    b".env",
    b".npmrc",
    b".nvmrc",
    b".node-version",
    b".python-version",
    b".ruby-version",
    b".tool-versions",
    b".pnp.cjs",
    b".pnp.loader.mjs",
    b"local.properties",
];
/// The size limit for the list of ignored names.
const MOST_NAMES: u64 = 16 << 20;

/// Shares the packages of a project with its copy.
pub(super) fn share(writer: &mut CopyWriter<'_>, plan: &CopyPlan) -> Result<(), NoCopy> {
    let mut folders: BTreeSet<Vec<u8>> = plan.installed().clone();
    for path in ignored(writer) {
        match path.strip_suffix(b"/") {
            Some(folder) if is_of_packages(folder) => drop(folders.insert(folder.to_vec())),
            None if is_setting(&path) || is_of_packages(&path) => writer.share(&path)?,
            Some(_) | None => {}
        }
    }
    for folder in folders.iter().filter(|folder| is_plain(folder)) {
        let is_open = OPEN.contains(&name(folder));
        if is_open { writer.open(folder)? } else { writer.share(folder)? }
    }
    Ok(())
}

/// Returns the ignored paths; a fully ignored folder is one name with a trailing `/`.
fn ignored(writer: &CopyWriter<'_>) -> Vec<Vec<u8>> {
    let words = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
    let words = words.map(OsStr::new);
    let (folder, most) = (writer.original.root, MOST_NAMES);
    let question = GitQuestion { folder, words: &words, input: &[], most, index: None };
    let git = QuietGit::reading(writer.original.environment);
    let said = git.ended_by(writer.original.stop.cloned()).answer(&question);
    let Some(said) = said.ok().filter(|said| said.exit == Some(0)) else { return Vec::new() };
    said.out.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect()
}

fn is_of_packages(path: &[u8]) -> bool {
    is_plain(path) && path.split(|byte| *byte == b'/').any(|name| FOLDERS.contains(&name))
}

fn is_setting(path: &[u8]) -> bool {
    let name = name(path);
    is_plain(path) && (FILES.contains(&name) || name.starts_with(b".env."))
}

fn name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

impl CopyWriter<'_> {
    /// Creates a folder of packages in the copy and shares its contents.
    fn open(&mut self, path: &[u8]) -> Result<(), NoCopy> {
        let way = PathBuf::from(OsStr::from_bytes(path));
        let from = self.original.root.join(&way);
        if !from.symlink_metadata().is_ok_and(|found| found.is_dir()) {
            return self.share(path);
        }
        self.make_parents(&way.join("x"))?;
        for entry in std::fs::read_dir(&from)? {
            let inner = entry?.file_name();
            let path = [path, b"/", inner.as_bytes()].concat();
            if is_cache(inner.as_bytes()) {
                continue;
            }
            let is_open =
                OPEN_INSIDE.contains(&inner.as_bytes()) || inner.as_bytes().starts_with(b"@");
            let depth = path.split(|byte| *byte == b'/').rev().take(2);
            let is_first = depth.skip(1).any(|name| OPEN.contains(&name));
            if is_open && is_first { self.open(&path)? } else { self.share(&path)? }
        }
        Ok(())
    }

    /// Shares one entry of the project: a folder as a link to it, a file as a copy, and a link as
    /// it is. A link to another part of the project leads to that part of the copy.
    fn share(&mut self, path: &[u8]) -> Result<(), NoCopy> {
        let way = PathBuf::from(OsStr::from_bytes(path));
        let from = self.original.root.join(&way);
        let Ok(found) = from.symlink_metadata() else { return Ok(()) };
        self.take_room(if found.is_file() { found.len() } else { 0 })?;
        self.make_parents(&way)?;
        if found.is_file() {
            return Ok(self.copy_file(&from, &way)?);
        }
        let target = if found.is_symlink() {
            self.led_to(&way, &from)?
        } else if found.is_dir() {
            Some(from)
        } else {
            None
        };
        if let Some(target) = target {
            std::os::unix::fs::symlink(target, self.folder.join(way))?;
        }
        Ok(())
    }

    /// Returns the target of a link in the copy, or `None` for a broken link.
    fn led_to(&self, way: &Path, from: &Path) -> io::Result<Option<PathBuf>> {
        let target = std::fs::read_link(from)?;
        if stays(way, &target) {
            return Ok(Some(target));
        }
        let Ok(real) = std::fs::canonicalize(from) else { return Ok(None) };
        Ok(Some(match real.strip_prefix(self.original.root) {
            Ok(inside) => self.folder.join(inside),
            Err(_) => real,
        }))
    }
}
