use sprag_core::{Call, RunId};
use sprag_engine::session_line::SessionLine;
use sprag_engine::status::Status;
use sprag_engine::step::{Stepped, WorkflowActor};

use crate::world::{World, session};

const PLAN: &str =
    "---\nid: plan\nname: Plan\nemoji: 🗺\ntools: {blacklist: ['@edit']}\n---\nThink.\n";
const BUILD: &str = "---\nid: build\nname: Build\nemoji: 🔨\ngates:\n  - run: sh test.sh\n    \
                     protect: ['test.sh']\nretry: {max: 1}\n---\nBuild {description}.\n";
const SHIP: &str =
    "---\nid: ship\nname: Ship\nemoji: 🚢\ngates:\n  - human: may it ship?\n---\nShip it.\n";

/// A project with a workflow of three phases: one ungated, one gated, one asking a person.
fn world() -> World {
    let world = World::new("");
    world.env.write(
        ".sprag/workflows/feature/workflow.yaml",
        "name: Feature\ncommandName: feature\ninitialMessage: 'Begin {description}'\n\
         phases: [plan.md, build.md, ship.md]\n",
    );
    for (name, text) in [("plan", PLAN), ("build", BUILD), ("ship", SHIP)] {
        world.env.write(format!(".sprag/workflows/feature/{name}.md"), text);
    }
    world.trust(&["sh", "test.sh"]);
    world
}

fn start(world: &World) -> RunId {
    world.begins("a");
    let begun = world.engine().start("feature", "csv export", Some(&session("a"))).unwrap();
    assert!(begun.driven && begun.message.starts_with("Begin csv export"));
    begun.run
}

fn next(world: &World, run: &RunId) -> Stepped {
    world.engine().step_next(run, WorkflowActor::Session(&session("a")), Some("did it")).unwrap()
}

fn moved(stepped: &Stepped) -> &str {
    match stepped {
        Stepped::Moved { text } => text,
        Stepped::Failed { .. } | Stepped::Held { .. } => panic!("{stepped:?}"),
    }
}

#[test]
fn phases_are_left_by_word_by_gate_and_by_a_person() {
    let world = world();
    let run = start(&world);
    assert!(world.refused("a").contains("You must NOT stop yet"), "ungated: the agent must say so");
    assert!(moved(&next(&world, &run)).starts_with("✓ Advanced: Plan → 🔨 Build"));
    let Stepped::Failed { text } = next(&world, &run) else { panic!() };
    assert!(text.contains("code.txt: not good"), "{text}");
    let message = world.refused("a");
    assert!(
        message.contains("Retry 1 of 1.") && message.contains("Build csv export."),
        "{message}"
    );
    world.edits("a", "code.txt", "good\n");
    assert!(world.refused("a").contains("Ship it."), "the gate passed, and the next phase waits");
    let said = world.free("a");
    assert_eq!(world.waits(), ["asks: may it ship?"], "{said:?}");
    assert!(matches!(next(&world, &run), Stepped::Held { .. }));
    let said = world.engine().approve(&run, None, "person").unwrap();
    assert!(said.contains("✅ **Feature Complete**"), "{said}");
    assert_eq!(world.free("a"), [""; 0], "the end is said once");
    assert!(world.env.read(format!(".sprag/runs/{run}/run.yaml")).unwrap().contains("ended:"));
}

#[test]
fn tools_are_gated_by_the_phase() {
    let world = world();
    let run = start(&world);
    let engine = world.engine();
    let edit = Call { also: vec!["@edit".to_owned()], ..Call::named("Write") };
    let denied = world.uses("a", &edit, false).unwrap();
    assert!(denied.contains("The tool \"Write\" is blocked during the Plan phase."), "{denied}");
    assert_eq!(world.uses("a", &edit, true), None, "a subagent is not judged by the phase");
    assert_eq!(world.uses("b", &edit, false), None, "another session is not touched");
    moved(&next(&world, &run));
    assert_eq!(world.uses("a", &edit, false), None);
    assert_eq!(engine.why_tool(|_| edit.clone()).unwrap().0, [(run, None)]);
}

