use sprag_core::basis::{InputKey, InputKeys, Worth};
use sprag_core::event::EndedBy;
use sprag_core::{Check, Denied, Event, Fence, Gate, Hold, Ran, Seq, Signal, Verdict, Word};

use crate::toy::{Toy, World, gate, id, name, receipt, session};

fn asks(gates: &[&str]) -> Denied {
    Denied::Needs(gates.iter().map(|text| sprag_core::Ask::Gate(gate(text))).collect())
}

#[test]
fn all_gates_must_pass_on_the_files_as_they_are() {
    let mut world = World::toy();
    let fence = world.begin("a").unwrap();
    assert_eq!(world.end(fence, &[]), Err(asks(&["test", "lint"])));
    let test = receipt("test", Verdict::Pass, "", "0");
    let old = receipt("lint", Verdict::Pass, "", "before");
    assert_eq!(world.end(fence, &[test.clone(), old]), Err(asks(&["lint"])), "stale");
    let lint = receipt("lint", Verdict::Pass, "", "0");
    world.end(fence, &[test, lint]).unwrap();
    assert_eq!(world.told, ["attempt.ended"]);
    assert!(world.run.position().0.contains(&id("a")));
    assert!(world.run.attempts().is_empty());
}

#[test]
fn a_word_is_never_a_proof() {
    let mut world = World::toy();
    let fence = world.begin("b").unwrap();
    assert_eq!(world.say(fence, Word::Done), Err(asks(&["test"])));
    let fail = receipt("test", Verdict::Fail, "boom", "0");
    world
        .send(Signal::End {
            fence,
            word: Word::Done,
            receipts: vec![fail],
            worth: Some(Worth::Proven),
        })
        .unwrap();
    assert!(world.run.position().0.is_empty());
    assert_eq!(world.run.failed()[&id("b")].same, 1);
}

#[test]
fn a_failure_is_recorded_and_given_as_evidence() {
    let mut world = World::toy();
    world.fail("b", "boom", "1").unwrap();
    let sprag_core::Next::Units(units) = world.next() else { panic!("b can be tried again") };
    let unit = units.iter().find(|unit| unit.id == id("b")).unwrap();
    let prompt = world.prompt(unit);
    assert_eq!(prompt.text, "Do b.");
    assert_eq!(prompt.evidence, Some(receipt("test", Verdict::Fail, "boom", "1")));
    assert_eq!(prompt.retry.map(|retry| (retry.number, retry.max)), Some((1, 3)));
    let unit = unit.clone();
    world.begin("b").unwrap();
    assert_eq!(world.prompt(&unit), prompt, "a begin does not change it");
}

#[test]
fn three_equal_failures_hold_and_another_one_starts_the_count_again() {
    let mut world = World::toy();
    for (tail, on, same) in
        [("boom 1s", "1", 1), ("boom 2s", "2", 2), ("bang", "3", 1), ("boom", "4", 1)]
    {
        world.fail("b", tail, on).unwrap();
        assert_eq!(world.run.failed()[&id("b")].same, same, "{tail}");
    }

    let mut world = World::toy();
    for on in ["1", "2", "3"] {
        world.fail("b", &format!("boom after {on}s"), on).unwrap();
    }
    assert!(matches!(world.begin("b"), Err(Denied::Held(Hold::NoProgress { .. }))));
    world.send(Signal::Resume).unwrap();
    assert!(world.begin("b").is_ok());
}

#[test]
fn a_failure_on_unchanged_files_is_not_another_try() {
    let mut world = World::toy();
    world.fail("b", "boom", "1").unwrap();
    let fence = world.begin("b").unwrap();
    let before = world.run.clone();
    let again = world.end(fence, &[receipt("test", Verdict::Fail, "boom", "1")]);
    assert_eq!(again, Err(Denied::Unchanged { fence }));
    assert_eq!(world.run, before);
}

#[test]
fn a_process_that_exited_failed_again_even_on_unchanged_files() {
    let mut world = World::toy();
    for unit in &mut world.definition.units {
        unit.closes = sprag_core::Closes::Exit;
    }
    for same in 1..=3 {
        world.fail("b", "boom", "1").unwrap();
        assert_eq!(world.run.failed()[&id("b")].same, same);
        assert!(world.run.attempts().is_empty(), "nothing continues after an exit");
    }
    assert!(matches!(world.begin("b"), Err(Denied::Held(Hold::NoProgress { .. }))));
}

#[test]
fn what_could_not_be_judged_holds_and_costs_nothing() {
    for verdict in [Verdict::Unknown, Verdict::Void] {
        let mut world = World::toy();
        world.fail("b", "boom", "1").unwrap();
        let fence = world.begin("b").unwrap();
        let used = world.used("retry");
        world.end(fence, &[receipt("test", verdict, "", "1")]).unwrap();
        let hold = world.run.attempts()[0].hold().cloned();
        assert!(matches!(&hold, Some(Hold::Unproven { gate, .. }) if gate.as_str() == "test"));
        assert_eq!(world.run.failed()[&id("b")].same, 1);
        let again = world.end(fence, &[receipt("test", verdict, "", "1")]);
        assert!(matches!(again, Err(Denied::Held(_))), "nothing is new");
        world.files("2");
        assert_eq!(world.used("retry"), used, "the same attempt goes on");
        world.end(fence, &[receipt("test", Verdict::Pass, "", "2")]).unwrap();
        assert!(world.run.position().0.contains(&id("b")));
    }
}

