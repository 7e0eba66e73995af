//! Every part is added once, and removed without a trace.

use super::*;
use crate::HOSTS;
use crate::PathBase;

fn entered(text: Option<&str>, parts: &[Component], host: Host) -> Entered {
    enter(text, parts, &wanted(host)).unwrap()
}

fn left(text: &str, parts: &[Component], host: Host) -> Cleaned {
    leave(text, parts, host, wanted(host).root).unwrap()
}

#[test]
fn every_piece_of_every_host_comes_and_goes() {
    for host in HOSTS {
        for piece in [Scope::Personal, Scope::Shared].into_iter().flat_map(|one| host.pieces(one)) {
            let text = entered(None, piece.parts, host).text;
            assert!(!text.is_empty(), "{host:?} {}", piece.setting.path);
            assert_eq!(entered(Some(&text), piece.parts, host).text, text, "twice is once");
            let out = left(&text, piece.parts, host);
            assert!(
                out.text.is_none() && out.removed > 0,
                "{host:?} {} {out:?}",
                piece.setting.path
            );
        }
    }
}

#[test]
fn what_is_in_front_of_everything_is_the_same_for_both_scopes() {
    for host in HOSTS {
        let first = |scope| host.pieces(scope)[0];
        for scope in [Scope::Personal, Scope::Shared] {
            let main = first(scope);
            assert!(matches!(main.parts[0], Component::Entries | Component::Bridge), "{host:?}");
            if let Some(form) = host.form() {
                assert_eq!(main.setting, form.setting(scope), "{host:?}");
            }
            let shared = scope == Scope::Shared;
            assert!(
                !shared || host.pieces(scope).iter().all(|one| one.setting.at == PathBase::Project)
            );
        }
    }
}

#[test]
fn the_tools_are_registered_where_the_host_looks() {
    let json = |host, parts: &[Component]| -> serde_json::Value {
        serde_json::from_str(&entered(None, parts, host).text).unwrap()
    };
    let claude = json(Host::CLAUDE, &[Component::ServerHere]);
    let expected = serde_json::json!({"type": "stdio", "command": "sprag", "args": ["mcp"]});
    assert_eq!(claude["projects"]["/home/me/shop"]["mcpServers"]["sprag"], expected);
    let gemini = json(Host::GEMINI, &[Component::Entries, Component::Server]);
    assert_eq!(gemini["mcpServers"]["sprag"]["args"], serde_json::json!(["mcp"]));
    assert_eq!(gemini["hooks"].as_object().unwrap().len(), 5);
    assert_eq!(json(Host::COPILOT, &[Component::Server])["mcpServers"]["sprag"]["type"], "local");
    let codex = entered(None, &[Component::Server], Host::CODEX).text;
    assert_eq!(codex, "[mcp_servers.sprag]\ncommand = \"sprag\"\nargs = [\"mcp\"]\n");
}

#[test]
fn other_servers_and_other_projects_stay_byte_for_byte() {
    let before = "{\n  \"projects\": {\n    \"/home/me/other\": {\"mcpServers\": {\"sprag\": {}}},\n    \"/home/me/shop\": {\n      \"allowedTools\": [],\n      \"mcpServers\": {\n        \"x\": {\"command\": \"y\"}\n      }\n    }\n  },\n  \"userID\": \"1\"\n}\n";
    let inside = entered(Some(before), &[Component::ServerHere], Host::CLAUDE).text;
    assert_eq!(inside.matches("\"sprag\"").count(), 3, "{inside}");
    assert_eq!(left(&inside, &[Component::ServerHere], Host::CLAUDE).text.as_deref(), Some(before));
}

