use sprag_core::plan::Stage;
use sprag_core::{Hold, Ran};
use sprag_engine::drive::{Coming, UnitEnd};
use sprag_engine::plan::Stands;

use super::driver::{Turn, begin, diligent, drive, project, shown, start, state, verified};
use crate::world::World;

#[test]
fn a_plan_that_goes_well_is_written_as_the_original_writes_it() {
    let world = project("yolo", "");
    let run = start(&world);
    assert_eq!(shown(&world, "active"), "true");
    let view = drive(&world, &run, diligent);
    assert_eq!((view.stands, view.stage), (Stands::Done, Stage::Done));
    for (key, value) in [
        ("active", "false"),
        ("completed", "true"),
        ("type", "verify"),
        ("final_iteration", "0"),
        ("task", "3/3"),
    ] {
        assert_eq!(shown(&world, key), value, "{key} in {}", state(&world));
    }
    let lists = sprag_formats::plan::state::phases(&state(&world)).unwrap();
    assert_eq!((lists.complete, lists.pending), (vec!["1".to_owned()], vec![]));
    assert!(state(&world).contains("milestone: v1 # ours"), "what is not ours stays");
    assert!(world.env.read(".gsd/ROADMAP.md").unwrap().contains("**Status:** COMPLETE"));
    let summary = world.env.read(".gsd/plans/phase-1/summary.md").unwrap();
    assert!(summary.contains("| 01 |"), "{summary}");
    assert!(world.engine().plan_run().unwrap().is_none(), "it is over");
}

/// Fails task 02 twice, each time in another way, then does it.
fn stumbles(world: &World, unit: &str, retry: u32) -> Turn {
    match (unit, retry) {
        ("T02", 0) => Turn::Says("TASK FAILED: npm test exits 1\nBlocker: no npm"),
        ("T02", 1) => Turn::Says("TASK FAILED: cargo test exits 101"),
        _ => diligent(world, unit, retry),
    }
}

#[test]
fn two_failures_and_then_success_are_counted() {
    let world = project("yolo", "");
    let run = start(&world);
    let view = drive(&world, &run, stumbles);
    assert_eq!(view.stands, Stands::Done);
    assert_eq!(shown(&world, "T02"), "2");
    assert!(!state(&world).contains(" T01:"), "it was never retried");
}

/// Claims that task 02 is done, and never does it.
fn lies(world: &World, unit: &str, retry: u32) -> Turn {
    match unit {
        "T02" => Turn::Says("All is well.\n\nTASK COMPLETE\nFiles: b.txt"),
        _ => diligent(world, unit, retry),
    }
}

#[test]
fn a_lie_is_caught_by_the_checks_and_ends_in_a_pause() {
    let world = project("yolo", "");
    let run = start(&world);
    let view = drive(&world, &run, lies);
    assert!(matches!(view.stands, Stands::Held(Hold::NoProgress { .. })), "{:?}", view.stands);
    assert_eq!(shown(&world, "active"), "false");
    assert_eq!(shown(&world, "paused"), "true");
    assert!(shown(&world, "pause_reason").starts_with("no progress: "));
    assert!(shown(&world, "last_error").contains("b.txt contains"), "{}", state(&world));
    // Three equal failures are enough, though one retry was left.
    assert_eq!(shown(&world, "T02"), "2");
    assert_eq!(view.done.0, 1, "01 went on");
}

/// Repeats its prompt instead of working.
fn echoes(world: &World, unit: &str, retry: u32) -> Turn {
    match unit {
        "T02" => Turn::Says(
            "I was told:\n> TASK COMPLETE\n```\nTASK COMPLETE\n```\n- TASK COMPLETE\nTASK FAILED: {reason}",
        ),
        _ => diligent(world, unit, retry),
    }
}

#[test]
fn an_echo_of_the_instructions_is_no_report() {
    let world = project("yolo", "loop: {execute_max_retries: 1}\n");
    world.env.write("b.txt", "good\n");
    let run = start(&world);
    let view = drive(&world, &run, echoes);
    assert!(matches!(view.stands, Stands::Held(Hold::Exhausted { .. })), "{:?}", view.stands);
    assert_eq!(shown(&world, "pause_reason"), "Task 02 failed after 1 retries");
    assert!(shown(&world, "last_error").contains("no report marker"), "{}", state(&world));
}

