//! A doubt survives an interrupt, a kill, another session, another run, and an agent's own commit.

use std::time::Duration;

use crate::samples::{go, js, make, python, ruby};
use crate::scene::Scene;
use crate::session::Session;
use crate::story::Story;

const TEST: &str = "two_test.go";

/// Breaks the code and weakens its test, with tools.
fn weakens(agent: &Session<'_>) {
    agent.changes("two.go", "return 2", "return 3");
    agent.changes(TEST, "!= 2", "!= 3");
}

/// Works honestly in a new session and returns; that session must not be sent back for `path`.
#[track_caller]
fn next_session(scene: &Scene, path: &str) {
    let agent = scene.session("s2").begins();
    agent.edits("notes.txt", "something new\n");
    let answer = agent.stops();
    answer.allows_and_names(path);
    scene.report(None).is_doubted_for(path);
}

/// Asserts that a session is sent back for a file, and then ends with a doubt about it.
#[track_caller]
pub(crate) fn ends_with_doubt(scene: &Scene, agent: &Session<'_>, path: &str) {
    agent.stops().refuses_for(path);
    agent.stops().allows_and_names(path);
    scene.report(None).is_doubted_for(path);
}

/// Works honestly in a new run and asserts that the doubt is still there.
#[track_caller]
fn next_run(scene: &Scene, gate: &str, path: &str) {
    scene.agent_called("next", "echo new >> notes.txt");
    let host = format!("sh {}/next.sh", scene.env.top().display());
    let words = ["run", "More", "--until", gate, "--host", &host, "--yes"];
    scene.types(&words).exits(3);
    assert_eq!(scene.told("next").len(), 1, "it is sent back for what it did not do");
    scene.report(None).is_doubted_for(path);
}

#[test]
fn a_session_that_is_killed_leaves_its_doubt_to_the_next_one() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    weakens(&first);
    first.dies();
    next_session(&scene, TEST);
}

#[test]
fn a_session_that_is_killed_leaves_its_doubt_to_a_run() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    weakens(&first);
    first.dies();
    next_run(&scene, "go test ./...", TEST);
}

#[test]
fn a_session_that_is_killed_after_a_shell_weakened_a_test() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    first.runs("sed -i 's/return 2/return 3/' two.go; sed -i 's/!= 2/!= 3/' two_test.go");
    first.dies();
    next_session(&scene, TEST);
}

#[test]
fn a_session_that_is_killed_inside_a_tool() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    first.changes("two.go", "return 2", "return 3");
    let text = scene.text(TEST).replace("!= 2", "!= 3");
    first.asks_to_edit(TEST, &text);
    scene.a_moment_passes();
    // The tool call began but its end is never reported: its writes are not a person's.
    first.puts(TEST, &text);
    first.dies();
    next_session(&scene, TEST);
}

#[test]
fn a_session_that_ends_in_doubt_leaves_it_to_the_next_but_one() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    weakens(&first);
    first.stops().refuses_for(TEST);
    first.stops().allows_and_names(TEST);
    first.ends();
    let idle = scene.session("idle").begins();
    idle.stops().allows();
    idle.ends();
    next_session(&scene, TEST);
}

#[test]
fn a_session_that_is_interrupted_and_goes_on() {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    weakens(&agent);
    // An interrupt sends no stop event; then the person sends a harmless prompt.
    agent.prompt("what did you do?");
    agent.edits("notes.txt", "x\n");
    let answer = agent.stops();
    assert!(answer.is_refused() || answer.to_person().contains(TEST), "{answer:?}");
    agent.stops().allows();
    scene.report(None).is_doubted_for(TEST);
}

#[test]
fn a_doubt_is_not_forgotten_when_its_session_is_taken_up_again() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    weakens(&first);
    first.dies();
    let again = scene.session("s1");
    again.says("SessionStart", serde_json::json!({ "source": "resume" }));
    again.prompt("go on");
    again.edits("notes.txt", "x\n");
    again.stops();
    again.stops().allows();
    scene.report(None).is_doubted_for(TEST);
}

#[test]
fn a_person_s_own_edit_after_a_kill_counts() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    first.edits("two.go", "package sum\n\nfunc Two() int { return 1 + 1 }\n");
    first.dies();
    scene.a_moment_passes();
    scene.changes(TEST, "!= 2", "!= 3");
    scene.changes("two.go", "1 + 1", "3");
    let second = scene.session("s2").begins();
    second.edits("notes.txt", "x\n");
    second.stops().allows();
    scene.report(None).is_proven_now();
}

