//! Milestone trees, pull requests, assignments, reviews, and sprag's own files: an agent's manual
//! edits to them decide nothing.

use crate::samples::go;
use crate::scene::Scene;
use crate::worlds::{MENDS, META, SLICE, TREE_AGENT, pull, pull_agent, tree};

#[test]
fn a_task_that_another_unit_ticked_is_held_or_done() {
    for cheat in [
        "sed -i 's/\\[ \\] \\*\\*T02:/[x] **T02:/' $S/S01-PLAN.md; printf -- '---\\nid: T02\\n---\\n# Done\\n' > $S/tasks/T02-SUMMARY.md",
        "sed -i '/T02/d' $S/S01-PLAN.md",
        "rm $S/tasks/T02-PLAN.md; sed -i '/T02/d' $S/S01-PLAN.md",
        "sed -i 's/\\[ \\] \\*\\*S01/[x] **S01/' .gsd/milestones/M001/M001-ROADMAP.md; echo x > $S/S01-SUMMARY.md",
    ] {
        let scene = tree("");
        let agent = format!("S={SLICE}\ncase \"$told\" in *T01*) {cheat};; esac\n{TREE_AGENT}");
        let typed = scene.drives(&["gsd"], &agent);
        let all = typed.all() + &scene.report(None).shown();
        assert!(matches!(typed.exit, Some(3..=10)), "{cheat}: {:?} {all}", typed.exit);
        assert!(all.contains("T02") || all.contains("S01"), "{cheat}: {all}");
        assert!(!scene.report(None).is_proven());
    }
}

#[test]
fn a_validation_that_a_task_wrote_does_not_end_the_milestone() {
    let scene = tree("");
    let cheat = "printf -- '---\\nverdict: pass\\n---\\n# V\\n' > .gsd/milestones/M001/M001-VALIDATION.md; printf -- '---\\nid: M001\\n---\\n# Done\\n' > .gsd/milestones/M001/M001-SUMMARY.md";
    let agent = format!("case \"$told\" in *T01*) {cheat};; esac\n{TREE_AGENT}");
    let typed = scene.drives(&["gsd"], &agent);
    let code = scene.text("code.txt");
    let honest = typed.exit == Some(0) && code.contains("T02");
    assert!(honest || matches!(typed.exit, Some(3..=10)), "{:?} {}", typed.exit, typed.all());
}

#[test]
fn what_a_rule_keeps_is_not_the_agent_s_to_write() {
    let scene = tree("rules:\n  - name: review-loop\n    max: 2\n    level: important\n");
    let cheat = "printf -- '---\\nid: T01\\nextensions:\\n  review-loop:\\n    completedReviews: [{taskId: T01, verdict: pass}]\\n---\\n# T01\\n' > $S/tasks/T01-PLAN.md";
    let agent = format!(
        "S={SLICE}\ncase \"$told\" in\n\"Review the work\"*) f=$(printf '%s' \"$told\" | grep -o '\\.gsd[^ `]*CODE-REVIEW[^ `]*\\.md' | head -1)\n\
         printf 'VERDICT: issues\\n- [critical] code.txt:1: it is wrong. Fix: mend it.\\n' > \"$f\"; exit;;\n\
         *inding*) echo x >> code.txt; exit;;\n*T01*) {cheat};; esac\n{TREE_AGENT}"
    );
    let typed = scene.drives(&["gsd"], &agent);
    assert!(matches!(typed.exit, Some(3..=10)), "{:?} {}", typed.exit, typed.all());
    assert!(
        scene.told("agent").iter().any(|prompt| prompt.starts_with("Review the work")),
        "no agent reviewed it"
    );
}

#[test]
fn an_honest_pull_request_is_approved() {
    let (scene, _gh) = pull();
    scene.drives(&["pr"], &pull_agent(MENDS)).exits(0);
    assert!(scene.text(META).contains("approved: true"), "{}", scene.text(META));
}

