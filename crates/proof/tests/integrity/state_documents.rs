//! `STATE.md` and plans of opti-gsd: which fields belong to the agent, which are claims, and which
//! decide.

use crate::scene::{Scene, Typed};
use crate::session::Session;
use crate::story;

const STATE: &str = ".gsd/STATE.md";

/// A plan whose two tasks each create a file.
fn plan(checks: [&str; 2]) -> String {
    let file = |path: &str| format!("    <file action=\"create\">{path}</file>\n");
    format!(
        "---\nphase: 1\ntitle: Greeting\n---\n\n{}\n{}",
        story::task("01", "1", &file("a.txt"), "Write a.txt.", checks[0]),
        story::task("02", "2", &file("b.txt"), "Write b.txt.", checks[1]),
    )
}

const FILES: [&str; 2] =
    ["<check type=\"file\">a.txt exists</check>", "<check type=\"file\">b.txt exists</check>"];

/// A loop started by the user and driven by a session; `guard` judges the session too.
fn looped(guard: &str, mode: &str) -> Scene {
    let scene = Scene::of([("x.txt", "x\n")]);
    scene.guarded_by(guard);
    scene.writes(".gsd/plans/phase-01/plan.md", &plan(FILES));
    scene.writes(".gsd/config.md", &format!("---\nmode: {mode}\n---\n"));
    scene.writes(
        STATE,
        "---\nmilestone: v1\nphase: 1\nphases_complete: []\nphases_pending: [1]\nloop:\n  active: true\n  \
         type: execute\n  phase: 1\n  iteration: 2\n  max_iterations: 20\n  task_retries: {}\n  gaps_remaining: 3\n---\n\n# State\n",
    );
    scene
}

/// A session that works in such a loop and was refused once.
fn session(scene: &Scene) -> Session<'_> {
    let agent = scene.session("s1").begins();
    agent.edits("x.txt", "y\n");
    agent.stops().refuses();
    agent
}

/// Sets a field of the loop, as an agent does that rewrites the document.
fn set(text: &str, key: &str, value: &str) -> String {
    let is_own = |line: &&str| !line.starts_with(&format!("  {key}:"));
    let rest: Vec<&str> = text.lines().filter(is_own).collect();
    let line = format!("loop:\n  {key}: {value}");
    format!("{}\n", rest.join("\n").replacen("loop:", &line, 1))
}

#[test]
fn what_decides_is_put_back_and_named_and_the_session_is_held_as_before() {
    for (key, value) in [
        ("max_iterations", "777"),
        ("iteration", "0"),
        ("type", "verify"),
        ("task_retries", "{\"01\": 9}"),
        ("paused", "true"),
        ("session_id", "somebody"),
        ("gaps_remaining", "0"),
        ("awaiting", "approval"),
    ] {
        let scene = looped("test -f x.txt", "yolo");
        let agent = session(&scene);
        agent.edits(STATE, &set(&scene.text(STATE), key, value));
        let answer = agent.stops();
        assert!(answer.is_refused(), "{key}: {answer:?}");
        let set = format!("  {key}: {value}\n");
        assert!(!scene.text(STATE).contains(&set), "it has {key}:\n{}", scene.text(STATE));
        assert!(format!("{answer:?}").contains("STATE.md"), "{key} is not named: {answer:?}");
    }
}

#[test]
fn a_list_of_phases_is_put_back() {
    let scene = looped("test -f x.txt", "yolo");
    let agent = session(&scene);
    agent.changes(STATE, "phases_complete: []", "phases_complete: [1]");
    agent.stops().refuses();
    assert!(scene.text(STATE).contains("phases_complete: []"), "{}", scene.text(STATE));
}

#[test]
fn a_state_that_cannot_be_read_any_more_holds_as_before() {
    let scene = looped("test -f x.txt", "yolo");
    let agent = session(&scene);
    agent.edits(STATE, &set(&scene.text(STATE), "iteration", "-50"));
    agent.stops().refuses();
    agent.runs_script("rm .gsd/STATE.md\n");
    agent.edits("x.txt", "z\n");
    agent.stops().refuses();
}

#[test]
fn a_claim_that_all_is_done_starts_the_checks() {
    for to in ["  active: true\n  completed: true\n", "  active: false\n"] {
        let scene = looped("test -f x.txt", "yolo");
        let agent = session(&scene);
        agent.changes(STATE, "  active: true\n", to);
        let answer = agent.stops();
        assert!(answer.is_refused(), "{to}: neither file is there: {answer:?}");
        agent.edits("a.txt", "a\n");
        agent.edits("b.txt", "b\n");
        let text = scene.text(STATE);
        assert!(text.contains("active: true"), "{text}");
        agent.changes(STATE, "  active: true\n", to);
        agent.stops().allows();
    }
}

