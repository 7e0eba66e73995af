//! Work is merged one agent at a time, and only if it is proven.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use sprag_run::worktrees::{MergeError, Merged, WorktreesError};

use crate::world::{World, commit, id, merge, read, work, write};

/// Returns the run's branch, what its worktree has checked out, and its uncommitted changes.
fn standing(world: &World, folder: &Path) -> (String, String, String) {
    let at = |words: &[&str]| world.git_at(folder, words);
    (
        at(&["rev-parse", "sprag/r-test"]),
        at(&["symbolic-ref", "HEAD"]),
        at(&["status", "--porcelain"]),
    )
}

#[test]
fn a_proven_merge_is_kept_and_the_person_sees_nothing_of_it() {
    let world = World::new();
    let before = world.persons();
    let yard = world.yard();
    let tree = yard.take(&id("t1")).unwrap();
    write(&tree, "new", "new\n");
    commit(&yard, &tree);
    let seen = |root: &Path| Ok::<_, Infallible>(read(root, "new").as_deref() == Some("new\n"));
    let Merged::Kept(done) = yard.merge_then(&tree, seen, Ok).unwrap() else { panic!("not kept") };
    let (tip, head, dirt) = standing(&world, &yard.folder().unwrap());
    assert_eq!(
        (tip.as_str(), head.as_str(), dirt.as_str()),
        (done.as_str(), "refs/heads/sprag/r-test", "")
    );
    let parents = world.env.git(&["rev-list", "--parents", "-1", "sprag/r-test"]);
    assert_eq!(parents.split_whitespace().count(), 3, "a merge, though it could go forward");
    assert_eq!(merge(&yard, &tree), Merged::Nothing);
    assert_eq!(world.persons(), before);
}

#[test]
fn what_is_not_proven_leaves_no_trace() {
    let world = World::new();
    let yard = world.yard();
    let folder = yard.folder().unwrap();
    let tree = yard.take(&id("t1")).unwrap();
    write(&tree, "a.txt", "changed\n");
    commit(&yard, &tree);
    let before = standing(&world, &folder);
    let refuted = yard.merge_then(
        &tree,
        |root| {
            std::fs::write(root.join("left by a gate"), "x").unwrap();
            std::fs::write(root.join("b.txt"), "changed by a gate").unwrap();
            Ok::<_, Infallible>(false)
        },
        Ok,
    );
    assert_eq!(refuted.unwrap(), Merged::Unproven);
    assert_eq!(standing(&world, &folder), before);
    assert_eq!(read(&folder, "a.txt").unwrap(), "one\ntwo\nthree\n");
    let broken = yard.merge_then(&tree, |_| Err("no gate"), Ok);
    assert!(matches!(broken, Err(MergeError::Proof("no gate"))));
    assert_eq!(standing(&world, &folder), before);
    assert!(matches!(merge(&yard, &tree), Merged::Kept(_)));
}

#[test]
fn a_conflict_names_its_files_and_changes_nothing() {
    let world = World::new();
    let yard = world.yard();
    let name = "odd \"name\"\n";
    let trees = ["t1", "t2"].map(|name| yard.take(&id(name)).unwrap());
    for tree in &trees {
        write(tree, "a.txt", &format!("one\n{}\nthree\n", tree.name()));
        write(tree, name, tree.branch());
        commit(&yard, tree);
    }
    assert!(matches!(merge(&yard, &trees[0]), Merged::Kept(_)));
    let before = standing(&world, &yard.folder().unwrap());
    let files = ["a.txt", name].map(PathBuf::from).to_vec();
    assert_eq!(merge(&yard, &trees[1]), Merged::Conflict(files));
    assert_eq!(standing(&world, &yard.folder().unwrap()), before);
}

#[test]
fn four_agents_at_once_are_brought_together_one_at_a_time() {
    let world = World::new();
    let yard = world.yard();
    let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for name in ["t1", "t2", "t3", "t4"] {
            let (yard, inside, most) = (&yard, &inside, &most);
            scope.spawn(move || {
                let tree = yard.take(&id(name)).unwrap();
                write(&tree, name, name);
                commit(yard, &tree);
                let proof = |root: &Path| {
                    most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    let own = read(root, name);
                    inside.fetch_sub(1, Ordering::SeqCst);
                    Ok::<_, Infallible>(own.as_deref() == Some(name))
                };
                assert!(matches!(yard.merge_then(&tree, proof, Ok).unwrap(), Merged::Kept(_)));
            });
        }
    });
    assert_eq!(most.into_inner(), 1);
    for name in ["t1", "t2", "t3", "t4"] {
        assert_eq!(read(&yard.root().unwrap(), name).as_deref(), Some(name));
    }
    let merges = world.env.git(&["rev-list", "--count", "--merges", "sprag/r-test"]);
    assert_eq!(merges.trim_end(), "4");
}

#[test]
fn a_later_agent_begins_with_what_is_brought_together() {
    let world = World::new();
    let yard = world.yard();
    work(&yard, "t1", "first", "1\n");
    let later = yard.take(&id("t2")).unwrap();
    assert_eq!(read(later.root(), "first").unwrap(), "1\n");
}

#[test]
fn nothing_is_merged_under_a_persons_hands() {
    let world = World::new();
    let yard = world.yard();
    let tree = yard.take(&id("t1")).unwrap();
    write(&tree, "x", "x\n");
    commit(&yard, &tree);
    let folder = yard.folder().unwrap();
    std::fs::write(folder.join("mine"), "a person's\n").unwrap();
    let touched = yard.merge_then(&tree, |_| Ok::<_, Infallible>(true), Ok);
    assert!(
        matches!(touched, Err(MergeError::Yard(WorktreesError::Touched { .. }))),
        "{touched:?}"
    );
    assert_eq!(read(&folder, "mine").unwrap(), "a person's\n");
    std::fs::remove_file(folder.join("mine")).unwrap();
    // A person checks out the branch while the gates run.
    let project = world.env.project();
    let taken = yard.merge_then(
        &tree,
        |_| {
            world.git_at(&project, &["checkout", "-q", "sprag/r-test"]);
            Ok::<_, Infallible>(true)
        },
        Ok,
    );
    assert!(matches!(taken, Err(MergeError::Yard(WorktreesError::CheckedOut { .. }))), "{taken:?}");
    assert_eq!(world.env.git(&["status", "--porcelain"]), "");
    assert!(matches!(world.open(), Err(WorktreesError::CheckedOut { .. })));
    world.env.git(&["checkout", "-q", "main"]);
    assert!(matches!(merge(&world.yard(), &tree), Merged::Kept(_)));
}

#[test]
fn no_remote_is_asked_or_told() {
    let world = World::new();
    world.env.git(&["init", "-q", "--bare", "../remote.git"]);
    world.env.git(&["remote", "add", "origin", "../remote.git"]);
    world.env.git(&["push", "-q", "-u", "origin", "main"]);
    world.env.git(&["config", "push.default", "matching"]);
    let yard = world.yard();
    work(&yard, "t1", "x", "x\n");
    let refs =
        world.git_at(&world.env.top().join("remote.git"), &["for-each-ref", "--format=%(refname)"]);
    assert_eq!(refs, "refs/heads/main");
}
