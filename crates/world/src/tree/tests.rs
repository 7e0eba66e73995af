//! Trees of real folders and real repositories.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use sprag_testkit::TestEnv;

use super::*;

/// The environment for git in these tests, without this machine's settings.
fn environment() -> Vec<(OsString, OsString)> {
    let path = std::env::vars_os().find(|(name, _)| name == "PATH");
    let fixed = [("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")];
    let fixed = fixed.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    path.into_iter().chain(fixed).collect()
}

fn place(env: &TestEnv) -> Place {
    Place::of(env.project())
}

/// Scans the tree with the existing table and again without; the results must be equal.
#[track_caller]
fn take(env: &TestEnv) -> Tree {
    let place = place(env);
    let quick = Tree::take(&place, &environment()).unwrap();
    let listing = listing::list(&place.root, &environment()).unwrap();
    let slow = Table::of(&place.root, &listing, None, 0, None).unwrap();
    assert_eq!(quick, Tree::of(slow.entries), "the table and the disk disagree");
    quick
}

fn paths(tree: &Tree) -> Vec<String> {
    tree.files().iter().map(|file| String::from_utf8_lossy(&file.path).into_owned()).collect()
}

fn repository() -> TestEnv {
    let env = TestEnv::new();
    env.git(&["init", "-q"]);
    env.write(".gitignore", "target/\n*.o\n");
    env.write("src/a.rs", "one");
    env.write("src/b.rs", "two");
    env.write(".sprag/config.yaml", "v: 1\n");
    env.git(&["add", "-A"]);
    env.git(&["commit", "-qm", "first"]);
    env
}

#[track_caller]
fn assert_change(env: &TestEnv, before: &Tree, names: &[&str]) -> Tree {
    let after = take(env);
    assert_eq!(after.changed_since(before), names);
    assert_eq!(after.hash() == before.hash(), names.is_empty());
    after
}

#[test]
fn what_counts_is_tracked_or_untracked_and_not_ignored() {
    let env = repository();
    let first = take(&env);
    assert_eq!(paths(&first), [".gitignore", "src/a.rs", "src/b.rs"]);
    env.write("target/debug/x", "ignored");
    env.write("src/c.o", "ignored");
    for apart in [".sprag/runs/r/run.yaml", ".gsd/STATE.md", ".chipset/state/x", ".thoughts/y"] {
        env.write(apart, "not a part of it");
    }
    env.write(".claude/settings.local.json", "{}");
    env.write(".opencode/x", "");
    assert_change(&env, &first, &[]);
    env.write("src/c.rs", "untracked");
    env.write("new/folder/d.rs", "untracked");
    let second = assert_change(&env, &first, &["new/folder/d.rs", "src/c.rs"]);
    env.git(&["add", "-A"]);
    assert_change(&env, &second, &[]);
    env.git(&["commit", "-qm", "second"]);
    assert_change(&env, &second, &[]);
}

#[test]
fn every_kind_of_change_is_seen() {
    let env = repository();
    let root = env.project();
    let mut tree = take(&env);
    env.write("src/a.rs", "uno");
    tree = assert_change(&env, &tree, &["src/a.rs"]);
    std::fs::set_permissions(root.join("src/a.rs"), PermissionsExt::from_mode(0o755)).unwrap();
    tree = assert_change(&env, &tree, &["src/a.rs"]);
    rename(&root.join("src/b.rs"), &root.join("src/z.rs"));
    tree = assert_change(&env, &tree, &["src/b.rs", "src/z.rs"]);
    remove(&root.join("src/z.rs"));
    tree = assert_change(&env, &tree, &["src/z.rs"]);
    env.link("a.rs", "src/link");
    tree = assert_change(&env, &tree, &["src/link"]);
    remove(&root.join("src/link"));
    env.link("b.rs", "src/link");
    tree = assert_change(&env, &tree, &["src/link"]);
    remove(&root.join("src/link"));
    env.write("src/link", "b.rs");
    tree = assert_change(&env, &tree, &["src/link"]);
    let odd = root.join(OsStr::from_bytes(b"src/\xff\n .rs"));
    put(&odd, "not text");
    tree = assert_change(&env, &tree, &["src/\u{fffd}\n .rs"]);
    put(&odd, "changed");
    tree = assert_change(&env, &tree, &["src/\u{fffd}\n .rs"]);
    remove(&root.join("src/a.rs"));
    env.write("src/a.rs/inside", "a folder now");
    assert_change(&env, &tree, &["src/a.rs", "src/a.rs/inside"]);
}

