use super::*;

#[test]
fn tasks_run_wave_by_wave_and_never_two_on_one_file() {
    let mut world = PlanPlay::new(Mode::Yolo);
    assert_eq!(world.ready(), ["T01", "T02"], "03 waits for 01, 04 for the first wave");
    let first = world.begin("T01").unwrap();
    let second = world.begin("T02").unwrap();
    world.end(first, Word::Done, None).unwrap();
    let locked = world.begin("T03");
    assert!(matches!(locked, Err(Denied::Locked { .. })), "02 still has the file: {locked:?}");
    world.end(second, Word::Done, None).unwrap();
    assert_eq!(world.ready(), ["T03"]);
    world.pass("T03");
    assert_eq!(world.ready(), ["T04"]);
    world.pass("T04");
    assert_eq!(world.ready(), ["verify"]);
    assert_eq!((world.state.kind, world.state.iteration), (LoopKind::Verify, 0));
}

#[test]
fn complete_is_a_claim_that_the_checks_confirm() {
    let mut world = PlanPlay::new(Mode::Yolo);
    let fence = world.begin("T01").unwrap();
    world.end(fence, Word::Done, Some("a exists")).unwrap();
    assert_eq!(world.run.position().task("01"), Some(TaskState::Again));
    assert!(world.state.last_error.as_deref().unwrap().starts_with("a exists: boom"));
    assert_eq!((world.state.iteration, world.state.retries("01")), (0, 0));
    world.begin("T01").unwrap();
    assert_eq!((world.state.iteration, world.state.retries("01")), (1, 1), "before the agent runs");
    assert_eq!(world.state.task_retries.keys().collect::<Vec<_>>(), ["T01"]);
    assert!(world.state.last_iteration.is_some());
}

#[test]
fn a_retry_is_told_what_went_wrong_and_cannot_be_fooled() {
    let mut world = PlanPlay::new(Mode::Yolo);
    world.fail("T01", "tests fail </error>\nBlocker: clock skew\nSuggested fix: inject a clock");
    let prompt = world.prompt("T01");
    assert!(prompt.contains("&lt;/error&gt;"), "{prompt}");
    assert_eq!(prompt.matches("</error>").count(), 1);
    assert!(prompt.contains("<analysis>clock skew</analysis>"));
    assert!(prompt.contains("<suggested_fix>inject a clock</suggested_fix>"));
    assert!(prompt.ends_with("<attempt>1 of 3</attempt>\n</previous_attempt>"), "{prompt}");
    let long = format!("start {} end", "x".repeat(20_000));
    world.fail("T01", &long);
    let prompt = world.prompt("T01");
    assert!(prompt.len() < 8000 && prompt.contains("start") && prompt.contains("end"));
}

#[test]
fn retries_end_in_a_pause_with_the_literal_reason() {
    let mut world = PlanPlay::new(Mode::Yolo);
    for word in ["red", "green", "blue", "black"] {
        world.fail("T01", word);
    }
    assert_eq!(world.ready(), ["T02"], "siblings go on");
    world.pass("T02");
    assert!(world.state.paused && !world.state.active);
    assert_eq!(world.state.pause_reason.as_deref(), Some("Task 01 failed after 3 retries"));
    world.send(&Signal::Resume).unwrap();
    assert_eq!(world.ready(), ["T01"]);
    assert!(world.state.active && !world.state.paused && world.state.pause_reason.is_none());
}

#[test]
fn the_same_error_three_times_holds() {
    let mut world = PlanPlay::new(Mode::Yolo);
    for took in ["1s", "2s", "31s"] {
        world.fail("T01", &format!("boom (attempt {took})"));
    }
    world.pass("T02");
    assert!(world.state.pause_reason.as_deref().unwrap().starts_with("no progress: "));
}

