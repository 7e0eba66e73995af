//! Records a person's uncommitted edits when a run or a session begins, and finds out later which
//! of them are gone.
//!
//! Edits are compared by content: the lines that a person added must still be in the files, or in a
//! later commit of the branch that is checked out. A stash or another branch does not count as
//! present, but is named so that the person finds the text.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sprag_core::event::RunStarted;
use sprag_core::systems::SYSTEMS;
use sprag_core::{AddedLines, Hash, LineSet, Missing, MissingText, OtherLocation};
use sprag_world::git::{ProjectGit, Uncommitted};
use sprag_world::tree::content;

use super::away::{GitMarks, MadeApart};
use crate::engine::Engine;

/// The most files of each kind that are recorded, and how many of them a run records.
const MOST: usize = 2_000;
const MOST_OF_RUN: usize = 200;
/// The most lines that are recorded, over all files. The lines of a file that has more are never
/// recorded in part.
const MOST_LINES: usize = 4_000;
const _: () = assert!(MOST_LINES < AddedLines::MOST);
/// A larger file is not compared line by line.
const LARGE: u64 = 1 << 20;
/// How much text is read in search of lines that moved to other files.
const MOST_TEXT: usize = 16 << 20;
/// For how many missing files the search covers stashes and branches.
const SOUGHT: usize = 50;

/// A person's uncommitted files, and the state of git at that time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct PersonsEdits {
    /// The commit that was checked out.
    pub(crate) commit: Option<String>,
    /// Files that are in no commit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    loose: Vec<String>,
    /// Files that differ from their commit, with their hash; `None` for a removed file.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    edited: BTreeMap<String, Option<Hash>>,
    /// The lines that were added to these files, in the format of [`AddedLines`].
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    lines: BTreeMap<String, String>,
    /// The texts that have too many lines to record, with their hashes.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    cut: BTreeMap<String, Hash>,
    /// The hashes of the committed texts of files with such lines. A run does not record them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    base: BTreeMap<String, Hash>,
    /// The number of files beyond the recorded ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) more: Option<u64>,
    #[serde(flatten)]
    pub(crate) marks: GitMarks,
}

/// A file that an agent changed and that is not committed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeftFile {
    /// The hash of the file as the agent left it.
    pub(crate) hash: Hash,
    /// A person's lines in it, in the format of [`sprag_core::AddedLines`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) persons: String,
}

impl PersonsEdits {
    /// Reads the fields of the event that starts a run; an older version recorded fewer.
    pub(crate) fn of(started: &RunStarted) -> Self {
        let RunStarted { commit, loose, edited, lines, log, stashes, more, .. } = started.clone();
        let marks = GitMarks { log, stashes: stashes.unwrap_or_default() };
        let (loose, edited) = (loose.unwrap_or_default(), edited.unwrap_or_default());
        let (lines, base) = (lines.unwrap_or_default(), BTreeMap::new());
        let cut = started.cut.clone().unwrap_or_default();
        Self { commit, loose, edited, lines, cut, base, more, marks }
    }

    /// Adds the edits to the event that starts a run.
    pub(crate) fn note(&self, started: &mut RunStarted) {
        let Self { loose, edited, lines, cut, more, marks, .. } = self.clone().within(MOST_OF_RUN);
        (started.loose, started.edited, started.more) = (Some(loose), Some(edited), more);
        started.lines = Some(lines).filter(|lines| !lines.is_empty());
        started.cut = Some(cut).filter(|cut| !cut.is_empty());
        (started.log, started.stashes) =
            (marks.log, Some(marks.stashes).filter(|all| !all.is_empty()));
    }

    /// Keeps so many files of each kind, and counts the others.
    fn within(mut self, most: usize) -> Self {
        let mut over = self.loose.split_off(self.loose.len().min(most));
        over.extend(self.edited.keys().skip(most).cloned().collect::<Vec<_>>());
        self.forget(over.iter().map(String::as_str));
        let over = over.len() as u64;
        self.more = Some(self.more.unwrap_or(0) + over).filter(|more| *more > 0);
        self
    }

