//! Reads the refs of a repository and the ends of its reflogs, without starting git.

use std::collections::BTreeMap;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use sprag_core::{Hash, Hashing};

use super::head::commit;
use super::{Git, read};

/// How many files of refs and reflogs are read; beyond that, git is faster.
const MOST_FILES: usize = 600;
/// How many bytes at the end of each reflog are compared.
const LOG_END: u64 = 1 << 10;

/// Every ref of a repository, and the state of all its reflogs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefState {
    /// The objects that the refs name.
    pub refs: BTreeMap<String, String>,
    /// When a ref last moved, in seconds, as far as the reflogs record it.
    pub moved: i64,
    /// While this is the same, git knows the same commits by its refs and reflogs.
    pub mark: Hash,
}

impl RefState {
    /// Reads the state of the repository around a folder. `None` if git has to be asked: the refs
    /// are stored in another format, are too many, or one of them cannot be read.
    pub fn around(folder: &Path) -> Option<Self> {
        let git = Git::around(folder).ok().flatten()?;
        let common = git.common();
        if common.join("reftable").exists() {
            return None;
        }
        let mut files = RefFiles { left: MOST_FILES, ..RefFiles::default() };
        files.list(common, "refs")?;
        files.list(common, "logs")?;
        files.found.insert("HEAD".to_owned(), common.join("HEAD"));
        for worktree in names(&common.join("worktrees"))? {
            let own = format!("worktrees/{worktree}");
            files.found.insert(format!("{own}/HEAD"), common.join(&own).join("HEAD"));
            files.list(common, &format!("{own}/refs"))?;
            files.list(common, &format!("{own}/logs"))?;
        }
        let mut state = RefReading::default();
        let packed = common.join("packed-refs");
        if packed.exists() {
            state.take_packed(&read(&packed).ok()?)?;
        }
        // Without its prefix, a ref of this worktree has the name by which git lists it.
        let own = git.worktree().map(|name| format!("worktrees/{name}/")).unwrap_or_default();
        for (name, path) in &files.found {
            state.take(name, own.as_str(), path)?;
        }
        Some(state.finish())
    }
}

/// The files of refs and reflogs, by their names below git's folder.
#[derive(Default)]
struct RefFiles {
    found: BTreeMap<String, PathBuf>,
    left: usize,
}

impl RefFiles {
    /// Adds all files below a folder. `None` if there are too many, or one of them is a link.
    fn list(&mut self, common: &Path, folder: &str) -> Option<()> {
        let mut open = vec![folder.to_owned()];
        while let Some(folder) = open.pop() {
            for name in names(&common.join(&folder))? {
                self.left = self.left.checked_sub(1)?;
                let name = format!("{folder}/{name}");
                let path = common.join(&name);
                let kind = path.symlink_metadata().ok()?.file_type();
                if kind.is_dir() {
                    open.push(name);
                } else if kind.is_file() {
                    self.found.insert(name, path);
                } else {
                    return None;
                }
            }
        }
        Some(())
    }
}

/// Lists a folder; a missing one is empty. `None` if it cannot be read.
fn names(folder: &Path) -> Option<Vec<String>> {
    match std::fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| entry.ok()?.file_name().into_string().ok()).collect(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some(Vec::new()),
        Err(_) => None,
    }
}

#[derive(Default)]
struct RefReading {
    refs: BTreeMap<String, String>,
    /// The refs that only name another ref.
    symbolic: Vec<(String, String)>,
    moved: i64,
    mark: Hashing,
}

impl RefReading {
    fn take_packed(&mut self, text: &str) -> Option<()> {
        self.note("packed-refs", text);
        // A line with `^` names the commit of the tag before it.
        for line in text.lines().filter(|line| !line.starts_with(['#', '^'])) {
            let (object, name) = line.split_once(' ')?;
            self.refs.insert(name.to_owned(), commit(object)?);
        }
        Some(())
    }

    /// Reads one file. `None` if it is not what git writes.
    fn take(&mut self, name: &str, own: &str, path: &Path) -> Option<()> {
        let below = name.strip_prefix("worktrees/").and_then(|rest| rest.split_once('/'));
        if below.map_or(name, |(_, rest)| rest).starts_with("logs/") {
            return self.take_log(name, path);
        }
        // git writes a ref beside its place first.
        if name.rsplit('.').next() == Some("lock") {
            return None;
        }
        let text = read(path).ok()?;
        self.note(name, &text);
        let listed = name.strip_prefix(own).filter(|rest| rest.starts_with("refs/"));
        if let Some(listed) = listed.or_else(|| name.starts_with("refs/").then_some(name)) {
            match text.trim_end().strip_prefix("ref: ") {
                Some(other) => self.symbolic.push((listed.to_owned(), other.to_owned())),
                None => drop(self.refs.insert(listed.to_owned(), commit(text.trim_end())?)),
            }
        }
        Some(())
    }

