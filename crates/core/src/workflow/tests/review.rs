//! The review of a phase in the kernel: all of its ends, and that it always ends.

use proptest::prelude::*;

use super::phase;
use crate::workflow::{Definition, OrderEntry, Position, Review, ReviewStep, Started, Workflow};
use crate::{
    Denied, Event, Facts, Fence, Hash, Hold, Next, Plain, Prompt, Receipt, Run, RunId, Seq,
    SessionId, Signal, Stored, Time, Unit, Verdict, Word, next, prompt, step,
};

/// A run of `build`, which is reviewed, and `ship`, which is not.
struct ReviewedWorkflow {
    started: Started,
    run: Run<Position>,
    seq: u64,
    tree: u32,
    events: Vec<Event>,
}

impl ReviewedWorkflow {
    fn new(max_rounds: u32, level: &str) -> Self {
        let mut build = phase("!Build");
        if let OrderEntry::Phase(phase) = &mut build {
            let (max_rounds, level) = (Some(max_rounds), Some(level.to_owned()));
            phase.review = Some(Review { reviewer: "codex".to_owned(), max_rounds, level });
        }
        let phases = vec![build, phase("!Ship")];
        let definition = Definition { name: "Dev".to_owned(), phases, ..Definition::default() };
        let (task_id, task) = ("wf-1".to_owned(), "the task".to_owned());
        let definitions = [("dev".to_owned(), definition)].into_iter().collect();
        let started = Started { definitions, key: "dev".to_owned(), task_id, task };
        let id = RunId::parse("r-7k2m").unwrap();
        let run = Run::new::<Workflow>(id, &started, started.begin());
        Self { started, run, seq: 0, tree: 0, events: Vec::new() }
    }

    fn facts(&self) -> Facts {
        let now = Time::from_millis(i64::try_from(self.seq).unwrap());
        Facts::new(now, Seq(self.seq), Hash::of(self.tree.to_be_bytes()))
    }

    fn next(&self) -> Next {
        next::<Workflow>(&self.started, &self.run, &self.facts())
    }

    fn unit(&self) -> Unit {
        match self.next() {
            Next::Units(units) => units.into_iter().next().unwrap(),
            other @ (Next::Wait { .. }
            | Next::Held(_)
            | Next::Done
            | Next::Cancelled
            | Next::Ask(_)) => panic!("{other:?}"),
        }
    }

    fn prompt(&self) -> Prompt {
        prompt::<Workflow>(&self.started, &self.run, &self.unit(), &self.facts())
    }

    fn hold(&self) -> String {
        match self.next() {
            Next::Held(hold) => hold.to_string(),
            other @ (Next::Wait { .. }
            | Next::Units(_)
            | Next::Done
            | Next::Cancelled
            | Next::Ask(_)) => panic!("{other:?}"),
        }
    }

    fn take(&mut self, signal: &Signal) -> Result<(), Denied> {
        let stepped = step::<Workflow>(&self.started, &self.run, signal, &self.facts())?;
        self.run = stepped.run;
        self.events.extend(stepped.events);
        // The run survives a round trip.
        assert_eq!(Run::<Position>::lift(&self.run.lower()).unwrap(), self.run);
        Ok(())
    }

    fn begin(&mut self) -> Unit {
        self.seq += 1;
        let unit = self.unit();
        let begin = Signal::Begin { unit: unit.id.clone(), agent: None, session: None };
        self.take(&begin).unwrap();
        unit
    }

    fn end(&mut self, unit: &Unit, verdict: Verdict, said: &str) {
        let fence = self.run.attempts()[0].fence();
        let facts = self.facts();
        let receipt = |gate: &crate::Gate| Receipt {
            gate: gate.name.clone(),
            verdict,
            exit: None,
            why: String::new(),
            tail: self.seq.to_string(),
            tree: facts.tree,
            at: facts.now,
            doubt: None,
        };
        let receipts = unit.gates.iter().map(receipt).collect();
        let word = Word::Said { text: said.to_owned() };
        self.take(&Signal::End { fence, word, receipts, worth: Some(crate::basis::Worth::Proven) })
            .unwrap();
    }

