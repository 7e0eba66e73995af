//! Copies ignored files, such as `.env`, from the user's project into a new worktree.
//!
//! Files are copied, never linked: a link would let one agent change files that the other agents
//! and the user share. Large data is better made by a set-up command. Nothing outside the project
//! is read or written: a link is copied as a link, and only if it stays inside.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use sprag_core::Glob;

use super::Worktrees;
use super::error::{WorktreesError, at};

/// The most files to copy.
const MOST_FILES: usize = 100_000;
/// The most bytes to copy.
const MOST_BYTES: u64 = 4 << 30;

/// Folders that are never copied: sprag's state, and repositories.
const NEVER: [&str; 2] = [".sprag", ".git"];

/// A copy in progress.
struct Copying<'y> {
    from: &'y Path,
    to: &'y Path,
    globs: &'y [Glob],
    files: usize,
    bytes: u64,
}

impl Worktrees {
    /// Copies the ignored files that the configuration names.
    pub(super) fn copy_ignored(&self, folder: &Path) -> Result<(), WorktreesError> {
        let globs = &self.config.copy;
        if globs.is_empty() {
            return Ok(());
        }
        let words = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard"];
        let from = self.top.join(&self.place.below);
        let to = folder.join(&self.place.below);
        let mut copying = Copying { from: &from, to: &to, globs, files: 0, bytes: 0 };
        for name in self.git.ask(&from, &words).and("--directory").names()? {
            let name = PathBuf::from(OsStr::from_bytes(name.strip_suffix(b"/").unwrap_or(&name)));
            copying.whole(&name)?;
        }
        Ok(())
    }
}

impl Copying<'_> {
    /// Copies a file, or the wanted contents of a folder.
    fn whole(&mut self, name: &Path) -> Result<(), WorktreesError> {
        let mut open = vec![name.to_path_buf()];
        while let Some(name) = open.pop() {
            let path = self.from.join(&name);
            let found = path.symlink_metadata().map_err(at("read", &path))?;
            let is_never = NEVER.iter().any(|never| name.iter().any(|part| part == *never));
            if is_never || !self.globs.iter().any(|glob| reaches(glob, &name)) {
                continue;
            }
            if found.is_dir() {
                for entry in std::fs::read_dir(&path).map_err(at("read", &path))? {
                    open.push(name.join(entry.map_err(at("read", &path))?.file_name()));
                }
            } else if self.globs.iter().any(|glob| covers(glob, &name)) {
                self.one(&name, &path, &found)?;
            }
        }
        Ok(())
    }

    fn one(
        &mut self,
        name: &Path,
        path: &Path,
        found: &std::fs::Metadata,
    ) -> Result<(), WorktreesError> {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(found.len());
        if self.files > MOST_FILES || self.bytes > MOST_BYTES {
            let why = format!("more than {MOST_FILES} files or {} GiB to copy", MOST_BYTES >> 30);
            return Err(refused(name, why, "let a `setup` command make them"));
        }
        let target = self.make_way(name)?;
        if found.is_symlink() {
            let link = std::fs::read_link(path).map_err(at("read", path))?;
            if !stays_inside(name, &link) {
                let why = format!("it links to `{}`, outside the project", link.display());
                return Err(refused(name, why, "let a `setup` command make it"));
            }
            std::os::unix::fs::symlink(&link, &target).map_err(at("write", &target))
        } else if found.is_file() {
            std::fs::copy(path, &target).map(drop).map_err(at("write", &target))
        } else {
            // A pipe or a socket belongs to the process that serves it.
            Ok(())
        }
    }

    /// Creates the parent folders of a new file without following links.
    fn make_way(&self, name: &Path) -> Result<PathBuf, WorktreesError> {
        let mut target = self.to.to_path_buf();
        let folders = name.parent().into_iter().flat_map(Path::iter);
        for part in folders {
            target.push(part);
            match target.symlink_metadata() {
                Ok(found) if found.is_dir() => {}
                Ok(_) => {
                    return Err(refused(name, format!("`{}` is no folder", target.display()), ""));
                }
                Err(_) => std::fs::create_dir(&target).map_err(at("make", &target))?,
            }
        }
        target.push(name.file_name().unwrap_or_default());
        match target.symlink_metadata() {
            Ok(_) => Err(refused(name, "the branch has a file of that name".to_owned(), "")),
            Err(_) => Ok(target),
        }
    }
}

fn refused(name: &Path, why: String, help: &str) -> WorktreesError {
    WorktreesError::SetUp { what: format!("copy {}", name.display()), why, tail: help.to_owned() }
}

/// Returns whether a link at `name` points into the project, judged by its text alone.
fn stays_inside(name: &Path, link: &Path) -> bool {
    let mut depth = name.components().count() - 1;
    for part in link.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return false,
        }
    }
    true
}

/// Returns whether a pattern matches a path or one of its parent folders.
fn covers(glob: &Glob, name: &Path) -> bool {
    name.ancestors().any(|part| glob.matches(part.as_os_str().as_bytes()))
}

/// Returns whether a pattern can match a path or anything below it.
fn reaches(glob: &Glob, name: &Path) -> bool {
    let mut parts = glob.as_str().split('/');
    for own in name {
        match parts.next() {
            None | Some("**") => return true,
            Some(part) => {
                let is_one = Glob::parse(part).is_ok_and(|part| part.matches(own.as_bytes()));
                if !is_one {
                    return false;
                }
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_entered_only_where_something_in_it_can_be_meant() {
        let reaches =
            |glob: &str, name: &str| reaches(&Glob::parse(glob).unwrap(), Path::new(name));
        for (glob, name) in
            [(".env", ".env"), ("a/b", "a"), ("a", "a/b"), ("**/x", "a/b"), ("a/*/c", "a/b")]
        {
            assert!(reaches(glob, name), "{glob} {name}");
        }
        for (glob, name) in [(".env", "target"), ("a/b", "a/c"), ("a/*/c", "b")] {
            assert!(!reaches(glob, name), "{glob} {name}");
        }
        let covers = |glob: &str, name: &str| covers(&Glob::parse(glob).unwrap(), Path::new(name));
        assert!(covers("a", "a/b/c") && covers("a/", "a/b") && !covers("a/b", "a"));
    }

    #[test]
    fn a_link_stays_inside_by_its_words() {
        for (name, link) in [("a/b", "c"), ("a/b", "../c"), ("a/b/c", "../../d/./e")] {
            assert!(stays_inside(Path::new(name), Path::new(link)), "{name} {link}");
        }
        for (name, link) in [("a", "../c"), ("a/b", "../../c"), ("a", "/etc"), ("a", "b/../../c")] {
            assert!(!stays_inside(Path::new(name), Path::new(link)), "{name} {link}");
        }
    }
}
