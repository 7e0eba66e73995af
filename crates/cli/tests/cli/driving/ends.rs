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
