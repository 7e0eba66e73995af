//! The descriptions of runs in `sprag`, `why`, the summary and `notify`: consistent words, and only
//! facts.

use super::World;
use super::terminal::rest;
use super::together;

/// Waits for a person's signal before it continues.
const WAITS: &str = "i=0; until [ -f $(dirname $0)/go ] || [ $i -gt 1200 ]; do i=$((i+1)); \
                     sleep 0.05; done";

#[test]
fn a_plan_in_worktrees_is_shown_with_who_drives_it_and_without_false_alarms() {
    let world = together::world(2);
    let agent = format!("case \"$prompt\" in *'Write f05'*) {WAITS} ;; esac\n{}", together::AGENT);
    World::agent(&world.env, "agent.sh", &agent);
    let mut child = world.start(&["run", "plan", "--agents", "4"]);
    let has_begun = |world: &World| {
        let begun = |event: &serde_json::Value| {
            event["kind"] == "agent.started" && event["data"]["unit"] == "T05"
        };
        world.events().iter().any(begun)
    };
    world.env.wait_until("the second wave has begun", || has_begun(&world));
    let run = world.run();
    let shown = world.sprag(&[]).stdout;
    assert!(!shown.contains("passed on other files"), "{shown}");
    let driver: String = format!("run-{run}").chars().take(15).collect();
    assert!(shown.contains(&driver), "{shown}");
    assert!(!shown.contains("nobody"), "{shown}");
    assert!(!shown.contains("NOT YET WRITTEN") && !shown.contains("Next: sprag doctor"), "{shown}");
    child.kill().unwrap();
    child.wait().unwrap();
    // The driver is gone: the run is held, in both lists.
    let (status, _) = world.json(&["status"]);
    assert_eq!(status["waits"][0]["why"], "paused: its driver is gone", "{status}");
    assert_eq!(status["runs"][0]["life"], "held", "{status}");
    world.env.write("../go", "");
    let ran = world.sprag(&["resume", &run]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn why_explains_the_run_that_is_named() {
    let world = World::new("echo tried");
    for task in ["one", "two"] {
        let ran = world.sprag(&["run", task, "--until", "sh test.sh", "--max", "1"]);
        assert_ne!(ran.exit, Some(0), "{}", ran.stdout);
    }
    let (status, _) = world.json(&["status"]);
    let runs: Vec<_> = status["runs"].as_array().unwrap().iter().collect();
    // The newest comes first.
    assert_eq!((&runs[0]["task"], &runs[1]["task"]), (&"two".into(), &"one".into()), "{status}");
    assert_eq!(status["waits"][0]["run"], runs[0]["id"], "{status}");
    let [first, second] = [0, 1].map(|at| runs[at]["id"].as_str().unwrap());
    let why = world.sprag(&["why", first]);
    assert_eq!(why.exit, Some(0), "{}", why.stderr);
    assert!(why.stdout.contains(first) && !why.stdout.contains(second), "{}", why.stdout);
    assert!(why.stdout.contains("It waits for you"), "{}", why.stdout);
    assert_eq!(world.sprag(&["why", "r-zzzzzz"]).exit, Some(4));
    assert_eq!(world.sprag(&["cancel", second]).exit, Some(0));
    let why = world.sprag(&["why", second]);
    assert_eq!(
        (why.exit, why.stdout),
        (Some(0), format!("{second} is over.\nNext: sprag report {second}\n"))
    );
}

#[test]
fn a_wrong_plan_is_an_invalid_definition_for_every_command() {
    let world = together::world(1);
    world.env.write(
        ".gsd/plans/phase-1/plan.md",
        "---\nphase: 1\ntitle: L\n---\n\n## Wave 1\n\n<task id=\"01\" wave=\"1\">\n  <action>x",
    );
    for words in [&["run", "plan"][..], &["next", "plan"], &["check"]] {
        let ran = world.sprag(words);
        assert_eq!(ran.exit, Some(6), "{words:?}: {}{}", ran.stdout, ran.stderr);
        assert!(!ran.stderr.contains("sprag doctor"), "{words:?}: {}", ran.stderr);
    }
}

#[test]
fn a_notify_command_is_approved_before_the_first_agent() {
    let world = World::new("echo good > code.txt; echo done");
    let config = "notify: {command: [sh, -c, 'cat >> ../told']}\n";
    world.env.write(".sprag/config.yaml", config);
    let task = ["run", "Make it good", "--until", "sh test.sh", "--host", &world.host()];
    let ran = world.sprag(&task);
    assert_eq!((ran.exit, world.turns()), (Some(3), 0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("cat >> ../told"), "{}", ran.stdout);
    let run = world.run();
    let ran = world.sprag(&["approve", &run]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let ran = world.sprag(&["resume", &run]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let told = world.env.read("../told").unwrap();
    assert!(told.contains("is done"), "{told}");
}

#[test]
fn whoever_pauses_a_run_is_not_told_of_it() {
    let agent = format!("case $turn in 1) {WAITS} ;; *) echo good > code.txt ;; esac; echo done");
    let world = World::new(&agent);
    let config = "notify: {command: [sh, -c, 'cat >> ../told']}\n";
    world.env.write(".sprag/config.yaml", config);
    let mut child = world.start(&["run", "Make it good", "--until", "sh test.sh"]);
    world.env.wait_until("an agent works", || world.turns() == 1);
    let run = world.run();
    assert_eq!(world.sprag(&["pause", &run]).exit, Some(0));
    world.env.write("../go", "");
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert_eq!(world.env.read("../told"), None);
    let ran = world.sprag(&["resume", &run]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(world.env.read("../told").unwrap().contains("is done"));
}

#[test]
fn strays_beyond_those_that_are_named_are_counted() {
    let world = together::world(1);
    let agent = format!(
        "for i in 1 2 3; do echo x > stray-$i-$(basename $PWD).txt; done\n{}",
        together::AGENT
    );
    World::agent(&world.env, "agent.sh", &agent);
    let ran = world.sprag(&["run", "plan", "--agents", "2"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stdout.matches("Stray T0").count(), 8, "{}", ran.stdout);
    let (report, _) = world.json(&["report"]);
    let all = report["strays"].as_array().unwrap().len();
    assert!(all > 8, "{report}");
    let more = format!("and {} more: sprag report {}", all - 8, world.run());
    assert!(ran.stdout.contains(&more), "{more}: {}", ran.stdout);
}

#[test]
fn before_the_first_commit_every_file_is_new() {
    let world = World::new("echo good >> code.txt; echo done");
    world.forget_git();
    world.env.git(&["init", "-q"]);
    let ran = world.sprag(&["run", "Make it good", "--until", "sh test.sh"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let report = world.sprag(&["report"]).stdout;
    assert!(report.contains("FILES\n  code.txt") || report.contains("  code.txt "), "{report}");
    assert!(!report.contains("unknown to git"), "{report}");
    let (object, _) = world.json(&["report"]);
    let command = object["next"]["safe"][0].as_str().unwrap();
    let out = world.env.command("sh").args(["-c", command]).output().unwrap();
    let shown = String::from_utf8(out.stdout).unwrap();
    assert!(shown.contains("+good"), "{command}: {shown}");
}

#[test]
fn without_a_source_next_says_what_there_could_be() {
    let world = World::new("echo");
    world.env.write(".sprag/config.yaml", "v: 1\n");
    let ran = world.sprag(&["next"]);
    assert_eq!(ran.exit, Some(4), "{}", ran.stderr);
    assert!(ran.stderr.contains("no plan, no milestones, no assignments"), "{}", ran.stderr);
}

#[test]
fn a_terminal_that_is_not_utf8_gets_ascii() {
    let mut world = World::new("echo good > code.txt; echo done");
    world.env.set("LC_ALL", "C");
    let mut child = world.on_terminal(&["run", "Make it good", "--until", "sh test.sh"]);
    let said = rest(&mut child.stdout.take().unwrap());
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
    assert!(said.contains("Summary") && said.is_ascii(), "{said}");
}
