//! Every step of the original's table is allowed or refused as the table says, in its words.

use super::*;
use crate::{Agent, Facts, Hash, Hold, RunId, Seq, SessionId, StopCounter, Time, UnitId, Vote};

const UNIT: UnitId = UnitId::literal("gt-abc12");
const OTHER: UnitId = UnitId::literal("gt-other");

fn facts(seq: u64) -> Facts {
    Facts::new(Time::from_millis(0), Seq(seq), Hash::of(seq.to_string()))
}

fn agent() -> Agent {
    Agent::parse("polecat-alpha").unwrap()
}

fn session(name: &str) -> SessionId {
    SessionId::parse(name).unwrap()
}

fn job() -> Job {
    Job { unit: UNIT, title: "Add README".to_owned(), about: String::new(), waits_for: vec![] }
}

fn slice(holder: AgentRecord, found: &Slot, work: WorkState, seq: u64) -> Assignment {
    let id = RunId::parse("inbox").unwrap();
    Assignment::new(
        id,
        agent(),
        holder,
        found,
        Some((job(), work)),
        UnitCounts::default(),
        &facts(seq),
    )
}

/// Returns an assignment in each of the four statuses, and one that never existed.
fn at(status: Option<AssignmentStatus>) -> Assignment {
    let mut slice = slice(AgentRecord::default(), &Slot::Empty, WorkState::Open, 1);
    let Some(status) = status else {
        let id = RunId::parse("inbox").unwrap();
        return Assignment::absent(
            id,
            agent(),
            Some((job(), WorkState::Open)),
            UnitCounts::default(),
        );
    };
    let s1 = session("s1");
    if status != AssignmentStatus::Empty {
        slice.assign(None, &facts(2)).unwrap();
    }
    if matches!(status, AssignmentStatus::Active | AssignmentStatus::Completed) {
        slice.activate(&s1, &facts(3)).unwrap();
    }
    if status == AssignmentStatus::Completed {
        slice.complete(&s1, None, &facts(4)).unwrap();
    }
    assert_eq!(slice.slot().status(), status);
    slice
}

#[test]
fn set_takes_an_empty_one_only() {
    for status in AssignmentStatus::ALL {
        let mut slice = at(Some(status));
        let set = slice.assign(None, &facts(9)).map(drop).map_err(|error| error.to_string());
        let expected = match status {
            AssignmentStatus::Empty => Ok(()),
            AssignmentStatus::Pending | AssignmentStatus::Active | AssignmentStatus::Completed => {
                Err(format!(
                    "Agent polecat-alpha already has a {status} hook. Clear it before assigning new \
                 work."
                ))
            }
        };
        assert_eq!(set, expected);
    }
    let mut never = at(None);
    never.assign(None, &facts(9)).unwrap();
    assert_eq!(never.slot(), Slot::Pending(UNIT));
    assert_eq!(never.attempt().unwrap().fence().0, Seq(9));
}

#[test]
fn activate_and_complete_follow_the_order_in_the_words_of_the_original() {
    let s1 = session("s1");
    for (status, word) in [
        (None, "missing"),
        (Some(AssignmentStatus::Empty), "empty"),
        (Some(AssignmentStatus::Active), "active"),
        (Some(AssignmentStatus::Completed), "completed"),
    ] {
        let error = at(status).activate(&s1, &facts(9)).unwrap_err();
        assert_eq!(error.to_string(), format!("Cannot activate: hook is {word}"));
    }
    for (status, word) in [
        (None, "missing"),
        (Some(AssignmentStatus::Empty), "empty"),
        (Some(AssignmentStatus::Pending), "pending"),
        (Some(AssignmentStatus::Completed), "completed"),
    ] {
        let error = at(status).complete(&s1, None, &facts(9)).unwrap_err();
        assert_eq!(error.to_string(), format!("Cannot complete: hook is {word}"));
    }
}

#[test]
fn touch_is_for_what_is_active_and_nothing_otherwise() {
    for status in [
        None,
        Some(AssignmentStatus::Empty),
        Some(AssignmentStatus::Pending),
        Some(AssignmentStatus::Completed),
    ] {
        assert_eq!(at(status).touch(&session("new"), None), Ok(false), "{status:?}");
    }
    assert_eq!(at(Some(AssignmentStatus::Active)).touch(&session("s1"), None), Ok(true));
}

#[test]
fn the_unit_goes_with_its_assignment() {
    let works = AssignmentStatus::ALL.map(|status| at(Some(status)).work());
    assert_eq!(
        works,
        [WorkState::Open, WorkState::Hooked, WorkState::InProgress, WorkState::InProgress]
    );
    let mut done = at(Some(AssignmentStatus::Completed));
    done.clear(&facts(9)).unwrap();
    assert_eq!((done.slot(), done.work()), (Slot::Empty, WorkState::Done));
    for status in [AssignmentStatus::Pending, AssignmentStatus::Active] {
        let mut back = at(Some(status));
        assert!(back.clear(&facts(9)).is_err(), "only what is completed can be verified");
        back.release(&facts(9)).unwrap();
        assert_eq!((back.slot(), back.work()), (Slot::Empty, WorkState::Open));
    }
    for status in [AssignmentStatus::Empty, AssignmentStatus::Completed] {
        assert!(at(Some(status)).release(&facts(9)).is_err());
    }
}

