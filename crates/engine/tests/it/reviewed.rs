//! A reviewed phase in a session: its agent cannot review its own work.

use sprag_core::Hold;
use sprag_core::basis::InputKey;
use sprag_engine::drive::{AgentEnd, BegunUnit, Coming, ReviewResult, UnitEnd};
use sprag_engine::step::{Stepped, WorkflowActor};
use sprag_world::process::Exit;

use crate::world::{World, session};

const BUILD: &str = "---\nid: build\nname: Build\nemoji: 🔨\ngates:\n  - run: sh test.sh\n    protect: \
                     ['test.sh']\nreview: {reviewer: codex}\n---\nBuild it.\n";
const SHIP: &str = "---\nid: ship\nname: Ship\nemoji: 🚢\n---\nShip it.\n";

fn world() -> World {
    let world = World::new("");
    let workflow =
        "name: Dev\ncommandName: dev\ninitialMessage: Begin\nphases: [build.md, ship.md]\n";
    world.env.write(".sprag/workflows/dev/workflow.yaml", workflow);
    world.env.write(".sprag/workflows/dev/build.md", BUILD);
    world.env.write(".sprag/workflows/dev/ship.md", SHIP);
    world.trust(&["sh", "test.sh"]);
    world
}

fn work(coming: Coming) -> Box<BegunUnit> {
    match coming {
        Coming::Begun(work) => work,
        other @ (Coming::Held(_) | Coming::Wait { .. } | Coming::Done | Coming::Cancelled) => {
            panic!("{other:?}")
        }
    }
}

/// An agent that was stopped before it reported anything.
fn stopped() -> AgentEnd {
    AgentEnd {
        exit: Ok(Exit::Stopped),
        said: String::new(),
        complaint: String::new(),
        session: None,
        micro_usd: None,
        tokens: None,
        limited: None,
        failed: None,
        took: std::time::Duration::ZERO,
        left_behind: false,
    }
}

#[test]
fn a_session_is_let_go_and_cannot_pass_its_own_review() {
    let world = world();
    world.begins("a");
    let begun = world.engine().start("dev", "csv", Some(&session("a"))).unwrap();
    let run = begun.run;
    world.edits("a", "code.txt", "good\n");
    let said = world.free("a").join("\n");
    let line = format!("Build waits for its review by `codex`: `sprag run {run}`");
    assert!(said.contains(&line), "{said}");
    for _ in 0..2 {
        let stepped =
            world.engine().step_next(&run, WorkflowActor::Session(&session("a")), None).unwrap();
        let Stepped::Held { hold } = stepped else { panic!("{stepped:?}") };
        assert!(hold.to_string().contains(&line), "{hold}");
    }
    let yaml = world.env.read(format!(".sprag/runs/{run}/run.yaml")).unwrap();
    assert!(yaml.contains("stage: review") && !yaml.contains("unit:"), "nothing was begun: {yaml}");
}

#[test]
fn a_driver_has_the_reviewer_named_and_no_session_mixed_up() {
    let world = world();
    let begun = world.engine().start("dev", "csv", None).unwrap();
    let run = begun.run;
    let engine = world.engine();
    engine.drive_claim(&run).unwrap();
    let stop = sprag_world::process::StopHandle::new().unwrap();
    stop.ask();
    let unseeing = world.engine().ended_by(&stop);
    let judge = unseeing.drive_judge(&run).unwrap();
    assert_eq!(judge.as_deref(), Some("codex"), "no look at the files for that");
    let first = work(engine.drive_begin(&run, "claude", 1).unwrap());
    assert_eq!((first.unit.id.as_str(), first.host.as_deref()), ("dev/build", None));
    world.env.write("code.txt", "good\n");
    engine.drive_end(&run, first.fence, "built it").unwrap();

    assert_eq!(engine.drive_judge(&run).unwrap(), None, "the turn is theirs");
    let review = work(engine.drive_begin(&run, "claude", 1).unwrap());
    assert_eq!(review.unit.id.as_str(), "dev/build review 1");
    assert_eq!(review.host.as_deref(), Some("codex"));
    assert!(review.denied.contains(&"@edit".to_owned()));
    assert_eq!(review.prompt.matches("Change no file").count(), 1);
    let end = AgentEnd { session: Some("s-review".to_owned()), ..stopped() };
    engine.drive_heard(&run, review.fence, (&end, None), None).unwrap();
    assert_eq!(engine.drive_session(&run, "codex").unwrap(), None, "it is not continued");
    let said = "VERDICT: issues\n- [minor] code.txt:1: too short";
    let judged = engine.drive_end(&run, review.fence, said).unwrap();
    let findings = vec!["[minor] code.txt:1: too short".to_owned()];
    assert_eq!(judged.end, UnitEnd::Reviewed(ReviewResult::Found { findings }));

    let fix = work(engine.drive_begin(&run, "claude", 1).unwrap());
    assert_eq!((fix.unit.id.as_str(), fix.host.as_deref()), ("dev/build fix 1", None));
    assert!(fix.reminder.starts_with("A reviewer looked at the work"), "{}", fix.reminder);
    world.env.write("test.sh", "exit 0\n");
    world.env.write("code.txt", "good, and longer\n");
    let judged = engine.drive_end(&run, fix.fence, "mended").unwrap();
    let inputs = [InputKey::file("test.sh")].into();
    assert_eq!(judged.end, UnitEnd::SentBack { inputs });
    let again = work(engine.drive_begin(&run, "claude", 1).unwrap());
    assert_eq!(again.unit.id, fix.unit.id);
    assert!(
        again.prompt.contains("you changed files it is judged by: test.sh."),
        "{}",
        again.prompt
    );
    let judged = engine.drive_end(&run, again.fence, "it must be so").unwrap();
    let UnitEnd::Held { hold } = judged.end else { panic!("{judged:?}") };
    assert!(hold.to_string().contains("the agent changed `test.sh`"), "{hold}");
}

#[test]
fn what_an_agent_cost_is_kept_also_where_its_run_was_cancelled_and_would_be_held() {
    let world = world();
    let engine = world.engine();
    let begun = engine.start("dev", "csv", None).unwrap();
    let run = begun.run;
    engine.drive_claim(&run).unwrap();
    let first = work(engine.drive_begin(&run, "claude", 1).unwrap());
    engine.cancel(&run, "somebody").unwrap();
    let end = AgentEnd { tokens: Some(7), ..stopped() };
    let hold = Hold::NoProgress { what: "nothing".into() };
    engine.drive_heard(&run, first.fence, (&end, None), Some(&hold)).unwrap();
    assert_eq!(engine.drive_spent(&run).unwrap().tokens, 7);
}
