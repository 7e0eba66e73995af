//! Decides which changed texts came with a person's commits: by a switch, a merge, a rebase, a pull
//! or the person's own stash.
//!
//! A text of the files is a person's if all of this holds:
//!
//! - A commit has it that git knew when the turn began, or that a fetch brought.
//! - The checked-out commit contains that commit and has the same text. A file that is taken out of
//!   another commit is a choice of the agent.
//! - Nothing is lost by it: every commit of a person that changed the file is still there, or the
//!   agent switched to another branch and left the first one as it was.
//! - No agent made the text. A text in a commit that an agent made in its turn stays the agent's by
//!   its hash, also if a branch, a remote or a squashed commit brings it back.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;

use serde::{Deserialize, Serialize};
use sprag_core::{Hash, RunId, Time};
use sprag_world::git::{Git, QuietGit, RefState};

use super::{Baseline, OpenTurn, Turns};
use crate::engine::Engine;
use crate::now::Now;

/// How many tips are recorded, newest first.
const MOST: usize = 200;
/// How many remote branches may have been fetched since.
const MOST_FETCHED: usize = 50;
/// How many commits of one turn are recorded.
const MOST_OF_TURN: usize = 200;
/// How many commits may have brought the texts of one comparison.
const MOST_SOURCES: usize = 32;

/// The prefix of our own branches. Work there is not judged yet, except in the branch of a whole
/// run.
const OURS: &str = "refs/heads/sprag/";
const REMOTES: &str = "refs/remotes/";
/// The size limit of a branch's reflog.
const LONGEST_LOG: u64 = 1 << 20;

/// The commits at the tips of refs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tips {
    /// The branch that is checked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    branch: Option<String>,
    /// Local branches and tags.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) here: BTreeSet<String>,
    /// Remote branches, which came from elsewhere.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) remote: BTreeSet<String>,
    /// The stash entries.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    stashes: BTreeSet<String>,
    /// Other known commits that are not older than this moment: git dates them in seconds.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    recent: BTreeSet<String>,
    /// The mark of all refs and reflogs; `None` if only git could read them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mark: Option<Hash>,
}

impl Tips {
    /// Records the tips of refs. Git is started only for what its files do not show.
    pub(crate) fn of(engine: &Engine<'_>, at: Time) -> Self {
        let state = RefState::around(&engine.files.root);
        let mut tips = Self { mark: state.as_ref().map(|state| state.mark), ..Self::default() };
        let is_recent = state.as_ref().is_none_or(|state| state.moved >= seconds(at));
        for (name, commit) in refs(engine, state) {
            if name.starts_with(REMOTES) {
                tips.remote.insert(commit);
            } else if name.strip_prefix(OURS).is_none_or(|run| engine.has_run(run)) {
                tips.here.insert(commit);
            }
        }
        tips.stashes.extend(engine.stashed());
        tips.branch = engine.branch_here();
        if is_recent {
            let recent = format!("--max-age={}", seconds(at));
            tips.recent.extend(listed(engine, &["--all", "--reflog", &recent], [], []));
        }
        tips
    }

    /// Returns whether git has learnt of no commit since.
    fn are_current(&self, engine: &Engine<'_>) -> bool {
        let now = || RefState::around(&engine.files.root).map(|state| state.mark);
        self.mark.is_some() && self.mark == now()
    }

    /// Returns the new local tips that no remote has: work that may be missing in the files.
    pub(crate) fn since(&self, then: &Self) -> Vec<String> {
        let new = self.here.difference(&then.here);
        new.filter(|commit| !self.remote.contains(*commit)).cloned().collect()
    }

    fn all(&self) -> impl Iterator<Item = &String> {
        self.here.iter().chain(&self.remote).chain(&self.stashes).chain(&self.recent)
    }
}

/// Returns the refs with their tips. Of too many, git chooses the newest.
fn refs(engine: &Engine<'_>, state: Option<RefState>) -> Vec<(String, String)> {
    if let Some(state) = state.filter(|state| state.refs.len() <= MOST) {
        return state.refs.into_iter().collect();
    }
    let count = format!("--count={MOST}");
    let format = "--format=%(refname) %(objectname)";
    let words = ["for-each-ref", "--sort=-committerdate", &count, format];
    let lines = lines(engine, &words).unwrap_or_default();
    let pair = |line: &String| line.split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned()));
    lines.iter().filter_map(pair).collect()
}

/// Converts to the seconds in which git dates commits.
const fn seconds(time: Time) -> i64 {
    time.as_millis().div_euclid(1000)
}

/// Returns the commits that were made between two times and that git did not know before, in the
/// refs and reflogs of all worktrees.
fn made_between(
    engine: &Engine<'_>,
    (since, until): (Time, Time),
    then: Option<&Baseline>,
) -> Vec<String> {
    let after = format!("--max-age={}", seconds(since));
    let before = format!("--min-age={}", seconds(until));
    let count = format!("--max-count={MOST_OF_TURN}");
    let known = then.into_iter().flat_map(|then| then.refs.all().chain(&then.commit));
    listed(engine, &["--all", "--reflog", &after, &before, &count], [], known)
}

