//! Sessions in linked worktrees: the main worktree's configuration guards them, and their own
//! worktree's files are judged.
#![expect(clippy::disallowed_methods, reason = "it plays an agent that changes files")]

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sprag_testkit::{Test, TestEnv};

use crate::support::{SPRAG, sprag};

/// A gate that passes if the code is good.
const GATE: &str = "guard:\n  gates:\n    - content: { path: code.txt, has: good }\n";

/// A session of Claude Code.
struct Session<'t> {
    env: &'t TestEnv,
    started: PathBuf,
    name: &'static str,
}

impl Session<'_> {
    /// Calls a host hook from a folder, and returns the answer.
    fn hook(&self, at: &Path, event: &str, more: &Value) -> Value {
        let mut payload = json!({
            "session_id": self.name,
            "transcript_path": "/dev/null",
            "cwd": at,
            "hook_event_name": event,
            "permission_mode": "default",
        });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let mut command = self.env.command(TestEnv::program(SPRAG));
        command.args(["hook", "claude", event]).current_dir(at);
        command.env("CLAUDE_PROJECT_DIR", &self.started);
        let input = self.env.top().join("payload");
        std::fs::write(&input, payload.to_string()).unwrap();
        let output = command.stdin(std::fs::File::open(input).unwrap()).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{said}");
        serde_json::from_str(&said).unwrap_or_default()
    }

    fn begins(&self, at: &Path) {
        self.hook(at, "SessionStart", &json!({ "source": "startup" }));
    }

    /// Changes a file from a folder.
    fn edits(&self, at: &Path, file: &Path, text: &str) {
        let input = json!({ "file_path": file, "content": text });
        let answer =
            self.hook(at, "PreToolUse", &json!({ "tool_name": "Write", "tool_input": input }));
        assert_eq!(answer, Value::Null, "it may");
        std::fs::write(file, text).unwrap();
    }

    /// Stops in a folder, and returns the reason if it is refused.
    fn stops(&self, at: &Path) -> Option<String> {
        let answer = self.hook(at, "Stop", &json!({ "stop_hook_active": false }));
        let reason = answer.get("reason").and_then(Value::as_str).map(str::to_owned);
        assert_eq!(reason.is_some(), answer.get("decision").is_some(), "{answer}");
        reason
    }
}

/// Creates a repository with a guarded project in `below`; `ignored` keeps the guard out of git.
fn repository(below: &str, ignored: bool) -> Test {
    let test = sprag().file(format!("{below}code.txt"), "good\n");
    let test = test.file(".gitignore", if ignored { ".sprag/\n" } else { "" });
    let test = test.file(format!("{below}.sprag/config.yaml"), GATE);
    test.env.git(&["init", "-q"]);
    test.env.git(&["add", "."]);
    test.env.git(&["commit", "-qm", "start"]);
    test
}

fn worktree(env: &TestEnv, name: &str) -> PathBuf {
    let folder = env.top().join(name);
    env.git(&["worktree", "add", "-q", "-b", name, folder.to_str().unwrap()]);
    folder
}

#[test]
fn a_session_in_a_linked_worktree_is_held_by_the_main_ones_guard() {
    for ignored in [true, false] {
        let test = repository("", ignored);
        let linked = worktree(&test.env, "linked");
        let session = Session { env: &test.env, started: linked.clone(), name: "s1" };
        session.begins(&linked);
        assert_eq!(session.stops(&linked), None, "nothing was done");
        session.edits(&linked, &linked.join("code.txt"), "bad\n");
        let why = session.stops(&linked).expect("it is red");
        assert!(why.contains("code.txt"), "{why}");
        session.edits(&linked, &linked.join("code.txt"), "good, and more\n");
        assert_eq!(session.stops(&linked), None);
        // The state is the main worktree's.
        assert!(test.env.read(".sprag/sessions/claude-s1.json").is_some());
        assert!(!linked.join(".sprag/sessions").exists());
    }
}

