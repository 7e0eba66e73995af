//! The loop that an agent drives in its own session, seen from its stops.

use sprag_engine::stop::Answer;
use sprag_engine::whose::Told;

use crate::world::{World, session};

const EXECUTE: &str = "Loop active. Continuing execute loop iteration 3/18. Run /opti-gsd:execute \
                       to retry failed tasks.";

fn project(state: &str) -> World {
    let world = World::new("");
    world.env.write(".gsd/STATE.md", state);
    world
}

fn active() -> World {
    project(
        "---\nphase: 2\nloop:\n  active: true # on\n  type: execute\n  iteration: 2\n  max_iterations: 18\n---\nbody\n",
    )
}

fn state(world: &World) -> String {
    world.env.read(".gsd/STATE.md").unwrap()
}

#[test]
fn an_active_loop_holds_the_session_with_its_literal_line_and_is_claimed() {
    let world = active();
    world.begins("s-1");
    assert_eq!(world.refused("s-1"), EXECUTE);
    assert!(state(&world).contains("session_id: s-1"), "{}", state(&world));
    assert!(state(&world).contains("active: true # on"), "what is not ours stays");
    assert_eq!(world.free("s-2"), [""; 0], "another session is not held");
}

#[test]
fn a_session_that_gets_nowhere_is_let_go_and_the_loop_is_paused() {
    let world = active();
    world.begins("s-1");
    for _ in 0..2 {
        assert_eq!(world.refused("s-1"), EXECUTE);
    }
    let said = world.free("s-1");
    assert!(said[0].contains("no progress"), "{said:?}");
    assert!(state(&world).contains("paused: true"), "{}", state(&world));
    assert!(state(&world).contains("active: false"), "{}", state(&world));
    assert!(state(&world).contains("no progress: "), "{}", state(&world));
    let paused = state(&world);
    assert_eq!(world.free("s-1"), [""; 0]);
    assert_eq!(state(&world), paused, "it stays paused");
    assert_eq!(world.waits().len(), 1, "{:?}", world.waits());
    // Setting it going again in the document is enough.
    let edited = state(&world)
        .replace("paused: true", "paused: false")
        .replace("active: false", "active: true");
    world.env.write(".gsd/STATE.md", edited);
    assert_eq!(world.refused("s-1"), EXECUTE);
}

#[test]
fn a_persons_prompt_in_between_lets_it_be_told_anew() {
    let world = active();
    world.begins("s-1");
    for _ in 0..3 {
        assert_eq!(world.refused("s-1"), EXECUTE);
        assert_eq!(world.refused("s-1"), EXECUTE);
        world.engine().prompted(&session("s-1"), Some("go on"), Told::default()).unwrap();
    }
}

#[test]
fn progress_in_the_document_counts() {
    let world = active();
    world.begins("s-1");
    for iteration in 2..8 {
        let edited = state(&world).replace(
            &format!("iteration: {}\n", iteration - 1),
            &format!("iteration: {iteration}\n"),
        );
        world.env.write(".gsd/STATE.md", edited);
        assert!(world.refused("s-1").contains(&format!("iteration {}/18", iteration + 1)));
    }
}

#[test]
fn used_up_iterations_let_go_and_leave_no_active_loop() {
    let world = project(
        "---\nloop: {active: true, type: verify, iteration: 20, max_iterations: 20, gaps_remaining: 1}\n---\n",
    );
    world.begins("s-1");
    let said = world.free("s-1");
    assert!(said.iter().any(|line| line.contains("used up")), "{said:?}");
    assert!(
        state(&world).contains("Max iterations (20) reached with 1 gaps remaining"),
        "{}",
        state(&world)
    );
    assert!(state(&world).contains("active: false"), "{}", state(&world));
}

#[test]
fn iterations_that_are_used_up_on_the_way_pause_the_loop() {
    let world = active();
    world.begins("s-1");
    world.refused("s-1");
    world.env.write(".gsd/STATE.md", state(&world).replace("iteration: 2", "iteration: 18"));
    world.free("s-1");
    assert!(state(&world).contains("paused: true"), "{}", state(&world));
    assert!(state(&world).contains("active: false"), "{}", state(&world));
}

#[test]
fn a_loop_that_the_agent_turned_off_lets_go_and_stays_as_it_is() {
    for end in
        ["active: false", "active: true\n  awaiting: user", "active: true\n  completed: true"]
    {
        let world = active();
        world.begins("s-1");
        world.refused("s-1");
        let ended = state(&world).replace("active: true", end);
        world.env.write(".gsd/STATE.md", ended.clone());
        world.free("s-1");
        let shown = sprag_formats::plan::state::read(&state(&world)).unwrap().unwrap();
        let meant = sprag_formats::plan::state::read(&ended).unwrap().unwrap();
        assert_eq!((shown.paused, shown.completed), (meant.paused, meant.completed), "{end}");
        assert_eq!(shown.awaiting, meant.awaiting, "{end}");
    }
}

