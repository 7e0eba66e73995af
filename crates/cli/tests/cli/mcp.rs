//! `sprag mcp`: the requests of a Model Context Protocol client, and the answers.

use serde_json::{Value, json};
use sprag_testkit::agent::Agent;
use sprag_testkit::seed::Seed;
use sprag_testkit::{Spoken, Test, TestEnv, skip};

use crate::agents::World;
use crate::rpc::mutated;
use crate::support::{SPRAG, project};

fn mcp(env: &TestEnv) -> Spoken {
    let mut command = env.command(TestEnv::program(SPRAG));
    command.arg("mcp");
    Spoken::start(command)
}

/// Sends a request and returns the answer.
fn asks(spoken: &mut Spoken, id: u32, method: &str, params: &Value) -> Value {
    let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    spoken.says(request.to_string());
    let answer: Value = serde_json::from_str(&spoken.hears()).unwrap();
    assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(id)), "{answer}");
    answer
}

/// Calls a tool and returns its text, and whether it is an error.
fn calls(spoken: &mut Spoken, name: &str, arguments: &Value) -> (String, bool) {
    let params = json!({ "name": name, "arguments": arguments });
    let answer = asks(spoken, 1, "tools/call", &params);
    let result = &answer["result"];
    let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
    (text.to_owned(), result["isError"].as_bool().unwrap())
}

#[test]
fn a_client_of_an_older_revision_begins_with_initialize() {
    let Test { env, .. } = project();
    let mut spoken = mcp(&env);
    for (asked, agreed) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let params = json!({ "protocolVersion": asked, "capabilities": {},
                             "clientInfo": { "name": "t", "version": "1" } });
        let result = &asks(&mut spoken, 1, "initialize", &params)["result"];
        assert_eq!(result["protocolVersion"], agreed);
        assert_eq!(result["capabilities"], json!({ "tools": {} }));
        assert_eq!(result["serverInfo"]["name"], "sprag");
    }
    spoken.says(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert_eq!(asks(&mut spoken, 2, "ping", &json!({}))["result"], json!({}));
    let listed = asks(&mut spoken, 3, "tools/list", &json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["workflow_step", "sprag_status", "sprag_why"]);
    assert!(tools.iter().all(|tool| tool["inputSchema"]["type"] == "object"));
    let actions = &tools[0]["inputSchema"]["properties"]["action"]["enum"];
    assert_eq!(*actions, json!(["next", "status", "cancel", "loop"]));
    assert_eq!(listed["result"].get("resultType"), None);
    assert_eq!(spoken.ends(), "");
}

#[test]
fn a_client_of_the_newer_revision_says_its_version_each_time() {
    let Test { env, .. } = project();
    let mut spoken = mcp(&env);
    let meta = |version: &str| {
        json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": version,
                           "io.modelcontextprotocol/clientCapabilities": {} } })
    };
    let found = asks(&mut spoken, 1, "server/discover", &meta("2026-07-28"));
    let result = &found["result"];
    assert_eq!(
        (&result["resultType"], &result["cacheScope"]),
        (&json!("complete"), &json!("public"))
    );
    assert_eq!(result["supportedVersions"][0], "2026-07-28");
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "sprag");
    let listed = asks(&mut spoken, 2, "tools/list", &meta("2026-07-28"));
    assert_eq!(listed["result"]["resultType"], "complete");
    assert!(listed["result"]["ttlMs"].is_number());
    let other = asks(&mut spoken, 3, "tools/list", &meta("1900-01-01"));
    assert_eq!(other["error"]["code"], -32022);
    assert_eq!(other["error"]["data"]["requested"], "1900-01-01");
    let bare = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } });
    assert_eq!(asks(&mut spoken, 4, "tools/list", &bare)["error"]["code"], -32602);
    assert_eq!(asks(&mut spoken, 5, "server/discover", &json!({}))["error"]["code"], -32602);
    assert_eq!(spoken.ends(), "");
}

#[test]
fn what_is_no_request_gets_the_code_that_says_why() {
    let Test { env, .. } = project();
    let mut spoken = mcp(&env);
    let long = "x".repeat((1 << 20) + 1);
    for (line, id, code) in [
        ("{", Value::Null, -32700),
        (&*"[".repeat(500), Value::Null, -32700),
        (&long, Value::Null, -32600),
        ("[]", Value::Null, -32600),
        ("7", Value::Null, -32600),
        (r#"{"jsonrpc":"2.0"}"#, Value::Null, -32600),
        (r#"{"jsonrpc":"2.0","id":1}"#, json!(1), -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, Value::Null, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, json!(1), -32600),
        (r#"{"jsonrpc":"2.0","id":"a","method":7}"#, json!("a"), -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, json!(1), -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, json!(1), -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#, json!(1), -32602),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#,
            json!(1),
            -32602,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#, json!(1), -32602),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}"#,
            json!(1),
            -32602,
        ),
    ] {
        spoken.says(line);
        let answer: Value = serde_json::from_str(&spoken.hears()).unwrap();
        let shown: String = line.chars().take(80).collect();
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&id, &json!(code)),
            "{shown}: {answer}"
        );
    }
    assert_eq!(spoken.ends(), "");
}

