//! The driver itself is killed, and another continues: every run ends, no result is lost, and none
//! is applied twice.

use std::time::Duration;

use sprag_testkit::seed::Seed;

use super::World;

/// Kills `times` drivers at random, then lets one come to the end.
fn killed(world: &World, words: &[&str], times: usize, seed: u64) {
    let mut seed = Seed::new(seed);
    let mut started = false;
    for _ in 0..times {
        let run = started.then(|| world.run());
        let again = run.as_ref().map(|run| vec!["resume", run]);
        let mut child = world.start(again.as_deref().unwrap_or(words));
        std::thread::sleep(Duration::from_millis(seed.below(120) as u64));
        let _ = child.kill();
        child.wait().unwrap();
        let (object, _) = world.json(&["status"]);
        started = object["runs"][0]["id"].is_string();
    }
    let run = started.then(|| world.run());
    let again = run.as_ref().map(|run| vec!["resume", run]);
    let ran = world.sprag(again.as_deref().unwrap_or(words));
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    world.nobody_is_left();
}

#[test]
fn a_driver_that_is_killed_at_random_is_gone_on_with() {
    // Ten drivers are killed, or 200 in the long form.
    let seeds = if sprag_testkit::skip::is_long() { 40 } else { 2 };
    for seed in 0..seeds {
        let world = World::new("sleep 0.05; echo good > code.txt; echo done");
        killed(&world, &["run", "Be good", "--until", "sh test.sh"], 5, seed);
        let passed = |event: &&serde_json::Value| {
            event["kind"] == "attempt.ended" && event["data"]["how"] == "passed"
        };
        assert_eq!(world.events().iter().filter(passed).count(), 1);
        assert_eq!(world.count("attempt.began"), 1, "the begun attempt continues, uncharged");
    }
}

#[test]
fn the_agent_of_a_killed_driver_is_ended_before_the_next_one_works() {
    let world = World::new(
        "if [ $turn = 1 ]; then sleep 600; fi\necho \"turn $turn\" >> code.txt; echo good >> code.txt",
    );
    let mut child = world.start(&["run", "Be good", "--until", "sh test.sh"]);
    world.env.wait_until("the first turn", || world.turns() == 1);
    child.kill().unwrap();
    child.wait().unwrap();
    let run = world.run();
    let ran = world.sprag(&["resume", &run]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(world.env.read("code.txt").unwrap(), "start\nturn 2\ngood\n");
    world.nobody_is_left();
}

#[test]
fn one_driver_at_a_time() {
    let world = World::new(
        "[ $turn = 1 ] && while [ ! -e ../go ]; do sleep 0.01; done\necho good > code.txt",
    );
    let mut first = world.start(&["run", "Be good", "--until", "sh test.sh"]);
    world.env.wait_until("the first turn", || world.turns() == 1);
    let run = world.run();
    let second = world.sprag(&["run", &run]);
    assert_eq!(second.exit, Some(8), "{}{}", second.stdout, second.stderr);
    assert!(second.stderr.contains("another `sprag run` drives"), "{}", second.stderr);
    world.env.write("../go", "");
    assert_eq!(first.wait().unwrap().code(), Some(0));
    assert_eq!(world.turns(), 1);
}
