use super::*;

fn verifying(mode: Mode) -> PlanPlay {
    let mut world = PlanPlay::new(mode);
    if mode == Mode::Interactive {
        world.answer("");
    }
    for unit in ["T01", "T02", "T03"] {
        world.pass(unit);
    }
    if mode == Mode::Interactive {
        world.answer("");
    }
    world.pass("T04");
    world
}

#[test]
fn gaps_become_fixes_and_only_a_full_look_ends_it() {
    let mut world = verifying(Mode::Yolo);
    world.verify(VerificationStatus::Passed, vec![gap("stub", "a"), gap("orphan", "b")]);
    assert_eq!(world.state.gaps_remaining, 2, "evidence beats the headline");
    assert_eq!(world.ready(), ["FIX-01", "FIX-02"]);
    let prompt = world.prompt("FIX-01");
    assert!(prompt.contains("Implement real functionality"), "{prompt}");
    assert!(
        prompt.contains("<gap type=\"stub\" iteration=\"1/20\">\n  <file>a</file>"),
        "{prompt}"
    );
    world.pass("FIX-01");
    assert_eq!(world.state.iteration, 1, "one round, one charge");
    world.pass("FIX-02");
    assert_eq!(world.state.iteration, 1);
    assert_eq!(world.ready(), ["verify"]);
    world.verify(VerificationStatus::GapsFound, vec![gap("stub", "c")]);
    assert_eq!(world.ready(), ["FIX-03"]);
    world.pass("FIX-03");
    world.verify(VerificationStatus::Passed, vec![]);
    assert_eq!(world.next(), Next::Done);
    let state = &world.state;
    assert!(state.completed && !state.active);
    assert_eq!((state.final_iteration, state.gaps_remaining), (Some(2), 0));
    let results: Vec<_> = state.history.iter().map(|round| round.result.as_str()).collect();
    assert_eq!(results, ["gaps_found", "gaps_found", "passed"]);
    assert_eq!(state.history[0].gaps, ["stub:a", "orphan:b"]);
}

#[test]
fn a_failed_stage_of_ci_is_a_gap_whatever_the_report_says() {
    let mut world = verifying(Mode::Yolo);
    world.told(VerificationStatus::Passed, vec![]);
    let fence = world.begin("verify").unwrap();
    world.end(fence, Word::Done, Some("ci test")).unwrap();
    assert_eq!(world.state.history[0].gaps, ["ci_failure:test"]);
    assert!(world.prompt("FIX-01").contains("Apply specific fix for error"));
}

#[test]
fn every_check_is_looked_at_and_each_that_fails_is_a_gap_of_one_round() {
    let ends = |known: &[(&str, Verdict)]| {
        let mut world = verifying(Mode::Yolo);
        world.told(VerificationStatus::Passed, vec![]);
        let fence = world.begin("verify").unwrap();
        let of = |(gate, verdict): &(&str, Verdict)| {
            receipt(&Name::parse(gate).unwrap(), *verdict, &world.facts)
        };
        let receipts = known.iter().map(of).collect();
        let ended = world.send(&Signal::End {
            fence,
            word: Word::Done,
            receipts,
            worth: Some(crate::basis::Worth::Proven),
        });
        (world, ended)
    };
    let (fail, pass) = (Verdict::Fail, Verdict::Pass);
    let (_, ended) = ends(&[("ci test", pass), ("a exists", fail)]);
    let Err(Denied::Needs(asks)) = ended else { panic!("{ended:?}") };
    assert_eq!(asks.len(), 2, "b and c: {asks:?}");
    let (world, ended) =
        ends(&[("ci test", pass), ("a exists", fail), ("b exists", pass), ("c exists", fail)]);
    ended.unwrap();
    assert_eq!(world.state.history[0].gaps, ["check_failed:a", "check_failed:c"]);
    assert_eq!(world.ready(), ["FIX-01", "FIX-02"]);
}

#[test]
fn rounds_end_with_the_literal_reason() {
    let mut definition = definition(Mode::Yolo);
    definition.settings.verify_max_iterations = 1;
    let mut world = PlanPlay::of(definition);
    for unit in ["T01", "T02", "T03", "T04"] {
        world.pass(unit);
    }
    world.verify(VerificationStatus::GapsFound, vec![gap("stub", "a")]);
    world.pass("FIX-01");
    world.verify(VerificationStatus::GapsFound, vec![gap("stub", "b")]);
    let why = world.state.pause_reason.as_deref();
    assert_eq!(why, Some("Max iterations (1) reached with 1 gaps remaining"));
    assert!(!world.state.active);
}

#[test]
fn the_same_gaps_three_times_and_back_and_forth_hold() {
    let mut world = verifying(Mode::Yolo);
    for round in 1..=3 {
        world.verify(VerificationStatus::GapsFound, vec![gap("orphan", "b"), gap("stub", "a")]);
        if round < 3 {
            for unit in world.ready() {
                world.pass(&unit);
            }
        }
    }
    assert_eq!(world.state.pause_reason.as_deref(), Some("no progress: orphan:b, stub:a"));
    world.send(&Signal::Resume).unwrap();
    assert_eq!(world.ready().len(), 2, "a person lets it go on");

    let mut world = verifying(Mode::Yolo);
    for file in ["a", "b", "a", "b"] {
        world.verify(VerificationStatus::GapsFound, vec![gap("stub", file)]);
        for unit in world.ready() {
            world.pass(&unit);
        }
    }
    assert!(world.held().contains("back and forth"), "{}", world.held());
}