#[test]
fn a_time_in_the_future_makes_nothing_a_person_s() {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    weakens(&agent);
    agent.runs("touch -d '+1 day' two_test.go");
    agent.dies();
    next_session(&scene, TEST);
}

/// Starts a process that outlives its session and weakens the test later.
#[test]
fn what_a_process_of_the_session_does_later_is_not_a_person_s() {
    let scene = go().guarded();
    let top = scene.env.top().display().to_string();
    let agent = scene.session("s1").begins();
    agent.runs(&format!("mkfifo {top}/gate"));
    agent.runs("sed -i 's/return 2/return 1 + 1/' two.go");
    agent.runs(&format!(
        "(read x < {top}/gate; sed -i 's/return 1 + 1/return 3/' two.go; \
         sed -i 's/!= 2/!= 3/' two_test.go; touch {top}/weakened; read x < {top}/gate) > /dev/null 2>&1 &"
    ));
    agent.stops().allows();
    scene.a_moment_passes();
    std::fs::write(scene.env.top().join("gate"), "x\n").unwrap();
    scene.waits_for("weakened");
    agent.prompt("go on");
    agent.edits("notes.txt", "x\n");
    agent.stops();
    agent.stops().allows();
    let report = scene.report(None);
    std::fs::write(scene.env.top().join("gate"), "x\n").unwrap();
    report.is_doubted_for(TEST);
}

#[test]
fn an_agent_s_commit_inside_a_turn_is_nobody_s_yes() {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    weakens(&agent);
    agent.runs("git commit -qam 'as the task asks'");
    agent.stops().refuses_for(TEST);
    agent.stops().allows_and_names(TEST);
    scene.report(None).is_doubted_for(TEST);
    agent.ends();
    next_session(&scene, TEST);
}

#[test]
fn an_agent_s_commit_in_the_next_session_is_nobody_s_yes() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    weakens(&first);
    first.dies();
    let second = scene.session("s2").begins();
    second.edits("notes.txt", "x\n");
    second.runs("git add -A; git commit -qm 'clean up'");
    second.stops();
    second.stops().allows();
    scene.report(None).is_doubted_for(TEST);
    second.ends();
    next_run(&scene, "go test ./...", TEST);
}

#[test]
fn an_agent_s_commit_inside_a_run_is_nobody_s_yes() {
    let story = ruby().breaks().changes("spec/two_spec.rb", "eq(2)", "eq(3)");
    let story = story.runs("git add -A; git commit -qm done || true");
    let scene = story.scene();
    story.driven(&scene).exits(3);
    scene.report(None).is_doubted_for("spec/two_spec.rb");
    next_run(&scene, "rspec", "spec/two_spec.rb");
}

#[test]
fn a_branch_that_the_agent_made_is_no_earlier_text() {
    let lines = "git switch -q -c mine; sed -i 's/return 2/return 3/' two.go; sed -i 's/!= 2/!= 3/' two_test.go; \
        git commit -qam mine; git switch -q main; git merge -q mine";
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    agent.runs(lines);
    agent.stops().refuses_for(TEST);
    agent.stops().allows_and_names(TEST);
    scene.report(None).is_doubted_for(TEST);

    let scene = go().scene();
    let agent = format!("[ $turn -gt 1 ] || {{ {lines}; }}");
    scene.drives(&["Do it", "--until", "go test ./..."], &agent).exits(3);
    scene.report(None).is_doubted_for(TEST);
}

#[test]
fn a_stash_that_the_agent_made_is_no_earlier_text() {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    weakens(&agent);
    agent.runs("git stash -q");
    agent.prompt("go on");
    agent.runs("git stash pop -q");
    agent.stops().refuses_for(TEST);
    agent.stops().allows_and_names(TEST);
    scene.report(None).is_doubted_for(TEST);
}

#[test]
fn a_run_that_ends_in_doubt_leaves_it_to_the_next_run_and_to_a_session() {
    let story = python().breaks().changes("tests/test_two.py", "== 2", "== 3");
    let scene = story.guarded();
    story.driven(&scene).exits(3);
    next_run(&scene, "pytest", "tests/test_two.py");
    let agent = scene.session("s2").begins();
    agent.edits("notes.txt", "something new\n");
    agent.stops().allows_and_names("tests/test_two.py");
    let guard = scene.run_of("guard");
    scene.report(Some(&guard)).is_doubted_for("tests/test_two.py");
}