/// Asks before it does task 01.
fn asks(world: &World, unit: &str, retry: u32) -> Turn {
    match unit {
        "T01" if world.env.read("decided").is_none() => {
            Turn::Says("CHECKPOINT: JWT or opaque tokens")
        }
        _ => diligent(world, unit, retry),
    }
}

#[test]
fn a_checkpoint_asks_even_in_yolo_and_goes_on_with_the_answer() {
    let world = project("yolo", "");
    let run = start(&world);
    let view = drive(&world, &run, asks);
    assert!(matches!(&view.stands, Stands::Held(Hold::Asked { what }) if what.contains("JWT")));
    assert_eq!(shown(&world, "awaiting"), "checkpoint");
    assert_eq!(shown(&world, "active"), "true");
    world.engine().plan_answer(&run, "JWT", "person").unwrap();
    world.env.write("decided", "");
    let working = world.engine().plan_view(&run).unwrap().working;
    assert!(working[0].prompt.contains("<decision>JWT</decision>"));
    assert_eq!(drive(&world, &run, asks).stands, Stands::Done);
}

/// Cannot reach its model in task 01, once.
fn limited(world: &World, unit: &str, retry: u32) -> Turn {
    match unit {
        "T01" if world.env.read("limited").is_none() => {
            world.env.write("limited", "");
            Turn::Limited
        }
        _ => diligent(world, unit, retry),
    }
}

#[test]
fn a_rate_limit_waits_spends_nothing_and_ends_when_a_person_says_so() {
    let world = project("yolo", "loop: {max_parallel: 1}\n");
    let run = start(&world);
    let view = drive(&world, &run, limited);
    assert!(matches!(view.stands, Stands::Waits { until: Some(_) }), "{:?}", view.stands);
    assert_eq!(shown(&world, "awaiting"), "rate_limit");
    assert!(shown(&world, "resume_after").starts_with("2199-01-01T00:00:00"));
    let edited = state(&world).replace("awaiting: rate_limit", "awaiting: null");
    assert_ne!(edited, state(&world), "{edited}");
    world.env.write(".gsd/STATE.md", edited);
    assert_eq!(drive(&world, &run, limited).stands, Stands::Done);
    assert_eq!(shown(&world, "final_iteration"), "0");
    assert!(!state(&world).contains(" T01:"), "no retry was spent");
}

/// Leaves a stub in task 03; its verifier finds the stub, and the fix replaces it.
pub(super) fn stubs(world: &World, unit: &str, retry: u32) -> Turn {
    match unit {
        "T03" => {
            world.env.write("c.txt", "stub\n");
            Turn::Says("TASK COMPLETE")
        }
        "verify" if world.env.read("c.txt").unwrap().contains("stub") => {
            verified(world, "gaps_found", "<gap type=\"stub\" file=\"c.txt\">only a stub</gap>");
            Turn::Says("done")
        }
        "FIX-01" => {
            world.env.write("c.txt", "c\n");
            Turn::Says("GAP CLOSED: wrote it")
        }
        _ => diligent(world, unit, retry),
    }
}

#[test]
fn a_stub_is_found_fixed_and_looked_at_again() {
    let world = project("yolo", "");
    let run = start(&world);
    let view = drive(&world, &run, stubs);
    assert_eq!(view.stands, Stands::Done);
    assert_eq!(shown(&world, "final_iteration"), "1");
    assert!(state(&world).contains("stub:c.txt"), "{}", state(&world));
    assert!(state(&world).contains("gaps_found") && state(&world).contains("passed"));
}

/// Removes in task 03 the work of the tasks before; each fix restores one of the files.
fn tidies(world: &World, unit: &str, retry: u32) -> Turn {
    match unit {
        "T03" => ["a.txt", "b.txt"].into_iter().for_each(|file| world.env.remove(file)),
        "FIX-01" => world.env.write("a.txt", "a\n"),
        "FIX-02" => world.env.write("b.txt", "good\n"),
        _ => {}
    }
    diligent(world, unit, retry)
}

#[test]
fn every_gap_of_a_round_is_fixed_in_it() {
    let world = project("yolo", "");
    let run = start(&world);
    assert_eq!(drive(&world, &run, tidies).stands, Stands::Done);
    assert_eq!(shown(&world, "final_iteration"), "1", "{}", state(&world));
    assert!(state(&world).contains("check_failed:b.txt"), "{}", state(&world));
}