#[test]
fn a_batch_is_answered_as_one_and_notifications_not_at_all() {
    let Test { env, .. } = project();
    let mut spoken = mcp(&env);
    spoken.says(r#"[{"jsonrpc":"2.0","method":"notifications/cancelled"},{"jsonrpc":"2.0","id":9,"result":{}}]"#);
    spoken.says("   ");
    spoken
        .says(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"ping"},3]"#);
    let answers: Value = serde_json::from_str(&spoken.hears()).unwrap();
    assert_eq!(answers[0], json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
    assert_eq!(
        (&answers[1]["error"]["code"], answers.as_array().unwrap().len()),
        (&json!(-32600), 2)
    );
    assert_eq!(spoken.ends(), "");
}

/// A project with a workflow of two phases, of which the second requires a file.
fn with_workflow() -> World {
    let world = World::new("");
    let folder = ".sprag/workflows/dev";
    world.env.write(
        format!("{folder}/workflow.yaml"),
        "name: Dev\ncommandName: dev\ninitialMessage: Go\nphases: [a.md, b.md]\n",
    );
    for (id, more) in [("a", ""), ("b", "gates: [{file: DONE.md}]\n")] {
        let text = format!("---\nid: {id}\nname: {id}\nemoji: 🔨\n{more}---\nDo {id}.\n");
        world.env.write(format!("{folder}/{id}.md"), text);
    }
    world
}

#[test]
fn an_agent_moves_its_workflow_and_asks_why() {
    let world = with_workflow();
    let mut spoken = mcp(&world.env);
    let step = |action: &str| json!({ "action": action, "summary": "done so far" });
    let (none, error) = calls(&mut spoken, "workflow_step", &step("next"));
    assert!(none.starts_with("No active workflow.") && !error, "{none}");
    world.person(&["start", "dev", "a task"]);
    let (stands, _) = calls(&mut spoken, "workflow_step", &step("status"));
    assert!(stands.starts_with("**Workflow:** Dev (dev)\n"), "{stands}");
    let (moved, error) = calls(&mut spoken, "workflow_step", &step("next"));
    assert!(moved.starts_with("✓ Advanced: a → 🔨 b") && !error, "{moved}");
    let (failed, error) = calls(&mut spoken, "workflow_step", &step("next"));
    assert!(failed.contains("DONE.md") && !error, "{failed}");
    let (why, _) = calls(&mut spoken, "sprag_why", &json!({}));
    assert!(why.starts_with("Why can't it stop?  r-") && why.contains("DONE.md"), "{why}");
    let (code, _) = calls(&mut spoken, "sprag_why", &json!({ "what": "K0007" }));
    assert!(code.starts_with("K0007: no run has that name"), "{code}");
    let (status, _) = calls(&mut spoken, "sprag_status", &json!({}));
    assert!(status.contains("Dev > 🔨 b [2/2]"), "{status}");
    let (looped, _) = calls(&mut spoken, "workflow_step", &step("loop"));
    assert!(looped.starts_with("🔄 Looped"), "{looped}");
    let (ended, _) = calls(&mut spoken, "workflow_step", &step("cancel"));
    assert!(ended.starts_with("Only a person ends a workflow"), "{ended}");
    assert!(world.person(&["status"]).contains("Dev > 🔨 a [1/2]"));
    for bad in [json!({}), json!({ "action": "fly" }), json!({ "action": 7 })] {
        assert!(calls(&mut spoken, "workflow_step", &bad).1, "{bad}");
    }
    assert_eq!(spoken.ends(), "");
}

#[test]
fn it_acts_for_the_only_session_there_is_and_for_none_of_several() {
    let world = with_workflow();
    let mut spoken = mcp(&world.env);
    let agent = Agent::new(&world.env, &world.sprag, "one");
    agent.begins();
    agent.runs("sprag start dev 'a task'").unwrap();
    let next = json!({ "action": "next" });
    let (moved, error) = calls(&mut spoken, "workflow_step", &next);
    assert!(moved.starts_with("✓ Advanced: a → 🔨 b") && !error, "{moved}");
    let line = world.person(&["log", "-n", "1", "--json"]);
    assert!(line.contains("\"actor\":\"claude-one\""), "{line}");
    Agent::new(&world.env, &world.sprag, "two").begins();
    let (refused, error) = calls(&mut spoken, "workflow_step", &next);
    assert!(refused.contains("another session") && error, "{refused}");
    assert_eq!(spoken.ends(), "");
}

#[test]
fn hostile_messages_end_nothing() {
    let Test { env, .. } = project();
    let mut spoken = mcp(&env);
    let call = |name: &str, arguments: Value| {
        let params = json!({ "name": name, "arguments": arguments });
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()
    };
    let seeds = [
        call("workflow_step", json!({ "action": "next", "summary": "s" })),
        call("sprag_why", json!({ "what": "bash" })),
        json!({ "jsonrpc": "2.0", "id": "x", "method": "initialize",
                "params": { "protocolVersion": "2025-11-25" } })
        .to_string(),
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"ping"}]"#
            .to_owned(),
    ];
    let rounds = if skip::is_long() { 500_000 } else { 20_000 };
    let mut seed = Seed::new(4);
    for round in 0..rounds {
        let line = mutated(&seeds, &mut seed);
        spoken.says(&line);
        let id = format!("after-{round}");
        spoken.says(json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }).to_string());
        // At most one answer to the line, then the one that always comes.
        let mut heard: Value = serde_json::from_str(&spoken.hears()).unwrap();
        if heard["id"] != id.as_str() {
            heard = serde_json::from_str(&spoken.hears()).unwrap();
        }
        assert_eq!(heard["id"], id.as_str(), "{}", String::from_utf8_lossy(&line));
    }
    assert_eq!(spoken.ends(), "");
}
