//! Texts that git brings into the files: a person's are named, and an agent's stay the agent's, by
//! whatever way they come back.

use crate::laundering::ends_with_doubt;
use crate::samples::{go, make};
use crate::scene::Scene;
use crate::session::Session;

const TEST: &str = "two_test.go";
const WEAKENS: &str = "sed -i 's/return 2/return 3/' two.go; sed -i 's/!= 2/!= 3/' two_test.go";
/// Creates a remote that has what is committed.
const REMOTE: &str = "git clone -q --bare . ../up.git; git remote add origin ../up.git; \
    git fetch -q; git branch -q -u origin/main";

/// Drives a run whose agent does this in its first turn, and nothing later.
fn drives_once(scene: &Scene, name: &str, gate: &str, line: &str) -> Option<i32> {
    let host = scene.agent_called(name, &format!("[ $turn -gt 1 ] || {{ {line}; }}"));
    scene.types(&["run", "Do it", "--until", gate, "--host", &host, "--yes"]).exit
}

/// Asserts that a text which one agent left in git stays in doubt when another brings it in, in
/// sessions and in runs.
#[track_caller]
fn stays_the_agents(first: &str, second: &str) {
    let scene = go().scene();
    scene.shell(REMOTE);
    assert_eq!(drives_once(&scene, "one", "go test ./...", first), Some(0), "{first}");
    assert_eq!(drives_once(&scene, "two", "go test ./...", second), Some(3), "{first} {second}");
    scene.report(None).is_doubted_for(TEST);

    let scene = go().guarded();
    scene.shell(REMOTE);
    let agent = scene.session("s1").begins();
    agent.runs(first);
    agent.edits("notes.txt", "x\n");
    agent.stops().allows();
    agent.ends();
    let agent = scene.session("s2").begins();
    agent.runs(second);
    ends_with_doubt(&scene, &agent, TEST);
}

#[test]
fn a_branch_that_was_pushed_and_deleted_is_the_agents() {
    let first = format!(
        "git switch -q -c wip; {WEAKENS}; git commit -qam wip; git push -q origin wip; \
         git switch -q main; git branch -q -D wip; echo x > notes.txt"
    );
    stays_the_agents(&first, "git merge -q origin/wip");
}

#[test]
fn a_squashed_commit_on_the_remote_brings_the_agents_text() {
    let first = format!(
        "git switch -q -c wip; {WEAKENS}; git commit -qam wip; git push -q origin wip; \
         git switch -q main; git branch -q -D wip; echo x > notes.txt"
    );
    let second = "git --git-dir=../up.git update-ref refs/heads/main \
        $(git --git-dir=../up.git commit-tree -p main -m squashed wip^{tree}); git pull -q --ff-only";
    stays_the_agents(&first, second);
}

#[test]
fn a_commit_below_the_tip_of_a_branch_is_the_agents() {
    let first = format!(
        "git switch -q -c wip; {WEAKENS}; git commit -qam wip; git revert --no-edit HEAD; \
         git switch -q main; echo x > notes.txt"
    );
    stays_the_agents(&first, "git merge -q wip~1");
}

/// Asserts that a line of an agent in a run and in a session leads to a doubt about a file.
#[track_caller]
fn is_doubted(prepare: &str, line: &str, path: &str) {
    let scene = go().scene();
    scene.shell(prepare);
    let exit = drives_once(&scene, "one", "go test ./...", line);
    assert_eq!(exit, Some(3), "{line}");
    scene.report(None).is_doubted_for(path);

    let scene = go().guarded();
    scene.shell(prepare);
    let agent = scene.session("s1").begins();
    agent.runs(line);
    ends_with_doubt(&scene, &agent, path);
}

#[test]
fn a_merge_on_the_remote_in_the_same_turn_brings_the_agents_text() {
    let line = format!(
        "git switch -q -c wip; {WEAKENS}; git commit -qam wip; git push -q origin wip; \
         git --git-dir=../up.git update-ref refs/heads/main wip; git switch -q main; \
         git pull -q --ff-only"
    );
    is_doubted(REMOTE, &line, TEST);
}