/// The commits that may have brought texts into the files.
pub(crate) struct Sources<'e> {
    engine: &'e Engine<'e>,
    /// The checked-out commit.
    head: String,
    /// The commits that were checked out when the unit and the turn began, and whether the agent
    /// left their branch as it was and went to another.
    begins: BTreeMap<String, bool>,
    /// The commits that the checked-out one contains.
    commits: Vec<String>,
    /// The stash entries that were applied and dropped.
    popped: BTreeSet<String>,
    /// The commits that agents made.
    agents: Vec<String>,
}

impl<'e> Sources<'e> {
    /// Finds the commits that may have brought texts since the unit and the turn began. `None` if
    /// no commit is checked out.
    pub(crate) fn find(
        engine: &'e Engine<'e>,
        then: [&Baseline; 2],
        agents: Vec<String>,
    ) -> Option<Self> {
        let head = engine.checked_out_here()?;
        let mut known: BTreeSet<String> = fetched(engine).into_iter().collect();
        known.extend(then.iter().flat_map(|then| then.refs.here.union(&then.refs.remote)).cloned());
        let is_in = |commits: &[String]| commits.iter().cloned().collect::<BTreeSet<_>>();
        let outside = is_in(&listed(engine, &[], &known, [&head]));
        let mut commits = listed(engine, &["--no-walk=sorted"], &known, []);
        commits.retain(|commit| !outside.contains(commit));
        // Those that the files did not contain before come first.
        let before = then.iter().filter_map(|then| then.commit.as_ref());
        let new = is_in(&listed(engine, &[], &commits, before));
        commits.sort_by_key(|commit| !new.contains(commit));
        commits.truncate(MOST_SOURCES);
        let mut begins = BTreeMap::new();
        for then in then {
            if let Some(commit) = &then.commit {
                *begins.entry(commit.clone()).or_insert(true) &= is_left(engine, then);
            }
        }
        let mut popped = &then[0].refs.stashes | &then[1].refs.stashes;
        popped.retain({
            let here = engine.stashed();
            move |stash| !here.contains(stash)
        });
        Some(Self { engine, head, begins, commits, popped, agents })
    }

    /// Returns those of these paths whose text a person's commit brought.
    pub(crate) fn brought(&self, paths: &BTreeSet<String>) -> BTreeSet<String> {
        let mut open: BTreeMap<&String, String> = BTreeMap::new();
        for path in paths.iter().filter(|path| !path.contains('\n')) {
            let Some(blob) = hash_object(self.engine, path) else { continue };
            if !self.is_agents(path, &blob) {
                open.insert(path, blob);
            }
        }
        let mut found = BTreeSet::new();
        let in_head = self.having(&self.head, &open);
        let commits = self.commits.iter().map(|commit| (commit, Some(&in_head)));
        for (commit, limit) in commits.chain(self.popped.iter().map(|stash| (stash, None))) {
            let mut having = self.having(commit, &open);
            having.retain(|path| limit.is_none_or(|limit| limit.contains(path)));
            if having.is_empty() {
                continue;
            }
            for path in having.difference(&self.lost(commit, &having)) {
                open.remove(path);
                found.insert(path.clone());
            }
        }
        found
    }

    /// Returns those of these paths that have their text in a commit.
    fn having(&self, commit: &str, open: &BTreeMap<&String, String>) -> BTreeSet<String> {
        if open.is_empty() {
            return BTreeSet::new();
        }
        let ask: Vec<String> = open.keys().map(|path| format!("{commit}:./{path}\n")).collect();
        let words = ["cat-file", "--batch-check=%(objectname)"];
        let said = ask_with(self.engine, &words, ask.concat().as_bytes()).unwrap_or_default();
        let same = open.iter().zip(said).filter(|((_, blob), said)| *blob == said);
        same.map(|((path, _), _)| (*path).clone()).collect()
    }

    /// Returns whether a commit of an agent introduced this text.
    fn is_agents(&self, path: &str, blob: &str) -> bool {
        if self.agents.is_empty() {
            return false;
        }
        let path = literal(path);
        let words = ["diff-tree", "--stdin", "-r", "-c", "--root", "--no-abbrev", "--raw"];
        let words = [&words[..], &["--no-renames", "--", &path]].concat();
        let ask = format!("{}\n", self.agents.join("\n"));
        // `:mode mode was now how`, with one more mode and text for every further parent.
        let now = |line: &str| {
            let parents = line.bytes().take_while(|byte| *byte == b':').count();
            line.split([' ', '\t']).nth(2 * parents + 1) == Some(blob)
        };
        // What git cannot tell counts as the agent's.
        ask_with(self.engine, &words, ask.as_bytes())
            .is_none_or(|lines| lines.iter().any(|line| line.starts_with(':') && now(line)))
    }