#[test]
fn a_change_of_what_is_ignored_is_seen() {
    let env = repository();
    env.write("src/c.o", "an object");
    let mut tree = take(&env);
    env.git(&["add", "-f", "src/c.o"]);
    tree = assert_change(&env, &tree, &["src/c.o"]);
    env.git(&["rm", "-q", "--cached", "src/c.o"]);
    tree = assert_change(&env, &tree, &["src/c.o"]);
    env.write(".gitignore", "target/\n");
    tree = assert_change(&env, &tree, &[".gitignore", "src/c.o"]);
    env.write(".git/info/exclude", "*.o\n");
    tree = assert_change(&env, &tree, &["src/c.o"]);
    // An ignore file that ignores itself.
    env.write("src/.gitignore", ".gitignore\n");
    env.write("src/d.txt", "");
    tree = assert_change(&env, &tree, &["src/d.txt"]);
    env.write("src/.gitignore", ".gitignore\n*.txt\n");
    assert_change(&env, &tree, &["src/d.txt"]);
}

#[test]
fn a_file_in_a_folder_that_was_empty_is_seen() {
    let env = repository();
    make(&env.project().join("empty/inner"));
    make(&env.project().join(":(glob)odd/*"));
    env.write("objects/x.o", "only ignored files");
    let tree = take(&env);
    env.write("empty/inner/new", "");
    let tree = assert_change(&env, &tree, &["empty/inner/new"]);
    env.write("objects/new", "");
    let tree = assert_change(&env, &tree, &["objects/new"]);
    env.write(":(glob)odd/*/new", "");
    assert_change(&env, &tree, &[":(glob)odd/*/new"]);
}

#[test]
fn the_same_size_within_the_same_tick_is_seen() {
    let env = repository();
    let mut tree = take(&env);
    for round in 0..50 {
        env.write("src/a.rs", format!("{round:03}"));
        tree = assert_change(&env, &tree, &["src/a.rs"]);
    }
}

#[test]
fn a_time_that_was_set_back_does_not_deceive() {
    let env = repository();
    let tree = take(&env);
    let path = env.project().join("src/a.rs");
    let then = path.metadata().unwrap().modified().unwrap();
    std::thread::sleep(Duration::from_millis(60));
    env.write("src/a.rs", "eno");
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(then).unwrap();
    assert_change(&env, &tree, &["src/a.rs"]);
}

#[test]
fn submodules_and_clones_inside_count_and_worktrees_do_not() {
    let env = repository();
    let other = env.top().join("other");
    make(&other);
    env.git(&["init", "-q", "../other"]);
    put(&other.join("lib.c"), "int x;");
    env.git(&["-C", "../other", "add", "-A"]);
    env.git(&["-C", "../other", "commit", "-qm", "x"]);
    env.git(&["submodule", "--quiet", "add", "../other", "vendor/sub"]);
    env.git(&["commit", "-qm", "sub"]);
    env.git(&["clone", "-q", "../other", "clone"]);
    let mut tree = take(&env);
    assert!(paths(&tree).contains(&"vendor/sub/lib.c".to_owned()), "{:?}", paths(&tree));
    assert!(paths(&tree).contains(&"clone/lib.c".to_owned()));
    env.write("vendor/sub/lib.c", "int y;");
    tree = assert_change(&env, &tree, &["vendor/sub/lib.c"]);
    env.write("clone/new.c", "");
    tree = assert_change(&env, &tree, &["clone/new.c"]);
    env.git(&["worktree", "add", "-q", "trees/one"]);
    tree = assert_change(&env, &tree, &[]);
    env.write("trees/one/src/a.rs", "another agent's work");
    tree = assert_change(&env, &tree, &[]);
    env.git(&["submodule", "--quiet", "deinit", "-f", "vendor/sub"]);
    assert_change(&env, &tree, &["vendor/sub/lib.c"]);
}

