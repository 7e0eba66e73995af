//! A change of a gate's input is remembered until a later unit depends on it: also if no gate of its
//! own unit did, if a gate refused the unit, or if the records were removed.

use crate::samples::{go, make};
use crate::scene::Scene;

const TEST: &str = "two_test.go";
/// Weakens the test and breaks the code that it tests.
const WEAKENS: &str = "sed -i 's/return 2/return 3/' two.go; sed -i 's/!= 2/!= 3/' two_test.go";

/// Works honestly in a new run with this gate and asserts that `path` keeps it from being proven.
#[track_caller]
fn next_run(scene: &Scene, gate: &str, path: &str) {
    scene.agent_called("next", "echo new >> notes.txt");
    let host = format!("sh {}/next.sh", scene.env.top().display());
    scene.types(&["run", "More", "--until", gate, "--host", &host, "--yes"]).exits(3);
    scene.report(None).is_not_proven_for(path);
}

#[test]
fn what_a_refused_run_weakened() {
    let scene = go().scene();
    let gate = "test -f done.txt -a -f two.go";
    scene.drives(&["Do it", "--until", gate, "--max", "1"], WEAKENS).exits(5);
    next_run(&scene, "go test ./...", TEST);
}

#[test]
fn what_a_refused_run_weakened_while_its_own_gate_tests() {
    let scene = go().scene();
    scene.writes(
        "one_test.go",
        "package sum\nfunc TestOne(t *testing.T) {\n\tif One() != 1 {\n\t}\n}\n",
    );
    scene.writes("one.go", "package sum\nfunc One() int { return 7 }\n");
    scene.commits();
    scene.drives(&["Do it", "--until", "go test ./...", "--max", "1"], WEAKENS).exits(5);
    scene.agent_called("next", "sed -i 's/return 7/return 1/' one.go");
    let host = format!("sh {}/next.sh", scene.env.top().display());
    let words = ["run", "More", "--until", "go test ./...", "--host", &host, "--yes"];
    scene.types(&words).exits(3);
    scene.report(None).is_doubted_for(TEST);
}

#[test]
fn a_refused_attempt_may_put_its_change_back_when_it_is_tried_again() {
    let scene = go().scene();
    let agent = format!(
        "case $turn in 1) {WEAKENS};; *) git checkout -q two.go two_test.go; echo x > done.txt;; esac"
    );
    let gate = "test -f done.txt";
    scene.drives(&["Do it", "--until", gate, "--max", "3"], &agent).exits(0);
    scene.report(None).is_proven_now();
}

#[test]
fn a_test_that_no_gate_of_its_run_asked_for() {
    let scene = go().scene();
    scene.drives(&["Do it", "--until", "test -f two.go"], WEAKENS).exits(0);
    // It is no input of that run's verdict.
    scene.report(None).is_proven_now();
    next_run(&scene, "go test ./...", TEST);
}

#[test]
fn a_test_that_no_gate_of_its_session_asked_for() {
    let scene = go().scene();
    scene.guarded_by("test -f two.go");
    let agent = scene.session("s1").begins();
    agent.runs(WEAKENS);
    agent.stops().allows();
    agent.ends();
    next_run(&scene, "go test ./...", TEST);
}

#[test]
fn a_recipe_that_no_gate_of_its_run_asked_for() {
    let scene = make().scene();
    let agent = "sed -i 's/^check: unit/check:/' Makefile";
    scene.drives(&["Do it", "--until", "test -f Makefile"], agent).exits(0);
    next_run(&scene, "make check", "Makefile");
}

#[test]
fn a_person_s_yes_and_a_person_s_commit_end_it() {
    for settle in ["git commit -qam 'as I want it'", "git checkout -q ."] {
        let scene = go().scene();
        scene.drives(&["Do it", "--until", "test -f two.go"], WEAKENS).exits(0);
        scene.shell(settle);
        let agent = "echo new >> notes.txt";
        scene.drives(&["More", "--until", "go test ./..."], agent).exits(0);
        scene.report(None).is_proven_now();
    }
}

/// A session that ends in doubt about its test.
fn in_doubt() -> Scene {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    agent.runs(WEAKENS);
    agent.stops().refuses_for(TEST);
    agent.stops().allows();
    agent.ends();
    scene
}

/// A later session that runs `line` by a script, works honestly, and is not proven.
#[track_caller]
fn removes(scene: &Scene, line: &str) {
    let agent = scene.session("s2").begins();
    agent.runs_script(line);
    agent.edits("notes.txt", "x\n");
    agent.stops();
    agent.stops();
    agent.ends();
    scene.report(None).is_doubted_for(TEST);
    next_run(scene, "go test ./...", TEST);
}

#[test]
fn the_doubts_are_removed() {
    removes(&in_doubt(), "find .sprag -name 'doubts*' -delete");
}

#[test]
fn the_doubts_and_the_turns_are_emptied() {
    let empty = r#"printf '{"v":1,"doubts":[]}' > .sprag/doubts.json; rm .sprag/turns.json"#;
    removes(&in_doubt(), empty);
}

#[test]
fn the_doubts_are_removed_between_two_sessions() {
    let scene = in_doubt();
    scene.shell("rm .sprag/doubts.json");
    next_run(&scene, "go test ./...", TEST);
}

#[test]
fn a_cleaning_before_the_first_stop_forgets_no_text() {
    for line in ["git clean -fdxq", "rm -rf .sprag", "rm -rf .sprag/texts"] {
        let scene = go().guarded();
        let agent = scene.session("s1").begins();
        agent.runs(WEAKENS);
        agent.runs_script(line);
        agent.stops();
        agent.stops();
        agent.ends();
        next_run(&scene, "go test ./...", TEST);
    }
}

