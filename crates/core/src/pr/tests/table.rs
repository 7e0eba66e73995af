//! The turn and the table, row by row.

use super::*;

fn action(known: &PullRecord) -> TurnAction {
    decide(&Metadata::Known(Box::new(known.clone())), Trust::Computed).action
}

#[test]
fn both_spellings_are_one_turn_and_the_one_found_is_kept() {
    assert_eq!(ReviewTurn::parse("AUTHOR"), ReviewTurn::parse("RESPONSE"));
    assert_eq!(ReviewTurn::Response.spelled(Some("AUTHOR")), "AUTHOR");
    assert_eq!(ReviewTurn::Response.spelled(Some("REVIEW")), "RESPONSE");
    assert_eq!(ReviewTurn::Response.spelled(None), "RESPONSE");
    for turn in ReviewTurn::ALL {
        assert_eq!(ReviewTurn::parse(turn.as_str()), Some(turn));
    }
    assert_eq!(ReviewTurn::parse("review"), None);
}

#[test]
fn a_check_is_judged_by_its_kind() {
    let context = |state: &str| CiCheck {
        typename: Some("StatusContext".into()),
        ..check("x", "COMPLETED", state)
    };
    for (made, light) in [
        (check("x", "IN_PROGRESS", ""), Light::Pending),
        (check("x", "QUEUED", ""), Light::Pending),
        (check("x", "WAITING", "SUCCESS"), Light::Pending),
        (check("x", "COMPLETED", "FAILURE"), Light::Failing),
        (check("x", "COMPLETED", "TIMED_OUT"), Light::Failing),
        (check("x", "COMPLETED", "NEW_WORD"), Light::Failing),
        (check("x", "COMPLETED", "CANCELLED"), Light::Good),
        (check("x", "COMPLETED", "SKIPPED"), Light::Good),
        (check("x", "", ""), Light::Good),
        (context("PENDING"), Light::Pending),
        (context("EXPECTED"), Light::Pending),
        (context("ERROR"), Light::Failing),
        (context("CANCELLED"), Light::Failing),
        (context("SUCCESS"), Light::Good),
    ] {
        assert_eq!(made.light(), light, "{made:?}");
    }
}

#[test]
fn required_checks_count_alone_where_there_are_any() {
    let required = CiCheck { required: Some(true), ..check("a", "COMPLETED", "SUCCESS") };
    let other = CiCheck { required: Some(false), ..check("b", "COMPLETED", "FAILURE") };
    let lights = Lights::of(&[required, other.clone()]);
    assert_eq!((lights.failing.len(), lights.advisory), (0, vec!["b".to_owned()]));
    assert_eq!(Lights::of(&[other]).failing, ["b"]);
}

#[test]
fn the_turn_follows_the_order() {
    let mut pull = known().pull;
    assert_eq!(compute(&pull).turn, ReviewTurn::Review, "nothing was reviewed");
    pull.review_count = 1;
    assert_eq!(compute(&pull).turn, ReviewTurn::Review, "all reviews are minimised");
    pull.reviews = vec![said("rev", "2026-01-01T10:00:00Z", "x")];
    assert_eq!(compute(&pull).turn, ReviewTurn::Response);
    pull.comments = vec![said("ann", "2026-01-01T09:59:59Z", "y")];
    assert_eq!(compute(&pull).turn, ReviewTurn::Response);
    pull.comments = vec![said("ann", "2026-01-01T10:00:00Z", "y")];
    assert_eq!(compute(&pull).turn, ReviewTurn::Review, "in the same second it is an answer");
    pull.comments[0].author = Some("ci[bot]".into());
    assert_eq!(compute(&pull).turn, ReviewTurn::Response, "a bot answers nothing");
    pull.comments[0].author = Some("rev".into());
    assert_eq!(compute(&pull).turn, ReviewTurn::Response, "nor does the reviewer");
    pull.reviews.push(Comment { at: None, ..said("rev", "", "draft") });
    assert_eq!(compute(&pull).turn, ReviewTurn::Response, "a draft was not said");
    pull.checks = vec![check("t", "COMPLETED", "FAILURE")];
    assert_eq!(compute(&pull).turn, ReviewTurn::CiReview);
    pull.checks.push(check("u", "QUEUED", ""));
    assert_eq!(compute(&pull).turn, ReviewTurn::CiPending, "what runs comes first");
    pull.checks.clear();
    pull.forge_head = Some("bbb".into());
    assert_eq!(compute(&pull).turn, ReviewTurn::CiPending, "checks of another commit say nothing");
}

