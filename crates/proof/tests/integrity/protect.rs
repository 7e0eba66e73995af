//! Files that a person protects: tool calls on them are denied, and work that changed them by
//! script is held for the person.

use serde_json::json;

use crate::samples::{elixir, python, ruby};
use crate::scene::Scene;
use crate::story::End::{Held, Named, SentBack};
use crate::story::{Story, tells};

const TEST: &str = "tests/test_two.py";
const CONFIG: &str =
    "v: 1\nguard:\n  gates:\n    - run: pytest\n      protect: [\"tests/**\", pyproject.toml]\n";

/// A project whose person protects its tests.
fn scene() -> Scene {
    let scene = python().scene();
    scene.configured("pytest", CONFIG);
    scene
}

/// Rewrites the test and the code by script, so that the call itself shows nothing.
const SNEAKS: &str =
    "sed -i 's/return 2/return 3/' total.py\nsed -i 's/== 2/== 3/' tests/test_two.py\n";

/// A story under such a guard.
fn story() -> Story {
    python().configured("      protect: [\"tests/**\"]\n")
}

#[test]
fn every_tool_that_edits_is_denied() {
    let scene = scene();
    let agent = scene.session("s1").begins();
    let path = scene.path(TEST);
    for (tool, input) in [
        ("Edit", json!({ "file_path": path, "old_string": "2", "new_string": "3" })),
        ("Write", json!({ "file_path": path, "content": "" })),
        (
            "MultiEdit",
            json!({ "file_path": path, "edits": [{ "old_string": "2", "new_string": "3" }] }),
        ),
        ("NotebookEdit", json!({ "notebook_path": path, "new_source": "" })),
    ] {
        let answer = agent.says("PreToolUse", json!({ "tool_name": tool, "tool_input": input }));
        assert!(answer.is_denied(), "{tool}: {answer:?}");
        assert!(answer.to_agent().contains(TEST), "{tool}: {answer:?}");
    }
    assert!(agent.edits("pyproject.toml", "").is_denied());
    assert!(
        !agent
            .edits("total.py", "def two():\n    return 1 + 1\n\n\ndef four():\n    return 4\n")
            .is_denied()
    );
    agent.stops().allows();
    scene.report(None).is_proven_now();
}

#[test]
fn a_path_by_another_way_is_denied_too() {
    let scene = scene();
    scene.env.link("tests", "checks");
    scene.shell("mkdir -p below");
    let mut agent = scene.session("s1").begins();
    assert!(agent.edits("./tests/../tests/test_two.py", "").is_denied());
    assert!(agent.edits("checks/test_two.py", "").is_denied());
    agent.at = scene.path("below");
    assert!(agent.edits("../tests/test_two.py", "").is_denied());
}

#[test]
fn a_file_that_git_ignores_is_protected_as_well() {
    const KEY: &str = "keys/prod.py";
    let scene = python().scene();
    scene.writes(".gitignore", "keys/\n");
    scene.writes(KEY, "KEY = 1\n");
    scene.configured("pytest", &CONFIG.replace("tests/**", "keys/**"));
    let agent = scene.session("s1").begins();
    assert!(agent.edits(KEY, "").is_denied());
    agent.runs_script(
        "echo 'KEY = 2' > keys/prod.py\necho '# new' > keys/new.py\necho '# fine' >> total.py\n",
    );
    agent.stops().refuses_for(KEY);
    agent.stops().allows_and_names(KEY);
    let report = scene.report(None);
    report.is_not_proven_for(KEY);
    assert!(!report.mentions("keys/new.py"), "{}", report.shown());
}

#[test]
fn a_new_file_below_a_protected_folder_is_free_and_stays_so() {
    let scene = scene();
    let agent = scene.session("s1").begins();
    let test = "import total\n\n\ndef test_more():\n    assert total.two() == 2\n";
    assert!(!agent.edits("tests/test_more.py", test).is_denied());
    assert!(!agent.edits("tests/test_more.py", &format!("{test}\n")).is_denied());
    agent.stops().allows();
    agent.prompt("go on");
    assert!(!agent.edits("tests/test_more.py", &format!("# more\n{test}")).is_denied());
    assert!(!agent.edits("tests/deep/er/test_deep.py", test).is_denied());
    agent.stops().allows();
    scene.report(None).is_proven_now();
}

#[test]
fn an_agent_is_told_what_is_protected() {
    let scene = scene();
    let agent = scene.session("s1");
    let told = agent.starts();
    assert!(told.to_agent().contains("tests/**"), "{told:?}");
    let typed = scene.drives(&["Do it", "--until", "pytest"], "echo '# fine' >> total.py");
    typed.exits(0);
    assert!(scene.told("agent")[0].contains("tests/**"), "{}", scene.told("agent")[0]);
}

#[test]
fn a_script_that_got_past_is_sent_back_once_and_then_held() {
    let scene = scene();
    let agent = scene.session("s1").begins();
    agent.runs_script(SNEAKS);
    agent.stops().refuses_for(TEST);
    agent.stops().allows_and_names(TEST);
    scene.report(None).is_not_proven_for(TEST);
    assert!(scene.status()["waits"].to_string().contains(&scene.run_of("guard")));
}