/// Claims that everything passed, regardless of CI; a fix corrects the file that CI checks.
fn cheats(world: &World, unit: &str, retry: u32) -> Turn {
    if unit.starts_with("FIX") {
        world.env.write("code.txt", "good\n");
    }
    diligent(world, unit, retry)
}

#[test]
fn a_failed_stage_of_ci_is_a_gap_in_our_own_report() {
    let world = project("yolo", "ci: {test: sh test.sh}\n");
    world.trust(&["sh", "test.sh"]);
    let run = start(&world);
    loop {
        let view = world.engine().plan_view(&run).unwrap();
        if view.together.iter().any(|(unit, _)| unit.id.as_str() == "FIX-01") {
            break;
        }
        assert!(super::driver::step(&world, &run, cheats), "{:?}", view.stands);
    }
    let report = world.env.read(".gsd/plans/phase-1/VERIFICATION.md").unwrap();
    assert!(report.contains("## Status: gaps_found"), "{report}");
    assert!(report.contains("ci_failure") && report.contains("code.txt: not good"), "{report}");
    assert!(report.contains("| test | FAIL |"), "{report}");
    assert!(report.contains("CLAIMED"), "{report}");
    assert_eq!(shown(&world, "gaps_remaining"), "1");
    assert_eq!(drive(&world, &run, cheats).stands, Stands::Done);
}

#[test]
fn an_untrusted_command_never_runs() {
    let world = project("yolo", "ci: {test: sh test.sh}\n");
    let run = start(&world);
    let view = drive(&world, &run, diligent);
    assert!(matches!(view.stands, Stands::Held(Hold::Untrusted { .. })), "{:?}", view.stands);
    assert_eq!(shown(&world, "paused"), "true");
}

#[test]
fn a_person_is_asked_in_interactive_mode_and_no_answer_is_no_yes() {
    let world = project("interactive", "");
    let run = start(&world);
    assert_eq!(shown(&world, "awaiting"), "user");
    let view = drive(&world, &run, stumbles);
    let asked = "Task 02 failed. Retry? (0/3 attempts used) [Y/n]";
    assert_eq!(view.stands, Stands::Held(Hold::Asked { what: asked.to_owned() }));
    assert_eq!(shown(&world, "awaiting"), "user");
    world.engine().plan_answer(&run, "n", "person").unwrap();
    assert_eq!(shown(&world, "pause_reason"), "user declined retry");
    world.engine().resume(&run, "person").unwrap();
    let view = drive(&world, &run, stumbles);
    // A person who resumes gives a fresh try: it is not charged as a retry.
    let again = "Task 02 failed. Retry? (0/3 attempts used) [Y/n]";
    assert_eq!(view.stands, Stands::Held(Hold::Asked { what: again.to_owned() }));
}

#[test]
fn what_was_never_asked_is_not_answered_and_an_answer_in_the_document_is_kept() {
    let world = project("yolo", "");
    let run = start(&world);
    assert!(world.engine().drive_mode(&run, "interactive").unwrap());
    assert_eq!(shown(&world, "awaiting"), "user", "asked in the commit that makes it ask");
    let coming = || world.engine().drive_begin(&run, "agent", 8).unwrap();
    assert!(matches!(coming(), Coming::Held(Hold::Asked { .. })), "{:?}", coming());
    assert!(world.engine().drive_mode(&run, "yolo").unwrap());
    assert!(!state(&world).contains("awaiting: user"), "{}", state(&world));

    let world = project("yolo", "");
    let run = start(&world);
    world.env.write(".gsd/config.md", "---\nmode: interactive\n---\n");
    let coming = || world.engine().drive_begin(&run, "agent", 8).unwrap();
    assert!(matches!(coming(), Coming::Held(Hold::Asked { .. })), "{:?}", coming());
    // A person removes the question from the document.
    let answered = state(&world).replace("awaiting: user", "awaiting: null");
    assert_ne!(answered, state(&world));
    world.env.write(".gsd/STATE.md", answered);
    assert_eq!(begin(&world, &run).unit.id.as_str(), "T01");
    let own = world.env.read(format!(".sprag/runs/{run}/run.yaml")).unwrap();
    assert!(own.contains("agreed: 1") && !own.contains("asked"), "{own}");
    let view = drive(&world, &run, diligent);
    let asked = "Wave 1 complete. Continue to Wave 2?";
    assert_eq!(view.stands, Stands::Held(Hold::Asked { what: asked.to_owned() }));
}

