//! `sprag run "task" --until CMD`: the loop that ends.

use serde_json::Value;

use super::World;

const TASK: [&str; 4] = ["run", "Make it good", "--until", "sh test.sh"];

#[test]
fn a_task_is_tried_until_its_command_passes_and_each_try_sees_the_last_failure() {
    let world = World::new(
        "echo \"try $turn\" > code.txt\n[ $turn -lt 3 ] || echo good > code.txt\necho 'All done!'",
    );
    let ran = world.sprag(&TASK);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(world.turns(), 3);
    assert_eq!(world.told(1), "Make it good\n\nWhen you stop, this is checked: `sh test.sh`.");
    let second = world.told(2);
    assert!(second.starts_with("Make it good\n\nNot finished: `sh test.sh` exit 1 ("), "{second}");
    assert!(second.contains("\n  try 1\nRetry 1 of 10.\n\nFix this, then stop again."), "{second}");
    assert!(world.told(3).contains("\n  try 2\nRetry 2 of 10."));
    assert_eq!((world.count("gate.receipt"), world.count("agent.ended")), (3, 3));
    world.nobody_is_left();
}

#[test]
fn an_agent_is_told_the_whole_of_a_long_command() {
    let world = World::new("echo good > code.txt");
    let long = format!("sh test.sh {}", "--option ".repeat(20).trim_end());
    assert_eq!(world.sprag(&["run", "Make it good", "--until", &long]).exit, Some(0));
    let told = world.told(1);
    assert!(told.ends_with(&format!("this is checked: `{long}`.")), "{told}");
}