    /// Leaves out files that agents wrote and that have not changed since.
    pub(crate) fn leave_out<'l>(
        &mut self,
        agents: impl Iterator<Item = (&'l String, &'l LeftFile)>,
        root: &Path,
    ) {
        for (path, file) in agents {
            if content(root, path) != Some(file.hash) {
                continue;
            }
            self.lines.remove(path);
            self.cut.remove(path);
            if file.persons.is_empty() {
                self.loose.retain(|loose| loose != path);
                self.edited.remove(path);
            } else {
                self.lines.insert(path.clone(), file.persons.clone());
            }
        }
    }

    /// Adds files of an earlier record that lost their edits since.
    pub(crate) fn keep_lost(&mut self, before: &Self, lost: &[String]) {
        for path in lost {
            if before.loose.contains(path) && !self.loose.contains(path) {
                self.loose.push(path.clone());
            }
            if let Some(then) = before.edited.get(path) {
                self.edited.insert(path.clone(), *then);
            }
            if let Some(then) = before.cut.get(path) {
                self.cut.insert(path.clone(), *then);
            }
            if let Some(base) = before.base.get(path) {
                self.base.insert(path.clone(), *base);
            }
            if let Some(lines) = before.lines.get(path) {
                let now = self.lines.remove(path);
                let all = [Some(lines.clone()), now].into_iter().flatten().collect::<Vec<_>>();
                self.lines.insert(path.clone(), all.join("/"));
            }
            // A commit since then may not contain them.
            self.commit.clone_from(&before.commit);
        }
    }

    /// Leaves out these files.
    pub(crate) fn forget<'p>(&mut self, paths: impl Iterator<Item = &'p str>) {
        for path in paths {
            self.loose.retain(|loose| loose != path);
            self.edited.remove(path);
            self.lines.remove(path);
            self.cut.remove(path);
        }
    }

    /// Returns the files to which a person added lines.
    pub(crate) fn with_lines(&self) -> impl Iterator<Item = &String> {
        self.lines.keys().chain(self.cut.keys())
    }

    /// Returns the state of a file to which a person added lines.
    pub(crate) fn state_of(&self, root: &Path, path: &str) -> Option<EditState> {
        if let Some(then) = self.cut.get(path) {
            return Some(match content(root, path) {
                None => EditState::SetBack,
                Some(now) if now == *then => EditState::There,
                Some(_) => EditState::Edited,
            });
        }
        let lines = self.lines.get(path)?;
        let Some(now) = text(root, path) else { return Some(EditState::SetBack) };
        Some(if AddedLines::read(lines).are_in(&LineSet::of(&now)) {
            EditState::There
        } else if self.base.get(path) == Some(&Hash::of(&now)) {
            EditState::SetBack
        } else {
            EditState::Edited
        })
    }

    /// Returns the lines that a person added to a file.
    pub(crate) fn added(&self, path: &str) -> AddedLines {
        self.lines.get(path).map_or_else(AddedLines::default, |text| AddedLines::read(text))
    }

    /// Records the lines that were added to a file, if there is room for all of them, else the hash
    /// of its text.
    fn add(&mut self, path: &str, added: &AddedLines, left: &mut usize, root: &Path) {
        if added.is_empty() {
            return;
        }
        if let Some(rest) = left.checked_sub(added.len()) {
            *left = rest;
            self.lines.insert(path.to_owned(), added.to_string());
        } else if let Some(now) = content(root, path) {
            self.cut.insert(path.to_owned(), now);
        }
    }
}

/// The state of a file to which a person added lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditState {
    /// It has the lines.
    There,
    /// It is missing, or has its committed text.
    SetBack,
    /// It has other lines in their place.
    Edited,
}

/// Returns the text of a file, or `None` if it is missing, too large or binary.
pub(crate) fn text(root: &Path, path: &str) -> Option<Vec<u8>> {
    let path = root.join(path);
    path.symlink_metadata().ok().filter(|found| found.is_file() && found.len() <= LARGE)?;
    let mut bytes = Vec::new();
    sprag_store::peek(&path).ok()?.take(LARGE + 1).read_to_end(&mut bytes).ok()?;
    is_text(&bytes).then_some(bytes)
}

/// Returns whether bytes can be compared line by line, by git's own criterion.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    bytes.len() as u64 <= LARGE && !bytes.iter().take(8_000).any(|byte| *byte == 0)
}

/// Returns whether agents and sprag itself rewrite this document in the course of the work. Only
/// whole ones can be missing.
fn is_paper(path: &str) -> bool {
    SYSTEMS.iter().any(|system| system.is_rewritten && system.has(path))
}

