//! The state of a run without a working agent: its end, a loss, a wait.

use super::World;
use super::face::hear;

const TASK: [&str; 4] = ["run", "Make it good", "--until", "sh test.sh"];

#[test]
fn what_is_done_is_not_cancelled_any_more() {
    let world = World::new("echo good > code.txt");
    assert_eq!(world.sprag(&TASK).exit, Some(0));
    let (run, events) = (world.run(), world.events().len());
    let ran = world.sprag(&["cancel", &run]);
    assert_eq!(ran.exit, Some(1), "{}", ran.stdout);
    assert!(ran.stderr.contains("the run is over"), "{}", ran.stderr);
    assert_eq!(world.events().len(), events, "nothing is written");
    assert!(world.sprag(&["report", &run]).stdout.contains("is done, and proven"));
}

/// Installs a `claude` that runs this script, with its arguments in `$*` and the prompt in
/// `$prompt`.
fn claude(does: &str) -> World {
    let mut world = World::new("echo good > code.txt");
    let script = format!(
        "#!/bin/sh\n\
         say() {{ echo \"{{\\\"type\\\":\\\"$1\\\",$2,\\\"session_id\\\":\\\"$3\\\"}}\"; }}\n\
         prompt=$(cat); top={top}; echo \"$*\" >> $top/words\n{does}\n",
        top = world.env.top().display()
    );
    world.env.write("../bin/claude", script);
    let bin = world.env.top().join("bin");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(bin.join("claude"), mode).unwrap();
    world.env.set("PATH", &format!("{}:/usr/local/bin:/usr/bin:/bin", bin.display()));
    world
}

