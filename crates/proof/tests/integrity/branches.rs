//! Doubts belong to files: those of a worktree, or of the branch into which a run merges its work.
//! They follow the text, and a person's own merge ends them.

use crate::samples::go;
use crate::scene::{Scene, Typed};
use crate::session::Session;
use crate::story;

const TEST: &str = "two_test.go";
const WEAKENS: &str = "sed -i 's/return 2/return 3/' two.go; sed -i 's/!= 2/!= 3/' two_test.go";

/// A plan of two tasks, both judged by the tests.
fn plan() -> Scene {
    let scene = go().scene();
    let check = "<check type=\"test\" cmd=\"go test ./...\">the tests pass</check>";
    let file = |name: &str| format!("    <file action=\"create\">{name}</file>\n");
    let plan = format!(
        "---\nphase: 1\ntitle: One\n---\n\n{}\n{}",
        story::task("01", "1", &file("one.txt"), "Do one.", check),
        story::task("02", "2", &file("two.txt"), "Do two.", check),
    );
    scene.writes(".gsd/plans/phase-01/plan.md", &plan);
    scene.writes(".gsd/config.md", "---\nmode: yolo\n---\n");
    scene.commits();
    scene
}

/// Drives the plan in worktrees; `one` is the script of the first task's agent.
fn drives(scene: &Scene, one: &str) -> Typed {
    let agent = format!(
        "case \"$told\" in\n*'Do one.'*) echo x >> one.txt\n{one}\n;;\n*'Do two.'*) echo x > two.txt;;\n\
         *) printf '## Status: passed\\n' > .gsd/plans/phase-01/VERIFICATION.md; echo 'PHASE COMPLETE'; exit;; esac\n\
         echo 'TASK COMPLETE'"
    );
    scene.drives(&["plan", "--agents", "2"], &agent)
}

/// Returns how many of the agents' prompts contain a text.
fn told(scene: &Scene, what: &str) -> usize {
    scene.told("agent").iter().filter(|told| told.contains(what)).count()
}

/// Returns the text of the test in the branch of a run.
fn in_branch(scene: &Scene, run: &str) -> String {
    scene.env.git(&["show", &format!("sprag/{run}:{TEST}")])
}

#[test]
fn work_in_a_worktree_is_sent_back_before_it_is_merged() {
    let scene = plan();
    let one = format!(
        "case \"$told\" in *{TEST}*) sprag diff {TEST} > {}/shown\n\
         git checkout -q main -- two.go {TEST};; *) {WEAKENS};; esac",
        scene.env.top().display()
    );
    drives(&scene, &one).exits(0);
    assert_eq!(told(&scene, "Do one."), 2, "{:#?}", scene.told("agent"));
    let run = scene.run_of("plan");
    scene.report(Some(&run)).is_proven_now();
    assert!(in_branch(&scene, &run).contains("!= 2"));
    let shown = std::fs::read_to_string(scene.env.top().join("shown")).unwrap();
    assert!(shown.contains("!= 2") && shown.contains("!= 3"), "{shown}");
    assert!(!scene.status()["waits"].to_string().contains(&run));
}

#[test]
fn what_one_task_weakens_is_in_doubt_for_the_next_and_nobody_else_is_sent_back() {
    let scene = plan();
    drives(&scene, WEAKENS).exits(3);
    assert_eq!((told(&scene, "Do one."), told(&scene, "Do two.")), (2, 1));
    let run = scene.run_of("plan");
    scene.report(Some(&run)).is_doubted_for(TEST);
    // The person's own files contain nothing of it.
    assert!(scene.text(TEST).contains("!= 2"));
    scene.drives(&["More", "--until", "go test ./..."], "echo new >> notes.txt").exits(0);
}

#[test]
fn a_person_who_merges_the_branch_has_agreed() {
    let scene = plan();
    drives(&scene, WEAKENS).exits(3);
    let run = scene.run_of("plan");
    scene.env.git(&["merge", "-q", "--no-edit", &format!("sprag/{run}")]);
    let report = scene.report(Some(&run));
    assert!(report.doubt(TEST).is_none(), "{}", report.shown());
    assert!(!scene.status()["waits"].to_string().contains(&run));
    scene.drives(&["More", "--until", "go test ./..."], "echo new >> notes.txt").exits(0);
    scene.report(None).is_proven_now();
}

