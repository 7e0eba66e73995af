//! Starts git for all of sprag, such that none of the repository's own programs run.
//!
//! git is given the repository that we found by reading files and never searches for one. Filters,
//! hooks, monitors, signing, external diffs, text conversions, submodules and all remote access are
//! switched off under every name. A person's own settings apply when git writes or sends: without
//! their filters, the result would be wrong.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use super::Git;
use super::switches::{GitSettings, Persons, variables};
use crate::process::{StopHandle, Tool, ToolOutput};

/// Longer than any repository takes; a pipe named `.gitignore` would take forever.
const LIMIT: Duration = Duration::from_mins(1);

/// The variables that locate a person's git settings; all other git variables could mislead it.
const SETTINGS: [&str; 3] = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM"];
/// The variables that identify the person.
const WHO: [&str; 4] =
    ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"];
/// The variables that would lead git to other files, which are removed even for sending.
const ASTRAY: [&str; 12] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
    "GIT_ATTR_SOURCE",
    "GIT_EXTERNAL_DIFF",
];

/// The variables that git always gets: no editor, no hints.
const ALWAYS: [(&str, &str); 4] =
    [("LC_ALL", "C"), ("GIT_EDITOR", "true"), ("GIT_SEQUENCE_EDITOR", "true"), ("GIT_ADVICE", "0")];
/// Keeps git on this machine and from prompting a person: no protocol has this name.
const LOCAL: [(&str, &str); 3] =
    [("GIT_TERMINAL_PROMPT", "0"), ("GIT_NO_LAZY_FETCH", "1"), ("GIT_ALLOW_PROTOCOL", "none")];

/// Settings that prevent starting a program, touching shared state, or failing a commit.
const SAFE: [&str; 18] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.safecrlf=false",
    "core.alternateRefsCommand=true",
    "core.pager=cat",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
    "tag.forceSignAnnotated=false",
    "push.gpgSign=false",
    "push.recurseSubmodules=no",
    "log.showSignature=false",
    "merge.verifySignatures=false",
    "diff.submodule=short",
    "gc.auto=0",
    "maintenance.auto=false",
    "rerere.enabled=false",
    "submodule.recurse=false",
    "worktree.useRelativePaths=false",
];

/// Subcommands that neither read nor write the text of a file in the working tree, so that no
/// filter applies.
const PLAIN: [&str; 17] = [
    "branch",
    "cat-file",
    "check-ignore",
    "commit-tree",
    "config",
    "for-each-ref",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge-base",
    "push",
    "remote",
    "rev-list",
    "rev-parse",
    "symbolic-ref",
    "update-ref",
    "write-tree",
];

/// The exit code of a fatal git error.
const FATAL: i32 = 128;
/// The exit code of git for an unknown option or subcommand.
const USAGE: i32 = 129;

/// A way to start git.
#[derive(Clone, Debug)]
pub struct QuietGit {
    environment: Vec<(OsString, OsString)>,
    persons: Persons,
    limit: Duration,
    stop: Option<StopHandle>,
}

/// A call of git.
#[derive(Clone, Copy, Debug)]
pub struct GitQuestion<'a> {
    /// The folder to run in.
    pub folder: &'a Path,
    /// The arguments.
    pub words: &'a [&'a OsStr],
    /// The standard input.
    pub input: &'a [u8],
    /// How many bytes of the answer are read; a longer one has no exit code.
    pub most: u64,
    /// An index to use instead of the folder's own.
    pub index: Option<&'a Path>,
}

impl QuietGit {
    /// For questions about files and history.
    pub fn reading(environment: &[(OsString, OsString)]) -> Self {
        let kept = |name: &OsStr| !is_git(name) || is_among(&SETTINGS, name);
        Self::seeing(environment, kept, &LOCAL, Persons::Off)
    }

    /// For local questions about a remote, with all of a person's own settings, which may be in
    /// variables.
    pub fn of_remotes(environment: &[(OsString, OsString)]) -> Self {
        let kept =
            |name: &OsStr| !is_git(name) || name.as_encoded_bytes().starts_with(b"GIT_CONFIG");
        Self::seeing(environment, kept, &LOCAL, Persons::Off)
    }

