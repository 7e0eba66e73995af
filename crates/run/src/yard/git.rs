//! git, as a yard asks it: without a shell, a prompt, an editor, a host hook of the repository or a
//! network, and with none of the caller's variables that could lead it to another repository.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::time::Duration;

use sprag_core::EffectId;
use sprag_engine::process::{EFFECT, Said, Stop, Tool};

use super::error::YardError;

/// Longer than a checkout of any repository takes.
const LIMIT: Duration = Duration::from_mins(10);

/// Variables of git that say where a person's settings are, and who the person is.
const KEPT: [&str; 7] = [
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
];

/// What nothing may be asked of, and nobody may be told to wait for.
const OURS: [(&str, &str); 5] = [
    ("LC_ALL", "C"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_EDITOR", "true"),
    ("GIT_ADVICE", "0"),
];

/// Settings that would start a program, touch what is shared, or make a commit fail. Another git may
/// hold the lock of the references for a moment, for example one that outlived its killed driver.
const SAFE: [&str; 12] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.safecrlf=false",
    "core.filesRefLockTimeout=10000",
    "core.packedRefsTimeout=10000",
    "commit.gpgSign=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "merge.verifySignatures=false",
    "rerere.enabled=false",
    "submodule.recurse=false",
    "worktree.useRelativePaths=false",
];

/// Who commits where the person has told git nothing.
const FALLBACK: (&str, &str) = ("sprag", "sprag@localhost");

/// git, as it is started here.
#[derive(Clone, Debug)]
pub(super) struct Git {
    environment: Vec<(OsString, OsString)>,
    /// What ends it at once.
    stop: Option<Stop>,
}

/// How often git is asked again that met a worktree which another git was just making.
const RACES: u32 = 200;

/// Returns whether git gave up, before it did anything, because of a worktree whose files another
/// git had made and not yet written.
fn is_half_made(said: &Said) -> bool {
    let complains = |what: &str| said.complaint.contains(what);
    said.exit == Some(128) && complains("failed to read") && complains("/worktrees/")
}

/// Something that is asked of git.
#[derive(Debug)]
pub(super) struct Ask<'g> {
    git: &'g Git,
    folder: &'g Path,
    words: Vec<OsString>,
    input: Vec<u8>,
    /// How much of the answer is read.
    most: u64,
    index: Option<&'g Path>,
}

/// Returns the variables without those of git that could lead it astray.
pub(super) fn without_git(
    environment: &[(OsString, OsString)],
) -> impl Iterator<Item = (OsString, OsString)> + '_ {
    let is_kept = |name: &OsStr| {
        let is_git = name.as_encoded_bytes().starts_with(b"GIT_");
        !is_git || KEPT.iter().any(|kept| name == *kept)
    };
    environment.iter().filter(move |(name, _)| is_kept(name)).cloned()
}

impl Git {
    /// Returns git in this environment.
    pub(super) fn new(environment: &[(OsString, OsString)]) -> Self {
        let ours = OURS.map(|(name, value)| (name.into(), value.into()));
        Self { environment: without_git(environment).chain(ours).collect(), stop: None }
    }

    /// Says who commits: the person, or us where git does not know the person.
    pub(super) fn identified(mut self, folder: &Path) -> Result<Self, YardError> {
        let words = ["config", "-z", "--get-regexp", "^user\\.(name|email)$"];
        let said = self.ask(folder, &words).said()?;
        let said = String::from_utf8_lossy(&said.out).into_owned();
        for (key, setting, fallback) in
            [("NAME", "user.name\n", FALLBACK.0), ("EMAIL", "user.email\n", FALLBACK.1)]
        {
            // The last one counts.
            let named = said.split('\0').rev().find_map(|entry| entry.strip_prefix(setting));
            let value = named.filter(|value| !value.trim().is_empty()).unwrap_or(fallback);
            for who in ["GIT_AUTHOR_", "GIT_COMMITTER_"] {
                let name = OsString::from(format!("{who}{key}"));
                let is_own =
                    |(known, value): &(OsString, OsString)| *known == name && !value.is_empty();
                if !self.environment.iter().any(is_own) {
                    self.environment.push((name, value.into()));
                }
            }
        }
        Ok(self)
    }