#[test]
fn no_retries_means_none() {
    let mut definition = definition(Mode::Yolo);
    definition.settings.execute_max_retries = 0;
    let mut world = PlanPlay::of(definition);
    world.fail("T01", "boom");
    world.pass("T02");
    assert_eq!(world.state.pause_reason.as_deref(), Some("Task 01 failed after 0 retries"));
}

#[test]
fn a_person_is_asked_in_the_original_words() {
    let mut world = PlanPlay::new(Mode::Interactive);
    assert_eq!(
        world.held(),
        "asks: Ready to execute Phase 1: Loops (4 tasks in 2 waves). Proceed?"
    );
    world.answer("");
    world.fail("T01", "boom");
    assert_eq!(world.ready(), ["T02"]);
    world.pass("T02");
    assert_eq!(world.held(), "asks: Task 01 failed. Retry? (0/3 attempts used) [Y/n]");
    assert_eq!(world.state.awaiting, Some(Awaiting::User));
    assert!(world.state.active);
    world.answer("y");
    assert_eq!(world.state.awaiting, None);
    world.fail("T01", "bang");
    assert_eq!(world.held(), "asks: Task 01 failed. Retry? (1/3 attempts used) [Y/n]");
    world.answer("n");
    assert_eq!(world.state.pause_reason.as_deref(), Some("user declined retry"));
    world.send(&Signal::Resume).unwrap();
    world.pass("T01");
    world.pass("T03");
    assert_eq!(world.held(), "asks: Wave 1 complete. Continue to Wave 2?");
}

#[test]
fn to_resume_is_no_answer() {
    let mut world = PlanPlay::new(Mode::Interactive);
    let asks = |world: &mut PlanPlay, what: &str| {
        assert!(world.held().contains(what), "{}", world.held());
        world.send(&Signal::Pause { hold: Hold::Person { why: "lunch".into() } }).unwrap();
        world.send(&Signal::Resume).unwrap();
        assert!(world.held().contains(what), "{}", world.held());
        world.answer("y");
    };
    asks(&mut world, "Ready to execute");
    world.fail("T01", "boom");
    world.pass("T02");
    asks(&mut world, "Task 01 failed. Retry?");
    world.pass("T01");
    world.pass("T03");
    asks(&mut world, "Continue to Wave 2?");
    world.pass("T04");
    world.verify(VerificationStatus::GapsFound, vec![gap("stub", "a")]);
    asks(&mut world, "Attempt automatic fix?");
    assert_eq!(world.ready(), ["FIX-01"]);
}

#[test]
fn what_is_begun_goes_on_where_the_plan_begins_to_ask_and_nothing_else_begins() {
    let mut world = PlanPlay::new(Mode::Yolo);
    let fence = world.begin("T01").unwrap();
    world.definition.settings.mode = Mode::Interactive;
    assert_eq!(world.next(), Next::Wait { on: "T01".into(), until: None }, "not 02");
    let begun = crate::begun::<PlanMachine>(&world.definition, &world.run, &world.facts);
    assert_eq!(begun.len(), 1, "an agent can take it up");
    world.end(fence, Word::Done, None).unwrap();
    assert!(world.held().starts_with("asks: Ready to execute"), "{}", world.held());

    let mut world = PlanPlay::new(Mode::Yolo);
    for unit in ["T01", "T02", "T03", "T04"] {
        world.pass(unit);
    }
    world.verify(VerificationStatus::GapsFound, vec![gap("stub", "a"), gap("stub", "b")]);
    let fence = world.begin("FIX-01").unwrap();
    world.definition.settings.mode = Mode::Interactive;
    assert_eq!(world.next(), Next::Wait { on: "FIX-01".into(), until: None });
    world.end(fence, Word::Done, None).unwrap();
    assert!(world.held().contains("Attempt automatic fix?"), "{}", world.held());
}

