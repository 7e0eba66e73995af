//! `sprag rpc`: one process, many lines; each is answered once, in order, as the host hook would.

mod equal;
mod pi;

use serde_json::{Value, json};
use sprag_testkit::seed::Seed;
use sprag_testkit::{Spoken, Test, TestEnv, skip};

use crate::agents::{GUARD, World};
use crate::support::{SPRAG, project};

/// Starts `sprag rpc` in a world and reads its greeting.
pub(crate) fn rpc(env: &TestEnv) -> Spoken {
    let mut command = env.command(TestEnv::program(SPRAG));
    command.arg("rpc");
    let mut spoken = Spoken::start(command);
    let hello: Value = serde_json::from_str(&spoken.hears()).unwrap();
    assert_eq!((&hello["v"], &hello["hello"]["rpc"]), (&json!(1), &json!([1])), "{hello}");
    assert_eq!(hello["hello"]["sprag"], env!("CARGO_PKG_VERSION"));
    spoken
}

/// Sends a request and returns its answer.
pub(crate) fn asks(spoken: &mut Spoken, request: &Value) -> Value {
    spoken.says(request.to_string());
    let answer: Value = serde_json::from_str(&spoken.hears()).unwrap();
    assert_eq!((&answer["v"], &answer["id"]), (&json!(1), &request["id"]), "{answer}");
    assert!(answer["effects"].is_array(), "{answer}");
    answer
}

fn request(env: &TestEnv, id: u32, session: &str, event: &str, data: &Value) -> Value {
    let cwd = env.project().display().to_string();
    json!({ "v": 1, "id": id, "host": "opencode", "session": session, "cwd": cwd,
            "event": event, "data": data })
}

#[test]
fn it_greets_first_and_ends_with_its_input() {
    let Test { env, .. } = project();
    let spoken = rpc(&env);
    assert_eq!(spoken.ends(), "");
    assert_eq!(env.files(), Vec::<String>::new());
}

#[test]
fn bad_lines_have_one_error_each_and_the_rest_goes_on_in_order() {
    let Test { env, .. } = project();
    let mut spoken = rpc(&env);
    let good = request(&env, 7, "s", "SessionStart", &json!({})).to_string();
    let lines: [(&[u8], Value, &str); 9] = [
        (good.as_bytes(), json!(7), ""),
        (b"", Value::Null, "the line is no request: EOF"),
        (b"nonsense", Value::Null, "the line is no request: expected"),
        (b"[1,2]", Value::Null, "the line is no request: invalid type"),
        (b"{\"v\":1,\"id\":\"x-1\",\"event\":", json!("x-1"), "the line is no request: EOF"),
        (b"{\"v\":9,\"id\":3,\"event\":\"Stop\"}", json!(3), "`v` is 9, and this sprag speaks 1"),
        (b"{\"id\":4,\"event\":\"Stop\",\"host\":\"vim\"}", json!(4), "no bridge of `vim`"),
        (b"\xff\xfe{\"id\":5}", Value::Null, "the line is no request"),
        (b"{\"id\":6,\"event\":\"hello\"}", json!(6), ""),
    ];
    for (line, ..) in &lines {
        spoken.says(line);
    }
    for (line, id, why) in &lines {
        let answer: Value = serde_json::from_str(&spoken.hears()).unwrap();
        let said = answer["error"].as_str().unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        assert_eq!((&answer["id"], said.is_empty()), (id, why.is_empty()), "{line}: {answer}");
        assert!(said.starts_with(why), "{line}: {said}");
    }
    assert_eq!(spoken.ends(), "");
}

#[test]
fn a_line_of_a_mebibyte_is_answered_and_one_beyond_the_limit_is_passed_over() {
    let Test { env, .. } = project();
    let mut spoken = rpc(&env);
    let large = json!({ "prompt": "x".repeat(1 << 20) });
    let answer = asks(&mut spoken, &request(&env, 1, "s", "UserPromptSubmit", &large));
    assert_eq!(answer["error"], Value::Null);
    // The limit is that of a host hook.
    spoken.says("y".repeat((64 << 20) + 1));
    let refused: Value = serde_json::from_str(&spoken.hears()).unwrap();
    assert_eq!(refused["error"], "the line has more than 67108864 bytes");
    let answer = asks(&mut spoken, &request(&env, 2, "s", "UserPromptSubmit", &json!({})));
    assert_eq!(answer["error"], Value::Null);
    assert_eq!(spoken.ends(), "");
}

#[test]
fn a_last_line_that_was_broken_off_is_answered_too() {
    let Test { env, .. } = project();
    let mut spoken = rpc(&env);
    spoken.breaks_off("{\"id\":1,\"event\":\"hello\"");
    let answer: Value = serde_json::from_str(&spoken.hears()).unwrap();
    assert_eq!(answer["id"], 1);
    assert!(answer["error"].as_str().unwrap().contains("EOF"), "{answer}");
    assert_eq!(spoken.ends(), "");
}

