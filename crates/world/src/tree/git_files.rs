//! Asks git which files count.

use std::io;
use std::path::Path;

use super::TreeError;
use crate::git::QuietGit;

const HERE: &[u8] = b"./";

/// Returns the files in `folder` that are tracked, or neither tracked nor ignored; `None` if git is
/// not installed. A nested repository is one name, with a trailing `/` if it is not tracked.
pub(super) fn list(git: &QuietGit, folder: &Path) -> Result<Option<Vec<Vec<u8>>>, TreeError> {
    let words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    match git.ask(folder, &words, &[]) {
        Ok(said) if said.exit == Some(0) => Ok(Some(names(&said.out))),
        Ok(said) => Err(TreeError::Git { why: said.complaint }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(TreeError::Git { why: error.to_string() }),
    }
}

/// Returns those of the paths that are ignored.
pub(super) fn ignored(
    git: &QuietGit,
    folder: &Path,
    paths: &[Vec<u8>],
) -> Result<Vec<Vec<u8>>, TreeError> {
    let mut input = Vec::new();
    for path in paths {
        // A name that begins with a colon would have a special meaning.
        input.extend_from_slice(HERE);
        input.extend_from_slice(path);
        input.push(0);
    }
    match git.ask(folder, &["check-ignore", "-z", "--stdin"], &input) {
        // 1 means that none is ignored.
        Ok(said) if matches!(said.exit, Some(0 | 1)) => {
            let bare = |name: Vec<u8>| name.strip_prefix(HERE).map(<[u8]>::to_vec);
            Ok(names(&said.out).into_iter().filter_map(bare).collect())
        }
        Ok(said) => Err(TreeError::Git { why: said.complaint }),
        Err(error) => Err(TreeError::Git { why: error.to_string() }),
    }
}

fn names(out: &[u8]) -> Vec<Vec<u8>> {
    out.split(|&byte| byte == 0).filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect()
}