#[test]
fn honest_work_stays_proven_after_a_cleaning() {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    agent.edits("notes.txt", "x\n");
    scene.shell("git clean -fdxq -e notes.txt");
    agent.stops().allows();
    agent.ends();
    assert!(scene.report(None).is_proven(), "{}", scene.report(None).shown());
}

#[test]
fn a_text_that_is_gone_for_good_keeps_every_later_verdict_from_being_proven() {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    agent.runs(WEAKENS);
    agent.runs_script("rm -rf .sprag/texts .git/sprag/texts");
    agent.stops();
    agent.stops();
    agent.ends();
    next_run(&scene, "go test ./...", ".sprag/texts/");
    scene.shell("git commit -qam 'a person goes on'");
    next_run(&scene, "go test ./...", ".sprag/texts/");
    let run = scene.run_of("task");
    let said = scene.types(&["approve", &run, "--yes"]).exits(0).all();
    assert!(said.contains("no diff can be shown"), "{said}");
    scene.drives(&["More", "--until", "go test ./..."], "echo x > new.txt").exits(0);
    scene.report(None).is_proven_now();
}

#[test]
fn an_earlier_phase_weakens_the_script_of_a_later_one() {
    let scene = make().scene();
    let flow = "name: Feat\ncommandName: feat\ninitialMessage: do {description}\nphases:\n  - one.md\n  - two.md\n";
    scene.writes(".sprag/workflows/feat/workflow.yaml", flow);
    for (id, gate) in [("one", "test -f Makefile"), ("two", "sh accept.sh")] {
        let phase = format!(
            "---\nid: {id}\nname: {id}\nemoji: 🔨\ngates:\n  - run: {gate}\n---\nDo {id}.\n"
        );
        scene.writes(&format!(".sprag/workflows/feat/{id}.md"), &phase);
    }
    scene.writes("accept.sh", "set -e\nmake check\n");
    scene.commits();
    let agent =
        "case \"$told\" in *'Do one'*) echo true > accept.sh;; *) echo x > notes.txt;; esac";
    scene.drives(&["feat", "do it"], agent).exits(3);
    scene.report(None).is_doubted_for("accept.sh");
}

#[test]
fn more_uncommitted_tests_than_texts_are_kept_and_larger_ones() {
    let scene = go().scene();
    let large = format!("// {}\n", "x".repeat(300 << 10));
    for number in 1..=210 {
        let more = if number == 1 { large.as_str() } else { "" };
        let text = format!(
            "package sum\nfunc Test{number}(t *testing.T) {{\n\tif Two() != 2 {{\n\t}}\n}}\n"
        );
        scene.writes(&format!("a{number:03}_test.go"), &format!("{text}{more}"));
    }
    let agent = "for one in a001 a002 a210; do sed -i 's/Two() != 2/false/' ${one}_test.go; done";
    scene.drives(&["Do it", "--until", "go test ./..."], agent).exits(3);
    for path in ["a001_test.go", "a002_test.go", "a210_test.go"] {
        scene.report(None).is_doubted_for(path);
    }
}

#[test]
fn only_texts_that_nothing_needs_are_forgotten() {
    let scene = in_doubt();
    scene.shell(
        "for n in $(seq 1100); do echo $n > .sprag/texts/$(printf '%064x' $n); done
        cp .sprag/texts/0* .git/sprag/texts; touch -d '2 hours ago' .sprag/texts/* .git/sprag/texts/*",
    );
    let count = |folder: &str| std::fs::read_dir(scene.path(folder)).unwrap().count();
    let (before, folders) = (count(".sprag/texts"), [".sprag/texts", ".git/sprag/texts"]);
    scene.session("s2").begins().ends();
    for folder in folders {
        let gone = before - count(folder);
        assert!((400..=500).contains(&gone), "{folder}: {gone} of {before} are gone");
    }
    next_run(&scene, "go test ./...", TEST);
    let shown = scene.types(&["diff", TEST]).exits(0).all();
    assert!(shown.contains("!= 2") && shown.contains("!= 3"), "{shown}");
}

#[test]
fn a_session_whose_own_record_is_removed_or_rewritten_is_held_as_before() {
    let record = ".sprag/sessions/claude-s1.json";
    for does in [
        format!("rm {record}"),
        "rm -r .sprag/sessions".to_owned(),
        format!("echo '{{}}' > {record}"),
        format!("echo > {record}"),
        format!("sed -i 's/\"worked\": true/\"worked\": false/; /\"guard\"/d' {record}"),
        format!("sed -i 's/^{{/{{\"paused\": {{\"why\": \"x\"}},/' {record}"),
        "rm -r .sprag/sessions .sprag/runs .sprag/turns.json".to_owned(),
    ] {
        let scene = go().guarded();
        let agent = scene.session("s1").begins();
        agent.changes("two.go", "return 2", "return 3");
        agent.stops().refuses();
        agent.runs_script(&does);
        let answer = agent.stops();
        assert!(answer.is_refused(), "{does}: {answer:?}");
        // It is proven by its gate, as every other session.
        agent.changes("two.go", "return 3", "return 2");
        agent.edits("notes.txt", "x\n");
        agent.stops().allows();
        scene.report(Some(&scene.run_of("guard"))).is_proven_now();
    }
}

#[test]
fn a_session_whose_record_is_removed_before_its_first_stop_is_held() {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    agent.changes("two.go", "return 2", "return 3");
    agent.runs_script("rm -r .sprag/sessions");
    agent.stops().refuses();
}
