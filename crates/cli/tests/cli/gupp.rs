//! An agent with work does it: a session of an agent, its inbox, and its stops.

use sprag_testkit::agent::Agent;

use crate::agents::{GUARD, World, free, refused};

/// A world in which every session is polecat-alpha, which has a unit.
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
    // The suggested command also works in a shell without a session.
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
    let told = "You are polecat-alpha. gt-1 was taken from you: stop working on it. The session \
                claude-two works on it now.";
    assert!(free(&old).contains(told), "it holds nothing any more");
    assert_eq!((free(&old), old.looks()), (String::new(), String::new()), "it is told once");
    let late = old.runs("sprag agent complete").unwrap();
    assert_eq!(late.exit, Some(10), "{}", late.stderr);
    refused(&new);
    assert_eq!(new.runs("sprag agent fail --why 'no compiler'").unwrap().exit, Some(0));
    assert_eq!(free(&new), "");
    assert!(slot(&world).contains("\"status\": \"empty\""));
}

/// Makes a state file look untouched for a long time.
fn silent(world: &World, file: &str) {
    let file = world.env.project().join(format!(".sprag/{file}.json"));
    let then = std::time::SystemTime::UNIX_EPOCH;
    std::fs::File::options().write(true).open(file).unwrap().set_modified(then).unwrap();
}