impl Engine<'_> {
    /// Lists the person's edits, in the files that are uncommitted in the project.
    pub(crate) fn persons_edits(&self, uncommitted: Uncommitted) -> PersonsEdits {
        let Some(git) = self.git() else { return PersonsEdits::default() };
        let Uncommitted { mut loose, mut edited } = uncommitted;
        let more = loose.len().saturating_sub(MOST) + edited.len().saturating_sub(MOST);
        loose.truncate(MOST);
        edited.truncate(MOST);
        let mut edits = PersonsEdits {
            commit: self.checked_out(),
            more: (more > 0).then_some(more as u64),
            marks: GitMarks::of(&self.place.root),
            ..PersonsEdits::default()
        };
        let (root, mut left) = (&self.place.root, MOST_LINES);
        let compared: Vec<&String> = edited.iter().filter(|path| !is_paper(path)).collect();
        let before = git.texts(compared.iter().map(|path| self.at("HEAD", path)));
        for (path, before) in compared.into_iter().zip(before) {
            if let (Some(now), Some(before)) =
                (text(root, path), before.filter(|before| is_text(before)))
            {
                edits.add(path, &AddedLines::between(&before, &now), &mut left, root);
                edits.base.insert(path.clone(), Hash::of(&before));
            }
        }
        for path in loose.iter().filter(|path| !is_paper(path)) {
            if let Some(now) = text(root, path) {
                edits.add(path, &AddedLines::between(b"", &now), &mut left, root);
            }
        }
        edits.edited =
            edited.into_iter().map(|path| (path.clone(), content(root, &path))).collect();
        edits.loose = loose;
        edits
    }

    /// Returns git's state in the project.
    pub(crate) fn git_marks(&self) -> GitMarks {
        GitMarks::of(&self.place.root)
    }

    /// Returns the edits that are missing now. `start` is the hash of all files at the beginning.
    /// Without git, nothing counts as missing.
    pub(crate) fn missing(
        &self,
        edits: &PersonsEdits,
        start: Option<Hash>,
        apart: &MadeApart,
    ) -> Missing {
        let Some(git) = self.git() else { return Missing::default() };
        let gone = self.gone(&git, edits);
        let mut unseen = self.changed_unseen(&git, edits);
        unseen.retain(|path| !gone.iter().any(|one| one.path == *path));
        Missing { gone, away: self.away(&git, edits, start, apart), unseen }
    }

    /// Returns the files whose lines were too many to record and that have another text now, unless
    /// a later commit has them.
    fn changed_unseen(&self, git: &ProjectGit<'_>, edits: &PersonsEdits) -> Vec<String> {
        let root = &self.place.root;
        let changed = edits.cut.iter().filter(|(path, then)| content(root, path) != Some(**then));
        let mut changed: Vec<String> = changed.map(|(path, _)| path.clone()).collect();
        if !changed.is_empty() {
            let later = git.logged_since(edits.commit.as_deref(), &changed).unwrap_or_default();
            changed.retain(|path| !later.contains(path));
        }
        changed
    }

    /// Returns the files whose edits by a person are gone.
    fn gone(&self, git: &ProjectGit<'_>, edits: &PersonsEdits) -> Vec<MissingText> {
        let added: BTreeMap<&str, AddedLines> =
            edits.lines.keys().map(|path| (path.as_str(), edits.added(path))).collect();
        let mut gone: Vec<&str> = self.missing_lines(git, edits, &added);
        gone.extend(self.gone_whole(git, edits));
        gone.sort_unstable();
        let sought = &gone[..gone.len().min(SOUGHT)];
        let mut places = self.places(git, edits, &added, sought);
        let text = |path: &str| MissingText { path: path.to_owned(), place: places.remove(path) };
        gone.iter().copied().map(text).collect()
    }

    /// Returns the files whose added lines are neither in them, nor elsewhere in the files, nor in
    /// a later commit.
    pub(crate) fn missing_lines<'p>(
        &self,
        git: &ProjectGit<'_>,
        edits: &PersonsEdits,
        added: &BTreeMap<&'p str, AddedLines>,
    ) -> Vec<&'p str> {
        let root = &self.place.root;
        let is_there = |path: &str, added: &AddedLines| {
            text(root, path).is_some_and(|text| added.are_in(&LineSet::of(&text)))
        };
        let mut missing = added.iter().filter(|(path, added)| !is_there(path, added)).peekable();
        if missing.peek().is_none() {
            return Vec::new();
        }
        let missing: Vec<_> = missing.collect();
        let mut there = self.changed_lines(git, edits.commit.as_deref());
        let paths: Vec<String> = missing.iter().map(|(path, _)| (**path).to_owned()).collect();
        for text in paths.iter().filter_map(|path| text(root, path)) {
            there.add(&text);
        }
        git.committed_lines(edits.commit.as_deref(), &paths, &mut there);
        let missing = missing.into_iter().filter(|(_, added)| !added.are_in(&there));
        missing.map(|(path, _)| *path).collect()
    }

    /// Returns the lines of all files that differ from the commit: text may have moved there.
    fn changed_lines(&self, git: &ProjectGit<'_>, commit: Option<&str>) -> LineSet {
        let mut lines = LineSet::default();
        let mut left = MOST_TEXT;
        for path in git.changed_since(commit) {
            let Some(text) = text(&self.place.root, &path) else { continue };
            let Some(rest) = left.checked_sub(text.len()) else { break };
            left = rest;
            lines.add(&text);
        }
        lines
    }

    /// Returns files without line records that are gone or back at their committed text.
    fn gone_whole<'e>(&self, git: &ProjectGit<'_>, edits: &'e PersonsEdits) -> Vec<&'e str> {
        let root = &self.place.root;
        let is_there = |path: &str| root.join(path).symlink_metadata().is_ok();
        let is_whole = |path: &str| !edits.lines.contains_key(path);
        let loose = edits.loose.iter().filter(|path| is_whole(path) && !is_there(path));
        let mut gone: Vec<&str> = loose.map(String::as_str).collect();
        let edited = edits.edited.iter().filter(|(path, _)| is_whole(path));
        let other: Vec<_> = edited.filter(|(path, then)| content(root, path) != **then).collect();
        let back = match edits.commit.as_deref() {
            Some(commit) if !other.is_empty() => {
                let paths = other.iter().map(|(path, _)| (*path).clone()).collect::<Vec<_>>();
                git.as_in(commit, &paths)
            }
            Some(_) | None => BTreeSet::new(),
        };
        let is_gone = |(path, then): &(&String, &Option<Hash>)| {
            back.contains(*path) || (then.is_some() && !is_there(path))
        };
        gone.extend(other.into_iter().filter(is_gone).map(|(path, _)| path.as_str()));
        if !gone.is_empty() {
            let paths: Vec<String> = gone.iter().map(|path| (*path).to_owned()).collect();
            let later = git.logged_since(edits.commit.as_deref(), &paths).unwrap_or_default();
            gone.retain(|path| !later.contains(*path));
        }
        gone
    }

    /// Returns the places where git still has the text of these files.
    fn places(
        &self,
        git: &ProjectGit<'_>,
        edits: &PersonsEdits,
        added: &BTreeMap<&str, AddedLines>,
        paths: &[&str],
    ) -> BTreeMap<String, OtherLocation> {
        let mut found = BTreeMap::new();
        if paths.is_empty() {
            return found;
        }
        let known = git.places();
        let asked = paths.iter().flat_map(|path| known.iter().map(move |one| (*path, one)));
        let asked: Vec<_> = asked.collect();
        let texts = git.texts(asked.iter().map(|(path, (_, commit))| self.at(commit, path)));
        for ((path, (place, _)), text) in asked.into_iter().zip(texts) {
            let has_text = |text: Vec<u8>| match added.get(path) {
                Some(added) => added.are_in(&LineSet::of(&text)),
                // A file that git knew before has some text in every branch.
                None => edits.loose.iter().any(|loose| loose == path),
            };
            if text.is_some_and(has_text) {
                found.entry(path.to_owned()).or_insert_with(|| place.clone());
            }
        }
        found
    }

    /// Returns git's name for a file of this project in a commit. An empty `commit` means the
    /// index.
    pub(crate) fn at(&self, commit: &str, path: &str) -> String {
        format!("{commit}:{}", self.place.below.join(path).to_string_lossy())
    }
}