#[test]
fn what_stands_in_the_main_worktree_is_not_what_a_session_elsewhere_is_judged_by() {
    let test = repository("", true).file("code.txt", "bad\n");
    let linked = worktree(&test.env, "linked");
    let session = Session { env: &test.env, started: linked.clone(), name: "s1" };
    session.begins(&linked);
    session.edits(&linked, &linked.join("code.txt"), "still good\n");
    assert_eq!(session.stops(&linked), None);
}

#[test]
fn a_session_that_enters_a_worktree_is_judged_there_and_for_what_it_left() {
    let test = repository("", true);
    let main = test.env.project();
    let session = Session { env: &test.env, started: main.clone(), name: "s1" };
    session.begins(&main);
    // As Claude Code creates them: inside the project.
    let linked = main.join(".claude/worktrees/x");
    test.env.git(&["worktree", "add", "-q", "-b", "x", linked.to_str().unwrap()]);
    test.env.write(".git/info/exclude", ".claude/\n");
    session.edits(&linked, &linked.join("code.txt"), "bad\n");
    assert!(session.stops(&linked).is_some());
    assert!(session.stops(&main).is_some_and(|why| why.contains("worktrees/x")), "no way out");
    session.edits(&linked, &linked.join("code.txt"), "good here\n");
    assert_eq!(session.stops(&linked), None);
    // Now it leaves something behind.
    session.edits(&main, &main.join("code.txt"), "bad\n");
    let why = session.stops(&linked).expect("the main worktree is red");
    assert!(why.starts_with(&format!("In {}, where you worked before", main.display())), "{why}");
    session.edits(&linked, &main.join("code.txt"), "good again\n");
    assert_eq!(session.stops(&linked), None);
    assert_eq!(session.stops(&main), None);
}

#[test]
fn refusals_in_two_worktrees_are_bounded() {
    let test = repository("", true);
    let (main, linked) = (test.env.project(), worktree(&test.env, "linked"));
    let session = Session { env: &test.env, started: main.clone(), name: "s1" };
    session.begins(&main);
    session.edits(&main, &main.join("code.txt"), "good too\n");
    session.edits(&linked, &linked.join("code.txt"), "bad\n");
    let refused = (0..20).take_while(|_| session.stops(&linked).is_some()).count();
    assert!((1..10).contains(&refused), "{refused}");
}

#[test]
fn a_folder_elsewhere_stays_with_the_project() {
    let test = repository("", true).file("sub/a", "");
    let main = test.env.project();
    let session = Session { env: &test.env, started: main.clone(), name: "s1" };
    session.begins(&main);
    session.edits(&main.join("sub"), &main.join("code.txt"), "bad\n");
    assert!(session.stops(&main.join("sub")).is_some());
    assert!(session.stops(test.env.top()).is_some());
}

#[test]
fn a_project_below_the_top_is_guarded_in_a_worktree() {
    let test = repository("shop/", true);
    test.env.let_own(&test.env.project().join("shop"));
    let linked = worktree(&test.env, "linked");
    let shop = linked.join("shop");
    let session = Session { env: &test.env, started: shop.clone(), name: "s1" };
    session.begins(&shop);
    session.edits(&shop, &shop.join("code.txt"), "bad\n");
    assert!(session.stops(&shop).is_some());
    assert!(test.env.read("shop/.sprag/sessions/claude-s1.json").is_some());
    // The same for a session that goes there, also to the top.
    let main = test.env.project().join("shop");
    let session = Session { env: &test.env, started: main.clone(), name: "s2" };
    session.begins(&main);
    session.edits(&linked, &shop.join("code.txt"), "worse\n");
    assert!(session.stops(&linked).is_some());
}

