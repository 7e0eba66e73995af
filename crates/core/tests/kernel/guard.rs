use sprag_core::guard::{Definition, Guard, Position, TASK, UNIT};
use sprag_core::{
    Denied, Effect, Fence, Hold, Machine, Next, Receipt, Reply, RunStatus, Signal, StopCounter,
    StopFacts, Time, Verdict, Vote, Word, life, merge, vote, waiting,
};

use crate::toy::{World, gate, receipt, session, tree};

/// A session under a guard, with the engine's behaviour at a stop.
struct Guarded {
    world: World<Guard>,
    desk: StopCounter,
}

impl Guarded {
    fn new(gates: &[&str], before: &[Receipt]) -> Self {
        let gates = gates.iter().map(|text| gate(text)).collect();
        let definition = Definition { gates, retry: Definition::RETRY, unit: UNIT, once: false };
        let mut world = World::new(definition, Position::new(tree("start"), before));
        world.files("start");
        world.send(Signal::Claimed { session: session("s1") }).unwrap();
        Self { world, desk: StopCounter::new(session("s1"), tree("start")) }
    }

    fn vote(&self) -> Vote {
        let World { definition, run, facts, .. } = &self.world;
        vote::<Guard>(definition, run, &self.desk, facts).unwrap()
    }

    fn begin(&mut self) -> Fence {
        let unit = UNIT;
        let begin = Signal::Begin { unit, agent: None, session: Some(session("s1")) };
        self.world.send(begin).unwrap();
        Fence(self.world.facts.seq)
    }

    /// Stops: the attempt ends (the first stop begins it), then the vote decides.
    fn stop(&mut self, receipts: &[Receipt]) -> Reply {
        let attempt = self.world.run.attempts().first().map(sprag_core::Attempt::fence);
        let fence = match (attempt, self.vote()) {
            (Some(fence), _) => Some(fence),
            (None, Vote::Refuse { .. }) => Some(self.begin()),
            (None, Vote::Silent | Vote::Yield { .. }) => None,
        };
        if let Some(fence) = fence {
            match self.world.end(fence, receipts) {
                Ok(()) | Err(Denied::Unchanged { .. } | Denied::Held(_)) => {}
                Err(other) => panic!("{other}"),
            }
        }
        let stop = StopFacts {
            cap: Some(8),
            limit: None,
            refusals: None,
            mark: self.world.facts.tree,
            now: self.world.facts.now,
        };
        let votes = [(Guard::RANK, self.vote())];
        let (desk, reply) = merge(&self.desk, &stop, &votes, |_, unit| self.world.prompt(unit));
        self.desk = desk;
        let live = self.world.run.attempts().first().map(sprag_core::Attempt::fence);
        match (&reply, live) {
            (Reply::Refused { .. }, None) => drop(self.begin()),
            (Reply::Stalled { hold, .. }, Some(fence)) => {
                self.world.send(Signal::Hold { fence, hold: hold.clone() }).unwrap();
            }
            (Reply::Refused { .. } | Reply::Allow { .. } | Reply::Stalled { .. }, _) => {}
        }
        reply
    }

    /// Changes the files to `on` and stops while `npm test` fails with `tail`.
    fn fail(&mut self, on: &str, tail: &str) -> Reply {
        self.world.files(on);
        self.stop(&[receipt("npm test", Verdict::Fail, tail, on)])
    }

    fn pass(&mut self, on: &str) -> Reply {
        self.world.files(on);
        self.stop(&[receipt("npm test", Verdict::Pass, "", on)])
    }

    fn life(&self) -> RunStatus {
        life::<Guard>(&self.world.definition, &self.world.run, &self.world.facts)
    }
}

fn message(reply: &Reply) -> &str {
    match reply {
        Reply::Refused { message } => message,
        Reply::Allow { .. } | Reply::Stalled { .. } => panic!("not refused: {reply:?}"),
    }
}

const ALLOW: Reply = Reply::Allow { why: Vec::new() };

#[test]
fn a_session_that_changed_nothing_is_free() {
    let mut guarded = Guarded::new(&["npm test"], &[]);
    assert_eq!(guarded.stop(&[]), ALLOW);
    assert_eq!(guarded.life(), RunStatus::Ready);
}

