//! Ctrl-C and SIGTERM while no agent works: a gate, a set-up or the gate of a merge is killed with
//! all its processes, has no result, and runs again with the next driver.

use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;

use sprag_testkit::gh::Gh;

use super::World;
use super::face::hear;

const TASK: [&str; 4] = ["run", "Make it good", "--until", "sh test.sh"];

/// A command that leaves its group, ignores SIGTERM, and never ends.
const STUBBORN: &str = "trap '' TERM\n(setsid sh -c \"trap '' TERM; sleep 600\" &)\n\
                        echo x >> \"$MARK\"\nsleep 600; sleep 600\n";

/// Creates a world whose `test.sh` never ends, and returns it with the file that shows that it
/// runs.
fn stuck(test: &str) -> (World, std::path::PathBuf) {
    let mut world = World::new("echo good > code.txt; echo done");
    let mark = world.env.top().join("runs");
    world.env.set("MARK", mark.to_str().unwrap());
    world.env.write("test.sh", test);
    world.env.git(&["commit", "-qam", "test"]);
    (world, mark)
}

/// Returns how many times it ran.
fn times(mark: &std::path::Path) -> usize {
    std::fs::read_to_string(mark).map_or(0, |text| text.lines().count())
}

/// Makes the test pass, resumes, and checks that the agent was not asked again, nor charged.
fn goes_on(world: &World, said: &str) {
    assert!(said.contains("sprag resume r-"), "{said}"); // In colours, on a terminal.
    world.nobody_is_left();
    assert_eq!((world.count("gate.receipt"), world.count("attempt.ended")), (0, 0), "{said}");
    world.env.write("test.sh", "grep -q good code.txt\n");
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!((world.turns(), world.count("attempt.began")), (1, 1), "{}", ran.stdout);
}

#[test]
fn a_signal_ends_the_gate_that_runs_and_it_has_said_nothing() {
    for signal in ["INT", "TERM", "HUP"] {
        let (world, mark) = stuck(STUBBORN);
        let child = world.start_heard(&TASK);
        world.env.wait_until("the gate runs", || mark.exists());
        world.signal(signal, child.id());
        let out = child.wait_with_output().unwrap();
        let said = String::from_utf8(out.stdout).unwrap();
        assert_eq!(out.status.code(), Some(3), "{said}");
        goes_on(&world, &said);
    }
}

#[test]
fn a_signal_just_after_the_run_began_holds_it_and_says_how_to_go_on() {
    for signal in ["INT", "TERM", "HUP"].repeat(4) {
        let world = World::new("sleep 600; sleep 600");
        let child = world.start_heard(&TASK);
        let runs = world.env.project().join(".sprag/runs");
        let begun = || std::fs::read_dir(&runs).is_ok_and(|runs| runs.count() > 0);
        world.env.wait_until("there is a run", begun);
        world.signal(signal, child.id());
        let out = child.wait_with_output().unwrap();
        let said = String::from_utf8(out.stdout).unwrap();
        assert_eq!(out.status.code(), Some(3), "{signal}: {said}");
        assert!(said.contains("Next sprag resume r-"), "{signal}: {said}");
        world.nobody_is_left();
    }
}

#[test]
fn a_second_signal_ends_at_once_and_still_says_how_to_go_on() {
    let (world, mark) = stuck(STUBBORN);
    let mut child = world.start_heard(&TASK);
    world.env.wait_until("the gate runs", || mark.exists());
    let mut out = child.stdout.take().unwrap();
    world.signal("INT", child.id());
    let said = hear(&mut out, "Pausing");
    world.signal("INT", child.id());
    let said = said + &hear(&mut out, "Next sprag resume r-");
    // A shell shows it as 130.
    assert_eq!(child.wait().unwrap().signal(), Some(2), "{said}");
    goes_on(&world, &said);
}

#[test]
fn ctrl_c_at_a_terminal_ends_the_gate_and_leaves_the_terminal_as_it_was() {
    let (world, mark) = stuck(STUBBORN);
    let mut child = world.on_terminal(&TASK);
    world.env.wait_until("the gate runs", || mark.exists());
    let mut out = child.stdout.take().unwrap();
    hear(&mut out, "its gates are evaluated");
    child.stdin.take().unwrap().write_all(b"\x03").unwrap();
    let said = super::terminal::rest(&mut out);
    assert_eq!(child.wait().unwrap().code(), Some(3), "{said}");
    goes_on(&world, &said);
}

#[test]
fn a_signal_ends_the_gate_of_a_merge_and_the_merge_is_made_later() {
    let (world, mark) = stuck(STUBBORN);
    let child = world.start_heard(&[&TASK[..], &["--agents", "2"]].concat());
    world.env.wait_until("the gate runs", || mark.exists());
    world.signal("INT", child.id());
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    assert_eq!((out.status.code(), world.count("work.merged")), (Some(3), 0), "{said}");
    world.nobody_is_left();
    assert_eq!((world.count("gate.receipt"), world.count("attempt.lost")), (0, 0), "{said}");
    // The gate belongs to the worktree, in which nothing changes any more; it ends on the signal.
    let resumed = world.start_heard(&["resume", &world.run()]);
    world.env.wait_until("the gate runs again", || times(&mark) == 2);
    assert_eq!(world.turns(), 1);
    world.signal("TERM", resumed.id());
    assert_eq!(resumed.wait_with_output().unwrap().status.code(), Some(3));
    world.nobody_is_left();
}