    /// Marks everything that is started from now on, so that it can be found again.
    pub(super) fn marked(&self, effect: &EffectId) -> Self {
        let mut environment = self.environment.clone();
        environment.push((EFFECT.into(), effect.as_str().into()));
        Self { environment, stop: self.stop.clone() }
    }

    /// Returns the same git such that it ends at once when `stop` is asked.
    pub(super) fn ended_by(&self, stop: &Stop) -> Self {
        Self { stop: Some(stop.clone()), ..self.clone() }
    }

    /// Returns the same git such that nobody ends it: what brings files in order is short.
    pub(super) fn to_the_end(&self) -> Self {
        Self { stop: None, ..self.clone() }
    }

    /// Asks something in a folder.
    pub(super) fn ask<'g>(&'g self, folder: &'g Path, words: &[&str]) -> Ask<'g> {
        let words = words.iter().map(OsString::from).collect();
        Ask { git: self, folder, words, input: Vec::new(), most: u64::MAX, index: None }
    }
}

impl<'g> Ask<'g> {
    /// Adds a word.
    pub(super) fn and(mut self, word: impl AsRef<OsStr>) -> Self {
        self.words.push(word.as_ref().to_owned());
        self
    }

    /// Gives it something to read.
    pub(super) fn fed(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.input = input.into();
        self
    }

    /// Reads no more than so many bytes: a longer answer has no exit code.
    pub(super) const fn at_most(mut self, bytes: u64) -> Self {
        self.most = bytes;
        self
    }

    /// Lets it use another index than the folder's own.
    pub(super) const fn with_index(mut self, index: &'g Path) -> Self {
        self.index = Some(index);
        self
    }

    /// Returns the answer, whatever it is.
    pub(super) fn said(&self) -> Result<Said, YardError> {
        let safe = SAFE.iter().flat_map(|setting| [OsStr::new("-c"), OsStr::new(setting)]);
        let words: Vec<&OsStr> = safe.chain(self.words.iter().map(OsString::as_os_str)).collect();
        let mut environment = self.git.environment.clone();
        environment.extend(self.index.map(|index| ("GIT_INDEX_FILE".into(), index.into())));
        let (folder, environment, input) = (self.folder, &environment[..], &self.input[..]);
        let tool = Tool { program: "git", words: &words, folder, environment, input, limit: LIMIT };
        let ask = || {
            tool.ask_at_most(self.most, self.git.stop.as_ref()).map_err(|error| {
                let is_missing = error.kind() == io::ErrorKind::NotFound && folder.is_dir();
                if error.kind() == io::ErrorKind::Interrupted {
                    YardError::Interrupted
                } else if is_missing {
                    YardError::NoProgram
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

    /// Returns what it says; it must succeed.
    pub(super) fn must(&self) -> Result<Vec<u8>, YardError> {
        let said = self.said()?;
        if said.exit == Some(0) { Ok(said.out) } else { Err(self.failed(&said.complaint)) }
    }

    /// Returns the one line that it says.
    pub(super) fn line(&self) -> Result<String, YardError> {
        Ok(String::from_utf8_lossy(&self.must()?).trim_end().to_owned())
    }

    /// Returns the names that it says, each with a zero byte after it.
    pub(super) fn names(&self) -> Result<Vec<Vec<u8>>, YardError> {
        let out = self.must()?;
        let names = out.split(|&byte| byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(<[u8]>::to_vec).collect())
    }

    /// Returns whether it says yes (0) or no (1).
    pub(super) fn holds(&self) -> Result<bool, YardError> {
        let said = self.said()?;
        match said.exit {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            Some(_) | None => Err(self.failed(&said.complaint)),
        }
    }

    /// Returns the error that it becomes when git says no.
    pub(super) fn failed(&self, why: &str) -> YardError {
        let plain = |word: &&OsString| !word.as_encoded_bytes().starts_with(b"-");
        let words = self.words.iter().filter(plain).take(2);
        let what = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let why = if why.is_empty() { "it does not say why" } else { why };
        YardError::Git { what, why: why.to_owned() }
    }
}
