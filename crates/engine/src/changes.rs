//! Which files changed since a run began, as git counts them.
//!
//! git is asked in a way that runs nothing of the repository's: no filter, no external difference,
//! no text conversion, no monitor. Where it cannot answer, nothing is said.

use std::ffi::OsString;
use std::path::Path;

use sprag_core::Time;
use sprag_core::reporting::{Change, Files};
use sprag_store::Place;

use crate::engine::Engine;
use crate::git::{Git, Registered};
use crate::root::{self, Start};
use crate::tree::GitFiles;

/// So many files are named; a report of more helps nobody.
const MOST: usize = 2_000;

/// What a run says of where its changes begin and end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Since<'a> {
    /// When it began.
    pub(crate) started: Time,
    /// The commit that was checked out then, where that was written down.
    pub(crate) commit: Option<&'a str>,
    /// The branch that has its work, where the files that are checked out do not.
    pub(crate) branch: Option<&'a str>,
}

impl Engine<'_> {
    /// Returns what changed since then; nothing where git cannot tell.
    pub(crate) fn changes(&self, since: Since<'_>) -> Option<Files> {
        Git::around(&self.place.root).ok().flatten()?;
        let git = Quiet::new(&self.place.root, self.environment)?;
        let exact = since.commit.filter(|commit| is_commit(commit)).map(str::to_owned);
        let commit = match &exact {
            Some(commit) => commit.clone(),
            None => git.last_before(since.started)?,
        };
        let branch = since.branch.filter(|name| is_branch(name)).map(str::to_owned);
        let mut words = vec!["diff", "--numstat", "-z", "--no-renames", "--no-ext-diff"];
        words.extend(["--no-textconv", "--end-of-options", &commit]);
        words.extend(branch.as_deref());
        let mut changed = counted(&git.ask(&words)?);
        if branch.is_none() {
            let new = git.ask(&["ls-files", "-z", "--others", "--exclude-standard"])?;
            changed.extend(names(&new).map(|path| Change { path, added: None, removed: None }));
        }
        changed.sort_by(|one, other| one.path.cmp(&other.path));
        changed.dedup_by(|one, other| one.path == other.path);
        changed.truncate(MOST);
        let since = commit.chars().take(SHORT).collect();
        Some(Files { since, exact: exact.is_some(), branch, changed })
    }

    /// Returns whether a branch is part of what is checked out: then its work is in these files.
    pub(crate) fn has_merged(&self, branch: &str) -> bool {
        let git = GitFiles::new(self.environment);
        let name = format!("refs/heads/{branch}");
        let said = git.ask(&self.place.root, &["merge-base", "--is-ancestor", &name, "HEAD"], &[]);
        said.is_ok_and(|said| said.exit == Some(0))
    }

    /// Returns the project in the working tree that has a branch checked out; nothing where none
    /// has, or git cannot tell.
    pub(crate) fn holder_of(&self, branch: &str) -> Option<Place> {
        let git = GitFiles::new(self.environment);
        let said = git.ask(&self.place.root, &Registered::LIST, &[]).ok()?;
        let mut all = Registered::read(&said.out).into_iter();
        let root = all.find(|one| one.branch.as_deref() == Some(branch))?.folder;
        let root = root.join(&self.place.below);
        let start = Start { folder: &root, home: None, named: Some(&root) };
        root::find(start).ok().flatten()
    }
}

/// git in one folder, with every filter of the repository switched off.
struct Quiet<'a> {
    git: GitFiles,
    folder: &'a Path,
}

impl<'a> Quiet<'a> {
    fn new(folder: &'a Path, environment: &[(OsString, OsString)]) -> Option<Self> {
        let mut git = GitFiles::new(environment);
        let words = ["config", "-z", "--name-only", "--get-regexp", r"^filter\..*"];
        let found = git.ask(folder, &words, &[]).ok()?;
        // 1 is "there are none".
        let keys = names(&found.out).filter(|_| found.exit == Some(0));
        let off = |key: String| match key.rsplit('.').next() {
            Some("clean" | "smudge" | "process") => Some((key, "")),
            Some("required") => Some((key, "false")),
            Some(_) | None => None,
        };
        git.set(&keys.filter_map(off).collect::<Vec<_>>());
        Some(Self { git, folder })
    }

    /// Asks about the work, without what is ours or a host's own.
    fn ask(&self, words: &[&str]) -> Option<Vec<u8>> {
        let words: Vec<&str> = words.iter().copied().chain(APART).collect();
        let said = self.git.ask(self.folder, &words, &[]).ok()?;
        (said.exit == Some(0)).then_some(said.out)
    }

    /// Returns the last commit before a moment.
    fn last_before(&self, moment: Time) -> Option<String> {
        let before = format!("--before={moment}");
        let said = self.git.ask(self.folder, &["rev-list", "-1", &before, "HEAD"], &[]).ok()?;
        let line = String::from_utf8(said.out).ok()?.trim().to_owned();
        is_commit(&line).then_some(line)
    }
}

/// How much of a commit's name people need.
const SHORT: usize = 12;

/// What is ours, or a host's own, is not part of the work.
const APART: [&str; 8] = [
    "--",
    ".",
    ":(exclude).sprag",
    ":(exclude).gsd/STATE.md",
    ":(exclude).chipset/state",
    ":(exclude).thoughts",
    ":(exclude).claude/settings.local.json",
    ":(exclude).opencode",
];

fn is_commit(text: &str) -> bool {
    (40..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns whether a name out of the journal can only mean a branch.
fn is_branch(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    !name.is_empty()
        && !name.starts_with(['-', '.', '/'])
        && !name.contains("..")
        && name.bytes().all(plain)
}

/// Reads `added TAB removed TAB path NUL`; a `-` is a file without lines.
fn counted(out: &[u8]) -> Vec<Change> {
    let change = |entry: String| {
        let mut parts = entry.splitn(3, '\t');
        let (added, removed) = (parts.next()?.parse().ok(), parts.next()?.parse().ok());
        Some(Change { added, removed, path: parts.next()?.to_owned() })
    };
    names(out).filter_map(change).collect()
}

fn names(out: &[u8]) -> impl Iterator<Item = String> {
    let names = out.split(|&byte| byte == 0).filter(|name| !name.is_empty());
    names.map(|name| String::from_utf8_lossy(name).into_owned())
}