#[test]
fn a_failure_outweighs_not_knowing() {
    let mut world = World::toy();
    let fence = world.begin("a").unwrap();
    let unknown = receipt("test", Verdict::Unknown, "", "0");
    let fail = receipt("lint", Verdict::Fail, "style", "0");
    world.end(fence, &[unknown, fail]).unwrap();
    assert_eq!(world.run.failed()[&id("a")].receipt.gate, name("lint"));
}

#[test]
fn fail_then_pass_on_one_tree_is_flaky_and_not_charged() {
    let mut world = World::toy();
    world.fail("b", "boom", "1").unwrap();
    let fence = world.begin("b").unwrap();
    assert_eq!(world.used("retry"), 1);
    world.end(fence, &[receipt("test", Verdict::Pass, "", "1")]).unwrap();
    assert_eq!(world.told, ["gate.flaky", "attempt.ended"]);
    assert_eq!(world.used("retry"), 0);

    let mut world = World::toy();
    let fence = world.begin("d").unwrap();
    let both =
        [receipt("test", Verdict::Fail, "boom", "0"), receipt("test", Verdict::Pass, "", "0")];
    world.end(fence, &both).unwrap();
    assert!(world.told.contains(&"gate.flaky".to_owned()), "in one evaluation too");
    assert_eq!(world.used("rounds"), 0);
}

#[test]
fn a_pass_on_changed_files_is_not_flaky() {
    let mut world = World::toy();
    world.fail("b", "boom", "1").unwrap();
    let fence = world.begin("b").unwrap();
    world.files("2");
    world.end(fence, &[receipt("test", Verdict::Pass, "", "2")]).unwrap();
    assert_eq!(world.told, ["attempt.ended"]);
    assert_eq!(world.used("retry"), 1);
}

#[test]
fn a_waiver_lets_through_and_stays_a_waiver() {
    let mut world = World::toy();
    let fence = world.begin("b").unwrap();
    let waived = receipt("test", Verdict::Waived, "", "0");
    let signal =
        Signal::End { fence, word: Word::None, receipts: vec![waived], worth: Some(Worth::Proven) };
    world.facts.seq = world.facts.seq.next();
    let stepped =
        sprag_core::step::<crate::toy::Toy>(&world.definition, &world.run, &signal, &world.facts)
            .unwrap();
    assert!(stepped.run.position().0.contains(&id("b")));
    let Event::AttemptEnded(end) = &stepped.events[0] else { panic!("{:?}", stepped.events) };
    assert_eq!((end.how, &end.waived[..]), (EndedBy::Waived, &["test".to_owned()][..]));
}

#[test]
fn only_a_word_ends_what_closes_by_claim() {
    let mut world = World::toy();
    let fence = world.begin("e").unwrap();
    assert_eq!(world.end(fence, &[]), Err(Denied::Unclaimed { fence }));
    world.send(Signal::ReportDone { fence, session: session("s1") }).unwrap();
    world.end(fence, &[]).unwrap();
    assert!(world.run.position().0.contains(&id("e")));

    let mut world = World::toy();
    let fence = world.begin("e").unwrap();
    world.say(fence, Word::Done).unwrap();
    assert!(world.run.position().0.contains(&id("e")), "an ungated unit takes the word");
}

#[test]
fn an_agent_may_say_that_it_failed() {
    let mut world = World::toy();
    let fence = world.begin("e").unwrap();
    world.say(fence, Word::Failed { why: "no access".into() }).unwrap();
    let red = &world.run.failed()[&id("e")];
    assert_eq!((red.receipt.gate.as_str(), red.receipt.tail.as_str()), ("report", "no access"));
}

#[test]
fn a_question_holds_until_it_is_answered() {
    let mut world = World::toy();
    let fence = world.begin("b").unwrap();
    world.say(fence, Word::Question { what: "which port?".into() }).unwrap();
    let hold = Hold::Asked { what: "which port?".into() };
    assert_eq!(world.run.attempts()[0].hold(), Some(&hold));
    world.send(Signal::Answered { text: "8080".into() }).unwrap();
    assert_eq!(world.run.attempts()[0].hold(), None);
}