#[test]
fn a_linked_worktree_has_a_tree_and_a_table_of_its_own() {
    let env = repository();
    let main = take(&env);
    env.git(&["worktree", "add", "-q", "../linked"]);
    let worktree = Some(sprag_store::Worktree("linked".to_owned()));
    let linked = Place { root: env.top().join("linked"), worktree, ..place(&env) };
    let tree = Tree::take(&linked, &environment()).unwrap();
    assert_eq!(tree.hash(), main.hash());
    put(&linked.root.join("src/a.rs"), "only here");
    let changed = Tree::take(&linked, &environment()).unwrap();
    assert_eq!(changed.changed_since(&tree), ["src/a.rs"]);
    assert_change(&env, &main, &[]);
    let tables = env.files().into_iter().filter(|file| file.starts_with(".sprag/cache/tree"));
    assert_eq!(tables.count(), 2);
}

#[test]
fn a_project_below_the_top_of_its_repository_has_only_its_own_files() {
    let env = repository();
    env.write("app/.sprag/config.yaml", "v: 1\n");
    env.write("app/main.rs", "");
    env.write("app/x.log", "");
    let app = Place::of(env.project().join("app"));
    let take = || Tree::take(&app, &environment()).unwrap();
    let before = take();
    assert_eq!(paths(&before), ["main.rs", "x.log"]);
    env.write(".gitignore", "*.log\n");
    assert_eq!(take().changed_since(&before), ["x.log"]);
}

#[test]
fn a_repository_that_ignores_the_whole_project_is_not_asked() {
    let env = TestEnv::new();
    env.git(&["init", "-q"]);
    env.write(".gitignore", "*\n");
    env.write("app/.sprag/config.yaml", "v: 1\n");
    env.write("app/main.rs", "");
    let app = Place::of(env.project().join("app"));
    let take = || Tree::take(&app, &environment()).unwrap();
    let before = take();
    assert_eq!(paths(&before), ["main.rs"]);
    env.write("app/new.rs", "");
    assert_eq!(take().changed_since(&before), ["new.rs"]);
}

#[test]
fn without_git_or_its_index_files_are_found_all_the_same() {
    let env = repository();
    let tree = take(&env);
    remove(&env.project().join(".git/index"));
    assert_change(&env, &tree, &[]);
    env.write("target/x", "ignored");
    // With no git to be found, everything counts.
    let bare = [(OsString::from("PATH"), OsString::from("/nonexistent"))];
    remove(&env.project().join(".sprag/cache/tree"));
    let all = Tree::take(&place(&env), &bare).unwrap();
    assert_eq!(all.changed_since(&tree), ["target/x"]);

    let plain = TestEnv::new();
    plain.write("a", "1");
    plain.write("b/c", "2");
    plain.write(".sprag/config.yaml", "");
    let before = take_plain(&plain);
    assert_eq!(paths(&before), ["a", "b/c"]);
    plain.write("b/d", "3");
    assert_eq!(take_plain(&plain).changed_since(&before), ["b/d"]);
}

fn take_plain(env: &TestEnv) -> Tree {
    Tree::take(&place(env), &environment()).unwrap()
}

#[test]
fn git_runs_nothing_of_the_repository_and_writes_nothing() {
    let env = repository();
    let trap = env.top().join("ran");
    let command = format!("sh -c 'touch {}; cat'", trap.display());
    env.git(&["config", "core.fsmonitor", &command]);
    env.git(&["config", "filter.trap.clean", &command]);
    env.git(&["config", "filter.trap.process", &command]);
    env.git(&["config", "core.hooksPath", "hooks"]);
    env.write("hooks/post-index-change", format!("#!/bin/sh\n{command}\n"));
    env.write(".gitattributes", "* filter=trap\n");
    env.write("src/a.rs", "changed");
    let before = sprag_testkit::folder::entries(&env.project().join(".git")).unwrap();
    take(&env);
    assert!(!trap.exists(), "a program of the repository ran");
    assert_eq!(sprag_testkit::folder::entries(&env.project().join(".git")).unwrap(), before);
}

#[test]
fn variables_that_lead_git_astray_are_not_passed_on() {
    let env = repository();
    let tree = take(&env);
    env.write("src/new.rs", "so that git is asked");
    let astray = [("GIT_DIR", "/nonexistent"), ("GIT_INDEX_FILE", "x"), ("GIT_WORK_TREE", "/")];
    let astray = astray.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let environment: Vec<_> = environment().into_iter().chain(astray).collect();
    let after = Tree::take(&place(&env), &environment).unwrap();
    assert_eq!(after.changed_since(&tree), ["src/new.rs"]);
}