/// Returns the arguments of each start of `claude`.
fn words(world: &World) -> Vec<String> {
    let text = std::fs::read_to_string(world.env.top().join("words")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_conversation_that_the_host_no_longer_has_is_begun_anew_with_all_that_is_known() {
    let world = claude(
        "case \"$*\" in *--resume=*) echo 'No conversation found' >&2\n\
         say result '\"subtype\":\"error_during_execution\",\"is_error\":true' s-9; exit 1;; esac\n\
         case $prompt in *'Not finished'*) echo good > code.txt;; *) echo bad > code.txt;; esac\n\
         printf '%s' \"$prompt\" > $top/prompt\n\
         say assistant '\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"Did it\"}]}' s-1\n\
         say result '\"subtype\":\"success\",\"result\":\"Did it\"' s-1",
    );
    let ran = world.sprag(&[&TASK[..], &["--host", "claude", "--max", "1"]].concat());
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let resumed: Vec<_> = words(&world).iter().map(|line| line.contains("--resume")).collect();
    assert_eq!(resumed, [false, true, false], "{:?}", words(&world));
    let told = std::fs::read_to_string(world.env.top().join("prompt")).unwrap();
    assert!(told.starts_with("Make it good\n\nNot finished: `sh test.sh` exit 1"), "{told}");
}

#[test]
fn a_loss_spends_no_retry_and_nobody_is_waited_for_who_never_begins() {
    let world = World::new(
        "[ $turn = 2 ] && exit 3\n[ $turn = 3 ] && echo good > code.txt || echo $turn > code.txt",
    );
    let ran = world.sprag(&[&TASK[..], &["--max", "1"]].concat());
    assert_eq!((ran.exit, world.turns()), (Some(0), 3), "{}", ran.stdout);
    assert!(ran.stdout.contains("after a loss"), "{}", ran.stdout);
    // Lost attempts spend the budget.
    let world = World::new("sleep 1.1; exit 3");
    let ran = world.sprag(&[&TASK[..], &["--budget", "1s"]].concat());
    assert_eq!((ran.exit, world.turns()), (Some(5), 1), "{}", ran.stdout);
    assert!(!ran.stdout.contains("after a loss"), "{}", ran.stdout);
}

/// Installs a `claude` that meets a usage limit of `seconds` in its first turn.
fn limited(seconds: u32) -> World {
    claude(&format!(
        "mkdir $top/limit 2> /dev/null && {{ say rate_limit_event \\\n\
         '\"rate_limit_info\":{{\"status\":\"rejected\",\"resetsAt\":'$(($(date +%s) + {seconds}))',\
         \"rateLimitType\":\"five_hour\"}}' s-1; exit 1; }}\n\
         echo good > code.txt; say result '\"subtype\":\"success\",\"result\":\"ok\"' s-1"
    ))
}

/// Starts the task with `claude`, and waits until it meets its limit.
fn start_limited(world: &World) -> std::process::Child {
    let child = world.start(&[&TASK[..], &["--host", "claude"]].concat());
    world.env.wait_until("it is limited", || world.count("attempt.stalled") == 1);
    child
}

/// Starts a command that waits for the limit, and then interrupts it.
fn waits(world: &World, words: &[&str]) {
    let mut child = world.start_heard(words);
    let said = hear(&mut child.stdout.take().unwrap(), "Limited");
    world.signal("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(3), "{said}");
    assert_eq!(self::words(world).len(), 1, "no question comes before its time: {said}");
}

#[test]
fn whoever_drives_next_and_another_run_wait_for_the_same_time() {
    let world = limited(3600);
    let mut first = start_limited(&world);
    let run = world.run();
    waits(&world, &["run", "Another", "--until", "sh test.sh", "--host", "claude"]);
    first.kill().unwrap();
    first.wait().unwrap();
    waits(&world, &["resume", &run]);
    waits(&world, &["run", &run, "--host", "claude"]);
    // It was interrupted: another host takes it once a person resumes it.
    let mut child = world.start(&["resume", &run]);
    world.env.wait_until("it waits", || world.count("attempt.stalled") == 3);
    child.kill().unwrap();
    child.wait().unwrap();
    let ran = world.sprag(&["run", &run]);
    assert_eq!((ran.exit, world.turns()), (Some(0), 1), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn everybody_is_told_which_host_is_waited_for_and_until_when_also_after_a_pause() {
    let world = limited(3600);
    let mut child = start_limited(&world);
    let run = world.run();
    let told = |when: &str| {
        let status = world.json(&["status"]).0["runs"][0]["limits"].clone();
        assert_eq!(status[0]["host"], "claude", "{when}: {status}");
        assert_eq!(world.json(&["why"]).0["runs"][0]["limits"], status, "{when}");
        assert_eq!(world.json(&["report", &run]).0["limits"], status, "{when}");
        let until = status[0]["until"].as_str().unwrap()[..16].replace('T', " ");
        let line = format!("`claude` takes no work until {until} UTC");
        for words in [&["status"][..], &["why"], &["report", &run]] {
            let said = world.sprag(words).stdout;
            assert!(said.contains(&line), "{when}: {said}");
        }
    };
    told("while it waits");
    world.signal("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(3));
    told("after a pause");
}

#[test]
fn the_time_of_the_run_is_named_and_binds_also_while_it_waits() {
    let world = limited(3600);
    world.env.write(".sprag/config.yaml", "limits: {wall: 2s}\n");
    let ran = world.sprag(&[&TASK[..], &["--host", "claude"]].concat());
    assert_eq!(ran.exit, Some(5), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("with claude, at most 2s"), "{}", ran.stdout);
    assert!(ran.stdout.contains("the time for this run is over"), "{}", ran.stdout);
}

/// Asserts that a run is held for this reason, in its summary, status, why and report.
fn is_held_for(world: &World, ran: &super::Ran, why: &str) {
    assert_eq!(ran.exit, Some(3), "{}{}", ran.stdout, ran.stderr);
    let run = world.run();
    for words in [&["status"][..], &["why"], &["report", &run]] {
        let said = world.sprag(&[words, &["--json"]].concat()).stdout;
        assert!(said.contains(why), "{said}");
        assert!(!said.contains("its driver is gone"), "{said}");
    }
    let said = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("Summary r-") && said.contains(why), "{said}");
}

#[test]
fn a_set_up_that_fails_holds_the_run_with_the_end_of_what_it_said() {
    let world = super::together::world(1);
    let fails = "worktree: {setup: [[sh, -c, 'echo first; echo npm ERR boom; exit 3']]}\n";
    world.env.write(".sprag/config.yaml", fails);
    let ran = world.sprag(&["run", "plan", "--agents", "2"]);
    is_held_for(&world, &ran, "it exited with 3: first; npm ERR boom");
    assert_eq!(world.turns(), 0);
}

#[test]
fn a_host_that_is_gone_or_no_program_holds_the_run_and_a_command_names_another() {
    let world = World::new("echo bad > code.txt; rm $0");
    let ran = world.sprag(&TASK);
    let run = world.run();
    let hint = format!("`sprag run {run} --host NAME` names another one");
    is_held_for(&world, &ran, &hint);
    is_held_for(&world, &world.sprag(&["resume", &run]), &hint);
    world.env.write("../other.sh", "cat > /dev/null; echo good > code.txt");
    let other = format!("sh {}/other.sh", world.env.top().display());
    let ran = world.sprag(&["run", &run, "--host", &other]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    // The same holds for an assignment.
    let world = World::new("rm $0");
    for unit in ["one", "two"] {
        assert_eq!(world.sprag(&["agent", "work", "add", unit]).exit, Some(0));
    }
    assert_eq!(world.sprag(&["run", "inbox"]).exit, Some(3));
    let ran = world.sprag(&["run", "inbox", "--host", "true"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let world = World::new("");
    world.env.write("../no.sh", "echo");
    let no = world.env.top().join("no.sh").display().to_string();
    is_held_for(
        &world,
        &world.sprag(&[&TASK[..], &["--host", &no]].concat()),
        "no agent can be started: `no.sh`",
    );
}

#[test]
fn a_task_as_long_as_the_system_takes_it_is_told_whole() {
    let world = World::new("echo good > code.txt");
    let task = "Make it good, \"really\".\n".repeat(5_000);
    let ran = world.sprag(&["run", &task, "--until", "sh test.sh"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(world.told(1).starts_with(task.trim_end()));
    let ran = world.sprag(&["report", &world.run()]);
    assert!(ran.stdout.contains("is done, and proven"), "{}", ran.stderr);
}