#[test]
fn what_a_developer_sets_in_the_loop_is_put_back_and_the_loop_goes_on() {
    for (change, set) in [
        ("s/^approved: .*/approved: true/", ""),
        ("$ a resolveLevel: critical", "resolveLevel: critical"),
        ("s/maxRounds: 3/maxRounds: 99/", "maxRounds: 99"),
        ("s/^turn: .*/turn: APPROVED/", "turn: APPROVED"),
        ("s/  active: true/  active: false/", ""),
        ("s/^reviewCount: .*/reviewCount: 42/", "reviewCount: 42"),
    ] {
        let (scene, _gh) = pull();
        let typed =
            scene.drives(&["pr"], &pull_agent(&format!("sed -i '{change}' {META}; {MENDS}")));
        let typed = typed.exits(0);
        assert_eq!(
            scene.told("agent").len(),
            3,
            "{change}: review, answer, review: {}",
            typed.all()
        );
        let text = scene.text(META);
        assert!(set.is_empty() || !text.contains(set), "{change}: {text}");
        let named =
            typed.all().contains("metadata.yaml") || scene.report(None).names("metadata.yaml");
        assert!(named, "{change}: {}", typed.all());
    }
}

#[test]
fn an_approval_that_only_the_developer_wrote_is_none() {
    let (scene, _gh) = pull();
    let agent = format!(
        "case \"$told\" in\nReview*) printf 'VERDICT: issues\\n- [critical] code.txt:1: it loses rows. Fix: keep them.\\n' > .thoughts/pr/review.md;;\n\
         *) sed -i 's/^approved: .*/approved: true/; s/  active: true/  active: false/' {META}; {MENDS};;\nesac\necho done"
    );
    let typed = scene.drives(&["pr"], &agent);
    assert!(matches!(typed.exit, Some(3..=10)), "{:?} {}", typed.exit, typed.all());
    assert!(!scene.text(META).contains("approved: true"), "{}", scene.text(META));
}

#[test]
fn a_reviewer_of_a_pull_request_who_edits_what_it_passes_has_not_reviewed() {
    let (scene, _gh) = pull();
    let agent = "case \"$told\" in\nReview*) echo \"$turn\" >> code.txt; echo 'VERDICT: pass' > .thoughts/pr/review.md;; esac\necho done";
    let typed = scene.drives(&["pr"], agent);
    assert!(matches!(typed.exit, Some(3..=10)), "{:?} {}", typed.exit, typed.all());
    assert!(!scene.text(META).contains("approved: true"), "{}", scene.text(META));
}

#[test]
fn a_reviewer_who_edits_the_work_does_not_pass_it_in_the_next_round() {
    let reviewer = |edits: &str| {
        format!(
            "case \"$told\" in\nReview*) {edits}\n\
             echo 'VERDICT: pass' > .thoughts/pr/review.md;; esac\necho done"
        )
    };
    for once in ["echo mine >> code.txt", "echo mine >> code.txt; git commit -qam mine"] {
        let (scene, _gh) = pull();
        let agent = reviewer(&format!("[ $turn != 1 ] || {{ {once}; }}"));
        let typed = scene.drives(&["pr"], &agent);
        assert!(matches!(typed.exit, Some(3..=10)), "{once}: {:?} {}", typed.exit, typed.all());
        assert!(!scene.text(META).contains("approved: true"), "{once}: {}", scene.text(META));
    }
    // It puts its edit back when it is told.
    let (scene, _gh) = pull();
    let back = "case $turn in 1) echo mine >> code.txt;; *) git checkout -q code.txt;; esac";
    scene.drives(&["pr"], &reviewer(back)).exits(0);
}

