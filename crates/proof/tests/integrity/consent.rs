//! A person approves beforehand, afterwards, or with a commit. No agent can.

use serde_json::Value;

use crate::samples::{elixir, go, js, php, python, ruby};
use crate::scene::Scene;
use crate::story::End::{Doubted, Named};
use crate::story::{Story, tells};

const SPEC: &str = "spec/two_spec.rb";

/// An agent that changes `two` to three, together with its test.
fn three() -> Story {
    ruby().breaks().changes(SPEC, "eq(2)", "eq(3)").saying("The task wants three.")
}

tells! {
    all_tests_may_change (run):
        three().with(&["--may-change", "tests"]) => Named(&[SPEC]);
    some_files_may_change (run):
        three().with(&["--may-change", "spec/**"]) => Named(&[SPEC]);
    a_snapshot_may_change (run):
        crate::tests_changed::snapshot().breaks().changes("src/__snapshots__/two.test.js.snap", "`2`", "`3`")
            .with(&["--may-change", "**/*.snap"])
        => Named(&["src/__snapshots__/two.test.js.snap"]);
    a_gate_s_script_may_change (run):
        js().improves().changes("package.json", "\"test\": \"jest\"", "\"test\": \"jest --silent\"").with(&["--may-change", "package.json"])
        => Named(&["package.json"]);
    a_phase_may_change_what_a_person_said_on_the_command_line (workflow):
        three().with(&["--may-change", "tests"]) => Named(&[SPEC]);
    other_files_may_change (run):
        three().with(&["--may-change", "docs/**"]) => Doubted(&[SPEC]);
    tests_may_change_and_the_definition_of_the_gate_may_not (run):
        go().judged_by("make test").file("Makefile", "test:\n\tgo test ./...\n").breaks().changes("Makefile", "\tgo", "\t-go")
            .with(&["--may-change", "tests"])
        => Doubted(&["Makefile"]);
    two_globs_may_change (run):
        php().breaks().changes("tests/TwoTest.php", "two(), 2", "two(), 3").changes("tests/FourTest.php", "four(), 4", "four(), four")
            .with(&["--may-change", "tests/Two*", "--may-change", "tests/Four*"])
        => Named(&["tests/TwoTest.php", "tests/FourTest.php"]);
}

tells! {
    the_guard_says_what_may_change (session run):
        three().configured("  may_change: [\"spec/**\"]\n") => Named(&[SPEC]);
    the_guard_says_that_something_else_may_change (session run):
        three().configured("  may_change: [\"docs/**\"]\n") => Doubted(&[SPEC]);
    a_team_wants_tests_only_named (session run):
        three().configured("tests: name\n") => Named(&[SPEC]);
    a_team_wants_them_doubted_as_everybody_does (session run):
        three().configured("tests: doubt\n") => Doubted(&[SPEC]);
}

#[test]
fn a_phase_says_what_may_change() {
    let (scene, typed) = three().phased("may_change: [\"spec/**\"]\n");
    typed.exits(0);
    let report = scene.report(None);
    report.is_proven_now();
    assert!(report.mentions(SPEC));
}

#[test]
fn a_phase_says_that_something_else_may_change() {
    let (scene, typed) = three().phased("may_change: [\"docs/**\"]\n");
    typed.exits(3);
    scene.report(None).is_doubted_for(SPEC);
}

#[test]
fn a_plan_that_modifies_a_test_is_a_yes() {
    let (scene, typed) = three().planned(&format!("    <file action=\"modify\">{SPEC}</file>\n"));
    typed.exits(0);
    assert!(scene.report(None).doubt(SPEC).is_none(), "{}", scene.report(None).shown());
}

#[test]
fn a_plan_that_deletes_a_test_is_a_yes() {
    let story = elixir().breaks().runs("rm -f test/two_test.exs");
    let (scene, typed) = story.planned("    <file action=\"delete\">test/two_test.exs</file>\n");
    typed.exits(0);
    assert!(scene.report(None).doubt("test/two_test.exs").is_none());
}

#[test]
fn a_plan_that_modifies_another_test_is_none() {
    let (scene, typed) = three().planned("    <file action=\"modify\">spec/four_spec.rb</file>\n");
    typed.exits(3);
    scene.report(None).is_doubted_for(SPEC);
}

