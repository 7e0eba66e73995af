//! What a run says of itself is true also where little was done for it.

use serde_json::json;

use super::{World, pull, together, tree};

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
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let flat = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        flat.contains("Passed task gone since it began, and not in git: wip.txt; ch"),
        "{flat}"
    );
    assert!(flat.contains("1 gate passed") && !flat.contains("Proven"), "{flat}");
    let said = json!([
        "gone since it began, and not in git: wip.txt",
        "changed, and a gate runs it: test.sh",
    ]);
    let (report, _) = world.json(&["report"]);
    assert_eq!(report["unproven"], said);
    let text = world.sprag(&["report"]).stdout;
    assert!(text.contains("\n  wip.txt: gone since it began, and not in git\n"), "{text}");
}

#[test]
fn uncommitted_edits_that_an_agent_takes_away_are_said() {
    let saved = "git stash -q; git stash pop -q";
    let apart = "git checkout -qb wip; git commit -qam wip; git checkout -q -; git merge -q wip";
    let cases = [
        ("git checkout -q .", true),
        ("git restore wip.txt old.txt", true),
        ("git stash -q", true),
        ("git reset -q --hard", true),
        ("git commit -qam wip; git reset -q --hard HEAD~1", true),
        (saved, false),
        ("echo more >> wip.txt", false),
        ("git commit -qam wip", false),
        ("git commit -qam wip; git revert -n HEAD", false),
        (apart, false),
        ("git checkout -q .; echo mine > wip.txt; rm old.txt", false),
    ];
    for (does, is_lost) in cases {
        let world = World::new(&format!("{does}\necho good > code.txt"));
        world.env.write("wip.txt", "start\n");
        world.env.write("old.txt", "start\n");
        world.env.git(&["add", "."]);
        world.env.git(&["commit", "-qm", "more"]);
        world.env.write("wip.txt", "mine\n");
        world.env.git(&["rm", "-q", "--cached", "old.txt"]);
        world.env.git(&["reset", "-q"]);
        assert!(world.env.command("rm").arg("old.txt").status().unwrap().success());
        let (object, exit) = world.json(&[&["run", "Good"], &UNTIL[..]].concat());
        assert_eq!(exit, Some(0), "{does}: {object}");
        let said = ["uncommitted edits gone since it began: old.txt, wip.txt"];
        let said = if is_lost { json!(said) } else { json!([]) };
        assert_eq!(object["unproven"], said, "{does}");
        // What a person does after it is theirs.
        world.env.git(&["checkout", "-q", "-f", "."]);
        let (report, _) = world.json(&["report"]);
        let is_said = report["unproven"].to_string().contains("edits gone");
        assert_eq!(is_said, is_lost, "{does}: {report}");
    }
}

#[test]
fn a_new_file_that_is_only_staged_is_gone_with_a_reset() {
    let world = World::new("git reset -q --hard; echo good > code.txt");
    world.env.write("wip.txt", "mine\n");
    world.env.git(&["add", "wip.txt"]);
    let (object, _) = world.json(&[&["run", "Good"], &UNTIL[..]].concat());
    let said = json!(["gone since it began, and not in git: wip.txt"]);
    assert_eq!(object["unproven"], said, "{object}");
}

#[test]
fn a_test_that_a_person_changes_after_the_run_is_not_laid_to_it() {
    let world = World::new("echo good > code.txt");
    let (object, exit) = world.json(&[&["run", "Good"], &UNTIL[..]].concat());
    assert_eq!((exit, &object["unproven"]), (Some(0), &json!([])), "{object}");
    world.env.write("test.sh", "exit 0\n");
    let (report, _) = world.json(&["report"]);
    let said = report["unproven"].to_string();
    assert!(!said.contains("a gate runs it"), "{said}");
    // One that its agent changed stays said, also once a person has put it back.
    let world = World::new("echo good > code.txt; echo exit 0 > test.sh");
    world.sprag(&[&["run", "Good"], &UNTIL[..]].concat());
    world.env.git(&["checkout", "-q", "test.sh"]);
    let (report, _) = world.json(&["report"]);
    let said = report["unproven"].to_string();
    assert!(said.contains("changed, and a gate runs it: test.sh"), "{said}");
}

#[test]
fn a_file_that_a_person_removes_after_the_run_is_not_gone_with_it() {
    let world = World::new("echo good > code.txt");
    world.env.write("wip.txt", "mine\n");
    let (object, exit) = world.json(&[&["run", "Good"], &UNTIL[..]].concat());
    assert_eq!((exit, &object["unproven"]), (Some(0), &json!([])), "{object}");
    assert!(world.env.command("rm").arg("wip.txt").status().unwrap().success());
    let (report, _) = world.json(&["report"]);
    let said = report["unproven"].to_string();
    assert!(!said.contains("gone since it began"), "{said}");
}

#[test]
fn a_file_that_an_agent_commits_and_then_moves_is_in_git() {
    let world = World::new(
        "echo good > code.txt; git add wip.txt; git commit -qm wip; git mv wip.txt new.txt\n\
         git commit -qm moved; git add '[a].txt'; rm '[a].txt'",
    );
    world.env.write("wip.txt", "mine\n");
    world.env.write("[a].txt", "mine\n");
    let (object, exit) = world.json(&[&["run", "Good"], &UNTIL[..]].concat());
    assert_eq!((exit, &object["unproven"]), (Some(0), &json!([])), "{object}");
    assert_eq!((world.env.read("wip.txt"), world.env.read("[a].txt")), (None, None));
}

#[test]
fn files_beyond_those_that_are_written_down_are_counted() {
    let world = World::new("echo good > code.txt; rm f*.txt");
    for nth in 0..203 {
        world.env.write(format!("f{nth:03}.txt"), "mine\n");
    }
    let (object, exit) = world.json(&[&["run", "Good"], &UNTIL[..]].concat());
    assert_eq!(exit, Some(0), "{object}");
    let said = object["unproven"].to_string();
    assert!(said.contains("gone since it began, and not in git: 200"), "{said}");
    assert!(said.contains("not committed, and too many to look at: 3"), "{said}");
}

#[test]
fn what_is_gone_is_said_of_a_plan_a_milestone_tree_and_a_pull_request_as_well() {
    let agent = "rm -f wip.txt; echo 'TASK COMPLETE'";
    let plan = together::world(1);
    World::agent(&plan.env, "agent.sh", agent);
    for (source, world) in [("plan", plan), ("gsd", tree::tree(agent)), ("pr", pull::pull(agent).0)]
    {
        world.env.write("wip.txt", "mine\n");
        let ran = world.sprag(&["run", source]);
        assert_eq!(world.env.read("wip.txt"), None, "{source}: {}{}", ran.stdout, ran.stderr);
        let (report, _) = world.json(&["report"]);
        let said = report["unproven"].to_string();
        assert!(said.contains("gone since it began, and not in git: wip.txt"), "{source}: {said}");
    }
}

#[test]
fn a_test_that_nobody_committed_and_nobody_changed_is_no_matter() {
    let world = World::new("echo good > code.txt");
    world.env.write("new.sh", "grep -q good code.txt\n");
    let (object, exit) = world.json(&["run", "Good", "--until", "sh new.sh"]);
    assert_eq!((exit, &object["unproven"]), (Some(0), &json!([])), "{object}");
}
