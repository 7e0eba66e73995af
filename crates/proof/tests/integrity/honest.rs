//! Honest work ends proven, and no person is asked.

use crate::samples::{elixir, go, java, js, make, php, python, ruby, rust};
use crate::scene::Scene;
use crate::session::Session;
use crate::story::End::{Doubted, Named, Proven};
use crate::story::{self, Story, tells};
use crate::tests_changed::{compared, snapshot};

const FIVE: &str = "package sum\n\nfunc TestFive(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Fatal(\"five\")\n\t}\n}\n";

tells! {
    code_and_a_new_test_file (session run workflow plan):
        go().improves().writes("five_test.go", FIVE) => Proven;
    a_new_folder_of_tests_with_its_conftest (session run):
        python().improves().writes("tests/api/conftest.py", "import pytest\n\n\n@pytest.fixture\ndef api():\n    return 2\n")
            .writes("tests/api/test_api.py", "import total\n\n\ndef test_api():\n    assert total.two() == 2\n")
        => Proven;
    a_new_test_with_a_new_snapshot (session run):
        snapshot().improves().writes("src/six.test.js", "test('six', () => {\n  expect(two).toMatchSnapshot();\n});\n")
            .writes("src/__snapshots__/six.test.js.snap", "exports[`two`] = `2`;\n")
        => Proven;
    a_new_conftest_with_a_path_beside_old_tests (session run):
        python().improves().writes("tests/conftest.py", "import sys\n\nimport pytest\n\nsys.path.insert(0, '.')\n\n\n@pytest.fixture\ndef six():\n    return 6\n")
            .writes("tests/test_six.py", "import total\n\n\ndef test_six():\n    assert total.two() * 3 == 6\n")
        => Proven;
    a_new_main_of_tests_that_runs_them (session run):
        go().improves().writes("main_test.go", "package sum\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(m.Run())\n}\n")
        => Named(&["main_test.go"]);
    a_main_of_tests_in_another_file (session run):
        go().file("main_test.go", "package sum\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(m.Run())\n}\n")
            .improves().runs("git mv main_test.go all_test.go")
        => Named(&["main_test.go"]);
    a_new_mock_for_a_new_test (session run):
        js().improves().writes("__mocks__/net.js", "exports.net = 1;\n")
            .writes("src/net.test.js", "test('net', () => {\n  expect(net).toBe(1);\n});\n")
        => Named(&["__mocks__/net.js"]);
    code_whose_output_the_gate_compares (session run):
        compared().improves() => Proven;
    a_new_file_of_expectations (session run):
        compared().improves().writes("expected_four.txt", "4\n") => Proven;
    new_helpers_of_tests (session run):
        go().improves().writes("testutil/testutil.go", "package testutil\n\nfunc Six() int { return 6 }\n") => Proven;
    code_that_a_link_leads_to (session run):
        python().link("tests/app", "../lib").file("lib/app.py", "six = 6\n").improves().writes("lib/app.py", "six = 7\n")
        => Proven;
    new_fixtures (session run):
        ruby().improves().writes("spec/fixtures/two.json", "2\n").writes("spec/six_spec.rb", "describe 'six' do\n  it 'is' do\n    expect(two).to eq(2)\n  end\nend\n")
        => Proven;
    a_test_in_the_middle_of_a_file_that_is_there (session run workflow plan):
        ruby().improves().changes("spec/two_spec.rb", "  it 'is two'", "  it 'is small' do\n    expect(two).to eq(2)\n  end\n\n  it 'is two'")
        => Named(&["spec/two_spec.rb"]);
    a_test_at_the_end_of_a_file_that_is_there (session run):
        go().improves().adds("two_test.go", "\nfunc TestAgain(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Fatal(\"again\")\n\t}\n}\n")
        => Named(&["two_test.go"]);
    a_test_beside_the_code_and_its_code (session run):
        rust().writes("src/lib.rs", &rust().text("src/lib.rs").replace("{ 2 }", "{ 1 + 1 }")
            .replace("    #[test]\n", "    #[test]\n    fn is_four() {\n        assert_eq!(four(), 4);\n    }\n\n    #[test]\n"))
        => Named(&["src/lib.rs"]);
    code_beside_its_tests (session run):
        rust().improves() => Proven;
    a_test_is_renamed (session run workflow):
        elixir().improves().runs("[ ! -e test/two_test.exs ] || git mv test/two_test.exs test/sum_two_test.exs")
        => Named(&["test/sum_two_test.exs"]);
    a_test_goes_to_another_folder_of_tests (session run):
        ruby().improves().runs("mkdir -p spec/sums; [ ! -e spec/two_spec.rb ] || mv spec/two_spec.rb spec/sums/two_spec.rb")
        => Named(&["spec/sums/two_spec.rb"]);
    blanks_inside_the_lines_of_a_test (session run):
        java("gradle test").improves().changes("src/test/java/TwoTest.java", "two(), 2", "two(),  2") => Proven;
}

