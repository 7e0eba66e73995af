//! Which files changed since a run began, as git counts them.
//!
//! git is asked in a way that runs nothing of the repository's: no filter, no external difference,
//! no text conversion, no monitor. Where it cannot answer, nothing is said.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Read as _;
use std::path::Path;

use sprag_core::reporting::{Change, Files, short};
use sprag_core::{Time, typed};

use crate::drive::is_commit;
use crate::engine::Engine;
use crate::git::Git;
use crate::tree::{self, GitFiles};

/// So many files are named; a report of more helps nobody.
const MOST: usize = 2_000;
/// A larger file is not read only to count its lines.
const LARGE: u64 = 8 << 20;

/// What a run says of where its changes begin and end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Since<'a> {
    /// When it began.
    pub(crate) started: Time,
    /// The commit that was checked out then, where that was written down.
    pub(crate) commit: Option<&'a str>,
    /// The commit that its work ends with, where that is not in the project's own files.
    pub(crate) until: Option<&'a str>,
}

impl Engine<'_> {
    /// Returns what changed since then; nothing where git cannot tell.
    pub(crate) fn changes(&self, since: Since<'_>) -> Option<Files> {
        let git = self.quiet()?;
        let exact = since.commit.filter(|commit| is_commit(commit)).map(str::to_owned);
        let before = exact.clone().or_else(|| git.last_before(since.started));
        // Before the first commit there was nothing.
        let (commit, named) = match before {
            Some(commit) => (commit.clone(), short(&commit)),
            None => git.nothing().map(|tree| (tree.clone(), tree))?,
        };
        let mut words = vec!["diff", "--numstat", "-z", "--relative", "--no-renames"];
        words.extend(["--no-ext-diff", "--no-textconv", "--end-of-options", &commit]);
        words.extend(since.until);
        let mut changed = counted(&git.ask(&words)?);
        if since.until.is_none() {
            let new = |path| Change { path, added: None, removed: None, untracked: true };
            changed.extend(git.loose()?.into_iter().map(new));
        }
        // What is ours, or a host's own, is not part of the work.
        let known = changed.iter().filter(|one| !one.untracked);
        let (scope, new_scope) = (self.scope(known), self.scope(changed.iter()));
        changed.retain(|one| apart_of(&one.path).is_none());
        changed.sort_by(|one, other| one.path.cmp(&other.path));
        changed.dedup_by(|one, other| one.path == other.path);
        changed.truncate(MOST);
        for new in changed.iter_mut().filter(|change| change.untracked) {
            new.added = lines(&self.place.root.join(&new.path));
            new.removed = new.added.map(|_| 0);
        }
        let (since, exact) = (named, exact.is_some());
        Some(Files { since, until: None, exact, changed, scope, new_scope })
    }

    /// Returns what git is told to speak of this project without what of these changes is no part of
    /// the work, in whichever folder it is asked; nothing where it does so anyway.
    fn scope<'c>(&self, changes: impl Iterator<Item = &'c Change>) -> String {
        let apart: BTreeSet<_> = changes.filter_map(|one| apart_of(&one.path)).collect();
        let below = &self.place.below;
        let from_top = |path: &Path| path.to_string_lossy().into_owned();
        if apart.is_empty() && below.as_os_str().is_empty() {
            return String::new();
        }
        let but = apart.iter().map(|one| format!(":/!{}", from_top(&below.join(one))));
        let all = std::iter::once(format!(":/{}", from_top(below))).chain(but);
        typed(&all.collect::<Vec<_>>())
    }

    /// Returns the files that are neither ours nor a host's own and in no commit, and those that are
    /// not as in the commit that is checked out; nothing where there is no git.
    pub(crate) fn uncommitted(&self) -> (Vec<String>, Vec<String>) {
        let Some(git) = self.quiet() else { return Default::default() };
        let mut words = vec!["diff", "--name-status", "-z", "--relative", "--no-renames"];
        words.extend(["--no-ext-diff", "--ignore-submodules", "HEAD"]);
        let told = git.ask(&words).unwrap_or_default();
        let told: Vec<String> = names(&told).collect();
        let (mut loose, mut edited) = (git.loose().unwrap_or_default(), Vec::new());
        for pair in told.chunks_exact(2) {
            // What is only staged is in no commit.
            let of = if pair[0] == "A" { &mut loose } else { &mut edited };
            of.push(pair[1].clone());
        }
        loose.retain(|path| apart_of(path).is_none());
        edited.retain(|path| apart_of(path).is_none());
        (loose, edited)
    }

    /// Returns which of these files are as in a commit, though no commit that came after it and is in
    /// a branch has them; nothing where git cannot tell.
    pub(crate) fn back_at(&self, commit: &str, paths: Vec<String>) -> Vec<String> {
        let Some(git) = self.quiet().filter(|_| is_commit(commit)) else { return Vec::new() };
        let mut words = vec!["diff", "--name-only", "-z", "--relative", "--no-renames"];
        words.extend(["--no-ext-diff", "--ignore-submodules", commit]);
        let Some(mut other) = git.ask_of(&words, &paths) else { return Vec::new() };
        other.extend(git.logged_since(Some(commit), &paths).unwrap_or_default());
        paths.into_iter().filter(|path| !other.contains(path)).collect()
    }

    fn quiet(&self) -> Option<Quiet<'_>> {
        Git::around(&self.place.root).ok().flatten()?;
        Quiet::new(&self.place.root, self.environment)
    }

    /// Returns what these merges of a run changed, the newest first, in a branch that has the work of
    /// others as well; nothing where there are none.
    pub(crate) fn brought_with(&self, started: Time, merges: &[String]) -> Option<Files> {
        let git = Quiet::new(&self.place.root, self.environment)?;
        let (last, first) = (merges.first()?, merges.last()?);
        let before = is_commit(first).then(|| format!("{first}^1"))?;
        let before = String::from_utf8(git.ask(&["rev-parse", "--verify", &before])?).ok()?;
        let until = is_commit(last).then_some(last.as_str());
        let files = self.changes(Since { started, commit: Some(before.trim()), until })?;
        Some(Files { until: until.map(short), ..files })
    }

    /// Returns the files that a merge changed in the branch that it was made in.
    pub(crate) fn merged_with(&self, merge: &str) -> Vec<String> {
        let git = Quiet::new(&self.place.root, self.environment).filter(|_| is_commit(merge));
        let before = format!("{merge}^1");
        let mut words = vec!["diff", "--name-only", "-z", "--relative", "--no-renames"];
        words.extend(["--no-ext-diff", "--end-of-options", &before, merge]);
        let changed = git.and_then(|git| git.ask(&words)).unwrap_or_default();
        names(&changed).collect()
    }

    /// Returns which of these files git knows, or came to know after a commit. What is stashed is in no
    /// branch, and nobody finds it there who does not know of it.
    pub(crate) fn known_since(&self, commit: Option<&str>, paths: &[String]) -> BTreeSet<String> {
        let Some(git) = self.quiet() else { return BTreeSet::new() };
        let cached = git.ask_of(&["ls-files", "-z", "--cached"], paths);
        [cached, git.logged_since(commit, paths)].into_iter().flatten().flatten().collect()
    }

    /// Returns whether the files of a commit are in the project as they were. What is planned and
    /// written down there about the work is no part of it, and neither are files of a person's own.
    pub(crate) fn has_files_of(&self, commit: &str) -> bool {
        let words = ["diff", "--name-only", "-z", "--relative", "--no-ext-diff", commit];
        let git = Quiet::new(&self.place.root, self.environment);
        let is_other = |path: String| path.starts_with(".gsd/") || apart_of(&path).is_some();
        let changed = git.and_then(|git| git.ask(&words));
        changed.is_some_and(|changed| names(&changed).all(is_other))
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

    fn ask(&self, words: &[&str]) -> Option<Vec<u8>> {
        let said = self.git.ask(self.folder, words, &[]).ok()?;
        (said.exit == Some(0)).then_some(said.out)
    }

    /// Returns the names that git answers with when it is asked of these files alone.
    fn ask_of(&self, words: &[&str], paths: &[String]) -> Option<BTreeSet<String>> {
        let words = std::iter::once("--literal-pathspecs").chain(words.iter().copied());
        let paths = paths.iter().map(String::as_str);
        let said = self.ask(&words.chain(["--"]).chain(paths).collect::<Vec<_>>())?;
        Some(names(&said).collect())
    }

    /// Returns which of these files were changed by what was committed after a commit.
    fn logged_since(&self, commit: Option<&str>, paths: &[String]) -> Option<BTreeSet<String>> {
        let not = commit.filter(|commit| is_commit(commit)).map(|commit| format!("^{commit}"));
        let mut log = vec!["log", "-z", "--format=", "--name-only", "--no-renames", "--relative"];
        log.extend(["--no-ext-diff", "--no-textconv", "--branches", "HEAD"]);
        log.extend(not.as_deref());
        self.ask_of(&log, paths)
    }

    /// Returns the files that git does not know.
    fn loose(&self) -> Option<Vec<String>> {
        let told = self.ask(&["ls-files", "-z", "--others", "--exclude-standard"])?;
        Some(names(&told).collect())
    }

    /// Returns what git calls a folder without files; it has no shorter name.
    fn nothing(&self) -> Option<String> {
        let tree = self.ask(&["hash-object", "-t", "tree", "--stdin"])?;
        String::from_utf8(tree).ok().map(|tree| tree.trim().to_owned())
    }

    /// Returns the last commit before a moment.
    fn last_before(&self, moment: Time) -> Option<String> {
        let before = format!("--before={moment}");
        let said = self.git.ask(self.folder, &["rev-list", "-1", &before, "HEAD"], &[]).ok()?;
        let line = String::from_utf8(said.out).ok()?.trim().to_owned();
        is_commit(&line).then_some(line)
    }
}

