//! Projects that cannot have a yard are rejected with a reason.

use sprag_core::RunId;
use sprag_run::worktrees::WorktreesError;

use crate::world::{World, id};

#[test]
fn without_git_there_are_no_parallel_agents() {
    let refused = World::bare().open().unwrap_err();
    assert!(matches!(refused, WorktreesError::NoRepository { .. }));
    assert!(refused.to_string().starts_with("parallel agents need git"), "{refused}");
    let mut world = World::new();
    world.env.set("PATH", "/nowhere");
    assert!(matches!(world.open(), Err(WorktreesError::NoProgram)));
}

#[test]
fn odd_repositories_are_refused() {
    let world = World::new();
    world.env.git(&["config", "core.bare", "true"]);
    assert!(matches!(world.open(), Err(WorktreesError::Odd { .. })));
    let world = World::new();
    world.env.git(&["config", "core.worktree", "/nowhere"]);
    assert!(world.open().is_err());
    let world = World::new();
    world.env.write(".git/HEAD", "nonsense");
    let refused = world.open().unwrap_err();
    assert!(matches!(refused, WorktreesError::Odd { .. }), "{refused}");
}

#[test]
fn a_giant_that_git_does_not_ignore_is_named_before_git_reads_it() {
    let world = World::new();
    world.env.write("big.bin", "");
    let big = world.env.project().join("big.bin");
    std::fs::File::options().write(true).open(big).unwrap().set_len(300 << 30).unwrap();
    let refused = world.open().unwrap_err().to_string();
    assert!(refused.starts_with("`big.bin` has 307200 MiB, too much"), "{refused}");
    world.env.write(".gitignore", "*.bin\n");
    world.open().unwrap();
}

#[test]
fn a_folder_or_a_branch_that_is_somebody_elses_is_left_alone() {
    let world = World::new();
    world.env.write("../project-r-test/mine", "x");
    let refused = world.open().unwrap_err().to_string();
    assert!(refused.contains("is in the way: it is not ours"), "{refused}");
    assert_eq!(world.env.read("../project-r-test/mine").unwrap(), "x");
    std::fs::remove_dir_all(world.env.top().join("project-r-test")).unwrap();
    let yard = world.yard();
    world.env.git(&["worktree", "add", "-q", "-b", "mine", "../project-r-test-t1"]);
    let refused = yard.take(&id("t1")).unwrap_err().to_string();
    assert!(refused.contains("a worktree with `mine` is there"), "{refused}");
    world.env.write("../project-r-test-t2", "a file");
    assert!(matches!(yard.take(&id("t2")), Err(WorktreesError::Taken { .. })));
    assert!(
        matches!(yard.take(&id("a..b")), Err(WorktreesError::Git { .. })),
        "no name for a branch"
    );
    let world = World::new();
    world.env.git(&["branch", "sprag"]);
    assert!(matches!(world.open(), Err(WorktreesError::Git { .. })), "there is no room for ours");
}

#[test]
fn a_person_in_a_linked_worktree_gets_a_yard_beside_it() {
    let world = World::new();
    world.env.git(&["worktree", "add", "-q", "-b", "mine", "../linked"]);
    let mut place = world.place();
    let folder = world.env.top().join("linked");
    let start = sprag_world::root::RootSearch { folder: &folder, home: None, named: Some(&folder) };
    place.clone_from(&sprag_world::root::find(start).unwrap().unwrap());
    assert_eq!(place.state, world.env.project());
    let (variables, deed) = (world.variables(), sprag_world::trust::Deed::default());
    let bench = sprag_engine::gate::GateRunner {
        place: &place,
        environment: &variables,
        deed: &deed,
        checks: sprag_formats::Checks::Ask,
        stop: None,
    };
    let yard = sprag_run::worktrees::Worktrees::open(
        &bench,
        &RunId::parse("r-test").unwrap(),
        &world.config,
    )
    .unwrap();
    assert_eq!(yard.folder().unwrap(), world.env.top().join("linked-r-test"));
}
