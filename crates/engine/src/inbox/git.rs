//! The few things that are asked of git when work is sent out and handed in.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::engine::{Engine, EngineError};
use crate::git::{Git, QuietGit, Registered};
use crate::process::Said;

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
        Git::around(&engine.place.root).ok().flatten()?;
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
        let git = QuietGit::writing(self.engine.environment).within(limit);
        Self::told(git.ask(&self.path, words, b""))
    }

    /// Sends something to a remote, in the way that the person set up.
    fn send(&self, words: &[&str]) -> Result<(bool, String), EngineError> {
        let git = QuietGit::sending(self.engine.environment).within(REMOTE);
        Self::told(git.ask(&self.path, words, b""))
    }

    fn told(said: io::Result<Said>) -> Result<(bool, String), EngineError> {
        let said = said.map_err(|error| unasked(&error))?;
        let out = String::from_utf8_lossy(&said.out).trim_end().to_owned();
        let text = if said.exit == Some(0) { out } else { said.complaint };
        Ok((said.exit == Some(0), text))
    }

    fn said(&self, folder: &Path, words: &[&str], input: &[u8]) -> Result<Said, EngineError> {
        let git = QuietGit::writing(self.engine.environment).within(LOCAL);
        git.ask(folder, words, input).map_err(|error| unasked(&error))
    }

    /// Returns the names that git says in a folder, each with a zero byte after it.
    fn names(&self, folder: &Path, words: &[&str]) -> Result<Vec<Vec<u8>>, EngineError> {
        let said = self.said(folder, words, b"")?;
        if said.exit != Some(0) {
            return Err(failed(words, &said.complaint));
        }
        let names = said.out.split(|&byte| byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(<[u8]>::to_vec).collect())
    }

    /// Returns the worktrees of the repository.
    pub(super) fn worktrees(&self) -> Result<Vec<Registered>, EngineError> {
        let mut said = self.said(&self.path, &Registered::LIST, b"")?;
        if said.exit == Some(Registered::USAGE) {
            // An older git ends a line by a newline, whatever a folder is called.
            said = self.said(&self.path, &Registered::LIST[..3], b"")?;
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
        let said = self.said(&self.path, &words, b"")?;
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
        // Whatever the settings say of files that are not tracked.
        let mut words = vec!["status", "--porcelain", "--untracked-files=normal", "--"];
        words.extend(work.iter().map(String::as_str));
        Ok(!self.must(&words)?.is_empty())
    }

    /// Commits everything.
    pub(super) fn commit(&self, message: &str) -> Result<(), EngineError> {
        self.stage()?;
        self.must(&["commit", "--quiet", "-m", message]).map(drop)
    }

    /// Stages everything. `git add` would look into submodules by their own settings, and take in
    /// repositories that only lie here.
    fn stage(&self) -> Result<(), EngineError> {
        let (top, work) = (self.top()?, self.work()?);
        let of_work = |words: &[&'static str]| {
            let words = words.iter().copied().chain(work.iter().map(String::as_str));
            self.names(&self.path, &words.collect::<Vec<_>>())
        };
        let (mut gone, mut there) = (Vec::new(), Vec::new());
        let mut changed = of_work(&["diff-files", "-z", "--name-status", "--"])?.into_iter();
        while let (Some(how), Some(name)) = (changed.next(), changed.next()) {
            if how == b"D" { gone.push(name) } else { there.push(name) }
        }
        let loose = ["ls-files", "-z", "--others", "--exclude-standard", "--full-name", "--"];
        there.extend(of_work(&loose)?.into_iter().filter(|name| !name.ends_with(b"/")));
        // What is gone comes first: a folder may stand where a file was.
        for (names, how) in [(gone, "--force-remove"), (there, "--add")] {
            let words = ["update-index", "-z", "--remove", "--replace", how, "--stdin"];
            let said = self.said(&top, &words, &names.join(&0))?;
            if said.exit != Some(0) {
                return Err(failed(&words, &said.complaint));
            }
        }
        Ok(())
    }

    /// Brings what is checked out to `branch` where others find it: the remote, or without one the
    /// repository itself. Returns where that is. A branch that has other work is never moved off it.
    pub(super) fn push(&self, branch: &str) -> Result<String, EngineError> {
        let remotes = self.must(&["remote"])?;
        let mut names = remotes.lines();
        let remote = names.clone().find(|name| *name == "origin").or(names.next()).unwrap_or(".");
        if remote == "." {
            return self.keep(branch).map(|()| "this repository".to_owned());
        }
        let target = format!("HEAD:refs/heads/{branch}");
        let words = ["push", "--quiet", remote, &target];
        // Once more, because networks are what they are.
        for last in [false, true] {
            match self.send(&words)? {
                (true, _) => break,
                (false, why) if last => return Err(failed(&words, &why)),
                (false, _) => {}
            }
        }
        Ok(remote.to_owned())
    }

    /// Moves a branch of this repository on to what is checked out.
    fn keep(&self, branch: &str) -> Result<(), EngineError> {
        let name = format!("refs/heads/{branch}");
        let (is_there, old) = self.ask(&["rev-parse", "--quiet", "--verify", &name], LOCAL)?;
        let head = self.must(&["rev-parse", "--verify", "HEAD^{commit}"])?;
        if is_there && old == head {
            return Ok(());
        }
        let all = self.worktrees()?;
        let holder = all.iter().find(|one| one.branch.as_deref() == Some(branch));
        let is_past =
            is_there && !self.ask(&["merge-base", "--is-ancestor", &old, &head], LOCAL)?.0;
        let why = match holder {
            Some(holder) => format!("it is checked out in {}", holder.folder.display()),
            None if is_past => format!("`{branch}` has other work"),
            None => {
                let old = if is_there { old.as_str() } else { "" };
                return self.must(&["update-ref", &name, &head, old]).map(drop);
            }
        };
        Err(failed(&["push"], &why))
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

fn unasked(error: &io::Error) -> EngineError {
    EngineError::Refused {
        what: format!("git cannot be asked: {error}"),
        help: "see whether `git status` works here".to_owned(),
    }
}

fn failed(words: &[&str], why: &str) -> EngineError {
    let said = why.lines().next().unwrap_or_default();
    EngineError::Refused {
        what: format!("`git {}` failed: {said}", words.first().unwrap_or(&"")),
        help: "nothing was given up: mend it and try again".to_owned(),
    }
}
