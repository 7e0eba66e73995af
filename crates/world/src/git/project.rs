//! Asks git about one project.
//!
//! git is called such that none of the repository's own commands run. If git fails, the answer is
//! empty.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use sprag_core::{LineSet, OtherLocation, Time};

use super::reflog::stashes;
use super::{Git, GitQuestion, QuietGit, Uncommitted, is_commit};
use crate::tree::apart;

/// A longer answer is not read.
const MOST_BYTES: u64 = 64 << 20;
/// How many stashes and branches are searched for text.
const MOST_STASHES: usize = 20;
const MOST_BRANCHES: &str = "--count=50";

/// git in the folder of a project.
pub struct ProjectGit<'a> {
    git: QuietGit,
    folder: &'a Path,
}

impl<'a> ProjectGit<'a> {
    pub fn new(environment: &[(OsString, OsString)], folder: &'a Path) -> Self {
        Self { git: QuietGit::reading(environment), folder }
    }

    pub fn ask(&self, words: &[&str]) -> Option<Vec<u8>> {
        self.ask_with(words, &[])
    }

    fn ask_with(&self, words: &[&str], input: &[u8]) -> Option<Vec<u8>> {
        let words: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
        let (folder, most, index) = (self.folder, MOST_BYTES, None);
        let question = GitQuestion { folder, words: &words, input, most, index };
        let said = self.git.answer(&question).ok()?;
        (said.exit == Some(0)).then_some(said.out)
    }

    /// Asks git about these files alone.
    fn ask_of(&self, words: &[&str], paths: &[String]) -> Option<Vec<u8>> {
        let words = std::iter::once("--literal-pathspecs").chain(words.iter().copied());
        let paths = paths.iter().map(String::as_str);
        self.ask(&words.chain(["--"]).chain(paths).collect::<Vec<_>>())
    }

    /// Returns those of these files that later commits in the checked-out history changed.
    pub fn logged_since(&self, commit: Option<&str>, paths: &[String]) -> Option<BTreeSet<String>> {
        let not = since(commit);
        let mut log = vec!["log", "-z", "--format=", "--name-only", "--no-renames", "--relative"];
        log.extend(["HEAD"].into_iter().chain(not.as_deref()));
        Some(names(&self.ask_of(&log, paths)?).collect())
    }

    /// Collects the lines that commits after `commit`, in the checked-out history, added to these
    /// files.
    pub fn committed_lines(&self, commit: Option<&str>, paths: &[String], lines: &mut LineSet) {
        let not = since(commit);
        let mut log = vec!["log", "--format=", "-p", "-a", "-U0", "--no-color", "--no-renames"];
        log.extend(["--relative", "HEAD"].into_iter().chain(not.as_deref()));
        let said = self.ask_of(&log, paths).unwrap_or_default();
        for line in said.split(|byte| *byte == b'\n').filter_map(|line| line.strip_prefix(b"+")) {
            lines.add(line);
        }
    }

    /// Returns those of these files that equal their version in a commit.
    pub fn as_in(&self, commit: &str, paths: &[String]) -> BTreeSet<String> {
        let mut words = vec!["diff", "--name-only", "-z", "--relative", "--no-renames"];
        words.extend(["--ignore-submodules", commit]);
        let said = if is_commit(commit) { self.ask_of(&words, paths) } else { None };
        let Some(said) = said else { return BTreeSet::new() };
        let other: BTreeSet<String> = names(&said).collect();
        paths.iter().filter(|path| !other.contains(*path)).cloned().collect()
    }

    pub fn uncommitted(&self) -> Uncommitted {
        let mut words = vec!["diff", "--name-status", "-z", "--relative", "--no-renames"];
        words.extend(["--ignore-submodules", "HEAD"]);
        let (mut loose, mut edited) = (self.loose().unwrap_or_default(), Vec::new());
        match self.ask(&words) {
            Some(told) => {
                for pair in names(&told).collect::<Vec<_>>().chunks_exact(2) {
                    // A staged file is not in a commit yet.
                    let of = if pair[0] == "A" { &mut loose } else { &mut edited };
                    of.push(pair[1].clone());
                }
            }
            // Before the first commit, every file is uncommitted.
            None => loose.extend(names(&self.ask(&["ls-files", "-z"]).unwrap_or_default())),
        }
        loose.retain(|path| apart(path.as_bytes()).is_none());
        edited.retain(|path| apart(path.as_bytes()).is_none());
        Uncommitted { loose, edited }
    }

    /// Returns the text of a file in a commit.
    pub fn committed(&self, commit: &str, path: &str) -> Option<Vec<u8>> {
        self.ask(&["cat-file", "blob", &format!("{commit}:./{path}")])
    }

    /// Returns the files that differ from a commit or are unknown to git.
    pub fn changed_since(&self, commit: Option<&str>) -> Vec<String> {
        let mut words = vec!["diff", "--name-only", "-z", "--relative", "--no-renames"];
        words
            .extend(["--ignore-submodules", commit.filter(|one| is_commit(one)).unwrap_or("HEAD")]);
        let changed = self.ask(&words).unwrap_or_default();
        names(&changed).chain(self.loose().unwrap_or_default()).collect()
    }

    /// Returns the files in which two commits differ, or all files of the later one.
    pub fn changed_between(&self, before: Option<&str>, after: &str) -> Vec<String> {
        let said = match before {
            Some(before) => {
                let mut words = vec!["diff", "--name-only", "-z", "--relative", "--no-renames"];
                words.extend(["--end-of-options", before, after]);
                self.ask(&words)
            }
            None => self.ask(&["ls-tree", "-r", "-z", "--name-only", after]),
        };
        names(&said.unwrap_or_default()).collect()
    }

