//! Creates a repository for a copy, in the same place as the project's, which borrows its objects.
//!
//! A gate may ask git about the files or the commit, and its writes go into the copy. The
//! repository has only the current branch, and no tags, remotes, hooks or settings of the original.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::git::{Git, GitHead};

/// The size limit of an index to copy.
const MOST_INDEX: u64 = 64 << 20;

/// Creates the repository, if the project is the top of its own. Without it, a gate that calls git
/// fails, and no doubt is cleared.
pub(super) fn borrow(root: &Path, folder: &Path) {
    if let Ok(Some(git)) = Git::around(root)
        && git.top() == root
    {
        let _ = make(&git, &folder.join(".git"));
    }
}

fn make(git: &Git, own: &Path) -> io::Result<()> {
    let (branch, commit) = match git.head() {
        GitHead::Branch { name, commit: Some(commit) } => (Some(name), commit),
        GitHead::Detached { commit } => (None, commit),
        GitHead::Branch { commit: None, .. } | GitHead::Unknown => return Ok(()),
    };
    let objects = git.common().join("objects");
    let objects = objects.as_os_str().as_bytes();
    // Git would interpret such a line differently.
    if objects.contains(&b'\n') || objects.starts_with(b"\"") || objects.starts_with(b"#") {
        return Ok(());
    }
    for name in ["objects/info", "refs/heads", "info"] {
        DirBuilder::new().recursive(true).create(own.join(name))?;
    }
    write(&own.join("objects/info/alternates"), &[objects, b"\n"].concat())?;
    let is_simple = |name: &str| {
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    match branch.filter(|name| is_simple(name)) {
        Some(name) => {
            write(&own.join("refs/heads").join(&name), format!("{commit}\n").as_bytes())?;
            write(&own.join("HEAD"), format!("ref: refs/heads/{name}\n").as_bytes())?;
        }
        None => write(&own.join("HEAD"), format!("{commit}\n").as_bytes())?,
    }
    let (version, format) =
        if commit.len() == 64 { (1, "[extensions]\n\tobjectformat = sha256\n") } else { (0, "") };
    let core = format!("[core]\n\trepositoryformatversion = {version}\n\tbare = false\n{format}");
    write(&own.join("config"), core.as_bytes())?;
    for (from, to) in [(git.index(), "index"), (git.common().join("info/exclude"), "info/exclude")]
    {
        if let Ok(file) = sprag_store::peek(&from) {
            let mut bytes = Vec::new();
            file.take(MOST_INDEX).read_to_end(&mut bytes)?;
            write(&own.join(to), &bytes)?;
        }
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(bytes)
}
