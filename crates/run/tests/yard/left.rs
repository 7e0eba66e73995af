//! Worktrees that are removed, that must stay, and that are left over.

use sprag_run::worktrees::{Leftover, RemovedWorktree, leftovers};

use crate::world::{World, commit, id, merge, read, work, write};

fn kept(away: RemovedWorktree) -> String {
    match away {
        RemovedWorktree::Gone => panic!("it is gone"),
        RemovedWorktree::Kept { why } => why,
    }
}

fn left(world: &World) -> Vec<Leftover> {
    leftovers(&world.place(), &world.variables()).unwrap()
}

#[test]
fn only_what_is_merged_and_clean_is_put_away() {
    let world = World::new();
    let yard = world.yard();
    let tree = yard.take(&id("t1")).unwrap();
    write(&tree, "x", "x\n");
    assert_eq!(kept(yard.put_away(&tree).unwrap()), "not committed: x");
    commit(&yard, &tree);
    assert_eq!(kept(yard.put_away(&tree).unwrap()), "`sprag/r-test-t1` is not merged");
    merge(&yard, &tree);
    write(&tree, "later", "x\n");
    assert_eq!(kept(yard.put_away(&tree).unwrap()), "not committed: later");
    std::fs::remove_file(tree.root().join("later")).unwrap();
    write(&tree, "aside", "x\n");
    world.git_at(tree.folder(), &["checkout", "-q", "--detach"]);
    world.git_at(tree.folder(), &["add", "."]);
    world.git_at(tree.folder(), &["commit", "-qm", "aside"]);
    assert_eq!(kept(yard.put_away(&tree).unwrap()), "what is checked out there is not merged");
    commit(&yard, &tree);
    merge(&yard, &tree);
    assert_eq!(yard.put_away(&tree).unwrap(), RemovedWorktree::Gone);
    assert!(!tree.folder().exists());
    assert_eq!(world.env.git(&["branch", "--list", tree.branch()]), "");
    assert_eq!(world.env.git(&["worktree", "list"]).lines().count(), 2);
    assert_eq!(yard.put_away(&tree).unwrap(), RemovedWorktree::Gone, "and stays so");
    // The name is free again, and its new worktree contains all merged work.
    let again = yard.take(&id("t1")).unwrap();
    assert_eq!(read(again.root(), "aside").unwrap(), "x\n");
}

#[test]
fn a_folder_that_somebody_removed_comes_back_with_its_work() {
    let world = World::new();
    let yard = world.yard();
    let tree = yard.take(&id("t1")).unwrap();
    write(&tree, "x", "x\n");
    commit(&yard, &tree);
    std::fs::remove_dir_all(tree.folder()).unwrap();
    assert_eq!(kept(yard.put_away(&tree).unwrap()), "`sprag/r-test-t1` is not merged");
    let again = yard.take(&id("t1")).unwrap();
    assert_eq!(read(again.root(), "x").unwrap(), "x\n");
    std::fs::remove_dir_all(yard.folder().unwrap()).unwrap();
    let yard = world.yard();
    assert_eq!(read(&yard.root().unwrap(), "b.txt").unwrap(), "b\n");
}

#[test]
fn what_is_left_is_listed_with_its_size() {
    let world = World::new();
    assert_eq!(left(&world), []);
    let yard = world.yard();
    work(&yard, "done", "x", "x\n");
    let open = yard.take(&id("open")).unwrap();
    write(&open, "y", &"y".repeat(10_000));
    commit(&yard, &open);
    write(&open, "z", "not committed");
    let found = left(&world);
    let said: Vec<_> = found
        .iter()
        .map(|one| (one.branch.as_str(), one.is_merged, one.is_clean, one.is_safe()))
        .collect();
    let expected = [
        ("sprag/r-test", false, true, false),
        ("sprag/r-test-done", true, true, true),
        ("sprag/r-test-open", false, false, false),
    ];
    assert_eq!(said, expected);
    assert_eq!(found[2].folder.as_deref(), Some(open.folder()));
    assert!(found[2].bytes > 10_000 && found[1].bytes < 10_000, "{found:?}");
    world.env.git(&["merge", "-q", "sprag/r-test"]);
    assert!(left(&world)[0].is_safe(), "a person took it over");
}

#[test]
fn a_project_without_git_has_nothing_left() {
    assert_eq!(left(&World::bare()), []);
}

#[test]
fn whether_a_person_has_it_is_not_said_of_more_than_can_be_compared() {
    let world = World::new();
    let yard = world.yard();
    for (name, length, is_applied) in [("small", 1, true), ("large", 1 << 20, false)] {
        let text = "12345678\n".repeat(length);
        work(&yard, name, name, &text);
        world.env.write(name, &text);
        let found = left(&world);
        assert_eq!(found[0].branch, "sprag/r-test");
        assert_eq!(found[0].is_applied, is_applied, "{name}");
    }
}