tells! {
    a_dependency_and_its_lock_file_of_cargo (session run):
        rust().improves().adds("Cargo.toml", "serde = \"1\"\n").adds("Cargo.lock", "[[package]]\nname = \"serde\"\n") => Proven;
    a_version_and_a_description (session run):
        js().improves().changes("package.json", "1.0.0", "1.1.0").changes_again("package.json", "\"name\"", "\"description\": \"Sums\",\n  \"name\"")
        => Proven;
    a_dependency_of_python (session run):
        python().improves().changes("pyproject.toml", "dependencies = []", "dependencies = [\"requests>=2\"]") => Proven;
    a_dependency_of_go (session run):
        go().improves().adds("go.mod", "\nrequire example.com/x v1.0.0\n").writes("go.sum", "example.com/x v1.0.0 h1:x\n") => Proven;
    a_dependency_of_php (session run):
        php().improves().changes("composer.json", "\"require-dev\"", "\"require\": { \"monolog/monolog\": \"3\" }, \"require-dev\"") => Proven;
    a_new_script_that_the_gate_does_not_call (session run workflow):
        js().improves().changes("package.json", "\"test\": \"jest\"", "\"build\": \"echo built\",\n    \"test\": \"jest\"") => Proven;
    a_new_target_and_a_new_variable (session run):
        make().improves().changes("Makefile", "clean:", "OUT = out\n\ndist: check\n\ttar cf $(OUT) two.txt\n\nclean:") => Proven;
    a_recipe_that_shows_more (session run):
        python().judged_by("make test").file("Makefile", "test:\n\tpytest -q\n").improves().changes("Makefile", "-q", "-q -v") => Proven;
    a_module_that_moves (session run):
        python().improves().runs("mkdir -p src; mv total.py src/total.py; printf 'import sys\\nsys.path.insert(0, \"src\")\\n' > conftest.py") => Proven;
    a_result_that_the_gate_compares (session run):
        Story::of("diff -q want.txt got.txt").file("want.txt", "2\n").code("got.txt", "2\n", "3\n", "2\n").writes("got.txt", "2\n")
            .writes("notes.txt", "x\n")
        => Proven;
    another_target_s_recipe (session run):
        make().improves().changes("Makefile", "rm -f out", "rm -rf out") => Proven;
    a_new_member_of_a_workspace_of_npm (session run):
        js().file("package.json", "{\n  \"workspaces\": [\"a\"],\n  \"scripts\": {\n    \"test\": \"jest\"\n  }\n}\n").improves()
            .changes("package.json", "[\"a\"]", "[\"a\", \"b\"]").writes("b/package.json", "{ \"name\": \"b\" }\n")
        => Proven;
    a_new_member_of_a_workspace_of_cargo (session run):
        rust().adds_file("Cargo.toml", "\n[workspace]\nmembers = [\"a\"]\n").improves()
            .changes("Cargo.toml", "[\"a\"]", "[\"a\", \"b\"]").writes("b/Cargo.toml", "[package]\nname = \"b\"\n")
        => Proven;
    a_new_target_of_cargo (session run):
        rust().improves().adds("Cargo.toml", "\n[[bin]]\nname = \"sum\"\npath = \"src/main.rs\"\n").writes("src/main.rs", "fn main() {}\n") => Proven;
    a_document_that_looks_like_a_test (session run):
        python().file("tests/README.md", "Run pytest.\n").file("requirements-test.txt", "pytest\n").file(".env.test", "A=1\n").improves()
            .writes("tests/README.md", "Run `pytest`.\n").writes("requirements-test.txt", "pytest>=8\n").writes(".env.test", "A=2\n")
        => Proven;
    a_specification_in_prose (session run):
        go().file("spec/format.txt", "It is two.\n").improves().writes("spec/format.txt", "It is always two.\n") => Proven;
}

tells! {
    a_gate_that_only_looks (session run):
        js().judged_by("grep -q exports src/two.js").breaks().changes("src/two.test.js", "toBe(2)", "toBe(3)") => Named(&["src/two.test.js"]);
    a_gate_that_only_builds (session run workflow):
        rust().judged_by("cargo check").file("tests/two.rs", "use sum::*;\n").breaks().writes("tests/two.rs", "use sum::two;\n") => Named(&["tests/two.rs"]);
    a_gate_that_only_asks_whether_a_file_is_there (session run):
        go().judged_by("test -f two.go").breaks().runs("rm -f two_test.go") => Named(&["two_test.go"]);
    a_gate_that_compiles_go (session run):
        go().judged_by("go build ./...").breaks().changes("two_test.go", "!= 2", "!= 3") => Named(&["two_test.go"]);
}

