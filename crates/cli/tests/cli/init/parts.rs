//! What `init` adds to hosts besides entries: tools, slash commands, bridges.

use serde_json::{Value, json};

use super::World;

/// A user with every host.
fn crowd() -> World {
    let world = World::new();
    for host in ["codex", "gemini", "copilot", "opencode", "pi"] {
        world.program(host, "echo 1.2.3\n");
    }
    world
}

impl World {
    fn at_home(&self, file: &str) -> Option<String> {
        std::fs::read_to_string(self.env.home().join(file)).ok()
    }

    pub(super) fn put_at_home(&self, file: &str, text: &str) {
        let path = self.env.home().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn json_at_home(&self, file: &str) -> Value {
        serde_json::from_str(&self.at_home(file).unwrap()).unwrap()
    }
}

#[test]
fn every_host_gets_everything_it_has_a_place_for_and_all_of_it_goes_again() {
    let world = crowd();
    let before = world.files();
    let said = world.person(&["init", "--yes"]);
    for line in [
        "     Write .opencode/plugin/sprag.js      the bridge\n",
        "     Write ~/.gemini/settings.json        +5 entries, the tools of `sprag mcp`\n",
        "     Write ~/.claude.json, ~/.codex/config.toml, ~/.copilot/mcp-config.json the tools",
        "     Write .claude/commands/sprag/, ~/.gemini/commands/sprag/ /sprag:until, start",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
    let root = world.env.project().display().to_string();
    let claude = &world.json_at_home(".claude.json")["projects"][&root]["mcpServers"]["sprag"];
    assert_eq!(claude["args"], json!(["mcp"]));
    assert_eq!(claude["command"], json!(world.sprag), "it is not on the search path");
    let copilot = &world.json_at_home(".copilot/mcp-config.json")["mcpServers"]["sprag"];
    assert_eq!(copilot["tools"], json!(["*"]));
    let codex = world.at_home(".codex/config.toml").unwrap();
    assert!(codex.contains(&format!("command = \"{}\"", world.sprag)), "{codex}");
    let bridge = world.env.read(".opencode/plugin/sprag.js").unwrap();
    assert!(bridge.contains(&format!("const PROGRAM = \"{}\"", world.sprag)), "{bridge}");
    let unseen = world.env.git(&["status", "--porcelain", "--untracked-files=all"]);
    assert!(!unseen.contains("commands") && !unseen.contains("opencode"), "{unseen}");
    let said = world.person(&["init"]);
    assert!(said.contains("      Done nothing was to be done."), "{said}");
    world.person(&["init", "--undo", "--yes"]);
    assert_eq!(world.files(), before);
}

#[test]
fn an_edited_file_of_ours_stays_and_that_is_said() {
    let world = crowd();
    world.person(&["init", "--yes"]);
    let (bridge, command) = (".opencode/plugin/sprag.js", ".claude/commands/sprag/why.md");
    for file in [bridge, command] {
        world.env.write(file, world.env.read(file).unwrap() + "\n// mine\n");
    }
    let said = world.person(&["init", "--yes"]);
    let line = "      Keep .opencode/plugin/sprag.js      it was edited, so it stays; remove it";
    assert!(said.contains(line), "{said}");
    assert!(said.contains("      Keep .claude/commands/sprag/why.md  it was edited"), "{said}");
    let said = world.person(&["init", "--undo", "--yes"]);
    let line = "      Keep .opencode/plugin/sprag.js      it was edited since, so it is yours\n";
    assert!(said.contains(line), "{said}");
    for file in [bridge, command] {
        assert!(world.env.read(file).unwrap().ends_with("// mine\n"), "{file}");
    }
}

#[test]
fn an_old_bridge_of_ours_is_brought_to_what_it_is_now() {
    let world = crowd();
    world.person(&["init", "--yes"]);
    let bridge = world.env.read(".opencode/plugin/sprag.js").unwrap();
    let said = world.person(&["init", "--yes", "--shared"]);
    assert!(said.contains("     Merge .opencode/plugin/sprag.js      the bridge, as it is now\n"));
    // A project's own extension needs the user's trust, and the user's own already works.
    assert!(
        said.contains("   Already ~/.pi/agent/extensions/sprag.ts so .pi/extensions/sprag.ts is")
    );
    let shared = world.env.read(".opencode/plugin/sprag.js").unwrap();
    assert_ne!(shared, bridge);
    assert!(shared.contains("const PROGRAM = \"sprag\""), "{shared}");
}

#[test]
fn what_waits_for_a_person_s_trust_is_said() {
    let world = World::bare();
    for host in ["copilot", "pi"] {
        world.program(host, "echo 1.2.3\n");
    }
    let said = world.person(&["init", "--yes", "--shared"]);
    for line in [
        "     Write .github/hooks/sprag.json       +5 entries; copilot uses it once you trust this",
        "     Write .pi/extensions/sprag.ts        the bridge; pi uses it once you trust this",
    ] {
        assert!(said.contains(line), "{said}");
    }
    assert_eq!(world.files().iter().filter(|file| file.starts_with('~')).count(), 0, "{said}");
}

#[test]
fn the_tools_of_two_projects_do_not_know_each_other() {
    let world = World::new();
    let mine = "{\n  \"numStartups\": 3\n}\n";
    world.put_at_home(".claude.json", mine);
    world.person(&["init", "--yes"]);
    let other = world.env.top().join("other");
    std::fs::create_dir(&other).unwrap();
    let there = other.display().to_string();
    world.person(&["-C", &there, "init", "--yes", "--gate", "true", "--host", "claude"]);
    assert_eq!(world.json_at_home(".claude.json")["projects"].as_object().unwrap().len(), 2);
    world.person(&["init", "--undo", "--yes"]);
    let left = world.json_at_home(".claude.json");
    let names: Vec<_> = left["projects"].as_object().unwrap().keys().collect();
    assert_eq!(names, [&there]);
    world.person(&["-C", &there, "init", "--undo", "--yes"]);
    assert_eq!(world.at_home(".claude.json").as_deref(), Some(mine));
}

#[test]
fn pi_is_never_entered_beside_pi_workflows() {
    let world = World::bare();
    world.program("pi", "echo 1.5.0\n");
    let settings = ".pi/agent/settings.json";
    let theirs =
        "{\n  \"packages\": [\n    \"npm:@harms-haus/pi-workflows\"\n  ],\n  \"theme\": \"x\"\n}\n";
    world.put_at_home(settings, theirs);
    let said = world.types(&["init", "--yes"]);
    assert_eq!(said.exit, Some(4), "{}", said.stdout);
    let whole = said.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(whole.contains("`sprag init --switch` replaces it"), "{whole}");
    assert_eq!(world.at_home(".pi/agent/extensions/sprag.ts"), None);
    let said = world.person(&["init", "--yes", "--switch"]);
    assert!(said.contains("     Merge ~/.pi/agent/settings.json      without pi-workflows\n"));
    assert!(!world.at_home(settings).unwrap().contains("pi-workflows"));
    assert!(world.at_home(".pi/agent/extensions/sprag.ts").is_some());
    world.person(&["init", "--undo", "--yes"]);
    assert_eq!(world.at_home(settings).as_deref(), Some(theirs));
    assert_eq!(world.at_home(".pi/agent/extensions/sprag.ts"), None);
    world.put_at_home(settings, &format!("// mine\n{theirs}"));
    let said = world.types(&["init", "--yes"]);
    let whole = said.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(whole.contains("may have pi-workflows, and cannot be read"), "{whole}");
    assert_eq!(world.at_home(".pi/agent/extensions/sprag.ts"), None);
    world.put_at_home(settings, "{}");
    world.put_at_home(".pi/agent/extensions/pi-workflows/index.ts", "");
    let said = world.types(&["init", "--yes", "--switch"]);
    assert!(said.stderr.contains("take it out, and init again"), "{}", said.stderr);
}

#[test]
fn other_stops_are_named_with_what_the_host_does_about_both() {
    let world = crowd();
    let claude =
        json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}});
    world.env.write(".claude/settings.json", claude.to_string());
    let theirs = json!({"version": 1, "hooks": {"Stop": [{"type": "command", "bash": "beep"}]}});
    world.put_at_home(".copilot/hooks/mine.json", &theirs.to_string());
    let said = world.types(&["init", "--dry-run"]).stdout;
    let line = "      Note 1 other stop there (`say done`): if both refuse, the agent hears both\n";
    assert!(said.contains(line), "{said}");
    let line = "      Note 2 other stops there (`beep`): if both refuse, the agent hears only the";
    assert!(said.contains(line), "{said}");
}

/// Copilot CLI runs the program of such an entry without its arguments.
#[test]
fn an_entry_of_claude_code_is_silent_in_copilot() {
    let mut world = World::new();
    world.person(&["init", "--yes"]);
    world.env.write(".sprag/config.yaml", "guard: 1\n");
    assert_eq!(world.types(&[]).exit, Some(9), "an error would deny its tools");
    world.env.set("COPILOT_PROJECT_DIR", "/x");
    for words in [&[][..], &["hook", "claude", "PreToolUse"]] {
        let said = world.types(words);
        assert_eq!((said.exit, said.stdout, said.stderr), (Some(0), String::new(), String::new()));
    }
    assert_eq!(world.env.read(".sprag/trace"), None);
    world.types(&["hook", "copilot", "preToolUse"]);
    assert!(world.env.read(".sprag/trace").is_some(), "its own are answered");
}