    fn take_log(&mut self, name: &str, path: &Path) -> Option<()> {
        let mut file = sprag_store::peek(path).ok()?;
        let length = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(LOG_END))).ok()?;
        let mut bytes = Vec::new();
        file.take(LOG_END).read_to_end(&mut bytes).ok()?;
        let end = String::from_utf8_lossy(&bytes);
        self.note(&format!("{name} {length}"), &end);
        if let Some(line) = end.lines().last() {
            self.moved = self.moved.max(moved_at(line).unwrap_or(i64::MAX));
        }
        Some(())
    }

    /// Adds a file to the mark.
    fn note(&mut self, name: &str, text: &str) {
        self.mark.update(format!("{name} {}\n", text.len()));
        self.mark.update(text);
    }

    fn finish(mut self) -> RefState {
        for (name, other) in self.symbolic {
            if let Some(object) = self.refs.get(&other).cloned() {
                self.refs.insert(name, object);
            }
        }
        RefState { refs: self.refs, moved: self.moved, mark: self.mark.finish() }
    }
}

/// Returns the time of a reflog's line, in seconds.
fn moved_at(line: &str) -> Option<i64> {
    let who = line.split_once('\t').map_or(line, |(who, _)| who);
    who.rsplit(' ').nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use sprag_testkit::TestEnv;

    use super::*;

    fn state(folder: &Path) -> RefState {
        RefState::around(folder).unwrap()
    }

    /// Returns the refs as git lists them.
    fn of_git(env: &TestEnv, folder: &str) -> BTreeMap<String, String> {
        let words = ["-C", folder, "for-each-ref", "--format=%(refname) %(objectname)"];
        let said = env.git(&words);
        let pairs = said.lines().map(|line| line.split_once(' ').unwrap());
        pairs.map(|(name, object)| (name.to_owned(), object.to_owned())).collect()
    }

    fn repository() -> TestEnv {
        let env = TestEnv::new();
        env.git(&["init", "-q"]);
        env.git(&["commit", "-q", "--allow-empty", "-m", "one"]);
        env
    }

    #[test]
    fn the_refs_are_those_that_git_lists() {
        let env = repository();
        env.git(&["branch", "a/b"]);
        env.git(&["tag", "-a", "v1", "-m", "annotated"]);
        env.git(&["pack-refs", "--all"]);
        env.git(&["commit", "-q", "--allow-empty", "-m", "two"]);
        env.git(&["update-ref", "refs/remotes/origin/main", "HEAD~1"]);
        env.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
        env.git(&["worktree", "add", "-q", "../linked", "-b", "side"]);
        env.git(&["-C", "../linked", "bisect", "start"]);
        env.git(&["-C", "../linked", "bisect", "bad"]);
        assert_eq!(state(&env.project()).refs, of_git(&env, "."));
        assert_eq!(state(&env.top().join("linked")).refs, of_git(&env, "../linked"));
    }

    #[test]
    fn every_commit_that_git_learns_of_changes_the_mark() {
        let env = repository();
        env.git(&["worktree", "add", "-q", "--detach", "../linked"]);
        let mut marks = vec![state(&env.project()).mark];
        let tree = env.git(&["rev-parse", "HEAD^{tree}"]);
        let loose = env.git(&["commit-tree", &tree, "-m", "made apart"]);
        for words in [
            &["commit", "-q", "--allow-empty", "-m", "two"][..],
            &["commit", "-q", "--amend", "--allow-empty", "-m", "amended"],
            &["reset", "-q", "--hard", "HEAD~1"],
            &["-C", "../linked", "commit", "-q", "--allow-empty", "-m", "elsewhere"],
            &["-C", "../linked", "reset", "-q", "--hard", "HEAD~1"],
            &["update-ref", "refs/heads/apart", &loose],
            &["update-ref", "-d", "refs/heads/apart"],
            &["tag", "v1", &loose],
            &["pack-refs", "--all"],
        ] {
            env.git(words);
            let mark = state(&env.project()).mark;
            if words[0] == "update-ref" && words[1] == "-d" {
                assert_eq!(mark, marks[marks.len() - 2], "git has forgotten the branch");
            } else {
                assert!(!marks.contains(&mark), "{words:?}");
            }
            marks.push(mark);
        }
        assert_eq!(state(&env.project()).mark, state(&env.project()).mark);
    }

    #[test]
    fn it_says_when_a_ref_last_moved() {
        let env = repository();
        let log = std::fs::read_to_string(env.project().join(".git/logs/HEAD")).unwrap();
        let time = state(&env.project()).moved;
        assert!(log.contains(&format!(" {time} +0000\t")), "{log}");
        env.write(".git/logs/HEAD", "no line of git's");
        assert_eq!(state(&env.project()).moved, i64::MAX);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "breaks git's files, not our state")]
    fn what_cannot_be_read_here_is_left_to_git() {
        let env = repository();
        let around = || RefState::around(&env.project());
        assert!(around().is_some());
        env.write(".git/refs/heads/broken", "no commit\n");
        assert_eq!(around(), None);
        env.write(".git/refs/heads/broken", "");
        std::fs::remove_file(env.project().join(".git/refs/heads/broken")).unwrap();
        std::os::unix::fs::symlink("main", env.project().join(".git/refs/heads/link")).unwrap();
        assert_eq!(around(), None);
        std::fs::remove_file(env.project().join(".git/refs/heads/link")).unwrap();
        assert!(around().is_some());
        let commit = env.git(&["rev-parse", "HEAD"]);
        for nth in 0..=MOST_FILES {
            env.write(format!(".git/refs/tags/{nth}"), format!("{commit}\n"));
        }
        assert_eq!(around(), None);
    }
}