#[test]
fn a_person_resumes_by_editing_the_document() {
    let world = project("yolo", "");
    let run = start(&world);
    drive(&world, &run, lies);
    let edited = state(&world)
        .replace("active: false", "active: true")
        .replace("paused: true", "paused: false");
    world.env.write(".gsd/STATE.md", edited);
    assert_eq!(drive(&world, &run, diligent).stands, Stands::Done);

    let world = project("yolo", "");
    let run = start(&world);
    let edited = state(&world).replace("  active: true", "  active: true\n  paused: true");
    assert_ne!(edited, state(&world));
    world.env.write(".gsd/STATE.md", edited);
    let view = drive(&world, &run, diligent);
    assert!(matches!(view.stands, Stands::Held(Hold::Person { .. })), "{:?}", view.stands);
}

#[test]
fn a_corrupt_state_is_never_overwritten() {
    let world = project("yolo", "");
    let run = start(&world);
    let broken = state(&world).replace("iteration: 0", "iteration: a[$(touch PWNED)]");
    world.env.write(".gsd/STATE.md", broken.clone());
    let error = world.engine().plan_view(&run).unwrap_err().to_string();
    assert!(error.contains("loop state unreadable"), "{error}");
    assert_eq!(state(&world), broken);
    assert!(world.env.read("PWNED").is_none());
}

#[test]
fn a_plan_that_changed_on_the_way_needs_a_person() {
    let world = project("yolo", "");
    let run = start(&world);
    let easier = super::driver::PLAN.replace("contains \"good\"", "contains \"b\"");
    world.env.write(".gsd/plans/phase-1/plan.md", easier);
    let view = drive(&world, &run, diligent);
    assert!(matches!(view.stands, Stands::Held(Hold::Changed { .. })), "{:?}", view.stands);
    let coming = world.engine().drive_begin(&run, "agent", 8).unwrap();
    assert!(matches!(coming, Coming::Held(Hold::Changed { .. })), "{coming:?}");
    assert!(shown(&world, "pause_reason").contains("changed since the run began"));
    world.engine().approve(&run, None, "person").unwrap();
    assert_eq!(drive(&world, &run, diligent).stands, Stands::Done);
}

#[test]
fn who_changes_its_plan_is_judged_by_the_text_before() {
    let world = project("yolo", "");
    let run = start(&world);
    let plan = ".gsd/plans/phase-1/plan.md";
    let before = world.env.read(plan).unwrap();
    // Without its checks nothing could fail any more.
    let open = before.replace("a.txt exists", "all is well");
    assert_ne!(open, before);
    let end = || {
        let work = begin(&world, &run);
        world.env.write(plan, open.clone());
        world.engine().drive_end(&run, work.fence, "TASK COMPLETE").unwrap().end
    };
    assert!(matches!(end(), UnitEnd::Failed { .. }), "its checks are those of before");
    world.env.write("a.txt", "a\n");
    let UnitEnd::SentBack { inputs } = end() else { panic!("it counted") };
    assert_eq!(inputs.iter().map(ToString::to_string).collect::<Vec<_>>(), [plan]);
    let UnitEnd::Held { hold } = end() else { panic!("it counted") };
    assert!(hold.to_string().contains(&format!("the agent changed `{plan}`")), "{hold}");
    // An agent that changed the one document gains nothing by editing the other.
    let freed = state(&world)
        .replace("active: false", "active: true")
        .replace("paused: true", "paused: false");
    world.env.write(".gsd/STATE.md", freed);
    world.engine().resume(&run, "person").unwrap();
    let fence = world.engine().plan_view(&run).unwrap().working[0].fence;
    let again = || world.engine().drive_end(&run, fence, "TASK COMPLETE").unwrap().end;
    assert!(matches!(again(), UnitEnd::Held { .. }), "no person agreed to it");
    world.env.write(plan, before);
    world.engine().resume(&run, "person").unwrap();
    assert!(matches!(again(), UnitEnd::Passed { .. }), "undoing it needs no person");
}

