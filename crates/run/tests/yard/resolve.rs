//! A conflict is work for an agent.

use std::path::{Path, PathBuf};

use sprag_run::worktrees::{Merged, Resolving, Worktree, Worktrees};

use crate::world::{World, commit, id, merge, read, write};

/// Two agents changed the same line; the first one is merged.
fn clash(world: &World) -> (Worktrees, Worktree) {
    let yard = world.yard();
    let trees = ["t1", "t2"].map(|name| yard.take(&id(name)).unwrap());
    for tree in &trees {
        write(tree, "a.txt", &format!("one\n{}\nthree\n", tree.name()));
    }
    write(&trees[0], "b.txt", "changed\n");
    std::fs::remove_file(trees[1].root().join("b.txt")).unwrap();
    for tree in &trees {
        commit(&yard, tree);
    }
    assert!(matches!(merge(&yard, &trees[0]), Merged::Kept(_)));
    let [_, second] = trees;
    (yard, second)
}

fn paths(names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(PathBuf::from).collect()
}

#[test]
fn an_agent_resolves_a_conflict_in_its_own_files_and_then_it_merges() {
    let world = World::new();
    let (yard, tree) = clash(&world);
    let both = paths(&["a.txt", "b.txt"]);
    assert_eq!(merge(&yard, &tree), Merged::Conflict(both.clone()));
    assert_eq!(yard.unresolved(&tree).unwrap(), paths(&[]));
    assert_eq!(yard.begin_resolving(&tree).unwrap(), Resolving::Conflict(both.clone()));
    // A merge that was cut off and begun again finds the same conflict.
    assert_eq!(yard.begin_resolving(&tree).unwrap(), Resolving::Conflict(both.clone()));
    assert_eq!(yard.unresolved(&tree).unwrap(), both);
    let text = read(tree.root(), "a.txt").unwrap();
    assert!(text.contains("\n>>>>>>> refs/heads/sprag/r-test\n"), "{text}");
    write(&tree, "a.txt", "one\nboth\nthree\n");
    assert_eq!(yard.unresolved(&tree).unwrap(), paths(&["b.txt"]), "no decision yet");
    world.git_at(tree.folder(), &["rm", "-q", "b.txt"]);
    assert_eq!(yard.unresolved(&tree).unwrap(), paths(&[]));
    commit(&yard, &tree);
    assert!(matches!(merge(&yard, &tree), Merged::Kept(_)));
    let root = yard.root().unwrap();
    assert_eq!(read(&root, "a.txt").unwrap(), "one\nboth\nthree\n");
    assert!(!root.join("b.txt").exists());
}

#[test]
fn a_merge_that_was_cut_off_while_it_wrote_files_is_not_taken_for_work() {
    let world = World::new();
    let (yard, tree) = clash(&world);
    let admin = world.env.project().join(".git/worktrees/project-r-test-t2");
    let cut_off = || {
        std::fs::write(admin.join("sprag-resolving"), "").unwrap();
        std::fs::write(admin.join("index.lock"), "half").unwrap();
        write(&tree, "a.txt", "half written");
        write(&tree, "not yet in the index", "x\n");
    };
    cut_off();
    commit(&yard, &tree);
    assert_eq!(world.git_at(tree.folder(), &["log", "--format=%s"]), "work\nfirst");
    cut_off();
    let both = paths(&["a.txt", "b.txt"]);
    assert_eq!(yard.begin_resolving(&tree).unwrap(), Resolving::Conflict(both.clone()));
    // Once git has recorded the merge, the agent's changes to it are work.
    std::fs::write(admin.join("sprag-resolving"), "").unwrap();
    write(&tree, "a.txt", "one\nboth\nthree\n");
    assert_eq!(yard.begin_resolving(&tree).unwrap(), Resolving::Conflict(both));
    assert_eq!(read(tree.root(), "a.txt").unwrap(), "one\nboth\nthree\n");
}

#[test]
fn marks_that_an_agent_commits_are_still_seen() {
    let world = World::new();
    let (yard, tree) = clash(&world);
    yard.begin_resolving(&tree).unwrap();
    world.git_at(tree.folder(), &["rm", "-q", "b.txt"]);
    world.git_at(tree.folder(), &["commit", "-qam", "done!"]);
    assert_eq!(yard.unresolved(&tree).unwrap(), paths(&["a.txt"]));
}

#[test]
fn without_a_conflict_an_agent_is_brought_up_to_date() {
    let world = World::new();
    let yard = world.yard();
    let trees = ["t1", "t2"].map(|name| yard.take(&id(name)).unwrap());
    for tree in &trees {
        write(tree, tree.name().as_str(), "x\n");
        commit(&yard, tree);
    }
    merge(&yard, &trees[0]);
    assert!(matches!(yard.begin_resolving(&trees[1]).unwrap(), Resolving::UpToDate(_)));
    assert_eq!(read(trees[1].root(), "t1").unwrap(), "x\n");
    let strays = yard.strays(&trees[1], &[]).unwrap();
    assert_eq!(strays, [Path::new("t2")], "the work of others is not its own");
}

#[test]
fn what_was_not_declared_is_flagged() {
    let world = World::new();
    let yard = world.yard();
    let tree = yard.take(&id("t1")).unwrap();
    for name in ["src/a.rs", "src/deep/b.rs", "docs/x.md", "tests/t.rs", "a.txt", "weird\nname"] {
        write(&tree, name, "x\n");
    }
    commit(&yard, &tree);
    write(&tree, "later", "not committed\n");
    let declared = ["./src/", "docs/*.md", "tests/t.rs", "../a.txt"].map(str::to_owned);
    let strays = yard.strays(&tree, &declared).unwrap();
    assert_eq!(strays, paths(&["a.txt", "later", "weird\nname"]));
}
