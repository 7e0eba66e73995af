//! The state of the inbox as a whole: its proofs, its files, and its spent budget.

use super::World;
use super::inbox::{AGENT, world};

/// Returns the run of a unit's assignment.
fn run_of(world: &World, unit: &str) -> String {
    let events = world.events();
    let mut runs = events.iter().filter_map(|event| event["run"].as_str());
    runs.find(|run| run.starts_with(&format!("r-{unit}-"))).unwrap().to_owned()
}

#[test]
fn units_that_end_in_another_order_than_they_were_assigned_are_proven_by_the_last_merge() {
    // The agent of the first unit waits until the work on the other one is merged.
    let waits = "i=0; until git cat-file -e sprag/inbox:u2.txt 2>/dev/null || [ $i -gt 600 ]; do \
                 i=$((i+1)); sleep 0.05; done";
    let world = world(&format!("case $prompt in u1:*) {waits} ;; esac\n{AGENT}"), 2);
    world.env.git(&["add", ".sprag/config.yaml"]);
    world.env.git(&["commit", "-qm", "gates"]);
    let ran = world.sprag(&["run", "inbox", "--agents", "2"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("2 gates proven\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Unproven nothing"), "{}", ran.stdout);
    for when in ["not merged", "merged"] {
        for unit in ["u1", "u2"] {
            let (report, _) = world.json(&["report", &run_of(&world, unit)]);
            let files = report["files"]["changed"].as_array().unwrap().iter();
            let files: Vec<_> = files.map(|file| file["path"].as_str().unwrap()).collect();
            assert_eq!(files, [format!("{unit}.txt")], "{when}: {report}");
            let command = report["files"]["command"].as_str().unwrap();
            let out = world.env.command("sh").args(["-c", command]).output().unwrap();
            let shown = String::from_utf8(out.stdout).unwrap();
            assert_eq!(shown.matches("diff --git").count(), 1, "{when}: {command}: {shown}");
        }
        let all = world.sprag(&["report", "inbox"]);
        assert_eq!(all.exit, Some(0), "{}{}", all.stdout, all.stderr);
        assert!(all.stdout.contains("inbox is done, and proven on the files"), "{}", all.stdout);
        let again = world.sprag(&["report", "inbox", "--verify"]);
        assert_eq!(again.exit, Some(0), "{when}: {}{}", again.stdout, again.stderr);
        world.env.git(&["merge", "-q", "--no-edit", "sprag/inbox"]);
    }
}

#[test]
fn what_the_inbox_spent_counts_until_a_person_raises_its_budget() {
    let agent = format!("sleep 1\n{AGENT}");
    let world = world(&agent, 3);
    let notify = "notify: {command: [sh, -c, 'cat >> ../told']}\n";
    let config = world.env.read(".sprag/config.yaml").unwrap();
    world.env.write(".sprag/config.yaml", config + notify);
    let first = world.sprag(&["run", "inbox", "--budget", "1s"]);
    assert_eq!(first.exit, Some(5), "{}{}", first.stdout, first.stderr);
    assert_eq!(world.turns(), 1);
    let raise = |said: &str| said.split('`').nth(1).map(str::to_owned).unwrap();
    let command = raise(first.stdout.split_once("the budget is spent: ").unwrap().1);
    assert!(command.starts_with("sprag run inbox --budget "), "{command}");
    assert!(first.stdout.contains(&format!("Next {command}\n")), "{}", first.stdout);
    let (status, _) = world.json(&["status"]);
    assert_eq!(status["waits"][0]["run"], "inbox", "{status}");
    assert_eq!(status["waits"][0]["command"], *command, "{status}");
    let told = world.env.read("../told").unwrap();
    assert!(told.contains(&format!("\"command\":\"{command}\"")), "{told}");
    let report = world.sprag(&["report", "inbox"]).stdout;
    assert!(report.contains("inbox is held: the budget is spent"), "{report}");

    for words in [["resume", "1"], ["approve", "1"], ["resume", "inbox"]] {
        let said = world.sprag(&words);
        assert_eq!(said.exit, Some(1), "{words:?}: {}{}", said.stdout, said.stderr);
        assert!(said.stderr.contains(&command), "{words:?}: {}", said.stderr);
    }

    // The same command again begins nothing, since the budget is unchanged.
    let again = world.sprag(&["run", "inbox"]);
    assert_eq!((again.exit, world.turns()), (Some(5), 1), "{}{}", again.stdout, again.stderr);

    // With a raised budget it continues; with nothing left to do it is done, whatever it cost.
    let more = world.sprag(&["run", "inbox", "--budget", "2500ms", "--agents", "1"]);
    assert_eq!((more.exit, world.turns()), (Some(0), 3), "{}{}", more.stdout, more.stderr);
    let (status, _) = world.json(&["status"]);
    assert_eq!(status["waits"].as_array().map(Vec::len), Some(0), "{status}");

    // Later work has a budget of its own.
    let add = ["agent", "work", "add", "More", "--id", "u4", "--as", "mayor"];
    assert_eq!(world.sprag(&add).exit, Some(0));
    let later = world.sprag(&["run", "inbox"]);
    assert_eq!((later.exit, world.turns()), (Some(0), 4), "{}{}", later.stdout, later.stderr);
    let told = world.env.read("../told").unwrap();
    assert!(told.contains("\"command\":\"sprag report inbox\""), "{told}");
}
