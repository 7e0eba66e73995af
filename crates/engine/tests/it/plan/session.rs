//! The loop that an agent drives in its own session, seen from its stops.

use sprag_engine::attach::HookEnv;
use sprag_engine::hooks::HookOutput;
use sprag_engine::stop::StopAnswer;

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

fn prompts(world: &World, words: &str) -> HookOutput {
    world.engine().prompted(&session("s-1"), Some(words), HookEnv::default()).unwrap()
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
    // Reactivating it in the document is enough.
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
        world.engine().prompted(&session("s-1"), Some("go on"), HookEnv::default()).unwrap();
    }
}

#[test]
fn counters_that_the_agent_sets_are_put_back_and_are_no_progress() {
    let world = active();
    world.begins("s-1");
    prompts(&world, "go on");
    for iteration in 3..5 {
        let edited = state(&world).replace("iteration: 2\n", &format!("iteration: {iteration}\n"));
        world.env.write(".gsd/STATE.md", edited);
        let StopAnswer::Refuse { message, say } = world.stops("s-1") else { panic!("let go") };
        assert_eq!(message, EXECUTE);
        let named = format!("the agent set iteration: {iteration} in .gsd/STATE.md; put back");
        assert_eq!(say, [named]);
        assert!(state(&world).contains("  iteration: 2\n"), "{}", state(&world));
    }
    let said = world.free("s-1");
    assert!(said[0].contains("no progress"), "{said:?}");
}

#[test]
fn what_a_person_counts_between_two_turns_counts() {
    let world = active();
    world.begins("s-1");
    prompts(&world, "go on");
    for _ in 0..2 {
        world.refused("s-1");
    }
    world.free("s-1");
    let edited = state(&world)
        .replace("paused: true", "paused: false")
        .replace("active: false", "active: true")
        .replace("iteration: 2\n", "iteration: 5\n");
    world.env.write(".gsd/STATE.md", edited);
    prompts(&world, "go on");
    assert!(world.refused("s-1").contains("iteration 6/18"), "{}", state(&world));
}

#[test]
fn what_a_person_sets_after_an_interrupt_counts() {
    let world = active();
    world.begins("s-1");
    prompts(&world, "go on");
    world.refused("s-1");
    // Hosts do not report that a person interrupted the agent: the previous hook is simply the last
    // one.
    world.env.write(".gsd/STATE.md", state(&world).replace("active: true", "active: false"));
    world.env.aged(
        format!(".sprag/sessions/{}.json", session("s-1")),
        std::time::Duration::from_mins(1),
    );
    prompts(&world, "something else");
    assert_eq!(world.free("s-1"), [""; 0]);
    assert!(state(&world).contains("active: false"), "{}", state(&world));
}

#[test]
fn what_an_agent_set_before_an_interrupt_is_put_back_at_the_next_prompt() {
    let world = active();
    world.begins("s-1");
    prompts(&world, "go on");
    world.refused("s-1");
    world.env.write(".gsd/STATE.md", state(&world).replace("active: true", "active: false"));
    world.env.aged(".gsd/STATE.md", std::time::Duration::from_mins(1));
    let hears = prompts(&world, "something else");
    assert!(hears.say[0].starts_with("the agent set active: false"), "{hears:?}");
    assert!(state(&world).contains("active: true"), "{}", state(&world));
    assert_eq!(world.refused("s-1"), EXECUTE);
}

#[test]
fn used_up_iterations_let_go_and_leave_no_active_loop() {
    let world = project(
        "---\nloop: {active: true, type: verify, iteration: 20, max_iterations: 20, gaps_remaining: 1}\n---\n",
    );
    world.begins("s-1");
    let said = world.free("s-1");
    assert!(said.iter().any(|line| line.contains("reached its limit")), "{said:?}");
    assert!(
        state(&world).contains("Max iterations (20) reached with 1 gaps remaining"),
        "{}",
        state(&world)
    );
    assert!(state(&world).contains("active: false"), "{}", state(&world));
}