#[test]
fn a_session_that_may_be_alive_keeps_its_work_and_one_that_is_gone_does_not() {
    let world = world("");
    // Processes that surely exist, and one that no longer does.
    let (here, parent) = (std::process::id(), std::os::unix::process::parent_id());
    let mut over = world.env.command("true").spawn().unwrap();
    over.wait().unwrap();
    let old = agent(&world, "one").in_process(here);
    old.begins();
    let new = agent(&world, "two").in_process(parent);
    let told = new.begins();
    assert!(told.starts_with("You are polecat-alpha. The session claude-one works on gt-1"));
    assert!(!told.contains("begin now"), "{told}");
    assert_eq!(new.hears("go on"), "");
    assert_eq!(free(&new), "");
    assert!(refused(&old).contains("gt-1"), "it is still its own");
    assert!(old.begins().contains("begin now"), "after a compaction it goes on");
    for file in ["agents/polecat-alpha", "sessions/claude-one"] {
        silent(&world, file);
    }
    assert_eq!(new.hears("go on"), "", "it is silent, and its process is there");
    assert!(refused(&old).contains("gt-1"));
    // For a host that does not report its process, only the lease is known.
    let seen = world.env.read(".sprag/sessions/claude-one.json").unwrap();
    let process = seen.lines().find(|line| line.contains("\"process\": ")).unwrap();
    assert!(process.contains(&format!("\"{here} ")), "its start, boot and namespace follow");
    agent(&world, "one").begins();
    for file in ["agents/polecat-alpha", "sessions/claude-one"] {
        silent(&world, file);
    }
    assert!(new.hears("go on").contains("begin now"), "the lease has run out");
    assert!(old.looks().contains("gt-1 was taken from you"));
    new.ends();
    let third = agent(&world, "three").in_process(over.id());
    assert!(third.begins().contains("begin now"), "the one before has ended");
    let fourth = agent(&world, "four").in_process(here);
    assert!(fourth.begins().contains("begin now"), "the process of the one before is gone");
    let fifth = agent(&world, "five").in_process(here);
    assert!(fifth.begins().contains("begin now"), "it follows in the same process");
    assert!(agent(&world, "six").in_process(parent).begins().contains("claude-five works on gt-1"));
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
    assert_eq!(free(&one), "", "a held agent gets no message");
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

#[test]
fn a_stop_that_a_guard_refuses_beside_an_inbox_that_cannot_be_read_was_not_let_go() {
    let mut world = World::trusted(GUARD);
    world.env.set("SPRAG_AGENT", "polecat-alpha");
    let one = agent(&world, "one");
    one.begins();
    one.writes("code.txt", "bad\n").unwrap();
    world.env.write(".chipset/state/hooks/polecat-alpha.json", "{ torn");
    refused(&one);
    let trace = world.env.read(".sprag/trace").unwrap();
    assert!(trace.contains(" at a stop refused, and not by: .chipset/state/hooks/"), "{trace}");
    assert!(!trace.contains("let go"), "{trace}");
    let status = world.types(&["status", "--plain"]).stdout;
    assert!(!status.contains("let go"), "{status}");
}

/// Runs a command as a person who is no agent.
fn by_person(world: &mut World, words: &[&str]) -> String {
    world.env.set("SPRAG_AGENT", "");
    let said = world.person(words);
    world.env.set("SPRAG_AGENT", "polecat-alpha");
    said
}

/// Returns the command in an agent's message that begins like this.
fn command(told: &str, begin: &str) -> String {
    let from = told.find(begin).unwrap_or_else(|| panic!("{begin} is not in {told}"));
    told[from..].split('`').next().unwrap().to_owned()
}

const ABORT: [&str; 7] =
    ["agent", "nudge", "send", "polecat-alpha", "--type", "abort", "wrong unit"];

#[test]
fn an_abort_is_told_at_every_turn_and_lets_the_session_go_until_it_is_answered() {
    let mut world = world("");
    let one = agent(&world, "one");
    one.begins();
    assert_eq!(one.looks(), "");
    let own = one.runs(&format!("sprag {} 'let me out'", ABORT[..6].join(" "))).unwrap();
    assert_eq!(own.exit, Some(3), "it is not the agent's own to say: {}", own.stderr);
    refused(&one);
    by_person(&mut world, &ABORT);
    by_person(&mut world, &["agent", "nudge", "send", "polecat-alpha", "alive?"]);
    for words in [&["agent", "poll", "polecat-alpha"][..], &["status"]] {
        let shown = by_person(&mut world, words);
        assert!(shown.contains("ABORT"), "{shown}");
    }
    let one = agent(&world, "one");
    for told in [one.looks(), one.hears("go on"), agent(&world, "two").begins()] {
        assert!(told.starts_with("You are polecat-alpha. ABORT from person: \"wrong unit\""));
        assert!(!told.contains("begin now"), "{told}");
    }
    assert_eq!(free(&one), "", "it is to stop");
    let reply = command(&one.hears("go on"), "sprag agent nudge reply");
    assert_eq!(one.runs(&reply).unwrap().exit, Some(0));
    assert_eq!(one.looks(), "");
    assert!(refused(&one).contains("gt-1"), "it was not given back");
}

#[test]
fn an_abort_is_not_of_what_was_given_after_it() {
    let mut world = world("");
    let one = agent(&world, "one");
    one.begins();
    by_person(&mut world, &["agent", "release", "polecat-alpha"]);
    let one = agent(&world, "one");
    let told = one.looks();
    assert!(told.contains("gt-1 was taken back: stop working on it"), "{told}");
    assert_eq!(agent(&world, "two").looks(), "", "it never had it");
    by_person(&mut world, &["agent", "set", "polecat-alpha", "gt-2", "--title", "Add LICENSE"]);
    let one = agent(&world, "one");
    let told = one.hears("go on");
    assert!(told.contains("gt-2 \"Add LICENSE\" is assigned to you: begin now"), "{told}");
    assert_eq!(one.looks(), "");
    assert!(refused(&one).contains("gt-2"));
    // For nudges of the original's own tools, their time decides.
    let abort = |at: &str| {
        let text = format!(
            "{{\"from\":\"mayor\",\"type\":\"abort\",\"message\":\"stop\",\"timestamp\":\"{at}\"}}"
        );
        world.env.write(".chipset/state/nudge/polecat-alpha/latest.json", text);
    };
    abort("2026-03-05T10:29:00Z");
    assert_eq!(one.looks(), "", "it is older than the work");
    abort("2099-01-01T00:00:00Z");
    let told = one.looks();
    assert!(told.contains("ABORT from mayor: \"stop\""), "{told}");
    let fail = command(&told, "sprag agent fail");
    assert_eq!(one.runs(&fail).unwrap().exit, Some(0));
    assert_eq!(one.runs(&command(&told, "sprag agent nudge reply")).unwrap().exit, Some(0));
    assert_eq!(one.looks(), "");
    assert_eq!(free(&one), "");
}

#[test]
fn work_that_is_given_back_because_it_was_aborted_can_always_be_given_again() {
    let mut world = world("");
    for _ in 0..4 {
        agent(&world, "one").begins();
        by_person(&mut world, &ABORT);
        let one = agent(&world, "one");
        let told = one.looks();
        for said in ["sprag agent fail", "sprag agent nudge reply"] {
            let ran = one.runs(&command(&told, said)).unwrap();
            assert_eq!(ran.exit, Some(0), "{}", ran.stderr);
        }
        by_person(&mut world, &["agent", "set", "polecat-alpha", "gt-1"]);
    }
}

#[test]
fn work_that_was_taken_back_is_told_though_other_work_was_given_since() {
    let mut world = world("");
    for looks in [true, false] {
        agent(&world, "one").begins();
        by_person(&mut world, &["agent", "release", "polecat-alpha"]);
        let unit = if looks { "gt-2" } else { "gt-3" };
        by_person(&mut world, &["agent", "set", "polecat-alpha", unit, "--title", "Other"]);
        let one = agent(&world, "one");
        let lost = if looks { "gt-1" } else { "gt-2" };
        let lost = format!("You are polecat-alpha. {lost} was taken from you: stop working on it.");
        if looks {
            assert_eq!((one.looks(), one.looks()), (lost, String::new()));
            continue;
        }
        let why = refused(&one);
        assert!(why.starts_with(&lost) && why.contains("Not finished: gt-3"), "{why}");
        assert!(refused(&one).starts_with("Not finished: gt-3"), "it is told once");
    }
}

#[test]
fn an_abort_is_told_to_the_session_at_work_and_not_to_one_that_begins_beside_it() {
    let mut world = world("");
    let (here, parent) = (std::process::id(), std::os::unix::process::parent_id());
    agent(&world, "one").in_process(here).begins();
    by_person(&mut world, &ABORT);
    let one = agent(&world, "one").in_process(here);
    let two = agent(&world, "two").in_process(parent);
    let told = two.begins();
    assert!(told.contains("claude-one works on gt-1") && !told.contains("ABORT"), "{told}");
    assert_eq!(two.looks(), "");
    assert!(one.looks().contains("ABORT from person"));
}