    /// Returns those of these paths at which a person's commits would be lost with the text of this
    /// commit.
    fn lost(&self, commit: &str, paths: &BTreeSet<String>) -> BTreeSet<String> {
        let since = format!("{commit}..{}", self.head);
        let mut lost = BTreeSet::new();
        for (begin, is_left) in &self.begins {
            let sides = format!("{commit}...{begin}");
            let mut one = self.changed_by(&["--cherry-pick", "--right-only", &sides], paths);
            if *is_left && !one.is_empty() {
                one = &one & &self.changed_by(&[&since], paths);
            }
            lost.append(&mut one);
        }
        lost
    }

    /// Returns those of these paths that some of these commits changed.
    fn changed_by(&self, commits: &[&str], paths: &BTreeSet<String>) -> BTreeSet<String> {
        let named: Vec<String> = paths.iter().map(|path| literal(path)).collect();
        let words = ["log", "--format=", "--name-only", "-c", "-z", "--relative", "--no-renames"];
        let mut words = words.to_vec();
        words.extend(["--full-history", "--no-follow"]);
        words.extend(commits);
        words.push("--");
        words.extend(named.iter().map(String::as_str));
        // Without an answer, any of them may be.
        let Some(said) = ask_with(self.engine, &words, b"") else { return paths.clone() };
        let changed: BTreeSet<&str> = said.iter().flat_map(|line| line.split('\0')).collect();
        paths.iter().filter(|path| changed.contains(path.as_str())).cloned().collect()
    }
}

/// Returns whether another branch than then is checked out, and the one of then lost nothing.
fn is_left(engine: &Engine<'_>, then: &Baseline) -> bool {
    let (Some(branch), Some(commit)) = (&then.refs.branch, &then.commit) else { return false };
    let tip = format!("refs/heads/{branch}");
    let words = ["merge-base", "--is-ancestor", commit, &tip];
    engine.branch_here().as_ref() != Some(branch) && ask_with(engine, &words, b"").is_some()
}

fn literal(path: &str) -> String {
    format!(":(literal){path}")
}

/// Returns the remote branches' commits that came by a fetch. A push or `git update-ref` from here
/// changes such a branch as well; its reflog tells them apart.
fn fetched(engine: &Engine<'_>) -> Vec<String> {
    let count = format!("--count={MOST_FETCHED}");
    let format = "--format=%(objectname) %(refname)";
    let words = ["for-each-ref", "--sort=-committerdate", &count, format, REMOTES];
    let Some(lines) = lines(engine, &words) else { return Vec::new() };
    let Ok(Some(git)) = Git::around(&engine.files.root) else { return Vec::new() };
    let is_fetched = |name: &str| {
        let mut text = String::new();
        // Without a reflog, the origin of the branch is unknown.
        let log = sprag_store::peek(&git.common().join("logs").join(name)).ok();
        log.is_some_and(|file| {
            let read = file.take(LONGEST_LOG).read_to_string(&mut text);
            read.is_ok_and(|bytes| (bytes as u64) < LONGEST_LOG)
                && text.lines().last().is_some_and(came_by_fetch)
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

/// Lists commits with `rev-list --stdin`, given those to begin with and those to leave out.
fn listed<'c>(
    engine: &Engine<'_>,
    words: &[&str],
    from: impl IntoIterator<Item = &'c String>,
    without: impl IntoIterator<Item = &'c String>,
) -> Vec<String> {
    let words = [&["rev-list", "--ignore-missing", "--stdin"], words].concat();
    let mut ask = String::new();
    for commit in from {
        ask.extend([commit.as_str(), "\n"]);
    }
    for commit in without {
        ask.extend(["^", commit, "\n"]);
    }
    ask_with(engine, &words, ask.as_bytes()).unwrap_or_default()
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

impl OpenTurn {
    /// Returns the commits that its agent made.
    fn commits(&self, now: &Now<'_>) -> Vec<String> {
        let found = Baseline::kept(now.engine, self.found);
        if found.as_ref().is_some_and(|found| found.refs.are_current(now.engine)) {
            return Vec::new();
        }
        made_between(now.engine, (self.since, self.until(now)), found.as_ref())
    }
}

impl Turns {
    /// Returns the commits that agents made: those of judged turns, and those of the turns that
    /// last.
    pub(crate) fn agents_commits(&self, now: &Now<'_>) -> Vec<String> {
        let lasts = |turn: &&OpenTurn| turn.is_unjudged() || turn.has_processes(now);
        let open = self.all().filter(lasts).flat_map(|turn| turn.commits(now));
        self.made().iter().cloned().chain(open).collect()
    }

    /// Records the commits of a turn that is about to be closed.
    pub(crate) fn note_commits(&mut self, key: &str, now: &Now<'_>) {
        let commits = self.get(key).map(|turn| turn.commits(now)).unwrap_or_default();
        self.note_made(commits);
    }
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
        name == crate::agents_file::INBOX || RunId::parse(name).is_ok_and(is_there)
    }

    /// Returns the text of a file in a commit.
    pub(crate) fn committed_text(&self, commit: &str, path: &str) -> Option<Vec<u8>> {
        Git::around(&self.files.root).ok().flatten()?;
        self.git_of_files().committed(commit, path)
    }
}
