//! A person's uncommitted edits, and the agent's own work, are not lost unnoticed in a session.

use crate::samples::go;
use crate::scene::Scene;
use crate::session::Session;

const CODE: &str = "four.go";

/// A guarded project with uncommitted edits: a file with more lines, and a new file.
fn dirty() -> Scene {
    let scene = go().guarded();
    scene.commits();
    scene.changes(CODE, "func Four", "// Mine.\n// Not committed.\nfunc Four");
    scene.writes("mine.txt", "my notes\n");
    scene
}

/// Works in another file.
fn works(agent: &Session<'_>) {
    agent.changes("two.go", "return 2", "return 1 + 1");
}

#[test]
fn edits_that_an_agent_takes_away_are_named() {
    for (does, lost) in [
        ("git checkout -q .", &[CODE][..]),
        ("git reset -q --hard", &[CODE]),
        ("git clean -qfd", &["mine.txt"]),
        ("rm mine.txt", &["mine.txt"]),
        ("git stash -q -u", &[CODE, "mine.txt"]),
        ("git stash -q; git stash drop -q", &[CODE]),
    ] {
        let scene = dirty();
        let agent = scene.session("s1").begins();
        agent.runs(does);
        works(&agent);
        let answer = agent.stops();
        let report = scene.report(Some(&scene.run_of("guard")));
        for path in lost {
            answer.allows_and_names(path);
            report.is_not_proven_for(path);
        }
    }
}

#[test]
fn edits_that_are_still_there_or_committed_or_edited_further_are_free() {
    for does in [
        "true",
        "git stash -q -u; git stash pop -q",
        "git add -A; git commit -qm 'both'",
        "mkdir notes; mv mine.txt notes/mine.txt",
        "git stash -q -u; git switch -q -c topic; git stash pop -q; git add -A; git commit -qm x",
    ] {
        let scene = dirty();
        let agent = scene.session("s1").begins();
        agent.runs(does);
        works(&agent);
        agent.stops().allows();
        scene.report(Some(&scene.run_of("guard"))).is_proven_now();
    }
    let scene = dirty();
    let agent = scene.session("s1").begins();
    agent.changes(CODE, "// Mine.\n// Not committed.\n", "// Says four.\n");
    agent.edits("mine.txt", "better notes\n");
    agent.stops().allows();
    scene.report(Some(&scene.run_of("guard"))).is_proven_now();
}

#[test]
fn edits_that_are_lost_in_a_file_that_the_agent_edits_are_named() {
    let scene = dirty();
    let agent = scene.session("s1").begins();
    agent.changes(CODE, "return 4", "return 2 + 2");
    agent.runs(&format!("git checkout -q {CODE}"));
    agent.changes(CODE, "return 4", "return 3 + 1");
    agent.stops().allows_and_names(CODE);
    scene.report(Some(&scene.run_of("guard"))).is_not_proven_for(CODE);
}

#[test]
fn edits_stay_missing_in_later_turns_until_they_are_back() {
    let scene = dirty();
    let agent = scene.session("s1").begins();
    agent.runs("git stash -q -u");
    works(&agent);
    agent.stops().allows_and_names(CODE);
    agent.prompt("go on");
    agent.edits("notes.txt", "x\n");
    agent.stops().allows_and_names(CODE);
    let guard = scene.run_of("guard");
    scene.report(Some(&guard)).is_not_proven_for(CODE);
    agent.prompt("bring my edits back");
    agent.runs("git stash pop -q");
    agent.stops().allows();
    scene.report(Some(&guard)).is_proven_now();
}

#[test]
fn a_person_takes_back_their_own_edits_between_turns_and_after_an_interrupt() {
    let scene = dirty();
    let agent = scene.session("s1").begins();
    works(&agent);
    agent.stops().allows();
    scene.shell("git checkout -q four.go; rm mine.txt");
    agent.prompt("go on");
    agent.edits("notes.txt", "x\n");
    agent.stops().allows();
    let guard = scene.run_of("guard");
    scene.report(Some(&guard)).is_proven_now();
    scene.changes(CODE, "func Four", "// Mine again.\nfunc Four");
    agent.prompt("go on");
    agent.edits("notes.txt", "y\n");
    scene.a_moment_passes();
    // The person interrupts the agent, which sends no event.
    scene.shell("git checkout -q four.go");
    agent.prompt("go on, I took my comment back");
    agent.edits("notes.txt", "z\n");
    agent.stops().allows();
    scene.report(Some(&guard)).is_proven_now();
}

