//! A repository that tries to run programs in every possible way: none of them runs.
#![expect(clippy::disallowed_methods, reason = "it plants files")]

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use sprag_testkit::TestEnv;

use super::*;

/// Every hook that git knows.
const HOOKS: [&str; 22] = [
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-receive",
    "post-rewrite",
    "post-update",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "pre-receive",
    "prepare-commit-msg",
    "push-to-checkout",
    "reference-transaction",
    "update",
];

/// A repository full of traps, each of which leaves a file.
struct Trap {
    env: TestEnv,
}

impl Trap {
    fn new() -> Self {
        let env = TestEnv::new();
        env.git(&["init", "-q"]);
        for name in ["a", "b", "c"] {
            env.write(name, "1\n");
        }
        env.git(&["add", "."]);
        env.git(&["commit", "-qm", "one"]);
        env.git(&["branch", "side"]);
        env.write("a", "2\n");
        env.git(&["commit", "-qam", "two"]);
        env.git(&["tag", "base"]);
        let trap = Self { env };
        trap.plant();
        trap
    }

    fn sprung(&self) -> PathBuf {
        self.env.top().join("sprung")
    }

    fn environment(&self) -> Vec<(OsString, OsString)> {
        let mut all = vec![
            ("PATH".into(), std::env::var_os("PATH").unwrap()),
            ("HOME".into(), self.env.home().into()),
        ];
        for (name, value) in [
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_AUTHOR_NAME", "a"),
            ("GIT_AUTHOR_EMAIL", "a@a"),
            ("GIT_COMMITTER_NAME", "a"),
            ("GIT_COMMITTER_EMAIL", "a@a"),
        ] {
            all.push((name.into(), value.into()));
        }
        all
    }

    fn plant(&self) {
        let script = format!("#!/bin/sh\necho \"$0 $*\" >> {}\n", self.sprung().display());
        let evil = self.env.project().join(".git/evil");
        let run = |path: &Path| {
            std::fs::write(path, &script).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(path, mode).unwrap();
        };
        run(&evil);
        for hook in HOOKS {
            run(&self.env.project().join(".git/hooks").join(hook));
        }
        let evil = evil.display();
        let mut config = std::fs::read(self.env.project().join(".git/config")).unwrap();
        config.extend_from_slice(b"[filter \"y\xff\"]\n");
        config.extend_from_slice(format!("\tclean = {evil} clean; cat\n").as_bytes());
        config.extend_from_slice(format!("\tsmudge = {evil} smudge; cat\n").as_bytes());
        let more = format!(
            "[filter \"long\"]\n\tprocess = {evil} process\n\
             [merge \"m\"]\n\tdriver = {evil} merge\n\
             [diff \"d\"]\n\ttextconv = {evil} textconv\n\tcommand = {evil} command\n\
             [diff]\n\texternal = {evil} external\n\
             [core]\n\tfsmonitor = {evil}\n\tsshCommand = {evil}\n\tpager = {evil}\n\
             \teditor = {evil}\n\tgitProxy = {evil}\n\talternateRefsCommand = {evil}\n\
             [commit]\n\tgpgSign = true\n[tag]\n\tgpgSign = true\n[push]\n\tgpgSign = true\n\
             [log]\n\tshowSignature = true\n[gpg]\n\tprogram = {evil}\n\
             [credential]\n\thelper = {evil}\n[sequence]\n\teditor = {evil}\n\
             [remote \"origin\"]\n\turl = ssh://localhost/x\n\tpromisor = true\n\
             [uploadpack]\n\tpackObjectsHook = {evil}\n\
             [alias]\n\tls-files = !{evil}\n\
             [hook \"h\"]\n\tcommand = {evil}\n\tevent = pre-commit\n"
        );
        config.extend_from_slice(more.as_bytes());
        std::fs::write(self.env.project().join(".git/config"), config).unwrap();
        self.env.write(".git/info/attributes", b"a filter=y\xff diff=d merge=m\n");
        self.env.write(".gitattributes", b"b filter=long diff=d merge=m\nc diff=d merge=m\n");
    }

    /// Changes a file such that git has to read it.
    fn touch(&self) {
        for name in ["a", "b", "c"] {
            self.env.write(name, "3\n");
        }
    }

    fn asked(&self, git: &QuietGit, words: &[&str]) -> crate::process::ToolOutput {
        let said = git.ask(&self.env.project(), words, b"").unwrap();
        let sprung = std::fs::read_to_string(self.sprung());
        assert!(sprung.is_err(), "git {words:?} ran {}", sprung.unwrap());
        said
    }
}

#[test]
fn the_traps_work() {
    let trap = Trap::new();
    trap.touch();
    let words: [&[&str]; 4] =
        [&["status"], &["diff", "HEAD"], &["add", "c"], &["commit", "-m", "x", "--allow-empty"]];
    for words in words {
        let _ = trap.env.command("git").args(words).output().unwrap();
        assert!(trap.sprung().exists(), "{words:?}");
        std::fs::remove_file(trap.sprung()).unwrap();
    }
}

