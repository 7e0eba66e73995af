use sprag_core::{Changes, Denied, Effect, Hold, Next, Signal, Time, Word};

use crate::toy::{World, id, session};

#[test]
fn a_pause_holds_the_run_until_it_is_resumed() {
    let mut world = World::toy();
    let fence = world.begin("a").unwrap();
    world.send(Signal::Pause { hold: Hold::Person { why: "lunch".into() } }).unwrap();
    let hold = Hold::Person { why: "lunch".into() };
    assert_eq!(world.next(), Next::Held(hold.clone()));
    let bind = Signal::Attach { fence, session: session("s1") };
    assert_eq!(world.send(bind), Err(Denied::Held(hold)));
    world.send(Signal::Resume).unwrap();
    assert_eq!(world.ready(), ["d", "e"]);
}

#[test]
fn a_pause_for_a_time_ends_by_itself() {
    let mut world = World::toy();
    let at = Time::from_millis(2_000_000);
    world.send(Signal::Pause { hold: Hold::Until { at, why: "lunch".into() } }).unwrap();
    assert_eq!(world.next(), Next::Wait { on: "lunch".into(), until: Some(at) });
    assert!(matches!(world.begin("a"), Err(Denied::Held(Hold::Until { .. }))));
    world.facts.now = at;
    assert!(world.begin("a").is_ok());
}

#[test]
fn nothing_is_judged_after_a_change_and_no_other_pause_takes_its_place() {
    let mut world = World::toy();
    let fence = world.begin("a").unwrap();
    let changed =
        |doc: &str| Hold::Changed { what: Changes::new([doc.to_owned()], "changed".to_owned()) };
    world.send(Signal::Pause { hold: changed("a plan") }).unwrap();
    let at = Time::from_millis(2_000_000);
    world.send(Signal::Pause { hold: Hold::Until { at, why: "lunch".into() } }).unwrap();
    for what in ["a rule", "a plan"] {
        world.send(Signal::Pause { hold: changed(what) }).unwrap();
    }
    world.facts.now = at;
    let Next::Held(both) = world.next() else { panic!("it goes on") };
    let said = "`a plan`, `a rule` changed; `sprag resume` takes it as yours";
    assert_eq!(both.to_string(), said);
    let end = Signal::End {
        fence,
        word: Word::Done,
        receipts: Vec::new(),
        worth: Some(sprag_core::basis::Worth::Proven),
    };
    assert_eq!(world.send(end.clone()), Err(Denied::Held(both)));
    world.send(Signal::Resume).unwrap();
    assert!(!matches!(world.send(end), Err(Denied::Held(_))));
}

#[test]
fn a_run_that_is_done_is_not_paused() {
    let mut world = World::toy();
    world.definition.units.clear();
    let pause = Signal::Pause { hold: Hold::Person { why: "lunch".into() } };
    assert_eq!(world.send(pause), Err(Denied::Over));
}

#[test]
fn resume_keeps_the_evidence_and_makes_the_next_begin_a_first_one() {
    let mut world = World::toy();
    world.fail("b", "boom", "1").unwrap();
    world.send(Signal::Resume).unwrap();
    assert_eq!(world.run.failed()[&id("b")].same, 0);
    world.begin("b").unwrap();
    assert_eq!(world.used("retry"), 0);
}

#[test]
fn resume_leaves_bounds_that_are_not_used_up() {
    let mut world = World::toy();
    world.fail("d", "boom", "1").unwrap();
    world.send(Signal::Resume).unwrap();
    assert_eq!(world.used("rounds"), 1);
    world.fail("d", "bang", "2").unwrap();
    world.send(Signal::Resume).unwrap();
    assert_eq!(world.used("rounds"), 0);
}

#[test]
fn a_resumed_attempt_cannot_give_back_what_was_renewed() {
    let mut world = World::toy();
    world.fail("d", "boom", "1").unwrap();
    let fence = world.begin("d").unwrap();
    world.send(Signal::Resume).unwrap();
    assert_eq!(world.used("rounds"), 0);
    world.send(Signal::Lost { fence, ran: sprag_core::Ran::No, why: String::new() }).unwrap();
    assert_eq!(world.used("rounds"), 0);
    assert!(!world.run.bounds()[&crate::toy::name("rounds")].refunded());
}

#[test]
fn cancel_ends_everything_and_says_what_to_end_outside() {
    let mut world = World::toy();
    let fence = world.begin("a").unwrap();
    world.send(Signal::Cancel).unwrap();
    assert_eq!(world.next(), Next::Cancelled);
    assert!(world.run.attempts().is_empty());
    assert_eq!(world.run.outbox(), [Effect::Kill { fence }]);
    assert_eq!(world.send(Signal::Resume), Err(Denied::Over));
    world.send(Signal::Performed { effect: Effect::Kill { fence } }).unwrap();
    assert!(world.run.outbox().is_empty());
    let again = world.send(Signal::Performed { effect: Effect::Kill { fence } });
    assert!(matches!(again, Err(Denied::Refused { .. })));
}

#[test]
fn a_run_has_one_owner() {
    let mut world = World::toy();
    world.send(Signal::Claimed { session: session("s1") }).unwrap();
    world.send(Signal::Claimed { session: session("s1") }).unwrap();
    let foreign = Err(Denied::Foreign { owner: Some(session("s1")) });
    assert_eq!(world.send(Signal::Claimed { session: session("s2") }), foreign);
    world.send(Signal::Released).unwrap();
    world.send(Signal::Claimed { session: session("s2") }).unwrap();
    assert_eq!(world.run.owner(), Some(&session("s2")));
}

#[test]
fn a_verb_is_the_machines_own() {
    let mut world = World::toy();
    assert!(world.send(Signal::Verb { verb: "fly".into() }).is_err());
    world.fail("d", "boom", "1").unwrap();
    world.send(Signal::Verb { verb: "again".into() }).unwrap();
    assert_eq!(world.used("rounds"), 0, "this machine calls it progress");
    assert!(world.run.failed().is_empty());
    assert_eq!(world.run.outbox(), [Effect::Notify { text: "again".into() }]);
    world.send(Signal::Refresh).unwrap();
    assert_eq!(world.told, ["run.looked"]);
}