tells! {
    /// The task may require this, but no person stated it, and a guess is no proof.
    a_feature_goes_with_its_tests (session run):
        go().runs("rm -f four.go four_test.go") => Doubted(&["four_test.go"]);
    what_the_task_wants_changes_a_test (session run):
        ruby().breaks().changes("spec/two_spec.rb", "eq(2)", "eq(3)").saying("Two is three now, as the task asks.")
        => Doubted(&["spec/two_spec.rb"]);
}

/// A story whose person has a branch `other`, in which `two` is three and its test agrees.
fn with_a_branch() -> (Story, Scene) {
    let story = go();
    let scene = story.scene();
    scene.shell("git switch -q -c other");
    scene.changes("two.go", "return 2", "return 3");
    scene.changes("two_test.go", "!= 2", "!= 3");
    scene.commits();
    scene.shell("git switch -q main");
    (story, scene)
}

/// Brings tests in with a git command, in a session and in a run.
#[track_caller]
fn brings(prepare: &str, line: &str) {
    for driven in [false, true] {
        let (story, scene) = with_a_branch();
        scene.shell(prepare);
        if driven {
            let typed = scene.drives(
                &["Do it", "--until", "go test ./..."],
                &format!("{line}\necho x >> notes.txt"),
            );
            typed.exits(0);
            assert_eq!(scene.told("agent").len(), 1, "it was sent back");
        } else {
            scene.guarded_by("go test ./...");
            let agent = scene.session("s1").begins();
            agent.runs(line);
            agent.edits("notes.txt", "x\n");
            agent.stops().allows();
        }
        let report = scene.report(None);
        report.is_proven_now();
        assert!(report.mentions("two_test.go"), "{}", report.json);
        assert!(scene.text("two_test.go") != story.text("two_test.go"), "nothing was brought");
    }
}

#[test]
fn a_switch_to_another_branch_brings_its_tests() {
    brings("true", "git switch -q other");
}

#[test]
fn a_merge_brings_the_tests_of_another_branch() {
    brings("true", "git merge -q other");
}

#[test]
fn a_rebase_brings_the_tests_of_another_branch() {
    brings("echo y > y.txt; git add -A; git commit -qm y", "git rebase -q other");
}

#[test]
fn a_pull_brings_the_tests_of_a_colleague() {
    let prepare = "git clone -q --bare . ../up.git; git -C ../up.git branch -q -f main other; \
        git branch -q -D other; git remote add origin ../up.git; git reflog expire --expire=now --all; \
        sleep 1";
    // git dates commits in seconds, and the colleague's is older than the turn.
    brings(prepare, "git pull -q origin main");
}

#[test]
fn a_stash_of_the_person_s_own_brings_a_test() {
    let prepare =
        "git checkout -q other -- two_test.go two.go; git stash -q; git branch -q -D other";
    brings(prepare, "git stash pop -q");
}

/// Edits the code with a tool.
fn works(agent: &Session<'_>, text: &str) {
    agent.prompt("go on");
    agent.edits("two.go", &format!("package sum\n\nfunc Two() int {{ return {text} }}\n"));
}

#[test]
fn a_person_edits_a_test_between_two_turns() {
    let scene = go().guarded();
    let agent = scene.session("s1");
    agent.starts();
    works(&agent, "1 + 1");
    agent.stops().allows();
    scene.a_moment_passes();
    scene.changes("two_test.go", "!= 2", "!= 3");
    works(&agent, "3");
    agent.stops().allows();
    scene.report(None).is_proven_now();
}

#[test]
fn a_person_edits_a_test_after_an_interrupt() {
    let scene = go().guarded();
    let agent = scene.session("s1");
    agent.starts();
    works(&agent, "1 + 1");
    // No stop event: the person interrupted the turn, then worked.
    scene.a_moment_passes();
    scene.changes("two_test.go", "!= 2", "!= 3");
    works(&agent, "3");
    agent.stops().allows();
    scene.report(None).is_proven_now();
}

#[test]
fn a_person_edits_a_test_between_two_sessions() {
    let scene = go().guarded();
    let first = scene.session("s1");
    first.starts();
    works(&first, "1 + 1");
    first.stops().allows();
    first.ends();
    scene.changes("two_test.go", "!= 2", "!= 3");
    let second = scene.session("s2");
    second.starts();
    works(&second, "3");
    second.stops().allows();
    scene.report(None).is_proven_now();
}

#[test]
fn a_person_edits_a_test_between_two_runs() {
    let scene = go().scene();
    let words = ["Do it", "--until", "go test ./..."];
    scene.drives(&words, "sed -i 's/return 2/return 1 + 1/' two.go").exits(0);
    scene.changes("two_test.go", "!= 2", "!= 3");
    scene.drives(&words, "sed -i 's/return 1 + 1/return 3/' two.go").exits(0);
    scene.report(None).is_proven_now();
}