#[test]
fn nothing_runs_when_git_is_asked_about_files_and_history() {
    let trap = Trap::new();
    trap.touch();
    for git in [QuietGit::reading(&trap.environment()), QuietGit::of_remotes(&trap.environment())] {
        let questions: [&[&str]; 10] = [
            &["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            &["diff", "--numstat", "-z", "HEAD"],
            &["diff", "side", "base"],
            &["diff"],
            &["log", "-p", "--branches", "HEAD"],
            &["show", "HEAD"],
            &["status", "--porcelain"],
            &["diff-files", "-p"],
            &["rev-list", "-1", "HEAD"],
            &["hash-object", "--", "a"],
        ];
        for words in questions {
            assert_eq!(trap.asked(&git, words).exit, Some(0), "{words:?}");
        }
        // Remote access is off.
        assert_eq!(trap.asked(&git, &["fetch", "origin"]).exit, Some(128));
    }
}

#[test]
fn nothing_of_the_repository_runs_when_git_writes() {
    let trap = Trap::new();
    let git = QuietGit::writing(&trap.environment());
    for path in [".git/info/attributes", ".gitattributes"] {
        trap.env.write(path, "");
    }
    trap.env.write("c", "3\n");
    for words in [
        &["update-index", "--add", "c"][..],
        &["commit", "-qm", "three"],
        &["tag", "-m", "x", "x"],
        &["update-ref", "refs/heads/new", "HEAD"],
    ] {
        let said = trap.asked(&git, words);
        assert_eq!(said.exit, Some(0), "{words:?}: {}", said.complaint);
    }
    // A file that needs a filter of the repository is refused, never written without it.
    trap.plant();
    for words in [&["worktree", "add", "-q", "../linked", "side"][..], &["add", "a"], &["add", "b"]]
    {
        trap.touch();
        let said = trap.asked(&git, words);
        assert!(said.exit != Some(0) && said.complaint.contains("filter"), "{words:?}: {said:?}");
    }
}

#[test]
fn a_merge_driver_of_the_repository_makes_a_conflict() {
    let trap = Trap::new();
    trap.env.write(".git/info/attributes", "a merge=m\n");
    trap.env.write(".gitattributes", "");
    let git = QuietGit::writing(&trap.environment());
    let side = ["worktree", "add", "-q", "../linked", "side"];
    assert_eq!(trap.asked(&git, &side).exit, Some(0));
    let linked = trap.env.top().join("linked");
    std::fs::write(linked.join("a"), "other\n").unwrap();
    let ask = |words: &[&str]| git.ask(&linked, words, b"").unwrap();
    assert_eq!(ask(&["commit", "-qam", "other"]).exit, Some(0));
    assert_eq!(ask(&["merge", "-q", "main"]).exit, Some(1));
    assert!(!trap.sprung().exists());
}

#[test]
fn a_persons_own_filter_runs_when_git_writes() {
    let trap = Trap::new();
    trap.env.write(".git/info/attributes", "a filter=mine\n");
    trap.env.write("../home/own", "[filter \"mine\"]\n\tclean = tr 3 4\n");
    trap.env.write(".git/config", "[filter \"mine\"]\n\tclean = false\n\trequired = true\n");
    let mut environment = trap.environment();
    environment.retain(|(name, _)| name != "GIT_CONFIG_GLOBAL");
    environment.push(("GIT_CONFIG_GLOBAL".into(), trap.env.home().join("own").into()));
    let git = QuietGit::writing(&environment);
    trap.touch();
    assert_eq!(trap.asked(&git, &["update-index", "a"]).exit, Some(0));
    assert_eq!(trap.asked(&git, &["show", ":a"]).out, b"4\n");
}

#[test]
fn a_submodule_is_not_looked_into() {
    let trap = Trap::new();
    let env = &trap.env;
    env.write(".git/config", "[core]\n\trepositoryformatversion = 0\n");
    for hook in HOOKS {
        env.remove(format!(".git/hooks/{hook}"));
    }
    env.git(&["submodule", "--quiet", "add", "./", "sub"]);
    let evil = env.project().join(".git/evil");
    env.git(&["-C", "sub", "config", "filter.e.clean", &format!("{}; cat", evil.display())]);
    std::fs::write(env.project().join("sub/.gitattributes"), "c filter=e\n").unwrap();
    std::fs::write(env.project().join("sub/c"), "3\n").unwrap();
    for git in [QuietGit::reading(&trap.environment()), QuietGit::writing(&trap.environment())] {
        for words in [&["status"][..], &["diff", "HEAD"], &["diff-files"], &["diff-index", "HEAD"]]
        {
            assert_eq!(trap.asked(&git, words).exit, Some(0), "{words:?}");
        }
    }
}

#[test]
fn git_is_found_in_absolute_folders_alone() {
    let trap = Trap::new();
    let evil = trap.env.project().join(".git/evil");
    for name in ["git", "bin/git"] {
        trap.env.write(name, "");
        std::fs::copy(&evil, trap.env.project().join(name)).unwrap();
    }
    let mut environment = trap.environment();
    let path = environment[0].1.clone();
    for before in [":", "bin:", ".:", "./bin:", "..:"] {
        let mut value = OsString::from(before);
        value.push(&path);
        environment[0].1 = value;
        let said = trap.asked(&QuietGit::reading(&environment), &["rev-parse", "HEAD"]);
        assert_eq!(said.exit, Some(0), "{before}");
    }
    environment[0].1 = ".:bin".into();
    let git = QuietGit::reading(&environment);
    let missing = git.ask(&trap.env.project(), &["rev-parse", "HEAD"], b"").unwrap_err();
    assert_eq!(missing.kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn the_repository_is_the_one_that_we_found() {
    let trap = Trap::new();
    let git = QuietGit::reading(&trap.environment());
    let top = |folder: &Path| git.ask(folder, &["rev-parse", "--show-toplevel"], b"").unwrap();
    trap.env.git(&["config", "core.worktree", "/"]);
    let said = top(&trap.env.project()).out;
    let expected = trap.env.project();
    assert_eq!(OsStr::from_bytes(said.trim_ascii_end()), expected.as_os_str());
    // A bare repository in a folder does not belong to the working tree.
    trap.env.git(&["init", "-q", "--bare", "inner"]);
    let said = top(&trap.env.project().join("inner")).out;
    assert_eq!(OsStr::from_bytes(said.trim_ascii_end()), expected.as_os_str());
    trap.env.write("sub/.git", "gitdir: ../nowhere\n");
    let said = top(&trap.env.project().join("sub"));
    assert!(said.exit == Some(128) && said.complaint.contains("nowhere"), "{said:?}");
}

#[test]
fn another_users_repository_is_named() {
    let env = TestEnv::new();
    env.git(&["init", "-q"]);
    let git = Git::around(&env.project()).unwrap().unwrap();
    let me = std::os::unix::fs::MetadataExt::uid(&env.project().metadata().unwrap());
    assert_eq!(git.stranger(me), None);
    assert_eq!(git.stranger(0), None, "root has the folders of others mounted");
    let said = git.stranger(me + 1).unwrap();
    assert!(said.contains("belongs to another user") && said.contains("safe.directory"), "{said}");
}

/// Writes a `.git` file in a folder next to the project.
fn linked(env: &TestEnv, gitdir: &str) -> PathBuf {
    env.write("../linked/.git", format!("gitdir: {gitdir}\n"));
    env.top().join("linked")
}

#[test]
fn a_forged_worktree_is_none_of_the_repository() {
    let env = Trap::new().env;
    let none = |folder: &Path| assert_eq!(Git::around(folder).unwrap(), None);
    // Its own git folder names the other one as shared.
    let forged = linked(&env, "g");
    env.write("../linked/g/commondir", "../../project/.git\n");
    env.write("../linked/g/HEAD", "ref: refs/heads/main\n");
    none(&forged);
    // It even claims to be registered.
    env.write("../linked/g/gitdir", forged.join(".git").to_str().unwrap());
    none(&forged);
    // The other's own folder.
    none(&linked(&env, "../project/.git"));
    // The git folder of another worktree.
    env.write(".git/config", "");
    env.git(&["worktree", "add", "-q", "../real", "side"]);
    none(&linked(&env, "../project/.git/worktrees/real"));
    assert!(Git::around(&env.top().join("real")).unwrap().is_some());
    // A folder of its own that contains a link, and a link to the other's.
    std::fs::remove_dir_all(&forged).unwrap();
    env.write("../linked/.git/commondir", "../../project/.git\n");
    none(&forged);
    std::fs::remove_dir_all(&forged).unwrap();
    std::fs::create_dir(&forged).unwrap();
    std::os::unix::fs::symlink("../project/.git", forged.join(".git")).unwrap();
    none(&forged);
}

#[test]
fn a_worktree_that_was_moved_belongs_to_it_once_it_is_repaired() {
    let env = Trap::new().env;
    env.write(".git/config", "");
    env.git(&["worktree", "add", "-q", "../real", "side"]);
    let (old, new) = (env.top().join("real"), env.top().join("moved"));
    std::fs::rename(old, &new).unwrap();
    assert_eq!(Git::around(&new).unwrap(), None);
    env.git(&["worktree", "repair", "../moved"]);
    assert!(Git::around(&new).unwrap().is_some());
}
