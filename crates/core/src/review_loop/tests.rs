use proptest::prelude::*;

use super::*;
use crate::rules::{EndedUnit, RulePoint, Stored as _, UnitId, UnitInfo};

const CLEAN: &str = "VERDICT: pass";

fn question(kept: &Plain, result: Option<(&str, How, &str)>) -> Question {
    question_beside(kept, &[], result)
}

fn question_beside(kept: &Plain, files: &[&str], result: Option<(&str, How, &str)>) -> Question {
    let unit = UnitInfo {
        kind: Name::literal("execute-task"),
        id: UnitId::literal("M001/S01/T01"),
        prompt: "Do it.".into(),
        files: files.iter().map(|&file| file.to_owned()).collect(),
    };
    Question {
        at: RulePoint::After,
        derived: unit.clone(),
        unit,
        state: Plain::Null,
        kept: kept.clone(),
        cycle: 0,
        max: 5,
        result: result.map(|(kind, how, text)| EndedUnit {
            kind: Name::parse(kind).unwrap(),
            how,
            text: Some(text.to_owned()),
        }),
    }
}

/// A review driven step by step.
#[derive(Default)]
struct ReviewPlay {
    kept: Option<Plain>,
}

impl ReviewPlay {
    fn at(kept: Plain) -> Self {
        Self { kept: Some(kept) }
    }

    fn kept(&self) -> Plain {
        self.kept.clone().unwrap_or(Plain::Null)
    }

    fn hear(&mut self, result: Option<(&str, How, &str)>) -> Do {
        let answer = ReviewLoop::default().answer(&question(&self.kept(), result));
        self.kept = answer.keep.or(self.kept.take());
        answer.what
    }

    /// Returns the kind and cycle of the next unit, or any other answer.
    fn next(&mut self, result: Option<(&str, How, &str)>) -> String {
        match self.hear(result) {
            Do::Rework(wish) => {
                format!("{} {}", wish.kind.unwrap(), wish.cycle.unwrap_or_default())
            }
            Do::Pass => "pass".to_owned(),
            Do::Hold(hold) => format!("hold: {hold}"),
            other @ (Do::Change { .. } | Do::Replace { .. } | Do::Skip { .. }) => {
                panic!("{other:?}")
            }
        }
    }

    fn reviewed(&mut self, text: &str) -> String {
        self.next(Some((REVIEW, How::Passed, text)))
    }

    fn fixed(&mut self) -> String {
        self.next(Some((FIX, How::Passed, "")))
    }
}

fn begun() -> ReviewPlay {
    let mut story = ReviewPlay::default();
    assert_eq!(story.next(Some(("execute-task", How::Passed, ""))), "review-task 1");
    story
}

fn found(list: &[&str]) -> String {
    let items = list.iter().map(|text| format!("- [critical] {text}\n"));
    format!("VERDICT: issues\n{}", items.collect::<String>())
}

fn completed(story: &ReviewPlay) -> Plain {
    let Plain::Map(entries) = story.kept() else { panic!() };
    entries.into_iter().find(|(key, _)| key == "completedReviews").map_or(Plain::Null, |(_, v)| v)
}

fn done(cycles: u32, passed: bool) -> Plain {
    Plain::map([
        ("taskId", "T01".into()),
        ("cycles", cycles.into()),
        ("passed", Plain::Bool(passed)),
    ])
}

#[test]
fn a_clean_review_passes_and_is_noted() {
    let mut story = begun();
    assert_eq!(story.reviewed(CLEAN), "pass");
    assert_eq!(story.kept(), Plain::map([("completedReviews", Plain::List(vec![done(1, true)]))]));
    assert_eq!(story.next(None), "pass", "and stays so");
    assert!(!ReviewLoop::default().is_open(&story.kept()));
}

#[test]
fn the_example_of_the_proposal_goes_on_from_front_matter_alone() {
    let active = Plain::map([
        ("taskId", "T01".into()),
        ("cycle", 2u32.into()),
        ("status", "fixing".into()),
        ("lastReviewPath", "tasks/T01-CODE-REVIEW.md".into()),
    ]);
    let mut story = ReviewPlay::at(Plain::map([("activeReview", active)]));
    assert!(ReviewLoop::default().is_open(&story.kept()));
    let Do::Rework(wish) = story.hear(None) else { panic!() };
    assert_eq!((wish.kind.unwrap().as_str(), wish.cycle), ("fix-task", Some(2)));
    assert!(wish.prompt.contains("`tasks/T01-CODE-REVIEW.md`"), "{}", wish.prompt);
    assert_eq!(story.fixed(), "review-task 3");
    assert_eq!(story.reviewed(CLEAN), "pass");
    assert_eq!(completed(&story), Plain::List(vec![done(3, true)]));
}

