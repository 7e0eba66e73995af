//! Agents as bad as they can be: limits are exact, and nobody is left behind.

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
    // Three equal failures hold it, whatever it says.
    assert_eq!(exit, Some(5));
    assert!(world.turns() >= 3);
}
