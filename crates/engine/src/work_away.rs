//! Finds an agent's work that is not in the files: on a branch that the agent left, or in `git
//! stash`.
//!
//! Git's reflog of this checkout names every commit that was made here, so commits that others make
//! in other worktrees are not mistaken for the agent's.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sprag_core::reporting::short;
use sprag_core::{AddedLines, Hash, MissingText, Place};
use sprag_world::git::{Git, is_commit};

use crate::engine::Engine;
use crate::persons_edits::{PersonsEdits, is_text, text};
use crate::project_git::ProjectGit;

/// How many bytes of the reflog are read; a longer one is ignored.
const MOST_LOG: u64 = 1 << 20;
/// How many commits are searched for in other branches.
const MOST_COMMITS: usize = 50;
/// How many stash entries are compared.
const MOST_STASHES: usize = 100;
/// How many files of a branch or stash are compared.
const MOST_FILES: usize = 200;

/// The prefix of our own branches.
const OURS: &str = "sprag/";

/// The beginnings of reflog messages that made a commit.
const MADE: [&str; 6] = ["commit", "cherry-pick", "revert", "am", "merge", "rebase"];
/// The beginnings, and then the ending, of reflog messages that only moved to a commit.
const MOVED: [&str; 2] = ["rebase (start)", "rebase (finish)"];
const FORWARD: &str = "Fast-forward";

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

/// Returns the stash entries, newest first.
pub(crate) fn stashes(git: &Git) -> Vec<String> {
    let log = read_from(&git.common().join("logs/refs/stash"), 0).unwrap_or_default();
    let commits = log.lines().filter_map(|line| LogLine::read(line).map(|line| line.to));
    let mut all: Vec<String> = commits.map(str::to_owned).collect();
    all.reverse();
    all.truncate(MOST_STASHES);
    all
}

/// One line of a reflog.
struct LogLine<'l> {
    from: &'l str,
    to: &'l str,
    why: &'l str,
}

impl<'l> LogLine<'l> {
    fn read(line: &'l str) -> Option<Self> {
        let (who, why) = line.split_once('\t').unwrap_or((line, ""));
        let mut words = who.split(' ');
        let (from, to) = (words.next()?, words.next()?);
        (is_commit(from) && is_commit(to)).then_some(Self { from, to, why })
    }

    /// Returns whether it made the commit that it leads to.
    fn is_made(&self) -> bool {
        let begins = |all: &[&str]| all.iter().any(|word| self.why.starts_with(word));
        begins(&MADE) && !begins(&MOVED) && !self.why.ends_with(FORWARD)
    }
}

/// The commits in a part of the reflog.
#[derive(Debug, Default, PartialEq, Eq)]
struct CheckedOut {
    /// Every commit that was checked out.
    seen: Vec<String>,
    /// The commits that were made, oldest first.
    made: Vec<String>,
    /// Whether another branch was checked out meanwhile, so that the commits need not be in the
    /// files.
    is_left: bool,
}

impl CheckedOut {
    fn read(log: &str) -> Self {
        let mut out = Self::default();
        for line in log.lines().filter_map(LogLine::read) {
            out.seen.extend([line.from.to_owned(), line.to.to_owned()]);
            if line.is_made() {
                out.made.push(line.to.to_owned());
            } else {
                out.is_left = true;
            }
        }
        out
    }
}

/// Reads a file from an offset, or `None` if it is shorter, or the rest is too long.
fn read_from(path: &Path, start: u64) -> Option<String> {
    let mut file = sprag_store::peek(path).ok()?;
    let length = file.metadata().ok()?.len().checked_sub(start)?;
    if length > MOST_LOG {
        return None;
    }
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// A place that holds work: its base commit and its last commit. The untracked files of a stash
/// have no base.
struct Elsewhere {
    place: Place,
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
                Place::Branch(name) => !is_other(name),
                Place::Index | Place::Stash | Place::Commit(_) => false,
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
            let place = Place::Stash;
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
    let mut all: Vec<(Place, String)> = git
        .branches_with(last)
        .into_iter()
        .map(|name| (Place::Branch(name.clone()), format!("refs/heads/{name}")))
        .collect();
    if let (true, true, Some(last)) = (all.is_empty(), is_untouched, last.last()) {
        all.push((Place::Commit(short(last)), last.clone()));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn log(lines: &[(char, char, &str)]) -> CheckedOut {
        let commit = |digit: char| digit.to_string().repeat(40);
        let line = |(from, to, why): &(char, char, &str)| {
            format!("{} {} A U Thor <a@a> 1700000000 +0000\t{why}\n", commit(*from), commit(*to))
        };
        CheckedOut::read(&lines.iter().map(line).collect::<Vec<_>>().concat())
    }

    fn made(of: &CheckedOut) -> String {
        of.made.iter().filter_map(|commit| commit.chars().next()).collect()
    }

    #[test]
    fn commits_on_what_is_checked_out_stay_in_the_files() {
        let only = log(&[('0', '1', "commit (initial): a"), ('1', '2', "commit: b")]);
        assert_eq!((made(&only).as_str(), only.is_left), ("12", false));
    }

    #[test]
    fn what_was_made_is_told_from_what_was_only_gone_to() {
        let all = log(&[
            ('1', '2', "checkout: moving from main to old"),
            ('2', '3', "commit: a"),
            ('3', '4', "pull: Fast-forward"),
            ('4', '5', "merge feat: Fast-forward"),
            ('5', '6', "merge feat: Merge made by the 'ort' strategy."),
            ('6', '7', "rebase (start): checkout main"),
            ('7', '8', "rebase (pick): a"),
            ('8', '8', "rebase (finish): returning to refs/heads/old"),
            ('8', '1', "reset: moving to HEAD~1"),
        ]);
        assert_eq!((made(&all).as_str(), all.is_left), ("368", true));
    }

    #[test]
    fn what_is_no_log_says_nothing() {
        assert_eq!(CheckedOut::read("a b c\n\n\tcommit: x\n"), CheckedOut::default());
    }
}
