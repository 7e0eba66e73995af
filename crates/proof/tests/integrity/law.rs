//! A unit is judged by the configuration, workflow, plan and rules from its beginning. An agent
//! that rewrites them is judged by the earlier ones.

use crate::samples::{go, ruby};
use crate::scene::Scene;
use crate::story::End::{Held, SentBack};
use crate::story::{self, Story, tells};
use crate::worlds::{SLICE, TREE_AGENT, tree};

const CONFIG: &str = ".sprag/config.yaml";

/// Ways to remove the guard by script.
const ESCAPES: [&str; 6] = [
    "printf 'v: 1\\n' > .sprag/config.yaml",
    "printf 'v: 1\\nguard:\\n  gates: []\\n' > .sprag/config.yaml",
    "printf 'v: 1\\noff: true\\n' > .sprag/config.yaml",
    "sed -i 's/go test .*/true/' .sprag/config.yaml",
    "rm .sprag/config.yaml",
    "printf 'guard:\\n  gates:\\n   - run: [go\\n' > .sprag/config.yaml",
];

const BREAKS: &str = "sed -i 's/return 2/return 3/' two.go\n";
const MENDS: &str = "sed -i 's/return 3/return 1 + 1/' two.go\n";

#[test]
fn an_agent_that_rewrites_the_configuration_is_judged_by_the_old_one() {
    for escape in ESCAPES {
        let scene = go().guarded();
        let agent = scene.session("s1").begins();
        agent.runs_script(&format!("{BREAKS}{escape}\n"));
        let answer = agent.stops();
        assert!(answer.is_refused(), "{escape}: {answer:?}");
        agent.runs_script(MENDS);
        agent.stops();
        // The code is right by now; the person is told, but nothing is proven.
        let answer = agent.stops();
        answer.allows_and_names("config.yaml");
        let report = scene.report(None);
        assert!(!report.is_proven(), "{escape}: {}", report.shown());
    }
}

#[test]
fn a_changed_configuration_is_sent_back_once_and_then_held() {
    for escape in ESCAPES {
        let scene = go().guarded();
        let agent = scene.session("s1").begins();
        agent.runs_script(&format!("sed -i 's/return 2/return 1 + 1/' two.go\n{escape}\n"));
        let answer = agent.stops();
        assert!(
            answer.is_refused() && answer.to_agent().contains("config.yaml"),
            "{escape}: {answer:?}"
        );
        agent.stops().allows_and_names("config.yaml");
        scene.report(None).is_not_proven_for("config.yaml");
    }
}

#[test]
fn a_configuration_that_is_put_back_is_as_if_nothing_had_been() {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    let kept = scene.env.top().join("kept");
    agent.runs_script(&format!(
        "cp .sprag/config.yaml {0}\nprintf 'v: 1\\n' > .sprag/config.yaml\necho x > notes.txt\n",
        kept.display()
    ));
    agent.stops().refuses_for("config.yaml");
    agent.runs_script(&format!("cp {} .sprag/config.yaml\n", kept.display()));
    agent.stops().allows();
    scene.report(None).is_proven_now();
}

#[test]
fn the_next_session_is_held_by_the_old_configuration() {
    for escape in ESCAPES {
        let scene = go().guarded();
        let first = scene.session("s1").begins();
        first.runs_script(&format!("echo x > notes.txt\n{escape}\n"));
        first.stops();
        first.stops();
        first.ends();
        let second = scene.session("s2").begins();
        second.runs_script(BREAKS);
        let answer = second.stops();
        assert!(answer.is_refused(), "{escape}: {answer:?}");
    }
}

#[test]
fn a_session_that_is_killed_after_it_rewrote_the_configuration_frees_nobody() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    first.runs_script(ESCAPES[0]);
    first.dies();
    let second = scene.session("s2").begins();
    second.runs_script(BREAKS);
    second.stops().refuses();
}

#[test]
fn the_next_run_is_judged_by_the_old_guard() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    first.runs_script(&format!("echo x > notes.txt\n{}\n", ESCAPES[0]));
    first.stops();
    first.stops();
    first.ends();
    let typed = scene.drives(&["Do it", "--until", "true", "--max", "1"], BREAKS);
    assert_ne!(typed.exit, Some(0), "{}", typed.all());
    assert!(!scene.report(None).is_proven());
}

