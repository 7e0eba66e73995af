//! A session that works for a loop and stops, through the same entry point as every host hook.

use sprag_core::{Call, RunId};
use sprag_engine::attach::HookEnv;
use sprag_engine::drive::Coming;
use sprag_engine::hooks::ToolUse;
use sprag_engine::milestones::Dispatch;
use sprag_engine::stop::{StopAnswer, Stopping};

use super::driver::{Driver, End, Story};
use super::{begun, known, world};
use crate::world::{World, session};

const REVIEW: &str = ".thoughts/pr/review.md";

/// Hands out the next unit, as a runner does before it starts an agent.
fn handed_out(world: &World, run: &RunId) -> String {
    let driver = Driver::new(world, Story::Idle, None);
    driver.sync();
    world.engine().review_look(run, &driver.github(), "runner").unwrap();
    match world.engine().dispatch(run, "runner").unwrap() {
        Dispatch::Begun { unit, .. } => unit.id.to_string(),
        other @ (Dispatch::Held(_) | Dispatch::Wait(_) | Dispatch::Done) => panic!("{other:?}"),
    }
}

/// Stops a session whose environment names its run.
fn stops(world: &World, name: &str, run: &RunId) -> StopAnswer {
    let told = HookEnv { run: Some(run), ..HookEnv::default() };
    let stopping = Stopping { cap: Some(8), told, said: None };
    world.engine().stop(&session(name), stopping).unwrap()
}

fn refused(answer: StopAnswer) -> String {
    match answer {
        StopAnswer::Refuse { message, .. } => message,
        StopAnswer::Allow { say } => panic!("let go: {say:?}"),
    }
}

fn let_go(answer: &StopAnswer) -> &[String] {
    match answer {
        StopAnswer::Allow { say } => say,
        StopAnswer::Refuse { message, .. } => panic!("refused: {message}"),
    }
}

/// A loop at its first review, given to a session.
fn reviewing() -> (World, RunId) {
    let world = world();
    // The first commit is the only one with failing checks.
    world.env.write("code.txt", "mended\n");
    world.env.git(&["commit", "-qam", "mended"]);
    begun(&world, Story::Idle);
    let run = world.engine().review_run("runner").unwrap();
    world.begins("rev");
    assert_eq!(handed_out(&world, &run), "review/1");
    (world, run)
}

#[test]
fn a_reviewer_who_leaves_nothing_is_kept_once_and_then_it_is_a_persons() {
    let (world, run) = reviewing();
    let said = refused(stops(&world, "rev", &run));
    assert!(said.contains("could not be read") && said.contains(REVIEW), "{said}");
    let answer = stops(&world, "rev", &run);
    let say = let_go(&answer).join("\n");
    assert!(say.contains("waits for you"), "{say}");
    assert_eq!(Driver::new(&world, Story::Idle, None).due(&run), 0, "nothing is posted");
}

#[test]
fn a_review_that_was_left_ends_the_reviewers_part_and_the_developers_is_another_session() {
    let (world, run) = reviewing();
    world.env.write(REVIEW, "VERDICT: issues\n- [critical] code.txt:1: wrong\n");
    let_go(&stops(&world, "rev", &run));
    assert!(world.env.read(REVIEW).is_none(), "it was taken");
    assert_eq!(known(&world).turn.as_deref(), Some("RESPONSE"));
    assert_eq!(Driver::new(&world, Story::Idle, None).due(&run), 1);
    let_go(&stops(&world, "rev", &run));
    world.engine().session_ends(&session("rev"), false).unwrap();
    world.begins("dev");
    assert_eq!(handed_out(&world, &run), "response/1");
    let answer = stops(&world, "dev", &run);
    let say = let_go(&answer).join("\n");
    assert!(say.contains("neither dealt with nor refused"), "{say}");
}

#[test]
fn a_session_beside_the_loop_is_never_held_by_it() {
    let (world, run) = reviewing();
    let_go(&stops(&world, "other", &RunId::parse("r-none").unwrap()));
    world.begins("other");
    let_go(&world.stops("other"));
    let end = Driver::new(&world, Story::Good, None).next(&run);
    assert_eq!(end, End::Goes, "the attempt is still there for its holder");
}

#[test]
fn an_agent_of_the_loop_cannot_write_where_it_stands() {
    let (world, run) = reviewing();
    stops(&world, "rev", &run);
    let call = Call::named("Edit");
    let writes = [world.env.project().join(".thoughts/pr/metadata.yaml")];
    let using = ToolUse { call: &call, changes: true, writes: &writes, subagent: false };
    let denied = world.engine().before_tool(&session("rev"), &using).unwrap();
    assert!(denied.is_some_and(|why| why.contains("sprag pr meta")));
    let writes = [world.env.project().join(REVIEW)];
    let using = ToolUse { writes: &writes, ..using };
    assert_eq!(world.engine().before_tool(&session("rev"), &using).unwrap(), None);
}

#[test]
fn a_reviewer_gets_no_tools_that_change_what_it_judges() {
    let world = world();
    world.env.write("code.txt", "mended\n");
    world.env.git(&["commit", "-qam", "mended"]);
    begun(&world, Story::Idle);
    let run = world.engine().review_run("runner").unwrap();
    let driver = Driver::new(&world, Story::Idle, None);
    driver.sync();
    world.engine().review_look(&run, &driver.github(), "runner").unwrap();
    let named = world.engine().review_named(&run).unwrap();
    assert_eq!(named.map(|(part, name)| (part.as_str(), name)), Some(("reviewer", "rev".into())));
    let coming = world.engine().drive_begin(&run, "claude", 1).unwrap();
    let Coming::Begun(work) = coming else { panic!("{coming:?}") };
    assert_eq!((work.unit.id.as_str(), work.denied), ("review/1", vec!["@edit".to_owned()]));
}
