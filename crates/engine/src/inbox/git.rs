//! The git commands that dispatching and handing in work need.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sprag_world::git::{Git, QuietGit, Registered};
use sprag_world::process::ToolOutput;

use crate::engine::{Engine, EngineError};

/// The time limit of a local git command.
pub(super) const LOCAL: Duration = Duration::from_mins(1);
/// The time limit of a push.
const REMOTE: Duration = Duration::from_mins(5);

/// A working folder of git.
pub(super) struct Folder<'e> {
    engine: &'e Engine<'e>,
    path: PathBuf,
}

impl<'e> Folder<'e> {
    /// Returns the project's folder, if it is in a git repository.
    pub(super) fn of(engine: &'e Engine<'e>) -> Option<Self> {
        Git::around(&engine.place.root).ok().flatten()?;
        Some(Self { engine, path: engine.place.root.clone() })
    }

    /// Switches to another folder of the same repository.
    pub(super) fn at(self, path: PathBuf) -> Self {
        Self { path, ..self }
    }

    /// Runs git. Returns whether it succeeded, and its output.
    pub(super) fn ask(
        &self,
        words: &[&str],
        limit: Duration,
    ) -> Result<(bool, String), EngineError> {
        let git = QuietGit::writing(self.engine.environment).within(limit);
        Self::told(git.ask(&self.path, words, b""))
    }

    /// Runs git with the person's own settings for remotes.
    fn send(&self, words: &[&str]) -> Result<(bool, String), EngineError> {
        let git = QuietGit::sending(self.engine.environment).within(REMOTE);
        Self::told(git.ask(&self.path, words, b""))
    }

    fn told(said: io::Result<ToolOutput>) -> Result<(bool, String), EngineError> {
        let said = said.map_err(|error| unasked(&error))?;
        let out = String::from_utf8_lossy(&said.out).trim_end().to_owned();
        let text = if said.exit == Some(0) { out } else { said.complaint };
        Ok((said.exit == Some(0), text))
    }

    fn said(&self, folder: &Path, words: &[&str], input: &[u8]) -> Result<ToolOutput, EngineError> {
        let git = QuietGit::writing(self.engine.environment).within(LOCAL);
        git.ask(folder, words, input).map_err(|error| unasked(&error))
    }

    /// Parses the NUL-terminated names that git prints in a folder.
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
            // An older git ends each line with a newline, even if a folder's name contains one.
            said = self.said(&self.path, &Registered::LIST[..3], b"")?;
            said.out.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = 0);
        }
        match said.exit {
            Some(0) => Ok(Registered::read(&said.out)),
            Some(_) | None => Err(failed(&Registered::LIST, &said.complaint)),
        }
    }

    pub(super) fn top(&self) -> Result<PathBuf, EngineError> {
        let words = ["rev-parse", "--show-toplevel"];
        let said = self.said(&self.path, &words, b"")?;
        let path = said.out.strip_suffix(b"\n").filter(|_| said.exit == Some(0));
        let path = path.ok_or_else(|| failed(&words, &said.complaint))?;
        Ok(PathBuf::from(OsStr::from_bytes(path)))
    }

    /// Runs git and fails if git fails.
    pub(super) fn must(&self, words: &[&str]) -> Result<String, EngineError> {
        match self.ask(words, LOCAL)? {
            (true, out) => Ok(out),
            (false, why) => Err(failed(words, &why)),
        }
    }

    /// Returns the branch that is checked out, if any.
    pub(super) fn branch(&self) -> Result<Option<String>, EngineError> {
        let (is_one, name) = self.ask(&["symbolic-ref", "--quiet", "--short", "HEAD"], LOCAL)?;
        Ok(Some(name).filter(|_| is_one))
    }

    /// Returns whether there are uncommitted changes outside of the inbox and our state.
    pub(super) fn is_dirty(&self) -> Result<bool, EngineError> {
        let work = self.work()?;
        // Overrides the setting for untracked files.
        let mut words = vec!["status", "--porcelain", "--untracked-files=normal", "--"];
        words.extend(work.iter().map(String::as_str));
        Ok(!self.must(&words)?.is_empty())
    }

    pub(super) fn commit(&self, message: &str) -> Result<(), EngineError> {
        self.stage()?;
        self.must(&["commit", "--quiet", "-m", message]).map(drop)
    }

    /// Stages everything. Not with `git add`, which follows the settings of submodules and would
    /// add nested repositories.
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
        // Removals come first: a folder may have replaced a file.
        for (names, how) in [(gone, "--force-remove"), (there, "--add")] {
            let words = ["update-index", "-z", "--remove", "--replace", how, "--stdin"];
            let said = self.said(&top, &words, &names.join(&0))?;
            if said.exit != Some(0) {
                return Err(failed(&words, &said.complaint));
            }
        }
        Ok(())
    }

    /// Pushes the checkout to `branch` at the remote, or creates the branch locally if there is no
    /// remote. Returns the target. A branch with other work is never overwritten.
    pub(super) fn push(&self, branch: &str) -> Result<String, EngineError> {
        let remotes = self.must(&["remote"])?;
        let mut names = remotes.lines();
        let remote = names.clone().find(|name| *name == "origin").or(names.next()).unwrap_or(".");
        if remote == "." {
            return self.keep(branch).map(|()| "this repository".to_owned());
        }
        let target = format!("HEAD:refs/heads/{branch}");
        let words = ["push", "--quiet", remote, &target];
        // Retries once, because networks fail.
        for last in [false, true] {
            match self.send(&words)? {
                (true, _) => break,
                (false, why) if last => return Err(failed(&words, &why)),
                (false, _) => {}
            }
        }
        Ok(remote.to_owned())
    }

    /// Fast-forwards a local branch to the checkout.
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

    /// Creates a worktree for `branch`, or reuses an existing one.
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

    /// Returns whether there is a commit to branch from.
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
