//! `sprag run gsd`: a milestone tree is driven, and its rules come between two units.

use serde_json::Value;

use super::World;

const SLICE: &str = ".gsd/milestones/M001/slices/S01";

/// Does each task, finds something in the first review of each, and fixes it.
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

#[test]
fn who_changes_the_rules_of_its_own_tree_is_held() {
    let world = tree("printf -- '---\\nskip: all\\n---\\n' > .gsd/PREFERENCES.md");
    let (object, exit) = world.json(&["run", "gsd"]);
    assert_eq!((exit, world.turns()), (Some(3), 1), "{object}");
    let why = object["why"].as_str().unwrap();
    assert!(why.contains("`.gsd/PREFERENCES.md` changed while `agent.sh` worked"), "{object}");
}

#[test]
fn who_rewrites_the_script_of_a_rule_is_held_and_the_rule_is_named() {
    let world = tree("echo 'echo {}' > ci/look.sh");
    world.env.write("ci/look.sh", "cat > /dev/null; echo '{\"v\":1,\"do\":\"pass\"}'\n");
    let rule = "rules:\n  - name: veto\n    run: [sh, ci/look.sh]\n    before: [complete-slice]\n";
    world.env.write(".sprag/config.yaml", rule);
    let (object, exit) = world.json(&["run", "gsd"]);
    assert_eq!((exit, world.turns()), (Some(3), 1), "{object}");
    let why = object["why"].as_str().unwrap();
    let said = "`ci/look.sh` changed while `agent.sh` worked, and the rule `veto` runs it";
    assert!(why.contains(said), "{object}");
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

/// Ticks every box and writes every summary, whatever it was told.
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
    // Nobody completes the slice, and that is held.
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
    // Its gates see summaries and boxes, and those are the agent's own.
    let work = "execute-task M001/S01/T01  1 claim without proof: the work behind its papers\n";
    assert!(ran.stdout.contains(&format!("Claimed {work}")), "{}", ran.stdout);
    assert!(ran.stdout.contains("8 units · no gate passed\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Proven "), "{}", ran.stdout);
    let report = world.sprag(&["report"]).stdout;
    assert!(report.contains("claims that no gate looks at: 6"), "{report}");
    let kept = world.env.read(format!("{SLICE}/tasks/T01-PLAN.md")).unwrap();
    assert!(kept.contains("cycles: 2\n        passed: true\n"), "{kept}");
}
