//! Agents that misbehave: limits are exact, and no process is left behind.

use sprag_testkit::{skip, strace};

use super::World;

fn driven(agent: &str, more: &[&str]) -> (World, Option<i32>) {
    let world = World::new(agent);
    let words = [&["run", "Be good", "--until", "sh test.sh"][..], more].concat();
    let exit = world.sprag(&words).exit;
    (world, exit)
}

#[test]
fn one_that_crashes_is_lost_three_times_and_then_held() {
    let (world, exit) = driven("echo x >> code.txt; kill -SEGV $$", &[]);
    assert_eq!((exit, world.turns(), world.count("attempt.lost")), (Some(5), 3, 3));
    assert_eq!(world.count("gate.receipt"), 0, "nothing that was lost is judged");
}

#[test]
fn what_one_complains_of_when_it_fails_is_said_as_the_reason() {
    let world = World::new("printf 'hello\\n\\033[31mnot logged\\007 in\\033[0m\\n' >&2; exit 1");
    let ran = world.sprag(&["run", "Be good", "--until", "sh test.sh"]);
    assert_eq!((ran.exit, world.turns()), (Some(5), 3), "{}{}", ran.stdout, ran.stderr);
    let why = "exit 1: not logged in";
    for line in ["Agent ", "Lost task  ", "Failed task  lost: "] {
        assert!(ran.stdout.contains(&format!("{line}{why}\n")), "{line}: {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("without a word"), "{}", ran.stdout);
    let pause = "Waiting `agent.sh`, after a loss  resumes ";
    assert_eq!(ran.stdout.matches(pause).count(), 2, "{}", ran.stdout);
    let is_told = |event: &&serde_json::Value| event["data"]["how"] == why;
    assert_eq!(world.events().iter().filter(is_told).count(), 3, "the log has it, too");
    let held = format!("no progress: `task` was lost 3 times in a row, last: {why}");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(&ran.stdout).matches(&held).count(), 2, "{}", ran.stdout);
    assert_eq!(world.json(&["report"]).0["waits"][0]["why"], held);
    assert_eq!(world.json(&["why"]).0["runs"][0]["holds"], serde_json::json!([held]));
    let said = world.sprag(&["why"]).stdout;
    assert!(words(&said).contains(&held), "{said}");
}

#[test]
fn one_that_hangs_is_ended_with_all_its_children() {
    let hang = "setsid sleep 600 & (sleep 600 &) ; trap '' TERM; while :; do sleep 600; done";
    let (world, exit) = driven(hang, &["--idle", "200ms"]);
    assert_eq!((exit, world.turns()), (Some(5), 3));
    world.nobody_is_left();
}

#[test]
fn one_that_talks_all_the_time_is_ended_by_the_clock() {
    let (world, exit) = driven("while :; do echo busy; done", &["--wall", "300ms"]);
    assert_eq!((exit, world.turns()), (Some(5), 3));
    world.nobody_is_left();
}

#[test]
fn one_that_leaves_a_server_behind_is_judged_without_it() {
    let (world, exit) = driven("(setsid sleep 600 >/dev/null 2>&1 &); echo good > code.txt", &[]);
    assert_eq!((exit, world.turns()), (Some(0), 1));
    world.nobody_is_left();
}

#[test]
fn one_that_lies_is_refused_by_what_the_gate_saw() {
    let (world, exit) =
        driven("echo \"bad $turn\" > code.txt; echo 'TASK COMPLETE. exit 0. All tests pass.'", &[]);
    // Three equal failures hold the run, whatever the agent reports.
    assert_eq!(exit, Some(5));
    assert!(world.turns() >= 3);
}

#[test]
fn one_that_leaves_what_cannot_be_ended_is_judged_and_that_is_told() {
    if !strace::is_there() {
        return skip::skip("what cannot be ended", "strace is missing or may not trace");
    }
    let world =
        World::new("setsid sleep 60 >/dev/null 2>&1 & echo $! > ../left; echo good > code.txt");
    // No process may be signalled, as with other users' processes or a hung disk.
    let kills = "kill,tkill,tgkill,pidfd_send_signal";
    let (trace, refuse) = (format!("trace={kills}"), format!("inject={kills}:error=EPERM"));
    let mut command = world.env.command("strace");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &refuse, "--"]);
    command.args(["sh", "-c", "exec \"$@\" > ../said", "sh", &world.sprag]);
    command.args(["run", "Be good", "--until", "sh test.sh", "--host", &world.host()]);
    let mut traced = command.spawn().unwrap();
    let said = || std::fs::read_to_string(world.env.top().join("said")).unwrap_or_default();
    world.env.wait_until("it has told", || said().contains("Next sprag"));
    // strace waits for all processes that it traces.
    let left = std::fs::read_to_string(world.env.top().join("left")).unwrap();
    assert!(world.env.command("kill").args(["-9", left.trim()]).status().unwrap().success());
    assert_eq!(traced.wait().unwrap().code(), Some(0), "{}", said());
    assert!(said().contains("Stray task: a process that could not be ended"), "{}", said());
    assert_eq!(world.count("work.strayed"), 1);
}

#[test]
fn two_commands_of_one_program_are_two_hosts() {
    let world = World::new("exit 3");
    World::agent(&world.env, "other.sh", "echo good > code.txt");
    let path = |name: &str| format!("sh {}", world.env.top().join(name).display());
    let (first, other) = (path("agent.sh"), path("other.sh"));
    let words =
        ["run", "Do it", "--until", "sh test.sh", "--yes", "--host", &first, "--or", &other];
    let ran = world.sprag(&words);
    assert_eq!((ran.exit, world.turns()), (Some(0), 2), "{}{}", ran.stdout, ran.stderr);
}
