//! Assignments whose files are removed, emptied or replaced, and the losses of a cleaned tree.

use serde_json::Value;
use sprag_testkit::{Output, TestEnv, skip};

use crate::agents::{World, free, refused};

const HOOK: &str = ".chipset/state/hooks/p4.json";
const UNIT: &str = ".chipset/state/work/u4.json";
const OPEN: &str = ".chipset/state/work/u5.json";

/// A repository in which p4 has u4, and u5 is unassigned.
fn assigned() -> World {
    let mut world = World::new("");
    world.env.git(&["init", "-q"]);
    world.env.write("x.txt", "x\n");
    world.env.git(&["add", "x.txt"]);
    world.env.git(&["commit", "-qm", "x"]);
    world.person(&["agent", "set", "p4", "u4", "--title", "Four"]);
    world.person(&["agent", "work", "add", "Five", "--id", "u5"]);
    world.env.set("SPRAG_AGENT", "p4");
    world
}

fn says(world: &World, words: &str) -> Output {
    // A person types it: no variable marks an agent.
    let mut command = world.env.command(&world.sprag);
    let done = command.args(words.split_whitespace()).env("SPRAG_AGENT", "").output().unwrap();
    Output {
        stdout: String::from_utf8_lossy(&done.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&done.stderr).into_owned(),
        exit: done.status.code(),
    }
}

#[track_caller]
fn ends(world: &World, words: &str, code: i32) -> String {
    let said = says(world, words);
    assert_eq!(said.exit, Some(code), "{words}: {}{}", said.stdout, said.stderr);
    said.stdout + &said.stderr
}

fn shell(env: &TestEnv, line: &str) {
    let done = env.command("/bin/sh").args(["-c", line]).output().unwrap();
    assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
}

fn status(world: &World, path: &str) -> Value {
    serde_json::from_str::<Value>(&world.env.read(path).unwrap()).unwrap()["status"].clone()
}

#[test]
fn what_is_gone_or_spoiled_is_named_by_every_reader_and_mended_to_the_byte() {
    for (ruin, gone) in [
        ("rm .chipset/state/hooks/p4.json", &[HOOK][..]),
        ("rm .chipset/state/work/u4.json", &[UNIT]),
        ("rm .chipset/state/work/u5.json", &[OPEN]),
        ("rm -r .chipset", &[HOOK, UNIT, OPEN]),
        ("git clean -fdq", &[HOOK, UNIT, OPEN]),
        ("git stash -u -q", &[HOOK, UNIT, OPEN]),
        ("rm -r .chipset .sprag/agents", &[HOOK, UNIT, OPEN]),
        (": > .chipset/state/hooks/p4.json; : > .chipset/state/work/u5.json", &[HOOK, OPEN]),
    ] {
        let world = assigned();
        let before = [HOOK, UNIT, OPEN].map(|path| world.env.read(path));
        shell(&world.env, ruin);
        for _ in 0..2 {
            for reader in ["agent ls", "doctor", ""] {
                let said = says(&world, reader);
                let flat = said.stdout.clone() + &said.stderr;
                assert_eq!(said.exit, Some(9), "{ruin}, `{reader}`: {flat}");
                for path in gone {
                    assert!(flat.contains(path), "{ruin}, `{reader}`: {flat}");
                }
            }
        }
        if gone.contains(&HOOK) {
            ends(&world, "agent poll p4", 9);
        }
        for path in gone.iter().filter(|path| path.contains("/work/")) {
            let unit = path.rsplit('/').next().unwrap().trim_end_matches(".json");
            if world.env.read(path).is_none() {
                ends(&world, &format!("agent work add Again --id {unit}"), 9);
            }
            ends(&world, &format!("agent set pc {unit} --title Again"), 9);
            let issue = format!("{{\"id\":\"{unit}\",\"title\":\"Again\",\"status\":\"open\"}}\n");
            world.env.write("issues.jsonl", issue);
            ends(&world, "agent import issues.jsonl", 9);
        }
        ends(&world, "doctor --fix --yes", 0);
        assert_eq!([HOOK, UNIT, OPEN].map(|path| world.env.read(path)), before, "{ruin}");
        ends(&world, "agent ls", 0);
    }
}