    /// For writing files or commits: filters from the person's own settings run, and a file that
    /// needs a filter of the repository is refused.
    pub fn writing(environment: &[(OsString, OsString)]) -> Self {
        Self::seeing(environment, leads_not_astray, &LOCAL, Persons::Run)
    }

    /// For sending to a remote, with the person's own settings for that.
    pub fn sending(environment: &[(OsString, OsString)]) -> Self {
        Self::seeing(environment, |name| !is_among(&ASTRAY, name), &[], Persons::Run)
    }

    fn seeing(
        environment: &[(OsString, OsString)],
        keeps: fn(&OsStr) -> bool,
        more: &[(&str, &str)],
        persons: Persons,
    ) -> Self {
        let kept = environment.iter().filter(|(name, _)| keeps(name)).cloned();
        let ours = ALWAYS.iter().chain(more).map(|(name, value)| (name.into(), value.into()));
        let environment = kept.chain(ours).collect();
        Self { environment, persons, limit: LIMIT, stop: None }
    }

    /// Adds a variable.
    #[must_use]
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Returns whether a variable is set and not empty.
    pub fn sees(&self, name: &OsStr) -> bool {
        self.environment.iter().any(|(known, value)| known == name && !value.is_empty())
    }

    /// Sets the time limit.
    #[must_use]
    pub fn within(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    /// Makes git end at once when `stop` is requested.
    #[must_use]
    pub fn ended_by(self, stop: Option<StopHandle>) -> Self {
        Self { stop, ..self }
    }

    /// Runs git in a folder.
    pub fn ask(&self, folder: &Path, words: &[&str], input: &[u8]) -> io::Result<ToolOutput> {
        let words: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
        self.answer(&GitQuestion { folder, words: &words, input, most: u64::MAX, index: None })
    }

    /// Answers a question. A folder outside of a repository, or in another user's, is refused as by
    /// git itself: with an exit code and an error message.
    pub fn answer(&self, question: &GitQuestion<'_>) -> io::Result<ToolOutput> {
        let git = match Git::around(question.folder) {
            Ok(Some(git)) => git,
            Ok(None) => return Ok(refused("not a git repository".to_owned())),
            Err(error) => return Ok(refused(error.to_string())),
        };
        let command = question.words.iter().position(|word| !is_option(word));
        let command = command.unwrap_or(question.words.len());
        let is_plain = is_plain(&question.words[command..]);
        let stranger = git.stranger(rustix::process::geteuid().as_raw());
        let mut environment = self.environment.clone();
        if stranger.is_some() || !is_plain {
            let settings = match self.settings(&git, question.folder)? {
                Ok(settings) => settings,
                Err(said) => return Ok(said),
            };
            if let Some(why) = stranger.filter(|_| !settings.is_safe(git.top())) {
                return Ok(refused(why));
            }
            let switches = settings.switches(self.persons);
            environment.extend(variables(&environment, switches));
        }
        environment.extend(question.index.map(|index| ("GIT_INDEX_FILE".into(), index.into())));
        let (before, after) = question.words.split_at(command);
        let flags = after.first().map_or(&[][..], |word| flags(word));
        let flags: Vec<&OsStr> = flags.iter().map(OsStr::new).collect();
        let after = after.split_at(after.len().min(1));
        let words: Vec<&OsStr> = [before, after.0, &flags, after.1].concat();
        self.start(&git, &GitQuestion { words: &words, ..*question }, &environment)
    }

    /// Returns every setting that applies here, or git's error.
    fn settings(&self, git: &Git, folder: &Path) -> io::Result<Result<GitSettings, ToolOutput>> {
        let words = GitSettings::LIST.map(OsStr::new);
        let question =
            GitQuestion { folder, words: &words, input: &[], most: u64::MAX, index: None };
        let said = self.start(git, &question, &self.environment)?;
        Ok(match said.exit {
            Some(0) => Ok(GitSettings::read(&said.out)),
            Some(USAGE) => Err(refused("this git is too old: 2.26 is needed".to_owned())),
            Some(_) | None => Err(said),
        })
    }

    fn start(
        &self,
        git: &Git,
        question: &GitQuestion<'_>,
        environment: &[(OsString, OsString)],
    ) -> io::Result<ToolOutput> {
        let named = |name: &str, path: &Path| {
            let mut word = OsString::from(name);
            word.push(path);
            word
        };
        let place = [named("--git-dir=", &git.own), named("--work-tree=", &git.top)];
        let mut words: Vec<&OsStr> = place.iter().map(OsString::as_os_str).collect();
        words.push(OsStr::new("--no-pager"));
        if self.persons == Persons::Off {
            words.push(OsStr::new("--no-optional-locks"));
        }
        words.extend(SAFE.iter().flat_map(|setting| [OsStr::new("-c"), OsStr::new(setting)]));
        words.extend(question.words);
        let GitQuestion { folder, input, most, .. } = *question;
        let tool =
            Tool { program: "git", words: &words, folder, environment, input, limit: self.limit };
        tool.ask_at_most(most, self.stop.as_ref())
    }
}

impl Git {
    /// Describes the owner of the repository if that is not the user `me`. Root is exempt, because
    /// containers mount folders of other users.
    pub(super) fn stranger(&self, me: u32) -> Option<String> {
        if me == 0 {
            return None;
        }
        let owned = |path: &Path| Some((path.to_path_buf(), path.metadata().ok()?.uid()));
        let mut all = [self.top(), &self.own, self.common()].into_iter().filter_map(owned);
        let (path, uid) = all.find(|(_, uid)| *uid != me)?;
        let (path, top) = (path.display(), self.top.display());
        Some(format!(
            "`{path}` belongs to another user ({uid}); `git config --global --add safe.directory \
             {top}` says that you trust it"
        ))
    }
}

/// Returns the options that always follow a subcommand: no program of the repository shows a diff,
/// and git skips submodules, which have their own settings.
fn flags(word: &OsStr) -> &'static [&'static str] {
    match word.to_str() {
        Some("diff" | "log" | "show") => {
            &["--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"]
        }
        Some("status" | "diff-files" | "diff-index") => &["--ignore-submodules=dirty"],
        Some(_) | None => &[],
    }
}

