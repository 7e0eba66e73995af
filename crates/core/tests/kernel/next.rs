use sprag_core::{Ask, Hold, Next, Plain, RunStatus, Signal, Time, Verdict, life, waiting};

use crate::toy::{Toy, World, id, receipt};

fn life_of(world: &World<Toy>) -> RunStatus {
    life::<Toy>(&world.definition, &world.run, &world.facts)
}

fn waits(world: &World<Toy>) -> Vec<String> {
    let list = waiting::<Toy>(&world.definition, &world.run, &world.facts);
    list.iter().map(|item| item.hold.to_string()).collect()
}

#[test]
fn what_can_be_begun_is_what_nothing_stands_against() {
    let mut world = World::toy();
    assert_eq!(world.ready(), ["a", "b", "d", "e"]);
    assert_eq!(life_of(&world), RunStatus::Ready);
    world.begin("a").unwrap();
    assert_eq!(world.ready(), ["d", "e"], "b needs what a has");
    assert_eq!(life_of(&world), RunStatus::Working);
}

#[test]
fn it_waits_while_something_runs_and_is_held_only_when_nothing_can_move() {
    let mut world = World::toy();
    world.definition.units.truncate(2);
    let fence = world.begin("a").unwrap();
    assert_eq!(world.next(), Next::Wait { on: "a".into(), until: None });
    let hold = Hold::Untrusted { what: "npm test".into() };
    world.send(Signal::Hold { fence, hold: hold.clone() }).unwrap();
    assert_eq!(world.next(), Next::Held(hold), "b waits for the lock of a");
    assert_eq!(life_of(&world), RunStatus::Held);
    assert_eq!(waits(&world), ["`npm test` is not yet allowed to run here"]);
}

#[test]
fn a_timed_hold_is_waited_for() {
    let mut world = World::toy();
    world.definition.units.truncate(1);
    let fence = world.begin("a").unwrap();
    let at = Time::from_millis(2_000_000);
    world.send(Signal::Hold { fence, hold: Hold::Until { at, why: "limit".into() } }).unwrap();
    assert_eq!(world.next(), Next::Wait { on: "limit".into(), until: Some(at) });
    assert!(waits(&world).is_empty(), "no person has to act");
    world.facts.now = at;
    assert_eq!(world.next(), Next::Wait { on: "a".into(), until: None });
}

#[test]
fn a_hold_on_one_attempt_lets_its_siblings_go_on() {
    let mut world = World::toy();
    let fence = world.begin("a").unwrap();
    world.send(Signal::Hold { fence, hold: Hold::Asked { what: "?".into() } }).unwrap();
    assert_eq!(world.ready(), ["d", "e"]);
    assert_eq!(life_of(&world), RunStatus::Working);
    assert_eq!(waits(&world), ["asks: ?"]);
}

#[test]
fn done_is_said_only_when_no_attempt_is_left() {
    let mut world = World::toy();
    world.definition.units.truncate(2);
    world.definition.units.remove(0);
    let fence = world.begin("b").unwrap();
    world.definition.units.clear();
    assert_eq!(world.next(), Next::Wait { on: "b".into(), until: None });
    world.end(fence, &[receipt("test", Verdict::Pass, "", "0")]).unwrap();
    assert_eq!(world.next(), Next::Done);
    assert_eq!(life_of(&world), RunStatus::Done);
}

#[test]
fn used_up_is_a_hold_and_never_a_pass() {
    let mut world = World::toy();
    world.definition.units.retain(|unit| unit.id == id("b"));
    for on in ["1", "2", "3", "4"] {
        world.fail("b", &"boom ".repeat(on.parse().unwrap()), on).unwrap();
    }
    assert!(matches!(world.next(), Next::Held(Hold::Exhausted { used: 3, .. })));
    assert_eq!(waits(&world), ["gave up: `retry` reached its limit of 3"]);
    world.send(Signal::Resume).unwrap();
    assert_eq!(world.ready(), ["b"]);
    assert_eq!(world.used("retry"), 0);
}

#[test]
fn questions_of_the_machine_pass_through() {
    let mut world = World::toy();
    world.definition.asks = true;
    assert_eq!(world.next(), Next::Ask(vec![Ask::Pull]));
    assert_eq!(world.begin("a"), Err(sprag_core::Denied::Needs(vec![Ask::Pull])));
    world.facts.answers.insert(Ask::Pull, Plain::Null);
    assert_eq!(world.ready(), ["a", "b", "d", "e"]);
}
