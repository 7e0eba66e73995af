//! A symbolic link at any step of a path of sprag's state: nothing is written through it, and it is
//! reported.
#![expect(clippy::disallowed_methods, reason = "it plays an agent that changes files")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::json;
use sprag_testkit::TestEnv;

use crate::support::{SPRAG, sprag};

const GATE: &str = "guard:\n  gates:\n    - content: { path: code.txt, has: good }\n";

/// Paths that may be deleted at any time, so links there need no report.
const CACHED: [&str; 3] = [".sprag/cache", ".sprag/.gitignore", ".sprag/lock"];

/// Runs sprag with some input; returns all its output.
fn said(env: &TestEnv, words: &[&str], input: &str) -> String {
    let file = env.top().join("input");
    std::fs::write(&file, input).unwrap();
    let mut command = env.command(TestEnv::program(SPRAG));
    let output = command.args(words).stdin(std::fs::File::open(file).unwrap()).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    assert!(output.status.code().is_some_and(|code| code < 100), "{words:?}");
    String::from_utf8(text).unwrap()
}

fn hook(env: &TestEnv, event: &str) -> String {
    let input = json!({ "file_path": env.project().join("code.txt"), "content": "bad" });
    let payload = json!({
        "session_id": "s1", "cwd": env.project(), "hook_event_name": event, "prompt": "go on",
        "tool_name": "Write", "tool_input": input, "source": "startup", "reason": "exit",
    });
    said(env, &["hook", "claude", event], &payload.to_string())
}

/// Creates a project with every kind of state.
fn world() -> TestEnv {
    let env = sprag().file("code.txt", "good\n").file(".sprag/config.yaml", GATE).env;
    env.git(&["init", "-q"]);
    for words in [
        &["agent", "set", "p4", "u4", "--title", "Four", "--as", "mayor"][..],
        &["agent", "mail", "send", "p4", "--subject", "Hello", "--as", "mayor"],
        &["agent", "nudge", "send", "p4", "--as", "mayor"],
    ] {
        said(&env, words, "");
    }
    hook(&env, "SessionStart");
    hook(&env, "PreToolUse");
    env.write("code.txt", "bad\n");
    hook(&env, "Stop");
    env
}

/// Lists a folder's contents by path, with their bytes.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut open) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(path) = open.pop() {
        if path.is_dir() && !path.is_symlink() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            found.insert(path, Vec::new());
        } else {
            let bytes = std::fs::read(&path).unwrap_or_default();
            found.insert(path, bytes);
        }
    }
    found
}

/// Replaces a path of the project by a link to its moved content, runs sprag, and checks that the
/// content did not change.
fn sweep(env: &TestEnv, path: &str) {
    let (own, away) = (env.project().join(path), env.top().join("away"));
    std::fs::rename(&own, &away).unwrap();
    std::os::unix::fs::symlink(&away, &own).unwrap();
    let _ = std::fs::remove_file(env.project().join(".sprag/trace"));
    let before = contents(&away);
    let mut told = String::new();
    let mut after = |what: &str, text: &str| {
        told.push_str(text);
        let now = contents(&away);
        let changed: Vec<_> = now
            .iter()
            .filter(|(path, bytes)| before.get(*path) != Some(bytes))
            .map(|(path, _)| path)
            .chain(before.keys().filter(|path| !now.contains_key(*path)))
            .collect();
        assert!(changed.is_empty(), "{what} wrote through {path}: {changed:?}");
    };
    for event in ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"] {
        after(event, &hook(env, event));
    }
    for words in [
        &[][..],
        &["doctor"],
        &["report"],
        &["report", "--html"],
        &["agent", "ls"],
        &["agent", "set", "p5", "u5", "--title", "Five", "--as", "mayor"],
        &["agent", "touch", "p4", "--as", "p4"],
        &["agent", "nudge", "send", "p4", "--as", "mayor"],
    ] {
        after(&format!("{words:?}"), &said(env, words, ""));
    }
    if path.contains("agents") {
        let words = ["run", "inbox", "--host", "true"];
        after("run inbox", &said(env, &words, ""));
    }
    after("SessionEnd", &hook(env, "SessionEnd"));
    told.push_str(&env.read(".sprag/trace").unwrap_or_default());
    let is_cached = CACHED.iter().any(|cached| path.starts_with(cached));
    assert!(is_cached || told.contains("symbolic link"), "{path}: no message: {told}");
    std::fs::remove_file(&own).unwrap();
    std::fs::rename(&away, &own).unwrap();
}

/// Returns one path of each kind in a folder of the project: names that differ only in their ids
/// count as one kind.
fn kinds(env: &TestEnv, folder: &str) -> Vec<String> {
    let mut kinds = BTreeMap::new();
    for path in contents(&env.project().join(folder)).into_keys() {
        let path = path.strip_prefix(env.project()).unwrap().to_str().unwrap().to_owned();
        let kind: String = path.chars().filter(|letter| !letter.is_ascii_digit()).collect();
        kinds.entry(kind).or_insert(path);
    }
    kinds.into_values().collect()
}

#[test]
fn a_link_in_our_state_is_neither_followed_nor_passed_over() {
    let env = world();
    let all = kinds(&env, ".sprag");
    for kind in ["journal", "runs", "sessions", "agents", "cache", "lock"] {
        assert!(all.iter().any(|path| path.contains(kind)), "{kind} is not there: {all:?}");
    }
    for path in all.iter().filter(|path| env.project().join(path).exists()) {
        sweep(&env, path);
    }
}

#[test]
fn a_link_in_the_inbox_is_neither_followed_nor_passed_over() {
    let env = world();
    for path in kinds(&env, ".chipset").iter().filter(|path| env.project().join(path).exists()) {
        sweep(&env, path);
    }
}

#[test]
fn a_link_in_the_state_of_another_system_is_neither_followed_nor_passed_over() {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/opti-gsd/state");
    let state = std::fs::read(format!("{samples}/s01-active-execute.md")).unwrap();
    let pull = "version: 1\nreviewLoop:\n  active: true\nturn: REVIEW\napproved: false\n";
    for path in [".gsd/STATE.md", ".gsd", ".thoughts/pr/metadata.yaml", ".thoughts/pr", ".thoughts"]
    {
        let env = world();
        env.write(".gsd/STATE.md", &state);
        env.write(".thoughts/pr/metadata.yaml", pull);
        sweep(&env, path);
    }
}
