use sprag_core::{Ask, Hold, Role, Signal, StopCounter, Vote, Word, vote};

use crate::toy::{Toy, World, id, session, tree};

fn desk(name: &str) -> StopCounter {
    StopCounter::new(session(name), tree("0"))
}

/// Returns the id of the refused unit, `yield` or `silent`.
fn says(world: &World<Toy>, desk: &StopCounter) -> String {
    match vote::<Toy>(&world.definition, &world.run, desk, &world.facts).unwrap() {
        Vote::Silent => "silent".into(),
        Vote::Yield { why } => format!("yield: {why}"),
        Vote::Refuse { unit } => unit.id.to_string(),
    }
}

#[test]
fn a_run_refuses_its_owner_what_can_be_worked_on() {
    let mut world = World::toy();
    assert_eq!(says(&world, &desk("s1")), "silent", "it has no owner");
    world.send(Signal::Claimed { session: session("s1") }).unwrap();
    assert_eq!(says(&world, &desk("s1")), "a");
    assert_eq!(says(&world, &desk("s2")), "silent", "it is not theirs");
    world.begin("a").unwrap();
    assert_eq!(says(&world, &desk("s1")), "a", "it continues its own attempt");
}

#[test]
fn work_for_another_role_is_not_refused() {
    let mut world = World::toy();
    world.definition.units.drain(..4);
    world.send(Signal::Claimed { session: session("s1") }).unwrap();
    let mut worker = desk("s1");
    assert_eq!(says(&world, &worker), "silent");
    worker.role = Some(Role::parse("worker").unwrap());
    assert_eq!(says(&world, &worker), "e");
}

#[test]
fn a_held_attempt_is_silent_and_a_question_yields() {
    let mut world = World::toy();
    let fence = world.begin("a").unwrap();
    assert_eq!(says(&world, &desk("s1")), "a");
    world.send(Signal::Hold { fence, hold: Hold::NoProgress { what: "x".into() } }).unwrap();
    assert_eq!(says(&world, &desk("s1")), "silent");
    world.send(Signal::Resume).unwrap();
    world.say(fence, Word::Question { what: "which?".into() }).unwrap();
    assert_eq!(says(&world, &desk("s1")), "yield: which?");
}

#[test]
fn a_claimed_attempt_a_pause_and_a_cancel_are_silent() {
    let mut world = World::toy();
    let fence = world.begin("e").unwrap();
    assert_eq!(says(&world, &desk("s1")), "e");
    world.send(Signal::Pause { hold: Hold::Person { why: "lunch".into() } }).unwrap();
    assert_eq!(says(&world, &desk("s1")), "silent");
    world.send(Signal::Resume).unwrap();
    world.send(Signal::ReportDone { fence, session: session("s1") }).unwrap();
    assert_eq!(says(&world, &desk("s1")), "silent");
    world.send(Signal::Cancel).unwrap();
    assert_eq!(says(&world, &desk("s1")), "silent");
}

#[test]
fn a_parent_is_silent_about_what_a_child_run_works_on() {
    let mut world = World::toy();
    world.begin("a").unwrap();
    world.facts.subjects.insert((world.run.id().clone(), id("a")));
    assert_eq!(says(&world, &desk("s1")), "silent");
}

#[test]
fn what_must_be_known_is_asked() {
    let mut world = World::toy();
    world.send(Signal::Claimed { session: session("s1") }).unwrap();
    world.definition.asks = true;
    let answer = vote::<Toy>(&world.definition, &world.run, &desk("s1"), &world.facts);
    assert_eq!(answer, Err(vec![Ask::Pull]));
}
