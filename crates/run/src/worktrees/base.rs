//! Creates the commit that a run begins with: the user's files as they are, committed or not.
//!
//! The commit is made through a private index. The user's index, branch, stash and files are read
//! and stay unchanged.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sprag_store::Lasting;

use super::error::{WorktreesError, at};
use super::git::Git;
use super::stage::stage;
use super::{Commit, Worktrees};

/// The name of the private index.
const INDEX: &str = "index";
/// The subject prefix of the commit that holds the user's uncommitted files.
const AS_THEY_WERE: &str = "Files as they were when ";
/// More bytes than any index has.
const MOST: u64 = 4 << 30;

impl Worktrees {
    /// Returns the commit that a new run begins with.
    pub(super) fn base(&self, git: &Git) -> Result<Commit, WorktreesError> {
        let index = self.private_index()?;
        stage(git, &self.top, Some(&index), &self.below())?;
        let write = git.ask(&self.top, &["write-tree"]).with_index(&index);
        let tree = write.line()?;
        let verify = ["rev-parse", "--quiet", "--verify"];
        let head = git.ask(&self.top, &verify).and("HEAD^{commit}").said()?;
        let head = (head.exit == Some(0)).then(|| Commit::of(&head.out));
        let mut commit = git.ask(&self.top, &["commit-tree", &tree]);
        if let Some(head) = &head {
            let theirs = git.ask(&self.top, &verify).and(format!("{head}^{{tree}}")).line()?;
            if theirs == tree {
                return Ok(head.clone());
            }
            commit = commit.and("-p").and(head.as_str());
        }
        let message = format!("{}\n", self.as_they_were());
        Ok(Commit::of(&commit.and("-F").and("-").fed(message).must()?))
    }

    /// Returns the subject of the commit that holds the user's uncommitted files.
    fn as_they_were(&self) -> String {
        format!("{AS_THEY_WERE}{} began", self.run)
    }

    /// Returns the command with which a user takes over the run's work.
    pub fn take_over(&self) -> String {
        let (git, top, branch) = (&self.git, self.top.as_path(), self.branch());
        let base = has_head(git, top).and_then(|has_head| first(git, top, &branch, has_head));
        take_over(base.ok().flatten().as_deref(), &branch)
    }

    /// Copies the user's index, so that git need not read every file again.
    fn private_index(&self) -> Result<PathBuf, WorktreesError> {
        let name = self.run.as_str();
        let found = sprag_world::git::Git::around(&self.top)?.map(|git| git.index());
        let theirs = found.as_deref().map_or(Ok(None), read)?;
        let room = self.room(&format!("{name}.base"))?;
        let turn = room.turn(Duration::from_secs(5))?;
        let path = self.in_room(&format!("{name}.base"), INDEX);
        super::registry::forget(&[path.clone(), path.with_extension("lock")])?;
        if let Some((bytes, written)) = theirs {
            turn.write(INDEX, &bytes, 0o600, Lasting::Cached)?;
            // git trusts its cached data about a file only if the file is older than the index.
            let copy = std::fs::File::options().write(true).open(&path);
            let dated = copy.and_then(|file| file.set_modified(written));
            dated.map_err(at("write", &path))?;
        }
        Ok(path)
    }
}

/// Returns the command with which a user takes over a branch. If the branch contains the user's
/// uncommitted files, git refuses to merge over them. In that case the command applies only the
/// changes since its [`first`] commit.
pub(super) fn take_over(base: Option<&str>, branch: &str) -> String {
    match base {
        Some(base) => format!("git diff --binary {base} {branch} | git apply"),
        None => format!("git merge {branch}"),
    }
}

/// Returns whether a commit is checked out.
pub(super) fn has_head(git: &Git, top: &Path) -> Result<bool, WorktreesError> {
    git.ask(top, &["rev-parse", "--quiet", "--verify", "HEAD^{commit}"]).holds()
}

/// Returns the short name of the commit that holds uncommitted files, if the branch has one.
pub(super) fn first(
    git: &Git,
    top: &Path,
    branch: &str,
    has_head: bool,
) -> Result<Option<String>, WorktreesError> {
    let own = format!("refs/heads/{branch}");
    let log = git.ask(top, &["log", "--first-parent", "--format=%h %s", &own]);
    let log = if has_head { log.and("--not").and("HEAD") } else { log };
    let said = log.must()?;
    let said = String::from_utf8_lossy(&said);
    let last = said.lines().last().and_then(|line| line.split_once(' '));
    let is_base = |(_, subject): &(&str, &str)| subject.starts_with(AS_THEY_WERE);
    Ok(last.filter(is_base).map(|(name, _)| name.to_owned()))
}

/// Reads an index and its modification time; `None` if it does not exist.
fn read(path: &Path) -> Result<Option<(Vec<u8>, SystemTime)>, WorktreesError> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    match std::fs::File::open(path) {
        Ok(file) => {
            let written = file.metadata().and_then(|found| found.modified());
            let written = written.map_err(at("read", path))?;
            file.take(MOST).read_to_end(&mut bytes).map_err(at("read", path))?;
            Ok(Some((bytes, written)))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(at("read", path)(error)),
    }
}
