//! Worktrees are set up before any agent works in them.

use sprag_run::worktrees::WorktreesError;

use crate::world::{World, id, read};

const IGNORED: &str = "/.env\n/deps/\n/out/\n/done\n/seen\n";

fn world(config: &str) -> World {
    let world = World::new().configured(config);
    world.env.write(".gitignore", IGNORED);
    world.env.write(".env", "SECRET=1\n");
    world.env.write("deps/one/index.js", "1\n");
    world.env.write("out/big", "not wanted\n");
    world
}

fn why(world: &World) -> (String, String) {
    match world.open() {
        Err(WorktreesError::SetUp { what, why, tail }) => (what, format!("{why}|{tail}")),
        other => panic!("{other:?}"),
    }
}

#[test]
fn ignored_files_are_copied_and_commands_run_in_every_worktree() {
    let text = "worktree: {copy: [.env, deps], env: {PORT: 8080}, setup: \
        [[sh, -c, 'cat .env > done; echo $PORT $GIT_DIR $GITHUB_TOKEN >> done']]}";
    let mut world = world(text);
    world.env.link("one/index.js", "deps/link");
    world.env.set("GITHUB_TOKEN", "secret");
    world.env.set("GIT_DIR", "");
    let yard = world.yard();
    let tree = yard.take(&id("t1")).unwrap();
    for root in [tree.root(), &yard.root().unwrap()] {
        assert_eq!(read(root, ".env").unwrap(), "SECRET=1\n");
        assert_eq!(read(root, "deps/link").unwrap(), "1\n");
        assert!(root.join("deps/link").is_symlink() && !root.join("deps").is_symlink());
        assert_eq!(read(root, "done").unwrap(), "SECRET=1\n8080\n");
        assert!(!root.join("out").exists());
    }
    // An existing worktree is not set up again.
    std::fs::remove_file(tree.root().join("done")).unwrap();
    yard.take(&id("t1")).unwrap();
    assert!(!tree.root().join("done").exists());
    assert_eq!(yard.variables(), [("PORT".to_owned(), "8080".to_owned())]);
}

#[test]
fn a_set_up_that_fails_says_why_and_is_tried_again() {
    let text = "worktree: {setup: [[sh, -c, 'echo first; echo no network >&2; test -e ../go']]}";
    let world = world(text);
    let (what, said) = why(&world);
    assert!(what.starts_with("sh -c"), "{what}");
    assert_eq!(said, "it exited with 1|first\nno network");
    std::fs::write(world.env.top().join("go"), "").unwrap();
    world.yard();
    let missing = World::new().configured("worktree: {setup: [no-such-program]}");
    assert_eq!(why(&missing).1, "the program `no-such-program` was not found|");
    let dirty = World::new().configured("worktree: {setup: [[sh, -c, 'echo x >> a.txt']]}");
    assert_eq!(why(&dirty).1, "it changed files that git does not ignore: a.txt|");
}

#[test]
fn nothing_runs_that_no_person_approved() {
    for text in ["worktree: {setup: [touch seen]}", "worktree: {env: {PATH: /evil}}"] {
        let mut world = world(text);
        world.trusted = false;
        let refused = world.open().unwrap_err();
        assert!(matches!(&refused, WorktreesError::Untrusted { .. }), "{refused}");
        assert!(!world.env.top().join("project-r-test").exists());
        assert_eq!(world.env.git(&["branch", "--list", "sprag/*"]), "");
    }
    // The same command with other variables needs a new approval.
    let approved = world("worktree: {setup: [touch seen], env: {PATH: /bin}}");
    approved.yard();
    let mut changed = approved.configured("worktree: {setup: [touch seen], env: {PATH: /evil}}");
    changed.trusted = false;
    let refused = changed.open().unwrap_err().to_string();
    assert_eq!(refused, "`touch seen` is not yet allowed to run here");
}

#[test]
fn nothing_is_copied_from_or_to_outside_the_project() {
    let world = world("worktree: {copy: ['**']}");
    world.env.write(".sprag/cache/secret", "state");
    world.env.link("../../home", "deps/home");
    assert_eq!(
        why(&world).1,
        "it links to `../../home`, outside the project|let a `setup` command make it"
    );
    world.env.remove("deps/home");
    let yard = world.yard();
    assert!(!yard.root().unwrap().join(".sprag/cache").exists());
    assert_eq!(read(&yard.root().unwrap(), "out/big").unwrap(), "not wanted\n");
    // An agent's branch replaces a folder with a link.
    let tree = yard.take(&id("t1")).unwrap();
    std::fs::remove_dir_all(tree.root().join("deps")).unwrap();
    let home = world.env.home();
    std::os::unix::fs::symlink(&home, tree.root().join("deps")).unwrap();
    crate::world::write(&tree, ".gitignore", "/.env\n/out/\n");
    crate::world::commit(&yard, &tree);
    crate::world::merge(&yard, &tree);
    let refused = yard.take(&id("t2")).unwrap_err().to_string();
    assert!(refused.contains("is no folder"), "{refused}");
    assert!(!home.join("one").exists());
}
