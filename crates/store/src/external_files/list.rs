use rustix::fs::FileType;
use sprag_core::DocPath;

use super::ExternalFiles;
use crate::dir::{Dir, is_file, is_folder};
use crate::error::{Context, PathError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedKind {
    File,
    Folder,
    /// A link, a pipe or another special file.
    Other,
}

impl ExternalFiles {
    /// Lists the names in a subfolder and their kinds, sorted. Returns `None` if it does not exist.
    /// Links are not followed.
    pub fn list(
        &self,
        below: Option<&DocPath>,
    ) -> Result<Option<Vec<(String, ListedKind)>>, PathError> {
        let Some(below) = below else { return names(&self.dir).map(Some) };
        let Some(dir) = self.dir.folder(below)? else { return Ok(None) };
        let found = names(&dir)?;
        // A folder that is listed is usually read from next.
        self.last.replace(Some((below.clone(), dir)));
        Ok(Some(found))
    }

    /// Reads a file of at most `cap` bytes without following links. Returns `None` if it does not
    /// exist.
    pub fn read_here(&self, below: &DocPath, cap: u64) -> Result<Option<Vec<u8>>, PathError> {
        self.plain(below, cap)
    }
}

fn names(dir: &Dir) -> Result<Vec<(String, ListedKind)>, PathError> {
    let mut found = Vec::new();
    for entry in dir.entries()? {
        let entry = entry.context("list", dir.path())?;
        let Ok(name) = entry.file_name().to_str() else { continue };
        if name == "." || name == ".." {
            continue;
        }
        let kind = match entry.file_type() {
            FileType::RegularFile => ListedKind::File,
            FileType::Directory => ListedKind::Folder,
            // Some file systems do not report the type.
            FileType::Unknown => match dir.stat(name)? {
                Some(stat) if is_file(&stat) => ListedKind::File,
                Some(stat) if is_folder(&stat) => ListedKind::Folder,
                Some(_) | None => ListedKind::Other,
            },
            FileType::Symlink
            | FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice => ListedKind::Other,
        };
        found.push((name.to_owned(), kind));
    }
    found.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    Ok(found)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test builds its own folders")]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn names_are_listed_with_what_they_are_and_links_lead_nowhere() {
        let scratch = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(scratch.path().join("a/b")).unwrap();
        std::fs::write(scratch.path().join("a/file"), "text").unwrap();
        symlink("file", scratch.path().join("a/link")).unwrap();
        symlink("a", scratch.path().join("around")).unwrap();
        let outside = ExternalFiles::open(scratch.path()).unwrap().unwrap();
        let path = |text| DocPath::parse(text).unwrap();
        let found = outside.list(Some(&path("a"))).unwrap().unwrap();
        let found: Vec<_> = found.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
        assert_eq!(
            found,
            [("b", ListedKind::Folder), ("file", ListedKind::File), ("link", ListedKind::Other)]
        );
        assert_eq!(outside.list(None).unwrap().unwrap().len(), 2);
        assert_eq!(outside.list(Some(&path("none"))).unwrap(), None);
        assert!(outside.list(Some(&path("around"))).is_err(), "a link is no folder");
        assert_eq!(outside.read_here(&path("a/file"), 9).unwrap(), Some(b"text".to_vec()));
        assert!(outside.read_here(&path("a/link"), 9).is_err());
        assert_eq!(outside.read_here(&path("a/none"), 9).unwrap(), None);
    }
}