#[test]
fn two_sessions_in_one_process_are_held_each_for_itself() {
    let world = World::trusted(GUARD);
    let mut spoken = rpc(&world.env);
    let mut ask = |session: &str, event: &str, data: Value| {
        asks(&mut spoken, &request(&world.env, 1, session, event, &data))
    };
    for session in ["ses_a", "ses_b"] {
        let begun = ask(session, "SessionStart", json!({}));
        let told = begun["out"]["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
        assert!(told.contains("`sh test.sh`"), "{told}");
        let shared = json!({ "fx": "set_env", "name": "SPRAG_SESSION",
                             "value": format!("opencode-{session}") });
        assert_eq!(begun["effects"], json!([shared]));
    }
    let path = world.env.project().join("code.txt").display().to_string();
    let write = json!({ "tool_name": "write", "tool_input": { "filePath": path } });
    assert_eq!(ask("ses_a", "PreToolUse", write)["out"], Value::Null);
    world.env.write("code.txt", "bad\n");
    // Only the session that worked is held, whatever the other one does meanwhile.
    assert_eq!(ask("ses_b", "Stop", json!({}))["out"], Value::Null);
    let refused = ask("ses_a", "Stop", json!({}));
    assert_eq!(refused["out"]["decision"], "block");
    assert_eq!(ask("ses_b", "Stop", json!({}))["out"], Value::Null);
    let child = json!({ "agent_id": "ses_c", "stop_hook_active": false });
    assert_eq!(ask("ses_a", "Stop", child)["out"], Value::Null, "a subagent's stop is not its");
    assert_eq!(spoken.ends(), "");
}

#[test]
fn outside_a_project_nothing_happens_and_nothing_is_left() {
    let env = TestEnv::new();
    let mut spoken = rpc(&env);
    for event in ["SessionStart", "PreToolUse", "Stop"] {
        let answer = asks(&mut spoken, &request(&env, 1, "s", event, &json!({})));
        assert_eq!((&answer["out"], &answer["effects"]), (&Value::Null, &json!([])), "{event}");
    }
    assert_eq!(spoken.ends(), "");
    assert_eq!(env.files(), Vec::<String>::new());
}

#[test]
fn what_cannot_be_decided_lets_go_visibly() {
    let test = project().file(".sprag/config.yaml", "off: 3\n");
    let mut spoken = rpc(&test.env);
    let answer = asks(&mut spoken, &request(&test.env, 1, "s", "Stop", &json!({})));
    assert_eq!(answer["out"], Value::Null);
    let said = answer["effects"][0]["message"].as_str().unwrap();
    assert!(said.starts_with("sprag let go: .sprag/config.yaml:1:6: expected"), "{said}");
    assert_eq!(spoken.ends(), "");
    let trace = test.env.read(".sprag/trace").unwrap();
    assert!(trace.contains(" opencode Stop let go: .sprag/config.yaml:1:6: expected"), "{trace}");
}

#[test]
fn hostile_lines_are_answered_line_by_line() {
    let Test { env, .. } = project();
    let mut spoken = rpc(&env);
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    let call = json!({ "tool_name": "bash", "tool_input": { "command": "ls" } });
    let seeds = [
        request(&env, 1, "s", "PreToolUse", &call).to_string(),
        request(&env, 2, "../../x", "Stop", &json!({ "stop_hook_active": true })).to_string(),
        request(&env, 3, "s", "SessionStart", &json!({ "source": "fork" })).to_string(),
        request(&env, 4, "s", "tool_call", &call).to_string().replace("opencode", "pi"),
        request(&env, 5, "s", "step", &json!({ "action": "next" }))
            .to_string()
            .replace("opencode", "pi"),
        format!(
            "{{\"id\":1,\"event\":\"Stop\",\"host\":\"opencode\",\"session\":\"s\",\"cwd\":\"/\",\"data\":{{\"a\":{deep}}}}}"
        ),
    ];
    let rounds = if skip::is_long() { 500_000 } else { 20_000 };
    let mut seed = Seed::new(20_261_115);
    for round in 0..rounds {
        let line = mutated(&seeds, &mut seed);
        spoken.says(&line);
        let answer: Value = serde_json::from_str(&spoken.hears()).unwrap();
        let shown = String::from_utf8_lossy(&line);
        assert!(answer["v"] == 1 && answer["effects"].is_array(), "{round}: {shown}: {answer}");
    }
    assert_eq!(spoken.ends(), "");
}

/// Returns one of the lines, changed in one to four places and still a single line.
pub(crate) fn mutated(lines: &[String], seed: &mut Seed) -> Vec<u8> {
    let mut line = seed.pick(lines).clone().into_bytes();
    for _ in 0..=seed.below(4) {
        mutate(&mut line, seed);
    }
    line.retain(|&byte| byte != b'\n');
    line
}

/// Changes one place of a line: a byte, a part of it, or a word of the protocol.
fn mutate(line: &mut Vec<u8>, seed: &mut Seed) {
    const WORDS: [&[u8]; 8] =
        [b"null", b"\"", b"{}", b"[]", b"1e999", b"\\ud800", b"\"id\":{},", b"\xff"];
    let at = seed.below(line.len());
    let end = (at + seed.below(12)).min(line.len());
    match seed.below(4) {
        0 => drop(line.drain(at..end)),
        1 => drop(line.splice(at..at, seed.pick(&WORDS).to_vec())),
        2 => drop(line.splice(at..end, seed.pick(&WORDS).to_vec())),
        _ => line.truncate(at),
    }
}
