//! Stages all changes: tracked files, and files that are neither tracked nor ignored.
//!
//! Nested repositories are left out: a foreign one would become a link to a commit that exists
//! nowhere else, and a submodule moves only by a deliberate commit. State is left out too: that of
//! other systems is the user's, and sprag's own may be unignored if its `.gitignore` was lost.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use sprag_core::systems;

use super::error::WorktreesError;
use super::git::Git;

/// Paths below `.sprag` that are never part of the work. Each folder's `.gitignore` is created
/// anew: a merged one would cause conflicts.
const STATE: [&str; 9] = [
    "runs/",
    "journal/",
    "sessions/",
    "agents/",
    "cache/",
    "trace",
    "trace.old",
    "lock",
    ".gitignore",
];

/// The largest file that is staged.
const MOST: u64 = 1 << 30;

/// Stages the files of the working tree at `top`; `below` is the path from there to the project.
pub(super) fn stage(
    git: &Git,
    top: &Path,
    index: Option<&Path>,
    below: &[u8],
) -> Result<(), WorktreesError> {
    let ask = |words: &[&str]| {
        let ask = git.ask(top, words);
        if let Some(index) = index { ask.with_index(index) } else { ask }
    };
    let changed = ["diff-files", "-z", "--name-status", "--ignore-submodules=all"];
    let others = ["ls-files", "-z", "--others", "--exclude-standard"];
    // Removed files come first: a link may have replaced their folder.
    let (mut gone, mut there) = (Vec::new(), Vec::new());
    let mut listed = ask(&changed).names()?.into_iter();
    while let (Some(how), Some(name)) = (listed.next(), listed.next()) {
        if how == b"D" { gone.push(name) } else { there.push(name) }
    }
    there.extend(ask(&others).names()?);
    there.retain(|name| !name.ends_with(b"/") && !is_state(name, below));
    for name in &there {
        not_too_large(top, name)?;
    }
    for (names, how) in [(gone, "--force-remove"), (there, "--add")] {
        if !names.is_empty() {
            let update = ask(&["update-index", "-z", "--remove", "--replace", how, "--stdin"]);
            let with_end = |mut name: Vec<u8>| {
                name.push(0);
                name
            };
            update.fed(names.into_iter().flat_map(with_end).collect::<Vec<u8>>()).must()?;
        }
    }
    Ok(())
}

/// Rejects a file that git would compress for minutes, without reacting to a stop request.
fn not_too_large(top: &Path, name: &[u8]) -> Result<(), WorktreesError> {
    let found = std::fs::symlink_metadata(top.join(OsStr::from_bytes(name)));
    // git reports a file that has vanished meanwhile.
    let bytes = found.map_or(0, |found| found.len());
    if bytes <= MOST {
        return Ok(());
    }
    Err(WorktreesError::TooLarge { path: String::from_utf8_lossy(name).into_owned(), bytes })
}

/// Returns whether a plan's run writes this file about itself. The same file exists in the user's
/// folder, and the two could not be merged.
fn is_told_of_a_plan(rest: &[u8]) -> bool {
    let mut parts = rest.split(|byte| *byte == b'/');
    let is_below = parts.next() == Some(b".gsd") && parts.next() == Some(b"plans");
    let name = parts.nth(1);
    is_below
        && parts.next().is_none()
        && (name == Some(b"VERIFICATION.md") || name == Some(b"summary.md"))
}

/// Returns whether a file is state, and so not part of the work.
pub(super) fn is_state(name: &[u8], below: &[u8]) -> bool {
    let Some(rest) = name.strip_prefix(below) else { return false };
    // A run changes the state of other systems in the user's own files.
    let is_it = |part: &str| match part.strip_suffix('/') {
        Some(_) => rest.starts_with(part.as_bytes()),
        None => rest == part.as_bytes(),
    };
    if systems::records().any(is_it) {
        return true;
    }
    if is_told_of_a_plan(rest) {
        return true;
    }
    let Some(rest) = rest.strip_prefix(b".sprag/") else { return false };
    STATE.iter().any(|part| match part.strip_suffix('/') {
        Some(_) => rest.starts_with(part.as_bytes()),
        None => rest == part.as_bytes(),
    }) || rest.starts_with(b"journal.aside-")
}
