//! The few things that are asked of git when work is sent out and handed in.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::engine::{Engine, EngineError};
use crate::git::Registered;
use crate::process::{Said, Tool};

/// How long git may take for what stays on this machine.
pub(super) const LOCAL: Duration = Duration::from_mins(1);
/// How long a push may take.
const REMOTE: Duration = Duration::from_mins(5);

/// A working folder of git.
pub(super) struct Folder<'e> {
    engine: &'e Engine<'e>,
    path: PathBuf,
}

impl<'e> Folder<'e> {
    /// Returns the working folder of the project at hand, where it is one of git's.
    pub(super) fn of(engine: &'e Engine<'e>) -> Option<Self> {
        crate::git::Git::around(&engine.place.root).ok().flatten()?;
        Some(Self { engine, path: engine.place.root.clone() })
    }

    /// Returns the folder at `path` instead, of the same repository.
    pub(super) fn at(self, path: PathBuf) -> Self {
        Self { path, ..self }
    }

    /// Asks git; returns whether it worked, and what it said.
    pub(super) fn ask(
        &self,
        words: &[&str],
        limit: Duration,
    ) -> Result<(bool, String), EngineError> {
        let said = self.said(words, limit)?;
        let out = String::from_utf8_lossy(&said.out).trim_end().to_owned();
        let text = if said.exit == Some(0) { out } else { said.complaint };
        Ok((said.exit == Some(0), text))
    }

    fn said(&self, words: &[&str], limit: Duration) -> Result<Said, EngineError> {
        let words: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
        let tool = Tool {
            program: "git",
            words: &words,
            folder: &self.path,
            environment: self.engine.environment,
            input: b"",
            limit,
        };
        tool.ask().map_err(|error| EngineError::Refused {
            what: format!("git cannot be asked: {error}"),
            help: "see whether `git status` works here".to_owned(),
        })
    }

    /// Returns the worktrees of the repository.
    pub(super) fn worktrees(&self) -> Result<Vec<Registered>, EngineError> {
        let mut said = self.said(&Registered::LIST, LOCAL)?;
        if said.exit == Some(Registered::USAGE) {
            // An older git ends a line by a newline, whatever a folder is called.
            said = self.said(&Registered::LIST[..3], LOCAL)?;
            said.out.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = 0);
        }
        match said.exit {
            Some(0) => Ok(Registered::read(&said.out)),
            Some(_) | None => Err(failed(&Registered::LIST, &said.complaint)),
        }
    }

    /// Returns the top of this worktree.
    pub(super) fn top(&self) -> Result<PathBuf, EngineError> {
        let words = ["rev-parse", "--show-toplevel"];
        let said = self.said(&words, LOCAL)?;
        let path = said.out.strip_suffix(b"\n").filter(|_| said.exit == Some(0));
        let path = path.ok_or_else(|| failed(&words, &said.complaint))?;
        Ok(PathBuf::from(OsStr::from_bytes(path)))
    }

    /// Asks something that must work.
    pub(super) fn must(&self, words: &[&str]) -> Result<String, EngineError> {
        match self.ask(words, LOCAL)? {
            (true, out) => Ok(out),
            (false, why) => Err(failed(words, &why)),
        }
    }

    /// Returns the branch that is checked out; nothing where none is.
    pub(super) fn branch(&self) -> Result<Option<String>, EngineError> {
        let (is_one, name) = self.ask(&["symbolic-ref", "--quiet", "--short", "HEAD"], LOCAL)?;
        Ok(Some(name).filter(|_| is_one))
    }

    /// Returns whether something is not committed; the inbox and the state do not count.
    pub(super) fn is_dirty(&self) -> Result<bool, EngineError> {
        let work = self.work()?;
        let mut words = vec!["status", "--porcelain", "--"];
        words.extend(work.iter().map(String::as_str));
        Ok(!self.must(&words)?.is_empty())
    }

    /// Commits everything.
    pub(super) fn commit(&self, message: &str) -> Result<(), EngineError> {
        let work = self.work()?;
        let mut words = vec!["add", "-A", "--"];
        words.extend(work.iter().map(String::as_str));
        self.must(&words)?;
        self.must(&["commit", "--quiet", "-m", message]).map(drop)
    }

    /// Brings what is checked out to `branch` where others find it: the remote, or without one the
    /// repository itself. Returns where that is. A branch that has other work is never moved off it.
    pub(super) fn push(&self, branch: &str) -> Result<String, EngineError> {
        let remotes = self.must(&["remote"])?;
        let mut names = remotes.lines();
        let remote = names.clone().find(|name| *name == "origin").or(names.next()).unwrap_or(".");
        let target = format!("HEAD:refs/heads/{branch}");
        let words = ["push", "--quiet", remote, &target];
        // Once more, because networks are what they are.
        for last in [false, true] {
            match self.ask(&words, REMOTE)? {
                (true, _) => break,
                (false, why) if last => return Err(failed(&words, &why)),
                (false, _) => {}
            }
        }
        Ok(if remote == "." { "this repository" } else { remote }.to_owned())
    }

    /// Makes a worktree for `branch`, or finds the one that is there.
    pub(super) fn worktree(&self, folder: &Path, branch: &str) -> Result<(), EngineError> {
        let path = folder.to_string_lossy();
        if folder.join(".git").exists() {
            let there = Self { engine: self.engine, path: folder.to_path_buf() };
            return match there.branch()? {
                Some(name) if name == branch => Ok(()),
                other => Err(EngineError::Refused {
                    what: format!("{path} is there, and has `{}`", other.unwrap_or_default()),
                    help: "move it away, or check out the branch there".to_owned(),
                }),
            };
        }
        let name = format!("refs/heads/{branch}");
        let (is_there, _) = self.ask(&["rev-parse", "--quiet", "--verify", &name], LOCAL)?;
        if is_there {
            self.must(&["worktree", "add", "--quiet", &path, branch]).map(drop)
        } else {
            self.must(&["worktree", "add", "--quiet", "-b", branch, &path]).map(drop)
        }
    }

    /// Returns whether there is a commit to branch off from.
    pub(super) fn has_commit(&self) -> Result<bool, EngineError> {
        Ok(self.ask(&["rev-parse", "--quiet", "--verify", "HEAD"], LOCAL)?.0)
    }
}

fn failed(words: &[&str], why: &str) -> EngineError {
    let said = why.lines().next().unwrap_or_default();
    EngineError::Refused {
        what: format!("`git {}` failed: {said}", words.first().unwrap_or(&"")),
        help: "nothing was given up: mend it and try again".to_owned(),
    }
}