#[cfg(test)]
mod tests {
    use sprag_store::Place;
    use sprag_testkit::TestEnv;

    use super::*;
    use crate::now::Now;

    #[test]
    fn git_is_asked_once_however_often_a_beginning_is_decided() {
        let env = TestEnv::new();
        env.git(&["init", "-q"]);
        env.write("one.txt", "");
        let place = Place::of(env.project());
        let engine = Engine::open(&place, &[]).unwrap();
        let now = Now::new(&engine);
        assert_eq!(now.persons_edits().loose, ["one.txt"]);
        env.write("two.txt", "");
        assert_eq!(now.persons_edits().loose, ["one.txt"]);
    }

    #[test]
    fn what_is_written_down_is_bounded() {
        let env = TestEnv::new();
        env.git(&["init", "-q"]);
        let many: Vec<_> = (0..1_000).map(|nth| format!("line {nth}")).collect();
        for nth in 0..MOST_OF_RUN + 3 {
            env.write(format!("f{nth:03}.txt"), many.join("\n"));
        }
        let place = Place::of(env.project());
        let engine = Engine::open(&place, &[]).unwrap();
        let edits = Now::new(&engine).persons_edits().clone();
        assert_eq!((edits.loose.len(), edits.more), (MOST_OF_RUN + 3, None));
        let text = serde_json::to_string(&edits).unwrap();
        assert_eq!(serde_json::from_str::<PersonsEdits>(&text).unwrap(), edits);
        let edits = edits.within(MOST_OF_RUN);
        assert_eq!((edits.loose.len(), edits.more), (MOST_OF_RUN, Some(3)));
        assert_eq!(edits.lines.len(), MOST_LINES / 1_000);
        assert_eq!(edits.lines.len() + edits.cut.len(), MOST_OF_RUN, "none is left out silently");
        let text = serde_json::to_string(&edits).unwrap();
        assert!(text.len() < 64 << 10, "{}", text.len());
    }
}