#[test]
fn a_failed_unit_is_open_again_three_times_and_never_done() {
    let mut slice = at(Some(AssignmentStatus::Empty));
    let s1 = session("s1");
    let whys = ["no compiler", "no network", "no key", "no idea"];
    for (seq, why) in (10..).step_by(10).zip(whys) {
        slice.assign(None, &facts(seq)).unwrap();
        slice.activate(&s1, &facts(seq + 1)).unwrap();
        slice.fail(&s1, None, why, &facts(seq + 2)).unwrap();
        assert_eq!(slice.work(), WorkState::Open);
    }
    let error = slice.assign(None, &facts(90)).unwrap_err();
    assert!(matches!(error, Refusal::Denied(crate::Denied::Held(Hold::Exhausted { .. }))));
    slice.resume(&facts(91)).unwrap();
    slice.assign(None, &facts(92)).unwrap();
}

#[test]
fn work_that_is_given_back_as_told_is_never_exhausted_by_it() {
    let mut slice = at(Some(AssignmentStatus::Empty));
    let s1 = session("s1");
    for seq in (10..100).step_by(10) {
        slice.assign(None, &facts(seq)).unwrap();
        slice.activate(&s1, &facts(seq + 1)).unwrap();
        let other = slice.give_back(&session("s2"), None, &facts(seq + 2));
        assert!(matches!(other, Err(Refusal::Stale { .. })), "it is not its own");
        slice.give_back(&s1, None, &facts(seq + 2)).unwrap();
        assert_eq!((slice.slot(), slice.work()), (Slot::Empty, WorkState::Open));
    }
}

#[test]
fn whoever_lost_the_work_hears_of_it_once() {
    let (s1, s2) = (session("s1"), session("s2"));
    let mut slice = at(Some(AssignmentStatus::Active));
    let unit = slice.slot().unit().cloned();
    slice.release(&facts(9)).unwrap();
    slice.assign(None, &facts(11)).unwrap();
    assert_eq!(slice.hear_of_loss(&s1), None, "it may begin it again");
    slice.activate(&s2, &facts(12)).unwrap();
    assert_eq!(slice.hear_of_loss(&s2), None);
    assert_eq!((slice.hear_of_loss(&s1), slice.hear_of_loss(&s1)), (unit.clone(), None));
    slice.take_over(&s1, &facts(13));
    assert_eq!(slice.hear_of_loss(&s2), unit);
    slice.fail(&s1, None, "no", &facts(14)).unwrap();
    assert_eq!(slice.hear_of_loss(&s1), None, "by its own word");
}

#[test]
fn whoever_lost_the_work_is_told_to_stop() {
    let s1 = session("s1");
    let mut slice = at(Some(AssignmentStatus::Active));
    let old = slice.attempt().unwrap().fence();
    slice.release(&facts(9)).unwrap();
    let is_stale = |error: Refusal| matches!(error, Refusal::Stale { .. });
    assert!(is_stale(slice.touch(&s1, None).unwrap_err()));
    assert!(is_stale(slice.complete(&s1, None, &facts(10)).unwrap_err()));
    slice.assign(None, &facts(11)).unwrap();
    assert!(is_stale(slice.complete(&s1, None, &facts(12)).unwrap_err()));
    let s2 = session("s2");
    slice.activate(&s2, &facts(13)).unwrap();
    assert!(is_stale(slice.touch(&s1, None).unwrap_err()));
    assert!(is_stale(slice.touch(&s2, Some(old)).unwrap_err()), "an old fence");
    assert!(is_stale(slice.fail(&s1, None, "no", &facts(14)).unwrap_err()));
    let fence = slice.attempt().unwrap().fence();
    assert!(fence > old);
    assert_eq!(slice.touch(&session("s3"), Some(fence)), Ok(true), "the fence is proof enough");
}

#[test]
fn a_unit_is_not_given_twice_nor_too_early() {
    let empty = AgentRecord { known: Some(Slot::Empty), ..AgentRecord::default() };
    let mut taken = slice(empty.clone(), &Slot::Empty, WorkState::Hooked, 1);
    let error = taken.assign(Some("polecat-bravo"), &facts(2)).unwrap_err();
    assert_eq!(error.to_string(), "Work item gt-abc12 is already assigned to polecat-bravo");
    let mut done = slice(empty.clone(), &Slot::Empty, WorkState::Done, 1);
    let error = done.assign(None, &facts(2)).unwrap_err();
    assert_eq!(error.to_string(), "Work item gt-abc12 is done, not open");
    let early = Job { waits_for: vec![OTHER], ..job() };
    let id = RunId::parse("inbox").unwrap();
    let early = Some((early, WorkState::Open));
    let mut early =
        Assignment::new(id, agent(), empty, &Slot::Empty, early, UnitCounts::default(), &facts(1));
    let error = early.assign(None, &facts(2)).unwrap_err();
    assert_eq!(error.to_string(), "Work item gt-abc12 waits for gt-other");
}