#[test]
fn a_configuration_that_cannot_be_read_is_said_at_start_and_stop() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    first.runs_script(ESCAPES[5]);
    first.dies();
    let second = scene.session("s2");
    let start = second.starts();
    assert!(start.to_person().contains("config.yaml"), "{start:?}");
    second.prompt("go on");
    second.runs_script(BREAKS);
    second.stops().refuses();
    second.runs_script(MENDS);
    second.stops();
    second.stops().allows_and_names("config.yaml");
}

#[test]
fn a_person_agrees_to_what_the_agent_made_of_the_configuration() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    first.runs_script(&format!("echo x > notes.txt\n{}\n", ESCAPES[1]));
    first.stops();
    first.stops();
    first.ends();
    let run = scene.run_of("guard");
    let said = scene.types(&["approve", &run]).exits(3);
    assert!(said.all().contains("go test ./..."), "what goes is shown: {}", said.all());
    scene.types(&["approve", &run, "--yes"]).exits(0);
    let second = scene.session("s2").begins();
    second.runs_script(BREAKS);
    second.stops().allows();
}

#[test]
fn a_person_edits_the_configuration_between_two_sessions() {
    let scene = go().guarded();
    let first = scene.session("s1").begins();
    first.runs_script("echo x > notes.txt\n");
    first.stops().allows();
    first.ends();
    scene.writes(CONFIG, "v: 1\nguard:\n  gates:\n    - file: DONE.md\n");
    let second = scene.session("s2").begins();
    second.runs_script(BREAKS);
    let answer = second.stops();
    assert!(answer.is_refused() && answer.to_agent().contains("DONE.md"), "{answer:?}");
    second.edits("DONE.md", "done\n");
    second.stops().allows();
    scene.report(None).is_proven_now();
}

#[test]
fn a_person_edits_the_configuration_between_two_turns() {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    agent.runs_script("echo x > notes.txt\n");
    agent.stops().allows();
    scene.a_moment_passes();
    scene.writes(CONFIG, "v: 1\nguard:\n  gates:\n    - file: DONE.md\n");
    agent.prompt("go on");
    agent.runs_script(BREAKS);
    let answer = agent.stops();
    assert!(answer.is_refused() && answer.to_agent().contains("DONE.md"), "{answer:?}");
}

#[test]
fn a_tool_that_edits_the_configuration_is_denied() {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    assert!(agent.edits(CONFIG, "v: 1\n").is_denied());
    assert!(agent.tries("sed -i /go/d .sprag/config.yaml").is_err());
}

/// A guarded story whose agent also writes the configuration.
fn guarded() -> Story {
    ruby().configured("").configured("limits: {}\n").improves()
}

tells! {
    a_run_that_empties_the_configuration (run):
        guarded().writes(CONFIG, "v: 1\n") => Held(&[CONFIG]);
    a_run_that_removes_the_configuration (run):
        guarded().runs("rm -f .sprag/config.yaml") => Held(&[CONFIG]);
    a_run_that_makes_the_configuration_unreadable (run):
        guarded().writes(CONFIG, "guard: [\n") => Held(&[CONFIG]);
    a_run_that_puts_the_configuration_back_when_told (run):
        guarded().runs("cp .sprag/config.yaml ../kept; printf 'v: 1\\n' > .sprag/config.yaml")
            .then().runs("cp ../kept .sprag/config.yaml")
        => SentBack(&[CONFIG]);
}

#[test]
fn a_run_that_empties_the_configuration_is_judged_by_the_guard_all_the_same() {
    let scene = go().guarded();
    let agent = format!("printf 'v: 1\\n' > .sprag/config.yaml\n{BREAKS}");
    let typed = scene.drives(&["Do it", "--until", "true", "--max", "1"], &agent);
    assert_ne!(typed.exit, Some(0), "{}", typed.all());
    assert!(!scene.report(None).is_proven());
}

