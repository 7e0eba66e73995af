use sprag_engine::hooks::Beginning;

use sprag_engine::attach::HookEnv;

use crate::world::{World, session};

#[test]
fn a_session_that_changed_nothing_is_free_and_one_that_only_looked_too() {
    let world = World::guarded();
    let told = world.begins("a").unwrap();
    assert!(told.contains("`sh test.sh`"), "{told}");
    assert_eq!(world.free("a"), [""; 0]);
    world.env.write("code.txt", "another text\n");
    assert_eq!(world.free("a"), [""; 0], "it used no tool that changes files");
}

#[test]
fn one_that_claims_done_is_refused_with_the_evidence_fixes_and_ends() {
    let world = World::guarded();
    world.begins("a");
    world.edits("a", "code.txt", "bad\n");
    let message = world.refused("a");
    assert!(message.starts_with("Not finished: `sh test.sh` exit 1"), "{message}");
    assert!(message.contains("\n  code.txt: not good\n"), "{message}");
    assert!(message.ends_with("Retry 1 of 3. Fix this, then stop again."), "{message}");
    world.edits("a", "code.txt", "good\n");
    assert_eq!(world.free("a"), [""; 0]);
    assert_eq!(world.free("a"), [""; 0], "nothing changed since");
    assert_eq!(world.waits(), [""; 0]);
}

#[test]
fn one_that_changes_nothing_is_held_after_two_refusals() {
    let world = World::guarded();
    world.begins("a");
    world.edits("a", "code.txt", "bad\n");
    let first = world.refused("a");
    assert_eq!(world.refused("a").lines().last(), first.lines().last(), "no retry was spent");
    let said = world.free("a");
    assert!(said[0].contains("no progress: nothing changed after the stop was refused 2 times"));
    assert_eq!(world.free("a").len(), 1, "it stays held");
    for words in [None, Some(first.as_str())] {
        world.engine().prompted(&session("a"), words, HookEnv::default()).unwrap();
        assert_eq!(world.free("a").len(), 1, "that was no person: {words:?}");
    }
    world.engine().prompted(&session("a"), Some("go on"), HookEnv::default()).unwrap();
    assert!(world.refused("a").contains("not good"), "a person spoke");
}

#[test]
fn retries_run_out_and_that_is_never_a_pass() {
    let world = World::guarded();
    world.begins("a");
    for text in ["one", "two", "three"] {
        world.env.write("test.sh", format!("echo {text}; exit 1\n"));
        world.edits("a", "code.txt", text);
        assert!(world.refused("a").contains(text));
    }
    world.env.write("test.sh", "echo four; exit 1\n");
    let said = world.free("a");
    assert!(said[0].contains("gave up: `retry` reached its limit of 3"), "{said:?}");
    assert_eq!(world.waits(), ["gave up: `retry` reached its limit of 3"]);
}

#[test]
fn nothing_of_a_clone_runs_and_a_person_is_asked_once() {
    let world = World::new("guard: {gates: [{run: 'sh test.sh'}]}\n");
    world.env.write("test.sh", "touch ran; exit 0\n");
    world.begins("a");
    world.edits("a", "code.txt", "bad\n");
    let said = world.free("a");
    assert!(said[0].ends_with("`sh test.sh` is not yet allowed to run here"), "{said:?}");
    assert_eq!(world.env.read("ran"), None);
    assert!(world.free("a")[0].contains("not yet allowed"), "it stays held");
    world.env.write("test.sh", "grep -q good code.txt\n");
    let run = world.run();
    world.engine().approve(&run, None, "person").unwrap();
    assert!(world.refused("a").contains("`sh test.sh` exit 1"));
}

#[test]
fn what_cannot_run_charges_nobody_and_waits() {
    let world = World::new("guard: {gates: [{run: no-such-program}]}\n");
    world.trust(&["no-such-program"]);
    world.begins("a");
    world.edits("a", "code.txt", "bad\n");
    let said = world.free("a");
    assert!(said[0].contains("`no-such-program` is not proven"), "{said:?}");
    let run = world.run();
    let refused = world.engine().approve(&run, None, "person").unwrap_err().to_string();
    assert!(refused.contains("did not run"), "{refused}");
    world.engine().waive(&run, "no-such-program", "not here", "person").unwrap();
    assert_eq!(world.free("a"), [""; 0]);
    let receipts = world.env.files().into_iter().filter(|file| file.contains("receipts/"));
    let texts: Vec<_> = receipts.map(|file| world.env.read(file).unwrap()).collect();
    assert!(texts.iter().any(|text| text.contains("\"verdict\": \"waived\"")), "{texts:?}");
}