#[test]
fn what_an_agent_wrote_in_an_earlier_turn_or_session_is_its_own() {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    agent.edits("three.go", "package sum\n\n// A draft.\nfunc Three() int { return 3 }\n");
    agent.stops().allows();
    agent.prompt("drop that");
    agent.runs("rm three.go");
    works(&agent);
    agent.stops().allows();
    scene.report(Some(&scene.run_of("guard"))).is_proven_now();
    agent.ends();
    let next = scene.session("s2").begins();
    next.runs("git checkout -q two.go");
    next.edits("notes.txt", "x\n");
    next.stops().allows();
    scene.report(Some(&scene.run_of("guard"))).is_proven_now();
}

#[test]
fn work_that_stays_in_a_stash_or_on_another_branch_is_named() {
    for does in [
        "echo 'func Six() int { return 6 }' >> two.go; git stash -q",
        "git switch -q -c topic; echo 'func Six() int { return 6 }' >> two.go; \
         git commit -qam six; git switch -q main",
    ] {
        let scene = go().guarded();
        let agent = scene.session("s1").begins();
        agent.edits("notes.txt", "x\n");
        agent.runs(does);
        agent.stops().allows_and_names("two.go");
        scene.report(Some(&scene.run_of("guard"))).is_not_proven_for("two.go");
        // A later turn does not make it proven, and no other session answers for it.
        agent.prompt("go on");
        agent.edits("notes.txt", "y\n");
        agent.stops().allows_and_names("two.go");
        let next = scene.session("s2").begins();
        next.edits("more.txt", "x\n");
        let answer = next.stops();
        assert!(!answer.to_person().contains("two.go"), "{answer:?}");
    }
}

#[test]
fn work_on_the_branch_that_is_checked_out_is_free() {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    agent.runs("git switch -q -c topic");
    works(&agent);
    agent.runs("git commit -qam work");
    agent.stops().allows();
    scene.report(Some(&scene.run_of("guard"))).is_proven_now();
    // The person goes back to the main branch between the turns.
    scene.shell("git switch -q main");
    agent.prompt("go on");
    agent.edits("notes.txt", "x\n");
    agent.stops().allows();
    scene.report(Some(&scene.run_of("guard"))).is_proven_now();
}

#[test]
fn a_record_of_edits_that_is_removed_proves_nothing() {
    let scene = dirty();
    let agent = scene.session("s1").begins();
    let file = scene.text(".sprag/sessions/claude-s1.json");
    let file: serde_json::Value = serde_json::from_str(&file).unwrap();
    let name = file["edits"].as_str().unwrap().to_owned();
    agent.runs_script(&format!(
        "rm .sprag/texts/{name} .git/sprag/texts/{name}; git checkout -q {CODE}"
    ));
    works(&agent);
    agent.stops().allows_and_names(&name);
    assert!(!scene.report(Some(&scene.run_of("guard"))).is_proven());
}

/// Adds a function in a worktree of its own, and commits it there.
const APART: &str = "git worktree add -q -b side ../side; cd ../side; \
    echo 'func Six() int { return 6 }' >> two.go; git commit -qam six";

#[test]
fn work_that_stays_in_a_worktree_that_the_agent_made_is_named() {
    for then in ["true", "git worktree remove --force ../side"] {
        let scene = go().guarded();
        let agent = scene.session("s1").begins();
        agent.runs(&format!("({APART}); {then}"));
        agent.edits("notes.txt", "x\n");
        agent.stops().allows_and_names("two.go");
        let guard = scene.run_of("guard");
        scene.report(Some(&guard)).is_not_proven_for("two.go");
        agent.prompt("go on");
        agent.edits("notes.txt", "y\n");
        agent.stops().allows_and_names("two.go");
        agent.prompt("merge it");
        agent.runs("git merge -q --no-edit side");
        agent.stops().allows();
        scene.report(Some(&guard)).is_proven_now();
    }
}

