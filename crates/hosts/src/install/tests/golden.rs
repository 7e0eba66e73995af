//! The written texts, byte for byte.

use super::*;

fn fresh(host: Host) -> String {
    install(None, &wanted(host)).unwrap().text
}

#[test]
fn claude_is_started_without_a_shell() {
    let text = fresh(Host::CLAUDE);
    let start = r#"{
  "hooks": {
    "SessionStart": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "sprag",
            "args": [
              "hook",
              "claude",
              "SessionStart"
            ]
          }
        ]
      }
    ],
"#;
    assert!(text.starts_with(start), "{text}");
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let stop = &value["hooks"]["Stop"][0]["hooks"][0];
    assert_eq!(stop["args"], serde_json::json!(["hook", "claude", "Stop"]));
    assert_eq!(stop["timeout"], 630);
    assert_eq!(value["hooks"].as_object().unwrap().len(), 5);
}

#[test]
fn the_others_get_a_line_that_is_harmless_where_sprag_is_missing() {
    let value: serde_json::Value = serde_json::from_str(&fresh(Host::CODEX)).unwrap();
    let expected = serde_json::json!([{"hooks": [{
        "type": "command",
        "command": "if command -v sprag >/dev/null 2>&1; then sprag hook codex Stop; fi",
        "timeout": 630,
    }]}]);
    assert_eq!(value["hooks"]["Stop"], expected);
    assert_eq!(value.as_object().unwrap().len(), 1, "Codex refuses a file with any other key");

    let value: serde_json::Value = serde_json::from_str(&fresh(Host::GEMINI)).unwrap();
    let expected = serde_json::json!([{"matcher": "*", "hooks": [{
        "type": "command",
        "name": "sprag",
        "command": "if command -v sprag >/dev/null 2>&1; then sprag hook gemini AfterAgent; fi",
        "timeout": 630_000,
    }]}]);
    assert_eq!(value["hooks"]["AfterAgent"], expected);

    let value: serde_json::Value = serde_json::from_str(&fresh(Host::COPILOT)).unwrap();
    let expected = serde_json::json!([{
        "type": "command",
        "bash": "if command -v sprag >/dev/null 2>&1; then sprag hook copilot agentStop; fi",
        "timeoutSec": 630,
    }]);
    assert_eq!((&value["version"], &value["hooks"]["agentStop"]), (&1.into(), &expected));
}

#[test]
fn a_shared_file_names_nobody_s_path() {
    for host in enterable() {
        let wanted = Wanted { program: "/home/me/bin/sprag", scope: Scope::Shared, ..wanted(host) };
        let text = install(None, &wanted).unwrap().text;
        assert!(!text.contains("/home/me"), "{text}");
        assert_eq!(text.matches("if command -v sprag >/dev/null").count(), 5, "{text}");
    }
}

#[test]
fn a_path_with_blanks_and_quotes_is_quoted_and_known_again() {
    let program = "/home/o'neil/my bin/sprag";
    for host in enterable() {
        let wanted = Wanted { program, ..wanted(host) };
        let text = install(None, &wanted).unwrap().text;
        let again = install(Some(&text), &wanted).unwrap();
        assert_eq!((again.added, again.mended, &again.text), (0, 0, &text));
        assert_eq!(uninstall(&text, host).unwrap().removed, 5, "{text}");
    }
    let text = install(None, &Wanted { program, ..wanted(Host::CODEX) }).unwrap().text;
    assert!(text.contains(r"then '/home/o'\\''neil/my bin/sprag' hook codex Stop"), "{text}");
}

#[test]
fn what_others_wrote_stays_byte_for_byte() {
    let before = r#"{
    "permissions": {"allow": ["Bash(npm test:*)"], "deny": []},
    "hooks": {
        "Stop": [
            {"hooks": [{"type": "command", "command": "say done"}]}
        ],
        "PostToolUse": [
            {"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "prettier"}]}
        ]
    },
    "env": { "A":"1" }
}
"#;
    let got = installed(before, Host::CLAUDE);
    assert_eq!((got.added, got.mended, got.kept), (5, 0, 2));
    for line in before.lines().filter(|line| line.contains("say") || line.contains("prettier")) {
        assert!(got.text.contains(line), "{}", got.text);
    }
    assert!(got.text.starts_with(&before[..before.find("[{\"type\"").unwrap()]));
    assert!(got.text.ends_with("    },\n    \"env\": { \"A\":\"1\" }\n}\n"), "{}", got.text);
    let back = uninstall(&got.text, Host::CLAUDE).unwrap();
    assert_eq!((back.text.as_deref(), back.removed, back.kept), (Some(before), 5, 2));
}