#[test]
fn an_agent_that_merges_the_branch_has_not_agreed() {
    let scene = plan();
    drives(&scene, WEAKENS).exits(3);
    let run = scene.run_of("plan");
    scene.guarded_by("go test ./...");
    let agent = scene.session("s1").begins();
    agent.runs(&format!("git merge -q --no-edit sprag/{run}"));
    agent.stops().refuses_for(TEST);
    agent.stops().allows_and_names(TEST);
    let guard = scene.run_of("guard");
    scene.report(Some(&guard)).is_doubted_for(TEST);
    scene.report(Some(&run)).is_doubted_for(TEST);
}

#[test]
fn what_was_agreed_to_in_a_branch_may_be_merged_by_an_agent() {
    let scene = plan();
    drives(&scene, WEAKENS).exits(3);
    let run = scene.run_of("plan");
    let said = scene.types(&["approve", &run, "--yes"]).exits(0).all();
    assert!(
        said.contains("!= 2") && said.contains("!= 3"),
        "it is the branch that is shown: {said}"
    );
    scene.report(Some(&run)).is_proven_now();
    scene.guarded_by("go test ./...");
    let agent = scene.session("s1").begins();
    agent.runs(&format!("git merge -q --no-edit sprag/{run}"));
    agent.stops().allows();
    scene.report(Some(&scene.run_of("guard"))).is_proven_now();
}

#[test]
fn a_run_in_worktrees_begins_with_the_doubts_of_the_files_that_it_is_made_from() {
    let scene = plan();
    scene.drives(&["Do it", "--until", "go test ./..."], WEAKENS).exits(3);
    drives(&scene, "true").exits(3);
    let run = scene.run_of("plan");
    scene.report(Some(&run)).is_doubted_for(TEST);
    assert_eq!(told(&scene, "Do one."), 1, "it is sent back for what it did not do");
}

/// Creates a session whose agent weakened the test and committed that, and a worktree of the
/// commit.
fn with_a_worktree(scene: &Scene) {
    let agent = scene.session("s1").begins();
    agent.runs(WEAKENS);
    agent.runs("git commit -qam 'as the task asks'");
    agent.stops().refuses_for(TEST);
    agent.stops().allows_and_names(TEST);
    agent.ends();
    scene.shell("git worktree add -q ../side");
}

/// Works honestly in the worktree.
fn works<'s>(scene: &'s Scene, name: &'s str) -> Session<'s> {
    let agent = Session::open(scene, name, &scene.env.top().join("side")).begins();
    agent.edits("notes.txt", "x\n");
    agent
}

#[test]
fn a_worktree_begins_with_the_doubts_of_the_commit_that_it_is_made_from() {
    let scene = go().guarded();
    with_a_worktree(&scene);
    works(&scene, "s2").stops().allows_and_names(TEST);
}

#[test]
fn a_yes_to_a_text_holds_in_every_worktree() {
    let scene = go().guarded();
    with_a_worktree(&scene);
    let guard = scene.run_of("guard");
    scene.types(&["approve", &guard, "--yes"]).exits(0);
    let answer = works(&scene, "s2").stops();
    assert!(!answer.is_refused() && !answer.to_person().contains(TEST), "{answer:?}");
}

#[test]
fn a_session_that_goes_to_a_worktree_is_compared_with_the_files_there() {
    let scene = go().guarded();
    scene.shell("git switch -q -c other");
    scene.changes("two.go", "return 2", "return 4");
    scene.changes(TEST, "!= 2", "!= 4");
    scene.commits();
    scene.shell("git switch -q main; git worktree add -q ../side other");
    let mut agent = scene.session("s1").begins();
    agent.at = scene.env.top().join("side");
    agent.edits("notes.txt", "x\n");
    // The other branch's test is no agent's change.
    agent.stops().allows();
    agent.changes("two.go", "return 4", "return 3");
    agent.changes(TEST, "!= 4", "!= 3");
    agent.stops().refuses_for(TEST);
    agent.stops().allows_and_names(TEST);
    // It is in doubt there, but not in the main worktree.
    let (main, other) = (scene.session("s2").begins(), Session::open(&scene, "s3", &agent.at));
    main.edits("notes.txt", "x\n");
    let answer = main.stops();
    assert!(!answer.to_person().contains(TEST) && !answer.is_refused(), "{answer:?}");
    let other = other.begins();
    other.edits("more.txt", "x\n");
    other.stops().allows_and_names(TEST);
}