#[test]
fn what_is_the_agent_s_stays() {
    let scene = looped("test -f x.txt", "yolo");
    let agent = session(&scene);
    let text = scene.text(STATE).replacen("# State\n", "# State\n\nI am at a.txt.\n", 1);
    let text = text.replacen("  phase: 1\n", "  phase: 1\n  last_error: no compiler\n", 1);
    agent.edits(STATE, &text);
    agent.stops().refuses();
    let now = scene.text(STATE);
    assert!(now.contains("I am at a.txt.") && now.contains("last_error: no compiler"), "{now}");
}

#[test]
fn a_person_sets_a_field_between_two_turns() {
    let scene = looped("test -f x.txt", "yolo");
    let agent = scene.session("s1").begins();
    agent.edits("x.txt", "y\n");
    agent.stops_saying("CHECKPOINT: which file first?").allows();
    scene.a_moment_passes();
    let text = scene.text(STATE);
    let paused = text.lines().find(|line| line.trim().starts_with("paused:")).map(str::to_owned);
    match paused {
        Some(line) => scene.changes(STATE, &line, "  paused: true"),
        None => scene.changes(STATE, "  phase: 1\n", "  phase: 1\n  paused: true\n"),
    }
    agent.prompt("go on");
    agent.edits("x.txt", "z\n");
    agent.stops().allows();
    assert!(scene.text(STATE).contains("paused: true"));
}

#[test]
fn the_original_tool_moves_the_loop_on_while_nobody_works() {
    let scene = looped("test -f x.txt", "yolo");
    let agent = scene.session("s1").begins();
    agent.edits("x.txt", "y\n");
    agent.stops_saying("CHECKPOINT: which file first?").allows();
    scene.a_moment_passes();
    scene.changes(STATE, "max_iterations: 20", "max_iterations: 40");
    agent.prompt("go on");
    agent.stops().refuses();
    assert!(scene.text(STATE).contains("max_iterations: 40"), "{}", scene.text(STATE));
}

#[test]
fn a_question_does_not_free_from_a_red_guard() {
    for (mode, said) in [
        ("yolo", "CHECKPOINT: bash or zsh?"),
        ("interactive", "Task 01 failed. Retry? (0/3 attempts used) [Y/n]"),
    ] {
        let scene = looped("grep -q x x.txt", mode);
        let agent = scene.session("s1").begins();
        agent.edits("x.txt", "y\n");
        let answer = agent.stops_saying(said);
        assert!(answer.is_refused(), "{said}: {answer:?}");
        agent.edits("x.txt", "x and y\n");
        agent.stops_saying(said).allows();
    }
}

#[test]
fn the_claim_of_a_phase_does_not_free_from_a_red_guard() {
    let scene = looped("grep -q x x.txt", "yolo");
    let agent = scene.session("s1").begins();
    agent.edits("a.txt", "a\n");
    agent.edits("b.txt", "b\n");
    agent.edits("x.txt", "y\n");
    agent.stops_saying("PHASE COMPLETE").refuses();
}

#[test]
fn a_command_that_nobody_approved_frees_nobody_and_does_not_run() {
    let scene = looped("grep -q x x.txt", "yolo");
    let flag = scene.env.top().join("ran");
    let agent = scene.session("s1").begins();
    agent.edits("x.txt", "y\n");
    let check = format!("<check type=\"test\" cmd=\"touch {}\">it runs</check>", flag.display());
    agent.edits(".gsd/plans/phase-01/plan.md", &plan([&check, FILES[1]]));
    agent.edits("b.txt", "b\n");
    agent.stops_saying("PHASE COMPLETE").refuses();
    assert!(!flag.exists());
}

#[test]
fn a_plan_with_a_command_that_nobody_approved_is_held_before_it_runs() {
    let scene = Scene::of([("x.txt", "x\n"), (".gsd/config.md", "---\nmode: yolo\n---\n")]);
    let flag = scene.env.top().join("ran");
    let check = format!("<check type=\"test\" cmd=\"touch {}\">it runs</check>", flag.display());
    scene.writes(".gsd/plans/phase-01/plan.md", &plan([&check, FILES[1]]));
    scene.commits();
    let host = scene.agent("echo a > a.txt; echo b > b.txt; echo 'PHASE COMPLETE'");
    scene.types(&["run", "plan", "--host", &host]).exits(3);
    assert!(!flag.exists());
}