#[test]
fn exhausted_retries_hold_the_run_and_a_person_resumes_it() {
    let world = world();
    let run = start(&world);
    moved(&next(&world, &run));
    world.edits("a", "code.txt", "bad\n");
    world.refused("a");
    world.edits("a", "code.txt", "worse\n");
    world.env.write("test.sh", "echo another; exit 1\n");
    let said = world.free("a");
    assert!(said.iter().any(|line| line.contains("reached its limit")), "{said:?}");
    world.engine().resume(&run, "person").unwrap();
    world.edits("a", "code.txt", "good\n");
    world.env.write("test.sh", "exit 0\n");
    let told = world.refused("a");
    assert!(told.contains("you changed files it is judged by: test.sh."), "{told}");
    let said = world.free("a");
    assert!(said[0].contains("the agent changed `test.sh`"), "{said:?}");
}

#[test]
fn a_changed_definition_is_judged_by_the_recorded_one() {
    let world = world();
    let run = start(&world);
    moved(&next(&world, &run));
    world.env.write(".sprag/workflows/feature/build.md", BUILD.replace("sh test.sh", "echo ok"));
    world.edits("a", "code.txt", "bad\n");
    assert!(world.refused("a").contains("`sh test.sh` exit 1"));
    world.edits("a", "code.txt", "good\n");
    let told = world.refused("a");
    let file = ".sprag/workflows/feature/build.md";
    assert!(told.contains(&format!("you changed files it is judged by: {file}.")), "{told}");
    let said = world.free("a");
    assert!(said[0].contains(&format!("the agent changed `{file}`")), "{said:?}");
    // A run that starts now is judged by the earlier text.
    let begun = world.engine().start("feature", "again", None).unwrap().run;
    let copy = |run: &RunId| world.env.read(format!(".sprag/runs/{run}/definition.json")).unwrap();
    assert_eq!(copy(&begun), copy(&run));
    // A person approves the change; its new command may not run yet.
    world.agrees(&run);
    let said = world.free("a");
    assert!(said[0].contains("`echo ok` is not yet allowed to run here"), "{said:?}");
}

#[test]
fn a_run_is_resumed_from_files_alone_and_claimed_by_one_session() {
    let world = world();
    let begun = world.engine().start("feature", "csv export", None).unwrap();
    assert!(!begun.driven);
    let told = world.begins("a").unwrap();
    assert!(told.contains("**Task:** csv export") && told.contains("sprag step next"), "{told}");
    assert_eq!(world.begins("b"), None, "it is the other session's");
    assert_eq!(world.free("b"), [""; 0]);
    world.refused("a");
    world.engine().session_ends(&session("a"), false).unwrap();
    world.engine().session_ends(&session("b"), false).unwrap();
    let told = world.begins("c").unwrap();
    assert!(told.contains("**Task:** csv export"), "a released run is taken up: {told}");
    world.refused("c");
    assert_eq!(world.begins("a"), None, "it comes too late");
}

#[test]
fn a_person_pauses_and_cancels_a_run() {
    let world = world();
    let run = start(&world);
    let hour = std::time::Duration::from_hours(1);
    world.engine().pause(&run, "lunch", Some(hour), "person").unwrap();
    assert_eq!(world.free("a"), [""; 0]);
    world.engine().resume(&run, "person").unwrap();
    world.refused("a");
    world.engine().cancel(&run, "person").unwrap();
    assert_eq!(world.free("a"), [""; 0]);
    assert!(world.engine().resume(&run, "person").is_err(), "it is over");
}

#[test]
fn a_pause_waits_for_nobody_to_tell_the_files() {
    let world = world();
    let run = start(&world);
    world.env.git(&["init", "-q"]);
    world.env.write(".git/config", "[core\n");
    assert!(world.engine().resume(&run, "person").is_err(), "the files are unknown");
    world.engine().pause(&run, "lunch", None, "person").unwrap();
}

