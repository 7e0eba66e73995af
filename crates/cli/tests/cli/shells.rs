//! An agent's shell moves the workflow that its own session drives, in every host.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::json;
use sprag_testkit::TestEnv;

use crate::support::SPRAG;

/// A project with a started workflow of two phases.
fn started() -> TestEnv {
    let mut env = TestEnv::new();
    env.set("SPRAG_TEST_IDS", "");
    env.set("SPRAG_TEST_NOW", "");
    let folder = ".sprag/workflows/two";
    let workflow =
        "name: Two\ncommandName: two\ninitialMessage: Begin.\nphases: [one.md, two.md]\n";
    env.write(format!("{folder}/workflow.yaml"), workflow);
    for phase in ["one", "two"] {
        let text = format!("---\nid: {phase}\nname: {phase}\nemoji: 🔨\n---\nDo it.\n");
        env.write(format!("{folder}/{phase}.md"), text);
    }
    env.git(&["init", "-q"]);
    let done = env.command(SPRAG).args(["start", "two", "task"]).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    env
}

/// Begins a session of a host.
fn begins(env: &TestEnv, host: &str, event: &str, session: &str) {
    let cwd = env.project().display().to_string();
    let said = json!({
        "session_id": session, "cwd": cwd, "hook_event_name": event, "source": "startup",
    });
    let mut command = env.command(SPRAG);
    command.args(["hook", host, event]).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(said.to_string().as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

/// Moves the workflow from a shell with one variable of a host, and returns the exit code.
fn steps(env: &TestEnv, name: &str, value: &str) -> Option<i32> {
    let mut command = env.command(SPRAG);
    command.args(["step", "next"]).env(name, value).output().unwrap().status.code()
}

#[test]
fn hosts_say_whose_shell_it_is() {
    for (host, name) in [
        ("claude", "CLAUDE_CODE_SESSION_ID"),
        ("codex", "CODEX_THREAD_ID"),
        ("copilot", "COPILOT_AGENT_SESSION_ID"),
    ] {
        let env = started();
        begins(&env, host, "SessionStart", "mine");
        assert_eq!(steps(&env, name, "another"), Some(10), "{host}");
        assert_eq!(steps(&env, "OPENCODE", "1"), Some(10), "a stranger beside {host}");
        assert_eq!(steps(&env, name, "mine"), Some(0), "{host}");
    }
}

#[test]
fn where_the_host_does_not_say_its_only_session_is_meant() {
    let env = started();
    begins(&env, "gemini", "SessionStart", "mine");
    begins(&env, "codex", "SessionStart", "beside");
    assert_eq!(steps(&env, "GEMINI_CLI", "1"), Some(0));
    begins(&env, "gemini", "SessionStart", "second");
    assert_eq!(steps(&env, "GEMINI_CLI", "1"), Some(10));
}