#[test]
fn a_second_name_of_a_remote_brings_the_agents_text() {
    let line = format!(
        "git switch -q -c wip; {WEAKENS}; git commit -qam wip; git push -q ../up.git wip; \
         git switch -q main; git branch -q -D wip; git remote add two ../up.git; \
         git fetch -q two; git merge -q two/wip"
    );
    is_doubted(REMOTE, &line, TEST);
}

#[test]
fn a_clone_elsewhere_brings_the_agents_text() {
    let line = format!(
        "git clone -q ../up.git ../apart; (cd ../apart; {WEAKENS}; git commit -qam x; \
         git push -q origin main); git pull -q --ff-only"
    );
    is_doubted(REMOTE, &line, TEST);
}

/// Commits a weak test and its code, then the strict ones again.
const OLD: &str = "sed -i 's/return 2/return 3/' two.go; sed -i 's/!= 2/!= 3/' two_test.go; \
    git commit -qam weak; git branch old; git tag v1; sed -i 's/return 3/return 2/' two.go; \
    sed -i 's/!= 3/!= 2/' two_test.go; git commit -qam strict";

#[test]
fn a_file_that_is_taken_out_of_an_old_commit_is_the_agents_choice() {
    is_doubted(OLD, "git checkout -q old -- two.go two_test.go", TEST);
    is_doubted(OLD, "git checkout -q v1 -- two.go two_test.go; git commit -qam back", TEST);
    is_doubted(OLD, "git revert --no-edit HEAD", TEST);
    let own = "git switch -q -c mine; git checkout -q v1 -- two.go two_test.go; git commit -qam b";
    is_doubted(OLD, own, TEST);
}

#[test]
fn a_file_that_is_taken_out_of_another_branch_is_the_agents_choice() {
    let prepare =
        format!("git switch -q -c other; {WEAKENS}; git commit -qam o; git switch -q main");
    is_doubted(&prepare, "git checkout -q other -- two.go two_test.go", TEST);
}

#[test]
fn a_reset_that_loses_a_persons_commit_brings_nothing() {
    let prepare = "sed -i 's/return 2/return 3/' two.go; sed -i 's/!= 2/!= 3/' two_test.go; \
        git commit -qam weak; git clone -q --bare . ../up.git; git remote add origin ../up.git; \
        git fetch -q; sed -i 's/return 3/return 2/' two.go; sed -i 's/!= 3/!= 2/' two_test.go; \
        git commit -qam strict";
    is_doubted(prepare, "git reset -q --hard origin/main", TEST);
    is_doubted(prepare, "git branch -q safe; git reset -q --hard origin/main", TEST);
    is_doubted(prepare, "git checkout -q -B main origin/main", TEST);
    let moves = "git switch -q -c x origin/main; git branch -q -f main x";
    is_doubted(prepare, moves, TEST);
}

#[test]
fn a_commit_of_a_person_between_two_turns_is_not_lost_by_a_reset() {
    let scene = go().scene();
    scene.shell(&format!("{WEAKENS}; git commit -qam weak; {REMOTE}"));
    scene.guarded_by("go test ./...");
    let agent = scene.session("s1").begins();
    agent.edits("notes.txt", "x\n");
    agent.stops().allows();
    scene.shell("sed -i 's/return 3/return 2/' two.go; sed -i 's/!= 3/!= 2/' two_test.go; git commit -qam strict");
    agent.prompt("go on");
    agent.runs("git reset -q --hard origin/main");
    agent.stops();
    agent.stops().allows();
    scene.report(None).is_doubted_for(TEST);
}

#[test]
fn a_switch_to_an_older_branch_brings_its_tests() {
    let scene = go().scene();
    scene.shell(OLD);
    let exit = drives_once(&scene, "one", "go test ./...", "git switch -q old; echo x > notes.txt");
    assert_eq!(exit, Some(0));
    let report = scene.report(None);
    report.is_proven_now();
    assert!(report.mentions(TEST), "{}", report.json);
}

