//! What a run begins with: the person's files as they are, committed or not.
//!
//! The commit is made through an index of our own. The person's index, branch, stash and files are
//! read and stay as they are.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sprag_store::Lasting;

use super::error::{YardError, at};
use super::git::Git;
use super::stage::stage;
use super::{Commit, Yard};

/// The index of our own.
const INDEX: &str = "index";
/// More than any index has.
const MOST: u64 = 4 << 30;

impl Yard {
    /// Returns the commit that a new run begins with.
    pub(super) fn base(&self, git: &Git) -> Result<Commit, YardError> {
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

    /// Returns the subject of the commit of a person's files that were not committed.
    fn as_they_were(&self) -> String {
        format!("Files as they were when {} began", self.run)
    }

    /// Returns the command by which a person takes over the work of the run. Files that they have
    /// not committed stand in the branch, too, and git refuses to merge over them; so then only
    /// what was done since is applied.
    pub fn take_over(&self) -> String {
        let branch = self.branch();
        match self.first() {
            Ok(Some(base)) => format!("git diff --binary {base} {branch} | git apply"),
            Ok(None) | Err(_) => format!("git merge {branch}"),
        }
    }

    /// Returns the short name of the commit of files that were not committed, where there is one.
    fn first(&self) -> Result<Option<String>, YardError> {
        let (git, own) = (&self.git, format!("refs/heads/{}", self.branch()));
        let verify = ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"];
        let has_head = git.ask(&self.top, &verify).holds()?;
        let log = git.ask(&self.top, &["log", "--first-parent", "--format=%h %s", &own]);
        let log = if has_head { log.and("--not").and("HEAD") } else { log };
        let said = log.must()?;
        let said = String::from_utf8_lossy(&said);
        let last = said.lines().last().and_then(|line| line.split_once(' '));
        let is_base = |(_, subject): &(&str, &str)| *subject == self.as_they_were();
        Ok(last.filter(is_base).map(|(name, _)| name.to_owned()))
    }

    /// Copies the person's index, so that git need not read every file again.
    fn private_index(&self) -> Result<PathBuf, YardError> {
        let name = self.run.as_str();
        let found = sprag_engine::git::Git::around(&self.top)?.map(|git| git.index());
        let theirs = found.as_deref().map_or(Ok(None), read)?;
        let room = self.room(&format!("{name}.base"))?;
        let turn = room.turn(Duration::from_secs(5))?;
        let path = self.in_room(&format!("{name}.base"), INDEX);
        super::registry::forget(&[path.clone(), path.with_extension("lock")])?;
        if let Some((bytes, written)) = theirs {
            turn.write(INDEX, &bytes, 0o600, Lasting::Cached)?;
            // git trusts what it knows of a file only if that is older than the index.
            let copy = std::fs::File::options().write(true).open(&path);
            let dated = copy.and_then(|file| file.set_modified(written));
            dated.map_err(at("write", &path))?;
        }
        Ok(path)
    }
}

/// Reads an index and when it was written; nothing where there is none yet.
fn read(path: &Path) -> Result<Option<(Vec<u8>, SystemTime)>, YardError> {
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
