//! `sprag run` from folders other than the top of a project.

use std::io::{BufRead as _, BufReader};

use super::World;

const TASK: [&str; 4] = ["run", "Make it good", "--until", "sh test.sh"];

#[test]
fn a_run_of_a_linked_worktree_is_found_from_there_and_from_the_main_one() {
    let world = World::new("echo 'All done!'");
    world.env.git(&["worktree", "add", "-q", "../linked"]);
    let linked = world.env.top().join("linked").display().to_string();
    let there = |words: &[&str]| world.sprag(&[&["-C", &linked][..], words].concat());
    let host = world.host();
    let ran = there(&[&TASK[..], &["--host", &host, "--yes"]].concat());
    assert_eq!(ran.exit, Some(5), "{}{}", ran.stdout, ran.stderr);
    let run = world.run();
    let shown = there(&["report"]);
    assert!(shown.exit == Some(0) && shown.stdout.contains(&run), "{}", shown.stdout);
    let resumed = there(&["resume", &run]);
    assert_eq!(resumed.exit, Some(5), "{}{}", resumed.stdout, resumed.stderr);
    assert!(!world.env.top().join("linked/.sprag/runs").exists());
}

#[test]
fn the_home_directory_is_never_a_project() {
    let world = World::new("echo good > code.txt");
    let home = world.env.home().display().to_string();
    let host = world.host();
    let ran = world.sprag(&[&["-C", &home][..], &TASK, &["--host", &host, "--yes"]].concat());
    assert_eq!((ran.exit, world.turns()), (Some(2), 0), "{}", ran.stdout);
    assert!(ran.stderr.contains("the home directory is never a project"), "{}", ran.stderr);
    assert!(!world.env.home().join(".sprag").exists());
}

#[test]
fn nothing_else_begins_in_the_home_directory_either() {
    let world = World::new("");
    let home = world.env.home().display().to_string();
    // A home directory may be under git, and may have subfolders.
    world.env.git(&["init", "-q", "-b", "topic", &home]);
    world.env.write("../home/below/x", "");
    for folder in [home.clone(), format!("{home}/below")] {
        for words in [
            &["pr", "init"][..],
            &["pr", "pause"],
            &["pr", "meta", "set", "turn", "DEV"],
            &["start", "x", "y"],
            &["agent", "work", "add", "x"],
            &["init"],
        ] {
            let ran = world.sprag(&[&["-C", &folder][..], words].concat());
            assert_eq!(ran.exit, Some(2), "{words:?}: {}{}", ran.stdout, ran.stderr);
            let said = "the home directory is never a project";
            assert!(ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
        }
    }
    assert!(!world.env.home().join(".sprag").exists());
    assert!(!world.env.home().join(".thoughts").exists());
}

#[test]
fn following_a_run_goes_on_while_it_is_held_and_ends_with_it() {
    let world = World::new("echo 'All done!'");
    assert_eq!(world.sprag(&TASK).exit, Some(5));
    let run = world.run();
    let mut child = world.start_heard(&["log", "--follow", "-n", "1", &run]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains(&run));
    assert_eq!(world.sprag(&["cancel", &run]).exit, Some(0));
    // The final event is shown, and the wait ends.
    world.env.wait_until("it ends", || child.try_wait().unwrap().is_some());
    assert!(child.wait().unwrap().success());
    assert!(lines.map(Result::unwrap).any(|line| line.contains("run.cancelled")));
    // For an ended run there is nothing to wait for.
    let mut child = world.start(&["log", "--follow", &run]);
    world.env.wait_until("it ends", || child.try_wait().unwrap().is_some());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_word_that_means_nothing_is_the_first_thing_wrong() {
    let mut world = World::new("");
    world.env.set("PATH", "/nowhere");
    for words in [&["run", "x"][..], &["run", "x", "do it"]] {
        let out = world.env.command(&world.sprag).args(words).output().unwrap();
        let said = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(4), "{said}");
        assert!(said.contains("no workflow is called `x`"), "{said}");
        assert!(said.contains("sprag run \"TASK\" --until CMD"), "{said}");
    }
}

#[test]
fn a_command_is_typed_for_the_folder_that_one_is_in() {
    let world = World::new("echo good >> \"it's/code.txt\"");
    world.env.write("it's/test.sh", "grep -q good code.txt\n");
    world.env.write("it's/code.txt", "start\n");
    let below = world.env.project().join("it's").display().to_string();
    let host = world.host();
    let words = [&["-C", &below][..], &TASK, &["--host", &host, "--yes"]].concat();
    let ran = world.sprag(&words);
    assert_eq!((ran.exit, world.turns()), (Some(0), 1), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn an_agent_s_path_is_typed_for_the_folder_that_one_is_in() {
    let world = World::new("echo good > code.txt");
    world.env.write("pkg/x", "");
    let below = world.env.project().join("pkg").display().to_string();
    let words =
        ["-C", &below, "run", "Do it", "--until", "grep -q good ../code.txt", "--yes", "--host"];
    for (turn, host) in [(1, "../../agent.sh"), (2, "sh ../../agent.sh")] {
        world.env.write("code.txt", "start\n");
        let ran = world.sprag(&[&words[..], &[host]].concat());
        assert_eq!((ran.exit, world.turns()), (Some(0), turn), "{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn the_only_run_that_goes_on_is_paused_without_a_name() {
    let world = World::new("echo 'All done!'");
    assert_eq!(world.sprag(&TASK).exit, Some(5));
    let run = world.run();
    let paused = world.sprag(&["pause"]);
    assert_eq!(paused.exit, Some(0), "{}", paused.stderr);
    assert!(paused.stdout.contains(&run), "{}", paused.stdout);
}