#[test]
fn a_protected_file_turns_a_pass_into_a_question() {
    let world = World::new("guard:\n  gates:\n    - run: sh test.sh\n      protect: ['*.sh']\n");
    world.trust(&["sh", "test.sh"]);
    world.begins("a");
    world.edits("a", "test.sh", "exit 0\n");
    let told = world.refused("a");
    assert!(told.contains("you changed files it is judged by: test.sh."), "{told}");
    let said = world.free("a");
    assert!(said[0].contains("it passes, but the agent changed `test.sh`"), "{said:?}");
    let run = world.run();
    let engine = world.engine();
    let refused = engine.approve(&run, None, "person").unwrap_err().to_string();
    assert!(refused.contains("were not agreed to yet"), "{refused}");
    assert_eq!(world.waits().len(), 1, "no person saw the change");
    let seen = engine.in_doubt(&run).unwrap();
    assert_eq!(engine.agree(&run, &seen, "person").unwrap(), ["test.sh"]);
    engine.approve(&run, None, "person").unwrap();
    assert_eq!(world.waits(), [""; 0]);
    assert_eq!(world.free("a"), [""; 0]);
    world.edits("a", "code.txt", "more\n");
    assert_eq!(world.free("a"), [""; 0], "what was agreed to is not asked again");
}

#[test]
fn a_session_that_nobody_heard_begin_is_compared_with_what_its_first_tool_found() {
    let world = World::new("guard:\n  gates:\n    - run: sh test.sh\n");
    world.trust(&["sh", "test.sh"]);
    world.edits("a", "test.sh", "exit 0\n");
    world.edits("a", "code.txt", "better\n");
    let told = world.refused("a");
    assert!(told.contains("you changed files it is judged by: test.sh."), "{told}");
}

#[test]
fn a_changed_configuration_is_judged_by_the_old_one_and_a_pass_waits() {
    let world = World::guarded();
    world.begins("a");
    world.edits("a", "code.txt", "bad\n");
    world.env.write(".sprag/config.yaml", "guard: {gates: [{run: 'true'}]}\n");
    assert!(world.refused("a").contains("`sh test.sh` exit 1"));
    world.edits("a", "code.txt", "good\n");
    let told = world.refused("a");
    assert!(told.contains("you changed files it is judged by: .sprag/config.yaml."), "{told}");
    let said = world.free("a");
    assert!(said[0].contains("the agent changed `.sprag/config.yaml`"), "{said:?}");
    world.env.remove(".sprag/config.yaml");
    world.edits("a", "code.txt", "bad again\n");
    world.engine().resume(&world.run(), "person").unwrap();
    assert!(world.refused("a").contains("not good"), "deleting it frees no session");
}

#[test]
fn red_before_is_known_from_another_session_and_said_once() {
    let world = World::guarded();
    world.begins("a");
    world.edits("a", "code.txt", "bad\n");
    world.refused("a");
    world.begins("b");
    world.edits("b", "other.txt", "work\n");
    let said = world.free("b");
    assert_eq!(said, ["`sh test.sh` failed in the same way before this session began."]);
    world.edits("b", "other.txt", "more work\n");
    assert_eq!(world.free("b"), [""; 0]);
}

#[test]
fn a_cleared_session_keeps_what_it_has_to_answer_for() {
    let world = World::guarded();
    let engine = world.engine();
    let begin = |name: &str, how| {
        engine.session_begins(&session(name), how, Some("4711"), HookEnv::default()).unwrap();
    };
    begin("a", Beginning::Plain);
    world.edits("a", "code.txt", "bad\n");
    world.refused("a");
    begin("b", Beginning::Follows);
    assert!(world.refused("b").contains("not good"));
    world.free("a");
}

#[test]
fn off_and_a_pause_free_a_session() {
    let world = World::new("off: true\nguard: {gates: [{run: 'false'}]}\n");
    assert_eq!(world.begins("a"), None);
    world.edits("a", "code.txt", "bad\n");
    assert_eq!(world.free("a"), [""; 0]);
    let world = World::guarded();
    world.begins("a");
    world.edits("a", "code.txt", "bad\n");
    world.engine().pause_session(&session("a"), "lunch", None, "person").unwrap();
    assert_eq!(world.free("a"), [""; 0]);
    world.engine().resume_session(&session("a"), "person").unwrap();
    world.refused("a");
}

#[test]
fn a_guard_ends_with_its_session_and_comes_back_with_it() {
    let world = World::guarded();
    world.begins("a");
    world.edits("a", "code.txt", "bad\n");
    world.refused("a");
    let ended = || world.engine().shown().unwrap().0[0].ended.is_some();
    assert!(!ended());
    world.engine().session_ends(&session("a"), false).unwrap();
    assert!(ended());
    world.begins("a");
    assert!(!ended());
    assert!(world.refused("a").contains("not good"));
}