#[test]
fn refusals_are_bounded_whatever_the_agent_changes() {
    let scene = looped("test -f x.txt", "yolo");
    scene.writes(
        ".sprag/config.yaml",
        "v: 1\nlimits: {refusals: 5}\nguard:\n  gates:\n    - run: test -f x.txt\n",
    );
    scene.changes(STATE, "max_iterations: 20", "max_iterations: 1000");
    let agent = scene.session("s1").begins();
    let mut answers = (0..12).map(|nth| {
        agent.edits("x.txt", &format!("{nth}\n"));
        agent.stops()
    });
    let refused = answers.by_ref().take_while(crate::session::Answer::is_refused).count();
    assert!((1..=5).contains(&refused), "{refused} refusals");
}

#[test]
fn a_loop_is_judged_by_the_plan_and_the_settings_of_its_beginning() {
    let plan_file = ".gsd/plans/phase-01/plan.md";
    for (does, said, named) in [
        (
            format!("sed -i 's/[ab].txt exists/x.txt exists/' {plan_file}"),
            "PHASE COMPLETE",
            plan_file,
        ),
        (
            format!("sed -i '/<task id=\"02\"/,$d' {plan_file}; echo a > a.txt"),
            "PHASE COMPLETE",
            plan_file,
        ),
        (format!("rm {plan_file}"), "PHASE COMPLETE", plan_file),
        (
            "echo '---\nmode: interactive\n---' > .gsd/config.md".to_owned(),
            "Task 01 failed. Retry? (0/3 attempts used) [Y/n]",
            ".gsd/config.md",
        ),
        ("rm .gsd/config.md; mkdir .gsd/config.md".to_owned(), "PHASE COMPLETE", ".gsd/config.md"),
        ("rm -r .gsd".to_owned(), "PHASE COMPLETE", plan_file),
        ("mv .gsd ../elsewhere; ln -s ../elsewhere .gsd".to_owned(), "PHASE COMPLETE", ".gsd"),
        ("rm -r .gsd; mkdir ../other; ln -s ../other .gsd".to_owned(), "PHASE COMPLETE", ".gsd"),
    ] {
        let scene = looped("test -f x.txt", "yolo");
        let agent = session(&scene);
        agent.runs_script(&does);
        let answer = agent.stops_saying(said);
        assert!(answer.is_refused(), "{does}: {answer:?}");
        // The tasks of the old plan are done, so the loop is over. The change stays in doubt.
        agent.edits("a.txt", "a\n");
        agent.edits("b.txt", "b\n");
        agent.stops_saying("PHASE COMPLETE");
        agent.edits("x.txt", "z\n");
        let answer = agent.stops_saying("PHASE COMPLETE");
        let run = scene.run_of("loop");
        let report = scene.report(Some(&run));
        assert!(!report.is_proven(), "{does}: {}", report.shown());
        let is_named = report.names(named) || answer.to_person().contains(named);
        assert!(is_named, "{does}: {answer:?} {}", report.shown());
    }
}

#[test]
fn a_loop_that_leaves_its_plan_alone_is_proven_and_a_person_may_change_it_between_turns() {
    let scene = looped("test -f x.txt", "yolo");
    let agent = session(&scene);
    let run = scene.run_of("loop");
    agent.stops_saying("CHECKPOINT: which file first?").allows();
    scene.a_moment_passes();
    scene.changes(".gsd/plans/phase-01/plan.md", "b.txt exists", "c.txt exists");
    scene.writes(".gsd/config.md", "---\nmode: interactive\n---\n");
    agent.prompt("go on");
    agent.edits("a.txt", "a\n");
    agent.edits("c.txt", "c\n");
    agent.stops_saying("PHASE COMPLETE").allows();
    let report = scene.report(Some(&run));
    assert!(report.json["doubts"].as_array().is_none_or(Vec::is_empty), "{}", report.shown());
    assert!(report.json["outcome"] == "done", "{}", report.shown());
}

