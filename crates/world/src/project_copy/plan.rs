//! Plans the contents of a project's copy.

use std::collections::{BTreeMap, BTreeSet};

use sprag_core::Hash;

use crate::tree::{self, Tree};

/// Caches of tools. Their contents may be wrong for a restored text.
const CACHES: [&[u8]; 15] = [
    b"__pycache__",
    b".pytest_cache",
    b".mypy_cache",
    b".ruff_cache",
    b".hypothesis",
    b".cache",
    b".eslintcache",
    b".nyc_output",
    b".parcel-cache",
    b".turbo",
    b".vite",
    b".vite-temp",
    b".vitest",
    b".gradle",
    b".coverage",
];
/// The name endings of such files.
const CACHE_ENDINGS: [&[u8]; 2] = [b".pyc", b".tsbuildinfo"];
/// Folders of installed packages, which git usually ignores. They are shared with the copy, not
/// copied.
const INSTALLED: [&[u8]; 3] = [b"node_modules", b".venv", b"venv"];

/// The files of a copy by relative path: the project's own, and texts that replace some of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyPlan {
    files: BTreeMap<Vec<u8>, PlannedFile>,
    /// Folders of installed packages that no repository ignores.
    installed: BTreeSet<Vec<u8>>,
}

/// A file of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlannedFile {
    /// The project's own file, with this content hash.
    Own(Hash),
    /// A replacement text.
    Text {
        bytes: Vec<u8>,
        /// Whether it is executable.
        is_program: bool,
    },
}

impl CopyPlan {
    /// Plans a copy of a tree without the caches of tools.
    pub fn of(tree: &Tree) -> Self {
        let mut plan = Self { files: BTreeMap::new(), installed: BTreeSet::new() };
        for file in tree.files() {
            if let Some(folder) = installed(&file.path) {
                plan.installed.insert(folder.to_vec());
            } else if !is_cache(&file.path) {
                plan.files.insert(file.path.clone(), PlannedFile::Own(file.content));
            }
        }
        plan
    }

    /// Removes a file from the plan.
    pub fn leave_out(&mut self, path: &str) {
        self.files.remove(path.as_bytes());
    }

    /// Puts a text at a path, and removes entries that are in its way. Returns false for a path
    /// that leads out of the copy or into shared folders.
    pub fn put(&mut self, path: &str, bytes: Vec<u8>, is_program: bool) -> bool {
        let path = path.as_bytes().to_vec();
        if !is_plain(&path) || is_cache(&path) || installed(&path).is_some() {
            return false;
        }
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        for (end, _) in slashes {
            self.files.remove(&path[..end]);
        }
        let below = [&path[..], b"/"].concat();
        let inside = self.files.range(below.clone()..).map(|(known, _)| known);
        let inside: Vec<_> =
            inside.take_while(|known| known.starts_with(&below)).cloned().collect();
        for known in inside {
            self.files.remove(&known);
        }
        self.files.insert(path, PlannedFile::Text { bytes, is_program });
        true
    }

    /// Returns the hash of all files.
    pub fn hash(&self) -> Hash {
        let mut whole = Vec::with_capacity(self.files.len() * 100);
        for (path, file) in &self.files {
            let content = match file {
                PlannedFile::Own(content) => *content,
                PlannedFile::Text { bytes, is_program } => tree::content_of(bytes, *is_program),
            };
            whole.extend_from_slice(path);
            whole.push(0);
            whole.extend_from_slice(content.to_string().as_bytes());
        }
        Hash::of(whole)
    }

    pub const fn files(&self) -> &BTreeMap<Vec<u8>, PlannedFile> {
        &self.files
    }

    pub const fn installed(&self) -> &BTreeSet<Vec<u8>> {
        &self.installed
    }
}

/// Returns whether a path stays below its root and outside of `.git`.
pub(super) fn is_plain(path: &[u8]) -> bool {
    let is_name = |name: &[u8]| {
        !matches!(name, b"" | b"." | b"..")
            && !name.eq_ignore_ascii_case(b".git")
            && !name.contains(&0)
    };
    path.split(|byte| *byte == b'/').all(is_name)
}

/// Returns whether a path is part of a tool's cache.
pub(super) fn is_cache(path: &[u8]) -> bool {
    path.split(|byte| *byte == b'/').any(|name| {
        CACHES.contains(&name)
            || name.starts_with(b".coverage.")
            || CACHE_ENDINGS.iter().any(|end| name.ends_with(end))
    })
}

/// Returns the outermost folder of installed packages that contains a path. It may be a link,
/// because a worktree can share the project's packages.
fn installed(path: &[u8]) -> Option<&[u8]> {
    let mut start = 0;
    for name in path.split(|byte| *byte == b'/') {
        let end = start + name.len();
        if INSTALLED.contains(&name) {
            return Some(&path[..end]);
        }
        start = end + 1;
    }
    None
}
