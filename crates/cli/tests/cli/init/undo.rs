//! `--undo` removes exactly what was added.

use super::{CONFIG, LOCAL, World};

const MINE: &str =
    "{\r\n\t\"permissions\": {\"allow\": []},\r\n\t\"hooks\": {\"Stop\": [], \"Other\": {}}\r\n}";

#[test]
fn files_that_nobody_touched_get_their_bytes_back() {
    let world = World::new();
    world.env.write(LOCAL, MINE);
    let before = world.files();
    world.person(&["init", "--yes"]);
    assert_ne!(world.env.read(LOCAL).as_deref(), Some(MINE));
    let said = world.types(&["init", "--undo"]);
    assert_eq!(said.exit, Some(3), "it asks");
    assert_ne!(world.env.read(LOCAL).as_deref(), Some(MINE));
    let said = world.person(&["init", "--undo", "--yes"]);
    let expected = "    Remove .claude/commands/sprag/        6 files\n    \
                    Remove ~/.claude.json\n   \
                    Restore .claude/settings.local.json    as it was before init\n    \
                    Remove .sprag/config.yaml\n    \
                    Forget which commands of this project may run\n";
    assert!(said.starts_with(expected), "{said}");
    assert_eq!(world.env.read(LOCAL).as_deref(), Some(MINE));
    assert_eq!((world.env.read(CONFIG), world.files()), (None, before));
    assert_eq!(world.person(&["init", "--undo"]), "nothing of init is here\n");
}

#[test]
fn files_and_folders_that_were_made_go() {
    let world = World::new();
    world.person(&["init", "--yes"]);
    world.person(&["init", "--undo", "--yes"]);
    assert!(!world.env.project().join(".claude").exists());
}

#[test]
fn from_files_that_were_changed_only_our_entries_go() {
    let world = World::new();
    world.env.write(LOCAL, "{\n  \"model\": \"opus\"\n}\n");
    world.person(&["init", "--yes"]);
    let changed = world.env.read(LOCAL).unwrap().replace("opus", "sonnet");
    world.env.write(LOCAL, &changed);
    let config = world.env.read(CONFIG).unwrap() + "wait: 1m\n";
    world.env.write(CONFIG, &config);
    let said = world.person(&["init", "--undo", "--yes"]);
    assert!(said.contains("    Change .claude/settings.local.json    -5 entries; it was changed"));
    assert!(said.contains("      Keep .sprag/config.yaml             it was changed since\n"));
    assert_eq!(world.env.read(LOCAL).as_deref(), Some("{\n  \"model\": \"sonnet\"\n}\n"));
    assert_eq!(world.env.read(CONFIG), Some(config));
}

#[test]
fn entries_that_were_mended_after_somebody_s_change_go_all_the_same() {
    let world = World::new();
    world.env.write(LOCAL, "{\n  \"model\": \"opus\"\n}\n");
    world.person(&["init", "--yes"]);
    world.env.write(LOCAL, world.env.read(LOCAL).unwrap().replace("opus", "sonnet"));
    world.env.write(CONFIG, world.env.read(CONFIG).unwrap() + "wait: 1m\n");
    let said = world.person(&["init", "--yes"]);
    assert!(said.contains("     Merge .claude/settings.local.json    1 of ours mended"), "{said}");
    world.person(&["init", "--undo", "--yes"]);
    assert_eq!(world.env.read(LOCAL).as_deref(), Some("{\n  \"model\": \"sonnet\"\n}\n"));
}

#[test]
fn what_is_one_person_s_goes_also_where_nothing_is_remembered() {
    let world = World::new();
    world.program("opencode", "echo 1.2.3\n");
    let before = world.files();
    world.person(&["init", "--yes"]);
    std::fs::remove_dir_all(world.env.home().join(".local/state/sprag/init")).unwrap();
    let said = world.person(&["init", "--undo", "--yes"]);
    let config = "      Keep .sprag/config.yaml             nothing says that init wrote it\n";
    let bare = said.matches("it is empty now").count();
    assert!(said.contains(config) && said.matches("Keep").count() == 1 + bare, "{said}");
    assert_eq!(world.files(), before);
}

#[test]
fn the_main_worktree_keeps_what_a_linked_one_gives_up() {
    let world = World::new();
    world.program("codex", "echo 1.2.3\n");
    world.person(&["init", "--yes"]);
    world.env.git(&["worktree", "add", "-q", "../linked"]);
    let linked = world.env.top().join("linked");
    let there = linked.display().to_string();
    world.person(&["-C", &there, "init", "--yes"]);
    let said = world.person(&["-C", &there, "init", "--undo", "--yes"]);
    assert!(
        said.contains("      Keep ~/.codex/hooks.json            another project uses"),
        "{said}"
    );
    assert!(!linked.join(LOCAL).exists() && !linked.join(CONFIG).exists());
    let said = world.person(&["init"]);
    assert!(said.contains("      Done nothing was to be done."), "{said}");
}

#[test]
fn what_was_never_ours_is_not_touched() {
    let world = World::new();
    let theirs = "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"borg hook claude Stop\"}]}]}}";
    world.env.write(LOCAL, theirs);
    world.env.write(CONFIG, "off: true\n");
    assert_eq!(world.person(&["init", "--undo", "--yes"]), "nothing of init is here\n");
    assert_eq!(world.env.read(LOCAL).as_deref(), Some(theirs));
    assert_eq!(world.env.read(CONFIG).as_deref(), Some("off: true\n"));
}

#[test]
fn shared_settings_are_only_taken_back_by_whoever_wrote_them_or_asks_for_it() {
    let world = World::new();
    world.person(&["init", "--yes", "--shared"]);
    let shared = ".claude/settings.json";
    let text = world.env.read(shared).unwrap();
    assert!(!text.contains(&world.sprag), "a path of this machine: {text}");
    let said = world.person(&["init"]);
    let line =
        "   Already .claude/settings.json          so .claude/settings.local.json is left alone\n";
    assert!(said.contains(line), "not twice: {said}");
    // A team mate has the file, but not the local record of it.
    std::fs::remove_dir_all(world.env.home().join(".local/state/sprag/init")).unwrap();
    let said = world.person(&["init", "--undo", "--yes"]);
    assert!(said.contains("      Keep .claude/settings.json"), "{said}");
    assert_eq!(world.env.read(shared), Some(text));
    world.person(&["init", "--undo", "--yes", "--shared"]);
    assert_eq!(world.env.read(shared), None, "nothing else was in it");
}

#[test]
fn without_what_is_remembered_our_own_folders_go_and_the_others_are_named() {
    let world = World::new();
    world.person(&["init", "--yes"]);
    std::fs::remove_dir_all(world.env.home().join(".local/state/sprag/init")).unwrap();
    let said = world.person(&["init", "--undo", "--yes"]);
    let line = "      Keep .claude/commands/              it is empty now, and nothing says that init \
                made it\n";
    assert!(said.contains(line), "{said}");
    assert!(!world.env.project().join(".claude/commands/sprag").exists());
    assert!(world.env.project().join(".claude/commands").exists());
}

#[test]
fn a_folder_of_ours_with_something_of_somebody_else_s_stays() {
    let world = World::new();
    world.person(&["init", "--yes"]);
    world.env.write(".claude/commands/sprag/mine.md", "mine\n");
    std::fs::remove_dir_all(world.env.home().join(".local/state/sprag/init")).unwrap();
    let said = world.person(&["init", "--undo", "--yes"]);
    assert!(!said.contains("it is empty now"), "{said}");
    assert_eq!(world.env.read(".claude/commands/sprag/mine.md").as_deref(), Some("mine\n"));
}