#[test]
fn work_that_is_merged_from_a_worktree_or_made_in_another_one_is_free() {
    for does in [
        format!("({APART}); git merge -q --no-edit side; git worktree remove ../side"),
        format!(
            "({APART}); git merge -q --squash side; git commit -qm six; git branch -qD side || true"
        ),
        "git worktree add -q --detach ../side; git worktree remove ../side".to_owned(),
    ] {
        let scene = go().guarded();
        let agent = scene.session("s1").begins();
        agent.runs(&does);
        agent.edits("notes.txt", "x\n");
        agent.stops().allows();
        scene.report(Some(&scene.run_of("guard"))).is_proven_now();
    }
    let scene = go().guarded();
    scene.shell("git worktree add -q -b theirs ../theirs");
    let agent = scene.session("s1").begins();
    agent.edits("notes.txt", "x\n");
    // A person works in a worktree of theirs, and a second session in another one.
    scene.shell("cd ../theirs; echo '// x' >> two.go; git commit -qam theirs");
    scene.shell("git worktree add -q -b second ../second");
    let second = Session::open(&scene, "s2", &scene.env.top().join("second")).begins();
    second.changes("two.go", "return 2", "return 1 + 1");
    second.runs("git commit -qam second");
    second.stops().allows();
    let answer = agent.stops();
    answer.allows();
    assert!(!answer.to_person().contains("two.go"), "{answer:?}");
    scene.report(Some(&scene.run_of("guard"))).is_proven_now();
}

#[test]
fn a_worktree_that_is_removed_while_its_tests_fail_is_named() {
    let scene = go().guarded();
    let mut agent = scene.session("s1").begins();
    agent.runs("git worktree add -q ../side");
    agent.at = scene.env.top().join("side");
    agent.changes("two.go", "return 2", "return 3");
    agent.stops().refuses();
    agent.at = scene.env.project();
    agent.edits("notes.txt", "x\n");
    agent.runs("git worktree remove --force ../side");
    agent.stops().allows_and_names("side");
    let here = scene.status();
    let here = here["runs"].as_array().unwrap().iter().map(|run| run["id"].as_str());
    assert!(here.map(|run| scene.report(run)).all(|report| !report.is_proven()));
}

#[test]
fn a_worktree_that_is_removed_after_its_tests_pass_is_free() {
    let scene = go().guarded();
    let mut agent = scene.session("s1").begins();
    agent.runs("git worktree add -q -b side ../side");
    agent.at = scene.env.top().join("side");
    agent.changes("two.go", "return 2", "return 3");
    agent.stops().refuses();
    agent.changes("two.go", "return 3", "return 1 + 1");
    agent.runs("git commit -qam better");
    agent.stops().allows();
    agent.at = scene.env.project();
    agent.prompt("merge it");
    agent.runs("git merge -q --no-edit side; git worktree remove ../side");
    agent.edits("notes.txt", "x\n");
    let answer = agent.stops();
    answer.allows();
    assert!(!answer.to_person().contains("not proven"), "{answer:?}");
}

/// Numbered lines of a person.
fn lines(from: usize, to: usize) -> String {
    (from..to).fold(String::new(), |text, nth| text + &format!("line number {nth}\n"))
}

#[test]
fn a_long_text_is_compared_to_its_end_and_one_that_is_too_long_is_named() {
    // Only the last lines are lost, which no short record has.
    for (long, named) in [(600, "mine.txt"), (9_000, "mine.txt")] {
        let scene = go().guarded();
        scene.writes("mine.txt", &format!("{}\n{}", lines(0, long), lines(long, long + 50)));
        let agent = scene.session("s1").begins();
        agent.runs(&format!("head -n {long} mine.txt > x; mv x mine.txt"));
        works(&agent);
        agent.stops().allows_and_names(named);
        scene.report(Some(&scene.run_of("guard"))).is_not_proven_for(named);
    }
}

#[test]
fn a_long_text_that_stays_as_it_is_or_that_a_tool_edits_is_free() {
    let scene = go().guarded();
    scene.writes("mine.txt", &lines(0, 9_000));
    for nth in 0..250 {
        scene.writes(&format!("notes/{nth}.txt"), &format!("mine, note {nth}\n"));
    }
    let agent = scene.session("s1").begins();
    works(&agent);
    agent.stops().allows();
    let guard = scene.run_of("guard");
    scene.report(Some(&guard)).is_proven_now();
    agent.prompt("continue it");
    agent.edits("mine.txt", &lines(0, 9_001));
    agent.stops().allows();
    scene.report(Some(&guard)).is_proven_now();
    agent.prompt("clean up");
    agent.runs("rm notes/249.txt");
    agent.stops().allows_and_names("notes/249.txt");
    scene.report(Some(&guard)).is_not_proven_for("notes/249.txt");
}
