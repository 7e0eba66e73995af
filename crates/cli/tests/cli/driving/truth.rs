//! A run's statements about itself are true even if little was done for it.

use serde_json::json;

use super::World;

const UNTIL: [&str; 2] = ["--until", "sh test.sh"];

#[test]
fn an_agent_is_told_the_command_as_a_shell_reads_it() {
    let world = World::new("echo good > code.txt");
    world.env.write("lib/test.sh", "grep -q good ../code.txt\n");
    let ran = world.sprag(&["run", "Good", "--until", "sh -c 'cd lib && sh test.sh'"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let told = "Good\n\nWhen you stop, this is checked: `sh -c 'cd lib && sh test.sh'`.";
    assert_eq!(world.told(1), told);
}

#[test]
fn an_agent_that_does_nothing_passes_and_proves_nothing() {
    let world = World::new("echo 'Added the export.'");
    world.env.write("code.txt", "good\n");
    let ran = world.sprag(&[&["run", "Add CSV export"], &UNTIL[..]].concat());
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let said = "    Unproven no file changed, and it passed before: sh test.sh\n";
    assert!(ran.stdout.contains(said) && ran.stdout.contains("1 gate passed"), "{}", ran.stdout);
    let line = "      Passed task  no file changed, and it passed before\n";
    assert!(ran.stdout.contains(line) && !ran.stdout.contains("Proven"), "{}", ran.stdout);
    let report = world.sprag(&["report"]).stdout;
    let said = "Unproven   no file changed, and it passed before: sh test.sh\n";
    assert!(report.contains(said) && !report.contains("and proven"), "{report}");
    let (object, _) = world.json(&["report"]);
    assert_eq!(object["unproven"], json!(["no file changed, and it passed before: sh test.sh"]));
}

#[test]
fn a_repository_that_an_agent_removes_or_begins_anew_holds_its_run() {
    for more in ["", " && git init -q"] {
        let world = World::new(&format!("echo good > code.txt; rm -rf .git{more}"));
        let (object, exit) = world.json(&[&["run", "Good"], &UNTIL[..]].concat());
        assert_eq!((exit, &object["outcome"]), (Some(3), &json!("held")), "{object}");
        let why = object["why"].as_str().unwrap();
        assert!(why.contains("the git repository is gone since"), "{why}");
        assert_eq!(world.count("gate.receipt"), 0);
    }
}

#[test]
fn a_file_of_a_person_that_is_gone_and_a_test_that_was_rewritten_are_said() {
    let world = World::new("git stash -qu; echo good > code.txt; echo exit 0 > test.sh");
    world.env.write("wip.txt", "mine\n");
    let ran = world.sprag(&[&["run", "Good"], &UNTIL[..]].concat());
    assert_eq!(ran.exit, Some(3), "{}{}", ran.stdout, ran.stderr);
    let flat = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("Refused task it passes, but the agent changed test.sh"), "{flat}");
    let line = "Passed task the agent changed what the gates depend on: test.sh; your \
                uncommitted edits are gone: wip.txt (in `git stash`)";
    assert!(flat.contains(line), "{flat}");
    assert!(flat.contains("1 gate passed") && !flat.contains("Proven"), "{flat}");
    let said = json!([
        "the agent changed what the gates depend on: test.sh",
        "your uncommitted edits are gone: wip.txt (in `git stash`)",
    ]);
    let (report, _) = world.json(&["report"]);
    assert_eq!(report["unproven"], said);
    let text = world.sprag(&["report"]).stdout;
    assert!(
        text.contains("\n  wip.txt (in `git stash`): your uncommitted edits are gone\n"),
        "{text}"
    );
}

#[test]
fn a_test_that_a_person_changes_after_the_run_is_not_laid_to_it() {
    let world = World::new("echo good > code.txt");
    let (object, exit) = world.json(&[&["run", "Good"], &UNTIL[..]].concat());
    assert_eq!((exit, &object["unproven"]), (Some(0), &json!([])), "{object}");
    world.env.write("test.sh", "exit 0\n");
    let (report, _) = world.json(&["report"]);
    let said = report["unproven"].to_string();
    assert!(!said.contains("changed by the agent"), "{said}");
    // A file that its agent changed is in doubt until a person restores it.
    let world = World::new("echo good > code.txt; echo exit 0 > test.sh");
    world.sprag(&[&["run", "Good"], &UNTIL[..]].concat());
    let doubts = || world.json(&["report"]).0["doubts"].to_string();
    assert!(doubts().contains("test.sh"), "{}", doubts());
    world.env.git(&["checkout", "-q", "test.sh"]);
    assert_eq!(doubts(), "[]");
}

#[test]
fn a_test_that_nobody_committed_and_nobody_changed_is_no_matter() {
    let world = World::new("echo good > code.txt");
    world.env.write("new.sh", "grep -q good code.txt\n");
    let (object, exit) = world.json(&["run", "Good", "--until", "sh new.sh"]);
    assert_eq!((exit, &object["unproven"]), (Some(0), &json!([])), "{object}");
}