#[test]
fn a_person_says_ok_to_some_files_before_the_agent_works() {
    let (story, scene) = (three(), three().guarded());
    let agent = scene.session("s1");
    agent.starts();
    agent.prompt("/sprag:ok spec/**");
    agent.prompt("make two three");
    story.plays(&agent, 0);
    agent.stops().allows();
    let report = scene.report(None);
    report.is_proven_now();
    assert!(report.mentions(SPEC));
}

#[test]
fn a_person_says_ok_to_other_files() {
    let (story, scene) = (three(), three().guarded());
    let agent = scene.session("s1");
    agent.starts();
    agent.prompt("/sprag:ok docs/**");
    agent.prompt("make two three");
    story.plays(&agent, 0);
    agent.stops().refuses_for(SPEC);
    agent.stops().allows_and_names(SPEC);
    scene.report(None).is_doubted_for(SPEC);
}

/// A session that ended in doubt and is still open.
fn in_doubt(scene: &Scene) -> crate::session::Session<'_> {
    let agent = scene.session("s1").begins();
    three().plays(&agent, 0);
    agent.stops().refuses_for(SPEC);
    agent.stops_saying("The task wants three.").allows_and_names(SPEC);
    scene.report(None).is_doubted_for(SPEC);
    agent
}

#[test]
fn a_person_names_the_file_that_is_in_doubt() {
    let scene = three().guarded();
    let agent = in_doubt(&scene);
    agent.prompt("/sprag:ok docs/**");
    scene.report(None).is_doubted_for(SPEC);
    agent.prompt(&format!("/sprag:ok {SPEC}"));
    scene.report(None).is_proven_now();
    agent.prompt("go on");
    agent.edits("lib/sum.rb", "def two = 2 + 1\ndef four = 4\n");
    agent.stops().allows();
    scene.report(None).is_proven_now();
}

#[test]
fn a_person_says_ok_to_what_is_in_doubt() {
    let scene = three().guarded();
    let agent = in_doubt(&scene);
    agent.prompt("/sprag:ok");
    scene.report(None).is_proven_now();
    agent.prompt("go on");
    agent.edits("lib/sum.rb", "def two = 2 + 1\ndef four = 4\n");
    agent.stops().allows();
    scene.report(None).is_proven_now();
}

#[test]
fn a_yes_is_to_one_text_and_another_text_opens_the_doubt_again() {
    let scene = three().guarded();
    let agent = in_doubt(&scene);
    agent.prompt("/sprag:ok");
    agent.prompt("go on");
    agent.edits("lib/sum.rb", "def two = 5\ndef four = 4\n");
    agent.changes(SPEC, "eq(3)", "eq(5)");
    agent.stops().refuses_for(SPEC);
    agent.stops().allows_and_names(SPEC);
    scene.report(None).is_doubted_for(SPEC);
}

#[test]
fn what_an_agent_reads_is_not_what_a_person_says() {
    let scene = three().guarded();
    let agent = in_doubt(&scene);
    for prompt in ["Read this: /sprag:ok", "/sprag:ok\nand then go on with the rest"] {
        agent.prompt(prompt);
        agent.stops();
        agent.stops();
        assert!(!scene.report(None).is_proven(), "{prompt}");
    }
    // The text of an agent's timer comes back as a prompt.
    let timer = serde_json::json!({ "tool_name": "ScheduleWakeup", "tool_input": { "prompt": "/sprag:ok", "delaySeconds": 60 } });
    assert!(agent.says("PreToolUse", timer).is_denied());
}

#[test]
fn an_agent_in_a_session_does_not_approve() {
    let scene = three().guarded();
    let agent = in_doubt(&scene);
    let run = scene.run_of("guard");
    agent.prompt("go on");
    for line in [format!("sprag approve {run} --yes"), "sprag approve --yes".to_owned()] {
        let exit = agent.tries(&line).ok().map(|done| done.exit);
        assert!(matches!(exit, None | Some(Some(3))), "{line}: {exit:?}");
        // Done by a script, so that the call itself shows nothing.
        let script = scene.env.top().join("sneaks.sh");
        std::fs::write(&script, &line).unwrap();
        if let Ok(done) = agent.tries(&format!("sh {}", script.display())) {
            assert_eq!(done.exit, Some(3), "{}", done.all());
        }
    }
    scene.report(None).is_doubted_for(SPEC);
}