/// A workflow of two phases whose agent runs `first` in the first, and nothing in the second.
fn flow(first: &str) -> (Scene, crate::scene::Typed) {
    let scene = go().scene();
    let flow = "name: Feat\ncommandName: feat\ninitialMessage: do {description}\nphases:\n  - one.md\n  - two.md\n";
    scene.writes(".sprag/workflows/feat/workflow.yaml", flow);
    let phase = |id: &str, gate: &str| {
        format!(
            "---\nid: {id}\nname: {id}\nemoji: 🔨\ngates:\n  - {gate}\nretry: {{max: 1}}\n---\nDo {id}.\n"
        )
    };
    scene.writes(".sprag/workflows/feat/one.md", &phase("one", "file: one.txt"));
    scene.writes(".sprag/workflows/feat/two.md", &phase("two", "file: two.txt"));
    scene.commits();
    let agent = format!(
        "case \"$told\" in *'Do two'*) echo '# x' >> two.go;; *) echo x > one.txt; {first};; esac"
    );
    let typed = scene.drives(&["feat", "do it"], &agent);
    (scene, typed)
}

#[test]
fn a_phase_that_takes_the_gate_out_of_the_next_one_is_held_by_it() {
    for escape in [
        "sed -i '/gates/d; /file:/d' .sprag/workflows/feat/two.md",
        "sed -i /two.md/d .sprag/workflows/feat/workflow.yaml",
        "rm -rf .sprag/workflows",
        "sed -i 's/file: two.txt/file: one.txt/' .sprag/workflows/feat/two.md",
    ] {
        let (scene, typed) = flow(escape);
        assert_ne!(typed.exit, Some(0), "{escape}: {}", typed.all());
        let report = scene.report(None);
        assert!(!report.is_proven(), "{escape}: {}", report.shown());
        assert!(
            report.names("workflows") || typed.all().contains("workflows"),
            "{escape}: {}{}",
            typed.all(),
            report.shown()
        );
    }
}

#[test]
fn the_next_run_of_a_workflow_that_an_agent_rewrote_is_judged_by_the_old_one() {
    let (scene, _) = flow("sed -i 's/file: two.txt/file: one.txt/' .sprag/workflows/feat/two.md");
    let typed = scene.drives(&["feat", "again"], "echo y >> one.txt");
    assert_ne!(typed.exit, Some(0), "{}", typed.all());
    assert!(!scene.report(None).is_proven());
}

/// A plan of two tasks, the second after the first.
fn planned() -> Scene {
    let scene = go().scene();
    let file = |path: &str| format!("    <file action=\"create\">{path}</file>\n");
    let check = |path: &str| format!("<check type=\"file\">{path} exists</check>");
    let text = format!(
        "---\nphase: 1\ntitle: One\n---\n\n{}\n{}",
        story::task("01", "1", &file("one.txt"), "Do one.", &check("one.txt")),
        story::task("02", "2", &file("two.txt"), "Do two.", &check("two.txt")),
    );
    scene.writes(".gsd/plans/phase-01/plan.md", &text);
    scene.writes(".gsd/config.md", "---\nmode: yolo\nloop:\n  execute_max_retries: 1\n---\n");
    scene.commits();
    scene
}

/// An agent with one script for each of the two tasks.
fn plan_agent(first: &str, second: &str) -> String {
    format!(
        "case \"$told\" in\n*'Do one.'*) echo x > one.txt; {first};;\n*'Do two.'*) {second};;\n\
         *) printf '## Status: passed\\n' > .gsd/plans/phase-01/VERIFICATION.md; echo 'PHASE COMPLETE'; exit;; esac\necho 'TASK COMPLETE'"
    )
}

/// Drives the plan with an agent that runs `first` in the first task, and only adds a comment in
/// the second.
fn plan(first: &str) -> (Scene, crate::scene::Typed) {
    let scene = planned();
    let typed = scene.drives(&["plan"], &plan_agent(first, "echo '# x' >> two.go"));
    (scene, typed)
}

