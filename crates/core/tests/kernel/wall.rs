use std::time::Duration;

use sprag_core::{
    Hold, Next, Ran, Run, Signal, StopCounter, Stored, Vote, Waiting, Wall, vote, waiting,
};

use crate::toy::{Done, Toy, World, id, name, receipt, session, tree};
use sprag_core::Verdict::{Fail, Pass};

/// A world in which `a` and `d` share a limit of ten seconds.
fn walled() -> World<Toy> {
    let mut world = World::toy();
    for at in [0, 3] {
        world.definition.units[at].wall = Some(Wall::of("build", Duration::from_secs(10)));
    }
    world
}

fn later(world: &mut World<Toy>, millis: i64) {
    world.facts.now = world.facts.now.plus_millis(millis);
}

fn over() -> Hold {
    Hold::Exhausted { bound: name("wall build"), used: 1 }
}

fn says(world: &World<Toy>) -> Vote {
    let desk = StopCounter::new(session("s1"), tree("0"));
    vote::<Toy>(&world.definition, &world.run, &desk, &world.facts).unwrap()
}

#[test]
fn the_time_begins_with_the_first_begin_and_goes_on_through_tries_and_losses() {
    let mut world = walled();
    later(&mut world, 60_000);
    world.fail("a", "boom", "1").unwrap();
    later(&mut world, 6_000);
    let fence = world.begin("a").unwrap();
    later(&mut world, 3_999);
    world.send(Signal::Lost { fence, ran: Ran::Yes, why: String::new() }).unwrap();
    let fence = world.begin("a").unwrap();
    world.send(Signal::Lost { fence, ran: Ran::No, why: String::new() }).unwrap();
    later(&mut world, 1);
    assert_eq!(world.begin("a"), Err(sprag_core::Denied::Held(over())));
    assert_eq!(world.ready(), ["b", "e"], "who shares its time is held, others go on");
    assert_eq!(over().to_string(), "the time for `build` is over");
}

#[test]
fn what_was_begun_is_held_and_waits_for_a_person_but_its_end_is_judged() {
    let mut world = walled();
    world.definition.units.truncate(1);
    let fence = world.begin("a").unwrap();
    later(&mut world, 9_999);
    assert!(matches!(world.next(), Next::Wait { .. }));
    later(&mut world, 1);
    assert_eq!(world.next(), Next::Held(over()));
    let held = Waiting { unit: Some(id("a")), fence: Some(fence), hold: over() };
    assert_eq!(waiting::<Toy>(&world.definition, &world.run, &world.facts), [held]);
    world.end(fence, &[receipt("test", Pass, "", "0"), receipt("lint", Pass, "", "0")]).unwrap();
    assert_eq!(world.next(), Next::Done, "it was done in time or not: it is done");
}

#[test]
fn a_session_whose_time_is_over_may_stop() {
    let mut world = walled();
    world.send(Signal::Claimed { session: session("s1") }).unwrap();
    world.definition.units.truncate(1);
    let fence = world.begin("a").unwrap();
    assert!(matches!(says(&world), Vote::Refuse { .. }));
    later(&mut world, 10_000);
    assert_eq!(says(&world), Vote::Silent, "what it works on");
    world.files("1");
    world.end(fence, &[receipt("test", Fail, "boom", "1")]).unwrap();
    assert_eq!(says(&world), Vote::Silent, "what would be begun again");
    world.send(Signal::Resume).unwrap();
    assert!(matches!(says(&world), Vote::Refuse { .. }), "a person gives it its time again");
    later(&mut world, 9_999);
    assert!(matches!(says(&world), Vote::Refuse { .. }), "all of it");
    later(&mut world, 1);
    assert_eq!(says(&world), Vote::Silent);
}

#[test]
fn time_in_which_nobody_can_work_is_not_counted() {
    let due = |world: &World<Toy>| world.run.due(&world.definition.units[0]).unwrap();
    let mut world = walled();
    let fence = world.begin("a").unwrap();
    let first = due(&world);
    let limit = |world: &World<Toy>, millis: i64| {
        let at = world.facts.now.plus_millis(millis);
        Signal::Hold { fence, hold: Hold::Until { at, why: "limit".into() } }
    };
    world.send(limit(&world, 5_000)).unwrap();
    assert_eq!(due(&world).since(first), 5_000, "a host took no work");
    world.send(limit(&world, -1)).unwrap();
    assert_eq!(due(&world).since(first), 5_000, "never less");
    let at = world.facts.now.plus_millis(7_000);
    let hold = Hold::Until { at, why: "lunch".into() };
    world.send(Signal::Pause { hold }).unwrap();
    assert_eq!(due(&world).since(first), 12_000, "a person paused it for so long");
    let asked = Hold::Asked { what: "which?".into() };
    world.send(Signal::Hold { fence, hold: asked }).unwrap();
    later(&mut world, 500_000);
    world.send(Signal::Answered { text: "this".into() }).unwrap();
    assert_eq!(due(&world).since(world.facts.now), 10_000, "a person was waited for");
}

#[test]
fn it_is_kept_in_the_file_and_forgotten_after_real_progress() {
    let mut world = walled();
    let fence = world.begin("a").unwrap();
    let read = Run::<Done>::lift(&world.run.lower()).unwrap();
    assert_eq!(read, world.run);
    later(&mut world, 10_000);
    assert_eq!(read.hold_of(&read.attempts()[0], world.facts.now), Some(over()));
    world.send(Signal::Lost { fence, ran: Ran::Yes, why: String::new() }).unwrap();
    world.send(Signal::Verb { verb: "again".into() }).unwrap();
    assert!(world.begin("a").is_ok());
}