#[test]
fn who_drives_works_on_what_is_left_and_does_not_say_that_nothing_is() {
    for ruin in
        ["rm .chipset/state/hooks/p4.json", "rm .chipset/state/work/u5.json", "rm -r .chipset"]
    {
        let world = assigned();
        shell(&world.env, ruin);
        // Its commits must not make it forget what it could not read.
        for _ in 0..2 {
            let said = ends(&world, "run inbox --host true", 9);
            assert!(said.contains("it is missing"), "{ruin}: {said}");
        }
    }
}

#[test]
fn an_older_state_is_not_taken_for_the_present_one() {
    let world = assigned();
    shell(&world.env, "git add -Af .chipset; git commit -qm one");
    ends(&world, "agent activate p4", 0);
    shell(&world.env, "git commit -qam two; git checkout -q HEAD~1");
    assert!(ends(&world, "agent ls", 9).contains(HOOK));
    ends(&world, "agent set pc u4", 9);
    shell(&world.env, "git checkout -q HEAD~1");
    assert!(ends(&world, "agent ls", 9).contains("it held `active u4`"));
    ends(&world, "next inbox", 9);
    shell(&world.env, "git checkout -q -");
    shell(&world.env, "git checkout -q master 2>/dev/null || git checkout -q main");
    ends(&world, "agent ls", 0);
}

#[test]
fn a_stop_is_refused_from_our_own_record_where_the_documents_are_gone() {
    for ruin in
        ["rm -r .chipset", "rm -r .chipset .sprag/agents", "git clean -fdxq", "rm -rf .sprag"]
    {
        let world = assigned();
        let agent = world.agent("one").in_process(std::process::id());
        assert!(agent.begins().contains("u4 \"Four\" is assigned to you"));
        shell(&world.env, ruin);
        let why = refused(&agent);
        assert!(why.contains("Not finished: u4 \"Four\" is assigned to you."), "{ruin}: {why}");
    }
}

#[test]
fn an_agent_does_not_say_that_work_is_over_and_a_person_may() {
    let done = |world: &World, path: &str| {
        let text = world.env.read(path).unwrap();
        let text = text.replace("\"open\"", "\"done\"").replace("\"in_progress\"", "\"done\"");
        world.env.write(path, text);
    };
    // No agent is at work: the edit is a person's, or the original tool's.
    let world = assigned();
    done(&world, OPEN);
    assert!(ends(&world, "agent work ls", 0).contains("u5              done"));
    ends(&world, "agent set pc u5", 8);
    // While p4 works, neither edit counts: one is of its own unit, one of an unrelated unit.
    let world = assigned();
    let agent = world.agent("one").in_process(std::process::id());
    agent.begins();
    done(&world, UNIT);
    done(&world, OPEN);
    assert!(ends(&world, "next inbox", 0).contains("u5"));
    refused(&agent);
    assert_eq!(status(&world, UNIT), "in_progress", "put back");
    ends(&world, "agent set pc u5", 0);
    assert_eq!(status(&world, OPEN), "hooked");
    let log = ends(&world, "log -n 50 --json", 0);
    assert_eq!(log.matches("assignment.put_back").count(), 2, "{log}");
    // Another agent's assignment, cleared by the agent at work.
    let hook = ".chipset/state/hooks/pc.json";
    world.env.write(hook, "{\"agent_id\":\"pc\",\"status\":\"empty\",\"work_item\":null}");
    assert!(ends(&world, "agent poll pc", 0).contains("u5"));
    ends(&world, "agent activate pc --as pc", 0);
    assert_eq!(status(&world, hook), "active");
    // An agent may set the time of its last activity.
    let text = world.env.read(HOOK).unwrap().replace("2026", "2025");
    world.env.write(HOOK, &text);
    ends(&world, "agent poll p4", 0);
    assert_eq!(world.env.read(HOOK).unwrap(), text);
    // The next status is a claim, no matter which program wrote it.
    world.env.write(HOOK, text.replace("\"active\"", "\"completed\""));
    assert_eq!(free(&agent), "");
    assert!(ends(&world, "agent ls", 0).contains("completed"));
}