#[test]
fn a_loop_that_the_agent_turned_off_holds_it_and_is_put_back() {
    for (end, named) in [
        ("active: false", "active: false"),
        ("active: true\n  awaiting: user", "awaiting: user"),
        ("active: true\n  completed: true", "completed: true"),
        ("active: true\n  paused: true", "paused: true"),
        ("active: true\n  phase: 7", "phase: 7"),
    ] {
        // Once after a stop, and once before any: the loop existed when the person sent the prompt.
        for stops in [0, 1] {
            let world = active();
            world.begins("s-1");
            prompts(&world, "go on");
            for _ in 0..stops {
                world.refused("s-1");
            }
            let before = state(&world);
            world.env.write(".gsd/STATE.md", before.replacen("active: true", end, 1));
            let StopAnswer::Refuse { message, say } = world.stops("s-1") else { panic!("{end}") };
            assert_eq!(message, EXECUTE, "{end}");
            let said = format!("the agent set {named} in .gsd/STATE.md; put back");
            assert!(say.len() == 1 && say[0].starts_with(&said), "{say:?}");
            let read = |text: &str| sprag_formats::plan::state::read(text).unwrap().unwrap();
            assert_eq!(read(&state(&world)), read(&before), "{end}");
        }
    }
}

#[test]
fn a_loop_whose_document_the_agent_removed_or_broke_still_holds_it() {
    for broken in [None, Some("---\nloop:\n  active: true\n")] {
        let world = active();
        world.begins("s-1");
        prompts(&world, "go on");
        match broken {
            None => world.env.remove(".gsd/STATE.md"),
            Some(text) => world.env.write(".gsd/STATE.md", text),
        }
        assert_eq!(world.refused("s-1"), EXECUTE);
        match broken {
            None => assert!(state(&world).contains("active: true"), "{}", state(&world)),
            Some(text) => {
                assert_eq!(state(&world), text, "what cannot be read is not written over");
            }
        }
    }
}

#[test]
fn a_checkpoint_is_a_persons_question_and_frees_from_the_loop_alone() {
    let world = World::guarded();
    world.env.write(".gsd/STATE.md", state(&active()));
    world.begins("s-1");
    prompts(&world, "go on");
    world.edits("s-1", "code.txt", "bad\n");
    let asks = || world.stops_saying("s-1", Some("CHECKPOINT: bash or zsh?"));
    let StopAnswer::Refuse { message, .. } = asks() else { panic!("freed from a red guard") };
    assert!(message.starts_with("Not finished: `sh test.sh`"), "{message}");
    assert!(!message.contains("Loop active"), "{message}");
    assert!(state(&world).contains("awaiting: checkpoint"), "{}", state(&world));
    world.edits("s-1", "code.txt", "good\n");
    let StopAnswer::Allow { say } = asks() else { panic!("{}", state(&world)) };
    assert!(say.iter().any(|line| line.contains("bash or zsh?")), "{say:?}");
    // The agent may not answer it.
    let mended = state(&world).replace("  awaiting: checkpoint\n", "");
    prompts(&world, "zsh");
    assert_eq!(state(&world), mended, "the person's words answered it");
    assert_eq!(world.refused("s-1"), EXECUTE);
}

#[test]
fn an_agent_does_not_answer_its_own_question() {
    let world = active();
    world.begins("s-1");
    prompts(&world, "go on");
    world.refused("s-1");
    world.stops_saying("s-1", Some("CHECKPOINT: bash or zsh?"));
    let asked = state(&world);
    world.engine().prompted(&session("s-1"), None, HookEnv::default()).unwrap();
    assert_eq!(state(&world), asked, "the host itself spoke");
    world.edits("s-1", ".gsd/STATE.md", &asked.replace("  awaiting: checkpoint\n", ""));
    let said = world.free("s-1");
    assert_eq!(said[0], "the agent set awaiting: null in .gsd/STATE.md; put back");
    assert_eq!(state(&world), asked);
    assert_eq!(world.waits(), ["asks: bash or zsh?"]);
    let (engine, run) = (world.engine(), world.run());
    engine.answer(&run, "zsh", "person").unwrap();
    assert_eq!(world.refused("s-1"), EXECUTE);
    assert!(engine.answer(&run, "zsh", "person").is_err(), "nothing is asked any more");
}

