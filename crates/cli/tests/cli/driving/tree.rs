//! `sprag run gsd`: a milestone tree is driven, and its rules run between units.

use serde_json::Value;

use super::World;

const SLICE: &str = ".gsd/milestones/M001/slices/S01";

/// Does each task, has a finding in the first review of each, and fixes it.
const AGENT: &str = r#"S=.gsd/milestones/M001/slices/S01
t=$(printf '%s' "$prompt" | grep -o 'T0[12]' | head -1)
case "$prompt" in
"Review the work"*)
  f=$(printf '%s' "$prompt" | grep -o '\.gsd[^ `]*CODE-REVIEW[^ `]*\.md' | head -1)
  if [ -e ../seen-$t ]; then echo 'VERDICT: pass' > "$f"
  else touch ../seen-$t; printf 'VERDICT: issues\n- [critical] code.txt: no test\n' > "$f"; fi ;;
*complete-slice*) ;;
*inding*) echo fixed >> code.txt ;;
*)
  echo "$t" >> code.txt
  sed -i "s/\[ \] \*\*$t:/[x] **$t:/" $S/S01-PLAN.md
  printf -- "---\nid: $t\n---\n# Done\n" > $S/tasks/$t-SUMMARY.md ;;
esac"#;

/// A milestone of one slice with two tasks, which are reviewed.
pub(super) fn tree(agent: &str) -> World {
    let world = World::new(agent);
    let milestone = ".gsd/milestones/M001/M001";
    world.env.write(".sprag/config.yaml", "rules: [{name: review-loop}]\n");
    world.env.write(format!("{milestone}-CONTEXT.md"), "# M001: Parser\n\nA parser.\n");
    let roadmap = "# M001: Parser\n\n## Slices\n\n- [ ] **S01: Lexer** `risk:low` `depends:[]`\n";
    world.env.write(format!("{milestone}-ROADMAP.md"), roadmap);
    let plan = "# S01: Lexer\n\n**Goal:** tokens\n\n## Tasks\n\n- [ ] **T01: Numbers** `est:1h`\n\
                - [ ] **T02: Strings** `est:1h`\n";
    world.env.write(format!("{SLICE}/S01-PLAN.md"), plan);
    for task in ["T01", "T02"] {
        let text = format!("---\nid: {task}\n---\n# {task}\n\nDo it.\n");
        world.env.write(format!("{SLICE}/tasks/{task}-PLAN.md"), text);
    }
    world
}

