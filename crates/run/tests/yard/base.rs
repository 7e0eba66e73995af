//! A run begins with the user's files, and changes none of them.

use crate::world::{World, commit, id, read, work, write};

#[test]
fn a_clean_project_begins_with_its_own_commit() {
    let world = World::new();
    let before = world.persons();
    let yard = world.yard();
    let head = world.env.git(&["rev-parse", "HEAD"]);
    assert_eq!(world.env.git(&["rev-parse", "sprag/r-test"]), head);
    assert_eq!(yard.folder().unwrap(), world.env.top().join("project-r-test"));
    assert_eq!(read(&yard.root().unwrap(), "a.txt").unwrap(), "one\ntwo\nthree\n");
    assert_eq!(world.persons(), before);
}

#[test]
fn what_is_not_committed_is_in_the_base_and_the_person_keeps_it_as_it_is() {
    let world = World::new();
    world.env.write(".gitignore", "ignored\n");
    world.env.git(&["add", ".gitignore"]);
    world.env.write("a.txt", "changed, not staged\n");
    world.env.remove("b.txt");
    world.env.write("staged", "staged\n");
    world.env.git(&["add", "staged"]);
    world.env.write("staged", "staged and changed\n");
    world.env.write("odd \"name\"\nwith ü", "new\n");
    world.env.write("ignored", "secret");
    world.env.link("/etc/passwd", "link");
    world.env.write(".sprag/runs/r-1/run.yaml", "state");
    world.env.git(&["init", "-q", "nested"]);
    world.env.write("nested/file", "not ours");
    world.env.git(&["stash", "list"]);
    let before = world.persons();
    let yard = world.yard();
    assert_eq!(world.persons(), before, "nothing of the person's changed");
    let root = yard.root().unwrap();
    assert_eq!(read(&root, "a.txt").unwrap(), "changed, not staged\n");
    assert_eq!(read(&root, "staged").unwrap(), "staged and changed\n");
    assert_eq!(read(&root, "odd \"name\"\nwith ü").unwrap(), "new\n");
    assert_eq!(std::fs::read_link(root.join("link")).unwrap().to_str(), Some("/etc/passwd"));
    for name in ["b.txt", "ignored", "nested", ".sprag/runs"] {
        assert!(root.join(name).symlink_metadata().is_err(), "{name}");
    }
    let log = world.env.git(&["log", "--format=%s", "sprag/r-test"]);
    assert_eq!(log.trim_end(), "Files as they were when r-test began\nfirst");
    // A reopened yard keeps its first commit, whatever the user changes meanwhile.
    world.env.write("a.txt", "changed again\n");
    let tip = world.env.git(&["rev-parse", "sprag/r-test"]);
    world.yard();
    assert_eq!(world.env.git(&["rev-parse", "sprag/r-test"]), tip);
}

#[test]
fn a_merge_that_the_person_is_in_the_middle_of_stays_so() {
    let world = World::new();
    world.env.git(&["checkout", "-qb", "side"]);
    world.env.write("a.txt", "side\n");
    world.env.git(&["commit", "-qam", "side"]);
    world.env.git(&["checkout", "-q", "main"]);
    world.env.write("a.txt", "main\n");
    world.env.git(&["commit", "-qam", "main"]);
    let merge = world.env.command("git").args(["merge", "-q", "side"]).output().unwrap();
    assert!(!merge.status.success());
    let before = world.persons();
    let yard = world.yard();
    assert_eq!(world.persons(), before);
    assert!(read(&yard.root().unwrap(), "a.txt").unwrap().contains("<<<<<<<"), "as they are");
}

#[test]
fn a_project_without_a_commit_and_one_on_no_branch_work_as_well() {
    let world = World::bare();
    world.env.git(&["init", "-q"]);
    world.env.write("a.txt", "one\n");
    let before = world.persons();
    let yard = world.yard();
    work(&yard, "t1", "new", "new\n");
    assert_eq!(read(&yard.root().unwrap(), "a.txt").unwrap(), "one\n");
    assert_eq!(read(&yard.root().unwrap(), "new").unwrap(), "new\n");
    assert_eq!(world.persons(), before, "still without a commit");

    let world = World::new();
    world.env.git(&["checkout", "-q", "--detach"]);
    let before = world.persons();
    let yard = world.yard();
    work(&yard, "t1", "new", "new\n");
    assert_eq!(world.persons(), before);
}

#[test]
fn a_project_below_the_top_keeps_its_way() {
    let mut world = World::new();
    world.env.write("packages/shop/.sprag/config.yaml", "v: 1\n");
    world.env.write("packages/shop/src/lib", "x\n");
    world.below = "packages/shop";
    let yard = world.yard();
    let tree = yard.take(&id("t1")).unwrap();
    assert_eq!(tree.root(), world.env.top().join("project-r-test-t1/packages/shop"));
    assert_eq!(read(tree.root(), "src/lib").unwrap(), "x\n");
    write(&tree, "src/lib", "y\n");
    write(&tree, "../../a.txt", "outside the project\n");
    commit(&yard, &tree);
    let strays = yard.strays(&tree, &["src".to_owned()]).unwrap();
    assert_eq!(strays, [std::path::Path::new("a.txt")]);
    assert!(yard.root().unwrap().ends_with("project-r-test/packages/shop"));
}
