use sprag_testkit::TestEnv;

use sprag_store::{Place, Worktree};

use super::*;

/// Finds the root from a folder below the project.
fn found(env: &TestEnv, below: &str) -> Option<Place> {
    let (folder, home) = (env.project().join(below), env.home());
    find(RootSearch { folder: &folder, home: Some(&home), named: None }).unwrap()
}

#[test]
fn every_marker_makes_a_root_of_itself() {
    for marker in [".sprag", ".gsd", ".chipset", ".thoughts", ".pi/workflows"] {
        let env = TestEnv::new();
        env.write("src/deep/lib.rs", "");
        assert_eq!(found(&env, "src/deep"), None);
        env.write(format!("{marker}/file"), "");
        assert_eq!(found(&env, "src/deep"), Some(Place::of(env.project())), "{marker}");
    }
}

#[test]
fn a_pi_folder_without_workflows_is_not_a_root() {
    let env = TestEnv::new();
    env.write(".pi/settings.json", "{}");
    assert_eq!(found(&env, ""), None);
}

#[test]
fn anything_named_sprag_is_a_root_so_that_a_broken_one_is_seen() {
    let env = TestEnv::new();
    env.write(".sprag", "not a folder");
    assert_eq!(found(&env, ""), Some(Place::of(env.project())));
    let env = TestEnv::new();
    env.link("nowhere", ".sprag");
    assert_eq!(found(&env, ""), Some(Place::of(env.project())));
}

#[test]
fn a_file_with_the_name_of_a_foreign_folder_is_not() {
    let env = TestEnv::new();
    env.write(".gsd", "not a folder");
    assert_eq!(found(&env, ""), None);
}

#[test]
fn the_nearest_wins() {
    let env = TestEnv::new();
    env.write(".sprag/config.yaml", "");
    env.write("packages/shop/.gsd/STATE.md", "");
    env.write("packages/shop/src/a", "");
    assert_eq!(
        found(&env, "packages/shop/src"),
        Some(Place::of(env.project().join("packages/shop")))
    );
    assert_eq!(found(&env, "packages"), Some(Place::of(env.project())));
}

#[test]
fn the_search_ends_at_the_git_top() {
    let env = TestEnv::new();
    env.write(".sprag/config.yaml", "");
    env.write("other/src/a", "");
    assert_eq!(found(&env, "other/src"), Some(Place::of(env.project())));
    env.git(&["init", "-q", "other"]);
    assert_eq!(found(&env, "other/src"), None);
    env.write("other/.thoughts/a", "");
    assert_eq!(found(&env, "other/src").unwrap().root, env.project().join("other"));
}

#[test]
fn the_home_directory_is_never_a_root_and_ends_the_search() {
    let env = TestEnv::new();
    env.write(".sprag/config.yaml", "");
    env.write("me/.pi/workflows/a", "");
    env.write("me/work/a", "");
    let (home, folder) = (env.project().join("me"), env.project().join("me/work"));
    let start = RootSearch { folder: &folder, home: Some(&home), named: None };
    assert_eq!(find(start).unwrap(), None);
    assert_eq!(find(RootSearch { home: None, ..start }).unwrap(), Some(Place::of(home.clone())));
    // The same folder by another name.
    env.link("me", "link");
    let link = env.project().join("link");
    assert_eq!(find(RootSearch { home: Some(&link), ..start }).unwrap(), None);
}

#[test]
fn a_named_root_needs_no_marker() {
    let env = TestEnv::new();
    env.write("src/a", "");
    let (folder, home) = (env.project(), env.home());
    let named = |path: &str| {
        find(RootSearch { folder: &folder, home: Some(&home), named: Some(Path::new(path)) })
    };
    assert_eq!(named("src").unwrap(), Some(Place::of(folder.join("src"))));
    assert_eq!(named(".").unwrap(), Some(Place::of(folder.clone())));
    assert!(matches!(named("nowhere"), Err(RootError::Named { .. })));
    assert!(matches!(named("src/a"), Err(RootError::Named { .. })));
}

#[test]
fn a_linked_worktree_keeps_its_state_in_the_main_one() {
    let env = TestEnv::new();
    env.git(&["init", "-q"]);
    env.write(".sprag/config.yaml", "");
    env.write("packages/shop/.sprag/config.yaml", "");
    env.git(&["add", "."]);
    env.git(&["commit", "-qm", "all"]);
    env.git(&["worktree", "add", "-q", "../linked"]);
    let (linked, main) = (env.top().join("linked"), env.project());
    let place = |below: &str| {
        let folder = linked.join(below);
        find(RootSearch { folder: &folder, home: Some(&env.home()), named: None }).unwrap().unwrap()
    };
    let common = Some(main.join(".git"));
    let worktree = Some(Worktree("linked".to_owned()));
    let (root, state) = (linked.clone(), main.clone());
    let expected = Place { root, state, common, below: "".into(), worktree };
    assert_eq!(place(""), expected);
    let below = "packages/shop";
    let (root, state) = (linked.join(below), main.join(below));
    assert_eq!(place(below), Place { root, state, below: below.into(), ..expected });
    let common = Some(main.join(".git"));
    assert_eq!(found(&env, ""), Some(Place { common, ..Place::of(main) }));
}

#[test]
fn a_worktree_whose_repository_is_gone_is_not_guessed() {
    let env = TestEnv::new();
    env.write(".sprag/config.yaml", "");
    env.write(".git", "gitdir: /nowhere/.git/worktrees/x\n");
    let start = RootSearch { folder: &env.project(), home: None, named: None };
    let error = find(start).unwrap_err().to_string();
    assert!(error.contains("/nowhere/.git/worktrees/x"), "{error}");
}

#[test]
fn a_linked_worktree_without_anything_of_ours_shares_the_runs_of_the_main_one() {
    let env = TestEnv::new();
    env.git(&["init", "-q"]);
    env.git(&["commit", "-q", "--allow-empty", "-m", "start"]);
    env.git(&["worktree", "add", "-q", "../linked"]);
    let linked = env.top().join("linked");
    let find =
        || find(RootSearch { folder: &linked, home: Some(&env.home()), named: None }).unwrap();
    assert_eq!(find(), None);
    let made = find_or_new(RootSearch { folder: &linked, home: None, named: None }).unwrap();
    assert_eq!((&made.root, &made.state), (&linked, &env.project()));
    env.write(".sprag/runs/x", "");
    assert_eq!(find(), Some(made));
}
