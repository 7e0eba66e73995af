use sprag_core::{Agent, Deadline, Denied, Fence, Hold, Ran, Signal, Stuck, Time};

use crate::toy::{World, id, name, session};

#[test]
fn the_fence_is_the_line_of_the_begin() {
    let mut world = World::toy();
    let fence = world.begin("a").unwrap();
    assert_eq!(fence, Fence(world.facts.seq));
    assert_eq!(world.run.attempts()[0].fence(), fence);
    assert_eq!(world.told, ["attempt.began"]);
}

#[test]
fn every_begin_spends_and_only_one_after_a_failure_spends_a_retry() {
    let mut world = World::toy();
    world.fail("d", "boom", "1").unwrap();
    assert_eq!((world.used("rounds"), world.used("retry")), (1, 0));
    world.fail("d", "other", "2").unwrap();
    assert_eq!((world.used("rounds"), world.used("retry")), (2, 1));
    let full = Hold::Exhausted { bound: name("rounds"), used: 2 };
    assert_eq!(world.begin("d"), Err(Denied::Held(full)));
}

#[test]
fn a_unit_that_is_not_in_next_is_not_begun() {
    let mut world = World::toy();
    assert_eq!(world.begin("c"), Err(Denied::NotReady { unit: id("c") }));
    assert_eq!(world.begin("nothing"), Err(Denied::NotReady { unit: id("nothing") }));
    world.begin("a").unwrap();
    assert_eq!(world.begin("a"), Err(Denied::NotReady { unit: id("a") }));
}

#[test]
fn a_lock_of_another_attempt_is_respected() {
    let mut world = World::toy();
    let by = world.begin("a").unwrap();
    assert_eq!(world.begin("b"), Err(Denied::Locked { lock: name("x"), by }));
    assert!(world.begin("d").is_ok(), "another lock");
}

#[test]
fn an_agent_has_one_attempt() {
    let mut world = World::toy();
    let agent = Agent::parse("polecat-alpha").unwrap();
    let begin = |unit| Signal::Begin { unit: id(unit), agent: Some(agent.clone()), session: None };
    world.send(begin("a")).unwrap();
    assert_eq!(world.send(begin("d")), Err(Denied::Busy { agent: agent.clone() }));
    let fence = world.run.attempts()[0].fence();
    world.send(Signal::Lost { fence, ran: Ran::Yes, why: String::new() }).unwrap();
    assert_eq!(world.send(begin("d")), Ok(()));
}

#[test]
fn a_bound_that_nobody_limited_is_used_up() {
    let mut world = World::toy();
    world.definition.units[0].spends = vec![name("unheard-of")];
    let hold = Hold::Exhausted { bound: name("unheard-of"), used: 0 };
    assert_eq!(world.begin("a"), Err(Denied::Held(hold)));
}

#[test]
fn nothing_begins_in_a_run_that_is_held_late_foreign_or_over() {
    let mut world = World::toy();
    world.send(Signal::Claimed { session: session("other") }).unwrap();
    assert_eq!(world.begin("a"), Err(Denied::Foreign { owner: Some(session("other")) }));
    world.send(Signal::Released).unwrap();

    world.send(Signal::Pause { hold: Hold::Person { why: "lunch".into() } }).unwrap();
    assert_eq!(world.begin("a"), Err(Denied::Held(Hold::Person { why: "lunch".into() })));
    world.send(Signal::Resume).unwrap();

    let late = Hold::Exhausted { bound: Deadline::NAME, used: 1 };
    world.run = world.run.until(Deadline::starting(world.facts.now, 1000));
    world.facts.now = Time::from_millis(1_001_000);
    assert_eq!(world.begin("a"), Err(Denied::Held(late)));
    world.send(Signal::Resume).unwrap();
    assert!(world.begin("a").is_ok(), "a person gives it its time again");

    world.send(Signal::Cancel).unwrap();
    assert_eq!(world.begin("d"), Err(Denied::Over));
}

#[test]
fn one_commit_begins_one_unit() {
    let mut world = World::toy();
    let fence = world.begin("a").unwrap();
    world.facts.seq.0 -= 1;
    assert_eq!(world.begin("d"), Err(Denied::Stale { fence }));
}

