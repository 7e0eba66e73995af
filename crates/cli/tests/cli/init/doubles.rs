//! A host calls sprag once: an entry that exists in one place is not added to a second.

use serde_json::json;

use super::{CONFIG, LOCAL, World};

const SHARED: &str = ".claude/settings.json";
const SWITCH: &str = "{\"enabledPlugins\": {\"sprag@team\": true}}";

impl World {
    /// Installs a plugin as Claude Code does, under sprag's name.
    fn plugin(&self, entries: &str, project: Option<&str>) {
        let folder = ".claude/plugins/cache/team/sprag/0.1.0";
        self.put_at_home(&format!("{folder}/hooks/hooks.json"), entries);
        let mut one = json!({ "scope": "user", "installPath": self.env.home().join(folder) });
        if let Some(project) = project {
            one["projectPath"] = project.into();
        }
        let list = json!({ "version": 2, "plugins": { "sprag@team": [one] } });
        self.put_at_home(".claude/plugins/installed_plugins.json", &list.to_string());
    }

    fn is_written(&self) -> bool {
        let said = self.person(&["init", "--yes"]);
        said.contains("     Write .claude/settings.local.json    +5 entries\n")
    }
}

/// The entries of sprag's plugin, as shipped.
const OURS: &str = include_str!("../../../../../plugins/claude/hooks/hooks.json");

#[test]
fn where_our_plugin_is_switched_on_nothing_is_put_beside_it() {
    let world = World::new();
    world.plugin(OURS, None);
    world.env.write(SHARED, SWITCH);
    let before = world.files();
    let said = world.person(&["init", "--yes"]);
    let line = "   Already .claude/settings.json          so .claude/settings.local.json is left";
    assert!(said.contains(line), "{said}");
    assert_eq!(world.files(), before, "only the project's own configuration");
    assert!(world.env.read(CONFIG).is_some());
    world.env.write(SHARED, SWITCH.replace("true", "false"));
    assert!(world.is_written());
}

#[test]
fn a_plugin_of_our_name_is_believed_only_where_it_calls_us() {
    let world = World::new();
    world.env.write(SHARED, SWITCH);
    assert!(world.is_written(), "it is not installed at all");
    let others = [
        ("{}", None),
        ("not JSON", None),
        (&OURS.replace("sprag hook", "spragged hook"), None),
        (OURS, Some("/somewhere/else")),
    ];
    for (entries, project) in others {
        let world = World::new();
        world.plugin(entries, project);
        world.env.write(SHARED, SWITCH);
        assert!(world.is_written(), "{entries} {project:?}");
    }
    let world = World::new();
    world.plugin(OURS, Some(world.env.project().to_str().unwrap()));
    world.env.write(SHARED, SWITCH);
    assert!(!world.is_written(), "it is installed for this project");
}

#[test]
fn what_is_a_person_s_is_not_shared_beside_it_and_that_is_said() {
    let world = World::new();
    world.person(&["init", "--yes"]);
    let before = world.files();
    let said = world.person(&["init", "--yes", "--shared"]);
    let lines = "   Already .claude/settings.local.json    so .claude/settings.json is left alone\n      \
                 Note that file is yours alone; to share it: sprag init --undo, then sprag init \
                 --shared\n";
    assert!(said.contains(lines), "{said}");
    assert_eq!(world.files(), before);
    world.person(&["init", "--undo", "--yes"]);
    world.person(&["init", "--yes", "--shared"]);
    assert_eq!(world.entries(SHARED, "Stop").len(), 1);
    assert_eq!(world.env.read(LOCAL), None);
    let said = world.person(&["init", "--yes"]);
    assert!(said.contains("so .claude/settings.local.json is left alone\n"), "{said}");
    assert!(!said.contains("yours alone"), "{said}");
    assert_eq!(world.env.read(LOCAL), None);
}

#[test]
fn what_is_in_a_person_s_home_is_not_shared_beside_it_either() {
    let world = World::bare();
    world.program("codex", "echo 1.2.3\n");
    world.person(&["init", "--yes"]);
    let before = world.files();
    let said = world.person(&["init", "--yes", "--shared"]);
    let note = "      Note that file is yours alone: team mates run sprag init themselves\n";
    assert!(said.contains(note), "{said}");
    assert_eq!(world.files(), before);
}

#[test]
fn some_entries_in_another_file_are_completed_there_and_not_doubled_here() {
    let world = World::new();
    world.person(&["init", "--yes"]);
    let text = world.env.read(LOCAL).unwrap().replace("\"SessionEnd\"", "\"Other\"");
    world.env.write(LOCAL, &text);
    let said = world.types(&["init", "--yes", "--shared"]);
    let why = "calls sprag already at SessionStart, UserPromptSubmit, PreToolUse, Stop; `sprag init` \
               completes that file";
    assert!(said.stdout.contains(why), "{}", said.stdout);
    assert_eq!(world.env.read(SHARED), None);
    world.person(&["init", "--yes"]);
    for event in ["SessionStart", "Stop", "SessionEnd"] {
        assert_eq!(world.entries(LOCAL, event).len(), 1, "{event}");
    }
}
