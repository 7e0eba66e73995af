use sprag_testkit::TestEnv;

use super::*;

mod hostile;

fn repository() -> TestEnv {
    let env = TestEnv::new();
    env.git(&["init", "-q"]);
    env.write("a", "1");
    env.git(&["add", "a"]);
    env.git(&["commit", "-qm", "one"]);
    env
}

fn main_of(folder: &Path) -> Option<PathBuf> {
    Git::around(folder).unwrap().unwrap().main_worktree().unwrap()
}

fn head_of(folder: &Path) -> GitHead {
    Git::around(folder).unwrap().unwrap().head()
}

fn on(name: &str, commit: &str) -> GitHead {
    GitHead::Branch { name: name.to_owned(), commit: Some(commit.to_owned()) }
}

#[test]
fn outside_a_repository_there_is_none() {
    let env = TestEnv::new();
    assert_eq!(Git::around(&env.project()).unwrap(), None);
}

#[test]
fn the_main_worktree_is_nobody_s_linked_one() {
    let env = repository();
    assert_eq!(main_of(&env.project()), None);
}

#[test]
fn a_linked_worktree_knows_the_main_one() {
    let env = repository();
    env.git(&["worktree", "add", "-q", "../linked", "-b", "side"]);
    let linked = env.top().join("linked");
    assert_eq!(main_of(&linked), Some(env.project()));
    let commit = env.git(&["rev-parse", "HEAD"]);
    assert_eq!(head_of(&linked), on("side", &commit));
    assert_eq!(head_of(&env.project()), on("main", &commit));
}

#[test]
fn relative_links_are_followed() {
    let env = repository();
    env.git(&["worktree", "add", "-q", "../linked"]);
    let linked = env.top().join("linked");
    env.write("../linked/.git", "gitdir: ../project/.git/worktrees/linked\n");
    assert_eq!(main_of(&linked), Some(env.project()));
}

#[test]
fn a_submodule_is_a_repository_of_its_own() {
    let env = repository();
    env.git(&["submodule", "--quiet", "add", "./", "sub"]);
    let sub = env.project().join("sub");
    assert!(sub.join(".git").is_file());
    assert_eq!(main_of(&sub), None);
    assert!(matches!(head_of(&sub), GitHead::Branch { commit: Some(_), .. }));
}

#[test]
fn a_linked_worktree_of_a_submodule_belongs_to_the_submodule() {
    let env = repository();
    env.git(&["submodule", "--quiet", "add", "./", "sub"]);
    env.git(&["-C", "sub", "worktree", "add", "-q", "../../linked"]);
    assert_eq!(main_of(&env.top().join("linked")), Some(env.project().join("sub")));
}

#[test]
fn worktrees_of_a_bare_repository_stand_alone() {
    let env = repository();
    env.git(&["clone", "-q", "--bare", ".", "../bare/.git"]);
    env.git(&["-C", "../bare/.git", "worktree", "add", "-q", "../../linked"]);
    assert_eq!(main_of(&env.top().join("linked")), None);
}

#[test]
fn a_git_folder_kept_apart_is_not_guessed_about() {
    let env = repository();
    env.git(&["init", "-q", "--separate-git-dir", "../apart"]);
    env.git(&["worktree", "add", "-q", "../linked"]);
    assert_eq!(main_of(&env.project()), None);
    assert_eq!(main_of(&env.top().join("linked")), None);
}

#[test]
fn head_is_read_loose_packed_detached_and_unborn() {
    let env = repository();
    let commit = env.git(&["rev-parse", "HEAD"]);
    assert_eq!(head_of(&env.project()), on("main", &commit));
    env.git(&["pack-refs", "--all"]);
    assert_eq!(env.read(".git/refs/heads/main"), None);
    assert_eq!(head_of(&env.project()), on("main", &commit));
    env.git(&["checkout", "-q", "--detach"]);
    assert_eq!(head_of(&env.project()), GitHead::Detached { commit });
    env.git(&["checkout", "-q", "--orphan", "new"]);
    assert_eq!(head_of(&env.project()), GitHead::Branch { name: "new".to_owned(), commit: None });
}

#[test]
fn a_head_that_leads_outside_is_not_read() {
    let env = repository();
    for text in ["ref: refs/heads/../../../secret\n", "ref: refs/heads/.invalid\n", "junk", ""] {
        env.write(".git/HEAD", text);
        assert_eq!(head_of(&env.project()), GitHead::Unknown, "{text:?}");
    }
}

#[test]
fn a_git_file_that_is_no_link_is_an_error() {
    let env = TestEnv::new();
    for text in ["", "gitdir:\n", "gitdir: \n", "hello"] {
        env.write(".git", text);
        assert!(Git::around(&env.project()).is_err(), "{text:?}");
    }
}