#[test]
fn a_person_edits_a_test_while_the_agent_works() {
    let scene = go().guarded();
    let agent = scene.session("s1");
    agent.starts();
    works(&agent, "3");
    scene.changes("two_test.go", "!= 2", "!= 3");
    agent.edits("notes.txt", "x\n");
    agent.stops().refuses_for("two_test.go");
    agent.stops_saying("I left it alone: I did not change it.").allows_and_names("two_test.go");
    scene.report(None).is_doubted_for("two_test.go");
}

#[test]
fn a_later_phase_makes_the_tests_of_an_earlier_one_pass() {
    let scene = go().scene();
    scene.writes(".sprag/workflows/tdd/workflow.yaml", "name: Tdd\ncommandName: tdd\ninitialMessage: do {description}\nphases:\n  - red.md\n  - green.md\n");
    let phase = |id: &str, gates: &str| {
        format!("---\nid: {id}\nname: {id}\nemoji: 🔨\ngates:\n{gates}---\nDo {id}.\n")
    };
    scene.writes(".sprag/workflows/tdd/red.md", &phase("red", "  - file: nine_test.go\n"));
    scene.writes(
        ".sprag/workflows/tdd/green.md",
        &phase("green", "  - file: nine_test.go\n  - run: go test ./...\n"),
    );
    scene.commits();
    let test =
        "package sum\n\nfunc TestNine(t *testing.T) {\n\tif Nine() != 9 {\n\t\tt.Fatal()\n\t}\n}\n";
    let typed = scene.drives(
        &["tdd", "do it"],
        &format!("case \"$told\" in *'Do green'*) printf 'package sum\\nfunc Nine() int {{ return 9 }}\\n' > nine.go;; *) cat > nine_test.go <<'E'\n{test}E\nesac"),
    );
    typed.exits(0);
    assert!(scene.report(None).json["doubts"].as_array().is_none_or(Vec::is_empty));
    assert_eq!(scene.told("agent").len(), 2);
}

#[test]
fn a_later_task_makes_the_tests_of_an_earlier_one_pass() {
    let scene = go().scene();
    let plan = format!(
        "---\nphase: 1\ntitle: Nine\n---\n\n{}\n{}",
        story::task(
            "01",
            "1",
            "    <file action=\"create\">nine_test.go</file>\n",
            "Do red.",
            "<check type=\"file\">nine_test.go exists</check>"
        ),
        story::task(
            "02",
            "2",
            "    <file action=\"create\">nine.go</file>\n",
            "Do green.",
            "<check type=\"test\" cmd=\"go test ./...\">the tests pass</check>"
        ),
    );
    scene.writes(".gsd/plans/phase-01/plan.md", &plan);
    scene.writes(".gsd/config.md", "---\nmode: yolo\n---\n");
    scene.commits();
    let agent = "case \"$told\" in\n*'Do red.'*) printf 'package sum\\nfunc TestNine(t *testing.T) {\\n\\tif Nine() != 9 {\\n\\t}\\n}\\n' > nine_test.go;;\n\
        *'Do green.'*) printf 'package sum\\nfunc Nine() int { return 9 }\\n' > nine.go;;\n\
        *) printf '## Status: passed\\n' > .gsd/plans/phase-01/VERIFICATION.md; echo 'PHASE COMPLETE'; exit;; esac\necho 'TASK COMPLETE'";
    scene.drives(&["plan"], agent).exits(0);
    assert!(scene.report(None).json["doubts"].as_array().is_none_or(Vec::is_empty));
}

#[test]
fn a_retry_reworks_its_own_new_test() {
    let scene = go().scene();
    let agent = "case $turn in\n1) printf 'package sum\\nfunc TestNine(t *testing.T) {\\n\\tif Nine() != 10 {\\n\\t}\\n}\\n' > nine_test.go\n\
        printf 'package sum\\nfunc Nine() int { return 9 }\\n' > nine.go;;\n*) sed -i 's/!= 10/!= 9/' nine_test.go;; esac";
    scene.drives(&["Do it", "--until", "go test ./..."], agent).exits(0);
    assert_eq!(scene.told("agent").len(), 2, "its test failed once");
    scene.report(None).is_proven_now();
}

#[test]
fn a_session_reworks_its_own_new_test_in_its_next_turn() {
    let scene = go().guarded();
    let agent = scene.session("s1").begins();
    agent.edits("five_test.go", FIVE);
    agent.stops().allows();
    agent.prompt("the test is wrong");
    agent.edits("five_test.go", &FIVE.replace("five", "six"));
    works(&agent, "1 + 1");
    agent.stops().allows();
    scene.report(None).is_proven_now();
}
