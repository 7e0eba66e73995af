use super::*;
use crate::{SessionId, StopCounter, Vote, prompt, vote};

fn run(state: LoopState) -> Run<LoopState> {
    let id = RunId::parse("r-7k2m").unwrap();
    let run = Run::new::<InSession>(id, &Holding::default(), state);
    let facts = Facts::new(Time::from_millis(0), Seq(1), Hash::of("0"));
    let claimed = Signal::Claimed { session: SessionId::parse("s-1").unwrap() };
    step::<InSession>(&Holding::default(), &run, &claimed, &facts).unwrap().run
}

fn says(state: LoopState) -> Option<String> {
    let desk = StopCounter::new(SessionId::parse("s-1").unwrap(), Hash::of("0"));
    let facts = Facts::new(Time::from_millis(0), Seq(2), Hash::of("0"));
    let (holding, run) = (Holding::default(), run(state));
    match vote::<InSession>(&holding, &run, &desk, &facts).unwrap() {
        Vote::Refuse { unit } => Some(prompt::<InSession>(&holding, &run, &unit, &facts).said),
        Vote::Silent | Vote::Yield { .. } => None,
    }
}

fn active(kind: LoopKind) -> LoopState {
    LoopState { active: true, kind, iteration: 2, max_iterations: 18, ..LoopState::default() }
}

#[test]
fn an_active_loop_says_its_literal_line() {
    let execute = "Loop active. Continuing execute loop iteration 3/18. Run /opti-gsd:execute to \
                   retry failed tasks.";
    let verify = "Loop active. Continuing verify loop iteration 3/18. Run /opti-gsd:verify to fix \
                  gaps and re-verify.";
    let other = "Loop active. Run /opti-gsd:status to check state.";
    for (kind, line) in
        [(LoopKind::Execute, execute), (LoopKind::Verify, verify), (LoopKind::Other, other)]
    {
        assert_eq!(says(active(kind)).as_deref(), Some(line));
    }
}

#[test]
fn a_loop_that_is_over_or_waits_says_nothing() {
    let on = active(LoopKind::Verify);
    let soon = Some(Time::from_millis(1000));
    for state in [
        LoopState { completed: true, ..on.clone() },
        LoopState { paused: true, ..on.clone() },
        LoopState { active: false, ..on.clone() },
        LoopState { awaiting: Some(Awaiting::User), ..on.clone() },
        LoopState { awaiting: Some(Awaiting::Checkpoint), ..on.clone() },
        LoopState { awaiting: Some(Awaiting::RateLimit), resume_after: soon, ..on.clone() },
        LoopState { iteration: 18, ..on.clone() },
    ] {
        assert_eq!(says(state.clone()), None, "{state:?}");
    }
    let over = Some(Time::from_millis(0));
    let limit = LoopState { awaiting: Some(Awaiting::RateLimit), resume_after: over, ..on };
    assert!(says(limit).is_some(), "the limit is over");
}

#[test]
fn used_up_iterations_leave_no_active_loop_behind() {
    let state = LoopState {
        iteration: 20,
        gaps_remaining: 1,
        max_iterations: 20,
        ..active(LoopKind::Verify)
    };
    let shown =
        shown_in_session(&Holding::default(), &run(state), Some("s-1"), Time::from_millis(0));
    assert!(!shown.active && shown.paused);
    let why = shown.pause_reason.as_deref();
    assert_eq!(why, Some("Max iterations (20) reached with 1 gaps remaining"));
    assert_eq!(shown.session_id.as_deref(), Some("s-1"));
}

#[test]
fn what_the_agent_wrote_stays_where_nothing_was_decided() {
    for state in [
        active(LoopKind::Execute),
        LoopState { active: false, ..active(LoopKind::Verify) },
        LoopState {
            active: false,
            completed: true,
            final_iteration: Some(2),
            ..active(LoopKind::Verify)
        },
        LoopState {
            active: false,
            paused: true,
            pause_reason: Some("lunch".into()),
            ..LoopState::default()
        },
    ] {
        let shown =
            shown_in_session(&Holding::default(), &run(state.clone()), None, Time::from_millis(0));
        assert_eq!(shown, state);
    }
}

#[test]
fn a_claim_ends_the_loop_only_where_a_gate_confirms_it() {
    let gate = crate::Gate {
        name: Name::literal("a exists"),
        check: Check::File { path: DocPath::parse("a").unwrap() },
    };
    let holding = Holding { gates: vec![gate.clone()], ..Holding::default() };
    let facts = |seq| Facts::new(Time::from_millis(0), Seq(seq), Hash::of("0"));
    let session = Some(SessionId::parse("s-1").unwrap());
    let taken = Signal::Begin { unit: id("loop"), agent: None, session };
    let begun = step::<InSession>(&holding, &run(active(LoopKind::Execute)), &taken, &facts(2));
    let begun = begun.unwrap().run;
    let ends = |verdict| {
        let receipts = vec![receipt(&gate.name, verdict, &facts(3))];
        let end = Signal::End {
            fence: Fence(Seq(2)),
            word: Word::Done,
            receipts,
            worth: Some(crate::basis::Worth::Proven),
        };
        step::<InSession>(&holding, &begun, &end, &facts(3)).unwrap().run
    };
    assert!(!ends(Verdict::Fail).position().completed);
    let over = ends(Verdict::Pass);
    assert!(over.position().completed && !over.position().active);
    assert_eq!(over.position().final_iteration, Some(2));
}