#[test]
fn what_cannot_be_told_is_an_error() {
    let env = TestEnv::new();
    env.git(&["init", "-q"]);
    env.write(".git/config", "[core\n");
    let error = Tree::take(&place(&env), &environment()).unwrap_err();
    assert!(matches!(error, TreeError::Git { .. }), "{error}");
}

#[test]
fn pipes_are_left_alone_and_a_broken_table_counts_as_none() {
    let env = repository();
    let made = env.command("mkfifo").arg("src/pipe").status().unwrap();
    assert!(made.success());
    let tree = take(&env);
    assert_eq!(paths(&tree), [".gitignore", "src/a.rs", "src/b.rs"]);
    for broken in ["", "sprag tree 1", "nonsense that is long enough"] {
        env.write(".sprag/cache/tree", broken);
        assert_change(&env, &tree, &[]);
    }
    let table = std::fs::read(env.project().join(".sprag/cache/tree")).unwrap();
    let mut bad = table.clone();
    bad[table.len() / 2] ^= 1;
    env.write(".sprag/cache/tree", bad);
    assert_change(&env, &tree, &[]);
}

/// Creates a sparse file that is larger than any disk here.
fn stretch(env: &TestEnv, name: &str, size: &str) {
    assert!(env.command("truncate").args(["-s", size, name]).status().unwrap().success());
}

#[test]
fn a_file_that_is_too_large_to_be_read_is_told_by_its_size_and_times() {
    let env = repository();
    let small = take(&env);
    // At a few GB per second, reading it would exceed the test's time limit.
    stretch(&env, "big.img", "4T");
    let big = assert_change(&env, &small, &["big.img"]);
    assert_change(&env, &big, &[]);
    let written = env.command("dd").args(["if=.gitignore", "of=big.img", "conv=notrunc"]).status();
    assert!(written.unwrap().success());
    let written = assert_change(&env, &big, &["big.img"]);
    assert!(env.command("chmod").args(["+x", "big.img"]).status().unwrap().success());
    let program = assert_change(&env, &written, &["big.img"]);
    env.write("big.img", "small again");
    assert_change(&env, &program, &["big.img"]);
}

#[test]
fn whoever_asks_for_the_end_waits_for_no_file() {
    let env = repository();
    let stop = StopHandle::new().unwrap();
    let take = || Tree::take_unless(&place(&env), &environment(), Some(&stop));
    take().unwrap();
    env.write("src/a.rs", "changed");
    stop.ask();
    assert!(matches!(take().unwrap_err(), TreeError::Interrupted));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "measures")]
fn two_thousand_files_unchanged_need_no_git() {
    let env = repository();
    for number in 0..2000 {
        env.write(format!("src/d{}/f{number}.rs", number % 50), format!("fn f{number}() {{}}"));
    }
    env.write("target/debug/x", "ignored");
    take(&env);
    std::thread::sleep(Duration::from_millis(60));
    let tree = take(&env);
    // Calling git would fail here, and then the ignored file would count.
    let bare = [(OsString::from("PATH"), OsString::from("/nonexistent"))];
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        assert_eq!(Tree::take(&place(&env), &bare).unwrap().hash(), tree.hash());
        best = best.min(start.elapsed());
    }
    println!("2,000 files unchanged: {best:?}");
    assert!(best < Duration::from_millis(500), "{best:?}");
    env.write("src/d1/f1.rs", "changed, and still no name came or went");
    let changed = Tree::take(&place(&env), &bare).unwrap();
    assert_eq!(changed.changed_since(&tree), ["src/d1/f1.rs"]);
}

#[expect(clippy::disallowed_methods, reason = "a test's own folder")]
fn rename(from: &Path, to: &Path) {
    std::fs::rename(from, to).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "a test's own folder")]
fn remove(path: &Path) {
    std::fs::remove_file(path).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "a test's own folder")]
fn make(path: &Path) {
    std::fs::create_dir_all(path).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "a test's own folder")]
fn put(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
}
