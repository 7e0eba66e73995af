//! A driven run judges only by gates that ran for it. A command may depend on more than files, so
//! another run's results and earlier failures do not count.

use serde_json::json;

use super::World;

/// Creates a world whose test needs a file beside the project, and records each run of the test.
fn world(agent: &str) -> World {
    let world = World::new(agent);
    let test =
        "echo x >> ../ran; [ -f ../dep ] || { echo 'no dep'; exit 1; }\ngrep good code.txt\n";
    world.env.write("test.sh", test);
    world.env.git(&["commit", "-qam", "a test that needs something"]);
    world
}

const TASK: [&str; 4] = ["run", "Make it good", "--until", "sh test.sh"];

fn ran(world: &World) -> usize {
    world.env.read("../ran").map_or(0, |text| text.lines().count())
}

#[test]
fn what_another_run_found_on_the_same_files_is_found_out_again() {
    for agents in ["1", "2"] {
        let words = [&TASK[..], &["--agents", agents]].concat();
        let world = world("echo good > code.txt");
        world.env.write("../dep", "");
        assert_eq!((world.sprag(&words).exit, ran(&world)), (Some(0), 1), "it is run once");
        world.env.write("code.txt", "start\n");
        world.env.remove("../dep");
        let (object, exit) = world.json(&words);
        assert_eq!((exit, &object["outcome"]), (Some(5), &json!("held")), "{object}");
        // It fails once, and twice more after turns without changes; once per turn.
        assert_eq!(
            (ran(&world), world.count("gate.receipt"), world.turns()),
            (4, 4, 4),
            "{object}"
        );
        // A failure of another run is not reused either.
        world.env.write("code.txt", "start\n");
        world.env.write("../dep", "");
        let (object, exit) = world.json(&words);
        assert_eq!((exit, ran(&world), world.turns()), (Some(0), 5, 5), "{object}");
        assert_eq!((world.count("gate.reused"), &object["unproven"]), (0, &json!([])), "{object}");
    }
}

#[test]
fn what_an_agent_mends_outside_of_the_files_is_looked_at() {
    let world = world("[ $turn = 1 ] && echo good > code.txt || touch ../dep");
    let (object, exit) = world.json(&TASK);
    assert_eq!((exit, world.turns(), ran(&world)), (Some(0), 2, 2), "{object}");
    assert_eq!(world.count("gate.flaky"), 1, "{object}");
    let said = json!(["failed and passed on the same files: sh test.sh"]);
    assert_eq!((&object["unproven"], &object["proven_units"]), (&said, &json!(0)), "{object}");
}

#[test]
fn what_a_person_mends_outside_of_the_files_is_looked_at_before_any_agent_works() {
    for agents in ["1", "2"] {
        let world = world("echo good > code.txt");
        let (object, exit) = world.json(&[&TASK[..], &["--agents", agents]].concat());
        assert_eq!((exit, world.turns(), ran(&world)), (Some(5), 3, 3), "{object}");
        assert!(object["why"].as_str().unwrap().ends_with("sh test.sh: no dep"), "{object}");
        let why = world.sprag(&["why"]).stdout;
        assert!(why.contains("sh test.sh  fail exit 1, "), "{why}");
        assert!(!why.contains("the files have changed since"), "{why}");
        // The agent continues until it is fixed.
        let (object, exit) = world.json(&["resume", &world.run()]);
        assert_eq!((exit, world.turns(), ran(&world)), (Some(5), 4, 5), "{object}");
        world.env.write("../dep", "");
        let (object, exit) = world.json(&["resume", &world.run()]);
        assert_eq!((exit, world.turns(), ran(&world)), (Some(0), 4, 6), "{object}");
    }
}

#[test]
fn a_gate_that_passed_in_this_run_on_these_files_is_not_run_again() {
    let world = world("echo good > code.txt; [ $turn = 1 ] || touch ../dep");
    let dev = ".sprag/workflows/dev";
    let workflow = "name: Dev\ncommandName: dev\ninitialMessage: 'Begin'\nphases: [build.md]\n";
    world.env.write(format!("{dev}/workflow.yaml"), workflow);
    let phase = "---\nid: build\nname: build\nemoji: E\ngates:\n  \
                 - run: [sh, -c, 'echo x >> ../first; grep good code.txt']\n  \
                 - run: sh test.sh\n---\nGo.\n";
    world.env.write(format!("{dev}/build.md"), phase);
    let (object, exit) = world.json(&["run", "dev", "Do it"]);
    assert_eq!((exit, world.turns(), ran(&world)), (Some(0), 2, 2), "{object}");
    assert_eq!(world.env.read("../first").unwrap().lines().count(), 1, "{object}");
}

#[test]
fn a_command_that_fails_and_then_passes_on_the_same_files_is_flaky_whoever_runs_it() {
    let world = world("echo good > code.txt");
    world.env.write("../dep", "");
    let ran = world.sprag(&TASK);
    assert!(ran.stdout.contains("1 gate proven\n    Unproven nothing\n"), "{}", ran.stdout);
    world.env.remove("../dep");
    assert_eq!(world.sprag(&["report", "--verify"]).exit, Some(1));
    world.env.write("../dep", "");
    let (report, exit) = world.json(&["report", "--verify"]);
    assert_eq!(exit, Some(0), "{report}");
    let (report, _) = world.json(&["report"]);
    assert_eq!(report["flaky"], json!(["sh test.sh"]), "{report}");
    let said = json!(["failed and passed on the same files: sh test.sh"]);
    assert_eq!(report["unproven"], said, "{report}");
    let text = world.sprag(&["report"]).stdout;
    assert!(text.contains("flaky: sh test.sh") && !text.contains("and proven"), "{text}");
}

#[test]
fn a_gate_that_writes_a_file_says_what_to_do_about_it() {
    let world = World::new("echo good > code.txt");
    let until = "sh -c 'date +%N > build.out'";
    let (object, exit) = world.json(&["run", "Good", "--until", until]);
    let why = object["why"].as_str().unwrap();
    assert!(exit == Some(3) && why.contains("`build.out` changed while it ran"), "{object}");
    assert!(why.contains("let git ignore them (`.gitignore`)"), "{why}");
    world.env.write(".gitignore", "build.out\n");
    assert_eq!((world.sprag(&["resume", &world.run()]).exit, world.turns()), (Some(0), 1));
}

#[test]
fn an_agent_is_told_how_it_fails_now_also_where_no_file_changed() {
    let world = World::new("echo done");
    world.env.write("test.sh", "echo x >> ../ran; echo \"missing $(wc -l < ../ran)\"; exit 1\n");
    let (object, exit) = world.json(&TASK);
    assert_eq!((exit, world.turns()), (Some(5), 3), "{object}");
    assert!(object["why"].as_str().unwrap().ends_with("sh test.sh: missing 3"), "{object}");
    assert!(world.told(2).contains("missing 1"), "{}", world.told(2));
    assert!(world.told(3).contains("Now it fails like this:\n  sh test.sh: missing 2"));
    // While the output is the same, nothing is added.
    world.env.write("test.sh", "echo 'missing all'; exit 1\n");
    world.sprag(&["resume", &world.run()]);
    assert!(!world.told(world.turns()).contains("Now it fails"), "{}", world.told(world.turns()));
}
