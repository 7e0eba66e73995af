//! Runs git for the worktrees of a run: without output, and under the user's identity, so that
//! commits are theirs.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::time::Duration;

use sprag_core::EffectId;
use sprag_world::git::{GitQuestion, QuietGit};
use sprag_world::process::{EFFECT, StopHandle, ToolOutput};

use super::error::WorktreesError;

/// Longer than a checkout of any repository takes.
const LIMIT: Duration = Duration::from_mins(10);

/// The committer if the user has not configured one in git.
const FALLBACK: (&str, &str) = ("sprag", "sprag@localhost");

/// git with the environment of these worktrees.
#[derive(Clone, Debug)]
pub(super) struct Git(QuietGit);

/// How many times a command is retried that met a worktree another git was just creating.
const RACES: u32 = 200;

/// Returns whether git failed, before doing anything, because another git had created a worktree
/// but not yet written its files.
fn is_half_made(said: &ToolOutput) -> bool {
    let complains = |what: &str| said.complaint.contains(what);
    said.exit == Some(128) && complains("failed to read") && complains("/worktrees/")
}

/// A git command to run.
#[derive(Debug)]
pub(super) struct Ask<'g> {
    git: &'g Git,
    folder: &'g Path,
    words: Vec<OsString>,
    input: Vec<u8>,
    /// The most bytes of output to read.
    most: u64,
    index: Option<&'g Path>,
}

impl Git {
    pub(super) fn new(environment: &[(OsString, OsString)]) -> Self {
        Self(QuietGit::writing(environment).within(LIMIT))
    }

    /// Sets the author and committer: the user's, or the fallback if git has none configured.
    pub(super) fn identified(mut self, folder: &Path) -> Result<Self, WorktreesError> {
        let words = ["config", "-z", "--get-regexp", "^user\\.(name|email)$"];
        let said = self.ask(folder, &words).said()?;
        let said = String::from_utf8_lossy(&said.out).into_owned();
        for (key, setting, fallback) in
            [("NAME", "user.name\n", FALLBACK.0), ("EMAIL", "user.email\n", FALLBACK.1)]
        {
            // The last entry wins.
            let named = said.split('\0').rev().find_map(|entry| entry.strip_prefix(setting));
            let value = named.filter(|value| !value.trim().is_empty()).unwrap_or(fallback);
            for who in ["GIT_AUTHOR_", "GIT_COMMITTER_"] {
                let name = OsString::from(format!("{who}{key}"));
                if !self.0.sees(&name) {
                    self.0 = self.0.with(name, value);
                }
            }
        }
        Ok(self)
    }

    /// Marks all later processes, so that they can be found again.
    pub(super) fn marked(&self, effect: &EffectId) -> Self {
        Self(self.0.clone().with(EFFECT, effect.as_str()))
    }

    /// Returns the same git, which ends at once when `stop` is asked.
    pub(super) fn ended_by(&self, stop: &StopHandle) -> Self {
        Self(self.0.clone().ended_by(Some(stop.clone())))
    }

    /// Returns the same git without a stop handle, for clean-ups, which are short.
    pub(super) fn to_the_end(&self) -> Self {
        Self(self.0.clone().ended_by(None))
    }

    /// Prepares a command in a folder.
    pub(super) fn ask<'g>(&'g self, folder: &'g Path, words: &[&str]) -> Ask<'g> {
        let words = words.iter().map(OsString::from).collect();
        Ask { git: self, folder, words, input: Vec::new(), most: u64::MAX, index: None }
    }
}

impl<'g> Ask<'g> {
    /// Adds an argument.
    pub(super) fn and(mut self, word: impl AsRef<OsStr>) -> Self {
        self.words.push(word.as_ref().to_owned());
        self
    }

    /// Sets the standard input.
    pub(super) fn fed(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.input = input.into();
        self
    }

    /// Limits the output to `bytes`; a longer output yields no exit code.
    pub(super) const fn at_most(mut self, bytes: u64) -> Self {
        self.most = bytes;
        self
    }

    /// Uses another index than the folder's own.
    pub(super) const fn with_index(mut self, index: &'g Path) -> Self {
        self.index = Some(index);
        self
    }

    /// Runs the command and returns the result, even if it failed.
    pub(super) fn said(&self) -> Result<ToolOutput, WorktreesError> {
        let words: Vec<&OsStr> = self.words.iter().map(OsString::as_os_str).collect();
        let (folder, input, most, index) = (self.folder, &self.input[..], self.most, self.index);
        let question = GitQuestion { folder, words: &words, input, most, index };
        let ask = || {
            self.git.0.answer(&question).map_err(|error| {
                let is_missing = error.kind() == io::ErrorKind::NotFound && folder.is_dir();
                if error.kind() == io::ErrorKind::Interrupted {
                    WorktreesError::Interrupted
                } else if is_missing {
                    WorktreesError::NoProgram
                } else {
                    self.failed(&error.to_string())
                }
            })
        };
        let mut said = ask()?;
        for _ in 0..RACES {
            if !is_half_made(&said) {
                break;
            }
            said = ask()?;
        }
        Ok(said)
    }

    /// Runs the command, which must succeed, and returns its output.
    pub(super) fn must(&self) -> Result<Vec<u8>, WorktreesError> {
        let said = self.said()?;
        if said.exit == Some(0) { Ok(said.out) } else { Err(self.failed(&said.complaint)) }
    }

    /// Returns the output without trailing white space; the command must succeed.
    pub(super) fn line(&self) -> Result<String, WorktreesError> {
        Ok(String::from_utf8_lossy(&self.must()?).trim_end().to_owned())
    }

    /// Returns the names in NUL-separated output; the command must succeed.
    pub(super) fn names(&self) -> Result<Vec<Vec<u8>>, WorktreesError> {
        let out = self.must()?;
        let names = out.split(|&byte| byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(<[u8]>::to_vec).collect())
    }

    /// Maps the exit code to a boolean: 0 is true, 1 is false, anything else is an error.
    pub(super) fn holds(&self) -> Result<bool, WorktreesError> {
        let said = self.said()?;
        match said.exit {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            Some(_) | None => Err(self.failed(&said.complaint)),
        }
    }

    /// Returns the error for a failed command.
    pub(super) fn failed(&self, why: &str) -> WorktreesError {
        let plain = |word: &&OsString| !word.as_encoded_bytes().starts_with(b"-");
        let words = self.words.iter().filter(plain).take(2);
        let what = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let why = if why.is_empty() { "it does not say why" } else { why };
        WorktreesError::Git { what, why: why.to_owned() }
    }
}
