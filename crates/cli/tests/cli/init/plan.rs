//! The plan that is shown before anything is written.

use serde_json::json;

use super::{CONFIG, LOCAL, World};

#[test]
fn nothing_is_written_before_a_person_agrees() {
    let world = World::new();
    let before = world.files();
    let said = world.types(&["init"]);
    assert_eq!(said.exit, Some(3));
    assert!(said.stdout.contains("Allow this command to run on your machine"), "{}", said.stdout);
    assert!(said.stderr.contains("no person is there to agree, so nothing was changed"));
    let said = world.types(&["init", "--dry-run"]);
    assert_eq!(said.exit, Some(0));
    assert!(said.stdout.ends_with("      Done nothing was written: --dry-run\n"));
    assert_eq!(world.files(), before);
    assert_eq!(world.env.read(CONFIG), None);
}

#[test]
fn an_agent_is_refused() {
    let mut world = World::new();
    world.env.set("CLAUDECODE", "1");
    for words in [&["init", "--yes"][..], &["init", "--undo", "--yes"], &["init", "--dry-run"]] {
        let said = world.types(words);
        assert_eq!(said.exit, Some(3), "{words:?}");
        assert!(said.stderr.contains("and this looks like an agent"), "{}", said.stderr);
    }
    assert_eq!(world.env.read(CONFIG), None);
}

#[test]
fn a_second_time_everything_is_already_there() {
    let world = World::new();
    world.person(&["init", "--yes"]);
    let (settings, config) = (world.env.read(LOCAL), world.env.read(CONFIG));
    let said = world.person(&["init"]);
    assert!(said.contains("   Already .sprag/config.yaml             gate: ./scripts/test\n"));
    assert!(said.contains("   Already .claude/settings.local.json\n"), "{said}");
    assert!(said.contains("      Done nothing was to be done."), "{said}");
    assert_eq!((world.env.read(LOCAL), world.env.read(CONFIG)), (settings.clone(), config));
    // A removed entry is added again.
    let damaged = settings.clone().unwrap().replace("\"SessionEnd\"", "\"Elsewhere\"");
    world.env.write(LOCAL, &damaged);
    let said = world.person(&["init", "--yes"]);
    assert!(said.contains("     Merge .claude/settings.local.json    +1 entry\n"));
    assert_eq!(world.entries(LOCAL, "SessionEnd").len(), 1);
}

#[test]
fn what_is_there_is_kept_and_named() {
    let world = World::new();
    world.program("codex", "echo 'codex-cli 0.166.0'\n");
    world.program("pi", "echo 1.5.0\n");
    world.env.write(".gsd/plans/01.md", "");
    world.env.write(".pi/workflows/a/workflow.yaml", "");
    world.env.write("Makefile", "test:\n\ttrue\n");
    world.env.write(CONFIG, "# ours\nwait: 1m\nguard:\n  gates: [{run: make test}]\n");
    let stop = json!({"type": "command", "command": "say done"});
    world.env.write(LOCAL, json!({"hooks": {"Stop": [{"hooks": [stop]}]}}).to_string());
    let said = world.types(&["init", "--dry-run"]).stdout;
    for line in [
        "     Found claude 2.1.325, codex 0.166.0, pi 1.5.0\n",
        "     Found make test (Makefile); also ./scripts/test (scripts/test), with --gate\n",
        "     Found .gsd (opti-gsd), .pi/workflows (pi-workflows): kept, read where it is\n",
        "     Write ~/.pi/agent/extensions/sprag.ts the bridge\n",
        "     Write ~/.claude.json, ~/.codex/config.toml the tools of `sprag mcp`\n",
        "     Write .claude/commands/sprag/        /sprag:until, start, why, pause, ok\n",
        "   Already .sprag/config.yaml             gate: make test\n",
        "     Merge .claude/settings.local.json    +5 entries, your 1 kept\n",
        "     Write ~/.codex/hooks.json            +5 entries; codex asks you to review them: /hooks\n",
        "      Note 1 other stop there (`say done`): if both refuse, the agent hears both\n",
        "     Allow this command to run on your machine: make test\n",
    ] {
        assert!(said.contains(line), "{line}{said}");
    }
    assert!(said.lines().count() <= 12, "{said}");
    world.person(&["init", "--yes", "--host", "claude"]);
    let [_, ours] = &world.entries(LOCAL, "Stop")[..] else { panic!() };
    assert_eq!(ours["timeout"], 90, "the configuration's minute, and half of one");
}

#[test]
fn gates_can_be_named_and_join_what_is_there() {
    let world = World::new();
    let said = world.types(&["init", "--gate", "a | b"]);
    assert_eq!(said.exit, Some(2));
    assert!(said.stderr.contains("`|` needs a shell, and there is none"), "{}", said.stderr);
    let said = world.person(&["init", "--yes", "--gate", "true", "--gate", "sh -c 'exit 0; echo'"]);
    let line = "     Allow this command to run on your machine: sh -c 'exit 0; echo'\n";
    assert!(said.contains(line), "{said}");
    let text = world.env.read(CONFIG).unwrap();
    assert!(text.contains("    - run: \"true\"\n    - run:\n"), "{text}");
    let said = world.person(&["init", "--yes", "--gate", "true", "--gate", "./scripts/test"]);
    assert!(said.contains("    Change .sprag/config.yaml"), "{said}");
    let longer = world.env.read(CONFIG).unwrap();
    assert_eq!(longer, format!("{text}    - run: ./scripts/test\n"));
}

#[test]
fn the_object_says_the_same() {
    let world = World::new();
    let said = world.json(&["init", "--json", "--yes"]);
    assert_eq!(said["ok"], true);
    assert_eq!(said["hosts"][0]["version"], "2.1.325");
    assert_eq!(said["checks"][0], json!({"argv": ["./scripts/test"], "from": "scripts/test"}));
    assert_eq!(said["files"][0]["added"], 5);
    assert_eq!(said["receipts"][0]["verdict"], "pass");
    assert_eq!(said["trusted"], json!([["./scripts/test"]]));
    assert_eq!(said["written"].as_array().unwrap().len(), 10);
    let said = world.json(&["init", "--json", "--undo", "--yes"]);
    let command = |name: &str| format!(".claude/commands/sprag/{name}");
    let [ignore, until, start, why, pause, ok] =
        [".gitignore", "until.md", "start.md", "why.md", "pause.md", "ok.md"].map(command);
    let files = [&ok, &pause, &why, &start, &until, &ignore, "~/.claude.json", LOCAL, CONFIG];
    assert_eq!(said["files"], json!(files));
}