#[test]
fn three_retries_are_four_evaluations_and_then_a_hold() {
    let mut guarded = Guarded::new(&["npm test"], &[]);
    let tails = ["one", "two", "three"];
    for (number, tail) in (1..).zip(tails) {
        let reply = guarded.fail(tail, tail);
        let last = format!("Retry {number} of 3. Fix this, then stop again.");
        assert_eq!(message(&reply).lines().last(), Some(last.as_str()));
    }
    assert_eq!(guarded.fail("four", "four"), ALLOW);
    assert!(matches!(guarded.world.next(), Next::Held(Hold::Exhausted { used: 3, .. })));
    assert_eq!(guarded.life(), RunStatus::Held);
    assert_eq!(guarded.fail("five", "five"), ALLOW, "it stays held");

    guarded.world.send(Signal::Resume).unwrap();
    let reply = guarded.fail("six", "six");
    assert!(message(&reply).contains("Retry 1 of 3."), "a person's prompt starts it again");
}

#[test]
fn the_agent_hears_what_failed_and_what_to_do() {
    let mut guarded = Guarded::new(&["npm test"], &[]);
    guarded.fail("1", "first");
    guarded.world.facts.now = Time::from_millis(1_041_500);
    let reply = guarded.fail(
        "2",
        "\u{1b}[31m✗\u{1b}[0m test/csv.spec.ts › quotes commas: expected \"a,\"\"b\"\"\" got a,\"b\"\n\n",
    );
    assert_eq!(
        message(&reply),
        "Not finished: `npm test` exit 1 (41 s ago)\n  \
         ✗ test/csv.spec.ts › quotes commas: expected \"a,\"\"b\"\"\" got a,\"b\"\n\
         Retry 2 of 3. Fix this, then stop again."
    );
}

#[test]
fn a_pass_makes_it_ready_again_with_fresh_bounds() {
    let mut guarded = Guarded::new(&["npm test"], &[]);
    guarded.fail("1", "one");
    guarded.fail("2", "two");
    assert_eq!(guarded.world.used("retry"), 2);
    assert_eq!(guarded.pass("3"), ALLOW);
    assert_eq!(guarded.world.used("retry"), 0);
    assert_eq!(guarded.life(), RunStatus::Ready);
    assert_eq!(guarded.stop(&[]), ALLOW, "nothing changed since the pass");
    assert!(message(&guarded.fail("4", "four")).contains("Retry 1 of 3."));
}

#[test]
fn one_that_changes_nothing_is_held_after_two_refusals() {
    let mut guarded = Guarded::new(&["npm test"], &[]);
    let first = guarded.fail("1", "boom");
    let second = guarded.fail("1", "boom");
    assert_eq!(message(&first), message(&second));
    assert_eq!(guarded.world.used("retry"), 1, "a refusal on unchanged files is not a retry");
    assert!(matches!(guarded.fail("1", "boom"), Reply::Stalled { .. }));
    assert!(matches!(guarded.world.next(), Next::Held(Hold::NoProgress { .. })));
    assert_eq!(guarded.fail("1", "boom"), ALLOW);
}

#[test]
fn the_same_failure_three_times_holds() {
    let mut guarded = Guarded::new(&["npm test"], &[]);
    guarded.fail("1", "boom in 1 ms");
    guarded.fail("2", "boom in 2 ms");
    assert_eq!(guarded.fail("3", "boom in 3 ms"), ALLOW);
    assert!(matches!(guarded.world.next(), Next::Held(Hold::NoProgress { .. })));
}

#[test]
fn red_before_is_said_once_and_refuses_only_when_it_differs() {
    let before = [receipt("npm test", Verdict::Fail, "old in 5 ms", "start")];
    let mut guarded = Guarded::new(&["npm test"], &before);
    assert_eq!(guarded.fail("1", "old in 7 ms"), ALLOW);
    assert_eq!(guarded.fail("2", "old in 9 ms"), ALLOW);
    let text = "`npm test` failed in the same way before this session began.".to_owned();
    assert_eq!(guarded.world.run.outbox(), [Effect::Notify { text }]);
    assert!(message(&guarded.fail("3", "new")).contains("Retry 1 of 3."));
}

#[test]
fn red_before_of_other_files_says_nothing() {
    let before = [receipt("npm test", Verdict::Fail, "old", "elsewhere")];
    let mut guarded = Guarded::new(&["npm test"], &before);
    assert!(message(&guarded.fail("1", "old")).starts_with("Not finished"));
}

