//! Committing an agent's changes.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use sprag_run::worktrees::{Merged, UnmergedWork, Worktree, WorktreesError};
use sprag_world::root::{self, RootSearch};

use crate::world::{World, commit, id, merge, read, work, write};

#[test]
fn everything_an_agent_left_is_committed_and_nothing_is_said_to_be_nothing() {
    let world = World::new();
    let yard = world.yard();
    let tree = yard.take(&id("t1")).unwrap();
    assert_eq!(yard.commit(&tree, "nothing").unwrap(), UnmergedWork::Nothing);
    write(&tree, "new/deep \"file\"\n", "new\n");
    write(&tree, "a.txt", "changed\n");
    std::fs::remove_file(tree.root().join("b.txt")).unwrap();
    // A file becomes a folder.
    commit(&yard, &tree);
    std::fs::remove_file(tree.root().join("a.txt")).unwrap();
    write(&tree, "a.txt/inside", "x\n");
    commit(&yard, &tree);
    assert_eq!(world.git_at(tree.folder(), &["status", "--porcelain"]), "");
    let files = world.git_at(tree.folder(), &["ls-tree", "-rz", "--name-only", "HEAD"]);
    let files: Vec<_> = files.split_terminator('\0').collect();
    assert_eq!(
        files,
        [".sprag/.gitignore", ".sprag/config.yaml", "a.txt/inside", "new/deep \"file\"\n"]
    );
    let who = world.git_at(tree.folder(), &["log", "-1", "--format=%an <%ae> %s"]);
    assert_eq!(who, "Test <test@example.com> work");
}

#[test]
fn what_an_agent_commits_itself_counts_wherever_it_went() {
    let world = World::new();
    let yard = world.yard();
    let own = yard.take(&id("own")).unwrap();
    write(&own, "x", "x\n");
    world.git_at(own.folder(), &["add", "."]);
    world.git_at(own.folder(), &["commit", "-qm", "mine"]);
    assert!(matches!(yard.commit(&own, "rest").unwrap(), UnmergedWork::UpTo(_)));
    for (name, words) in [
        ("aside", &["checkout", "-qb", "aside"][..]),
        ("off", &["checkout", "-q", "--detach"]),
        ("gone", &["checkout", "-qb", "other"]),
    ] {
        let tree = yard.take(&id(name)).unwrap();
        world.git_at(tree.folder(), words);
        if name == "gone" {
            world.git_at(tree.folder(), &["branch", "-qD", tree.branch()]);
        }
        write(&tree, name, "x\n");
        let done = commit(&yard, &tree);
        assert_eq!(world.env.git(&["rev-parse", tree.branch()]).trim_end(), done.as_str());
        assert!(matches!(merge(&yard, &tree), Merged::Kept(_)));
        assert_eq!(read(&yard.root().unwrap(), name).unwrap(), "x\n");
    }
    let lost = yard.take(&id("lost")).unwrap();
    world.git_at(lost.folder(), &["checkout", "-q", "--orphan", "elsewhere"]);
    world.git_at(lost.folder(), &["commit", "-qm", "another history"]);
    assert!(matches!(yard.commit(&lost, "x"), Err(WorktreesError::Strayed { .. })));
    let back = |tree: &Worktree| match yard.go_back(tree) {
        Err(WorktreesError::Strayed { back, .. }) => back,
        other => panic!("it has left its branch: {other:?}"),
    };
    let (at, own) = (lost.folder(), lost.branch());
    assert_eq!(back(&lost), format!("git -C {} switch {own}", at.display()));
    world.git_at(at, &["branch", "-qD", own]);
    let command = back(&lost);
    world.git_at(at, &command.split(' ').skip(3).collect::<Vec<_>>());
    yard.go_back(&lost).unwrap();
    assert_eq!(yard.commit(&lost, "x").unwrap(), UnmergedWork::Nothing, "{command}");
    // An orphan branch does not descend from the agent's branch either.
    world.git_at(at, &["checkout", "-q", "--orphan", "empty"]);
    assert_eq!(back(&lost), format!("git -C {} switch {own}", at.display()));
}