#[test]
fn a_loop_that_is_not_this_sessions_is_left_alone_to_the_byte() {
    for text in [
        "---\nphase: 1\n---\n\n```yaml\nloop:\n  active: true\n```\n",
        "no front matter\nloop:\n  active: true\n",
        "",
        "---\nloop: {active: true, session_id: other}\n---\n",
        "---\nloop: {active: true, completed: true}\n---\n",
        "---\nloop: {active: true, paused: true}\n---\n",
        "---\nloop: {active: true, awaiting: user}\n---\n",
        "---\nloop: {active: false}\n---\n",
        "---\nnote: |\n  loop:\n    active: true\n---\n",
    ] {
        let world = project(text);
        world.begins("s-1");
        assert_eq!(world.free("s-1"), [""; 0], "{text}");
        assert_eq!(state(&world), text);
    }
}

#[test]
fn a_state_that_cannot_be_read_lets_go_and_says_so() {
    for text in [
        "---\nloop:\n  active: true\n  iteration: a[$(touch${IFS}PWNED)]\n---\n",
        "---\nloop: {active: true}\nloop: {active: true}\n---\n",
        "---\nloop:\n  active: true\n",
        "---\nloop: yes\n---\n",
    ] {
        let world = project(text);
        world.begins("s-1");
        let said = world.free("s-1");
        assert!(said.iter().any(|line| line.contains("loop state unreadable")), "{said:?}");
        assert_eq!(state(&world), text);
        assert!(world.env.read("PWNED").is_none());
    }
}

#[test]
fn with_two_sessions_nobody_claims_what_nobody_owns() {
    let world = active();
    let before = state(&world);
    world.begins("s-1");
    world.begins("s-2");
    assert_eq!(world.free("s-1"), [""; 0]);
    assert_eq!(state(&world), before);
}

#[test]
fn a_loop_that_another_session_took_over_is_let_go_of() {
    let world = active();
    world.begins("s-1");
    world.refused("s-1");
    let taken = state(&world).replace("s-1", "s-2");
    world.env.write(".gsd/STATE.md", taken.clone());
    world.free("s-1");
    assert_eq!(state(&world), taken);
}

#[test]
fn the_agents_word_ends_the_loop_only_where_the_checks_confirm_it() {
    let world = active();
    world
        .env
        .write(".gsd/plans/phase-2/plan.md", super::driver::PLAN.replace("phase: 1", "phase: 2"));
    let phase = state(&world).replace("  iteration: 2", "  phase: 2\n  iteration: 2");
    world.env.write(".gsd/STATE.md", phase);
    world.begins("s-1");
    let says = || world.stops_saying("s-1", Some("All done.\n\nPHASE COMPLETE"));
    let Answer::Refuse { message, .. } = says() else { panic!("let go on a word") };
    assert_eq!(message, EXECUTE);
    for (file, text) in [("a.txt", "a"), ("b.txt", "good"), ("c.txt", "c")] {
        world.env.write(file, text);
    }
    assert_eq!(world.refused("s-1"), EXECUTE, "nobody said that it is over");
    let Answer::Allow { .. } = says() else { panic!("{}", state(&world)) };
    assert!(state(&world).contains("completed: true"), "{}", state(&world));
    assert!(state(&world).contains("active: false"), "{}", state(&world));
    assert_eq!(world.free("s-1"), [""; 0]);
}

#[test]
fn a_model_out_of_reach_is_a_wait_until_the_person_speaks_again() {
    let world = active();
    world.begins("s-1");
    world.refused("s-1");
    world.engine().stop_failed(&session("s-1"), "rate_limit").unwrap();
    assert!(state(&world).contains("awaiting: rate_limit"), "{}", state(&world));
    world.free("s-1");
    world.engine().prompted(&session("s-1"), Some("go on"), Told::default()).unwrap();
    assert_eq!(world.refused("s-1"), EXECUTE);

    world.engine().stop_failed(&session("s-1"), "billing_error").unwrap();
    assert!(state(&world).contains("the model cannot be reached: billing_error"));
    assert!(state(&world).contains("paused: true"), "{}", state(&world));
    assert_eq!(world.free("s-1"), [""; 0]);
}

#[test]
fn a_session_that_ends_gives_the_loop_to_the_next_one() {
    let world = active();
    world.begins("s-1");
    world.refused("s-1");
    world.engine().session_ends(&session("s-1"), false).unwrap();
    assert!(!state(&world).contains("s-1"), "{}", state(&world));
    world.begins("s-2");
    assert_eq!(world.refused("s-2"), EXECUTE);
    assert!(state(&world).contains("session_id: s-2"), "{}", state(&world));
}

#[test]
fn beside_a_guard_the_loop_says_its_line_after_it() {
    let world = World::guarded();
    world.env.write(
        ".gsd/STATE.md",
        "---\nloop:\n  active: true\n  type: execute\n  iteration: 2\n  max_iterations: 18\n---\n",
    );
    world.begins("s-1");
    world.edits("s-1", "code.txt", "bad\n");
    let message = world.refused("s-1");
    assert!(message.starts_with("Not finished: `sh test.sh`"), "{message}");
    assert!(message.ends_with(EXECUTE), "{message}");
}