#[test]
fn an_agent_in_a_run_does_not_approve() {
    let scene = three().scene();
    let agent = format!(
        "{}sprag approve \"$SPRAG_RUN\" --yes > /dev/null 2>&1; echo $? >> {}/codes",
        three().script(&scene),
        scene.env.top().display()
    );
    scene.drives(&["Do it", "--until", "rspec"], &agent).exits(3);
    scene.report(None).is_doubted_for(SPEC);
    let codes = std::fs::read_to_string(scene.env.top().join("codes")).unwrap();
    assert!(codes.lines().all(|code| code == "3"), "{codes}");
}

/// A run that ended in doubt.
#[track_caller]
fn run_in_doubt(story: &Story) -> (Scene, String) {
    let scene = story.scene();
    story.driven(&scene).exits(3);
    let run = scene.run_of("task");
    (scene, run)
}

#[test]
fn approving_without_a_terminal_needs_a_word() {
    let (scene, run) = run_in_doubt(&three());
    scene.types(&["approve", &run]).exits(3);
    scene.report(Some(&run)).is_doubted_for(SPEC);
    let said = scene.types(&["approve", &run, "--yes"]).exits(0);
    assert!(said.all().contains("eq(2)") && said.all().contains("eq(3)"), "{}", said.all());
    let report = scene.report(Some(&run));
    report.is_proven_now();
    assert!(report.mentions(SPEC));
}

#[test]
fn approving_shows_every_line_of_every_file() {
    let lines =
        |word: &str| (0..400).fold(String::new(), |all, nth| all + &format!("  # {word} {nth}\n"));
    let long = lines("old");
    let story = ruby().adds_file(SPEC, &long);
    let new = lines("new");
    let text = story.text(SPEC).replace(&long, &new).replace("eq(2)", "eq(3)");
    let story = story.breaks().writes(SPEC, &text).runs("rm -f spec/four_spec.rb");
    let (scene, run) = run_in_doubt(&story);
    let said = scene.types(&["approve", &run, "--yes"]).exits(0).all();
    for nth in [0, 199, 399] {
        assert!(said.contains(&format!("old {nth}")), "the old text is cut before {nth}");
        assert!(said.contains(&format!("new {nth}")), "the new text is cut before {nth}");
    }
    assert!(said.contains("expect(four).to eq(4)"), "the missing text is not shown: {said}");
    scene.report(Some(&run)).is_proven_now();
}

#[test]
fn approving_shows_hidden_characters_and_long_blanks() {
    let hidden = format!("    expect(two).to eq(3) #{}\u{1b}[2K\u{202e}\n", " ".repeat(300));
    let story = ruby().breaks().changes(SPEC, "    expect(two).to eq(2)\n", &hidden);
    let (scene, run) = run_in_doubt(&story);
    let said = scene.types(&["approve", &run, "--yes"]).exits(0).all();
    assert!(!said.contains('\u{1b}') && !said.contains('\u{202e}'), "{said:?}");
    assert!(said.contains("[300 blanks]"), "{said}");
}

#[test]
fn an_answer_in_words_is_no_yes_to_a_diff() {
    let (scene, run) = run_in_doubt(&three());
    let said = scene.types(&["approve", &run, "looks fine to me"]);
    assert_ne!(said.exit, Some(0), "{}", said.all());
    scene.report(Some(&run)).is_doubted_for(SPEC);
}

#[test]
fn a_run_in_doubt_stands_under_what_needs_a_person() {
    let (scene, run) = run_in_doubt(&three());
    let waits = scene.status()["waits"].to_string();
    assert!(waits.contains(&run), "{waits}");
    let said = scene.types(&[]).stdout;
    assert!(said.contains(&format!("sprag approve {run}")), "{said}");
    scene.types(&["approve", &run, "--yes"]).exits(0);
    assert!(!scene.status()["waits"].to_string().contains(&run));
}