#[test]
fn every_pair_of_states_is_one_step_of_somebody_else_a_persons_or_strange() {
    let all = |unit: UnitId| {
        [Slot::Pending(unit.clone()), Slot::Active(unit.clone()), Slot::Completed(unit)]
    };
    let mut states = vec![Slot::Empty];
    states.extend(all(UNIT).into_iter().chain(all(OTHER)));
    let mut legal = Vec::new();
    for known in &states {
        assert_eq!(drift(None, known), Drift::Legal, "the first sight");
        for found in &states {
            match drift(Some(known), found) {
                Drift::None => assert_eq!(known, found),
                Drift::Legal => legal.push(format!("{known} > {found}")),
                Drift::Emptied => {
                    assert_eq!((known.status(), found), (AssignmentStatus::Active, &Slot::Empty));
                }
                Drift::Strange { why } => assert!(why.contains("which is no step"), "{why}"),
            }
        }
    }
    assert_eq!(legal.len(), 2 * (1 + 2 + 2), "{legal:?}");
    assert!(!legal.iter().any(|step| step.starts_with("completed") && !step.ends_with("empty")));
}

#[test]
fn a_step_of_somebody_else_is_taken_over_with_a_new_fence() {
    let mut own = at(Some(AssignmentStatus::Pending));
    let before = own.holder();
    let old = own.attempt().unwrap().fence();
    own.activate(&session("s1"), &facts(5)).unwrap();
    let mut theirs = slice(before, &Slot::Active(UNIT), WorkState::Hooked, 20);
    assert_eq!(theirs.slot(), Slot::Active(UNIT));
    assert_ne!(theirs.attempt().unwrap().fence(), old);
    assert_eq!(theirs.touch(&session("theirs"), None), Ok(true), "foreign tools have no session");
    let cleared = slice(theirs.holder(), &Slot::Empty, WorkState::InProgress, 30);
    assert_eq!((cleared.slot(), cleared.work()), (Slot::Empty, WorkState::Open));
    let completed = at(Some(AssignmentStatus::Completed)).holder();
    let verified = slice(completed, &Slot::Empty, WorkState::InProgress, 30);
    assert_eq!(verified.work(), WorkState::Done);
}

#[test]
fn the_holder_is_refused_a_stop_until_it_says_that_it_is_done() {
    let desk = |name: &str| StopCounter::new(session(name), Hash::of(""));
    let mut slice = at(Some(AssignmentStatus::Active));
    let Vote::Refuse { unit } = slice.vote(&desk("s1"), &facts(8)) else { panic!("let go") };
    let prompt = slice.prompt(&unit, &facts(8));
    assert_eq!(prompt.said, "Not finished: gt-abc12 \"Add README\" is assigned to you.");
    assert!(prompt.text.contains("sprag agent complete polecat-alpha"));
    assert_eq!(slice.vote(&desk("s2"), &facts(8)), Vote::Silent);
    let until = Hold::Until { at: Time::from_millis(60_000), why: "a merge".to_owned() };
    slice.wait(&session("s1"), None, until, &facts(9)).unwrap();
    assert_eq!(slice.vote(&desk("s1"), &facts(9)), Vote::Silent, "a declared wait");
    assert_eq!(slice.touch(&session("s1"), None), Ok(true));
    assert_ne!(slice.vote(&desk("s1"), &facts(9)), Vote::Silent);
    slice.complete(&session("s1"), None, &facts(10)).unwrap();
    assert_eq!(slice.vote(&desk("s1"), &facts(11)), Vote::Silent);
}

#[test]
fn roles_are_held_to_what_is_theirs() {
    let alpha = agent();
    let who = |name: &str| Who::parse(name).unwrap();
    for own in [Verb::Activate, Verb::Touch, Verb::Complete, Verb::Fail, Verb::Wait] {
        assert_eq!(who("polecat-alpha").may(own, &alpha), Ok(()));
        assert!(who("polecat-bravo").may(own, &alpha).is_err());
        assert!(who("mayor").may(own, &alpha).is_err());
        assert_eq!(Who::Person.may(own, &alpha), Ok(()));
    }
    for given in [Verb::Set, Verb::Clear, Verb::Release] {
        for name in ["mayor", "mayor-a1b2c", "sling"] {
            assert_eq!(who(name).may(given, &alpha), Ok(()));
        }
        for name in ["polecat-alpha", "witness", "refinery-f5g6h"] {
            assert!(who(name).may(given, &alpha).is_err());
        }
    }
    let error = who("polecat-bravo").may(Verb::Complete, &alpha).unwrap_err();
    assert_eq!(error.to_string(), "`complete` is polecat-alpha's to do, and polecat-bravo asks");
    assert_eq!(Who::parse("../mayor"), None);
}

#[test]
fn what_is_kept_is_read_again() {
    use crate::Stored as _;
    for status in AssignmentStatus::ALL {
        let holder = at(Some(status)).holder();
        assert_eq!(AgentRecord::lift(&holder.lower()), Ok(holder));
        let tally = at(Some(status)).tally();
        assert_eq!(UnitCounts::lift(&tally.lower()), Ok(tally));
    }
}