#[test]
fn what_an_agent_said_is_kept_until_it_is_judged_however_often_that_is_interrupted() {
    for agents in ["1", "2"] {
        let (world, mark) = stuck("echo x >> \"$MARK\"; until [ -f ../go ]; do sleep 0.01; done\n");
        let words = [&TASK[..], &["--agents", agents]].concat();
        for (nth, signal) in ["KILL", "KILL", "TERM", "INT", "KILL"].into_iter().enumerate() {
            let run = (nth > 0).then(|| world.run());
            let again = run.as_ref().map(|run| vec!["resume", run]);
            let child = world.start_heard(again.as_deref().unwrap_or(&words));
            world.env.wait_until("the gate runs", || times(&mark) == nth + 1);
            world.signal(signal, child.id());
            let out = child.wait_with_output().unwrap();
            let said = String::from_utf8(out.stdout).unwrap();
            assert_eq!(said.contains("Judging"), nth > 0, "{said}");
        }
        world.env.write("../go", "");
        let ran = world.sprag(&["resume", &world.run()]);
        assert_eq!((ran.exit, world.turns()), (Some(0), 1), "{}{}", ran.stdout, ran.stderr);
        assert_eq!((world.count("attempt.began"), world.count("gate.receipt")), (1, 1));
        world.nobody_is_left();
    }
}