#[test]
fn settings_that_change_while_somebody_works_count_once_a_person_agrees() {
    for doc in [".gsd/config.md", ".sprag/config.yaml"] {
        let world = project("yolo", "max_parallel: 2\n");
        let run = start(&world);
        let (_, second) = (begin(&world, &run), begin(&world, &run));
        let text = world.env.read(doc).unwrap_or_default();
        world.env.write("b.txt", "good b\n");
        world.env.write(doc, text.replace("max_parallel: 2", "max_parallel: 9") + "\n# mine\n");
        let engine = world.engine();
        let end = |fence| engine.drive_end(&run, fence, "TASK COMPLETE").unwrap().end;
        // Either of them may have changed it, so neither is sent back.
        let UnitEnd::Held { hold } = end(second.fence) else { panic!("{doc}: it counted") };
        assert!(hold.to_string().contains(&format!("the agent changed `{doc}`")), "{hold}");
        world.agrees(&run);
        // From then on, everything is judged by the text that a person accepted.
        let UnitEnd::Passed { .. } = end(second.fence) else { panic!("{doc}: it was not judged") };
    }
}

#[test]
fn a_state_of_gsd_is_not_written_over() {
    let world = project("yolo", "");
    world.env.write(".gsd/milestones/M001/M001-ROADMAP.md", "# M001\n");
    let state_of_gsd = "# GSD State\n\n**Active Slice:** S01\n";
    world.env.write(".gsd/STATE.md", state_of_gsd);
    let error = world.engine().plan_start(None).unwrap_err().to_string();
    assert!(error.contains("is the one of GSD"), "{error}");
    assert_eq!(state(&world), state_of_gsd);
}

#[test]
fn without_a_state_one_is_made() {
    let world = project("yolo", "");
    world.env.remove(".gsd/STATE.md");
    let run = start(&world);
    assert_eq!(drive(&world, &run, diligent).stands, Stands::Done);
    assert_eq!(shown(&world, "completed"), "true");
}

#[test]
fn a_cancelled_run_leaves_the_loop_to_the_next_one() {
    let world = project("yolo", "");
    let run = start(&world);
    world.engine().cancel(&run, "person").unwrap();
    assert_eq!(shown(&world, "pause_reason"), "cancelled");
    let next = start(&world);
    assert_ne!(next, run);
    assert_eq!(drive(&world, &next, diligent).stands, Stands::Done);
}

#[test]
fn runs_that_are_over_are_told_of_when_another_has_the_loop_and_even_without_their_plan() {
    let world = project("yolo", "");
    let cancelled = start(&world);
    world.engine().cancel(&cancelled, "person").unwrap();
    let done = start(&world);
    assert_eq!(drive(&world, &done, diligent).stands, Stands::Done);
    let plan = super::driver::PLAN.replace("phase: 1", "phase: 2");
    world.env.write(".gsd/plans/phase-2/plan.md", plan);
    let next = world.engine().plan_start(Some("2")).unwrap();
    let stands = |run| world.engine().plan_view(run).unwrap().stands;
    let before = state(&world);
    for _ in 0..2 {
        assert_eq!((stands(&cancelled), stands(&done)), (Stands::Cancelled, Stands::Done));
        assert_eq!(world.engine().plan_view(&done).unwrap().stage, Stage::Done);
        let (shown, unusable) = world.engine().shown().unwrap();
        assert_eq!((shown.len(), unusable.len()), (3, 0), "{unusable:?}");
        std::fs::remove_dir_all(world.env.project().join(".gsd/plans/phase-1")).ok();
    }
    // Verbs on a finished run do not affect the loop, which belongs to the next one.
    let _ = world.engine().cancel(&done, "person");
    let _ = world.engine().resume(&cancelled, "person");
    assert_eq!(state(&world), before);

    // An open run cannot continue without its loop.
    let lost = state(&world).replace(&format!("sprag:{next}"), "somebody");
    world.env.write(".gsd/STATE.md", lost);
    let error = world.engine().plan_view(&next).unwrap_err().to_string();
    assert!(error.contains("not the one of"), "{error}");
}