    /// An agent works on the current unit and changes files, and the gates pass.
    fn works(&mut self, id: &str, said: &str) {
        let unit = self.begin();
        assert_eq!(unit.id.as_str(), id);
        self.tree += 1;
        self.end(&unit, Verdict::Pass, said);
    }

    /// A reviewer reviews and changes nothing.
    fn reviews(&mut self, round: u32, said: &str) {
        let unit = self.begin();
        assert_eq!(unit.id.as_str(), format!("dev/build review {round}"));
        assert_eq!(unit.role.as_ref().map(crate::Role::as_str), Some("reviewer"));
        self.end(&unit, Verdict::Pass, said);
    }

    fn verdicts(&self) -> Vec<String> {
        let verdict = |event: &Event| {
            let Event::ReviewEnded(ended) = event else { return None };
            Some(ended.verdict.as_str().to_owned())
        };
        self.events.iter().filter_map(verdict).collect()
    }
}

const PASS: &str = "Looked at it all.\n\nVERDICT: pass";

fn issues(problems: &[&str]) -> String {
    let lines: Vec<_> =
        problems.iter().map(|one| format!("- [important] src/a.rs:3: {one}")).collect();
    format!("VERDICT: issues\n{}", lines.join("\n"))
}

#[test]
fn a_phase_is_left_when_its_review_is_clean() {
    let mut world = ReviewedWorkflow::new(5, "important");
    world.works("dev/build", "done");
    assert_eq!(world.unit().id.as_str(), "dev/build review 1");
    world.reviews(1, &issues(&["off by one", "no test"]));
    let text = world.prompt().text;
    assert!(text.contains("1. - open [important] src/a.rs:3: off by one"), "{text}");
    assert_eq!(world.unit().gates.len(), 1, "what a fix breaks is not left broken");
    world.works("dev/build fix 1", "- REFUSE 2: there is one\n");
    let text = world.prompt().text;
    assert!(text.contains("- refused (there is one) [important]"), "{text}");
    world.reviews(2, PASS);
    assert_eq!(world.unit().id.as_str(), "dev/ship");
    assert_eq!(world.run.position().review, None);
    assert_eq!(world.verdicts(), ["issues", "pass"]);
}

#[test]
fn what_lies_below_the_level_does_not_keep_it_alive() {
    let mut world = ReviewedWorkflow::new(5, "critical");
    world.works("dev/build", "");
    world.reviews(1, &issues(&["a matter of taste"]));
    assert_eq!(world.unit().id.as_str(), "dev/ship");
    let mut world = ReviewedWorkflow::new(5, "all");
    world.works("dev/build", "");
    world.reviews(1, "VERDICT: pass\n- [minor] typo");
    assert_eq!(world.unit().id.as_str(), "dev/build fix 1", "a word does not outweigh a finding");
}

#[test]
fn rounds_are_used_up_and_a_person_gives_more_or_accepts() {
    let mut world = ReviewedWorkflow::new(2, "important");
    world.works("dev/build", "");
    world.reviews(1, &issues(&["a", "b"]));
    world.works("dev/build fix 1", "");
    world.reviews(2, &issues(&["c"]));
    assert_eq!(world.hold(), "gave up after 2 review rounds");
    world.take(&Signal::Resume).unwrap();
    world.works("dev/build fix 1", "");
    world.reviews(2, &issues(&["d"]));
    assert_eq!(world.hold(), "gave up after 2 review rounds");
    world.take(&Signal::Answered { text: "approve".to_owned() }).unwrap();
    assert_eq!(world.unit().id.as_str(), "dev/ship");
    assert_eq!(world.verdicts(), ["issues", "exhausted", "exhausted", "accepted"]);
}