#[test]
fn unknown_names_and_broken_workflows_are_told_apart() {
    let world = world();
    world.env.write(".sprag/workflows/broken/workflow.yaml", "name: [\n");
    let engine = world.engine();
    let fault = |name: &str| engine.start(name, "x", None).unwrap_err().to_string();
    assert_eq!(fault("fature"), "no workflow is called `fature`; there are: feature");
    assert!(fault("broken").contains("broken/workflow.yaml:1:"), "{}", fault("broken"));
}

#[test]
fn a_word_about_one_phase_is_not_about_the_next() {
    let world = World::new("");
    let phase = |id: &str| {
        format!("---\nid: {id}\nname: {id}\nemoji: 🔨\ngates: [{{human: ok?}}]\n---\nDo it.\n")
    };
    world.env.write(
        ".sprag/workflows/two/workflow.yaml",
        "name: Two\ncommandName: two\ninitialMessage: Go\nphases: [a.md, b.md]\n",
    );
    world.env.write(".sprag/workflows/two/a.md", phase("a"));
    world.env.write(".sprag/workflows/two/b.md", phase("b"));
    world.begins("a");
    let begun = world.engine().start("two", "x", Some(&session("a"))).unwrap();
    let run = begun.run;
    assert!(matches!(next(&world, &run), Stepped::Held { .. }));
    world.engine().approve(&run, None, "person").unwrap();
    assert!(matches!(next(&world, &run), Stepped::Held { .. }), "the second is asked again");
}

#[test]
fn what_is_over_does_not_stand_before_what_is_not() {
    let world = world();
    let first = world.engine().start("feature", "first", None).unwrap();
    let second = world.engine().start("feature", "second", None).unwrap();
    world.engine().cancel(&second.run, "person").unwrap();
    let told = world.begins("a").unwrap();
    assert!(told.contains("**Task:** first"), "{told}");
    let stranger = world.engine().step_next(&first.run, WorkflowActor::Stranger, None);
    assert!(stranger.unwrap_err().to_string().contains("claude-a"), "an agent without a name");
}

#[test]
fn a_phase_whose_time_is_over_holds_and_never_refuses_for_ever() {
    let world = world();
    let timed = BUILD.replace("retry:", "limits: {wall: 1ms}\nretry:");
    world.env.write(".sprag/workflows/feature/build.md", timed);
    let run = start(&world);
    moved(&next(&world, &run));
    assert!(world.refused("a").contains("Build csv export."), "its time begins");
    let said = world.free("a");
    assert!(
        said.iter().any(|line| line.contains("the time for `feature/build` is over")),
        "{said:?}"
    );
    assert_eq!(world.waits(), ["the time for `feature/build` is over"]);
    world.engine().resume(&run, "person").unwrap();
    world.edits("a", "code.txt", "good\n");
    assert!(world.refused("a").contains("Ship it."), "the work is judged, late or not");
}

/// Edits the file of a run like a person with an editor; returns its path.
fn rewrite(world: &World, run: &RunId, from: &str, to: &str) -> String {
    let file = format!(".sprag/runs/{run}/run.yaml");
    let text = world.env.read(&file).unwrap();
    assert!(text.contains(from), "{text}");
    world.env.write(&file, text.replace(from, to));
    file
}

#[test]
fn a_run_that_cannot_be_read_lets_its_session_go_and_never_unseen() {
    let world = world();
    let run = start(&world);
    let file = rewrite(&world, &run, "v: 1", "v: [");
    assert_eq!(world.uses("a", &Call::named("Edit"), false), None);
    let said = world.free("a");
    assert!(said.len() == 1 && said[0].starts_with(&format!("{file}:")), "{said:?}");
    let trace = world.env.read(".sprag/trace").unwrap();
    let lines: Vec<_> = trace.lines().map(|line| line.split_once(' ').unwrap().1).collect();
    let let_go = |when| format!("claude-a {when} let go: {}", said[0]);
    assert_eq!(lines, [let_go("before a tool"), let_go("at a stop")]);
    let SessionLine::Held(parts) = world.engine().line(&session("a")).unwrap() else { panic!() };
    assert_eq!(parts[0].at, format!("cannot be read: {}", said[0]));
}

