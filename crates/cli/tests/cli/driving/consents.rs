//! A person's approvals before agents begin, and how strictly the end is reported.

use serde_json::json;

use super::World;

const TASK: [&str; 4] = ["run", "Make it good", "--until", "sh test.sh"];

/// Creates a workflow whose second phase breaks what the first one passed.
fn dev(world: &World) {
    let dev = ".sprag/workflows/dev";
    let workflow =
        "name: Dev\ncommandName: dev\ninitialMessage: 'Begin'\nphases: [build.md, ship.md]\n";
    world.env.write(format!("{dev}/workflow.yaml"), workflow);
    for (id, gate) in [("build", "run: sh test.sh"), ("ship", "file: code.txt")] {
        let text = format!("---\nid: {id}\nname: {id}\nemoji: E\ngates:\n  - {gate}\n---\nGo.\n");
        world.env.write(format!("{dev}/{id}.md"), text);
    }
}

/// Returns the permitted changes in the file of the only run.
fn kept(world: &World) -> Option<serde_json::Value> {
    let text = world.env.read(format!(".sprag/runs/{}/run.yaml", world.run())).unwrap();
    let found = text.split("may_change:").nth(1)?;
    let items = found.lines().skip(1).map_while(|line| line.trim().strip_prefix("- "));
    Some(items.map(|item| item.trim_matches('"')).collect())
}

#[test]
fn what_may_be_changed_is_kept_with_its_run_and_added_when_it_goes_on() {
    let world = World::new("echo bad$turn > code.txt");
    let may = ["--may-change", "tests", "--may-change", "spec/", "--may-change", "tests"];
    let ran = world.sprag(&[&TASK[..], &["--max", "1"], &may].concat());
    assert_eq!(ran.exit, Some(5), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(kept(&world), Some(json!(["tests", "spec/**"])));
    let ran = world.sprag(&["run", &world.run(), "--may-change", "test.sh"]);
    assert_eq!(ran.exit, Some(5), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(kept(&world), Some(json!(["tests", "spec/**", "test.sh"])));
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!(ran.exit, Some(5), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(kept(&world), Some(json!(["tests", "spec/**", "test.sh"])));
}

#[test]
fn a_workflow_keeps_it_as_well_and_without_it_nothing_is_written() {
    let world = World::new("echo good > code.txt");
    dev(&world);
    let ran = world.sprag(&["run", "dev", "Do it", "--may-change", "spec/**"]);
    assert_eq!((ran.exit, kept(&world)), (Some(0), Some(json!(["spec/**"]))), "{}", ran.stdout);
    let world = World::new("echo good > code.txt");
    let ran = world.sprag(&TASK);
    assert_eq!((ran.exit, kept(&world)), (Some(0), None), "{}", ran.stdout);
}

#[test]
fn a_pattern_is_read_in_the_folder_that_it_is_typed_in() {
    let world = World::new("echo good > ../code.txt");
    world.env.write("sub/a.txt", "");
    let folder = world.env.project().join("sub").display().to_string();
    let host = world.host();
    let words = ["--may-change", "*.snap", "--may-change", "tests", "--host", &host, "--yes"];
    let task = ["-C", &folder, "run", "Make it good", "--until", "true"];
    let ran = world.sprag(&[&task[..], &words].concat());
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(kept(&world), Some(json!(["sub/*.snap", "tests"])));
}

#[test]
fn a_strict_run_needs_a_person_where_something_is_not_proven() {
    let breaks = "[ $turn = 1 ] && echo good > code.txt || echo bad > code.txt";
    for (more, exit) in [(&[][..], 0), (&["--strict"], 3)] {
        let world = World::new(breaks);
        dev(&world);
        let (object, ended) = world.json(&[&["run", "dev", "Do it"][..], more].concat());
        assert_eq!(ended, Some(exit), "{object}");
        assert_eq!(object["outcome"], "done", "{object}");
        assert_eq!(object["ok"], exit == 0, "{object}");
        assert_eq!(object["unproven"], json!(["passed on other files: build/sh test.sh"]));
    }
    let world = World::new("echo good > code.txt");
    let ran = world.sprag(&[&TASK[..], &["--strict"]].concat());
    assert_eq!(ran.exit, Some(0), "all of it is proven: {}", ran.stdout);
}

#[test]
fn a_run_that_goes_on_is_as_strict_as_it_began() {
    // A gate that passed only on its second try on the same files is not proven.
    let world = World::new("[ -f ../go ] && echo good > code.txt || echo bad$turn > code.txt");
    dev(&world);
    let ship = "---\nid: ship\nname: ship\nemoji: E\n---\nGo.\n";
    world.env.write(".sprag/workflows/dev/ship.md", ship);
    let ran = world.sprag(&["run", "dev", "Do it", "--strict"]);
    assert_eq!(ran.exit, Some(5), "{}{}", ran.stdout, ran.stderr);
    world.env.write("../go", "");
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!(ran.exit, Some(3), "a phase without a gate: {}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("claim without proof: dev/ship"), "{}", ran.stdout);
}