#[test]
fn a_file_that_a_script_removed_or_moved_is_held() {
    for script in ["rm tests/test_two.py\n", "mv tests/test_two.py tests/test_renamed.py\n"] {
        let scene = scene();
        let agent = scene.session("s1").begins();
        agent.runs_script(&format!("echo '# fine' >> total.py\n{script}"));
        agent.stops().refuses_for(TEST);
        agent.stops().allows_and_names(TEST);
        scene.report(None).is_not_proven_for(TEST);
    }
}

#[test]
fn what_is_put_back_is_free_again() {
    let scene = scene();
    let agent = scene.session("s1").begins();
    agent.runs_script(SNEAKS);
    agent.stops().refuses_for(TEST);
    agent.runs_script("git checkout -q tests total.py\necho '# fine' >> total.py\n");
    agent.stops().allows();
    scene.report(None).is_proven_now();
}

tells! {
    a_run_that_changes_a_protected_file (run):
        story().breaks().changes(TEST, "== 2", "== 3") => Held(&[TEST]);
    a_run_that_puts_it_back (run):
        story().breaks().changes(TEST, "== 2", "== 3").then().improves().restores(TEST) => SentBack(&[TEST]);
    /// A second look does not clear a file that a person protects.
    a_run_that_only_formats_it (run):
        story().improves().writes(TEST, "import total\n\n\ndef test_two():\n    two = total.two()\n    assert two == 2\n")
        => Held(&[TEST]);
    a_run_that_only_adds_to_it (run):
        story().improves().adds(TEST, "\n\ndef test_again():\n    assert total.two() == 2\n") => Held(&[TEST]);
    a_run_with_a_new_file_below_it (run):
        story().improves().writes("tests/test_new.py", "import total\n\n\ndef test_new():\n    assert total.two() == 2\n")
        => Named(&["tests/test_new.py"]);
    /// A protected file stays protected, even if other tests are only named.
    a_team_that_only_names_tests_still_protects (run):
        story().configured("tests: name\n").breaks().changes(TEST, "== 2", "== 3") => Held(&[TEST]);
}

#[test]
fn a_run_is_sent_back_once_for_a_protected_file() {
    let story = story().breaks().changes(TEST, "== 2", "== 3");
    let scene = story.guarded();
    story.driven(&scene).exits(3);
    let told = scene.told("agent");
    let times = told.iter().skip(1).filter(|prompt| prompt.contains(TEST)).count();
    assert_eq!((told.len(), times), (2, 1), "{told:#?}");
}

#[test]
fn a_person_approves_what_a_run_changed_in_a_protected_file() {
    let story = story().breaks().changes(TEST, "== 2", "== 3");
    let scene = story.guarded();
    story.driven(&scene).exits(3);
    let run = scene.run_of("task");
    let said = scene.types(&["approve", &run]).exits(3).all();
    assert!(said.contains("== 2") && said.contains("== 3"), "{said}");
    assert!(!scene.report(Some(&run)).is_proven());
    scene.types(&["approve", &run, "--yes"]).exits(0);
    // A held run continues; one that continued by itself needs no resume.
    scene.types(&["resume", &run]);
    scene.report(Some(&run)).is_proven_now();
}

#[test]
fn a_phase_protects_as_a_guard_does() {
    let story = ruby().breaks().changes("spec/two_spec.rb", "eq(2)", "eq(3)");
    let (scene, typed) = story.phased("    protect: [\"spec/**\"]\n");
    typed.exits(3);
    scene.report(None).is_not_proven_for("spec/two_spec.rb");
    let told = scene.told("agent");
    assert!(told.iter().any(|prompt| prompt.contains("spec/**")), "{told:#?}");
}

#[test]
fn what_may_change_does_not_free_what_is_protected() {
    let story = story().breaks().changes(TEST, "== 2", "== 3").with(&["--may-change", "total.py"]);
    let scene = story.guarded();
    story.driven(&scene).exits(3);
    scene.report(None).is_not_proven_for(TEST);
}

#[test]
fn a_protected_file_that_is_no_test_is_held_as_well() {
    let scene = elixir().file("LICENSE", "MIT\n").scene();
    scene.configured(
        "mix test",
        "v: 1\nguard:\n  gates:\n    - run: mix test\n      protect: [LICENSE]\n",
    );
    let agent = scene.session("s1").begins();
    assert!(agent.edits("LICENSE", "none\n").is_denied());
    agent.runs_script("echo none > LICENSE\n");
    agent.stops().refuses_for("LICENSE");
    agent.stops().allows_and_names("LICENSE");
    scene.report(None).is_not_proven_for("LICENSE");
}

#[test]
fn what_a_person_edits_in_a_protected_file_between_turns_counts() {
    let scene = scene();
    let agent = scene.session("s1").begins();
    agent.edits("notes.txt", "x\n");
    agent.stops().allows();
    scene.a_moment_passes();
    scene.changes(TEST, "== 2", "== 3");
    scene.changes("total.py", "return 2", "return 3");
    agent.prompt("go on");
    agent.edits("notes.txt", "y\n");
    agent.stops().allows();
    scene.report(None).is_proven_now();
}

#[test]
fn init_shows_what_is_protected() {
    let scene = scene();
    let said = scene.types(&["init", "--host", "claude", "--yes"]).exits(0);
    assert!(said.all().contains("tests/**"), "{}", said.all());
}