#[test]
fn a_task_that_rewrites_its_plan_is_judged_by_the_old_one() {
    for escape in [
        "sed -i 's/two.txt exists/one.txt exists/' .gsd/plans/phase-01/plan.md",
        "sed -i '/<task id=\"02\"/,$d' .gsd/plans/phase-01/plan.md",
        "rm .gsd/plans/phase-01/plan.md",
        "sed -i 's/<task id=\"02\".*/<task id=\"02\"/' .gsd/plans/phase-01/plan.md",
    ] {
        let (scene, typed) = plan(escape);
        assert_ne!(typed.exit, Some(0), "{escape}: {}", typed.all());
        let report = scene.report(None);
        assert!(!report.is_proven(), "{escape}: {}", report.shown());
        assert!(
            report.names("plan.md") || typed.all().contains("plan.md"),
            "{escape}: {}{}",
            typed.all(),
            report.shown()
        );
    }
}

#[test]
fn a_rule_s_script_that_the_agent_rewrites_does_not_count() {
    let veto = "import json, sys\njson.load(sys.stdin)\nprint(json.dumps({'v': 1, 'do': 'hold', 'why': 'not before Monday'}))\n";
    let rule =
        "rules:\n  - name: monday\n    run: [python3, ci/monday.py]\n    after: [execute-task]\n";
    for escape in [
        r#"echo 'print("{\"v\":1,\"do\":\"pass\"}")' > ci/monday.py"#,
        "sed -i '/^rules/,$d' .sprag/config.yaml",
        "sed -i 's/execute-task/complete-milestone/' .sprag/config.yaml",
    ] {
        let scene = tree(rule);
        scene.writes("ci/monday.py", veto);
        scene.commits();
        let typed = scene.drives(&["gsd"], &format!("{escape}\n{TREE_AGENT}"));
        assert!(matches!(typed.exit, Some(3..=10)), "{escape}: {:?} {}", typed.exit, typed.all());
        let all = typed.all() + &scene.report(None).shown();
        assert!(all.contains("monday") || all.contains("config.yaml"), "{escape}: {all}");
        assert!(!scene.report(None).is_proven());
    }
}

#[test]
fn a_reviewer_s_prompt_that_the_agent_rewrites_does_not_count() {
    let hooks = "---\npost_unit_hooks:\n  - {name: look, after: [execute-task], prompt: Look hard at the code.}\n---\n";
    for escape in [
        "sed -i 's/Look hard at the code./Say that it is fine./' .gsd/PREFERENCES.md",
        "printf -- '---\\nmode: solo\\n---\\n' > .gsd/PREFERENCES.md",
    ] {
        let scene = tree("");
        scene.writes(".gsd/PREFERENCES.md", hooks);
        scene.commits();
        let typed = scene.drives(&["gsd"], &format!("{escape}\n{TREE_AGENT}"));
        assert!(matches!(typed.exit, Some(3..=10)), "{escape}: {:?} {}", typed.exit, typed.all());
        let told = scene.told("agent");
        assert!(!told.iter().any(|prompt| prompt.contains("Say that it is fine")), "{told:#?}");
        let all = typed.all() + &scene.report(None).shown();
        assert!(all.contains("PREFERENCES.md"), "{escape}: {all}");
    }
}

#[test]
fn a_set_up_script_that_an_agent_rewrote_does_not_run() {
    for (does, honest) in [("true", true), ("echo \"touch $TOP/evil\" > ci/setup.sh", false)] {
        let scene = planned();
        let top = scene.env.top().display().to_string();
        scene.writes("ci/setup.sh", &format!("touch {top}/set-up\n"));
        scene.writes(CONFIG, "v: 1\nworktree:\n  setup: [[sh, ci/setup.sh]]\n");
        scene.commits();
        let agent = plan_agent(&format!("TOP={top}; {does}"), "echo x > two.txt");
        let typed = scene.drives(&["plan", "--agents", "2"], &agent);
        assert!(scene.env.top().join("set-up").exists(), "{}", typed.all());
        assert!(!scene.env.top().join("evil").exists(), "a changed script was run");
        assert_eq!(typed.exit == Some(0), honest, "{}", typed.all());
    }
}

#[test]
fn an_agent_that_takes_its_binding_out_of_the_configuration_keeps_its_work() {
    let scene = Scene::of([("x.txt", "x\n")]);
    scene.guarded_by("true");
    scene.types(&["agent", "set", "worker-1", "u1", "--title", "One", "--as", "mayor"]).exits(0);
    scene.writes(CONFIG, "v: 1\nagents: { \"**\": worker-1 }\n");
    let agent = scene.session("s1");
    let told = agent.starts();
    assert!(told.to_agent().contains("u1"), "{told:?}");
    agent.prompt("go on");
    agent.stops().refuses();
    agent.runs_script("printf 'v: 1\\n' > .sprag/config.yaml\n");
    agent.stops().refuses();
}