#[test]
fn a_registration_by_hand_stays_and_another_of_the_name_is_refused() {
    let by_hand = "{\"mcpServers\": {\"sprag\": {\"command\": \"/x/sprag\", \"args\": [\"mcp\"], \"env\": {\"A\": \"1\"}}}}";
    assert_eq!(entered(Some(by_hand), &[Component::Server], Host::COPILOT).text, by_hand);
    assert_eq!(left(by_hand, &[Component::Server], Host::COPILOT).removed, 0);
    let other = by_hand.replace("/x/sprag", "borg");
    let refused = enter(Some(&other), &[Component::Server], &wanted(Host::COPILOT)).unwrap_err();
    assert_eq!(refused.why, "`mcpServers.sprag` is something else");
    for (bad, why) in
        [("{\"mcpServers\": []}", "`mcpServers` is a list, not a map"), ("[]", "it is a list")]
    {
        let refused = enter(Some(bad), &[Component::Server], &wanted(Host::COPILOT)).unwrap_err();
        assert!(refused.why.starts_with(why), "{}", refused.why);
    }
    let old = Wanted { program: "/old/sprag", ..wanted(Host::COPILOT) };
    let text = enter(None, &[Component::Server], &old).unwrap().text;
    let mended = entered(Some(&text), &[Component::Server], Host::COPILOT).text;
    assert_eq!(mended, entered(None, &[Component::Server], Host::COPILOT).text);
}

#[test]
fn a_table_goes_behind_any_toml_and_out_again() {
    for before in [
        "model = \"x\"\n",
        "model = \"x\"",
        "[a]\r\nb = 1\r\n",
        "[mcp_servers.other]\ncommand = \"y\"\n\n",
        "# mcp_servers\n",
    ] {
        let inside = entered(Some(before), &[Component::Server], Host::CODEX).text;
        assert!(inside.starts_with(before) && inside.contains("[mcp_servers.sprag]"), "{inside:?}");
        assert_eq!(entered(Some(&inside), &[Component::Server], Host::CODEX).text, inside);
        let more = format!("{inside}\n[tail]\nx = 1\n");
        let after = left(&more, &[Component::Server], Host::CODEX).text.unwrap();
        assert!(!after.contains("sprag") && after.ends_with("[tail]\nx = 1\n"), "{after:?}");
        let after = left(&inside, &[Component::Server], Host::CODEX).text.unwrap();
        assert_eq!(after.trim_end(), before.trim_end(), "{inside:?}");
    }
}

#[test]
fn a_name_that_might_be_defined_already_is_left_to_the_person() {
    for text in [
        "mcp_servers = { a = { command = \"b\" } }\n",
        "mcp_servers.sprag.command = \"x\"\n",
        "[mcp_servers]\nsprag = { command = \"x\" }\n",
        "[mcp_servers.sprag.env]\nA = \"1\"\n",
    ] {
        let refused = enter(Some(text), &[Component::Server], &wanted(Host::CODEX)).unwrap_err();
        assert!(refused.why.contains("add [mcp_servers.sprag]"), "{text}: {}", refused.why);
    }
    for text in [
        "[mcp_servers.sprag]\ncommand = \"sprag\"\nargs = [\"mcp\"]\nenabled = false\n",
        "[mcp_servers.\"sprag\"]\ncommand = \"other\"\n",
        "[mcp_servers.sprag] # mine\ncommand = \"sprag\"\nargs = [\"mcp\"]\n",
    ] {
        assert_eq!(entered(Some(text), &[Component::Server], Host::CODEX).text, text, "by hand");
        assert_eq!(left(text, &[Component::Server], Host::CODEX).removed, 0);
    }
}

#[test]
fn a_file_that_was_edited_is_neither_overwritten_nor_removed() {
    for (host, part) in [
        (Host::OPENCODE, Component::Bridge),
        (Host::PI, Component::Bridge),
        (Host::CLAUDE, Component::Command(Slash::Why)),
        (Host::GEMINI, Component::Command(Slash::Start)),
    ] {
        let text = entered(None, &[part], host).text;
        let old = enter(None, &[part], &Wanted { program: "/old/sprag", ..wanted(host) }).unwrap();
        let again = entered(Some(&old.text), &[part], host);
        assert_eq!(
            (again.text.as_str(), again.theirs),
            (text.as_str(), false),
            "an old one of ours"
        );
        let edited = text.clone() + "\n// mine\n";
        let kept = entered(Some(&edited), &[part], host);
        assert!(kept.theirs && kept.text == edited, "{host:?}");
        assert!(leave(&edited, &[part], host, "").unwrap_err().why.contains("edited since"));
        let theirs = "export default function () {}\n";
        assert!(entered(Some(theirs), &[part], host).theirs);
        assert_eq!(left(theirs, &[part], host).removed, 0);
        let windows = text.replace('\n', "\r\n");
        assert!(!entered(Some(&windows), &[part], host).theirs, "a checkout changed the line ends");
    }
}
