//! The demo says only what has happened, so its end is a proof as well.

use crate::support::{object, sprag};
use sprag_testkit::Test;

/// A world whose scratch folders go with it.
fn world() -> Test {
    let test = sprag();
    let scratch = test.env.top().display().to_string();
    test.set("TMPDIR", &scratch)
}

#[test]
fn the_story_comes_to_its_end() {
    let (said, test) = world().run(["demo", "--plain"]).output();
    assert_eq!((said.exit, said.stderr.as_str()), (Some(0), ""), "{}", said.stdout);
    let lines: Vec<_> = said.stdout.lines().collect();
    assert!(lines.len() <= 30, "a screen: {}", said.stdout);
    assert_eq!(lines[0], "sprag demo: real files, real processes, real kills");
    assert!(said.stdout.contains("20 times, with -9\n"), "{}", said.stdout);
    assert!(said.stdout.contains("nothing to repair\n"), "{}", said.stdout);
    let look = lines.iter().find_map(|line| line.strip_prefix("Look around:")).unwrap();
    let folder = look.trim().strip_prefix("sprag -C [TOP]/").unwrap();
    let folder = test.env.top().join(folder);
    // What it leaves is a project like any other.
    let (status, test) = test.run(["-C", folder.to_str().unwrap(), "--json"]).output();
    assert_eq!(status.exit, Some(0), "{}", status.stdout);
    let (doctor, _) = test.run(["-C", folder.to_str().unwrap(), "doctor", "--plain"]).output();
    assert!(doctor.stdout.contains(" 0 problems"), "{}", doctor.stdout);
}

#[test]
fn for_programs_it_is_one_object() {
    let (said, exit) = object(world().run(["demo", "--json"]));
    assert_eq!((exit, &said["ok"]), (Some(0), &true.into()));
    assert!(said["steps"].as_array().unwrap().len() > 5);
    assert!(said["next"]["safe"][0].as_str().unwrap().starts_with("sprag -C "));
}

#[test]
fn without_a_scratch_folder_it_says_so() {
    let (said, _) = sprag().set("TMPDIR", "/nowhere").run(["demo", "--plain"]).output();
    assert_eq!(said.exit, Some(1));
    assert!(said.stderr.contains("/nowhere/sprag-demo-"), "{}", said.stderr);
}