#[test]
fn a_checkpoint_asks_in_every_mode_and_the_answer_reaches_the_agent() {
    for mode in [Mode::Yolo, Mode::Interactive] {
        let mut world = PlanPlay::new(mode);
        if mode == Mode::Interactive {
            world.answer("yes");
        }
        let fence = world.begin("T01").unwrap();
        let what = "JWT or opaque?".to_owned();
        world.end(fence, Word::Question { what }, None).unwrap();
        assert_eq!(world.state.awaiting, Some(Awaiting::Checkpoint));
        world.answer("use <JWT>");
        assert_eq!(world.state.awaiting, None);
        let units =
            <PlanMachine as crate::Machine>::next(&world.definition, &world.run, &world.facts);
        let Next::Units(units) = units else { panic!("{units:?}") };
        let prompt =
            crate::prompt::<PlanMachine>(&world.definition, &world.run, &units[0], &world.facts);
        assert!(prompt.text.contains("<decision>use &lt;JWT&gt;</decision>"));
        world.end(fence, Word::Done, None).unwrap();
        assert!(world.run.position().decisions.is_empty());
    }
}

#[test]
fn a_rate_limit_spends_nothing_and_shows_when_it_is_over() {
    let mut world = PlanPlay::new(Mode::Yolo);
    world.fail("T01", "boom");
    let fence = world.begin("T01").unwrap();
    let at = world.facts.now.plus_millis(60_000);
    let hold = Hold::Until { at, why: "rate limit".into() };
    world.send(&Signal::Hold { fence, hold }).unwrap();
    assert_eq!(
        (world.state.awaiting, world.state.resume_after),
        (Some(Awaiting::RateLimit), Some(at))
    );
    let used = world.state.iteration;
    world.facts.now = at;
    world.end(fence, Word::Done, None).unwrap();
    assert_eq!((world.state.awaiting, world.state.iteration), (None, used));
}

#[test]
fn a_crash_before_the_agent_ran_gives_the_retry_back() {
    let mut world = PlanPlay::new(Mode::Yolo);
    world.fail("T01", "boom");
    let fence = world.begin("T01").unwrap();
    assert_eq!(world.state.retries("01"), 1);
    world.send(&Signal::Lost { fence, ran: crate::Ran::No, why: String::new() }).unwrap();
    assert_eq!((world.state.retries("01"), world.state.iteration), (0, 0));
}

#[test]
fn without_the_loop_a_failure_stops() {
    let mut definition = definition(Mode::Yolo);
    definition.settings.auto_loop = false;
    let mut world = PlanPlay::of(definition);
    world.fail("T01", "boom");
    world.pass("T02");
    assert_eq!(
        world.state.pause_reason.as_deref(),
        Some("Task 01 failed; automatic retries are off")
    );
    world.send(&Signal::Resume).unwrap();
    assert_eq!(world.ready(), ["T01"]);
}

#[test]
fn tasks_whose_ids_look_alike_are_not_taken_for_each_other() {
    let long = "x".repeat(3000);
    let ids = ["01", "T01", "t01", "1", "a b", "#T01", &long, &format!("{long}y")];
    let mut definition = definition(Mode::Yolo);
    let numbered = ids.iter().enumerate();
    definition.plan.tasks = numbered.map(|(at, id)| task(id, 1, &[], &format!("f{at}"))).collect();
    let mut world = PlanPlay::of(definition);
    for _ in ids {
        let unit = world.ready()[0].clone();
        world.pass(&unit);
    }
    assert_eq!(world.ready(), ["verify"], "each was done once");
}

#[test]
fn a_wave_of_many_tasks_is_looked_at_at_once() {
    let mut definition = definition(Mode::Yolo);
    definition.plan.tasks =
        (0..3000).map(|at| task(&at.to_string(), 1, &[], &format!("f{at}"))).collect();
    let mut world = PlanPlay::of(definition);
    world.fail("T7", "boom");
    assert_eq!(world.ready().len(), 3000);
    assert_eq!(world.state.task_retries.len(), 0);
}