#[test]
fn findings_are_fixed_and_reviewed_again() {
    let mut story = begun();
    assert_eq!(story.reviewed(&found(&["a.rs:1: one", "two", "three"])), "fix-task 1");
    let Do::Rework(wish) = story.hear(None) else { panic!() };
    assert!(
        wish.prompt.contains("1. [critical] a.rs:1: one\n2. [critical] two"),
        "{}",
        wish.prompt
    );
    assert_eq!(story.fixed(), "review-task 2");
    let Do::Rework(wish) = story.hear(None) else { panic!() };
    assert_eq!(wish.file.as_deref(), Some("CODE-REVIEW-2.md"));
    assert!(wish.prompt.contains("open since review 1: two"), "{}", wish.prompt);
    assert_eq!(story.reviewed(&found(&["four"])), "fix-task 2");
    assert_eq!(story.fixed(), "review-task 3");
    assert_eq!(story.reviewed(CLEAN), "pass");
    assert_eq!(completed(&story), Plain::List(vec![done(3, true)]));
}

#[test]
fn the_last_cycle_is_held_with_its_findings_and_is_no_pass() {
    let mut story = begun();
    for left in (2..=5).rev() {
        let list: Vec<_> = (0..left).map(|at| format!("w{left}{}", "x".repeat(at))).collect();
        let list: Vec<_> = list.iter().map(String::as_str).collect();
        let cycle = 6 - left;
        assert_eq!(story.reviewed(&found(&list)), format!("fix-task {cycle}"));
        assert_eq!(story.fixed(), format!("review-task {}", cycle + 1));
    }
    let held = story.reviewed(&found(&["b.rs:9: still"]));
    let text = "hold: gave up after 5 review rounds; open: b.rs:9: still";
    assert_eq!(held, text);
    assert_eq!(completed(&story), Plain::List(vec![done(5, false)]));
    assert_eq!(story.next(None), text, "it stays held");
    assert!(ReviewLoop::default().is_open(&story.kept()));
    let resumed = Some(("execute-task", How::Resumed, ""));
    assert_eq!(story.next(resumed), "fix-task 1", "a person gives five more");
}

#[test]
fn a_person_may_accept_what_is_held() {
    let mut story = begun();
    story.reviewed(&found(&["a"]));
    story.fixed();
    assert_eq!(
        story.reviewed(&found(&["a"])),
        "hold: no progress: review 2 only repeats: a; open: a"
    );
    assert_eq!(story.next(Some(("execute-task", How::Answered, "Accept."))), "pass");
    let Plain::List(list) = completed(&story) else { panic!() };
    let Plain::Map(entries) = &list[0] else { panic!() };
    assert_eq!(entries.last(), Some(&("accepted".to_owned(), Plain::Bool(true))));
}

#[test]
fn no_fewer_findings_for_three_rounds_stop_it_early() {
    let mut story = begun();
    for new in [["a", "b"], ["c", "d"], ["e", "f"]] {
        story.reviewed(&found(&new));
        story.fixed();
    }
    let held = story.reviewed(&found(&["g", "h"]));
    assert_eq!(held, "hold: no progress: the findings do not get fewer (2, 2, 2, 2); open: g; h");
}

#[test]
fn what_is_not_understood_is_asked_once_more_and_then_of_a_person() {
    let mut story = begun();
    assert_eq!(story.reviewed("Looks fine to me!"), "review-task 1");
    let Do::Rework(wish) = story.hear(None) else { panic!() };
    assert!(wish.prompt.contains("Your review was not understood"), "{}", wish.prompt);
    let held = story.reviewed("```\nVERDICT: pass\n```");
    assert!(held.starts_with("hold: asks: review 1 in `tasks/T01-CODE-REVIEW.md`"), "{held}");
    let answer = Some(("execute-task", How::Answered, "Look at the tests."));
    assert_eq!(story.next(answer), "review-task 1");
    assert_eq!(story.reviewed(CLEAN), "pass");
}