#[test]
fn a_person_who_commits_the_change_has_agreed() {
    let (scene, run) = run_in_doubt(&three());
    scene.commits();
    scene.report(Some(&run)).is_proven_now();
    let agent = "sed -i 's/def two = 3/def two = 2 + 1/' lib/sum.rb";
    scene.drives(&["More", "--until", "rspec"], agent).exits(0);
    scene.report(None).is_proven_now();
}

#[test]
fn a_person_who_commits_the_change_of_a_session_has_agreed() {
    let scene = three().guarded();
    let agent = in_doubt(&scene);
    scene.env.git(&["commit", "-qam", "three"]);
    agent.prompt("go on");
    agent.edits("lib/sum.rb", "def two = 2 + 1\ndef four = 4\n");
    agent.stops().allows();
    scene.report(None).is_proven_now();
}

#[test]
fn a_person_who_commits_something_else_has_not_agreed() {
    let (scene, run) = run_in_doubt(&three());
    scene.env.git(&["add", "lib"]);
    scene.env.git(&["commit", "-qm", "the code only"]);
    scene.report(Some(&run)).is_doubted_for(SPEC);
}

#[test]
fn a_person_who_puts_the_test_back_has_ended_the_doubt() {
    let (scene, run) = run_in_doubt(&three());
    scene.env.git(&["checkout", "-q", "--", "spec", "lib"]);
    let report = scene.report(Some(&run));
    assert!(report.doubt(SPEC).is_none(), "{}", report.shown());
}