#[test]
fn a_counter_of_the_original_is_believed_until_the_verification() {
    let world = project("yolo", "");
    let counted = state(&world).replace("phase: null\ntask: null", "phase: 1\ntask: 2/3");
    world.env.write(".gsd/STATE.md", &counted);
    let run = start(&world);
    let view = world.engine().plan_view(&run).unwrap();
    assert_eq!((view.done, view.together[0].0.id.as_str()), ((2, 3), "T03"));
    let view = drive(&world, &run, diligent);
    // a.txt and b.txt were never written, and that is found.
    assert!(state(&world).contains("check_failed"), "{}", state(&world));
    assert_ne!(view.stands, Stands::Done);
    let summary = world.env.read(".gsd/plans/phase-1/summary.md").unwrap();
    assert!(summary.contains("| 02 | complete | b.txt is good | 0 | 1 |"), "{summary}");

    for other in ["phase: 2\ntask: 2/3", "phase: 1\ntask: 2/7", "phase: 1\ntask: many"] {
        let world = project("yolo", "");
        world.env.write(".gsd/STATE.md", counted.replace("phase: 1\ntask: 2/3", other));
        let view = world.engine().plan_view(&start(&world)).unwrap();
        assert_eq!(view.done, (0, 3), "{other}");
    }
}

#[test]
fn a_counter_of_our_own_is_not_taken_for_the_first_tasks() {
    let world = project("yolo", "");
    let run = start(&world);
    while shown(&world, "task") != "1/3" {
        assert!(super::driver::step(&world, &run, diligent));
    }
    world.engine().cancel(&run, "person").unwrap();
    let next = start(&world);
    assert_eq!(world.engine().plan_view(&next).unwrap().done, (0, 3));
}

#[test]
fn no_more_work_is_begun_than_may_run_together() {
    let world = project("yolo", "loop: {max_parallel: 1}\n");
    let run = start(&world);
    let work = begin(&world, &run);
    assert_eq!(work.unit.id.as_str(), "T01");
    let end = |fence| world.engine().drive_end(&run, fence, "TASK COMPLETE").unwrap().end;
    let coming = world.engine().drive_begin(&run, "agent", 8).unwrap();
    assert!(matches!(coming, Coming::Wait { .. }), "{coming:?}");
    let more = "---\nmode: yolo\nloop: {max_parallel: 2}\n---\n";
    let before = world.env.read(".gsd/config.md").unwrap();
    world.env.write(".gsd/config.md", more);
    let coming = world.engine().drive_begin(&run, "agent", 8).unwrap();
    assert!(matches!(coming, Coming::Wait { .. }), "an agent works, and may have written it");
    world.env.write(".gsd/config.md", before);
    world.env.write("a.txt", "a\n");
    let UnitEnd::Passed { .. } = end(work.fence) else { panic!() };
    // No agent is working, so this is a person's edit.
    world.env.write(".gsd/config.md", more);
    assert_eq!(begin(&world, &run).unit.id.as_str(), "T02");
    let coming = world.engine().drive_begin(&run, "agent", 8).unwrap();
    assert!(matches!(&coming, Coming::Wait { on, .. } if on == "T02"), "there is room: {coming:?}");
}

#[test]
fn a_phase_is_the_same_however_it_is_written() {
    let world = project("yolo", "");
    let zero = super::driver::PLAN.replace("phase: 1", "phase: 01");
    world.env.write(".gsd/plans/phase-1/plan.md", zero);
    let run = world.engine().plan_start(Some("01")).unwrap();
    assert_eq!(world.engine().plan_start(Some("1")).unwrap(), run, "it goes on");
    assert_eq!(world.engine().plan_next(Some("1")).unwrap().run, Some(run.clone()));
    assert_eq!(drive(&world, &run, diligent).stands, Stands::Done);
    let lists = sprag_formats::plan::state::phases(&state(&world)).unwrap();
    assert_eq!((lists.complete, lists.pending), (vec!["1".to_owned()], vec![]));
}

#[test]
fn an_attempt_that_is_lost_spends_no_retry_whether_or_not_it_ran() {
    let world = project("yolo", "");
    let run = start(&world);
    let engine = world.engine();
    let begin = || {
        let work = begin(&world, &run);
        assert_eq!(work.unit.id.as_str(), "T01");
        work.fence
    };
    let first = begin();
    engine.drive_end(&run, first, "TASK FAILED: no compiler").unwrap();
    let retry = begin();
    assert_eq!(shown(&world, "T01"), "1", "it is charged before it runs");
    engine.drive_lost(&run, retry, Ran::No, "").unwrap();
    assert!(engine.drive_end(&run, retry, "TASK COMPLETE").is_err(), "no agent holds it any more");
    let again = begin();
    assert_eq!(shown(&world, "T01"), "1", "the one that never ran was given back");
    engine.drive_lost(&run, again, Ran::Yes, "").unwrap();
    begin();
    assert_eq!(shown(&world, "T01"), "1", "nothing failed, so nothing is spent");
}
