//! What the entries do where sprag is missing, and what doctor says of them.

use super::{LOCAL, World};

#[test]
fn a_shared_entry_is_harmless_where_sprag_is_missing() {
    let world = World::new();
    world.person(&["init", "--yes", "--shared"]);
    for event in ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"] {
        let [entry] = &world.entries(".claude/settings.json", event)[..] else { panic!() };
        let text = entry["command"].as_str().unwrap();
        let mut shell = world.env.command("sh");
        let done = shell.args(["-c", text]).stdin(std::process::Stdio::null()).output().unwrap();
        assert_eq!((done.status.code(), done.stdout, done.stderr), (Some(0), vec![], vec![]));
        // And where it is there, it is called.
        let own = std::path::Path::new(&world.sprag).parent().unwrap().display().to_string();
        let mut shell = world.env.command("sh");
        shell.env("PATH", format!("{own}:/usr/bin:/bin")).args(["-c", text]);
        assert!(shell.stdin(std::process::Stdio::null()).status().unwrap().success());
    }
    let trace = world.env.read(".sprag/trace").unwrap();
    assert_eq!(trace.lines().count(), 5, "each was called with nothing to read: {trace}");
}

#[test]
fn doctor_says_what_is_missing_and_what_switches_it_off() {
    let world = World::new();
    world.env.write(".sprag/config.yaml", "");
    let said = world.person(&["doctor", "--plain"]);
    let line = " ! claude 2.1.325: no host hooks of ours\n   fix: sprag init\n";
    assert!(said.contains(line), "{said}");
    world.person(&["init", "--yes"]);
    let said = world.person(&["doctor", "--plain"]);
    let line = " + claude 2.1.325: host hooks in .claude/settings.local.json, not called yet\n";
    assert!(said.contains(line), "{said}");
    let text = world.env.read(LOCAL).unwrap();
    world.env.write(LOCAL, text.replace("\"Stop\"", "\"Elsewhere\""));
    world.env.write(".claude/settings.json", "{\"disableAllHooks\": true}");
    let said = world.types(&["doctor", "--plain"]);
    assert_eq!(said.exit, Some(1));
    let lines = " x claude 2.1.325: host hooks missing in .claude/settings.local.json\n   \
                 Stop\n   fix: sprag init\n x claude: `disableAllHooks: true` in \
                 .claude/settings.json turns them all off\n   fix: take that switch out\n";
    assert!(said.stdout.contains(lines), "{}", said.stdout);
}