#[test]
fn host_hooks_signatures_and_editors_of_the_repository_are_not_asked() {
    let world = World::new();
    for name in [
        "pre-commit",
        "post-checkout",
        "commit-msg",
        "post-merge",
        "prepare-commit-msg",
        "post-commit",
        "reference-transaction",
        "post-index-change",
    ] {
        let path = world.env.project().join(".git/hooks").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "#!/bin/sh\necho ran >> \"$HOME/ran\"\nexit 1\n").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    for (key, value) in [
        ("commit.gpgSign", "true"),
        ("gpg.program", "/bin/false"),
        ("core.editor", "/bin/false"),
        ("merge.verifySignatures", "true"),
        ("branch.autoSetupMerge", "always"),
        ("core.safecrlf", "true"),
        ("core.autocrlf", "input"),
    ] {
        world.env.git(&["config", key, value]);
    }
    let settings = world.env.read(".git/config");
    let yard = world.yard();
    work(&yard, "t1", "crlf", "a\r\nb\n");
    assert_eq!(world.env.read(".git/config"), settings);
    assert!(!world.env.home().join("ran").exists());
}

#[test]
fn variables_of_git_lead_nowhere_else_and_nobody_in_particular_is_somebody() {
    let mut world = World::new();
    world.env.git(&["init", "-q", "../other"]);
    for (name, value) in [
        ("GIT_AUTHOR_NAME", ""),
        ("GIT_AUTHOR_EMAIL", ""),
        ("GIT_COMMITTER_NAME", ""),
        ("GIT_COMMITTER_EMAIL", ""),
    ] {
        world.env.set(name, value);
    }
    let other = world.env.top().join("other/.git").display().to_string();
    world.env.set("GIT_DIR", &other);
    world.env.set("GIT_INDEX_FILE", "/nowhere/index");
    world.env.set("GIT_WORK_TREE", "/nowhere");
    let yard = world.yard();
    let tree = work(&yard, "t1", "x", "x\n");
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
        world.env.set(name, "");
    }
    let out = std::process::Command::new("git")
        .args(["-C", tree.folder().to_str().unwrap(), "log", "-1", "--format=%an <%ae>"])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&out.stdout), "sprag <sprag@localhost>\n");
}

#[test]
fn a_hostile_state_folder_in_a_branch_does_no_harm() {
    let world = World::new();
    let yard = world.yard();
    let tree = yard.take(&id("t1")).unwrap();
    std::fs::remove_dir_all(tree.root().join(".sprag")).unwrap();
    let aim = world.env.top().join("aim");
    std::fs::create_dir(&aim).unwrap();
    std::os::unix::fs::symlink(&aim, tree.root().join(".sprag")).unwrap();
    commit(&yard, &tree);
    let strays = yard.strays(&tree, &["src".to_owned()]).unwrap();
    assert_eq!(strays, [".sprag", ".sprag/config.yaml"].map(Path::new));
    assert!(matches!(merge(&yard, &tree), Merged::Kept(_)));
    work(&yard, "t2", "x", "x\n");
    world.yard();
    assert_eq!(std::fs::read_dir(&aim).unwrap().count(), 0, "nothing was written through it");
    for folder in [tree.root(), &yard.root().unwrap()] {
        let found = root::find(RootSearch { folder, home: None, named: None }).unwrap().unwrap();
        assert_eq!(found.state, world.env.project(), "the state is that of the main worktree");
    }
    assert!(world.env.read(".sprag/config.yaml").is_some());
}

#[test]
fn a_repository_inside_is_left_where_it_is_and_never_thrown_away() {
    let world = World::new();
    let yard = world.yard();
    let tree = yard.take(&id("t1")).unwrap();
    world.git_at(tree.folder(), &["init", "-q", "inner"]);
    write(&tree, "inner/file", "x\n");
    world.git_at(&tree.folder().join("inner"), &["add", "."]);
    world.git_at(&tree.folder().join("inner"), &["commit", "-qm", "inner"]);
    assert_eq!(yard.commit(&tree, "x").unwrap(), UnmergedWork::Nothing);
    let kept = yard.put_away(&tree).unwrap();
    assert!(format!("{kept:?}").contains("not committed: inner/"), "{kept:?}");
}