#[test]
fn the_first_row_that_fits_wins() {
    let run = |part, agent: &str| (part, agent.to_owned());
    let ran = |known: &PullRecord| match action(known) {
        TurnAction::Run { part, agent, .. } => (part, agent),
        other @ (TurnAction::Wait { .. } | TurnAction::Stop(_) | TurnAction::Error(_)) => {
            panic!("{other:?}")
        }
    };
    let code = |known: &PullRecord| action(known).code();
    let review_loop = |change: fn(&mut LoopSection)| {
        let mut known = known();
        known.review_loop.iter_mut().for_each(change);
        known
    };
    assert_eq!(ran(&known()), run(TurnRole::Reviewer, "rev"));
    assert_eq!(code(&PullRecord { review_loop: None, ..known() }), Some("no_loop"));
    assert_eq!(code(&review_loop(|one| one.paused_at = Some("now".into()))), Some("paused"));
    assert_eq!(code(&review_loop(|one| one.active = false)), Some("completed"));
    assert_eq!(code(&PullRecord { approved: true, ..known() }), Some("approved"));
    assert_eq!(code(&review_loop(|one| one.round = 5)), Some("max_rounds"));
    assert_eq!(
        ran(&review_loop(|one| (one.round, one.max_rounds) = (99, 0))).0,
        TurnRole::Reviewer
    );
    assert_eq!(
        code(&review_loop(|one| (one.round, one.max_rounds) = (100, 0))),
        Some("max_rounds")
    );
    assert_eq!(code(&review_loop(|one| one.reviewer = None)), Some("no_agent"));
    assert_eq!(code(&PullRecord { turn: Some("SLEEP".into()), ..known() }), Some("invalid_turn"));
    assert_eq!(code(&PullRecord { turn: None, ..known() }), Some("invalid_turn"));
    let pending = |change: fn(&mut LoopSection)| PullRecord {
        turn: Some("CI-PENDING".into()),
        ..review_loop(change)
    };
    assert_eq!(action(&pending(|_| {})).as_str(), "wait");
    assert_eq!(
        ran(&pending(|one| one.ci_checker = Some("c".into()))),
        run(TurnRole::CiChecker, "c")
    );
    let failing = |change: fn(&mut LoopSection)| PullRecord {
        turn: Some("CI-REVIEW".into()),
        ..review_loop(change)
    };
    assert_eq!(code(&failing(|_| {})), Some("ci_failed"));
    assert_eq!(ran(&failing(|one| one.ci_fixer = Some("f".into()))), run(TurnRole::CiFixer, "f"));
    for (metadata, expected) in [
        (Metadata::Missing, "needs_fetch"),
        (Metadata::Failed { message: "x".into() }, "needs_fetch"),
        (Metadata::NoPr, "no_pr"),
    ] {
        assert_eq!(decide(&metadata, Trust::Computed).action.code(), Some(expected));
    }
}

#[test]
fn after_a_crash_the_forge_knows_better_than_the_file() {
    let mut known = known();
    known.pull.review_count = 1;
    known.pull.reviews = vec![said("rev", "2026-01-01T10:00:00Z", "x")];
    let metadata = Metadata::Known(Box::new(known));
    let part = |trust| match decide(&metadata, trust).action {
        TurnAction::Run { part, .. } => part,
        other @ (TurnAction::Wait { .. } | TurnAction::Stop(_) | TurnAction::Error(_)) => {
            panic!("{other:?}")
        }
    };
    assert_eq!(part(Trust::Computed), TurnRole::Developer);
    assert_eq!(part(Trust::Stored), TurnRole::Reviewer);
}

#[test]
fn a_look_replaces_only_what_the_forge_says() {
    let mut before = known();
    before.approved = true;
    before.level = Threshold::Critical;
    let same = Pull { title: Some("new".into()), ..before.pull.clone() };
    let after = merge(&before, same.clone());
    assert_eq!(after, PullRecord { pull: same, ..before.clone() });
    let moved = Pull { head: Some("bbb".into()), ..before.pull.clone() };
    assert!(!merge(&before, moved).approved, "an approval is true of one commit");
}