#[test]
fn a_position_that_leads_nowhere_is_unknown_to_everybody() {
    let index = "`position.path[0].phaseIndex`: it names phase";
    for (from, to, why) in [
        ("phaseIndex: 0", "phaseIndex: 7", format!("{index} 8 of 3; write 0 to 2")),
        ("phaseIndex: 0", "phaseIndex: -1", format!("{index} 0 of 3; write 0 to 2")),
        (
            "workflowKey: feature",
            "workflowKey: other",
            "`position.path[0].workflowKey`: `other` is not the workflow there; write `feature`"
                .to_owned(),
        ),
    ] {
        let world = world();
        let run = start(&world);
        let file = rewrite(&world, &run, from, to);
        let engine = world.engine();
        let said = engine.step_next(&run, WorkflowActor::Session(&session("a")), None).unwrap_err();
        let said = said.to_string();
        assert!(said.starts_with(&format!("{file}:")) && said.ends_with(&why), "{said}");
        let others = [
            engine.step_status(&run).unwrap_err(),
            engine.step_loop(&run, WorkflowActor::Person).unwrap_err(),
            engine.why().unwrap_err(),
            engine.why_tool(|_| Call::named("Edit")).unwrap_err(),
            engine.resume(&run, "person").unwrap_err(),
        ];
        assert_eq!(others.map(|error| error.to_string()), [(); 5].map(|()| said.clone()));
        assert_eq!(engine.shown().unwrap().1, [said.as_str()]);
        let status = Status::of(&world.place).unwrap();
        let unknown: Vec<_> = status.unknown.iter().map(|one| (&one.path, &one.why)).collect();
        assert_eq!((unknown, status.runs), (vec![(&file, &why)], vec![]));
        assert_eq!(world.uses("a", &Call::named("Edit"), false), None);
        assert_eq!(world.free("a"), [said.as_str()]);
    }
}

#[test]
fn beside_a_run_that_cannot_be_read_none_is_started_and_why_names_it() {
    let world = world();
    let (first, second) = (start(&world), start(&world));
    let file = rewrite(&world, &first, "v: 1", "v: [");
    let error = world.engine().start("feature", "again", Some(&session("a"))).unwrap_err();
    assert!(error.to_string().starts_with(&file), "{error}");
    assert!(world.engine().start("feature", "again", None).is_err(), "nor without a person");
    let (known, unknown) = world.engine().why().unwrap();
    assert_eq!((&known[0].run, known.len()), (&second, 1));
    assert_eq!(unknown, [error.to_string()]);
    world.env.remove(&file);
    world.engine().start("feature", "again", None).unwrap();
}

#[test]
fn a_workflow_in_which_the_run_would_stand_nowhere_is_not_agreed_to() {
    let world = world();
    let run = start(&world);
    moved(&next(&world, &run));
    let short = "name: Feature\ncommandName: feature\ninitialMessage: Begin\nphases: [plan.md]\n";
    world.env.write(".sprag/workflows/feature/workflow.yaml", short);
    world.edits("a", "code.txt", "good\n");
    world.refused("a");
    world.free("a");
    let engine = world.engine();
    let seen = engine.in_doubt(&run).unwrap();
    engine.agree(&run, &seen, "person").unwrap();
    let error = engine.approve(&run, None, "person").unwrap_err().to_string();
    assert!(error.ends_with("it names phase 2 of 1; write 0 to 0"), "{error}");
    assert_eq!(world.run(), run, "it can still be read");
}