#[test]
fn a_refused_finding_is_the_reviewers_to_drop_and_a_persons_to_decide() {
    let mut story = begun();
    story.reviewed(&found(&["a.rs:1: one", "two"]));
    let Do::Rework(wish) = story.hear(None) else { panic!() };
    assert_eq!(wish.reply.as_deref(), Some("CODE-REVIEW-REPLY.md"));
    assert!(wish.prompt.contains("`tasks/T01-CODE-REVIEW-REPLY.md`"), "{}", wish.prompt);
    let refuses = "I did the first.\n- REFUSE 2: it is meant so\nREFUSE 9: none\nREFUSE 1:\n";
    let mut dropped = ReviewPlay::at(story.kept());
    assert_eq!(dropped.next(Some((FIX, How::Passed, refuses))), "review-task 2");
    let Do::Rework(wish) = dropped.hear(None) else { panic!() };
    assert!(wish.prompt.contains("- refused (it is meant so): two"), "{}", wish.prompt);
    assert!(wish.prompt.contains("- open since review 1: a.rs:1: one"), "{}", wish.prompt);
    let mut insisted = ReviewPlay::at(dropped.kept());
    assert_eq!(dropped.reviewed(CLEAN), "pass");
    let Plain::List(list) = completed(&dropped) else { panic!() };
    let Plain::Map(entries) = &list[0] else { panic!() };
    assert!(entries.contains(&("refused".to_owned(), Plain::Int(1))), "and that is written down");
    let held =
        "hold: asks: the fixer refused what review 2 finds again: two (refused: it is meant so)";
    assert_eq!(insisted.reviewed(&found(&["two"])), held, "neither wins alone");
    let resumed = Some(("execute-task", How::Resumed, ""));
    assert_eq!(insisted.next(resumed), "fix-task 2");
    let Do::Rework(wish) = insisted.hear(None) else { panic!() };
    assert!(wish.prompt.contains("1. [critical] two"), "it is open again: {}", wish.prompt);
}

/// Removing the block from the front matter does not bypass the review.
#[test]
fn a_review_whose_state_was_taken_away_goes_on_from_what_was_counted() {
    let hear = |kind: &str, how: How, text: &str| {
        let asked = Question { cycle: 2, ..question(&Plain::Null, Some((kind, how, text))) };
        let mut story = ReviewPlay { kept: ReviewLoop::default().answer(&asked).keep };
        story.next(None)
    };
    assert_eq!(hear(REVIEW, How::Passed, &found(&["a"])), "fix-task 2");
    assert_eq!(hear(REVIEW, How::Lost, ""), "review-task 2");
    assert_eq!(hear(FIX, How::Passed, ""), "review-task 3");
    assert_eq!(hear("execute-task", How::Resumed, ""), "review-task 1");
    assert_eq!(ReviewPlay::default().next(None), "pass", "nothing was ever begun");
}

#[test]
fn an_old_review_is_never_read_for_a_new_one() {
    let file = |kept: &Plain, files: &[&str], result| {
        let answer = ReviewLoop::default().answer(&question_beside(kept, files, result));
        let Do::Rework(wish) = answer.what else { panic!("{answer:?}") };
        (answer.keep.unwrap_or(Plain::Null), wish.file)
    };
    let named = |name: &str| Some(name.to_owned());
    let trigger = Some(("execute-task", How::Passed, ""));
    let old = ["CODE-REVIEW.md", "CODE-REVIEW-2.md"];
    let (kept, wanted) = file(&Plain::Null, &old, trigger);
    assert_eq!(wanted, named("CODE-REVIEW-3.md"), "the task was done again");
    let now = ["CODE-REVIEW.md", "CODE-REVIEW-2.md", "CODE-REVIEW-3.md"];
    assert_eq!(file(&kept, &now, None).1, named("CODE-REVIEW-3.md"), "it stays the same file");
    let unclear = Some((REVIEW, How::Passed, "Hm."));
    let (kept, wanted) = file(&kept, &now, unclear);
    assert_eq!(wanted, named("CODE-REVIEW-4.md"), "what was not understood is written anew");
    let issues = found(&["a"]);
    let (kept, _) = file(&kept, &now, Some((REVIEW, How::Passed, &issues)));
    let (_, wanted) = file(&kept, &now, Some((FIX, How::Passed, "")));
    assert_eq!(wanted, named("CODE-REVIEW-4.md"), "no agent has written that yet");
}

