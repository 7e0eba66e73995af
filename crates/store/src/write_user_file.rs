//! Writes a text to a path that a person chose, outside all state.

use std::io::{ErrorKind, Write as _};
use std::path::Path;

use crate::dir::{Dir, is_file};
use crate::error::{Context, PathError};
use crate::temp;

/// Creates or replaces a file atomically. Refuses anything that is not a regular file.
pub fn put(path: &Path, bytes: &[u8]) -> Result<(), PathError> {
    let refused = |why: &str| PathError {
        action: "write",
        path: path.to_path_buf(),
        source: std::io::Error::new(ErrorKind::InvalidInput, why),
    };
    let name = path.file_name().and_then(|name| name.to_str());
    let (Some(folder), Some(name)) = (path.parent(), name) else {
        return Err(refused("it is no name of a file"));
    };
    let dir = Dir::base(folder)?;
    if dir.stat(name)?.is_some_and(|stat| !is_file(&stat)) {
        return Err(refused("something else than a file is there"));
    }
    let between = temp::name();
    let mut file = dir.make(&between, 0o644)?;
    let written = file.write_all(bytes).context("write", dir.path_of(name));
    let placed = written.and_then(|()| dir.rename(&between, name));
    if placed.is_err() {
        let _ = dir.remove(&between);
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("page.html");
        for text in ["one", "two"] {
            put(&path, text.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 1);
        std::os::unix::fs::symlink("page.html", scratch.path().join("link")).unwrap();
        assert!(put(&scratch.path().join("link"), b"x").is_err());
        assert!(put(scratch.path(), b"x").is_err(), "a folder");
        assert!(put(&scratch.path().join("none/page.html"), b"x").is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
    }
}