#[test]
fn a_person_is_asked_only_when_every_other_gate_lets_through() {
    let mut world = World::toy();
    let human = Check::Human { what: "ship it?".into() };
    let gates = &mut world.definition.units[1].gates;
    gates.insert(0, Gate { name: name("human"), check: human });
    let fence = world.begin("b").unwrap();
    assert_eq!(world.end(fence, &[]), Err(asks(&["test"])));
    let pass = receipt("test", Verdict::Pass, "", "0");
    world.end(fence, std::slice::from_ref(&pass)).unwrap();
    let hold = Hold::Asked { what: "ship it?".into() };
    assert_eq!(world.run.attempts()[0].hold(), Some(&hold));
    world.send(Signal::Answered { text: "yes".into() }).unwrap();
    world.end(fence, &[pass, receipt("human", Verdict::Pass, "", "0")]).unwrap();
    assert!(world.run.position().0.contains(&id("b")));
}

#[test]
fn a_stale_fence_is_refused() {
    let mut world = World::toy();
    let old = world.begin("b").unwrap();
    world.send(Signal::Lost { fence: old, ran: Ran::Yes, why: String::new() }).unwrap();
    let new = world.begin("b").unwrap();
    let pass = receipt("test", Verdict::Pass, "", "0");
    for fence in [old, Fence(Seq(77))] {
        let stale = Err(Denied::Stale { fence });
        assert_eq!(world.end(fence, std::slice::from_ref(&pass)), stale);
        assert_eq!(world.send(Signal::ReportDone { fence, session: session("s1") }), stale);
    }
    assert_eq!(world.run.attempts()[0].fence(), new);
}

#[test]
fn a_held_attempt_outlives_its_session() {
    let mut world = World::toy();
    let fence = world.begin("b").unwrap();
    let hold = Hold::NoProgress { what: "nothing changed".into() };
    world.send(Signal::Hold { fence, hold: hold.clone() }).unwrap();
    world.send(Signal::Lost { fence, ran: Ran::Yes, why: String::new() }).unwrap();
    assert_eq!(world.run.attempts()[0].hold(), Some(&hold), "it cannot let itself out");
    assert_eq!(world.run.attempts()[0].session(), None);
}

#[test]
fn an_attempt_whose_unit_is_gone_ends_without_a_verdict() {
    let mut world = World::toy();
    let fence = world.begin("d").unwrap();
    world.definition.units.retain(|unit| unit.id != id("d"));
    world.end(fence, &[]).unwrap();
    assert!(world.run.attempts().is_empty());
    assert!(world.run.position().0.is_empty());
    assert_eq!(world.used("rounds"), 0);
}

/// Ends an attempt of `b` whose gate passes with this worth.
fn passes(world: &mut World<Toy>, worth: impl Into<Option<Worth>>) -> Result<(), Denied> {
    let fence = world.begin("b")?;
    let receipts = vec![receipt("test", Verdict::Pass, "", "0")];
    world.send(Signal::End { fence, word: Word::Done, receipts, worth: worth.into() })
}

fn test_file() -> InputKeys {
    [InputKey::file("test_a.py"), InputKey::part("package.json", "scripts.test")].into()
}

#[test]
fn who_changed_what_judges_them_is_sent_back_and_that_costs_nothing() {
    let mut world = World::toy();
    let before = world.run.bounds().clone();
    passes(&mut world, Worth::SendBack(test_file())).unwrap();
    assert!(world.run.position().0.is_empty(), "the unit is not done");
    assert!(world.run.attempts().is_empty() && world.run.failed().is_empty());
    assert_eq!(world.run.bounds(), &before);
    assert_eq!(world.run.sent_back(&id("b")), Some(&test_file()));
    let sprag_core::Next::Units(units) = world.next() else { panic!("b can be tried again") };
    let unit = units.iter().find(|unit| unit.id == id("b")).unwrap();
    let said = sprag_core::prompt::sent_back(unit, &world.prompt(unit).sent_back);
    let names = "`test` passes, but you changed files it is judged by: package.json (scripts.test), \
                 test_a.py.\n";
    assert!(said.starts_with(names), "{said}");

    passes(&mut world, Worth::Doubted(test_file())).unwrap();
    assert!(world.run.position().0.contains(&id("b")), "done, and not proven");
    assert_eq!(world.run.sent_back(&id("b")), None);
    let Some(Event::AttemptEnded(ended)) = world.last.clone() else { panic!("it ended") };
    assert_eq!((ended.how, ended.doubted.len()), (EndedBy::Passed, 2));
}

#[test]
fn a_failure_stays_one_whatever_was_changed_and_a_protected_file_waits() {
    let mut world = World::toy();
    let fence = world.begin("b").unwrap();
    let receipts = vec![receipt("test", Verdict::Fail, "boom", "0")];
    let worth = Worth::SendBack(test_file());
    world.send(Signal::End { fence, word: Word::Done, receipts, worth: Some(worth) }).unwrap();
    assert_eq!(world.run.failed()[&id("b")].same, 1);
    assert_eq!(world.run.sent_back(&id("b")), None);

    let mut world = World::toy();
    passes(&mut world, Worth::Waits(test_file())).unwrap();
    let held = world.run.attempts()[0].hold().unwrap().to_string();
    assert!(held.contains("`test_a.py`"), "{held}");
}