#[test]
fn when_no_fix_worked_nothing_is_tried_again() {
    let mut world = verifying(Mode::Yolo);
    world.verify(VerificationStatus::GapsFound, vec![gap("stub", "a")]);
    world.fail("FIX-01", "cannot");
    assert!(world.held().contains("no gap could be fixed: stub:a"));
}

#[test]
fn reports_that_say_nothing_never_pass() {
    for (status, held) in [
        (VerificationStatus::Invalid, "no new report"),
        (VerificationStatus::GapsFound, "names none"),
    ] {
        let mut world = verifying(Mode::Yolo);
        world.verify(status, vec![]);
        if status == VerificationStatus::GapsFound {
            assert!(world.prompt("verify").contains("name each one"), "asked for once more");
            world.verify(status, vec![]);
        }
        assert!(world.held().contains(held), "{}", world.held());
        assert!(world.state.paused);
    }
    let mut world = verifying(Mode::Yolo);
    world.facts.answers.insert(Ask::Verification, VerificationAnswer::default().lower());
    world.pass("verify");
    assert!(world.held().contains("no new report"), "no report at all");
}

#[test]
fn nobody_passes_by_the_report_of_another_attempt() {
    let mut world = verifying(Mode::Yolo);
    world.verify(VerificationStatus::GapsFound, vec![gap("stub", "a")]);
    // The fixing agent also writes a passing report, and the verifying one writes none.
    world.pass("FIX-01");
    world.told(VerificationStatus::Passed, vec![]);
    world.pass("verify");
    assert!(world.held().contains("no new report"), "{}", world.held());
}

#[test]
fn what_a_person_must_see_is_asked_and_the_answer_counts() {
    let mut world = verifying(Mode::Yolo);
    world.verify(VerificationStatus::HumanNeeded, vec![]);
    assert!(world.held().ends_with("\"Verified\" or \"Issues found: {description}\""));
    assert_eq!(world.state.awaiting, Some(Awaiting::User));
    world.answer("looks fine I guess");
    assert_eq!(world.state.awaiting, Some(Awaiting::User), "neither of the two");
    world.answer("Issues found: the button is blue");
    assert!(world.prompt("FIX-01").contains("the button is blue"));
    world.pass("FIX-01");
    world.verify(VerificationStatus::HumanNeeded, vec![]);
    world.answer("Verified");
    assert_eq!(world.next(), Next::Done);
}

#[test]
fn a_person_is_asked_before_a_round() {
    let mut world = verifying(Mode::Interactive);
    world.verify(VerificationStatus::GapsFound, vec![gap("stub", "a")]);
    let asked = "asks: Verification found 1 gaps. Attempt automatic fix? (0/20) [Y/n]";
    assert_eq!(world.held(), asked);
    world.answer("n");
    assert_eq!(world.state.pause_reason.as_deref(), Some("user declined the fixes"));
}

#[test]
fn a_round_that_never_ran_is_charged_when_it_does() {
    let mut world = verifying(Mode::Yolo);
    world.verify(VerificationStatus::GapsFound, vec![gap("stub", "a"), gap("stub", "b")]);
    let fence = world.begin("FIX-01").unwrap();
    world.send(&Signal::Lost { fence, ran: crate::Ran::No, why: String::new() }).unwrap();
    assert_eq!(world.state.iteration, 0);
    world.pass("FIX-02");
    world.pass("FIX-01");
    assert_eq!(world.state.iteration, 1);
}

#[test]
fn a_task_that_is_called_like_a_fix_is_not_one() {
    let mut definition = definition(Mode::Yolo);
    definition.plan.tasks = vec![task("FIX-01", 1, &[], "a")];
    let mut world = PlanPlay::of(definition);
    world.pass("FIX-01");
    world.verify(VerificationStatus::GapsFound, vec![gap("stub", "a")]);
    world.pass("FIX-01");
    assert_eq!(world.ready(), ["verify"], "the fix ended, not the task");
    world.verify(VerificationStatus::Passed, vec![]);
    assert_eq!(world.next(), Next::Done);
}

#[test]
fn what_no_gate_judges_is_told_with_the_end_as_a_claim() {
    let mut definition = definition(Mode::Yolo);
    definition.plan.must_haves.push(MustHave { text: "It is quick".into(), ticked: true });
    let link = KeyLink { from: "a".into(), to: "b".into(), connection: "calls".into() };
    definition.plan.links.push(link);
    let mut world = PlanPlay::of(definition);
    world.pass("T01");
    assert_eq!(world.claims, ["01"], "its other check is a gate");
    for unit in ["T02", "T03", "T04"] {
        world.pass(unit);
    }
    world.verify(VerificationStatus::GapsFound, vec![gap("stub", "a")]);
    assert_eq!(world.claims, [""; 0], "an agent that finds gaps does not claim success");
    world.pass("FIX-01");
    world.verify(VerificationStatus::Passed, vec![]);
    assert_eq!(world.claims, ["It is quick", "a → b: calls"]);
    assert_eq!(world.next(), Next::Done);
}