#[test]
fn red_before_of_one_gate_does_not_excuse_another() {
    let before = [receipt("npm test", Verdict::Fail, "old", "start")];
    let mut guarded = Guarded::new(&["npm test", "lint"], &before);
    guarded.world.files("1");
    let reply = guarded.stop(&[
        receipt("npm test", Verdict::Fail, "old", "1"),
        receipt("lint", Verdict::Fail, "old", "1"),
    ]);
    assert!(message(&reply).starts_with("Not finished: `lint`"));
}

#[test]
fn what_could_not_run_lets_the_session_go_and_waits_for_a_person() {
    let mut guarded = Guarded::new(&["npm test"], &[]);
    guarded.world.files("1");
    assert_eq!(guarded.stop(&[receipt("npm test", Verdict::Unknown, "", "1")]), ALLOW);
    assert!(matches!(guarded.world.next(), Next::Held(Hold::Unproven { .. })));
    assert_eq!(guarded.world.used("retry"), 0);
}

#[test]
fn taking_the_changes_back_frees_the_session() {
    let mut guarded = Guarded::new(&["npm test"], &[]);
    guarded.fail("1", "boom");
    guarded.world.files("start");
    assert_eq!(guarded.stop(&[]), ALLOW);
    assert!(guarded.world.run.attempts().is_empty());
    assert_eq!(guarded.world.used("retry"), 0);
}

#[test]
fn a_guard_needs_the_gates_and_no_verb() {
    let mut guarded = Guarded::new(&["npm test"], &[]);
    guarded.world.files("1");
    let fence = guarded.begin();
    assert!(matches!(guarded.world.say(fence, Word::Done), Err(Denied::Needs(_))));
    assert!(guarded.world.send(Signal::Verb { verb: "loop".into() }).is_err());
}

#[test]
fn an_agent_that_claims_is_not_let_out() {
    let mut guarded = Guarded::new(&["npm test"], &[]);
    message(&guarded.fail("one", "boom"));
    let fence = guarded.world.run.attempts()[0].fence();
    guarded.world.send(Signal::ReportDone { fence, session: session("s1") }).unwrap();
    assert!(message(&guarded.fail("one", "boom")).contains("boom"));
}

#[test]
fn a_check_that_passed_last_was_not_red_before() {
    let fail = receipt("npm test", Verdict::Fail, "boom", "start");
    let pass = receipt("npm test", Verdict::Pass, "", "start");
    let mut guarded = Guarded::new(&["npm test"], &[fail, pass]);
    message(&guarded.fail("one", "boom"));
}

#[test]
fn a_pass_in_between_is_no_going_back_and_forth() {
    let mut guarded = Guarded::new(&["npm test"], &[]);
    for round in ["first", "second"] {
        for on in ["a", "b"] {
            message(&guarded.fail(on, &format!("{round} {on} quotes")));
        }
        assert_eq!(guarded.pass(&format!("{round} pass")), ALLOW);
    }
}

#[test]
fn files_that_went_back_to_the_start_give_fresh_retries() {
    let mut guarded = Guarded::new(&["npm test"], &[]);
    message(&guarded.fail("one", "one"));
    message(&guarded.fail("two", "two"));
    guarded.world.files("start");
    assert_eq!(guarded.stop(&[]), ALLOW);
    assert!(message(&guarded.fail("three", "three")).contains("Retry 1 of 3."));
}

/// Returns a task with one gate that is paused during its attempt.
fn paused_task() -> (World<Guard>, Fence) {
    let gates = vec![gate("npm test")];
    let judged = Definition { gates, retry: 3, unit: UNIT, once: false }.once(TASK);
    let mut world = World::new(judged, Position::new(tree("none"), &[]));
    world.files("done");
    let fence = world.begin(TASK.as_str()).unwrap();
    let hold = Hold::Person { why: "later".to_owned() };
    world.send(Signal::Pause { hold }).unwrap();
    (world, fence)
}

#[test]
fn a_task_is_over_once_it_passed_though_a_person_paused_it_meanwhile() {
    let (mut world, fence) = paused_task();
    assert!(matches!(world.next(), Next::Held(Hold::Person { .. })));
    world.end(fence, &[receipt("npm test", Verdict::Pass, "", "done")]).unwrap();
    assert_eq!(world.next(), Next::Done);
    assert_eq!(waiting::<Guard>(&world.definition, &world.run, &world.facts), []);
    world.files("other");
    assert_eq!(world.next(), Next::Done, "no change of the files makes it ready again");
}