#[test]
fn literal_questions_are_a_persons_where_the_project_asks_persons() {
    let asked = "Task 01 failed. Retry? (0/3 attempts used) [Y/n]";
    for (mode, is_asked) in [("interactive", true), ("yolo", false)] {
        let world = active();
        world.env.write(".gsd/config.md", format!("---\nmode: {mode}\n---\n"));
        world.begins("s-1");
        prompts(&world, "go on");
        match world.stops_saying("s-1", Some(asked)) {
            StopAnswer::Allow { say } => assert!(is_asked && say[0].contains(asked), "{say:?}"),
            StopAnswer::Refuse { .. } => assert!(!is_asked, "{mode}"),
        }
        assert_eq!(state(&world).contains("awaiting: user"), is_asked, "{mode}");
    }
}

#[test]
fn a_verify_loop_ends_by_a_new_report_without_gaps_and_the_checks() {
    let world = active();
    let (folder, none) = (".gsd/plans/phase-2", "## Status: passed\n");
    let plan = super::driver::PLAN.replace("phase: 1", "phase: 2");
    world.env.write(format!("{folder}/plan.md"), plan);
    world.env.write(format!("{folder}/VERIFICATION.md"), none);
    for (file, text) in [("a.txt", "a"), ("b.txt", "good"), ("c.txt", "c")] {
        world.env.write(file, text);
    }
    let verifies = state(&world)
        .replace("type: execute", "type: verify")
        .replace("  iteration: 2", "  phase: 2\n  iteration: 2");
    world.env.write(".gsd/STATE.md", verifies);
    world.begins("s-1");
    prompts(&world, "verify it");
    let says = || world.stops_saying("s-1", Some("PHASE COMPLETE"));
    assert!(matches!(says(), StopAnswer::Refuse { .. }), "the report was there before");
    let gaps = "## Status: gaps_found\n\n## Gaps\n\n<gaps>\n<gap type=\"stub\" file=\"a\">b</gap>\n</gaps>\n";
    world.env.write(format!("{folder}/VERIFICATION.md"), gaps);
    assert!(matches!(says(), StopAnswer::Refuse { .. }), "it names a gap");
    world.env.write(format!("{folder}/VERIFICATION.md"), format!("{none}\nNone.\n"));
    world.env.write("code.txt", "more");
    assert!(matches!(says(), StopAnswer::Allow { .. }), "{}", state(&world));
    assert!(state(&world).contains("completed: true"), "{}", state(&world));
}

#[test]
fn a_command_that_nobody_approved_frees_nobody() {
    let world = World::guarded();
    world.env.write(
        ".gsd/STATE.md",
        state(&active()).replace("  iteration: 2", "  phase: 2\n  iteration: 2"),
    );
    let plan = super::driver::PLAN.replace("phase: 1", "phase: 2");
    let plan = plan.replace("<check type=\"file\">", "<check type=\"test\" cmd=\"sh t.sh\">");
    world.env.write(".gsd/plans/phase-2/plan.md", plan);
    world.begins("s-1");
    world.edits("s-1", "code.txt", "bad\n");
    let says = || world.stops_saying("s-1", Some("PHASE COMPLETE"));
    let StopAnswer::Refuse { message, .. } = says() else { panic!("{}", state(&world)) };
    assert!(message.starts_with("Not finished: `sh test.sh`"), "{message}");
    assert!(!state(&world).contains("completed: true"), "{}", state(&world));
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
fn an_agent_does_not_give_its_loop_to_another_session() {
    let world = active();
    world.begins("s-1");
    world.refused("s-1");
    let own = state(&world);
    world.env.write(".gsd/STATE.md", own.replace("s-1", "s-2"));
    assert_eq!(world.refused("s-1"), EXECUTE);
    assert_eq!(state(&world), own);
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
    let StopAnswer::Refuse { message, .. } = says() else { panic!("allowed on a word") };
    assert_eq!(message, EXECUTE);
    for (file, text) in [("a.txt", "a"), ("b.txt", "good"), ("c.txt", "c")] {
        world.env.write(file, text);
    }
    assert_eq!(world.refused("s-1"), EXECUTE, "no claim that it is over");
    let StopAnswer::Allow { .. } = says() else { panic!("{}", state(&world)) };
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
    world.engine().prompted(&session("s-1"), Some("go on"), HookEnv::default()).unwrap();
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