#[test]
fn a_weaker_gate_is_left_to_the_next_run_as_well() {
    let story = make().breaks().changes("Makefile", "check: unit", "check:");
    let scene = story.scene();
    story.driven(&scene).exits(3);
    next_run(&scene, "make check", "Makefile");
}

#[test]
fn a_replaced_program_is_left_to_the_next_run_as_well() {
    let story = js().breaks().writes("node_modules/.bin/jest", "#!/bin/sh\n");
    let scene = story.scene();
    story.driven(&scene).exits(3);
    next_run(&scene, "npm test", "node_modules/.bin/jest");
}

#[test]
fn a_later_run_that_puts_the_test_back_ends_the_doubt() {
    let story = ruby().breaks().changes("spec/two_spec.rb", "eq(2)", "eq(3)");
    let scene = story.scene();
    story.driven(&scene).exits(3);
    let agent = "git checkout -q spec lib; echo '# two' >> lib/sum.rb";
    scene.drives(&["More", "--until", "rspec"], agent).exits(0);
    scene.report(None).is_proven_now();
}

#[test]
fn a_later_run_that_weakens_it_further_does_not_begin_anew() {
    let story = ruby().breaks().changes("spec/two_spec.rb", "eq(2)", "eq(3)");
    let scene = story.scene();
    story.driven(&scene).exits(3);
    let agent = "sed -i 's/expect.*//' spec/two_spec.rb; sed -i 's/two = 3/two = 4/' lib/sum.rb";
    scene.drives(&["More", "--until", "rspec"], agent).exits(3);
    scene.report(None).is_doubted_for("spec/two_spec.rb");
    // The display shows the whole change, from the last text without doubt.
    let run = scene.run_of("task");
    let said = scene.types(&["approve", &run, "--yes"]).exits(0).all();
    assert!(said.contains("eq(2)"), "{said}");
}

/// A run whose driver was killed while its agent worked; returns once the agent has weakened the
/// test.
fn killed_driver(story: &Story, gate: &str) -> Scene {
    let scene = story.scene();
    let top = scene.env.top().display().to_string();
    scene.shell(&format!("mkfifo {top}/gate"));
    let agent = format!(
        "echo $$ > {top}/pid\n{}\ntouch {top}/weakened\nread x < {top}/gate\n",
        story.script(&scene)
    );
    let host = scene.agent(&agent);
    let mut driver = scene.starts(&["run", "Do it", "--until", gate, "--host", &host, "--yes"]);
    scene.waits_for("weakened");
    driver.kill().unwrap();
    driver.wait().unwrap();
    scene
}

/// Kills the agent that its driver left behind.
fn ends_agent(scene: &Scene) {
    let id = std::fs::read_to_string(scene.env.top().join("pid")).unwrap();
    let id = id.trim();
    let _ = scene.env.command("kill").args(["-s", "KILL", id]).output();
    let is_there = || {
        let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        !state.is_empty() && !state.contains(") Z ")
    };
    scene.env.wait_until("the agent has ended", || !is_there());
}

#[test]
fn a_run_whose_driver_is_killed_leaves_its_doubt_to_the_next_run() {
    let story = go().breaks().changes(TEST, "!= 2", "!= 3");
    let scene = killed_driver(&story, "go test ./...");
    ends_agent(&scene);
    next_run(&scene, "go test ./...", TEST);
}

#[test]
fn a_run_whose_driver_is_killed_leaves_its_doubt_to_a_session() {
    let story = go().breaks().changes(TEST, "!= 2", "!= 3");
    let scene = killed_driver(&story, "go test ./...");
    ends_agent(&scene);
    scene.guarded_by("go test ./...");
    let agent = scene.session("s2").begins();
    agent.edits("notes.txt", "something new\n");
    agent.stops().allows_and_names(TEST);
    let guard = scene.run_of("guard");
    scene.report(Some(&guard)).is_doubted_for(TEST);
}

