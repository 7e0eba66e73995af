//! A decision by an agent alone is shown as a claim everywhere.

use serde_json::json;

use super::{World, together};

/// The normal check of a task, and one that no gate can decide.
const FILE: &str = "<check type=\"file\">f01.txt exists</check>";
const BROWSER: &str = "<check type=\"browser\">the page shows f01</check>";

/// Creates a plan of four tasks whose first has these checks.
fn world(checks: &str) -> World {
    let world = together::world(1);
    let path = ".gsd/plans/phase-1/plan.md";
    let plan = world.env.read(path).unwrap();
    world.env.write(path, plan.replace(FILE, checks));
    world.env.git(&["commit", "-qam", "checks"]);
    world
}

#[test]
fn checks_and_goals_that_only_an_agent_decided_are_claims_in_summary_report_page_and_json() {
    let world = world(&format!("{FILE}\n    {BROWSER}"));
    let ran = world.sprag(&["run", "plan", "--agents", "1"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let said = |text: &str| assert!(ran.stdout.contains(text), "{text}\n{}", ran.stdout);
    said("Claimed T01  1 claim without proof: the page shows f01\n");
    said("Proven T02\n");
    said("Claimed verify  1 claim without proof: All there\n");
    said("5 units · 4 gates passed\n");
    let line = ran.stdout.split("Unproven ").nth(1).unwrap().replace("\n             ", " ");
    let claims = "2 claims without proof: T01: the page shows f01, verify: All there\n";
    let other = ["01", "02", "03", "04"].map(|task| format!("f{task}.txt exists"));
    let unproven = format!("passed on other files: {}; {claims}", other.join(", "));
    assert!(line.starts_with(&unproven), "{}", ran.stdout);

    let report = world.sprag(&["report"]).stdout;
    // The report of the verification is a file, too.
    let head = "Unproven   passed on other files: 4; claims that no gate looks at: 2\n";
    assert!(report.contains("is done and its gates held; the files changed since\n"), "{report}");
    assert!(report.contains(head), "{report}");
    let claimed = report.split("CLAIMED, NOT PROVEN\n").nth(1).unwrap();
    let lines = "  T01, by its agent's word: the page shows f01\n  \
                 verify, by its agent's word: All there\n";
    assert!(claimed.starts_with(lines), "{report}");

    let (object, _) = world.json(&["report"]);
    let claims: Vec<_> = object["claims"].as_array().unwrap().iter().collect();
    let of = |at: usize| json!([claims[at]["unit"], claims[at]["source"], claims[at]["text"]]);
    assert_eq!(of(0), json!(["T01", "agent's word", "the page shows f01"]), "{object}");
    assert_eq!(of(1), json!(["verify", "agent's word", "All there"]), "{object}");
    assert_eq!(claims.len(), 2, "{object}");
    let page = world.sprag(&["report", "--html", "-"]).stdout;
    assert!(page.contains("By its agent's word: All there"), "{page}");
    assert!(!page.contains("Done, proven"), "{page}");
}

#[test]
fn a_gate_that_a_later_phase_breaks_is_not_proven_at_the_end_of_the_run_either() {
    let world = World::new("[ $turn = 1 ] && echo good > code.txt || echo bad > code.txt");
    let dev = ".sprag/workflows/dev";
    let workflow =
        "name: Dev\ncommandName: dev\ninitialMessage: 'Begin'\nphases: [build.md, ship.md]\n";
    world.env.write(format!("{dev}/workflow.yaml"), workflow);
    let phase = |id: &str, gate: &str| {
        let text = format!("---\nid: {id}\nname: {id}\nemoji: E\ngates:\n  - {gate}\n---\nGo.\n");
        world.env.write(format!("{dev}/{id}.md"), text);
    };
    phase("build", "run: sh test.sh");
    phase("ship", "file: code.txt");
    let (object, exit) = world.json(&["run", "dev", "Do it"]);
    let (report, _) = world.json(&["report"]);
    assert_eq!((exit, &object["unproven"]), (Some(0), &report["unproven"]), "{object}");
    assert_eq!(object["unproven"], json!(["passed on other files: build/sh test.sh"]));
}

#[test]
fn a_run_that_only_its_agent_judged_never_says_proven() {
    let world = world(BROWSER);
    let path = ".gsd/plans/phase-1/plan.md";
    let plan = world.env.read(path).unwrap();
    let other = |task: &str| format!("<check type=\"file\">f{task}.txt exists</check>");
    let plan =
        ["02", "03", "04"].iter().fold(plan, |plan, task| plan.replace(&other(task), BROWSER));
    world.env.write(path, plan);
    world.env.git(&["commit", "-qam", "no gate"]);
    let (object, exit) = world.json(&["run", "plan", "--agents", "1"]);
    assert_eq!(exit, Some(0), "{object}");
    let counted = [&object["proven_units"], &object["gates"], &object["claimed"]];
    assert_eq!(counted, [&json!(0), &json!(0), &json!(5)], "{object}");
    let report = world.sprag(&["report"]).stdout;
    let head = "Unproven   claims that no gate looks at: T01, T02, T03, T04, verify\n";
    assert!(report.contains(head), "{report}");
    assert!(report.contains("is done as agents say: no gate looked at it\n"), "{report}");
}