    /// Returns the texts with names such as `HEAD:code.txt`, in order; `None` for an unknown name.
    pub fn texts(&self, named: impl Iterator<Item = String>) -> Vec<Option<Vec<u8>>> {
        // A name with a line break would be read as two names. `-` names nothing.
        let named = named.map(|name| if name.contains('\n') { "-".to_owned() } else { name });
        let named: Vec<String> = named.collect();
        if named.is_empty() {
            return Vec::new();
        }
        let input: String = named.iter().flat_map(|name| [name.as_str(), "\n"]).collect();
        let said = self.ask_with(&["cat-file", "--batch"], input.as_bytes()).unwrap_or_default();
        let mut texts = ObjectTexts(&said).collect::<Vec<_>>();
        texts.resize(named.len(), None);
        texts
    }

    /// Resolves a name to a commit.
    pub fn commit_of(&self, name: &str) -> Option<String> {
        line(&self.ask(&["rev-parse", "--verify", "--quiet", "--end-of-options", name])?)
    }

    pub fn merge_base(&self, one: &str, other: &str) -> Option<String> {
        line(&self.ask(&["merge-base", one, other])?)
    }

    /// Returns the branches that contain one of these commits and are not merged into HEAD.
    pub fn branches_with(&self, commits: &[String]) -> Vec<String> {
        let with: Vec<String> = commits.iter().map(|one| format!("--contains={one}")).collect();
        let mut words = vec!["for-each-ref", "--format=%(refname)", "--no-merged=HEAD"];
        words.extend(with.iter().map(String::as_str).chain(["refs/heads"]));
        branches(&self.ask(&words).unwrap_or_default())
    }

    /// Returns the places besides the files where text may be, each with its name in git.
    pub fn places(&self) -> Vec<(OtherLocation, String)> {
        let mut all = vec![(OtherLocation::Index, String::new())];
        let stashes = Git::around(self.folder).ok().flatten().map(|git| stashes(&git));
        for stash in stashes.into_iter().flatten().take(MOST_STASHES) {
            // The third parent of a stash holds the untracked files.
            all.extend([format!("{stash}^3"), stash].map(|commit| (OtherLocation::Stash, commit)));
        }
        let words = ["for-each-ref", "--format=%(refname)", "--sort=-committerdate", MOST_BRANCHES];
        let said = self.ask(&[&words[..], &["refs/heads"]].concat()).unwrap_or_default();
        let branches = branches(&said).into_iter();
        all.extend(
            branches
                .map(|name| (OtherLocation::Branch(name.clone()), format!("refs/heads/{name}"))),
        );
        all
    }

    /// Returns the files that git does not track.
    pub fn loose(&self) -> Option<Vec<String>> {
        let told = self.ask(&["ls-files", "-z", "--others", "--exclude-standard"])?;
        Some(names(&told).collect())
    }

    /// Returns the hash of git's empty tree.
    pub fn nothing(&self) -> Option<String> {
        let tree = self.ask(&["hash-object", "-t", "tree", "--stdin"])?;
        String::from_utf8(tree).ok().map(|tree| tree.trim().to_owned())
    }

    /// Returns the last commit before a point in time.
    pub fn last_before(&self, moment: Time) -> Option<String> {
        let before = format!("--before={moment}");
        line(&self.ask(&["rev-list", "-1", &before, "HEAD"])?)
    }
}

/// Splits a NUL-separated answer into names.
pub fn names(out: &[u8]) -> impl Iterator<Item = String> {
    let names = out.split(|&byte| byte == 0).filter(|name| !name.is_empty());
    names.map(|name| String::from_utf8_lossy(name).into_owned())
}

/// Returns the argument that excludes a commit and all its ancestors.
fn since(commit: Option<&str>) -> Option<String> {
    commit.filter(|commit| is_commit(commit)).map(|commit| format!("^{commit}"))
}

/// Parses an answer that is a single commit.
fn line(said: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(said).ok()?.lines().next()?.trim().to_owned();
    is_commit(&line).then_some(line)
}

fn branches(said: &[u8]) -> Vec<String> {
    let said = String::from_utf8_lossy(said);
    said.lines().filter_map(|line| line.strip_prefix("refs/heads/")).map(str::to_owned).collect()
}

/// The unread rest of an answer of `git cat-file --batch`.
struct ObjectTexts<'s>(&'s [u8]);

impl Iterator for ObjectTexts<'_> {
    /// The text, if the name is that of a file.
    type Item = Option<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        let end = self.0.iter().position(|byte| *byte == b'\n')?;
        let (head, rest) = (&self.0[..end], &self.0[end + 1..]);
        let head = String::from_utf8_lossy(head);
        let mut words = head.split(' ');
        let (id, kind, size) = (words.next()?, words.next(), words.next());
        let size = size.and_then(|size| size.parse::<usize>().ok()).filter(|_| is_commit(id));
        let Some(text) = size.and_then(|size| rest.get(..size)) else {
            self.0 = rest;
            return Some(None);
        };
        self.0 = rest.get(text.len() + 1..).unwrap_or_default();
        Some((kind == Some("blob")).then(|| text.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_from_names_that_mean_nothing() {
        let id = "a".repeat(40);
        let said =
            format!("{id} blob 4\na\nb\n\nHEAD:no x missing\n{id} tree 1\nx\n{id} blob 0\n\n");
        let texts: Vec<_> = ObjectTexts(said.as_bytes()).collect();
        assert_eq!(texts, [Some(b"a\nb\n".to_vec()), None, None, Some(Vec::new())]);
    }
}