#[test]
fn what_the_guard_holds_sessions_to_it_holds_a_task_to() {
    let world = World::new(
        "[ $turn -gt 1 ] || echo bad > other.txt\n[ $turn -eq 1 ] || rm other.txt\necho good > code.txt",
    );
    world.env.write(
        ".sprag/config.yaml",
        "v: 1\nguard:\n  gates:\n    - {name: clean, run: [sh, -c, '! test -e other.txt']}\n",
    );
    let ran = world.sprag(&TASK);
    assert_eq!((ran.exit, world.turns()), (Some(0), 2), "{}{}", ran.stdout, ran.stderr);
    assert!(
        world.told(1).ends_with("this is checked: `sh test.sh`, `clean`."),
        "{}",
        world.told(1)
    );
    assert!(world.told(2).contains("Not finished: `clean` exit 1"), "{}", world.told(2));
    assert!(ran.stdout.contains("2 gates proven"), "{}", ran.stdout);
    // A gate that both name runs once.
    world.env.write("code.txt", "start\n");
    world.env.write(".sprag/config.yaml", "v: 1\nguard: {gates: [{run: sh test.sh}]}\n");
    let ran = world.sprag(&TASK);
    assert!(ran.stdout.contains("1 gate proven"), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_workflow_that_does_not_ask_the_guard_says_so() {
    let world = World::new("echo good > code.txt");
    world.env.write(
        ".sprag/workflows/dev/workflow.yaml",
        "name: Dev\ncommandName: dev\ninitialMessage: go\nphases: [build.md]\n",
    );
    let phase = "---\nid: build\nname: Build\nemoji: x\ngates: [{run: sh test.sh}]\n---\nBuild.\n";
    world.env.write(".sprag/workflows/dev/build.md", phase);
    let guard = |gates: &str| {
        world.env.write(".sprag/config.yaml", format!("v: 1\nguard: {{gates: [{gates}]}}\n"));
        world.env.write("code.txt", "start\n");
        world.sprag(&["run", "dev", "it"]).stdout
    };
    let said = guard("{name: lint, run: 'false'}, {run: sh test.sh}");
    assert!(
        said.contains("Unproven gates of the guard that this run does not ask: lint\n"),
        "{said}"
    );
    let said = guard("{run: sh test.sh}");
    assert!(said.contains("Unproven nothing\n"), "{said}");
}

#[test]
fn it_needs_no_init_no_commit_and_no_repository() {
    let world = World::new("echo good > code.txt");
    world.forget_git();
    assert_eq!(world.sprag(&TASK).exit, Some(0));
    assert_eq!(world.turns(), 1);
}

#[test]
fn used_up_tries_are_a_limit_and_never_a_pass() {
    let world =
        World::new("echo \"try $turn of many: $turn$turn$turn\" >> code.txt; date >> code.txt");
    let words = [&TASK[..], &["--max", "2"]].concat();
    let (object, exit) = world.json(&words);
    assert_eq!((exit, world.turns()), (Some(5), 3), "{object}");
    assert_eq!((&object["ok"], &object["outcome"]), (&false.into(), &"held".into()));
    let run = object["run"].as_str().unwrap();
    assert_eq!(object["next"]["human"][0], format!("sprag resume {run}"));
}

#[test]
fn an_agent_that_changes_nothing_is_held_after_two_more_turns() {
    let world = World::new("echo 'Done! All tests pass.'");
    let (object, exit) = world.json(&TASK);
    // The first failure, then two ends on the very same files.
    assert_eq!((exit, world.turns()), (Some(5), 3), "{object}");
    assert_eq!(world.count("gate.receipt"), 3, "not all that a gate needs is a file");
    // A person resumes it, and it is driven again as before.
    let run = world.run();
    let ran = world.sprag(&["resume", &run]);
    assert_eq!(ran.exit, Some(5), "{}{}", ran.stdout, ran.stderr);
    assert!(world.turns() > 3);
}

#[test]
fn a_host_that_is_not_there_is_said_before_anything_is_made() {
    let world = World::new("true");
    let out = world.env.command(sprag_testkit::TestEnv::program(crate::support::SPRAG));
    let mut out = out;
    let ran = out.args(TASK).args(["--host", "cluade --x"]).output().unwrap();
    assert_eq!(ran.status.code(), Some(4));
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(said.contains("`cluade` is not here"), "{said}");
    assert_eq!((world.turns(), world.count("run.started")), (0, 0));
}

#[test]
fn a_budget_of_time_holds_the_run_between_two_units_and_a_person_raises_it() {
    let world = World::new("[ $turn = 1 ] && echo bad > code.txt || echo good > code.txt");
    let words = [&TASK[..], &["--budget", "1ms"]].concat();
    let (object, exit) = world.json(&words);
    assert_eq!((exit, world.turns()), (Some(5), 1), "{object}");
    assert!(object["why"].as_str().unwrap().starts_with("the budget is spent: "), "{object}");
    assert_eq!((&object["micro_usd"], &object["tokens"]), (&Value::Null, &Value::Null), "{object}");
    let raise = object["next"]["human"][0].as_str().unwrap();
    assert!(raise.starts_with(&format!("sprag resume {} --budget ", world.run())), "{raise}");
    let words = ["resume", &world.run(), "--budget", "a lot"];
    assert_eq!(world.sprag(&words).exit, Some(2), "no half of it continues");
    assert_eq!((world.count("run.resumed"), world.turns()), (0, 1));
    let ran = world.sprag(&["resume", &world.run(), "--budget", "1h"]);
    assert_eq!((ran.exit, world.turns()), (Some(0), 2), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_run_whose_last_unit_spent_the_budget_is_done() {
    let world = World::new("echo good > code.txt");
    let (object, exit) = world.json(&[&TASK[..], &["--budget", "1ms"]].concat());
    assert_eq!((exit, &object["outcome"]), (Some(0), &"done".into()), "{object}");
    assert_eq!(world.count("run.paused"), 0);
}

#[test]
fn a_run_that_names_no_budget_has_one_and_the_configuration_and_the_person_say_another() {
    let world = World::new("[ $turn = 1 ] && echo bad > code.txt || echo good > code.txt");
    world.env.write(".sprag/config.yaml", "v: 1\nbudget: {wall: 1ms}\n");
    let ran = world.sprag(&[&TASK[..], &["--budget", "7usd"]].concat());
    assert_eq!((ran.exit, world.turns()), (Some(5), 1), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("with agent.sh, at most 1ms, $7.00\n"), "{}", ran.stdout);
    assert_eq!(budget(&world), [Some(7_000_000), Some(200_000_000), Some(1)]);
    let world = World::new("echo good > code.txt");
    assert_eq!(world.sprag(&TASK).exit, Some(0));
    assert_eq!(budget(&world), [Some(100_000_000), Some(200_000_000), Some(28_800_000)]);
}

#[test]
fn a_budget_that_cannot_bind_says_so_once_and_at_the_end() {
    let world = World::new("[ $turn -lt 3 ] && echo bad$turn > code.txt || echo good > code.txt");
    let ran = world.sprag(&[&TASK[..], &["--budget", "1usd"]].concat());
    assert_eq!((ran.exit, world.turns()), (Some(0), 3), "{}{}", ran.stdout, ran.stderr);
    let said = "      Budget 1 agent told no price: the budget of $1.00 cannot bind there\n";
    assert_eq!(ran.stdout.matches(said).count(), 1, "{}", ran.stdout);
    let end = "             3 agents told no price: the budget of $1.00 cannot bind there\n";
    assert!(ran.stdout.contains(end) && !ran.stdout.contains("Budget 3"), "{}", ran.stdout);
    let ran = World::new("echo good > code.txt").sprag(&TASK);
    assert!(!ran.stdout.contains("cannot bind"), "no person chose one: {}", ran.stdout);
}

#[test]
fn all_budgets_that_cannot_bind_are_named_once_a_run_also_one_that_is_the_standard() {
    let world = World::new("echo bad$turn > code.txt");
    let budgets = ["--max", "1", "--budget", "100usd", "--budget", "5000tokens"];
    let ran = world.sprag(&[&TASK[..], &budgets].concat());
    let flat = |said: &str| said.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = |agents: &str| {
        let both = "the budgets of $100.00 and 5000 tokens cannot bind there";
        format!("{agents} told no price, {agents} no tokens: {both}")
    };
    let budget = format!("Budget {}", said("1 agent"));
    assert_eq!(flat(&ran.stdout).matches(&budget).count(), 1, "{}", ran.stdout);
    assert!(flat(&ran.stdout).contains(&said("2 agents")), "at the end: {}", ran.stdout);
    let ran = world.sprag(&["resume", &world.run()]);
    assert!(!ran.stdout.contains("Budget "), "it was said: {}", ran.stdout);
    assert!(flat(&ran.stdout).contains(&said("4 agents")), "at the end: {}", ran.stdout);
}

/// Returns the budget of the only run: money, tokens, time.
fn budget(world: &World) -> [Option<u64>; 3] {
    let kept = world.env.read(format!(".sprag/runs/{}/agents.json", world.run())).unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    ["micro_usd", "tokens", "worked_ms"].map(|key| kept["how"][key].as_u64())
}

#[test]
fn an_agent_that_rewrites_what_it_is_judged_by_is_not_proven() {
    let world = World::new(
        "sed -i 's/^until: .*/until: \"true\"/' .sprag/runs/*/run.yaml; echo hi >> code.txt",
    );
    world.sprag(&["run", "Trust this", "--until", "true"]);
    let ran = world.sprag(&TASK);
    assert_eq!(ran.exit, Some(9), "{}{}", ran.stdout, ran.stderr);
    let said = "`true` is not the command that it was started with";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn what_we_write_into_the_project_ourselves_is_said_unless_git_ignores_it() {
    let world = World::new("echo good > code.txt");
    let words = format!(
        "exec {} run 'Be good' --until 'sh test.sh' --host {} > nohup.out 2>&1",
        world.sprag,
        world.host()
    );
    let run = || {
        let status = world.env.command("sh").args(["-c", &words]).status().unwrap();
        assert!(status.code().is_some());
        world.env.read("nohup.out").unwrap().replace("\n             ", " ")
    };
    let told = "Note this output goes into nohup.out, so the project changes while gates run: put \
                it elsewhere, or let git ignore it\n";
    let said = run();
    assert_eq!(said.matches(told).count(), 1, "{said}");
    let page = |to: &str| world.sprag(&["report", "--html", to]).stdout;
    assert!(page("report.html").contains("report.html is one of the project's files now"));
    world.env.write(".gitignore", "nohup.out\nreport.html\n");
    let said = run();
    assert!(!said.contains("Note") && said.contains("proven"), "{said}");
    for to in ["report.html", "../report.html"] {
        assert!(!page(to).contains("files now"), "{}", page(to));
    }
}