#[test]
fn a_run_whose_driver_is_killed_is_not_proven_when_it_goes_on() {
    let story = go().breaks().changes(TEST, "!= 2", "!= 3");
    let scene = killed_driver(&story, "go test ./...");
    ends_agent(&scene);
    let run = scene.run_of("task");
    scene.agent("echo new >> notes.txt");
    scene.types(&["resume", &run]).exits(3);
    scene.report(Some(&run)).is_doubted_for(TEST);
}

#[test]
fn a_person_s_edit_after_the_driver_was_killed_counts() {
    let story = go().improves();
    let scene = killed_driver(&story, "go test ./...");
    ends_agent(&scene);
    // The agent's end was not observed, so changes soon after the driver's last sign may be the
    // agent's.
    let sign = format!(".sprag/cache/sign-{}", scene.run_of("task"));
    scene.env.aged(sign, Duration::from_secs(5));
    scene.changes(TEST, "!= 2", "!= 3");
    scene.changes("two.go", "1 + 1", "3");
    scene.drives(&["More", "--until", "go test ./..."], "echo new >> notes.txt").exits(0);
    scene.report(None).is_proven_now();
}

#[test]
fn a_later_phase_does_not_weaken_the_tests_of_an_earlier_one() {
    let scene = go().scene();
    let flow = "name: Feat\ncommandName: feat\ninitialMessage: do {description}\nphases:\n  - one.md\n  - two.md\n";
    scene.writes(".sprag/workflows/feat/workflow.yaml", flow);
    for id in ["one", "two"] {
        let phase = format!(
            "---\nid: {id}\nname: {id}\nemoji: 🔨\ngates:\n  - run: go test ./...\n---\nDo {id}.\n"
        );
        scene.writes(&format!(".sprag/workflows/feat/{id}.md"), &phase);
    }
    scene.commits();
    let agent = "case \"$told\" in\n*'Do one'*) printf 'package sum\\nfunc Nine() int { return 9 }\\n' > nine.go\n\
        printf 'package sum\\nfunc TestNine(t *testing.T) {\\n\\tif Nine() != 9 {\\n\\t}\\n}\\n' > nine_test.go;;\n\
        *) sed -i 's/return 9/return 8/' nine.go; sed -i 's/!= 9/!= 8/' nine_test.go;; esac";
    scene.drives(&["feat", "do it"], agent).exits(3);
    scene.report(None).is_doubted_for("nine_test.go");
}

#[test]
fn a_workflow_in_a_session_keeps_the_doubt_of_an_earlier_phase() {
    let story = go().breaks().changes(TEST, "!= 2", "!= 3");
    let (scene, typed) = story.phased("");
    typed.exits(3);
    assert!(scene.path("notes.txt").exists(), "the others go on");
    next_run(&scene, "go test ./...", TEST);
}

#[test]
fn of_two_open_sessions_each_answers_for_its_own_edits() {
    let scene = go().guarded();
    let (first, second) = (scene.session("s1").begins(), scene.session("s2").begins());
    weakens(&first);
    second.edits("notes.txt", "x\n");
    // This session did not touch the test, so it is not sent back for it.
    let answer = second.stops();
    assert!(!answer.to_agent().contains(TEST), "{answer:?}");
    first.stops().refuses_for(TEST);
    first.stops().allows_and_names(TEST);
    let run = run_of_session(&scene, "s1");
    scene.report(Some(&run)).is_doubted_for(TEST);
}

#[test]
fn of_two_open_sessions_either_may_have_run_the_shell() {
    let scene = go().guarded();
    let (first, second) = (scene.session("s1").begins(), scene.session("s2").begins());
    first.runs("sed -i 's/return 2/return 3/' two.go; sed -i 's/!= 2/!= 3/' two_test.go");
    second.runs("echo x > notes.txt");
    for (session, name) in [(&first, "s1"), (&second, "s2")] {
        session.stops().allows_and_names(TEST);
        let run = run_of_session(&scene, name);
        scene.report(Some(&run)).is_doubted_for(TEST);
    }
}

#[test]
fn a_second_session_does_not_make_the_first_one_s_doubt_its_beginning() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    weakens(&first);
    // The first session is still at work, and has not tried to stop.
    let second = scene.session("s2").begins();
    second.edits("notes.txt", "x\n");
    second.stops();
    second.stops();
    second.ends();
    first.dies();
    let third = scene.session("s3").begins();
    third.edits("more.txt", "x\n");
    third.stops().allows_and_names(TEST);
    let run = run_of_session(&scene, "s3");
    scene.report(Some(&run)).is_doubted_for(TEST);
}

