//! A person waives the gate of a driven run: it ends there, and no agent works again.

use super::{World, inbox};

const TASK: [&str; 4] = ["run", "Make it good", "--until", "sh test.sh"];

/// Waives the gate of the only run, which ends it.
fn waive(world: &World) {
    let said = world.sprag(&["approve", "--waive", "not today"]);
    assert_eq!(said.exit, Some(0), "{}{}", said.stdout, said.stderr);
    let turns = world.turns();
    let (status, _) = world.json(&["status"]);
    let run = &status["runs"][0];
    assert_eq!(run["life"], "done", "{status}");
    assert!(run["ended"].is_string(), "{status}");
    let kept = world.env.read(format!(".sprag/runs/{}/agents.json", world.run())).unwrap();
    assert!(kept.contains("\"claimed\": 1"), "{kept}");
    let report = world.sprag(&["report", &world.run()]).stdout;
    assert!(report.contains("not today"), "{report}");
    let again = world.sprag(&["resume", &world.run()]);
    assert_eq!((again.exit, world.turns()), (Some(0), turns), "{}", again.stdout);
    assert!(again.stdout.contains("Unproven waived: sh test.sh\n"), "{}", again.stdout);
}

#[test]
fn a_waived_gate_ends_a_task_that_is_held_in_an_attempt() {
    let world = World::new("true");
    assert_eq!(world.sprag(&TASK).exit, Some(5));
    waive(&world);
}

#[test]
fn a_waived_gate_ends_a_task_whose_agents_were_lost() {
    let world = World::new("exit 3");
    let ran = world.sprag(&TASK);
    assert_eq!((ran.exit, world.turns()), (Some(5), 3), "{}", ran.stdout);
    let said = world.sprag(&["approve", "sh test.sh", "--waive", "not today"]);
    assert_eq!(said.exit, Some(0), "{}{}", said.stdout, said.stderr);
    let (status, _) = world.json(&["status"]);
    assert_eq!(status["runs"][0]["life"], "done", "{status}");
    assert_eq!((world.sprag(&["resume", &world.run()]).exit, world.turns()), (Some(0), 3));
}

#[test]
fn a_waived_gate_ends_a_task_whose_retries_are_used_up() {
    let world = World::new("echo \"try $turn: $turn$turn\" > code.txt");
    assert_eq!(world.sprag(&[&TASK[..], &["--max", "1"]].concat()).exit, Some(5));
    waive(&world);
}

#[test]
fn a_waived_gate_ends_a_workflow_whose_last_phase_failed_in_the_same_way_too_often() {
    let world = World::new("date +%s%N >> other.txt");
    world.env.write("test.sh", "false\n");
    world.env.write(
        ".sprag/workflows/dev/workflow.yaml",
        "name: Dev\ncommandName: dev\ninitialMessage: go\nphases: [build.md]\n",
    );
    world.env.write(
        ".sprag/workflows/dev/build.md",
        "---\nid: build\nname: Build\nemoji: x\ngates:\n  - run: sh test.sh\n---\nBuild it.\n",
    );
    let ran = world.sprag(&["run", "dev", "Do it"]);
    assert_eq!(ran.exit, Some(5), "{}{}", ran.stdout, ran.stderr);
    let said = world.sprag(&["approve", "--waive", "not today"]);
    assert_eq!(said.exit, Some(0), "{}{}", said.stdout, said.stderr);
    let (status, _) = world.json(&["status"]);
    assert_eq!(status["runs"][0]["life"], "done", "{status}");
}

#[test]
fn a_waived_gate_that_is_verified_stays_waived_and_breaks_no_proof() {
    for more in [&[][..], &["--agents", "2"]] {
        let world = World::new("echo done > work.txt");
        assert_eq!(world.sprag(&[&TASK[..], more].concat()).exit, Some(5));
        let run = world.run();
        assert_eq!(world.sprag(&["approve", "--waive", "not today"]).exit, Some(0));
        assert_eq!(world.sprag(&["resume", &run]).exit, Some(0));
        let before = world.sprag(&["report", &run]).stdout;
        let again = world.sprag(&["report", &run, "--verify"]);
        assert_eq!(again.exit, Some(0), "{}{}", again.stdout, again.stderr);
        let line = " ! sh test.sh                     waived; fails now: exit 1, receipt g-";
        assert!(again.stdout.contains(line), "{}", again.stdout);
        let (object, _) = world.json(&["report", &run, "--verify"]);
        let one = &object["verified"][0];
        assert_eq!((&one["result"], &one["waived"]), (&"fails".into(), &true.into()), "{object}");
        let after = world.sprag(&["report", &run]).stdout;
        let heads = [&before, &after].map(|said| said.lines().take(2).collect::<Vec<_>>());
        assert_eq!(heads[0], heads[1]);
        assert!(heads[1][1].starts_with("Unproven   waived: sh test.sh"), "{after}");
    }
}

