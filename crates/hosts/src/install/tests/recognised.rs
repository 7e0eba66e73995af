//! Entries of ours, entries that look like ours, and texts that cannot be changed.

use super::*;

#[test]
fn an_old_entry_of_ours_is_mended_in_its_place() {
    let old = Wanted {
        program: "/old/place/sprag",
        limit: std::time::Duration::from_mins(1),
        ..wanted(Host::CLAUDE)
    };
    let before = install(Some("{\"a\": 1}"), &old).unwrap().text;
    let got = installed(&before, Host::CLAUDE);
    assert_eq!((got.added, got.mended), (0, 5));
    assert_eq!(got.text, installed("{\"a\": 1}", Host::CLAUDE).text);
}

#[test]
fn an_entry_by_hand_is_neither_doubled_nor_removed() {
    let by_hand = r#"{"hooks": {"Stop": [{"hooks": [
        {"type": "command", "command": "~/bin/sprag hook claude Stop 2>>/tmp/log"}]}]}}"#;
    let got = installed(by_hand, Host::CLAUDE);
    assert_eq!((got.added, got.mended, got.kept), (4, 0, 0));
    let out = uninstall(&got.text, Host::CLAUDE).unwrap();
    assert_eq!((out.text.as_deref(), out.removed), (Some(by_hand), 4));
}

#[test]
fn entries_that_only_look_alike_are_others() {
    for command in [
        "borg hook claude Stop",
        "sprag hook codex Stop",
        "echo sprag hook",
        "if command -v borg >/dev/null 2>&1; then borg hook claude Stop; fi",
    ] {
        let entry = serde_json::json!({"type": "command", "command": command});
        let text = serde_json::json!({"hooks": {"Stop": [{"hooks": [entry]}]}}).to_string();
        let seen = survey(&text, Host::CLAUDE).unwrap();
        assert_eq!((seen.present.len(), seen.others), (0, 1), "{command}");
        assert_eq!(seen.other_stops, [command]);
    }
}

#[test]
fn an_entry_that_somebody_put_into_our_group_stays() {
    let text = installed("{}", Host::GEMINI).text;
    let mixed = text.replacen(
        "\"hooks\": [\n          {",
        "\"hooks\": [\n          {\"type\": \"command\", \"command\": \"theirs\"},\n          {",
        1,
    );
    assert_ne!(mixed, text);
    let out = uninstall(&mixed, Host::GEMINI).unwrap();
    let left: serde_json::Value = serde_json::from_str(&out.text.unwrap()).unwrap();
    assert_eq!((out.removed, out.kept), (5, 1));
    assert_eq!(left["hooks"]["SessionStart"][0]["hooks"][0]["command"], "theirs");
    assert_eq!(left["hooks"].as_object().unwrap().len(), 1);
}

#[test]
fn a_switch_that_turns_everything_off_is_seen() {
    let seen = |text: &str, host| survey(text, host).unwrap().off;
    assert_eq!(
        seen("{\"disableAllHooks\": true}", Host::CLAUDE).as_deref(),
        Some("disableAllHooks: true")
    );
    assert_eq!(seen("{\"disableAllHooks\": false}", Host::CLAUDE), None);
    assert_eq!(
        seen("{\"hooksConfig\": {\"enabled\": false}}", Host::GEMINI).as_deref(),
        Some("hooksConfig.enabled: false")
    );
}

#[test]
fn what_cannot_be_changed_without_loss_is_refused_with_the_reason() {
    for (text, why) in [
        (
            "{\n  // mine\n  \"a\": 1\n}",
            "line 2 is a comment, and sprag cannot edit JSON with comments",
        ),
        ("/* top */ {}", "line 1 is a comment, and sprag cannot edit JSON with comments"),
        ("{\"a\": 1,}", "line 1: "),
        ("[]", "it is a list, not a map"),
        ("{\"hooks\": []}", "`hooks` is a list, not a map"),
        ("{\"hooks\": {\"Stop\": {}}}", "`hooks.Stop` is a map, not a list"),
        ("{\"hooks\": {}, \"hooks\": {}}", "line 1: "),
    ] {
        for result in [
            install(Some(text), &wanted(Host::CLAUDE)).map(drop),
            uninstall(text, Host::CLAUDE).map(drop),
            survey(text, Host::CLAUDE).map(drop),
        ] {
            let refused = result.unwrap_err().to_string();
            assert!(refused.starts_with(why), "{text}: {refused}");
        }
    }
}

#[test]
fn a_host_with_a_bridge_has_no_entries_and_every_file_is_guarded_from_agents() {
    for host in [Host::OPENCODE, Host::PI] {
        assert_eq!(install(None, &wanted(host)).unwrap_err().why, NO_BRIDGE);
        assert_eq!(survey("{}", host), Ok(Survey::default()));
    }
    for host in enterable() {
        let form = host.form().unwrap();
        for setting in form.read.iter().chain([&form.personal, &form.shared]) {
            let path: Vec<String> = setting.path.split('/').map(str::to_owned).collect();
            let mut known = host.settings().iter().filter(|known| known.at == setting.at);
            assert!(known.any(|known| known.holds(&path)), "{}", setting.path);
        }
    }
}