#[test]
fn a_cleaned_tree_loses_nothing_that_was_acknowledged() {
    let world = assigned();
    ends(&world, "agent activate p4", 0);
    let before: Vec<_> =
        [HOOK, UNIT, OPEN, ".sprag/agents/p4.json"].map(|path| world.env.read(path)).into();
    shell(&world.env, "git clean -fdxq");
    assert!(world.env.read(HOOK).is_none() && world.env.read(".sprag/agents/p4.json").is_none());
    let said = says(&world, "agent ls");
    assert!(said.stderr.contains("sprag: the journal was gone; restored it"), "{}", said.stderr);
    assert_eq!(said.exit, Some(0), "{}", said.stderr);
    let after: Vec<_> =
        [HOOK, UNIT, OPEN, ".sprag/agents/p4.json"].map(|path| world.env.read(path)).into();
    assert_eq!(after, before);
    assert_eq!(says(&world, "agent ls").stderr, "", "said once");
    ends(&world, "agent complete p4", 0);
    // A person who abandons the project loses it for good.
    ends(&world, "init --undo --yes", 0);
    shell(&world.env, "rm -rf .sprag .chipset");
    assert!(ends(&world, "agent ls", 0).contains("no agents yet"));
}

#[test]
fn a_copy_that_is_damaged_is_said_and_not_restored() {
    let world = assigned();
    shell(&world.env, "git clean -fdxq; sed -i 's/Four/Fear/' .git/sprag/journal/*.jsonl");
    let said = says(&world, "agent ls");
    assert!(said.stderr.contains("cannot be restored"), "{}", said.stderr);
    assert!(!said.stdout.contains("u4"), "{}", said.stdout);
}

/// Runs a line with a read-only git folder and home; `None` if mounting is not permitted.
fn sandboxed(env: &TestEnv, line: &str) -> Option<std::process::Output> {
    let mounts = "for d in .git \"$HOME\"; do mount --bind \"$d\" \"$d\" && \
                  mount -o remount,bind,ro \"$d\" || exit 77; done; ! touch .git/x 2>/dev/null || exit 77";
    let mut command = env.command("/usr/bin/unshare");
    command.args(["-m", "/bin/sh", "-c", &format!("{mounts}; {line}")]);
    command.output().ok().filter(|done| done.status.code() != Some(77))
}

#[test]
fn agents_verbs_work_where_the_git_folder_and_the_home_cannot_be_written() {
    let world = assigned();
    let sprag = &world.sprag;
    for line in [
        "agent poll p4",
        "agent activate p4",
        "agent touch p4",
        "agent wait p4 --on review",
        "agent mail ls p4",
        "agent complete p4",
        "step status",
        "next inbox",
    ] {
        let Some(done) = sandboxed(&world.env, &format!("{sprag} {line}")) else {
            return skip::skip("a read-only git folder", "no right to mount in a namespace");
        };
        let code = done.status.code();
        let is_fine = code == Some(0) || line == "step status" && code == Some(4);
        assert!(is_fine, "{line}: {code:?} {}", String::from_utf8_lossy(&done.stderr));
    }
    assert_eq!(status(&world, HOOK), "completed");
    // Also if the state must first be restored from there.
    shell(&world.env, "git clean -fdxq");
    let done = sandboxed(&world.env, &format!("{sprag} agent poll p4")).unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(status(&world, HOOK), "completed");
}