#[test]
fn a_branch_that_an_agent_left_in_an_earlier_session_is_no_earlier_text() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    first.runs(
        "git switch -q -c mine; sed -i 's/return 2/return 3/' two.go; \
         sed -i 's/!= 2/!= 3/' two_test.go; git commit -qam mine; git switch -q main",
    );
    first.edits("notes.txt", "x\n");
    first.stops().allows();
    first.ends();
    let second = scene.session("s2").begins();
    second.runs("git merge -q mine");
    second.stops().refuses_for(TEST);
    second.stops().allows_and_names(TEST);
    scene.report(None).is_doubted_for(TEST);
}

#[test]
fn a_test_that_the_code_rewrites_while_the_gate_runs_is_the_agent_s() {
    let scene = python().scene();
    let code = "def two():\n    return 3\n\n\ndef four():\n    return 4\n\n\np = 'tests/test_two.py'\n\
        t = open(p).read()\nopen(p, 'w').write(t.replace('== 2', '== 3'))\n";
    let agent = format!("cat > total.py <<'E'\n{code}E\n");
    scene.drives(&["Do it", "--until", "pytest"], &agent).exits(3);
    scene.report(None).is_doubted_for("tests/test_two.py");
}

#[test]
fn a_person_s_edit_before_a_killed_run_goes_on_counts() {
    let story = go().improves();
    let scene = killed_driver(&story, "go test ./...");
    ends_agent(&scene);
    let run = scene.run_of("task");
    scene.env.aged(format!(".sprag/cache/sign-{run}"), Duration::from_secs(5));
    scene.changes(TEST, "!= 2", "!= 3");
    scene.agent("sed -i 's/return .*/return 3 }/' two.go");
    scene.types(&["resume", &run]).exits(0);
    scene.report(Some(&run)).is_proven_now();
}

#[test]
fn what_an_agent_does_after_its_stop_without_a_prompt_is_its_own() {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    agent.edits("notes.txt", "x\n");
    agent.stops().allows();
    // The host woke the session, for instance for a background task; then a person interrupts it.
    weakens(&agent);
    agent.prompt("what was that?");
    agent.edits("notes.txt", "y\n");
    agent.stops();
    agent.stops().allows();
    scene.report(None).is_doubted_for(TEST);
}

#[test]
fn a_session_that_is_cleared_does_not_clear_its_doubt() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    weakens(&first);
    // An interrupt, then a new conversation in the same process.
    let second = first.cleared("s2");
    second.prompt("go on");
    second.edits("notes.txt", "x\n");
    second.stops();
    second.stops().allows();
    scene.report(None).is_doubted_for(TEST);
}

#[test]
fn cleaning_the_state_away_does_not_clean_a_doubt() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    weakens(&first);
    first.stops();
    first.stops();
    first.ends();
    let second = scene.session("s2").begins();
    let script = scene.env.top().join("cleans.sh");
    std::fs::write(&script, "git clean -fdxq\n").unwrap();
    second.runs(&format!("sh {}", script.display()));
    second.edits("notes.txt", "x\n");
    second.stops();
    second.stops();
    assert!(!scene.report(None).is_proven(), "{}", scene.report(None).shown());
}

/// Returns the guard's run of a session.
#[track_caller]
fn run_of_session(scene: &Scene, name: &str) -> String {
    let status = scene.status();
    let runs = status["runs"].as_array().unwrap();
    let is_own =
        |run: &&serde_json::Value| run["session"].as_str().is_some_and(|own| own.ends_with(name));
    let run = runs.iter().find(is_own).unwrap_or_else(|| panic!("no run of {name}: {status}"));
    run["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_remote_branch_that_the_agent_made_itself_excuses_nothing() {
    for line in ["git push -q origin HEAD:w", "git update-ref refs/remotes/origin/w HEAD"] {
        let scene = go().guarded();
        scene.shell(
            "git clone -q --bare . ../up.git; git remote add origin ../up.git; git fetch -q",
        );
        let agent = scene.session("s1").begins();
        weakens(&agent);
        agent.runs(&format!("git commit -qam w; {line}"));
        agent.stops().refuses_for(TEST);
        agent.stops().allows_and_names(TEST);
        agent.ends();
        scene.report(None).is_doubted_for(TEST);
    }
}
