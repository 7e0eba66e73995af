//! What a run has come to when nobody works on it: its end, a loss, a time that must come.

use super::World;

const TASK: [&str; 4] = ["run", "Make it good", "--until", "sh test.sh"];

#[test]
fn what_is_done_is_not_cancelled_any_more() {
    let world = World::new("echo good > code.txt");
    assert_eq!(world.sprag(&TASK).exit, Some(0));
    let (run, events) = (world.run(), world.events().len());
    let ran = world.sprag(&["cancel", &run]);
    assert_eq!(ran.exit, Some(1), "{}", ran.stdout);
    assert!(ran.stderr.contains("the run is over"), "{}", ran.stderr);
    assert_eq!(world.events().len(), events, "nothing is written");
    assert!(world.sprag(&["report", &run]).stdout.contains("is done, and proven"));
}

/// Puts a `claude` into the world that does this with its words in `$*` and the prompt in `$prompt`.
fn claude(does: &str) -> World {
    let mut world = World::new("exit 1");
    let script = format!(
        "#!/bin/sh\n\
         say() {{ echo \"{{\\\"type\\\":\\\"$1\\\",$2,\\\"session_id\\\":\\\"$3\\\"}}\"; }}\n\
         prompt=$(cat); top={top}; echo \"$*\" >> $top/words\n{does}\n",
        top = world.env.top().display()
    );
    world.env.write("../bin/claude", script);
    let bin = world.env.top().join("bin");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(bin.join("claude"), mode).unwrap();
    world.env.set("PATH", &format!("{}:/usr/local/bin:/usr/bin:/bin", bin.display()));
    world
}

/// Returns with which words `claude` was started, each time.
fn words(world: &World) -> Vec<String> {
    let text = std::fs::read_to_string(world.env.top().join("words")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_conversation_that_the_host_no_longer_has_is_begun_anew_with_all_that_is_known() {
    let world = claude(
        "case \"$*\" in *--resume=*) echo 'No conversation found' >&2\n\
         say result '\"subtype\":\"error_during_execution\",\"is_error\":true' s-9; exit 1;; esac\n\
         case $prompt in *'Not finished'*) echo good > code.txt;; *) echo bad > code.txt;; esac\n\
         printf '%s' \"$prompt\" > $top/prompt\n\
         say assistant '\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"Did it\"}]}' s-1\n\
         say result '\"subtype\":\"success\",\"result\":\"Did it\"' s-1",
    );
    let ran = world.sprag(&[&TASK[..], &["--host", "claude", "--max", "1"]].concat());
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let resumed: Vec<_> = words(&world).iter().map(|line| line.contains("--resume")).collect();
    assert_eq!(resumed, [false, true, false], "{:?}", words(&world));
    let told = std::fs::read_to_string(world.env.top().join("prompt")).unwrap();
    assert!(told.starts_with("Make it good\n\nNot finished: `sh test.sh` exit 1"), "{told}");
}

#[test]
fn a_loss_spends_no_retry_and_nobody_is_waited_for_who_never_begins() {
    let world = World::new(
        "[ $turn = 2 ] && exit 3\n[ $turn = 3 ] && echo good > code.txt || echo $turn > code.txt",
    );
    let ran = world.sprag(&[&TASK[..], &["--max", "1"]].concat());
    assert_eq!((ran.exit, world.turns()), (Some(0), 3), "{}", ran.stdout);
    assert!(ran.stdout.contains("after a loss"), "{}", ran.stdout);
    // The budget is spent by what is lost.
    let world = World::new("sleep 1.1; exit 3");
    let ran = world.sprag(&[&TASK[..], &["--budget", "1s"]].concat());
    assert_eq!((ran.exit, world.turns()), (Some(5), 1), "{}", ran.stdout);
    assert!(!ran.stdout.contains("after a loss"), "{}", ran.stdout);
}