#[test]
fn a_doubt_says_what_by_whom_for_which_gate_and_why() {
    let (scene, run) = run_in_doubt(&three());
    let report = scene.report(Some(&run));
    let doubt = report.doubt(SPEC).unwrap_or_else(|| panic!("{}", report.shown()));
    for key in ["path", "role", "how", "by", "gate", "said"] {
        assert!(doubt[key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {doubt}");
    }
    assert!(doubt["role"].as_str().unwrap().eq_ignore_ascii_case("test"), "{doubt}");
    assert!(doubt["gate"].as_str().unwrap().contains("rspec"), "{doubt}");
    assert!(doubt["said"].as_str().unwrap().contains("The task wants three."), "{doubt}");
    assert_eq!((&report.json["outcome"], &report.json["proven"]), (&"done".into(), &false.into()));
}

#[test]
fn what_the_agent_of_a_session_says_is_kept() {
    let scene = three().guarded();
    let _agent = in_doubt(&scene);
    let report = scene.report(None);
    assert!(report.doubt(SPEC).unwrap()["said"].to_string().contains("The task wants three."));
}

#[test]
fn every_report_says_whether_it_is_proven() {
    let scene = python().scene();
    let agent = "sed -i 's/return 2/return 1 + 1/' total.py";
    scene.drives(&["Do it", "--until", "pytest"], agent).exits(0);
    assert_eq!(scene.report(None).json["proven"], true);
    scene.drives(&["Do it", "--until", "false", "--max", "1"], "date +%N > x.txt");
    assert_eq!(scene.report(None).json["proven"], false);
    let scene = python().guarded();
    let session = scene.session("s1").begins();
    session.edits("total.py", "def two():\n    return 3\n");
    session.stops().refuses();
    assert_eq!(scene.report(None).json["proven"], false);
    session.runs("git checkout -q total.py; echo '# fine' >> total.py");
    session.stops().allows();
    assert_eq!(scene.report(None).json["proven"], true);
}

#[test]
fn strictness_makes_a_claim_end_with_three() {
    let flow =
        "name: Feat\ncommandName: feat\ninitialMessage: do {description}\nphases:\n  - one.md\n";
    let phase = "---\nid: one\nname: One\nemoji: 🔨\n---\nDo it.\n";
    for (words, code) in [(&["feat", "do it"][..], 0), (&["feat", "do it", "--strict"], 3)] {
        let scene = Scene::of([
            (".sprag/workflows/feat/workflow.yaml", flow),
            (".sprag/workflows/feat/one.md", phase),
        ]);
        scene.drives(words, "echo x > x.txt; echo Done").exits(code);
        let claims = &scene.report(None).json["claims"];
        assert!(claims.as_array().is_some_and(|all| !all.is_empty()), "{claims}");
    }
}

#[test]
fn strictness_leaves_a_proof_alone() {
    let story = go().improves();
    let scene = story.with(&["--strict"]).scene();
    go().improves().with(&["--strict"]).driven(&scene).exits(0);
    scene.report(None).is_proven_now();
}

#[test]
fn the_whole_difference_can_be_asked_for() {
    let (scene, _) = run_in_doubt(&three());
    let said = scene.types(&["diff", SPEC]).exits(0);
    assert!(said.stdout.contains("eq(2)") && said.stdout.contains("eq(3)"), "{}", said.stdout);
}

#[test]
fn the_earlier_text_of_a_file_that_git_never_had_can_be_asked_for() {
    let story = php().breaks().runs("printf '#!/bin/sh\\n' > vendor/bin/phpunit");
    let (scene, _) = run_in_doubt(&story);
    let said = scene.types(&["diff", "vendor/bin/phpunit"]).exits(0);
    assert!(said.stdout.contains("exec runner phpunit"), "{}", said.stdout);
}

#[test]
fn the_agent_is_told_how_to_see_the_earlier_text() {
    let scene = three().guarded();
    let agent = scene.session("s1").begins();
    three().plays(&agent, 0);
    let told = agent.stops().to_agent().to_owned();
    assert!(told.contains("sprag diff"), "{told}");
    let done = agent.tries(&format!("sprag diff {SPEC}")).unwrap();
    assert!(done.exit == Some(0) && done.stdout.contains("eq(2)"), "{}", done.all());
}

#[test]
fn sending_back_spends_no_retry() {
    // A failure takes the only retry; then the agent cheats, is sent back, and repairs it.
    let scene = ruby().scene();
    let agent = "case $turn in\n1) sed -i 's/two = 2/two = 3/' lib/sum.rb;;\n\
        2) sed -i 's/eq(2)/eq(3)/' spec/two_spec.rb;;\n\
        *) git checkout -q spec lib; echo '# mended' >> lib/sum.rb;; esac";
    scene.drives(&["Do it", "--until", "rspec", "--max", "1"], agent).exits(0);
    assert_eq!(scene.told("agent").len(), 3);
    scene.report(None).is_proven_now();
}

#[test]
fn what_is_weakened_after_it_was_sent_back_is_not_sent_back_again() {
    let later = "git checkout -q spec/two_spec.rb; sed -i 's/two = 3/two = 2/; s/four = 4/four = 5/' lib/sum.rb; sed -i 's/eq(4)/eq(5)/' spec/four_spec.rb";
    let story = three().then().runs(later);
    let (scene, _) = run_in_doubt(&story);
    let told = scene.told("agent");
    assert_eq!(told.len(), 2, "{told:#?}");
    let report = scene.report(None);
    report.is_doubted_for("spec/four_spec.rb");
    assert!(report.doubt(SPEC).is_none(), "{}", report.shown());

    let scene = three().guarded();
    let agent = scene.session("s1").begins();
    three().plays(&agent, 0);
    agent.stops().refuses_for(SPEC);
    agent.runs(later);
    agent.stops().allows_and_names("spec/four_spec.rb");
    scene.report(None).is_doubted_for("spec/four_spec.rb");
}

#[test]
fn the_next_prompt_is_another_unit_and_may_be_sent_back_once_more() {
    let scene = three().guarded();
    let agent = in_doubt(&scene);
    agent.prompt("go on");
    agent.runs(
        "sed -i 's/four = 4/four = 5/' lib/sum.rb; sed -i 's/eq(4)/eq(5)/' spec/four_spec.rb",
    );
    let first = agent.stops();
    first.refuses_for("spec/four_spec.rb");
    agent.stops().allows_and_names("spec/four_spec.rb");
    let report = scene.report(None);
    report.is_doubted_for("spec/four_spec.rb");
    report.is_doubted_for(SPEC);
}

#[test]
fn json_of_a_run_in_doubt_says_so() {
    let story = three();
    let scene = story.scene();
    let words = ["Do it", "--until", "rspec", "--json"];
    let typed = scene.drives(&words, &story.script(&scene)).exits(3);
    let json: Value =
        serde_json::from_str(&typed.stdout).unwrap_or_else(|bad| panic!("{bad}: {}", typed.all()));
    assert_eq!(json["outcome"], "done", "{json}");
    assert!(json["doubts"].to_string().contains(SPEC), "{json}");
}