/// Returns the files that the last run's report names as in doubt.
fn in_doubt(world: &World) -> Vec<String> {
    let (report, _) = world.json(&["report"]);
    let doubts = report["doubts"].as_array().unwrap();
    doubts.iter().map(|doubt| doubt["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn preferences_that_an_agent_brings_judge_nothing_and_are_named() {
    let world = tree("printf -- '---\\nskip: all\\n---\\n' > .gsd/PREFERENCES.md");
    let (object, exit) = world.json(&["run", "gsd"]);
    assert_eq!((exit, world.turns()), (Some(5), 3), "the work itself is missing: {object}");
    assert_eq!(in_doubt(&world), [".gsd/PREFERENCES.md"]);
}

#[test]
fn taking_the_rules_out_of_the_preferences_is_sent_back_and_then_needs_a_person() {
    let world =
        tree(&format!("printf -- '---\\nmode: solo\\n---\\n' > .gsd/PREFERENCES.md\n{AGENT}"));
    world.env.remove(".sprag/config.yaml");
    let hooks = "---\ngsd_hooks:\n  enabled:\n    - name: review-loop\n---\n";
    world.env.write(".gsd/PREFERENCES.md", hooks);
    let (object, exit) = world.json(&["run", "gsd"]);
    assert_eq!((exit, world.turns()), (Some(3), 2), "{object}");
    let why = object["why"].as_str().unwrap();
    assert!(why.contains("the agent changed `.gsd/PREFERENCES.md`"), "{object}");
    assert_eq!(in_doubt(&world), [".gsd/PREFERENCES.md"]);
    assert_eq!(world.sprag(&["approve", &world.run(), "--yes"]).exit, Some(0));
    let ran = world.sprag(&["resume", &world.run()]);
    assert!(!ran.stdout.contains("review-task"), "the text of the agent holds: {}", ran.stdout);
}

/// A tree with one rule, whose script passes everything.
fn ruled(agent: &str, before: &str) -> World {
    let world = tree(agent);
    world.env.write("ci/look.sh", "cat > /dev/null; echo '{\"v\":1,\"do\":\"pass\"}'\n");
    let rule = "rules:\n  - name: veto\n    run: [sh, ci/look.sh]\n    before: [";
    world.env.write(".sprag/config.yaml", format!("{rule}{before}]\n"));
    world
}

#[test]
fn the_script_of_a_rule_that_an_agent_rewrote_is_named_where_its_work_fails() {
    let world = ruled("echo 'echo {}' > ci/look.sh", "complete-slice");
    let (object, exit) = world.json(&["run", "gsd"]);
    assert_eq!((exit, world.turns()), (Some(5), 3), "the work itself is missing: {object}");
    assert_eq!(in_doubt(&world), ["ci/look.sh"]);
}

#[test]
fn a_rule_whose_script_an_agent_rewrote_answers_nothing_until_a_person_agrees() {
    let rewritten = "cat > /dev/null; touch ../asked; echo '{\"v\":1,\"do\":\"skip\"}'";
    let world =
        ruled(&format!("echo '{}' > ci/look.sh", rewritten.replace('\'', "'\\''")), "execute-task");
    let (object, exit) = world.json(&["run", "gsd"]);
    assert_eq!((exit, world.turns()), (Some(3), 1), "{object}");
    let said = "`veto` is not proven: the agent changed `ci/look.sh`, which this rule runs";
    assert!(object["why"].as_str().unwrap().contains(said), "{object}");
    let is_asked = || world.env.project().join("../asked").exists();
    assert!(!is_asked(), "nothing of the agent runs as a rule");
    assert_eq!(in_doubt(&world), ["ci/look.sh"]);
    // Resuming without agreement changes nothing.
    assert_eq!(world.sprag(&["resume", &world.run()]).exit, Some(3));
    assert!(!is_asked());
    assert_eq!(world.sprag(&["approve", &world.run(), "--yes"]).exit, Some(0));
    world.sprag(&["resume", &world.run()]);
    assert!(is_asked(), "a person agreed to it");
}

#[test]
fn a_task_that_is_fixed_is_not_rid_of_its_review_by_taking_its_line_out() {
    let out = "case \"$prompt\" in Fix*) sed -i /T01/d \
               .gsd/milestones/M001/slices/S01/S01-PLAN.md; exit 0 ;; esac\n";
    let world = tree(&format!("{out}{AGENT}"));
    let ran = world.sprag(&["run", "gsd"]);
    assert_eq!(ran.exit, Some(3), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("M001/S01/T01 is gone from the tree"), "{}", ran.stdout);
}

/// Ticks every box and writes every summary, whatever its prompt.
const LIAR: &str = r"S=.gsd/milestones/M001/slices/S01
sed -i 's/\[ \]/[x]/' $S/S01-PLAN.md .gsd/milestones/M001/M001-ROADMAP.md
for t in T01 T02; do printf -- '---\nid: '$t'\n---\n# Done\n' > $S/tasks/$t-SUMMARY.md; done
echo x > $S/S01-SUMMARY.md; echo x > .gsd/milestones/M001/M001-SUMMARY.md; echo all done";

#[test]
fn what_an_agent_ticks_that_nobody_began_waits_for_a_person_and_proves_nothing() {
    let world = tree(LIAR);
    world.env.remove(".sprag/config.yaml");
    let ran = world.sprag(&["run", "gsd"]);
    assert_eq!((ran.exit, world.turns()), (Some(3), 1), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("M001/S01/T02 done, never begun"), "{}", ran.stdout);
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!((ran.exit, world.turns()), (Some(0), 1), "{}{}", ran.stdout, ran.stderr);
    assert!(!ran.stdout.contains("Unproven nothing"), "{}", ran.stdout);
    assert!(ran.stdout.contains("1 unit · no gate passed"), "{}", ran.stdout);
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let report = world.sprag(&["report"]).stdout;
    for at in ["M001", "M001/S01", "M001/S01/T02"] {
        let claim = format!(" {at} done, never begun");
        assert!(flat(&ran.stdout).contains(&claim), "{claim}\n{}", ran.stdout);
        assert!(flat(&report).contains(&claim), "{claim}\n{report}");
    }
    assert!(!report.contains("T01 done, never"), "{report}");
}

#[test]
fn a_person_is_told_what_a_unit_of_a_tree_is_missing() {
    let world = tree("echo done");
    let ran = world.sprag(&["run", "gsd"]);
    assert_eq!(ran.exit, Some(5), "{}{}", ran.stdout, ran.stderr);
    let (object, _) = world.json(&["status"]);
    let why = object["waits"][0]["why"].as_str().unwrap_or_else(|| panic!("{object}"));
    assert!(why.starts_with("no progress: `execute-task M001/S01/T01`: "), "{why}");
    assert!(why.contains("T01-SUMMARY.md") && !why.contains("fails"), "{why}");
    assert!(ran.stdout.contains("T01-SUMMARY.md"), "{}", ran.stdout);
    let said = world.sprag(&["why"]).stdout;
    assert!(!said.contains("the files have changed since"), "{said}");
}

#[test]
fn every_task_of_a_tree_is_reviewed_fixed_and_reviewed_again() {
    let world = tree(AGENT);
    let ran = world.sprag(&["run", "gsd"]);
    // The slice is never completed, and the run is held for that.
    assert_eq!(ran.exit, Some(5), "{}{}", ran.stdout, ran.stderr);
    let unit = |event: &Value| {
        let passed = event["kind"] == "attempt.ended" && event["data"]["how"] == "claimed";
        passed.then(|| event["data"]["unit"].as_str().unwrap_or_default().to_owned())
    };
    let passed: Vec<String> = world.events().iter().filter_map(unit).collect();
    let of = |task: &str| {
        ["execute", "review", "fix", "review"].map(|kind| format!("{kind}-task M001/S01/{task}"))
    };
    assert_eq!(passed, [of("T01"), of("T02")].concat());
    // Its gates check summaries and boxes, which the agent writes itself.
    let work = "execute-task M001/S01/T01  1 claim without proof: the work behind its papers\n";
    assert!(ran.stdout.contains(&format!("Claimed {work}")), "{}", ran.stdout);
    assert!(ran.stdout.contains("8 units · no gate passed\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Proven "), "{}", ran.stdout);
    let report = world.sprag(&["report"]).stdout;
    assert!(report.contains("claims that no gate looks at: 6"), "{report}");
    let kept = world.env.read(format!("{SLICE}/tasks/T01-PLAN.md")).unwrap();
    assert!(kept.contains("cycles: 2\n        passed: true\n"), "{kept}");
}

/// Finds something in every review of the first task, which no fix removes.
fn never_content() -> World {
    let world = tree(&AGENT.replace("[ -e ../seen-$t ]", "[ $t = T02 ]"));
    world.env.write(".sprag/config.yaml", "rules: [{name: review-loop, max: 2}]\n");
    world
}

fn plan_of(world: &World, task: &str) -> String {
    world.env.read(format!("{SLICE}/tasks/{task}-PLAN.md")).unwrap()
}

#[test]
fn a_task_whose_review_rounds_ran_out_gets_fresh_rounds_from_a_person() {
    let world = never_content();
    let (object, exit) = world.json(&["run", "gsd"]);
    assert_eq!(exit, Some(5), "{object}");
    let run = object["run"].as_str().unwrap();
    let (status, _) = world.json(&["status"]);
    assert_eq!(status["waits"][0]["command"], format!("sprag resume {run}"), "{status}");
    let turns = world.turns();
    let (object, exit) = world.json(&["resume", run]);
    assert_eq!((exit, object["outcome"].as_str()), (Some(5), Some("held")), "{object}");
    // A fix of the open finding, then the rounds until it is found again.
    assert!(world.turns() >= turns + 2, "{turns}, {}", world.turns());
    assert!(!plan_of(&world, "T01").contains("accepted"), "{}", plan_of(&world, "T01"));
}

#[test]
fn a_task_whose_review_did_not_count_twice_exits_with_3_and_a_person_may_accept_it() {
    let world = tree(&AGENT.replace(
        "t=$(printf",
        "case \"$prompt\" in \"Review\"*) echo x >> code.txt ;; esac\nt=$(printf",
    ));
    let (object, exit) = world.json(&["run", "gsd"]);
    assert_eq!((exit, object["outcome"].as_str()), (Some(3), Some("held")), "{object}");
    let (status, _) = world.json(&["status"]);
    let why = status["waits"][0]["why"].as_str().unwrap();
    assert!(why.contains("review 1 does not count, twice"), "{why}");
    let run = object["run"].as_str().unwrap();
    assert_eq!(world.sprag(&["approve", run]).exit, Some(0));
    assert!(plan_of(&world, "T01").contains("accepted: true"), "{}", plan_of(&world, "T01"));
}

#[test]
fn a_task_whose_review_rounds_ran_out_exits_with_5_and_a_person_may_accept_it() {
    let world = never_content();
    let (object, exit) = world.json(&["run", "gsd"]);
    assert_eq!((exit, object["outcome"].as_str()), (Some(5), Some("held")), "{object}");
    let (status, _) = world.json(&["status"]);
    let why = status["waits"][0]["why"].as_str().unwrap();
    let expected =
        "review-loop of M001/S01/T01: gave up after 2 review rounds; open: code.txt: no test";
    assert_eq!(why, expected);
    let run = object["run"].as_str().unwrap();
    assert_eq!(world.sprag(&["approve", run]).exit, Some(0));
    world.json(&["resume", run]);
    assert!(plan_of(&world, "T01").contains("accepted: true"), "{}", plan_of(&world, "T01"));
    assert!(plan_of(&world, "T02").contains("passed: true"), "{}", plan_of(&world, "T02"));
}
