//! The demo tells only what has happened, so its end is also a proof. If the machinery is broken,
//! the demo must report it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sprag_testkit::{Output, Test, TestEnv};

use crate::support::{SPRAG, object, sprag};

/// The folder of scratch folders; its name needs quotes in a shell.
const TMP: &str = "tmp of mine";

/// A world that contains its scratch folders. Several processes take part, so time must pass.
fn world() -> Test {
    let test = sprag().folder(format!("../{TMP}"));
    let scratch = test.env.top().join(TMP);
    let test = test.set("TMPDIR", scratch.to_str().unwrap());
    test.set("SPRAG_TEST_IDS", "").set("SPRAG_TEST_NOW", "")
}

/// Installs a program before all others of its name.
fn in_the_way(test: Test, name: &str, script: &str) -> Test {
    let folder = test.env.top().join("bin");
    test.env.write(folder.join(name), script);
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.join(name), mode).unwrap();
    test.set("PATH", &format!("{}:/usr/local/bin:/usr/bin:/bin", folder.display()))
}

/// Returns the contents of a folder.
fn names(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Runs a command that the demo printed, in a shell.
fn typed(test: &Test, said: &Output, label: &str) -> (Option<i32>, String) {
    let line = said.stdout.lines().find_map(|line| line.strip_prefix(label)).unwrap();
    let line = line.trim().replace("[TOP]", test.env.top().to_str().unwrap());
    let out = test.env.command("sh").args(["-c", &line]).output().unwrap();
    (out.status.code(), String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned())
}

/// The story in order; where several agents work, their units may pass in another order.
const STORY: [&str; 17] = [
    "sprag demo: a scripted agent, a real repository in a temporary folder",
    "     Agent \"Done! All tests pass.\"                          changed nothing",
    "   Refused sh tests/csv.sh: FAIL quotes_commas              retry 1 of 3",
    "     Agent \"That test was wrong. All tests pass.\"           changed tests/csv.sh",
    "   Refused the agent changed tests/csv.sh                   sent back once",
    "     Agent \"Believe me, that test is wrong.\"                changed tests/csv.sh",
    "   Refused the agent changed tests/csv.sh                   waits for a person",
    "    Person git checkout tests/csv.sh; sprag resume r-",
    "   Refused sh tests/csv.sh: FAIL quotes_commas              retry 1 of 3",
    "     Agent \"Fields with commas are quoted.\"                 changed src/csv.sh",
    "    Passed sh tests/csv.sh in ",
    "    Review 1 finding: a quote in a field is not doubled     round 1 of 5",
    "     Agent \"Quotes in fields are doubled.\"                  changed src/csv.sh",
    "    Passed sh tests/csv.sh in ",
    "    Review 0 findings                                       round 2 of 5",
    "   Started 6 units, each in a git worktree of its own       2 agents",
    // The order in which the units pass is up to the agents.
    "    Passed T0",
];

/// Returns a line without the parts that differ from run to run.
fn plain(line: &str) -> String {
    let word = |word: &str| {
        let is_name = ["r-", "g-", "sprag/r-"].iter().any(|start| word.starts_with(start));
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        if is_name || is_number || word.contains("/sprag-demo-") {
            "…".into()
        } else {
            word.into()
        }
    };
    let words: Vec<String> = line.split_whitespace().map(word).collect();
    // The tree, if any, comes last.
    words.join(" ").split(" on tree ").next().unwrap_or_default().to_owned()
}

/// Returns the lines that README.md shows under `$ sprag demo`.
fn in_the_readme() -> Vec<String> {
    let page = include_str!("../../../../README.md");
    let lines = page.lines().skip_while(|line| *line != "    $ sprag demo").skip(1);
    lines.take_while(|line| line.starts_with("    ")).map(plain).collect()
}

#[test]
fn the_story_comes_to_its_end_and_its_commands_work() {
    let test = world();
    let home = names(&test.env.home());
    let (said, test) = test.run(["demo", "--plain"]).output();
    assert_eq!((said.exit, said.stderr.as_str()), (Some(0), ""), "{}", said.stdout);
    let lines: Vec<_> = said.stdout.lines().collect();
    for (line, start) in lines.iter().zip(STORY) {
        assert!(line.starts_with(start), "{start}\n{}", said.stdout);
    }
    assert!(lines.len() <= 30, "a screen: {}", said.stdout);
    let is_told = |line: &&&str| !line.contains("[TOP]");
    assert!(lines.iter().filter(is_told).all(|line| line.len() <= 80), "{}", said.stdout);
    for line in [
        "    Killed the agent of unit 4 of 6 with -9                 its attempt is lost",
        "    Passed T04 by another agent: lost once, passed once",
        "6 of 6 units\n    Person git merge sprag/r-",
        " receipts, 1 only claimed (the review), ",
    ] {
        assert_eq!(said.stdout.matches(line).count(), 1, "{line}\n{}", said.stdout);
    }

    // The page shows such a run; units may pass in another order.
    let sorted = |mut lines: Vec<String>| {
        lines.sort();
        lines
    };
    let us = TestEnv::program(SPRAG);
    let own = lines.iter().map(|line| plain(&line.replace(&us, "sprag").replace(TMP, "tmp")));
    assert_eq!(sorted(own.collect()), sorted(in_the_readme()));

    // It leaves its folder behind, and nothing else.
    assert_eq!(names(&test.env.home()), home);
    assert_eq!(names(&test.env.top().join(TMP)).len(), 1);
    let (exit, report) = typed(&test, &said, "What is proven?");
    assert!(exit == Some(0) && report.contains("proven on the files as they are now"), "{report}");
    assert_eq!(typed(&test, &said, "Change one byte:"), (Some(0), String::new()));
    let (_, report) = typed(&test, &said, "What is proven?");
    assert!(report.contains("done and was proven; the files changed since"), "{report}");
    let (exit, report) = typed(&test, &said, "Look closer:");
    let page = report.trim().strip_prefix("Report  ").unwrap_or_else(|| panic!("{report}"));
    assert!(exit == Some(0) && std::fs::read_to_string(page).unwrap().contains("<svg"), "{report}");
    let (exit, asked) = typed(&test, &said, "Your project:");
    assert_ne!(exit, Some(2), "{asked}");
}

#[test]
fn for_programs_every_step_names_its_event_and_an_agent_may_ask_as_well() {
    let test = world().set("CLAUDECODE", "1").set("SPRAG_ROOT", "/nowhere").set("SPRAG_RUN", "r-x");
    let (said, exit) = object(test.run(["demo", "--json"]));
    assert_eq!((exit, &said["ok"]), (Some(0), &true.into()), "{said}");
    let steps = said["steps"].as_array().unwrap();
    let of = |verb: &str| steps.iter().filter(|step| step["verb"] == verb).collect::<Vec<_>>();
    assert_eq!((of("Agent").len(), of("Refused").len(), of("Review").len()), (5, 4, 2), "{said}");
    assert_eq!((of("Passed").len(), of("Killed").len(), of("Done").len()), (8, 1, 1), "{said}");
    let (mut own, others): (Vec<&Value>, Vec<&Value>) =
        steps.iter().partition(|step| step["event"].is_null());
    own.retain(|step| step["verb"] != "Person");
    assert_eq!(own, of("Done"), "the others are told from the journal");
    assert!(others.iter().map(|step| step["event"].as_u64().unwrap()).is_sorted(), "{said}");
}

#[test]
fn a_test_that_always_passes_ends_the_demo() {
    let blind = "#!/bin/sh\ncase $1 in tests/csv.sh) exit 0 ;; esac\nexec /bin/sh \"$@\"\n";
    let (said, _) = in_the_way(world(), "sh", blind).run(["demo", "--plain"]).output();
    assert_eq!(said.exit, Some(1), "{}", said.stdout);
    assert!(!said.stdout.contains("quotes_commas"), "{}", said.stdout);
    let why = "an agent said that it is done, and no gate refused it";
    assert!(said.stderr.contains(why) && said.stderr.contains("/sprag-demo-"), "{}", said.stderr);
}

#[test]
fn a_unit_that_never_passes_ends_the_demo() {
    let broken = "#!/bin/sh\ncase $1 in tests/last.sh) exit 1 ;; esac\nexec /bin/sh \"$@\"\n";
    let (said, _) = in_the_way(world(), "sh", broken).run(["demo", "--plain"]).output();
    assert_eq!(said.exit, Some(1), "{}", said.stdout);
    assert!(!said.stdout.contains("T05") && !said.stdout.contains("Done 6"), "{}", said.stdout);
    assert!(said.stderr.contains("`run sh tests/last.sh` failed"), "{}", said.stderr);
}

#[test]
fn without_a_scratch_folder_it_says_so() {
    let (said, _) = sprag().set("TMPDIR", "/nowhere").run(["demo", "--plain"]).output();
    assert_eq!(said.exit, Some(1));
    assert!(said.stderr.contains("/nowhere/sprag-demo-"), "{}", said.stderr);
}

#[test]
fn without_git_it_says_so_and_where_the_folder_is() {
    let (said, _) = world().set("PATH", "/nowhere").run(["demo", "--plain"]).output();
    assert_eq!(said.exit, Some(1));
    let why = "cannot ask `git`";
    assert!(said.stderr.contains(why) && said.stderr.contains("/sprag-demo-"), "{}", said.stderr);
}