/// Drives a plan with an agent that runs `each` in every task before it is done.
fn driven(mode: &str, each: &str) -> (Scene, Typed) {
    let scene =
        Scene::of([("x.txt", "x\n"), (".gsd/config.md", &format!("---\nmode: {mode}\n---\n"))]);
    scene.writes(".gsd/plans/phase-01/plan.md", &plan(FILES));
    scene.commits();
    let agent = format!(
        "case \"$told\" in *'Write a.txt.'*) echo a > a.txt; {each};; *'Write b.txt.'*) echo b > b.txt;;\n\
         *) printf '## Status: passed\\n' > .gsd/plans/phase-01/VERIFICATION.md; echo 'PHASE COMPLETE'; exit;; esac\necho 'TASK COMPLETE'"
    );
    let typed = scene.drives(&["plan"], &agent);
    (scene, typed)
}

#[test]
fn a_driven_plan_puts_back_what_its_agent_sets_and_goes_on() {
    for change in [
        "s/^  active: .*/  active: false/",
        "/^  completed:/d; /^loop:/a\\  completed: true",
        "s/^  type: .*/  type: verify/",
        "s/^  max_iterations: .*/  max_iterations: 777/",
        "s/^phases_complete: .*/phases_complete: [1, 2, 3]/",
        "/^  paused:/d; /^loop:/a\\  paused: true",
        "s/^  session_id: .*/  session_id: mine/",
        "s/^task: .*/task: 2\\/2/",
    ] {
        let (scene, typed) = driven("yolo", &format!("sed -i '{change}' .gsd/STATE.md"));
        assert!(typed.exit == Some(0), "{change}: {:?} {}", typed.exit, typed.all());
        assert!(scene.path("b.txt").exists(), "{change}: the second task was skipped");
        assert!(!scene.text(STATE).contains("777"), "{change}: {}", scene.text(STATE));
        let changed = typed.all().contains("STATE.md") || scene.report(None).names("STATE.md");
        assert!(changed, "{change}: it is not named: {}", typed.all());
    }
}

#[test]
fn a_driven_plan_takes_no_loop_that_its_agent_begins() {
    let begins = "printf -- '---\\nphase: 9\\nloop:\\n  active: true\\n  type: execute\\n  phase: 9\\n---\\n' > .gsd/STATE.md";
    let (scene, typed) = driven("yolo", begins);
    typed.exits(0);
    assert!(scene.path("b.txt").exists());
    assert!(!scene.text(STATE).contains("phase: 9"), "{}", scene.text(STATE));
}

#[test]
fn a_question_of_a_driven_agent_is_a_person_s_to_answer() {
    let asks = "if ! grep -q zsh ../answered 2>/dev/null; then echo \"$told\" | grep -q 'use zsh' && echo zsh > ../answered; \
        [ -e ../answered ] || { sprag approve \"$SPRAG_RUN\" 'use bash' > ../said 2>&1; echo $? > ../code; echo 'CHECKPOINT: bash or zsh?'; exit; }; fi";
    let (scene, typed) = driven("yolo", asks);
    typed.exits(3);
    let code = std::fs::read_to_string(scene.env.top().join("code")).unwrap();
    assert_eq!(code.trim(), "3", "an agent answered its own question");
    let run = scene.run_of("plan");
    scene.types(&["approve", &run, "use zsh"]).exits(0);
    let typed = scene.types(&["run", &run]);
    assert!(typed.exit == Some(0), "{}", typed.all());
    assert!(scene.env.top().join("answered").exists(), "the answer did not reach the agent");
}

#[test]
fn an_agent_in_a_session_does_not_answer_its_own_question() {
    let scene = looped("test -f x.txt", "yolo");
    let agent = session(&scene);
    agent.stops_saying("CHECKPOINT: bash or zsh?").allows();
    let run = scene.run_of("loop");
    agent.prompt("wait for it");
    let exit = agent.tries(&format!("sprag approve {run} 'use bash'")).ok().map(|done| done.exit);
    assert!(matches!(exit, None | Some(Some(3))), "{exit:?}");
}

#[test]
fn a_person_changes_the_plan_between_two_runs() {
    let (scene, typed) = driven("yolo", "true");
    typed.exits(0);
    let other = "<check type=\"file\">c.txt exists</check>";
    scene.writes(
        ".gsd/plans/phase-02/plan.md",
        &plan([other, FILES[1]]).replace("phase: 1", "phase: 2"),
    );
    let typed = scene.drives(&["plan", "2"], "echo c > c.txt\ncase \"$told\" in Verify*) printf '## Status: passed\\n' > .gsd/plans/phase-02/VERIFICATION.md; echo 'PHASE COMPLETE';; *) echo 'TASK COMPLETE';; esac");
    typed.exits(0);
}
