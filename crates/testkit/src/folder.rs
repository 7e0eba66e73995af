//! Folders as values: copies a folder, lists its entries.
#![expect(clippy::disallowed_methods, reason = "tests reach around the store on purpose")]

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    File(Vec<u8>),
    Folder,
    /// With its target.
    Link(String),
    Other,
}

/// Copies a folder and everything below it; modes are kept, links stay links.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy(&entry.path(), &target)?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(entry.path())?, target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), target)?;
        }
    }
    fs::set_permissions(to, fs::metadata(from)?.permissions())
}

/// Returns everything below `root`, keyed by the path relative to it.
pub fn entries(root: &Path) -> io::Result<BTreeMap<String, Entry>> {
    let mut found = BTreeMap::new();
    collect(root, "", &mut found)?;
    Ok(found)
}

fn collect(folder: &Path, prefix: &str, found: &mut BTreeMap<String, Entry>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type()?;
        let what = if kind.is_dir() {
            collect(&entry.path(), &format!("{name}/"), found)?;
            Entry::Folder
        } else if kind.is_symlink() {
            Entry::Link(fs::read_link(entry.path())?.to_string_lossy().into_owned())
        } else if kind.is_file() {
            Entry::File(fs::read(entry.path())?)
        } else {
            Entry::Other
        };
        found.insert(name, what);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_holds_the_same() {
        let scratch = tempfile::tempdir().unwrap();
        let (from, to) = (scratch.path().join("from"), scratch.path().join("to"));
        fs::create_dir_all(from.join("a/b")).unwrap();
        fs::write(from.join("a/b/c"), "text").unwrap();
        symlink("nowhere", from.join("link")).unwrap();
        copy(&from, &to).unwrap();
        let names: Vec<String> = entries(&to).unwrap().into_keys().collect();
        assert_eq!(names, ["a", "a/b", "a/b/c", "link"]);
        assert_eq!(entries(&from).unwrap(), entries(&to).unwrap());
    }
}
