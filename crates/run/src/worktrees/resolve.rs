//! Turns a conflict into work for an agent: it resolves the conflict in its own worktree, so that
//! the following merge is easy.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::commit::tip;
use super::error::WorktreesError;
use super::git::Git;
use super::make::{RESOLVING, is_marked};
use super::merge::merging;
use super::{Commit, Worktree, Worktrees, registry};

/// The result of merging the run's branch into an agent's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolving {
    /// The branch contains everything, without a conflict.
    UpToDate(Commit),
    /// These files now contain a conflict.
    Conflict(Vec<PathBuf>),
}

/// More bytes than a file has that a person or an agent could resolve.
const LARGEST: u64 = 64 << 20;

impl Worktrees {
    /// Merges the run's branch into an agent's own and leaves any conflict in its files. The
    /// agent's changes must be committed.
    pub fn begin_resolving(&self, tree: &Worktree) -> Result<Resolving, WorktreesError> {
        self.turn(&tree.key, |git| {
            self.mend(git, tree)?;
            // An interrupted merge can be used as it is.
            let open = unmerged(git, &tree.folder)?;
            if !open.is_empty() {
                return Ok(Resolving::Conflict(open));
            }
            let files = self.changed(&tree.folder)?;
            if !files.is_empty() {
                return Err(WorktreesError::Touched { folder: tree.folder.clone(), files });
            }
            let message = format!("Merge {} into {}", self.branch(), tree.branch);
            let theirs = format!("refs/heads/{}", self.branch());
            self.mark(&tree.folder, RESOLVING)?;
            let merge = merging(git, &tree.folder).and("-m").and(message).and(theirs);
            let said = merge.said()?;
            self.unmark(tree)?;
            if said.exit == Some(0) {
                return Ok(Resolving::UpToDate(tip(git, tree)?));
            }
            match unmerged(git, &tree.folder)? {
                files if files.is_empty() => Err(merge.failed(&said.complaint)),
                files => Ok(Resolving::Conflict(files)),
            }
        })
    }

    /// Removes what an interrupted git left in a worktree: its locks, and a merge that it had not
    /// recorded yet. The worktree had no uncommitted changes when that merge began.
    pub(super) fn mend(&self, git: &Git, tree: &Worktree) -> Result<(), WorktreesError> {
        registry::unlock(&self.common, &tree.folder, &tree.branch)?;
        let admin = registry::admin(&self.common, &tree.folder)?;
        if !admin.is_some_and(|admin| is_marked(&admin, RESOLVING)) {
            return Ok(());
        }
        if !is_merging(git, &tree.folder)? {
            git.ask(&tree.folder, &["reset", "--hard", "--quiet", "HEAD"]).must()?;
            git.ask(&tree.folder, &["clean", "-ffdq"]).must()?;
        }
        self.unmark(tree)
    }

    fn unmark(&self, tree: &Worktree) -> Result<(), WorktreesError> {
        let admin = registry::admin(&self.common, &tree.folder)?;
        admin.map_or(Ok(()), |admin| registry::forget(&[admin.join(RESOLVING)]))
    }

    /// Returns the files that still contain a conflict: conflict marks, or no decision where git
    /// cannot write marks (one side removed the file, or it is no text). `git add` or `git rm`
    /// decides.
    pub fn unresolved(&self, tree: &Worktree) -> Result<Vec<PathBuf>, WorktreesError> {
        let (git, folder) = (&self.git, &tree.folder);
        let mut open = Vec::new();
        let name = format!("refs/heads/{}", self.branch());
        for name in git.ask(folder, &["diff-index", "-z", "--name-only", &name]).names()? {
            let path = PathBuf::from(OsStr::from_bytes(&name));
            if self.has_marks(&folder.join(&path)) {
                open.push(path);
            }
        }
        for (path, sides) in stages(git, folder)? {
            if !open.contains(&path) && !is_decided(git, folder, &path, &sides)? {
                open.push(path);
            }
        }
        open.sort();
        Ok(open)
    }

    /// Returns whether a file contains the marks that sprag's own merge leaves.
    fn has_marks(&self, path: &Path) -> bool {
        use std::io::Read as _;
        let is_file = path.symlink_metadata().is_ok_and(|found| found.is_file());
        let Some(file) = std::fs::File::open(path).ok().filter(|_| is_file) else { return false };
        let mut bytes = Vec::new();
        if file.take(LARGEST).read_to_end(&mut bytes).is_err() {
            return false;
        }
        let ends = [
            b"<<<<<<< HEAD".to_vec(),
            format!(">>>>>>> refs/heads/{}", self.branch()).into_bytes(),
        ];
        let is_mark = |line: &[u8]| {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            ends.iter().any(|end| line == end.as_slice())
        };
        bytes.split(|&byte| byte == b'\n').any(is_mark)
    }
}

/// Returns whether git has recorded a merge that is not yet committed.
pub(super) fn is_merging(git: &Git, folder: &Path) -> Result<bool, WorktreesError> {
    git.ask(folder, &["rev-parse", "--quiet", "--verify", "MERGE_HEAD"]).holds()
}

/// Returns the files with undecided merge conflicts.
pub(super) fn unmerged(git: &Git, folder: &Path) -> Result<Vec<PathBuf>, WorktreesError> {
    Ok(stages(git, folder)?.into_keys().collect())
}

/// Returns the sides of each conflicting file: 1 is the common base, 2 is ours, 3 is theirs.
fn stages(
    git: &Git,
    folder: &Path,
) -> Result<BTreeMap<PathBuf, BTreeMap<u8, String>>, WorktreesError> {
    let mut found: BTreeMap<PathBuf, BTreeMap<u8, String>> = BTreeMap::new();
    for entry in git.ask(folder, &["ls-files", "-z", "--unmerged"]).names()? {
        // `mode object stage\tname`
        let Some(tab) = entry.iter().position(|&byte| byte == b'\t') else { continue };
        let head = String::from_utf8_lossy(&entry[..tab]).into_owned();
        let mut words = head.split(' ').skip(1);
        let (Some(object), Some(Ok(stage))) = (words.next(), words.next().map(str::parse)) else {
            continue;
        };
        let path = PathBuf::from(OsStr::from_bytes(&entry[tab + 1..]));
        found.entry(path).or_default().insert(stage, object.to_owned());
    }
    Ok(found)
}

/// Returns whether an agent has combined both sides without staging the result.
fn is_decided(
    git: &Git,
    folder: &Path,
    path: &Path,
    sides: &BTreeMap<u8, String>,
) -> Result<bool, WorktreesError> {
    let (Some(ours), Some(_)) = (sides.get(&2), sides.get(&3)) else { return Ok(false) };
    if !folder.join(path).symlink_metadata().is_ok_and(|found| found.is_file()) {
        return Ok(false);
    }
    let now = git.ask(folder, &["hash-object", "--"]).and(path).line()?;
    Ok(now != *ours)
}
