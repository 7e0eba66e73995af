//! The branches and remotes of a repository: a text that one of them already had is not the
//! agent's.

use std::collections::BTreeSet;
use std::io::Read as _;

use serde::{Deserialize, Serialize};
use sprag_core::RunId;
use sprag_world::git::{Git, QuietGit};

use crate::engine::Engine;

/// How many tips are recorded, newest first.
const MOST: usize = 200;

/// The prefix of our own branches. Work there is not judged yet, except in the branch of a whole
/// run.
const OURS: &str = "refs/heads/sprag/";
const REMOTES: &str = "refs/remotes/";
/// The size limit of a branch's reflog.
const LONGEST_LOG: u64 = 1 << 20;

/// The commits at the tips of refs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tips {
    /// Local branches, tags and stashes.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) here: BTreeSet<String>,
    /// Remote branches, which came from elsewhere.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) remote: BTreeSet<String>,
}

impl Tips {
    /// Records the tips of refs, except commits that an agent `made`, which are no earlier texts.
    pub(super) fn of(engine: &Engine<'_>, made: &[String]) -> Self {
        let mut tips = Self::default();
        for (commit, name) in all(engine) {
            if name.starts_with(REMOTES) {
                tips.remote.insert(commit);
            } else if name.strip_prefix(OURS).is_none_or(|run| engine.has_run(run)) {
                tips.here.insert(commit);
            }
        }
        tips.here.extend(engine.stashed());
        tips.here.retain(|commit| !made.contains(commit));
        tips
    }

    /// Returns the new local tips, which an agent created if a turn was open.
    pub(super) fn since(&self, then: &Self) -> Vec<String> {
        let new = self.here.difference(&then.here);
        new.filter(|commit| !self.remote.contains(*commit)).cloned().collect()
    }

    fn all(&self) -> BTreeSet<String> {
        &self.here | &self.remote
    }
}

/// Returns every tip with the name of its ref, newest first.
fn all(engine: &Engine<'_>) -> Vec<(String, String)> {
    let count = format!("--count={MOST}");
    let format = "--format=%(objectname) %(refname)";
    let words = ["for-each-ref", "--sort=-committerdate", &count, format];
    let lines = lines(engine, &words).unwrap_or_default();
    let pair = |line: &String| line.split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned()));
    lines.iter().filter_map(pair).collect()
}

/// Returns those of these paths whose current text is in one of these commits, or in a remote
/// branch fetched since.
pub(super) fn held(engine: &Engine<'_>, then: &Tips, paths: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if paths.is_empty() {
        return found;
    }
    let mut commits = then.all();
    commits.extend(fetched(engine));
    for path in paths {
        let Some(blob) = hash_object(engine, path) else { continue };
        let mut ask = String::new();
        for commit in &commits {
            ask.extend([commit.as_str(), ":./", path, "\n"]);
        }
        let said = ask_with(engine, &["cat-file", "--batch-check=%(objectname)"], ask.as_bytes());
        if said.is_some_and(|said| said.contains(&blob)) {
            found.insert(path.clone());
        }
    }
    found
}

/// Returns the remote branches' commits that came by a fetch. A push or `git update-ref` from here
/// changes such a branch as well; its reflog tells them apart.
fn fetched(engine: &Engine<'_>) -> Vec<String> {
    let words = ["for-each-ref", "--count=50", "--format=%(objectname) %(refname)", REMOTES];
    let Some(lines) = lines(engine, &words) else { return Vec::new() };
    let Ok(Some(git)) = Git::around(&engine.files.root) else { return Vec::new() };
    let is_fetched = |name: &str| {
        let mut text = String::new();
        // Without a reflog, the origin of the branch is unknown.
        let log = sprag_store::peek(&git.common().join("logs").join(name)).ok();
        log.is_some_and(|file| {
            let read = file.take(LONGEST_LOG).read_to_string(&mut text);
            read.is_ok_and(|bytes| (1..LONGEST_LOG).contains(&(bytes as u64)))
                && text.lines().all(came_by_fetch)
        })
    };
    let pairs = lines.iter().filter_map(|line| line.split_once(' '));
    pairs.filter(|(_, name)| is_fetched(name)).map(|(commit, _)| commit.to_owned()).collect()
}

/// Returns whether a line of a reflog records a fetch, by the command that it names.
fn came_by_fetch(line: &str) -> bool {
    let command = line.split_once('\t').map_or("", |(_, message)| message);
    ["fetch", "pull", "clone"]
        .into_iter()
        .any(|word| command.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', ':'])))
}

fn hash_object(engine: &Engine<'_>, path: &str) -> Option<String> {
    let bytes = super::files::text(&engine.files.root, path)?;
    ask_with(engine, &["hash-object", "--stdin"], &bytes)?.into_iter().next()
}

fn lines(engine: &Engine<'_>, words: &[&str]) -> Option<Vec<String>> {
    ask_with(engine, words, b"")
}

fn ask_with(engine: &Engine<'_>, words: &[&str], input: &[u8]) -> Option<Vec<String>> {
    Git::around(&engine.files.root).ok().flatten()?;
    let said = QuietGit::reading(engine.environment).ask(&engine.files.root, words, input).ok()?;
    if said.exit != Some(0) {
        return None;
    }
    let text = String::from_utf8_lossy(&said.out).into_owned();
    Some(text.lines().map(str::to_owned).collect())
}

impl Engine<'_> {
    fn stashed(&self) -> Vec<String> {
        let git = Git::around(&self.files.root).ok().flatten();
        git.map_or_else(Vec::new, |git| sprag_world::git::reflog::stashes(&git))
    }

    /// Returns whether there is a run of this name, or it is the inbox: work in its branch was
    /// judged.
    fn has_run(&self, name: &str) -> bool {
        let folder = self.place.state.join(".sprag/runs");
        let is_there = |run: RunId| folder.join(run.as_str()).is_dir();
        name == crate::inbox::NAME || RunId::parse(name).is_ok_and(is_there)
    }

    /// Returns the text of a file in a commit.
    pub(crate) fn committed_text(&self, commit: &str, path: &str) -> Option<Vec<u8>> {
        Git::around(&self.files.root).ok().flatten()?;
        self.git_of_files().committed(commit, path)
    }

    /// Returns the commit that is checked out where the files are.
    pub(crate) fn checked_out_here(&self) -> Option<String> {
        use sprag_world::git::Head;
        match Git::around(&self.files.root).ok().flatten()?.head() {
            Head::Branch { commit, .. } => commit,
            Head::Detached { commit } => Some(commit),
            Head::Unknown => None,
        }
    }
}
