//! A repository for a copy: it stands where the project's does and borrows its objects.
//!
//! A gate may ask git for the files or the commit. What it writes goes into the copy. There are no
//! branches but the one at hand, no tags, no remotes, no hooks and none of the repository's settings.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::git::{Git, Head};

/// The largest index that is copied.
const MOST_INDEX: u64 = 64 << 20;

/// Makes the repository, where the project is the whole of one. Without it a gate that asks git fails,
/// and then nothing is cleared.
pub(super) fn borrow(root: &Path, folder: &Path) {
    if let Ok(Some(git)) = Git::around(root)
        && git.top() == root
    {
        let _ = make(&git, &folder.join(".git"));
    }
}

fn make(git: &Git, own: &Path) -> io::Result<()> {
    let (branch, commit) = match git.head() {
        Head::Branch { name, commit: Some(commit) } => (Some(name), commit),
        Head::Detached { commit } => (None, commit),
        Head::Branch { commit: None, .. } | Head::Unknown => return Ok(()),
    };
    let objects = git.common().join("objects");
    let objects = objects.as_os_str().as_bytes();
    // Git reads such a line in another way.
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
