use proptest::prelude::*;

use super::*;
use crate::plan::{LoopKind, Round};
use crate::{Stored, Time};

fn going() -> LoopState {
    LoopState { active: true, kind: LoopKind::Execute, iteration: 2, ..LoopState::default() }
}

/// The valid state after a turn, whether the agent claims the end, and the restored fields.
struct WeighedTurn {
    state: LoopState,
    is_claimed: bool,
    put_back: Vec<String>,
}

fn weighed(before: &LoopState, now: &LoopState, turn: TurnOrigin) -> WeighedTurn {
    let kept = |state: &LoopState| LoopBaseline { state: state.clone(), beside: Beside::default() };
    let (before, now) = (kept(before), kept(now));
    let Weighed { kept, is_claimed } = weigh(&before, &now, turn);
    let put_back = put_back(&before, &now, &kept);
    WeighedTurn { state: kept.state, is_claimed, put_back }
}

#[test]
fn an_end_in_the_document_is_a_claim_and_put_back() {
    for (set, shown) in [
        (LoopState { active: false, ..going() }, vec!["active: false"]),
        (
            LoopState { active: false, completed: true, ..going() },
            vec!["active: false", "completed: true"],
        ),
    ] {
        for turn in [TurnOrigin::Session, TurnOrigin::Driven] {
            let found = weighed(&going(), &set, turn);
            assert_eq!(found.state, going());
            assert_eq!(found.put_back, shown);
            assert!(found.is_claimed);
        }
    }
}

#[test]
fn counters_are_put_back_and_claim_nothing() {
    let set = LoopState {
        iteration: 20,
        kind: LoopKind::Verify,
        session_id: Some("another".to_owned()),
        last_error: Some("no disk".to_owned()),
        ..going()
    };
    let found = weighed(&going(), &set, TurnOrigin::Session);
    let stays = LoopState { last_error: Some("no disk".to_owned()), ..going() };
    assert_eq!(found.state, stays);
    assert_eq!(found.put_back, ["type: verify", "iteration: 20", "session_id: another"]);
    assert!(!found.is_claimed);
}

#[test]
fn what_an_agent_begins_in_its_session_counts_and_not_in_a_driven_turn() {
    let idle = LoopState::default();
    assert_eq!(weighed(&idle, &going(), TurnOrigin::Session).state, going());
    assert_eq!(weighed(&idle, &going(), TurnOrigin::Driven).state, idle);
    let over = LoopState { active: false, completed: true, ..going() };
    assert_eq!(weighed(&over, &going(), TurnOrigin::Session).state, going());
    let paused = LoopState { active: false, paused: true, ..going() };
    assert_eq!(weighed(&paused, &going(), TurnOrigin::Session).put_back, [""; 0]);
    assert_eq!(
        weighed(&going(), &paused, TurnOrigin::Session).put_back,
        ["active: false", "paused: true"]
    );
}

#[test]
fn no_agent_pauses_a_driven_loop() {
    let paused = LoopState { paused: true, ..going() };
    let found = weighed(&going(), &paused, TurnOrigin::Driven);
    assert_eq!((found.state, found.put_back), (going(), vec!["paused: true".to_owned()]));
}

#[test]
fn nobody_answers_their_own_question() {
    let asked = LoopState { awaiting: Some(Awaiting::Checkpoint), ..going() };
    let found = weighed(&asked, &going(), TurnOrigin::Session);
    assert_eq!(found.state, asked);
    assert_eq!(found.put_back, ["awaiting: null"]);
}

#[test]
fn the_lists_of_phases_are_put_back() {
    let before = LoopBaseline { state: going(), beside: Beside::default() };
    let mut now = before.clone();
    now.beside.task = Some("7/7".to_owned());
    now.beside.complete = vec!["1".to_owned(), "2".to_owned()];
    let found = weigh(&before, &now, TurnOrigin::Driven);
    assert_eq!(found.kept, before);
    let named = put_back(&before, &now, &found.kept);
    assert_eq!(named, ["task: 7/7", "phases_complete: [1, 2]"]);
    assert_eq!(put_back(&before, &now, &now), [""; 0], "what gates confirmed stands");
}

fn any_state() -> impl Strategy<Value = LoopState> {
    let flags = prop::array::uniform3(any::<bool>());
    let counts = prop::array::uniform3(0u32..4);
    let kind = prop_oneof![Just("execute"), Just("verify"), Just("")];
    let text = prop::option::of(prop_oneof![Just("1".to_owned()), Just("2".to_owned())]);
    let awaiting = prop_oneof![
        Just(None),
        Just(Some(Awaiting::User)),
        Just(Some(Awaiting::Checkpoint)),
        Just(Some(Awaiting::RateLimit)),
    ];
    let texts = prop::array::uniform4(text);
    let more = (awaiting, 0usize..3, prop::option::of(0i64..2));
    (flags, counts, kind, texts, more).prop_map(|(flags, counts, kind, texts, more)| {
        let [active, paused, completed] = flags;
        let [iteration, max_iterations, gaps_remaining] = counts;
        let [phase, session_id, last_error, started] = texts;
        let (awaiting, rounds, at) = more;
        let round = Round { iteration, kind: None, result: "passed".into(), gaps: vec![] };
        LoopState {
            active,
            kind: LoopKind::parse(kind),
            phase,
            iteration,
            max_iterations,
            task_retries: [("T01".to_owned(), iteration)].into(),
            gaps_remaining,
            started,
            paused,
            history: vec![round; rounds],
            last_error,
            completed,
            session_id,
            awaiting,
            resume_after: at.map(Time::from_millis),
            ..LoopState::default()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Law 11: after a turn a verdict is what it was before, or stricter.
    #[test]
    fn verdicts_after_a_turn_are_those_before_it(
        before in any_state(),
        now in any_state(),
        is_driven: bool,
    ) {
        let turn = if is_driven { TurnOrigin::Driven } else { TurnOrigin::Session };
        let WeighedTurn { state, is_claimed, put_back } = weighed(&before, &now, turn);
        prop_assume!(is_driven || is_begun(&before));
        for field in Field::ALL {
            let same = field.is_same(&state, &before);
            match field.kind() {
                FieldKind::Theirs => prop_assert!(field.is_same(&state, &now)),
                FieldKind::Claim | FieldKind::Verdict => {
                    prop_assert!(same || field.is_stricter(&before, &now, turn), "{:?}", field);
                    let (key, value) = field.shown(&now);
                    let is_named = put_back.contains(&format!("{key}: {value}"));
                    prop_assert_eq!(is_named, same && !field.is_same(&now, &before));
                }
            }
        }
        prop_assert!(!is_claimed || (before.active && !before.completed));
        // A restored state is stable.
        prop_assert_eq!(weighed(&before, &state, turn).put_back, Vec::<String>::new());
    }

    #[test]
    fn what_is_kept_goes_both_ways(state in any_state()) {
        let state = LoopState { started: None, last_error: None, ..state };
        let beside = Beside { complete: vec!["1".to_owned()], ..Beside::default() };
        let kept = LoopBaseline { state, beside };
        prop_assert_eq!(LoopBaseline::lift(&kept.lower()), Ok(kept));
    }
}
