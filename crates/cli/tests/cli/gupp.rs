//! Whoever has work does it: a session that is an agent, its inbox, and its stops.

use sprag_testkit::agent::Agent;

use crate::agents::{GUARD, World, free, refused};

/// A world in which every session is polecat-alpha, and it was given a unit.
fn world(config: &str) -> World {
    let mut world = World::new(config);
    world.person(&["agent", "set", "polecat-alpha", "gt-1", "--title", "Add README"]);
    world.env.set("SPRAG_AGENT", "polecat-alpha");
    world
}

fn agent<'w>(world: &'w World, session: &str) -> Agent<'w> {
    Agent::new(&world.env, &world.sprag, session)
}

fn slot(world: &World) -> String {
    world.env.read(".chipset/state/hooks/polecat-alpha.json").unwrap()
}

#[test]
fn pending_work_is_begun_and_told_and_holds_the_session_until_it_says_done() {
    let world = world("");
    let first = agent(&world, "one");
    let told = first.begins();
    assert!(
        told.contains("gt-1 \"Add README\" is assigned to you: begin now, do not ask."),
        "{told}"
    );
    assert!(slot(&world).contains("\"status\": \"active\""));
    let why = refused(&first);
    assert!(why.starts_with("Not finished: gt-1 \"Add README\" is assigned to you."), "{why}");
    let command = |said: &str| {
        let from = said.find("sprag agent complete polecat-alpha --fence ").expect("it is told");
        said[from..].split('`').next().unwrap().to_owned()
    };
    assert_eq!(command(&told), command(&why), "the attempt is the same");
    // What is told works in a shell that does not know its session as well.
    let typed = command(&told);
    let words: Vec<&str> = typed.split_whitespace().skip(1).collect();
    let done = world.types(&words);
    assert_eq!(done.exit, Some(0), "{}", done.stderr);
    assert_eq!(free(&first), "");
}

#[test]
fn active_work_is_gone_on_with_by_the_next_session_and_the_old_one_comes_too_late() {
    let world = world("");
    let (old, new) = (agent(&world, "one"), agent(&world, "two"));
    old.begins();
    let told = new.begins();
    assert!(told.contains("gt-1 \"Add README\" is assigned to you"), "{told}");
    let late = old.runs("sprag agent complete").unwrap();
    assert_eq!(late.exit, Some(10), "{}", late.stderr);
    assert_eq!(free(&old), "", "it holds nothing any more");
    refused(&new);
    assert_eq!(new.runs("sprag agent fail --why 'no compiler'").unwrap().exit, Some(0));
    assert_eq!(free(&new), "");
    assert!(slot(&world).contains("\"status\": \"empty\""));
}

#[test]
fn work_that_comes_while_the_session_is_there_is_begun_at_its_stop() {
    let mut world = World::new("");
    world.env.set("SPRAG_AGENT", "polecat-alpha");
    let one = agent(&world, "one");
    assert_eq!(one.begins(), "");
    assert_eq!(free(&one), "");
    world.env.set("SPRAG_AGENT", "mayor");
    world.person(&["agent", "set", "polecat-alpha", "gt-1", "--title", "Add README"]);
    world.env.set("SPRAG_AGENT", "polecat-alpha");
    let one = agent(&world, "one");
    assert!(refused(&one).contains("gt-1"));
}

#[test]
fn a_session_that_gets_nowhere_is_let_go_and_a_person_sets_it_going_again() {
    let mut world = world("");
    let one = agent(&world, "one");
    one.begins();
    refused(&one);
    refused(&one);
    free(&one);
    let held = world.types(&["agent", "poll", "polecat-alpha"]);
    assert!(
        held.stdout.contains("held: no progress: nothing changed after the stop was refused"),
        "{}",
        held.stdout
    );
    assert_eq!(free(&one), "", "what is held says nothing");
    one.hears("go on");
    refused(&one);
    refused(&one);
    free(&one);
    world.env.set("SPRAG_AGENT", "");
    let status = world.person(&["status"]);
    assert!(status.contains("sprag resume polecat-alpha"), "{status}");
    world.person(&["resume", "polecat-alpha"]);
    world.env.set("SPRAG_AGENT", "polecat-alpha");
    refused(&agent(&world, "one"));
}

#[test]
fn the_projects_own_gates_hold_beside_the_assignment_and_after_it() {
    let mut world = World::trusted(GUARD);
    world.person(&["agent", "set", "polecat-alpha", "gt-1", "--title", "Add README"]);
    world.env.set("SPRAG_AGENT", "polecat-alpha");
    let one = agent(&world, "worker");
    one.begins();
    one.writes("code.txt", "bad\n").unwrap();
    let why = refused(&one);
    let (job, gate) = (why.find("Not finished: gt-1"), why.find("Not finished: `sh test.sh`"));
    assert!(job.is_some() && job < gate, "the assignment first: {why}");
    assert_eq!(one.runs("sprag agent complete").unwrap().exit, Some(0));
    assert!(refused(&one).starts_with("Not finished: `sh test.sh`"), "a claim is no proof");
    one.writes("code.txt", "good\n").unwrap();
    free(&one);
}

#[test]
fn a_persons_pause_outranks_the_work() {
    let mut world = world("");
    let one = agent(&world, "one");
    one.begins();
    refused(&one);
    world.env.set("SPRAG_AGENT", "");
    world.person(&["pause", "claude-one"]);
    world.env.set("SPRAG_AGENT", "polecat-alpha");
    let one = agent(&world, "one");
    assert_eq!(free(&one), "");
    one.hears("never mind");
    assert_eq!(free(&one), "");
}

#[test]
fn a_worktree_can_be_an_agents_by_configuration() {
    let world = World::new("agents:\n  project: polecat-alpha\n");
    world.person(&[
        "agent",
        "set",
        "polecat-alpha",
        "gt-1",
        "--title",
        "Add README",
        "--as",
        "mayor",
    ]);
    let one = agent(&world, "one");
    assert!(one.begins().contains("You are polecat-alpha."));
    refused(&one);
}

#[test]
fn an_inbox_that_cannot_be_read_holds_nobody_and_is_said() {
    let mut world = World::new("");
    world.env.set("SPRAG_AGENT", "polecat-alpha");
    world.env.write(".chipset/state/hooks/polecat-alpha.json", "{ torn");
    let one = agent(&world, "one");
    assert_eq!(one.begins(), "");
    assert!(free(&one).contains(".chipset/state/hooks/polecat-alpha.json"));
}
