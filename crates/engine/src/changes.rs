//! Lists the files that changed since a run began, by git's count. Without git there is no list.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;

use sprag_core::reporting::{ChangedFile, Files, short};
use sprag_core::{Time, typed};
use sprag_world::git::{is_commit, names};
use sprag_world::tree;

use crate::engine::Engine;
use crate::gsd;

/// The most files that are listed.
const MOST: usize = 2_000;
/// A larger file is not read just to count its lines.
const LARGE: u64 = 8 << 20;

/// The two ends of the comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Since<'a> {
    /// When the run began.
    pub(crate) started: Time,
    /// The commit that was checked out then, if it was recorded.
    pub(crate) commit: Option<&'a str>,
    /// The commit that the run's work ends with, if that is not the project's own checkout.
    pub(crate) until: Option<&'a str>,
}

impl Engine<'_> {
    /// Returns the changes, or `None` if git cannot list them.
    pub(crate) fn changes(&self, since: Since<'_>) -> Option<Files> {
        let git = self.git()?;
        let exact = since.commit.filter(|commit| is_commit(commit)).map(str::to_owned);
        let before = exact.clone().or_else(|| git.last_before(since.started));
        // Before the first commit, the empty tree stands for the beginning.
        let (commit, named) = match before {
            Some(commit) => (commit.clone(), short(&commit)),
            None => git.nothing().map(|tree| (tree.clone(), tree))?,
        };
        let mut words = vec!["diff", "--numstat", "-z", "--relative", "--no-renames"];
        words.extend(["--end-of-options", &commit]);
        words.extend(since.until);
        let mut changed = counted(&git.ask(&words)?);
        if since.until.is_none() {
            let new = |path| ChangedFile { path, added: None, removed: None, untracked: true };
            changed.extend(git.loose()?.into_iter().map(new));
        }
        // Our own files and those of the hosts are not part of the work.
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

    /// Returns the pathspec that limits git to this project and excludes the files that are not
    /// part of the work, from any folder. Empty if git needs no limit.
    fn scope<'c>(&self, changes: impl Iterator<Item = &'c ChangedFile>) -> String {
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

    /// Returns the changes that these merges of a run (newest first) brought into a branch which
    /// may also hold other work. `None` without merges.
    pub(crate) fn brought_with(&self, started: Time, merges: &[String]) -> Option<Files> {
        let git = self.git_at_hand();
        let (last, first) = (merges.first()?, merges.last()?);
        let before = is_commit(first).then(|| format!("{first}^1"))?;
        let before = String::from_utf8(git.ask(&["rev-parse", "--verify", &before])?).ok()?;
        let until = is_commit(last).then_some(last.as_str());
        let files = self.changes(Since { started, commit: Some(before.trim()), until })?;
        Some(Files { until: until.map(short), ..files })
    }

    /// Returns whether the project's files still equal those of a commit. Plans in `.gsd` and
    /// excluded files are not compared.
    pub(crate) fn has_files_of(&self, commit: &str) -> bool {
        let words = ["diff", "--name-only", "-z", "--relative", commit];
        let is_other = |path: String| path.starts_with(gsd::DOCUMENTS) || apart_of(&path).is_some();
        let changed = self.git_at_hand().ask(&words);
        changed.is_some_and(|changed| names(&changed).all(is_other))
    }
}

fn apart_of(path: &str) -> Option<&'static str> {
    tree::apart(path.as_bytes())
}

/// Parses `added TAB removed TAB path NUL`; `-` marks a file without lines.
fn counted(out: &[u8]) -> Vec<ChangedFile> {
    let change = |entry: String| {
        let mut parts = entry.splitn(3, '\t');
        let (added, removed) = (parts.next()?.parse().ok(), parts.next()?.parse().ok());
        Some(ChangedFile { added, removed, path: parts.next()?.to_owned(), untracked: false })
    };
    names(out).filter_map(change).collect()
}

/// Counts the lines of a file as git does. `None` if it is binary or larger than [`LARGE`].
fn lines(path: &Path) -> Option<u64> {
    path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
    let mut bytes = Vec::new();
    sprag_store::peek(path).ok()?.take(LARGE + 1).read_to_end(&mut bytes).ok()?;
    let is_text = bytes.len() as u64 <= LARGE && !bytes.iter().take(8_000).any(|byte| *byte == 0);
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').count();
    is_text.then_some(lines as u64)
}