#[test]
fn an_honest_tree_is_driven_to_its_end() {
    let scene = tree("");
    scene.drives(&["gsd"], TREE_AGENT).exits(0);
    assert!(scene.text(&format!("{SLICE}/S01-PLAN.md")).contains("[x] **T02"));
}

#[test]
fn an_honest_plan_and_an_honest_workflow_are_driven_to_their_ends() {
    plan("echo x > two.txt").1.exits(0);
    flow("echo x > two.txt").1.exits(0);
}

/// A workflow `feat` of one phase that the tests judge.
fn with_a_workflow() -> Scene {
    let scene = go().scene();
    let flow =
        "name: Feat\ncommandName: feat\ninitialMessage: do {description}\nphases:\n  - one.md\n";
    scene.writes(".sprag/workflows/feat/workflow.yaml", flow);
    let phase = "---\nid: one\nname: One\nemoji: x\ngates:\n  - run: go test ./...\n---\nDo one.\n";
    scene.writes(".sprag/workflows/feat/one.md", phase);
    scene.commits();
    scene
}

/// Replaces the gate of that phase.
const TRIVIAL: &str = "sed -i 's/run: go test.*/file: two.go/' .sprag/workflows/feat/one.md";

#[test]
fn a_workflow_that_judged_an_earlier_run_is_not_weakened_by_a_run_of_another_task() {
    let scene = with_a_workflow();
    scene.drives(&["feat", "do it"], "sed -i 's/return 2/return 1 + 1/' two.go").exits(0);
    let other = scene.agent_called("other", &format!("echo z > z.txt; {TRIVIAL}"));
    let words = ["run", "Do it", "--until", "go test ./...", "--host", &other, "--yes"];
    // This run's own gate does not depend on the workflow.
    scene.types(&words).exits(0);
    assert!(scene.report(None).mentions("feat/one.md"));
    let next = scene.agent_called("next", "sed -i 's/return .*/return 3 }/' two.go");
    let typed = scene.types(&["run", "feat", "more", "--host", &next, "--yes", "--max", "2"]);
    assert_ne!(typed.exit, Some(0), "{}", typed.all());
    assert!(!scene.report(None).is_proven());
}

#[test]
fn a_session_that_weakens_a_workflow_of_an_earlier_run_changes_nothing_for_the_next_run() {
    for is_killed in [true, false] {
        let scene = with_a_workflow();
        scene.drives(&["feat", "do it"], "sed -i 's/return 2/return 1 + 1/' two.go").exits(0);
        scene.guarded_by("go test ./...");
        let agent = scene.session("s1").begins();
        agent.runs_script(&format!("echo z > z.txt\n{TRIVIAL}\n"));
        if is_killed {
            agent.dies();
        } else {
            agent.stops().allows();
            agent.ends();
        }
        let next = scene.agent_called("next", "sed -i 's/return .*/return 3 }/' two.go");
        let typed = scene.types(&["run", "feat", "more", "--host", &next, "--yes", "--max", "2"]);
        assert_ne!(typed.exit, Some(0), "{}", typed.all());
        assert!(!scene.report(None).is_proven());
    }
}

#[test]
fn a_workflow_that_a_person_commits_is_in_force() {
    let scene = with_a_workflow();
    scene.drives(&["feat", "do it"], "sed -i 's/return 2/return 1 + 1/' two.go").exits(0);
    let other = scene.agent_called("other", &format!("echo z > z.txt; {TRIVIAL}"));
    let words = ["run", "Do it", "--until", "go test ./...", "--host", &other, "--yes"];
    scene.types(&words).exits(0);
    scene.commits();
    let next = scene.agent_called("next", "sed -i 's/return .*/return 3 }/' two.go");
    scene.types(&["run", "feat", "more", "--host", &next, "--yes"]).exits(0);
    scene.report(None).is_proven_now();
}