fn apart_of(path: &str) -> Option<&'static str> {
    tree::apart(path.as_bytes())
}

/// Reads `added TAB removed TAB path NUL`; a `-` is a file without lines.
fn counted(out: &[u8]) -> Vec<Change> {
    let change = |entry: String| {
        let mut parts = entry.splitn(3, '\t');
        let (added, removed) = (parts.next()?.parse().ok(), parts.next()?.parse().ok());
        Some(Change { added, removed, path: parts.next()?.to_owned(), untracked: false })
    };
    names(out).filter_map(change).collect()
}

/// Counts the lines of a file as git does; nothing where it is no text, or too large to be read for
/// this.
fn lines(path: &Path) -> Option<u64> {
    path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
    let mut bytes = Vec::new();
    sprag_store::peek(path).ok()?.take(LARGE + 1).read_to_end(&mut bytes).ok()?;
    let is_text = bytes.len() as u64 <= LARGE && !bytes.iter().take(8_000).any(|byte| *byte == 0);
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').count();
    is_text.then_some(lines as u64)
}

fn names(out: &[u8]) -> impl Iterator<Item = String> {
    let names = out.split(|&byte| byte == 0).filter(|name| !name.is_empty());
    names.map(|name| String::from_utf8_lossy(name).into_owned())
}
