//! Failures are reported, and nothing is damaged on the way.

use super::{CONFIG, LOCAL, World};

#[test]
fn without_a_host_or_a_check_it_says_what_to_name() {
    let world = World::bare();
    let said = world.types(&["init", "--yes"]);
    assert_eq!(said.exit, Some(4));
    assert!(said.stderr.contains("no host was found on the search path"), "{}", said.stderr);
    world.person(&["init", "--yes", "--host", "claude"]);
    let world = World::new();
    std::fs::remove_file(world.env.project().join("scripts/test")).unwrap();
    let said = world.types(&["init", "--yes"]);
    assert_eq!(said.exit, Some(4));
    assert!(said.stderr.contains("no check was found here"), "{}", said.stderr);
    assert!(said.stderr.contains("sprag init --gate 'npm test'"), "{}", said.stderr);
    assert_eq!(world.env.read(CONFIG), None);
}

#[test]
fn the_home_directory_is_never_a_project() {
    let world = World::new();
    let home = world.env.home().display().to_string();
    let said = world.types(&["-C", &home, "init", "--yes"]);
    assert_eq!(said.exit, Some(2));
    assert!(said.stderr.contains("the home directory is never a project"), "{}", said.stderr);
}

#[test]
fn settings_with_comments_are_left_alone_and_that_is_said() {
    let world = World::new();
    let text = "{\n  // mine\n  \"model\": \"opus\"\n}\n";
    world.env.write(LOCAL, text);
    let said = world.types(&["init", "--yes"]);
    assert_eq!(said.exit, Some(1));
    let line =
        "    Cannot .claude/settings.local.json    line 2 is a comment, and sprag cannot edit";
    assert!(said.stdout.contains(line), "{}", said.stdout);
    assert!(said.stdout.contains("No agent session is held yet: see above."), "{}", said.stdout);
    assert_eq!(world.env.read(LOCAL).as_deref(), Some(text));
    world.program("codex", "echo 1.2.3\n");
    let said = world.types(&["init", "--yes"]).stdout;
    let promise =
        "`./scripts/test` passes (3 tries, then you decide), but those of claude: see above.";
    assert!(said.contains(promise), "{said}");
}

#[test]
fn folders_that_are_links_are_entered_where_they_stay_inside() {
    let world = World::new();
    world.program("codex", "echo 1.2.3\n");
    let codex = world.env.home().join("dotfiles/codex");
    std::fs::create_dir_all(&codex).unwrap();
    std::fs::create_dir(world.env.project().join(".agents")).unwrap();
    world.env.link(".agents", ".claude");
    std::os::unix::fs::symlink("dotfiles/codex", world.env.home().join(".codex")).unwrap();
    let before = world.files();
    world.person(&["init", "--yes"]);
    assert!(world.env.read(".agents/settings.local.json").is_some());
    assert!(codex.join("hooks.json").exists());
    world.person(&["init", "--undo", "--yes"]);
    assert_eq!(world.files(), before);
}

#[test]
fn a_link_that_leads_nowhere_is_left_alone() {
    let world = World::new();
    std::fs::create_dir(world.env.project().join(".claude")).unwrap();
    world.env.link("nowhere.json", LOCAL);
    let said = world.types(&["init", "--yes"]);
    assert_eq!(said.exit, Some(1));
    assert!(said.stdout.contains("it is a link that leads nowhere"), "{}", said.stdout);
    assert!(world.env.project().join(LOCAL).is_symlink());
}

#[test]
fn a_program_whose_entries_could_not_be_known_again_writes_none() {
    let mut world = World::new();
    let own = std::mem::take(&mut world.sprag);
    let named = |name: &str| {
        let path = world.env.top().join("bin").join(name);
        std::fs::hard_link(&own, &path).or_else(|_| std::fs::copy(&own, &path).map(drop)).unwrap();
        path.display().to_string()
    };
    let (version, other) = (named("sprag-0.1"), named("wedge"));
    world.sprag = version;
    world.person(&["init", "--yes"]);
    let said = world.person(&["init"]);
    assert!(said.contains("      Done nothing was to be done."), "{said}");
    world.sprag = other;
    let said = world.types(&["init", "--yes"]);
    assert_eq!(said.exit, Some(2));
    assert!(said.stderr.contains("could not be told from others"), "{}", said.stderr);
}

#[test]
fn a_link_out_of_the_project_is_not_followed() {
    let world = World::new();
    let away = world.env.top().join("away");
    std::fs::create_dir(&away).unwrap();
    std::fs::write(away.join("settings.local.json"), "{}").unwrap();
    world.env.link("../away", ".claude");
    let said = world.types(&["init", "--yes"]);
    assert_eq!(said.exit, Some(1));
    assert!(said.stdout.contains("a link leads out of the folder"), "{}", said.stdout);
    assert_eq!(std::fs::read_to_string(away.join("settings.local.json")).unwrap(), "{}");
}

#[test]
fn a_failure_half_way_says_how_far_it_came_and_can_be_undone() {
    let world = World::new();
    // The folder of the user's approvals can be read, but not written.
    let said = world.person(&["adopt", "--yes"]);
    assert!(said.contains("yours"), "{said}");
    let list = world.env.home().join(".local/state/sprag/roots/lock");
    std::fs::remove_file(&list).unwrap();
    std::fs::create_dir(&list).unwrap();
    let said = world.types(&["init", "--yes"]);
    assert_eq!(said.exit, Some(1));
    let whole = said.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(whole.contains("the list of commands that may run was not written"), "{whole}");
    assert!(whole.contains(&format!("Written: {CONFIG}, {LOCAL}, ~/.claude.json, ")), "{whole}");
    assert!(whole.contains("/ok.md. Not tried: nothing."), "{whole}");
    assert!(whole.contains("`sprag init --undo` removes what was written"), "{whole}");
    std::fs::remove_dir(&list).unwrap();
    world.person(&["init", "--undo", "--yes"]);
    assert_eq!((world.env.read(LOCAL), world.env.read(CONFIG)), (None, None));
}

#[test]
fn a_check_that_cannot_run_is_said_and_not_taken_for_a_failure() {
    let world = World::new();
    let said = world.person(&["init", "--yes", "--gate", "no-such-program"]);
    assert!(said.contains("it could not tell: the program `no-such-program` was not found"));
}

#[test]
fn a_host_that_hangs_or_comes_with_the_clone_keeps_nobody_waiting() {
    let mut world = World::new();
    world.program("gemini", "sleep 600\n");
    world.executable("codex", "#!/bin/sh\ntouch ran\n");
    let path = format!(".:{}:/usr/bin:/bin", world.env.top().join("bin").display());
    world.env.set("PATH", &path);
    let said = world.types(&["init", "--dry-run"]).stdout;
    let line = "     Found claude 2.1.325, gemini (it did not tell its version)\n";
    assert!(said.contains(line), "{said}");
    assert_eq!(world.env.read("ran"), None);
}
