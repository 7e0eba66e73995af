//! T1 for the worktrees of a run: the process in a yard is killed at every call of git, before it,
//! after it, and while git continues alone; another process takes over. The work is merged exactly
//! once, and the user's files do not change.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Output;

use sprag_testkit::TestEnv;
use sprag_testkit::folder::{self, Entry};
use sprag_testkit::skip::is_long;

use crate::project::is_killed;

/// Kills its caller at one of its calls; otherwise runs git.
const GIT: &str = "#!/bin/sh
echo \"$*\" >> \"$YARD_CALLS\"
if [ $(wc -l < \"$YARD_CALLS\") = \"$YARD_LAST\" ]; then
  case $YARD_HOW in
    before) kill -9 $PPID; exit 1 ;;
    after) \"$YARD_GIT\" \"$@\"; kill -9 $PPID; exit 1 ;;
    during) \"$YARD_GIT\" \"$@\" <&0 & kill -9 $PPID; wait; exit 1 ;;
  esac
fi
exec \"$YARD_GIT\" \"$@\"
";
const WAYS: [&str; 3] = ["before", "after", "during"];

struct World {
    env: TestEnv,
    path: String,
}

impl World {
    fn new() -> Self {
        let env = TestEnv::new();
        env.git(&["init", "-q"]);
        env.write(".sprag/config.yaml", "v: 1\n");
        env.write(".sprag/.gitignore", "/cache/\n");
        env.write("a.txt", "a\n");
        env.git(&["add", "."]);
        env.git(&["commit", "-qm", "first"]);
        env.write("a.txt", "not committed\n");
        let tools = env.top().join("tools");
        std::fs::create_dir(&tools).unwrap();
        std::fs::write(tools.join("git"), GIT).unwrap();
        std::fs::set_permissions(tools.join("git"), PermissionsExt::from_mode(0o755)).unwrap();
        let path = std::env::var("PATH").unwrap();
        Self { path: format!("{}:{path}", tools.display()), env }
    }

    /// Drives, and is killed at call number `last`.
    fn drive(&self, last: usize, how: &str) -> Output {
        let mut command = self.env.command(env!("CARGO_BIN_EXE_drive-yard"));
        command.arg(self.env.project()).env("PATH", &self.path);
        command.env("YARD_CALLS", self.calls_file()).env("YARD_LAST", last.to_string());
        command.env("YARD_HOW", how).env("YARD_GIT", real_git());
        command.env_remove("SPRAG_TEST_IDS").env_remove("SPRAG_TEST_NOW");
        let _ = std::fs::remove_file(self.calls_file());
        command.output().unwrap()
    }

    fn calls_file(&self) -> PathBuf {
        self.env.top().join("calls")
    }

    fn calls(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.calls_file()).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    /// Returns the user's files, without those of git and sprag.
    fn persons(&self) -> Vec<(String, Entry)> {
        let ours = |name: &String| name.starts_with(".git/") || name.starts_with(".sprag/cache");
        let found = folder::entries(&self.env.project()).unwrap();
        found.into_iter().filter(|(name, _)| !ours(name)).collect()
    }

    fn check(&self, what: &str, before: &[(String, Entry)]) {
        let git = |words: &[&str]| self.env.git(words).trim_end().to_owned();
        assert_eq!(self.persons(), before, "{what}");
        let merges = git(&["log", "--merges", "--format=%s", "sprag/r-test"]);
        assert_eq!(merges, "Merge sprag/r-test-t1 into sprag/r-test", "{what}: once");
        assert_eq!(git(&["show", "sprag/r-test:a.txt"]), "changed", "{what}");
        assert_eq!(git(&["rev-parse", "--abbrev-ref", "HEAD"]), "main", "{what}");
        assert_eq!(git(&["branch", "--list", "--format=%(refname:short)"]), "main\nsprag/r-test");
        let folder = self.env.top().join("project-r-test");
        let at = |words: &[&str]| git(&[&["-C", folder.to_str().unwrap()], words].concat());
        assert_eq!(at(&["status", "--porcelain"]), "", "{what}");
        assert_eq!(at(&["symbolic-ref", "--short", "HEAD"]), "sprag/r-test", "{what}");
        assert!(!self.env.top().join("project-r-test-t1").exists(), "{what}");
        assert_eq!(git(&["status", "--porcelain"]), " M a.txt", "{what}");
        assert_eq!(git(&["fsck", "--strict", "--no-dangling"]), "", "{what}");
    }
}

fn real_git() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let mut all = std::env::split_paths(&path).map(|folder| folder.join("git"));
    all.find(|git| git.is_file()).unwrap()
}

#[test]
fn a_kill_at_any_call_of_git_is_before_or_after() {
    let world = World::new();
    let before = world.persons();
    let whole = world.drive(0, "");
    assert!(whole.status.success(), "{whole:?}");
    world.check("without a kill", &before);
    let calls = world.calls();
    let at = |part: &str| calls.iter().position(|call| call.contains(part)).unwrap() + 1;
    let merge = at("update-ref --no-deref HEAD")..=at("symbolic-ref HEAD refs/heads");
    let mut kills = 0;
    for last in 1..=calls.len() {
        let own = WAYS[last % WAYS.len()];
        // The short form tries every call of a merge, and one in four of the others.
        let is_tried = merge.contains(&last) || last % 4 == 1;
        let is_meant = |how: &str| is_long() || (is_tried && how == own);
        for how in WAYS.into_iter().filter(|how| is_meant(how)) {
            let what = format!("killed {how} call {last}: git {}", calls[last - 1]);
            let world = World::new();
            let killed = world.drive(last, how);
            assert!(is_killed(&killed), "{what}: {killed:?}");
            kills += 1;
            let next = world.drive(0, "");
            assert!(next.status.success(), "{what}: {next:?}");
            world.check(&what, &before);
        }
    }
    println!("{kills} kills at {} calls of git, {merge:?} of them a merge's", calls.len());
    assert!(merge.clone().count() > 6, "{merge:?}");
}