#[test]
fn an_attempt_is_bound_by_one_session_and_claimed_by_that_one() {
    let mut world = World::toy();
    world.send(Signal::Begin { unit: id("e"), agent: None, session: None }).unwrap();
    let fence = Fence(world.facts.seq);
    let claim = |by| Signal::ReportDone { fence, session: session(by) };
    let bind = |by| Signal::Attach { fence, session: session(by) };
    assert_eq!(world.send(claim("s1")), Err(Denied::Foreign { owner: None }), "no skipping");
    world.send(bind("s1")).unwrap();
    world.send(bind("s1")).unwrap();
    let foreign = Err(Denied::Foreign { owner: Some(session("s1")) });
    assert_eq!(world.send(bind("s2")), foreign);
    assert_eq!(world.send(claim("s2")), foreign);
    world.send(claim("s1")).unwrap();
    assert!(world.run.attempts()[0].is_claimed());
}

#[test]
fn what_never_ran_is_given_back_once() {
    let mut world = World::toy();
    for (ran, used) in [(Ran::No, 0), (Ran::No, 1), (Ran::Yes, 2)] {
        let fence = world.begin("d").unwrap();
        world.send(Signal::Lost { fence, ran, why: String::new() }).unwrap();
        assert_eq!(world.used("rounds"), used, "{ran:?}");
        assert_eq!(
            world.send(Signal::Lost { fence, ran, why: String::new() }),
            Err(Denied::Stale { fence })
        );
    }
}

#[test]
fn what_ran_is_not_given_back() {
    let mut world = World::toy();
    let fence = world.begin("d").unwrap();
    world.send(Signal::Lost { fence, ran: Ran::Yes, why: String::new() }).unwrap();
    assert_eq!(world.used("rounds"), 1);
}

#[test]
fn a_loss_spends_no_retry_and_failures_with_losses_between_come_to_an_end() {
    let mut world = World::toy();
    let mut begun = 0;
    while let Ok(fence) = world.begin("b") {
        world.send(Signal::Lost { fence, ran: Ran::Yes, why: String::new() }).unwrap();
        assert_eq!(world.used("retry"), u32::saturating_sub(begun, 1), "only failures count");
        let what = ["red", "green", "blue", "black"][begun as usize];
        world.fail("b", what, what).unwrap();
        begun += 1;
    }
    let hold = Hold::Exhausted { bound: name("retry"), used: 3 };
    assert_eq!((begun, world.begin("b")), (4, Err(Denied::Held(hold))));
}

#[test]
fn three_losses_in_a_row_hold_the_unit() {
    let mut world = World::toy();
    for _ in 0..3 {
        let fence = world.begin("a").unwrap();
        world.send(Signal::Lost { fence, ran: Ran::No, why: "exit 1".to_owned() }).unwrap();
    }
    let what = Stuck::Lost { unit: id("a"), times: 3, why: "exit 1".to_owned() };
    assert_eq!(what.to_string(), "`a` was lost 3 times in a row, last: exit 1");
    assert_eq!(world.begin("a"), Err(Denied::Held(Hold::NoProgress { what })));
    assert_eq!(world.ready(), ["b", "d", "e"], "its siblings go on");
    world.send(Signal::Resume).unwrap();
    assert!(world.begin("a").is_ok());
}

#[test]
fn what_is_given_back_is_no_loss() {
    let mut world = World::toy();
    for _ in 0..4 {
        let fence = world.begin("a").unwrap();
        world.send(Signal::Lost { fence, ran: Ran::Returned, why: String::new() }).unwrap();
    }
    for (ran, used) in [(Ran::Returned, 0), (Ran::Returned, 0), (Ran::No, 0), (Ran::Returned, 0)] {
        let fence = world.begin("d").unwrap();
        world.send(Signal::Lost { fence, ran, why: String::new() }).unwrap();
        assert_eq!(world.used("rounds"), used, "{ran:?}: each has its own charge back");
    }
    let fence = world.begin("d").unwrap();
    world.send(Signal::Lost { fence, ran: Ran::No, why: String::new() }).unwrap();
    assert_eq!(world.used("rounds"), 1, "two in a row never ran, whatever came between");
    let fence = world.begin("a").unwrap();
    world.send(Signal::Lost { fence, ran: Ran::No, why: String::new() }).unwrap();
    assert!(world.begin("a").is_ok(), "that was the first");
}
