//! Whatever a file looks like, adding and removing our parts leaves it unchanged.

use sprag_testkit::seed::Seed;

use super::*;
use crate::row::EntryLayout;

/// Settings in the styles that people and programs write.
const LAYOUTS: &[&str] = &[
    "{}",
    "{}\n",
    "{\n}\n",
    "{ }",
    "{\"model\":\"opus\"}",
    "{ \"model\": \"opus\" }\n",
    "{\n  \"model\": \"opus\"\n}",
    "{\r\n  \"model\": \"opus\",\r\n  \"x\": [1, 2]\r\n}\r\n",
    "{\n\t\"model\": \"opus\",\n\t\"env\": {\n\t\t\"A\": \"1\"\n\t}\n}\n",
    "\u{feff}{\n    \"model\": \"opus\"\n}\n",
    "\n\n  {\"a\": 1.50, \"b\": 1e3}\n\n",
    "{\"hooks\":{\"Other\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"x\"}]}]}}",
    "{\n \"hooks\": {\n  \"Stop\": [\n   {\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}\n  ]\n }\n}\n",
    "{\n \"hooks\": {\n  \"preToolUse\": [{\"type\": \"command\", \"bash\": \"x\"}]\n }, \"version\": 1\n}\n",
    "{\"hooks\":{\"Stop\":[{\"hooks\":[]}],\"AfterAgent\":[{\"matcher\":\"a\",\"hooks\":[{}]}]}}",
];

#[test]
fn in_and_out_again_is_nothing() {
    for host in enterable() {
        for before in LAYOUTS {
            let inside = installed(before, host);
            assert_eq!(inside.added, 5, "{host:?} {before:?}");
            let again = installed(&inside.text, host);
            assert_eq!((again.added, again.mended), (0, 0));
            assert_eq!(again.text, inside.text, "a second time changes nothing");
            let out = uninstall(&inside.text, host).unwrap();
            assert_eq!(out.removed, 5);
            let after = out.text.unwrap_or_else(|| "{}".to_owned());
            let is_empty = |text: &str| {
                let text: String = text.split_whitespace().collect();
                text == "{}" || text == "{\"version\":1}"
            };
            assert!(
                after == *before || is_empty(&after) && is_empty(before),
                "{host:?}\n{before}\n{after}"
            );
        }
    }
}

#[test]
fn a_file_of_ours_alone_is_nothing_without_us() {
    for host in enterable() {
        for before in [None, Some(""), Some(" \n")] {
            let text = install(before, &wanted(host)).unwrap().text;
            let out = uninstall(&text, host).unwrap();
            assert_eq!((out.text, out.removed, out.kept), (None, 5, 0));
        }
    }
}

#[test]
fn files_made_at_random_come_back_byte_for_byte() {
    for number in 0..400 {
        let mut seed = Seed::new(number);
        let host = *seed.pick(&[Host::CLAUDE, Host::CODEX, Host::GEMINI, Host::COPILOT]);
        let before = random(&mut seed, host);
        let inside = installed(&before, host);
        assert_eq!(inside.added, 5, "seed {number}: {before}");
        let value: serde_json::Value = serde_json::from_str(&inside.text).unwrap();
        assert_eq!(value["model"], "opus", "seed {number}");
        let out = uninstall(&inside.text, host).unwrap();
        assert_eq!(out.text.as_deref(), Some(before.as_str()), "seed {number}");
    }
}

/// Writes settings with other people's entries, in one of several styles.
fn random(seed: &mut Seed, host: Host) -> String {
    let form = host.form().unwrap();
    let mut hooks = serde_json::Map::new();
    for event in form.events.iter().chain(&["Elsewhere"]) {
        let mut items = Vec::new();
        for _ in 0..seed.below(3) {
            let entry =
                serde_json::json!({"type": "command", "command": format!("x {}", seed.next())});
            items.push(match form.layout {
                EntryLayout::Flat => entry,
                EntryLayout::Groups { .. } => {
                    serde_json::json!({"matcher": "", "hooks": vec![entry; 1 + seed.below(2)]})
                }
            });
        }
        // An empty list would be removed together with our entry; `init` keeps the original bytes
        // for that case.
        if !items.is_empty() {
            hooks.insert((*event).to_owned(), items.into());
        }
    }
    let mut top = serde_json::Map::new();
    top.insert("model".to_owned(), "opus".into());
    if !hooks.is_empty() {
        top.insert("hooks".to_owned(), hooks.into());
    }
    top.insert("zeta".to_owned(), serde_json::json!([1, {"a": []}]));
    let value = serde_json::Value::Object(top);
    let text = match seed.below(2) {
        0 => serde_json::to_string(&value).unwrap(),
        _ => serde_json::to_string_pretty(&value).unwrap(),
    };
    let text = if seed.below(3) == 0 { text.replace("  ", "\t") } else { text };
    let text = if seed.below(3) == 0 { text.replace('\n', "\r\n") } else { text };
    text + *seed.pick(&["", "\n", "\r\n", "\n\n"])
}