#[test]
fn a_signal_ends_git_while_it_stages_and_the_work_is_taken_later() {
    let (mut world, mark) = stuck("grep -q good code.txt\n");
    // A filter of the person's own: one of the repository's would not run.
    let own = world.env.home().join("own");
    world.env.set("GIT_CONFIG_GLOBAL", own.to_str().unwrap());
    world.env.write(".gitattributes", "code.txt filter=slow\n");
    world.env.git(&["add", "."]);
    world.env.git(&["commit", "-qm", "attributes"]);
    // Only the agent's file takes long to filter.
    let slow = "text=$(cat); echo \"$text\"; case $text in *good*) echo x >> \"$MARK\"\n\
                sleep 600; sleep 600 ;; esac\n";
    world.env.write("../slow.sh", slow);
    let slow = format!("sh {}", world.env.top().join("slow.sh").display());
    world.env.git(&["config", "--global", "filter.slow.clean", &slow]);
    let child = world.start_heard(&[&TASK[..], &["--agents", "2"]].concat());
    world.env.wait_until("git reads the work", || mark.exists());
    world.signal("INT", child.id());
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    assert_eq!((out.status.code(), world.count("attempt.lost")), (Some(3), 0), "{said}");
    assert!(said.contains("Next sprag resume r-"), "{said}");
    world.nobody_is_left();
    let admin = world.env.project().join(".git/worktrees");
    let locked = |folder: std::fs::DirEntry| folder.path().join("index.lock").exists();
    assert!(!std::fs::read_dir(admin).unwrap().flatten().any(locked), "git removed its lock");
    world.env.git(&["config", "--global", "filter.slow.clean", "cat"]);
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!((ran.exit, world.turns()), (Some(0), 1), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_signal_ends_the_set_up_of_a_worktree_which_is_then_made_anew() {
    let (world, mark) = stuck("grep -q good code.txt\n");
    let setup = "v: 1\nworktree: {setup: [[sh, set-up.sh]]}\n";
    world.env.write(".sprag/config.yaml", setup);
    world.env.write("set-up.sh", STUBBORN);
    world.env.git(&["add", "."]);
    world.env.git(&["commit", "-qm", "set-up"]);
    let child = world.start_heard(&[&TASK[..], &["--agents", "2"]].concat());
    world.env.wait_until("the set-up runs", || mark.exists());
    // Files that need a new scan must not prevent the hold.
    world.env.write("mine.txt", "mine\n");
    world.signal("INT", child.id());
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    assert_eq!((out.status.code(), world.turns()), (Some(3), 0), "{said}");
    assert!(said.contains("Next sprag resume r-"), "{said}");
    world.nobody_is_left();
    let resumed = world.start_heard(&["resume", &world.run()]);
    world.env.wait_until("it is set up anew", || times(&mark) == 2);
    world.signal("INT", resumed.id());
    assert_eq!(resumed.wait_with_output().unwrap().status.code(), Some(3));
    world.nobody_is_left();
}

#[test]
fn a_run_that_is_cancelled_while_it_is_driven_ends_its_agents_and_says_so() {
    for agents in ["1", "2"] {
        let world = World::new("sleep 600; sleep 600");
        let child = world.start_heard(&[&TASK[..], &["--agents", agents]].concat());
        world.env.wait_until("the agent works", || world.turns() == 1);
        let run = world.run();
        assert_eq!(world.sprag(&["cancel", &run]).exit, Some(0));
        let out = child.wait_with_output().unwrap();
        let said = String::from_utf8(out.stdout).unwrap();
        assert_eq!(out.status.code(), Some(1), "{said}{}", String::from_utf8_lossy(&out.stderr));
        assert!(said.contains(&format!("Summary {run} cancelled in")), "{said}");
        world.nobody_is_left();
    }
}

#[test]
fn an_agent_that_ends_after_its_run_was_cancelled_is_no_error() {
    let world = World::new("until [ -f ../go ]; do sleep 0.01; done; echo good > code.txt");
    let child = world.start_heard(&TASK);
    world.env.wait_until("the agent works", || world.turns() == 1);
    let run = world.run();
    assert_eq!(world.sprag(&["cancel", &run]).exit, Some(0));
    world.env.write("../go", "");
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    assert_eq!(out.status.code(), Some(1), "{said}{}", String::from_utf8_lossy(&out.stderr));
    assert!(said.contains(&format!("Summary {run} cancelled in")), "{said}");
}

#[test]
fn a_run_that_is_cancelled_while_its_worktree_is_set_up_ends_that() {
    let (world, mark) = stuck("grep -q good code.txt\n");
    let setup = "v: 1\nworktree: {setup: [[sh, set-up.sh]]}\n";
    world.env.write(".sprag/config.yaml", setup);
    world.env.write("set-up.sh", STUBBORN);
    let child = world.start_heard(&[&TASK[..], &["--agents", "2"]].concat());
    world.env.wait_until("the set-up runs", || mark.exists());
    let run = world.run();
    assert_eq!(world.sprag(&["cancel", &run]).exit, Some(0));
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    assert_eq!((out.status.code(), world.turns()), (Some(1), 0), "{said}");
    assert!(said.contains(&format!("Summary {run} cancelled in")), "{said}");
    world.nobody_is_left();
}

/// Interrupts a command that makes a request of half a minute, and returns its output.
fn interrupted(world: &World, words: &[&str]) -> String {
    let child = world.start_heard(words);
    world.env.wait_until("it is asked", || world.env.top().join("asked").exists());
    world.signal("INT", child.id());
    // The interrupted request has no effect after the half minute either.
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    assert_eq!((out.status.code(), world.turns()), (Some(3), 0), "{said}");
    assert!(said.contains("paused in") && said.contains("Next sprag resume r-"), "{said}");
    world.nobody_is_left();
    said
}

/// Signals the request, and takes longer than any wait.
const SLOW: &str = "echo x >> ../asked; sleep 600; sleep 600";

#[test]
fn a_signal_ends_the_command_of_a_rule_which_has_said_nothing() {
    let world = World::new("echo done");
    let milestone = ".gsd/milestones/M001/M001";
    world.env.write(".sprag/config.yaml", "rules: [{name: slow, run: [sh, slow.sh]}]\n");
    world.env.write("slow.sh", SLOW);
    world.env.write(format!("{milestone}-CONTEXT.md"), "# M001: Parser\n\nA parser.\n");
    interrupted(&world, &["run", "gsd"]);
    let held = world.json(&["status"]).0["waits"].clone();
    assert_eq!(held.as_array().map(Vec::len), Some(1), "only a person holds it: {held}");
}

/// Creates a world whose forge takes longer than any wait.
fn slow_forge() -> World {
    let mut world = World::new("echo done");
    world.env.git(&["remote", "add", "origin", "git@github.com:acme/web.git"]);
    Gh::at(&world.env.top().join("gh")).run("pr-list", SLOW);
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", world.env.top().join("gh").display());
    world.env.set("PATH", &path);
    world
}

#[test]
fn a_signal_ends_a_verb_of_the_loop_with_the_call_it_waits_for() {
    for signal in ["INT", "TERM", "HUP"] {
        let world = slow_forge();
        let child = world.start_heard(&["pr", "refresh"]);
        world.env.wait_until("it is asked", || world.env.top().join("asked").exists());
        world.signal(signal, child.id());
        let out = child.wait_with_output().unwrap();
        assert!(out.status.signal().is_some(), "{:?}", out.status);
        world.nobody_is_left();
    }
}

#[test]
fn a_signal_ends_a_call_of_the_forge_which_is_not_counted_as_down() {
    let world = slow_forge();
    let loops = "pr: 7\nauthor: ann\nturn: REVIEW\napproved: false\nreviewCount: 0\n\
                 latestReviews: []\nciStatus: []\nreviewLoop:\n  active: true\n  maxRounds: 5\n  \
                 pausedAt: null\n  reviewer: rev\n  developer: dev\n";
    world.env.write(".thoughts/pr/metadata.yaml", loops);
    let said = interrupted(&world, &["run", "pr"]);
    assert!(!said.contains("the forge"), "{said}");
    assert_eq!(world.count("run.did"), 0, "{said}");
}