#[test]
fn what_is_lost_or_fails_is_done_again_a_few_times() {
    let mut story = begun();
    assert_eq!(story.next(Some((REVIEW, How::Lost, ""))), "review-task 1");
    assert!(story.next(Some((REVIEW, How::Lost, ""))).starts_with("hold: no progress"));
    let mut story = begun();
    story.reviewed(&found(&["a"]));
    for _ in 0..2 {
        assert_eq!(story.next(Some((FIX, How::Failed, ""))), "fix-task 1");
    }
    assert!(story.next(Some((FIX, How::Lost, ""))).contains("failed three times"));
}

#[test]
fn a_review_that_does_not_count_twice_is_a_question_which_a_person_answers() {
    let mut story = begun();
    assert_eq!(story.next(Some((REVIEW, How::Failed, ""))), "review-task 1");
    let held = story.next(Some((REVIEW, How::Failed, "")));
    assert!(held.starts_with("hold: asks: review 1 does not count, twice"), "{held}");
    assert_eq!(story.next(None), held, "it is kept");
    let mut resumed = ReviewPlay::at(story.kept());
    assert_eq!(resumed.next(Some(("execute-task", How::Resumed, ""))), "review-task 1");
    assert_eq!(story.next(Some(("execute-task", How::Answered, "approve"))), "pass");
}

#[test]
fn what_cannot_be_read_is_held_and_not_taken_for_nothing() {
    for kept in [
        Plain::from("text"),
        Plain::map([("activeReview", Plain::map([("taskId", "T01".into())]))]),
        Plain::map([("activeReview", Active::new("T02").lower())]),
    ] {
        let mut story = ReviewPlay::at(kept.clone());
        let said = story.next(Some(("execute-task", How::Passed, "")));
        assert!(said.starts_with("hold: `review-loop` is not proven"), "{said}");
        assert_eq!(story.kept(), kept, "and nothing is written over it");
        assert!(ReviewLoop::default().is_open(&kept));
    }
}

#[test]
fn keys_of_others_stay() {
    let kept = Plain::map([("later", Plain::Int(1))]);
    let mut story = ReviewPlay::at(kept);
    story.next(Some(("execute-task", How::Passed, "")));
    story.reviewed(CLEAN);
    let Plain::Map(entries) = story.kept() else { panic!() };
    assert!(entries.contains(&("later".to_owned(), Plain::Int(1))));
}

/// It is a rule like any other: it uses the interface of rules, and the ledger that all reviews
/// share.
#[test]
fn it_uses_nothing_but_the_interface_of_rules() {
    for text in [include_str!("mod.rs"), include_str!("state.rs"), include_str!("words.rs")] {
        let inside = text.split("crate::").skip(1);
        for place in inside {
            let allowed = place.starts_with("rules::") || place.starts_with("review::");
            assert!(allowed, "crate::{}", place.lines().next().unwrap_or_default());
        }
        for line in text.lines().filter(|line| line.starts_with("use ")) {
            let known = ["use crate::", "use super::state::", "use state::"];
            assert!(known.iter().any(|start| line.starts_with(start)), "{line}");
        }
    }
}

proptest! {
    /// Whatever reviewers, fixers and crashes do, a review ends within its bound: passed, or held.
    #[test]
    fn every_review_ends(steps in prop::collection::vec((0u8..8, 0u8..4), 60)) {
        let mut story = begun();
        let mut dispatched = 1;
        let mut last = 1;
        for (what, many) in steps {
            let list: Vec<_> = (0..many).map(|at| format!("{what}{}", "i".repeat(at.into()))).collect();
            let list: Vec<_> = list.iter().map(String::as_str).collect();
            let text = if many == 0 { CLEAN.to_owned() } else { found(&list) };
            let how = match what { 0 => How::Lost, 1 => How::Failed, _ => How::Passed };
            let ReviewState { active, .. } = ReviewState::read(&story.kept()).unwrap();
            let Some(active) = active else { break };
            prop_assert!(active.cycle >= last && active.cycle <= 5, "cycles only grow");
            last = active.cycle;
            let kind = match active.status { ReviewStatus::Reviewing => REVIEW, ReviewStatus::Fixing => FIX };
            story.next(Some((kind, how, &text)));
            dispatched += 1;
            // Two reviews and three fixes in each of five cycles.
            prop_assert!(dispatched <= 25);
        }
    }
}