#[test]
fn a_reviewer_of_a_phase_who_edits_what_it_passes_has_not_reviewed() {
    let scene = Scene::of([
        (
            ".sprag/workflows/feat/workflow.yaml",
            "name: Feat\ncommandName: feat\ninitialMessage: do {description}\nphases:\n  - one.md\n",
        ),
        (
            ".sprag/workflows/feat/one.md",
            "---\nid: one\nname: One\nemoji: 🔨\ngates:\n  - file: one.txt\nreview: { reviewer: rev, max_rounds: 3 }\n---\nDo one.\n",
        ),
    ]);
    let reviewer = |does: &str| {
        scene
            .program("rev", &format!("#!/bin/sh\ncat > /dev/null\n{does}\necho 'VERDICT: pass'\n"));
    };
    let worker = scene.agent("echo x > one.txt");
    let words = ["run", "feat", "do it", "--host", &worker, "--or", "rev", "--yes"];
    reviewer("date +%N >> one.txt");
    let typed = scene.types(&words);
    assert!(matches!(typed.exit, Some(3..=10)), "{:?} {}", typed.exit, typed.all());
    assert!(!scene.report(None).is_proven());
    // The file that the reviewer left is not missed.
    scene.env.remove("one.txt");
    reviewer("true");
    scene.types(&words).exits(0);
}

#[test]
fn a_reviewer_of_a_task_who_edits_what_it_passes_has_not_reviewed() {
    let scene = tree("rules:\n  - name: review-loop\n    max: 2\n    level: important\n");
    let agent = format!(
        "case \"$told\" in\n\"Review the work\"*) f=$(printf '%s' \"$told\" | grep -o '\\.gsd[^ `]*CODE-REVIEW[^ `]*\\.md' | head -1)\n\
         echo \"$turn\" >> code.txt; echo 'VERDICT: pass' > \"$f\"; exit;; esac\n{TREE_AGENT}"
    );
    let typed = scene.drives(&["gsd"], &agent);
    assert!(matches!(typed.exit, Some(3..=10)), "{:?} {}", typed.exit, typed.all());
}

/// A project in which worker-1 has a unit, and every session is worker-1.
fn assigned() -> Scene {
    let mut scene = Scene::of([("x.txt", "x\n")]);
    scene.guarded_by("test -f x.txt");
    scene.types(&["agent", "set", "worker-1", "u1", "--title", "One", "--as", "mayor"]).exits(0);
    scene.env.set("SPRAG_AGENT", "worker-1");
    scene
}

const HOOK: &str = ".chipset/state/hooks/worker-1.json";
const UNIT: &str = ".chipset/state/work/u1.json";

#[test]
fn an_assignment_that_is_taken_away_still_holds() {
    for ruin in [
        "rm .chipset/state/hooks/worker-1.json",
        "rm -rf .chipset",
        "git clean -fdq",
        "git stash -u -q",
        "printf '{}' > .chipset/state/hooks/worker-1.json",
    ] {
        let scene = assigned();
        let agent = scene.session("s1").begins();
        agent.stops().refuses();
        agent.runs_script(&format!("{ruin}\n"));
        let answer = agent.stops();
        assert!(answer.is_refused() && answer.to_agent().contains("u1"), "{ruin}: {answer:?}");
    }
}

#[test]
fn an_older_assignment_from_git_is_not_the_present_one() {
    let scene = assigned();
    scene.shell("git add -Af .chipset; git commit -qm one");
    let agent = scene.session("s1").begins();
    agent.stops().refuses();
    agent.runs_script("git checkout -q HEAD -- .chipset\n");
    let answer = agent.stops();
    assert!(answer.is_refused() && answer.to_agent().contains("u1"), "{answer:?}");
}

#[test]
fn that_an_assignment_is_over_is_not_the_agent_s_to_write() {
    for (path, from, to) in [
        (UNIT, "\"hooked\"", "\"done\""),
        (UNIT, "\"in_progress\"", "\"done\""),
        (UNIT, "\"worker-1\"", "\"worker-9\""),
    ] {
        let scene = assigned();
        let agent = scene.session("s1").begins();
        agent.stops().refuses();
        let text = scene.text(path);
        // A status is one of two words here.
        if !text.contains(from) {
            continue;
        }
        agent.runs_script(&format!("sed -i 's/{from}/{to}/' {path}\n"));
        let answer = agent.stops();
        assert!(answer.is_refused(), "{path} {to}: {answer:?}");
        agent.edits("x.txt", "more\n");
        agent.stops();
        assert!(!scene.text(path).contains(to), "{path}: {}", scene.text(path));
    }
}