/// Merges a branch in a new session, which must not be proven.
#[track_caller]
fn merged_by_the_next(scene: &Scene, branch: &str) {
    let agent = scene.session("s2").begins();
    agent.runs(&format!("git merge -q {branch}"));
    ends_with_doubt(scene, &agent, TEST);
}

#[test]
fn a_branch_of_a_session_that_was_killed_is_the_agents() {
    let line = format!("git switch -q -c wip; {WEAKENS}; git commit -qam wip; git switch -q main");
    for is_killed in [true, false] {
        let scene = go().guarded();
        let agent = scene.session("s1").begins();
        agent.runs(&line);
        if is_killed {
            agent.dies();
        } else {
            agent.ends();
        }
        merged_by_the_next(&scene, "wip");
    }
}

#[test]
fn a_branch_of_a_turn_that_was_interrupted_is_the_agents() {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    agent.runs(&format!("git switch -q -c wip; {WEAKENS}; git commit -qam w; git switch -q main"));
    agent.prompt("what did you do?");
    agent.runs("git merge -q wip");
    ends_with_doubt(&scene, &agent, TEST);
}

#[test]
fn a_branch_of_a_session_that_was_killed_in_a_worktree_is_the_agents() {
    let scene = go().guarded();
    scene.shell("git worktree add -q ../side -b side");
    let agent = Session::open(&scene, "s1", &scene.env.top().join("side")).begins();
    agent.runs(&format!("{WEAKENS}; git commit -qam side"));
    agent.dies();
    merged_by_the_next(&scene, "side");
}

#[test]
fn a_setting_in_an_included_file_is_not_excused_by_the_first_file() {
    for line in
        ["echo 'SHELL = true' >> build/unit.mk", "printf 'unit:\\n\\t@true\\n' > build/unit.mk"]
    {
        let scene = make().scene();
        let exit = drives_once(&scene, "one", "make check", &format!("echo 3 > two.txt; {line}"));
        assert_eq!(exit, Some(3), "{line}");
        assert!(!scene.report(None).is_proven(), "{line}");
    }
}

#[test]
fn a_new_included_file_is_not_excused_by_the_first_file() {
    let story = make().file("Makefile", "check:\n\tsh build/two.sh\n\n-include local.mk\n");
    let scene = story.scene();
    let line = "echo 3 > two.txt; printf 'check:\\n\\t@true\\n' > local.mk";
    assert_eq!(drives_once(&scene, "one", "make check", line), Some(3));
    assert!(!scene.report(None).is_proven());
}

#[test]
fn a_recipe_that_a_person_s_branch_changes_in_an_included_file_is_theirs() {
    let scene = make().scene();
    scene.shell(
        "git switch -q -c other; printf 'unit:\\n\\t@true\\n' > build/unit.mk; git commit -qam o; \
         git switch -q main",
    );
    let exit = drives_once(&scene, "one", "make check", "git merge -q other; echo x > notes.txt");
    assert_eq!(exit, Some(0), "{}", scene.report(None).shown());
    assert!(scene.report(None).mentions("unit"), "{}", scene.report(None).json);
}

#[test]
fn a_commit_agrees_to_an_included_file_only_if_it_has_it() {
    let scene = make().scene();
    let line = "echo 3 > two.txt; printf 'unit:\\n\\t@true\\n' > build/unit.mk";
    assert_eq!(drives_once(&scene, "one", "make check", line), Some(3));
    scene.shell("echo x > x.txt; git add x.txt; git commit -qm x");
    let honest = "echo y > y.txt";
    assert_eq!(drives_once(&scene, "two", "make check", honest), Some(3));
    scene.shell("git commit -qam 'two is three, and nothing tests it'");
    assert_eq!(drives_once(&scene, "three", "make check", honest), Some(0));
}