#[test]
fn a_review_in_circles_is_held() {
    let mut world = ReviewedWorkflow::new(9, "important");
    world.works("dev/build", "");
    world.reviews(1, &issues(&["a"]));
    world.works("dev/build fix 1", "");
    world.reviews(2, &issues(&["a"]));
    assert!(world.hold().starts_with("no progress: the review only repeats:"), "{}", world.hold());

    let mut world = ReviewedWorkflow::new(9, "important");
    world.works("dev/build", "");
    for (round, found) in (1..).zip(["a", "b", "c"]) {
        world.reviews(round, &issues(&[found]));
        world.works(&format!("dev/build fix {round}"), "");
    }
    world.reviews(4, &issues(&["d"]));
    assert!(world.hold().contains("do not get fewer (1, 1, 1, 1)"), "{}", world.hold());
}

#[test]
fn an_answer_that_is_none_is_asked_for_once_more() {
    let mut world = ReviewedWorkflow::new(5, "important");
    world.works("dev/build", "");
    world.reviews(1, "Looks fine to me!");
    let again = world.prompt();
    assert!(again.text.contains("The last review does not count: there is no line `VERDICT"));
    world.reviews(1, "```\nVERDICT: pass\n```");
    assert!(
        world.hold().contains("not proven: review 1 does not count, twice:"),
        "{}",
        world.hold()
    );
    world.take(&Signal::Resume).unwrap();
    world.reviews(1, PASS);
    assert_eq!(world.unit().id.as_str(), "dev/ship");
    assert_eq!(world.verdicts(), ["unclear", "unclear", "pass"]);
}

#[test]
fn a_reviewer_who_changes_files_has_not_reviewed() {
    let mut world = ReviewedWorkflow::new(5, "important");
    world.works("dev/build", "");
    for _ in 0..2 {
        let unit = world.begin();
        world.tree += 1;
        world.end(&unit, Verdict::Pass, PASS);
        if world.run.position().review.as_ref().is_some_and(|one| one.held.is_none()) {
            // The gate results were for other files.
            world.works("dev/build", "");
        }
    }
    let hold = "`review` is not proven: review 1 does not count, twice: the reviewer changed files";
    assert_eq!(world.hold(), hold);
    assert_eq!(world.verdicts(), ["changed files", "changed files"]);
}

#[test]
fn files_that_changed_since_the_gates_passed_are_proven_first() {
    let mut world = ReviewedWorkflow::new(5, "important");
    world.works("dev/build", "");
    world.tree += 1;
    world.works("dev/build", "");
    world.reviews(1, PASS);
    assert_eq!(world.unit().id.as_str(), "dev/ship");

    let mut world = ReviewedWorkflow::new(5, "important");
    world.works("dev/build", "");
    for _ in 0..4 {
        world.tree += 1;
        world.works("dev/build", "");
    }
    assert!(world.hold().contains("files keep changing"), "{}", world.hold());
}

#[test]
fn what_is_not_dealt_with_is_not_reviewed_again() {
    let mut world = ReviewedWorkflow::new(5, "important");
    world.works("dev/build", "");
    world.reviews(1, &issues(&["a"]));
    let fix = world.begin();
    world.end(&fix, Verdict::Pass, "I think it is fine.");
    assert_eq!(
        world.hold(),
        "no progress: the findings were neither dealt with nor refused",
        "the same files"
    );
    world.take(&Signal::Resume).unwrap();
    let fix = world.begin();
    world.end(&fix, Verdict::Pass, "REFUSE 1: it is meant so");
    world.reviews(2, &issues(&["a"]));
    assert_eq!(
        world.hold(),
        "asks: a refused finding came again: src/a.rs:3: a (refused: it is meant so)"
    );
    world.take(&Signal::Resume).unwrap();
    assert!(world.prompt().text.contains("1. - open [important] src/a.rs:3: a"), "a person sided");
}

#[test]
fn a_fix_has_its_own_retries_and_a_gate_that_fails_stops_it() {
    let mut world = ReviewedWorkflow::new(5, "important");
    world.works("dev/build", "");
    world.reviews(1, &issues(&["a"]));
    for failed in 1..=3 {
        let shown = world.prompt();
        let fix = world.begin();
        assert_eq!(fix.id.as_str(), "dev/build fix 1");
        assert_eq!(shown.evidence.is_some(), failed > 1, "the next one sees what failed");
        world.tree += 1;
        world.end(&fix, Verdict::Fail, "");
    }
    assert_eq!(world.hold(), "no progress: `Build` failed 3 times in the same way");
}

