//! A stop beside each STATE.md of the samples, answered in the host's format.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::project;

fn samples() -> Vec<(String, Value, Option<Vec<u8>>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/opti-gsd/state");
    let mut found: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".expect.json").map(str::to_owned))
        .collect();
    found.sort();
    let read = |name: String| {
        let expect = std::fs::read(folder.join(format!("{name}.expect.json"))).unwrap();
        let state = std::fs::read(folder.join(format!("{name}.md"))).ok();
        (name, serde_json::from_slice(&expect).unwrap(), state)
    };
    found.into_iter().map(read).collect()
}

#[test]
fn a_stop_is_refused_in_one_object_and_let_go_in_silence_or_with_one_message() {
    let samples = samples();
    assert!(!samples.is_empty());
    for (name, expect, state) in samples {
        let mut test = project();
        if let Some(state) = &state {
            test = test.file(".gsd/STATE.md", state);
        }
        let idle = expect["hook_input"]["_idle_blocks"].as_u64().unwrap_or(0);
        for _ in 0..idle {
            let (said, next) =
                test.stdin(&expect["hook_input"].to_string()).run(["hook", "claude"]).output();
            assert!(said.stdout.contains("\"block\""), "{name}: {}", said.stdout);
            test = next;
        }
        let (said, test) =
            test.stdin(&expect["hook_input"].to_string()).run(["hook", "claude"]).output();
        assert_eq!((said.exit, said.stderr.as_str()), (Some(0), ""), "{name}");
        if expect["decision"] == "block" {
            let object: Value = serde_json::from_str(&said.stdout).unwrap();
            assert_eq!(object, json!({"decision": "block", "reason": expect["reason"]}), "{name}");
            continue;
        }
        let speaks = expect["warn"] == true || !expect["transition"].is_null();
        if speaks {
            let object: Value = serde_json::from_str(&said.stdout).unwrap();
            let keys: Vec<_> = object.as_object().unwrap().keys().collect();
            assert_eq!(keys, ["systemMessage"], "{name}");
        } else {
            assert_eq!(said.stdout, "", "{name}");
        }
        if expect["transition"].is_null() {
            let after = std::fs::read(test.env.project().join(".gsd/STATE.md")).ok();
            assert_eq!(after, state, "{name}: the state was touched");
        }
        assert_eq!(test.env.read("PWNED"), None);
    }
}
