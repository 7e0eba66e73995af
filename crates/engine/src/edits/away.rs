//! Finds an agent's work that is not in the files: on a branch that the agent left, or in `git
//! stash`.
//!
//! Git's reflog of this checkout names every commit that was made here, so commits that others make
//! in other worktrees are not mistaken for the agent's.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sprag_core::reporting::short;
use sprag_core::{AddedLines, Hash, MissingText, OtherLocation};
use sprag_world::git::reflog::{CheckedOut, read_from, stashes};
use sprag_world::git::{Git, ProjectGit};

use super::persons::{PersonsEdits, is_text, text};
use crate::engine::Engine;

/// How many commits are searched for in other branches.
const MOST_COMMITS: usize = 50;
/// How many files of a branch or stash are compared.
const MOST_FILES: usize = 200;

/// The prefix of our own branches.
const OURS: &str = "sprag/";

/// The state of git at a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct GitMarks {
    /// The length of the reflog; `None` if an older version did not record it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) log: Option<u64>,
    /// The stash entries.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) stashes: Vec<String>,
}

impl GitMarks {
    /// Records git's state in a folder.
    pub(crate) fn of(folder: &Path) -> Self {
        let Ok(Some(git)) = Git::around(folder) else { return Self::default() };
        let log = git.own().join("logs/HEAD").metadata().map_or(0, |found| found.len());
        Self { log: Some(log), stashes: stashes(&git) }
    }
}

/// A place that holds work: its base commit and its last commit. The untracked files of a stash
/// have no base.
struct Elsewhere {
    place: OtherLocation,
    before: Option<String>,
    after: String,
}

/// Work on branches that were never checked out here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MadeApart {
    /// New commits at the tips of branches.
    pub(crate) commits: Vec<String>,
    /// Branches whose work is judged elsewhere, or is not the agent's.
    pub(crate) others: BTreeSet<String>,
}

impl Engine<'_> {
    /// Returns the files that lack an agent's work since then. `start` is the hash of all files at
    /// the beginning: if they are back at it, all work found elsewhere is missing.
    pub(crate) fn away(
        &self,
        git: &ProjectGit<'_>,
        edits: &PersonsEdits,
        start: Option<Hash>,
        apart: &MadeApart,
    ) -> Vec<MissingText> {
        let Ok(Some(repository)) = Git::around(&self.place.root) else { return Vec::new() };
        let Some(began) = edits.marks.log else { return Vec::new() };
        let log = read_from(&repository.own().join("logs/HEAD"), began).unwrap_or_default();
        let checked_out = CheckedOut::read(&log);
        let mut stashes = stashes(&repository);
        stashes.retain(|one| !edits.marks.stashes.contains(one));
        let is_left = checked_out.is_left && !checked_out.made.is_empty();
        if stashes.is_empty() && !is_left && apart.commits.is_empty() {
            return Vec::new();
        }
        let is_untouched = start.is_some() && self.tree().ok().map(|tree| tree.hash()) == start;
        let mut elsewhere = self.in_stashes(git, edits, &checked_out, &stashes);
        if is_left {
            elsewhere.extend(on_branches(git, &checked_out.made, is_untouched));
        }
        if !apart.commits.is_empty() {
            let is_other = |name: &String| apart.others.contains(name) || name.starts_with(OURS);
            let found = on_branches(git, &apart.commits, false);
            elsewhere.extend(found.into_iter().filter(|one| match &one.place {
                OtherLocation::Branch(name) => !is_other(name),
                OtherLocation::Index | OtherLocation::Stash | OtherLocation::Commit(_) => false,
            }));
        }
        let mut away: Vec<MissingText> = Vec::new();
        for one in &elsewhere {
            for path in self.missing_of(git, edits, one, is_untouched) {
                if !away.iter().any(|known| known.path == path) {
                    away.push(MissingText { path, place: Some(one.place.clone()) });
                }
            }
        }
        away.sort();
        away
    }

    /// Returns the work in new stash entries. Worktrees share the stash: an entry based on a commit
    /// that was never checked out here is not ours.
    fn in_stashes(
        &self,
        git: &ProjectGit<'_>,
        edits: &PersonsEdits,
        checked_out: &CheckedOut,
        stashes: &[String],
    ) -> Vec<Elsewhere> {
        let here = self.checked_out();
        let here: Vec<&String> =
            checked_out.seen.iter().chain(&edits.commit).chain(&here).collect();
        let mut all = Vec::new();
        for stash in stashes {
            let Some(before) = git.commit_of(&format!("{stash}^1")) else { continue };
            if !here.contains(&&before) {
                continue;
            }
            let place = OtherLocation::Stash;
            if let Some(new) = git.commit_of(&format!("{stash}^3")) {
                all.push(Elsewhere { place: place.clone(), before: None, after: new });
            }
            all.push(Elsewhere { place, before: Some(before), after: stash.clone() });
        }
        all
    }

    /// Returns the files that lack the work of a place. A person's own lines are not the agent's
    /// work.
    fn missing_of(
        &self,
        git: &ProjectGit<'_>,
        edits: &PersonsEdits,
        elsewhere: &Elsewhere,
        is_untouched: bool,
    ) -> Vec<String> {
        let Elsewhere { before, after, .. } = elsewhere;
        let mut paths = git.changed_between(before.as_deref(), after);
        paths.truncate(MOST_FILES);
        let texts_of = |commit: Option<&str>| match commit {
            Some(commit) => git.texts(paths.iter().map(|path| self.at(commit, path))),
            None => vec![None; paths.len()],
        };
        let texts = texts_of(before.as_deref()).into_iter().zip(texts_of(Some(after)));
        let (mut added, mut whole) = (BTreeMap::new(), Vec::new());
        for (path, (before, after)) in paths.iter().zip(texts) {
            let lines = match &after {
                Some(after) if is_text(after) => {
                    AddedLines::between(&before.unwrap_or_default(), after)
                }
                Some(_) | None => AddedLines::default(),
            };
            let own = lines.without(&edits.added(path));
            if !own.is_empty() {
                added.insert(path.as_str(), own);
            } else if lines.is_empty() && text(&self.place.root, path) != after {
                whole.push(path.clone());
            }
        }
        let mut missing: Vec<String> =
            self.missing_lines(git, edits, &added).into_iter().map(str::to_owned).collect();
        // The same change to a whole file may exist in another form, unless the files are
        // untouched.
        missing.extend(whole.into_iter().filter(|_| is_untouched));
        missing
    }
}

/// Returns the branches, not checked out, that have commits made here. A commit in no branch was
/// mostly redone, unless the files are untouched.
fn on_branches(git: &ProjectGit<'_>, made: &[String], is_untouched: bool) -> Vec<Elsewhere> {
    let last = &made[made.len().saturating_sub(MOST_COMMITS)..];
    let mut all: Vec<(OtherLocation, String)> = git
        .branches_with(last)
        .into_iter()
        .map(|name| (OtherLocation::Branch(name.clone()), format!("refs/heads/{name}")))
        .collect();
    if let (true, true, Some(last)) = (all.is_empty(), is_untouched, last.last()) {
        all.push((OtherLocation::Commit(short(last)), last.clone()));
    }
    let mut elsewhere = Vec::new();
    for (place, after) in all {
        let before = git.merge_base("HEAD", &after);
        // If both are equal, the checkout has all of it.
        if before.is_none() || before != git.commit_of(&after) {
            elsewhere.push(Elsewhere { place, before, after });
        }
    }
    elsewhere
}
