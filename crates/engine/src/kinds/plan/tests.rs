//! Tests of the lens: a document that was read and not changed gets no edit, in every state.

use sprag_core::{Fence, Hold, RunId, Time};
use sprag_store::Place;
use sprag_testkit::TestEnv;

use super::*;
use crate::drive::Coming;
use crate::engine::Engine;
use crate::kinds::KINDS;
use crate::run_file::RunFile;

const PLAN: &str = "---\nphase: 1\ntitle: One\n---\n\n<task id=\"01\">\n  <files>\n    \
    <file>a.txt</file>\n  </files>\n  <action>\n    Do it.\n  </action>\n  <verify>\n    \
    <check type=\"file\">a.txt exists</check>\n  </verify>\n  <done>It is there.</done>\n</task>\n";

/// A project with a plan of one task, in a state that a person wrote by hand.
fn project() -> TestEnv {
    let env = TestEnv::new();
    env.write(".gsd/config.md", "---\nmode: yolo\nloop: {execute_max_retries: 1}\n---\n");
    env.write(".gsd/plans/phase-01/plan.md", PLAN);
    env.write(
        ".gsd/STATE.md",
        "---\r\nloop: # ours\r\n  active: \"no\"\r\n  odd: 1\r\n---\r\nbody\r\n",
    );
    env
}

#[track_caller]
fn unchanged(engine: &Engine<'_>, run: &RunId) {
    let (own, foreign) = engine
        .look(|view| {
            let file = RunFile::open(KINDS, view, run, None)?;
            Ok((file.edit()?, file.live.foreign_edits()?))
        })
        .unwrap();
    assert_eq!((own.is_none(), foreign.len()), (true, 0), "{own:?} {foreign:?}");
}

/// Begins the first task.
fn begin(engine: &Engine<'_>, run: &RunId) -> Fence {
    let coming = engine.drive_begin(run, "agent", 1).unwrap();
    let Coming::Begun(work) = coming else { panic!("{coming:?}") };
    assert_eq!(work.unit.id.as_str(), "T01");
    work.fence
}

#[test]
fn what_is_read_is_written_back_as_nothing_in_every_state() {
    let env = project();
    let place = Place::of(env.project());
    let engine = Engine::open(&place, &[]).unwrap();
    let run = engine.plan_start(None).unwrap();
    unchanged(&engine, &run);
    let fence = begin(&engine, &run);
    unchanged(&engine, &run);
    engine.drive_end(&run, fence, "TASK FAILED: no").unwrap();
    unchanged(&engine, &run);
    let fence = begin(&engine, &run);
    unchanged(&engine, &run);
    let at = Time::parse("2199-01-01T00:00:00Z").unwrap();
    engine.drive_stall(&run, fence, Hold::Until { at, why: "limit".to_owned() }).unwrap();
    unchanged(&engine, &run);
    engine.resume(&run, "person").unwrap();
    engine.drive_end(&run, fence, "CHECKPOINT: which?").unwrap();
    unchanged(&engine, &run);
    engine.plan_answer(&run, "this", "person").unwrap();
    unchanged(&engine, &run);
    engine.pause(&run, "lunch", None, "person").unwrap();
    unchanged(&engine, &run);
    engine.resume(&run, "person").unwrap();
    engine.drive_end(&run, fence, "TASK COMPLETE").unwrap();
    unchanged(&engine, &run);
    let state = env.read(".gsd/STATE.md").unwrap();
    assert!(state.contains("loop: # ours\r\n") && state.contains("odd: 1\r\n"), "{state}");
    assert!(!state.replace("\r\n", "").contains('\n'), "line ends stay");
    assert!(state.ends_with("---\r\nbody\r\n"));
}

#[test]
fn counters_that_a_person_wrote_count() {
    let env = project();
    let place = Place::of(env.project());
    let engine = Engine::open(&place, &[]).unwrap();
    let run = engine.plan_start(None).unwrap();
    let fence = begin(&engine, &run);
    engine.drive_end(&run, fence, "TASK FAILED: no").unwrap();
    // However the key is written, it is this task's.
    let state = env.read(".gsd/STATE.md").unwrap();
    let spent = state.replace("  odd: 1\r\n", "  odd: 1\r\n  task_retries: {1: 1}\r\n");
    assert_ne!(spent, state);
    env.write(".gsd/STATE.md", spent);
    let view = engine.plan_view(&run).unwrap();
    assert!(matches!(view.stands, Stands::Held(Hold::Exhausted { .. })), "{:?}", view.stands);
}