fn is_plain(words: &[&OsStr]) -> bool {
    let word = |nth: usize| words.get(nth).and_then(|word| word.to_str());
    match word(0) {
        Some("worktree") => word(1) == Some("list"),
        // Text from standard input has no path, so that no filter is its own.
        Some("hash-object") => words[1..].iter().all(|word| *word == "--stdin"),
        Some(first) => PLAIN.contains(&first),
        None => true,
    }
}

/// Returns the variables except those of git that could mislead it.
pub fn without_git(
    environment: &[(OsString, OsString)],
) -> impl Iterator<Item = (OsString, OsString)> + '_ {
    environment.iter().filter(|(name, _)| leads_not_astray(name)).cloned()
}

fn leads_not_astray(name: &OsStr) -> bool {
    !is_git(name) || is_among(&SETTINGS, name) || is_among(&WHO, name)
}

fn is_option(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

fn is_git(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b"GIT_")
}

fn is_among(names: &[&str], name: &OsStr) -> bool {
    names.iter().any(|one| name == *one)
}

fn refused(complaint: String) -> ToolOutput {
    ToolOutput { exit: Some(FATAL), out: Vec::new(), complaint }
}

/// Returns git's output in a folder; `None` if git fails.
pub fn local_git(
    folder: &Path,
    environment: &[(OsString, OsString)],
    words: &[&str],
) -> io::Result<Option<String>> {
    let said = QuietGit::of_remotes(environment).ask(folder, words, &[])?;
    Ok((said.exit == Some(0)).then(|| String::from_utf8_lossy(&said.out).trim().to_owned()))
}