#[test]
fn only_a_word_ends_a_review_and_going_back_forgets_it() {
    let mut world = ReviewedWorkflow::new(5, "important");
    world.works("dev/build", "");
    let unit = world.begin();
    let fence = Fence(Seq(world.seq));
    let silent = Signal::End {
        fence,
        word: Word::None,
        receipts: Vec::new(),
        worth: Some(crate::basis::Worth::Proven),
    };
    assert_eq!(world.take(&silent), Err(Denied::Unclaimed { fence }));
    let other = Signal::Attach { fence, session: SessionId::parse("s1").unwrap() };
    world.take(&other).unwrap();
    world.end(&unit, Verdict::Pass, &issues(&["a"]));
    world.take(&Signal::Verb { verb: "loop".to_owned() }).unwrap();
    assert_eq!(world.unit().id.as_str(), "dev/build");
    assert_eq!(world.run.position().review, None);
}

#[test]
fn a_position_without_a_review_is_written_as_ever() {
    let world = ReviewedWorkflow::new(5, "important");
    let Plain::Map(entries) = world.run.position().lower() else { panic!() };
    let keys: Vec<_> = entries.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["path", "steps", "done"]);
}

#[test]
fn what_is_kept_of_a_review_is_small_whatever_was_found() {
    let mut world = ReviewedWorkflow::new(9, "important");
    world.works("dev/build", "");
    let long = "x".repeat(3000);
    for round in 1..=3 {
        let problem = |at: u32| "abc".repeat(round as usize) + &"d".repeat(at as usize);
        let list: Vec<_> = (0..60).map(|at| format!("{} {long}", problem(at))).collect();
        let list: Vec<_> = list.iter().map(String::as_str).collect();
        world.reviews(round, &issues(&list));
        world.works(&format!("dev/build fix {round}"), &format!("REFUSE 1: {long}"));
    }
    let stand = world.run.position().review.as_deref().unwrap();
    assert_eq!(stand.ledger.counts(), [40, 40, 40]);
    assert!(format!("{:?}", stand.lower()).len() < 120_000);
    assert!(world.prompt().text.chars().count() < 22_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn every_review_ends(
        max in 0u32..7,
        chances in prop::collection::vec((0u8..8, "[a-e]{1,2}", 1usize..5), 100),
    ) {
        let mut world = ReviewedWorkflow::new(max, "important");
        let (mut left, mut reviews) = (false, 0u32);
        for (chance, text, many) in chances {
            if let Next::Held(_) = world.next() {
                break;
            }
            let unit = world.begin();
            if unit.id.as_str() == "dev/ship" {
                left = true;
                break;
            }
            let is_review = unit.role.is_some();
            reviews += u32::from(is_review);
            let list: Vec<_> = (0..many).map(|at| format!("{text} {}", "y".repeat(at))).collect();
            let list: Vec<_> = list.iter().map(String::as_str).collect();
            let said = match chance {
                0 => PASS.to_owned(),
                1 => text.clone(),
                2 => format!("REFUSE 1: {text}"),
                _ => issues(&list),
            };
            world.tree += u32::from(!is_review || chance == 7);
            let verdict = if chance == 6 { Verdict::Fail } else { Verdict::Pass };
            world.end(&unit, verdict, &said);
            // A phase is never left before a review passes.
            let stand = world.run.position().review.as_deref();
            prop_assert!(stand.is_some() || reviews == 0 || world.verdicts().contains(&"pass".to_owned()));
            if let Some(stand) = stand.filter(|stand| stand.held.is_none()) {
                prop_assert!(stand.ledger.round() < max.max(1), "{:?}", stand.stage);
                prop_assert!(stand.stage == ReviewStep::Review || stand.ledger.round() > 0);
            }
        }
        let is_held = matches!(world.next(), Next::Held(Hold::Asked { .. } | Hold::Unproven { .. } | Hold::RoundsOver { .. } | Hold::NoProgress { .. }));
        prop_assert!(left || is_held, "100 steps are more than any review has");
    }
}