/// Waives the gate of the only run and drives it on: its agent's work is merged, and no agent works
/// on it again.
fn waive_apart(agent: &str, more: &[&str]) {
    let world = World::new(agent);
    let ran = world.sprag(&[&TASK[..], &["--agents", "2"], more].concat());
    assert_eq!(ran.exit, Some(5), "{}{}", ran.stdout, ran.stderr);
    let (run, turns) = (world.run(), world.turns());
    let said = world.sprag(&["approve", "--waive", "not today"]);
    assert_eq!(said.exit, Some(0), "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains(&format!("Next: sprag resume {run}\n")), "{}", said.stdout);
    let (status, _) = world.json(&["status"]);
    assert_ne!(status["runs"][0]["life"], "done", "nothing is merged yet: {status}");
    let ran = world.sprag(&["resume", &run]);
    assert_eq!((ran.exit, world.turns()), (Some(0), turns), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("Unproven waived: sh test.sh\n"), "{}", ran.stdout);
    let (status, _) = world.json(&["status"]);
    assert_eq!(status["runs"][0]["life"], "done", "{status}");
    assert_eq!(world.env.git(&["show", &format!("sprag/{run}:work.txt")]), "done");
    let kept = world.env.read(format!(".sprag/runs/{run}/agents.json")).unwrap();
    assert!(kept.contains("\"claimed\": 1") && kept.contains("\"commit\""), "{kept}");
}

#[test]
fn a_waived_gate_ends_a_task_in_a_worktree_once_its_work_is_merged() {
    waive_apart("echo done > work.txt", &[]);
    waive_apart("echo done > work.txt; echo $turn$turn > code.txt", &["--max", "1"]);
    // No gate ever ran.
    waive_apart("echo done > work.txt; exit 3", &[]);
}

#[test]
fn a_waived_assignment_in_a_worktree_is_merged_before_it_is_done() {
    let world = inbox::world(&format!("{}\necho $turn$turn > code.txt", inbox::AGENT), 1);
    assert_eq!(world.sprag(&["run", "inbox", "--agents", "2"]).exit, Some(5));
    let turns = world.turns();
    let said = world.sprag(&["approve", "--waive", "not today"]);
    assert_eq!(said.exit, Some(0), "{}{}", said.stdout, said.stderr);
    let ran = world.sprag(&["run", "inbox", "--agents", "2"]);
    assert_eq!((ran.exit, world.turns()), (Some(0), turns), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(world.env.git(&["show", "sprag/inbox:u1.txt"]), "u1");
    let work = world.env.read(".chipset/state/work/u1.json").unwrap();
    assert!(work.contains("\"done\""), "{work}");
}

#[test]
fn an_assignment_in_a_worktree_that_a_person_agrees_to_is_merged_before_it_is_done() {
    let world = inbox::world(inbox::AGENT, 1);
    world.env.write(".sprag/config.yaml", "guard:\n  gates:\n    - human: Is it good?\n");
    assert_eq!(world.sprag(&["run", "inbox", "--agents", "2"]).exit, Some(3));
    let said = world.sprag(&["approve"]);
    assert_eq!(said.exit, Some(0), "{}{}", said.stdout, said.stderr);
    let ran = world.sprag(&["run", "inbox", "--agents", "2"]);
    assert_eq!((ran.exit, world.turns()), (Some(0), 1), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(world.env.git(&["show", "sprag/inbox:u1.txt"]), "u1");
}

/// Waives a gate while the first agent works, which then continues; returns the driver's output.
fn waive_at_work(world: &World, words: &[&str], gate: &str) -> String {
    let child = world.start_heard(words);
    world.env.wait_until("the agent works", || world.turns() == 1);
    let said = world.sprag(&["approve", "--waive", "not today", gate]);
    assert_eq!(said.exit, Some(0), "{}{}", said.stdout, said.stderr);
    world.env.write("../go", "");
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    assert_eq!(out.status.code(), Some(0), "{said}");
    world.nobody_is_left();
    said
}

#[test]
fn a_waiver_while_the_agent_works_ends_the_run_with_its_turn() {
    let top = |world: &World| world.env.top().display().to_string();
    for (more, rest) in
        [(&[][..], "true"), (&[], "exit 3"), (&["--agents", "2"], "true"), (&[], "date > new.txt")]
    {
        let world = World::new("");
        let agent = format!("until [ -f {}/go ]; do sleep 0.01; done\n{rest}", top(&world));
        World::agent(&world.env, "agent.sh", &agent);
        let said = waive_at_work(&world, &[&TASK[..], more].concat(), "sh test.sh");
        assert_eq!(world.turns(), 1, "{more:?} {rest}: {said}");
        assert!(said.contains("Unproven waived: sh test.sh\n"), "{more:?} {rest}: {said}");
        let events = world.events();
        let ended = events.iter().find(|event| event["kind"] == "agent.ended").unwrap();
        assert!(ended["data"]["unit"] == "task" && ended["data"]["host"] != "", "{ended}");
    }
}

#[test]
fn a_waiver_while_the_agent_works_outlives_whoever_drives() {
    // An agent that ended well is judged as it is; a killed one works again, but only once.
    for (signal, turns) in [("INT", 1), ("KILL", 2)] {
        let world = World::new("[ $turn -gt 1 ] || sleep 600; date +%N > new.txt");
        let mut child = world.start(&TASK);
        world.env.wait_until("the agent works", || world.turns() == 1);
        let said = world.sprag(&["approve", "--waive", "not today", "sh test.sh"]);
        assert_eq!(said.exit, Some(0), "{}{}", said.stdout, said.stderr);
        world.signal(signal, child.id());
        child.wait().unwrap();
        let ran = world.sprag(&["resume", &world.run()]);
        assert_eq!((ran.exit, world.turns()), (Some(0), turns), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("Unproven waived: sh test.sh\n"), "{}", ran.stdout);
        world.nobody_is_left();
    }
}

/// Creates a workflow of one phase with two gates, of which its agent's work passes the second.
fn reviewed(review: &str) -> World {
    let world = World::new("until [ -f ../go ]; do sleep 0.01; done\ndate > made.txt");
    World::agent(
        &world.env,
        "reviewer",
        "until [ -f ../go ]; do sleep 0.01; done\necho 'VERDICT: pass'",
    );
    world.env.write(
        ".sprag/workflows/dev/workflow.yaml",
        "name: Dev\ncommandName: dev\ninitialMessage: go\nphases: [build.md]\n",
    );
    let phase = format!(
        "---\nid: build\nname: Build\nemoji: x\ngates:\n  - run: sh test.sh\n  - file: made.txt\n\
         {review}---\nBuild it.\n"
    );
    world.env.write(".sprag/workflows/dev/build.md", phase);
    world
}

const REVIEW: &str = "review: {reviewer: reviewer}\n";

fn run_reviewed(world: &World) -> Vec<String> {
    let (host, reviewer) = (world.host(), world.env.top().join("reviewer").display().to_string());
    ["run", "dev", "it", "--yes", "--host", &host, "--or", &reviewer].map(str::to_owned).to_vec()
}

#[test]
fn a_waiver_while_the_agent_works_counts_for_what_it_leaves_in_the_phase() {
    for (review, turns) in [("", 1), (REVIEW, 2)] {
        let world = reviewed(review);
        let words = run_reviewed(&world);
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let said = waive_at_work(&world, &words, "sh test.sh");
        assert_eq!(world.turns(), turns, "{said}");
        assert!(said.contains("waived: build/sh test.sh"), "{said}");
        let report = world.sprag(&["report"]).stdout;
        assert!(report.contains("Unproven   waived: build/sh test.sh"), "{report}");
    }
}

#[test]
fn a_gate_is_not_waived_while_its_phase_is_reviewed() {
    let world = reviewed(REVIEW);
    world.env.write("code.txt", "good\n");
    world.env.write("made.txt", "x\n");
    World::agent(&world.env, "agent.sh", "true");
    let words = run_reviewed(&world);
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let child = world.start_heard(&words);
    world.env.wait_until("the reviewer works", || world.turns() == 2);
    let before = world.events().len();
    let said = world.sprag(&["approve", "--waive", "not today", "sh test.sh"]);
    assert_eq!((said.exit, world.events().len()), (Some(1), before), "{}", said.stdout);
    assert!(said.stderr.contains("its phase is in review"), "{}", said.stderr);
    world.env.write("../go", "");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
}

#[test]
fn a_pause_during_the_last_unit_holds_nothing_that_is_over() {
    let world = World::new("until [ -f ../go ]; do sleep 0.01; done\necho good > code.txt");
    let child = world.start_heard(&TASK);
    world.env.wait_until("the agent works", || world.turns() == 1);
    assert_eq!(world.sprag(&["pause", &world.run()]).exit, Some(0));
    world.env.write("../go", "");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    let (status, _) = world.json(&["status"]);
    let run = &status["runs"][0];
    assert_eq!((&run["life"], run["ended"].is_string()), (&"done".into(), true), "{status}");
    let report = world.sprag(&["report", &world.run()]).stdout;
    assert!(!report.contains("held"), "{report}");
}

#[test]
fn a_check_of_a_plan_is_not_waived_and_nothing_is_said_to_be() {
    let world = super::together::world(1);
    World::agent(&world.env, "agent.sh", "echo 'TASK COMPLETE'");
    assert_eq!(world.sprag(&["run", "plan"]).exit, Some(5));
    let run = world.run();
    let before = world.events().len();
    let said = world.sprag(&["approve", &run, "f01.txt exists", "--waive", "not today"]);
    assert_eq!(said.exit, Some(1), "{}{}", said.stdout, said.stderr);
    assert!(said.stderr.contains("correct or remove it in plan.md"), "{}", said.stderr);
    assert_eq!(world.events().len(), before);
}

#[test]
fn assignments_that_a_person_lets_go_on_while_another_is_worked_on_are_done_in_the_end() {
    let agent = format!(
        "case $prompt in u3:*) until [ -f ../go ]; do sleep 0.01; done ;;\n\
         *) [ -f ../mended ] || exit 3 ;; esac\n{}",
        inbox::AGENT
    );
    let world = inbox::world(&agent, 3);
    let child = world.start_heard(&["run", "inbox"]);
    world.env.wait_until("two are held and one is worked on", || world.turns() == 7);
    let (status, _) = world.json(&["status"]);
    let runs = status["runs"].as_array().unwrap().iter().filter_map(|run| run["id"].as_str());
    let run = |unit: &str| runs.clone().find(|run| run.starts_with(unit)).unwrap();
    let said = world.sprag(&["approve", run("r-u1-"), "sh test.sh", "--waive", "not today"]);
    assert!(said.stdout.ends_with(", continues it\n"), "{}{}", said.stdout, said.stderr);
    world.env.write("../mended", "");
    let resumed = world.sprag(&["resume", run("r-u2-")]);
    assert_eq!(resumed.exit, Some(0), "{}{}", resumed.stdout, resumed.stderr);
    let status = world.sprag(&["status"]).stdout;
    assert!(!status.contains("NEEDS YOU"), "{status}");
    world.env.write("../go", "");
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    assert_eq!((out.status.code(), world.turns()), (Some(0), 8), "{said}");
    let status = world.sprag(&["status"]).stdout;
    assert!(status.contains("3 done"), "{status}");
}

#[test]
fn an_assignment_whose_run_a_person_ended_is_left_to_whoever_drives_the_inbox() {
    let world = inbox::world("exit 3", 1);
    assert_eq!(world.sprag(&["run", "inbox"]).exit, Some(5));
    let said = world.sprag(&["approve", "sh test.sh", "--waive", "not today"]);
    assert!(said.stdout.ends_with("\nNext: sprag run inbox\n"), "{}{}", said.stdout, said.stderr);
    let status = world.sprag(&["status"]).stdout;
    let line = "worker-1  paused: its run is over, and its driver is gone\n     sprag run inbox\n";
    assert!(status.contains(line) && status.ends_with("\nNext: sprag run inbox\n"), "{status}");
    assert_eq!(world.sprag(&["run", "inbox"]).exit, Some(0));
    let status = world.sprag(&["status"]).stdout;
    assert!(status.contains("1 done") && !status.contains("NEEDS YOU"), "{status}");
}

#[test]
fn who_is_free_takes_up_what_a_person_answered_while_another_works() {
    let world = inbox::world("", 2);
    let agent = format!(
        "case $prompt in u2:*) until [ -f {}/go ]; do sleep 0.01; done ;; *) exit 3 ;; esac\n{}",
        world.env.top().display(),
        inbox::AGENT
    );
    World::agent(&world.env, "agent.sh", &agent);
    let child = world.start_heard(&["run", "inbox", "--agents", "2"]);
    world.env.wait_until("one is held", || {
        world.sprag(&["status"]).stdout.contains("`u1` was lost 3 times in a row")
    });
    let said = world.sprag(&["approve", "1", "sh test.sh", "--waive", "not today"]);
    assert_eq!(said.exit, Some(0), "{}{}", said.stdout, said.stderr);
    let is_done = |unit: &str| {
        let work = world.env.read(format!(".chipset/state/work/{unit}.json")).unwrap();
        work.contains("\"done\"")
    };
    world.env.wait_until("it is done", || is_done("u1"));
    assert!(!is_done("u2"));
    world.env.write("../go", "");
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    assert_eq!((out.status.code(), world.turns()), (Some(0), 4), "{said}");
}