#[test]
fn a_worktree_without_a_branch_is_guarded_and_one_that_is_gone_holds_nobody() {
    let test = repository("", true);
    let main = test.env.project();
    let linked = test.env.top().join("linked");
    test.env.git(&["worktree", "add", "-q", "--detach", linked.to_str().unwrap()]);
    let session = Session { env: &test.env, started: main.clone(), name: "s1" };
    session.begins(&main);
    session.edits(&linked, &linked.join("code.txt"), "bad\n");
    assert!(session.stops(&main).is_some());
    std::fs::remove_dir_all(&linked).unwrap();
    assert_eq!(session.stops(&main), None);
    test.env.git(&["worktree", "prune"]);
    assert_eq!(session.stops(&main), None);
    // Its folder comes back, but is no worktree any more.
    std::fs::create_dir(&linked).unwrap();
    std::fs::write(linked.join(".git"), "gitdir: ../project/.git/worktrees/linked\n").unwrap();
    session.edits(&main, &main.join("code.txt"), "bad\n");
    assert!(session.stops(&linked).is_some(), "it stays with the project");
}

#[test]
fn a_worktree_of_a_bare_repository_is_a_project_whose_sessions_are_judged_in_others() {
    let test = repository("", true);
    test.env.git(&["clone", "-q", "--bare", ".", "../bare.git"]);
    let folder = |name: &str| test.env.top().join(name);
    for name in ["one", "two"] {
        let to = folder(name);
        let bare = ["-C", "../bare.git", "worktree", "add", "-q", "-b", name, to.to_str().unwrap()];
        test.env.git(&bare);
    }
    let (one, two) = (folder("one"), folder("two"));
    test.env.let_own(&one);
    test.env.write("../one/.sprag/config.yaml", GATE);
    let session = Session { env: &test.env, started: one.clone(), name: "s1" };
    session.begins(&one);
    session.edits(&one, &one.join("code.txt"), "bad\n");
    assert!(session.stops(&one).is_some());
    session.edits(&one, &one.join("code.txt"), "good, too\n");
    session.edits(&two, &two.join("code.txt"), "bad\n");
    assert!(session.stops(&two).is_some());
    assert!(session.stops(&one).is_some_and(|why| why.contains("/two")), "no way out");
    session.edits(&two, &two.join("code.txt"), "good, two\n");
    assert_eq!(session.stops(&two), None);
    assert!(one.join(".sprag/sessions/claude-s1.json").exists() && !two.join(".sprag").exists());
    // The other one by itself has no guard.
    let session = Session { env: &test.env, started: two.clone(), name: "s2" };
    session.begins(&two);
    session.edits(&two, &two.join("code.txt"), "bad\n");
    assert_eq!(session.stops(&two), None);
}

#[test]
fn a_worktrees_own_configuration_counts_as_it_is_committed() {
    let test = repository("", false);
    let linked = worktree(&test.env, "linked");
    let own = linked.join(".sprag/config.yaml");
    let red = |name: &'static str| {
        let session = Session { env: &test.env, started: linked.clone(), name };
        session.begins(&linked);
        session.edits(&linked, &linked.join("code.txt"), &format!("bad {name}\n"));
        session.stops(&linked).is_some()
    };
    std::fs::write(&own, "v: 1\n").unwrap();
    assert!(red("s1"), "any process could have written it");
    test.env.git(&["-C", linked.to_str().unwrap(), "commit", "-qam", "no guard"]);
    assert!(!red("s2"));
}

#[test]
fn a_forged_worktree_is_not_the_projects() {
    let test = repository("", true);
    let forged = test.env.top().join("forged");
    test.env.write("../forged/.git", "gitdir: g\n");
    test.env.write("../forged/g/commondir", "../../project/.git\n");
    test.env.write("../forged/g/HEAD", "ref: refs/heads/main\n");
    test.env.write("../forged/code.txt", "good\n");
    let session = Session { env: &test.env, started: forged.clone(), name: "s1" };
    session.begins(&forged);
    session.edits(&forged, &forged.join("code.txt"), "bad\n");
    assert_eq!(session.stops(&forged), None);
    let files = test.env.files();
    assert!(!files.iter().any(|file| file.contains("sessions")), "{files:?}");
}