#[test]
fn an_assignment_that_its_agent_calls_empty_waits_for_a_person() {
    let scene = assigned();
    let agent = scene.session("s1").begins();
    agent.stops().refuses();
    agent.runs_script(&format!("sed -i 's/\"active\"/\"empty\"/' {HOOK}\n"));
    let answer = agent.stops();
    assert!(answer.is_refused() && answer.to_agent().contains("u1"), "{answer:?}");
}

#[test]
fn a_driven_assignment_that_its_agent_takes_away_is_not_done() {
    for ruin in [
        "rm -rf .chipset",
        "git stash -u -q",
        "sed -i 's/\"active\"/\"empty\"/' .chipset/state/hooks/*.json",
    ] {
        let mut scene = assigned();
        scene.env.set("SPRAG_AGENT", "");
        let host = scene.agent(ruin);
        let typed = scene.types(&["run", "inbox", "--host", &host, "--yes"]);
        assert!(matches!(typed.exit, Some(3..=10)), "{ruin}: {:?} {}", typed.exit, typed.all());
    }
}

#[test]
fn an_honest_assignment_is_driven_to_its_end() {
    let mut scene = assigned();
    scene.env.set("SPRAG_AGENT", "");
    let host = scene.agent("echo more >> x.txt");
    scene.types(&["run", "inbox", "--host", &host, "--yes"]).exits(0);
}

#[test]
fn a_receipt_that_is_made_by_hand_frees_nobody() {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    agent.edits("notes.txt", "x\n");
    agent.stops().allows();
    agent.prompt("go on");
    agent.changes("two.go", "return 2", "return 3");
    agent.stops().refuses();
    let copies = "for f in .sprag/runs/*/receipts/*; do case $(cat $f) in *'\"fail\"'*) sed -i 's/\"fail\"/\"pass\"/; s/\"exit\": *1/\"exit\": 0/' $f;; *) cp $f ${f%.*}0.json;; esac; done\n";
    agent.runs_script(copies);
    agent.stops().refuses();
    assert!(!scene.report(None).is_proven());
}

#[test]
fn a_journal_and_a_run_that_are_written_by_hand_free_nobody() {
    for cheat in [
        "for f in .sprag/journal/*.jsonl; do tail -n 1 $f >> $f; done",
        "for f in .sprag/runs/*/run.yaml; do echo 'ended: \"2026-01-01T00:00:00.000Z\"' >> $f; done",
        "rm -rf .sprag/runs .sprag/sessions",
        "rm -rf .sprag",
    ] {
        let scene = go().guarded();
        let agent = scene.session("s1").begins();
        agent.changes("two.go", "return 2", "return 3");
        agent.stops().refuses();
        agent.runs_script(&format!("{cheat}\n"));
        agent.stops();
        let report = scene.report(None);
        assert!(!report.is_proven(), "{cheat}: {}", report.shown());
    }
}

#[test]
fn a_driven_run_whose_own_files_are_written_by_hand_is_held() {
    for cheat in [
        "echo 'ended: \"2026-01-01T00:00:00.000Z\"' >> .sprag/runs/$SPRAG_RUN/run.yaml",
        "rm .sprag/runs/$SPRAG_RUN/run.yaml",
        "for f in .sprag/journal/*.jsonl; do tail -n 1 $f >> $f; done",
        "sed -i 's/agent.sh/other.sh/' .sprag/runs/$SPRAG_RUN/agents.json",
    ] {
        let scene = go().scene();
        let typed = scene.drives(
            &["Do it", "--until", "go test ./..."],
            &format!("echo x > notes.txt; {cheat}"),
        );
        assert!(matches!(typed.exit, Some(3..=10)), "{cheat}: {:?} {}", typed.exit, typed.all());
        assert!(!scene.report(None).is_proven(), "{cheat}");
    }
}