#[test]
fn one_that_needs_a_person_outlives_its_session() {
    let world = World::new("guard: {gates: [{run: 'sh test.sh'}]}\n");
    world.begins("a");
    world.edits("a", "code.txt", "bad\n");
    world.free("a");
    world.engine().session_ends(&session("a"), false).unwrap();
    assert_eq!(world.waits(), ["`sh test.sh` is not yet allowed to run here"]);
}

#[test]
fn sessions_not_seen_for_ninety_days_are_forgotten() {
    let world = World::guarded();
    world.begins("old");
    world.begins("new");
    let old = world.env.project().join(".sprag/sessions/claude-old.json");
    let then = std::time::SystemTime::now() - std::time::Duration::from_hours(91 * 24);
    std::fs::File::options().write(true).open(&old).unwrap().set_modified(then).unwrap();
    world.begins("third");
    assert!(!old.exists());
    assert!(world.env.project().join(".sprag/sessions/claude-new.json").exists());
}

#[test]
fn only_what_was_shown_is_trusted() {
    let world = World::new("guard: {gates: [{run: 'true ok'}, {run: [sh, -c, 'touch ran']}]}\n");
    world.begins("a");
    world.edits("a", "code.txt", "bad\n");
    assert!(world.free("a")[0].contains("`true ok` is not yet allowed"));
    world.engine().approve(&world.run(), None, "person").unwrap();
    let said = world.free("a");
    assert!(said[0].contains("`sh -c 'touch ran'` is not yet allowed"), "{said:?}");
    assert_eq!(world.env.read("ran"), None);
}

#[test]
fn a_person_inside_all_is_asked_when_the_rest_holds() {
    let world =
        World::new("guard: {gates: [{name: ready, all: [{run: sh test.sh}, {human: may it?}]}]}\n");
    world.trust(&["sh", "test.sh"]);
    world.begins("a");
    world.edits("a", "code.txt", "bad\n");
    assert!(world.refused("a").contains("not good"));
    world.edits("a", "code.txt", "good\n");
    world.free("a");
    assert_eq!(world.waits(), ["asks: may it?"]);
    world.engine().approve(&world.run(), None, "person").unwrap();
    assert_eq!(world.waits(), [""; 0]);
    assert_eq!(world.free("a"), [""; 0]);
}

#[test]
fn a_hold_of_a_gate_falls_when_the_files_move() {
    let world = World::new("guard:\n  gates:\n    - run: sh test.sh\n      protect: ['*.sh']\n");
    world.trust(&["sh", "test.sh"]);
    world.begins("a");
    let test = world.env.read("test.sh").unwrap();
    world.edits("a", "test.sh", "exit 0\n");
    world.refused("a");
    assert!(world.free("a")[0].contains("the agent changed `test.sh`"));
    world.edits("a", "test.sh", &test);
    world.edits("a", "code.txt", "bad\n");
    assert!(world.refused("a").contains("not good"), "it is judged again");
}

#[test]
fn two_stops_at_once_make_one_guard_and_nothing_else() {
    let world = World::guarded();
    world.begins("a");
    world.edits("a", "code.txt", "bad\n");
    std::thread::scope(|scope| {
        let stops = [0, 1].map(|_| scope.spawn(|| world.stops("a")));
        for stop in stops {
            stop.join().unwrap();
        }
    });
    let receipts = world.env.files().into_iter().filter(|file| file.contains("/receipts/")).count();
    assert_eq!(receipts, 1, "the second waited for the first");
    let folders = std::fs::read_dir(world.env.project().join(".sprag/runs")).unwrap().flatten();
    let filled: Vec<_> = folders
        .filter(|run| std::fs::read_dir(run.path()).unwrap().next().is_some())
        .map(|run| run.path().join("run.yaml").exists())
        .collect();
    assert_eq!(filled, [true]);
    assert_eq!(world.engine().shown().unwrap().1, [""; 0]);
}

#[test]
fn a_session_first_seen_at_its_end_is_said() {
    let world = World::guarded();
    assert_eq!(
        world.free("late"),
        ["this session was never seen before, so nothing is known of it"]
    );
}

#[test]
fn a_number_means_what_was_shown() {
    let world = World::new("guard: {gates: [{run: 'true ok'}]}\n");
    world.begins("a");
    world.edits("a", "code.txt", "bad\n");
    world.free("a");
    let other = sprag_core::Hold::Asked { what: "something else".to_owned() };
    let refused = world.engine().approve(&world.run(), Some(&other), "person").unwrap_err();
    assert!(refused.to_string().contains("no longer what was shown"), "{refused}");
}
