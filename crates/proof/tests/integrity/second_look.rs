//! A changed test that the second look clears: the earlier tests, put back over the new code, still
//! pass.

use crate::samples::{elixir, go, java, js, php, python, ruby, rust};
use crate::scene::Scene;
use crate::story::End::{Doubted, Named};
use crate::story::{self, Story, tells};

tells! {
    a_test_is_formatted_over_several_lines (session run workflow plan):
        js().improves().writes("src/two.test.js", "test(\n  'two',\n  () => {\n    expect(two).toBe(2);\n  },\n);\n")
        => Named(&["src/two.test.js"]);
    a_test_is_indented_in_another_way (session run):
        python().improves().changes("tests/test_two.py", "    assert", "  assert") => Named(&["tests/test_two.py"]);
    a_test_has_another_name_inside_its_file (session run):
        go().improves().changes("two_test.go", "TestTwo", "TestTwoIsTwo") => Named(&["two_test.go"]);
    a_test_is_written_anew_and_claims_the_same (session run):
        elixir().improves().writes("test/two_test.exs", "defmodule SumTest do\n  test \"sum\" do\n    x = two()\n    assert two() == 2\n  end\nend\n")
        => Named(&["test/two_test.exs"]);
    two_test_files_become_one (session run):
        ruby().improves().runs("rm -f spec/two_spec.rb spec/four_spec.rb")
            .writes("spec/sum_spec.rb", "describe 'sums' do\n  it 'are' do\n    expect(two).to eq(2)\n    expect(four).to eq(4)\n  end\nend\n")
        => Named(&["spec/two_spec.rb"]);
    a_test_beside_the_code_is_written_anew (session run):
        rust().writes("src/lib.rs", &rust().text("src/lib.rs").replace("{ 2 }", "{ 1 + 1 }").replace("fn is_two", "fn two_is_two"))
        => Named(&["src/lib.rs"]);
}

tells! {
    /// The code is right, but the earlier test is not the one that passes now.
    a_formatted_test_that_also_claims_less (session run):
        php().breaks().writes("tests/TwoTest.php", "<?php\nclass TwoTest extends TestCase {\n    public function testTwo()\n    {\n    }\n}\n")
        => Doubted(&["tests/TwoTest.php"]);
    a_renamed_test_whose_value_fits (session run):
        java("mvn test").breaks().runs("rm -f src/test/java/TwoTest.java")
            .writes("src/test/java/SumTest.java", "class SumTest {\n    @Test\n    void is() {\n        assertTwo(two(), 3);\n    }\n}\n")
        => Doubted(&["src/test/java/TwoTest.java"]);
}

/// A folder of shell scripts whose command records where it runs, each time.
fn counted() -> Story {
    Story::of("sh check.sh")
        .file(
            "check.sh",
            "pwd >> \"$HOME/looks\"\nfor one in tests/*_test.sh; do\n  . \"./$one\"\ndone\n",
        )
        .code("two.txt", "2\n", "3\n", "2 \n")
        .file("tests/two_test.sh", "test \"$(tr -d ' ' < two.txt)\" = 2 || exit 1\n")
        .file("tests/four_test.sh", "test 4 = 4 || exit 1\n")
}

/// The same claim in other words.
const SAME_CLAIM: &str = "if test \"$(tr -d ' ' < two.txt)\" != 2; then\n  exit 1\nfi\n";
/// No claim at all.
const NO_CLAIM: &str = "cat two.txt > /dev/null\n";

/// Returns how many times the command ran on the project, and on copies of it.
fn evaluated(scene: &Scene) -> (usize, usize) {
    let looks = std::fs::read_to_string(scene.env.home().join("looks")).unwrap_or_default();
    let project = std::fs::canonicalize(scene.env.project()).unwrap();
    let is_project = |line: &&str| std::path::Path::new(line) == project;
    let (own, copies): (Vec<&str>, Vec<&str>) = looks.lines().partition(is_project);
    for copy in &copies {
        assert!(!std::path::Path::new(copy).exists(), "{copy} was left");
    }
    (own.len(), copies.len())
}

/// Resets the count.
fn forgets(scene: &Scene) {
    let _ = std::fs::remove_file(scene.env.home().join("looks"));
}

#[test]
fn a_stop_that_leaves_the_tests_alone_takes_no_second_look() {
    let scene = counted().guarded();
    let agent = scene.session("s1").begins();
    forgets(&scene);
    agent.edits("two.txt", "2 \n");
    agent.edits("tests/new_test.sh", "true\n");
    agent.stops().allows();
    assert_eq!(evaluated(&scene), (1, 0));
}

#[test]
fn a_look_is_taken_once_on_the_same_files() {
    let scene = counted().guarded();
    let agent = scene.session("s1").begins();
    forgets(&scene);
    agent.edits("two.txt", "3\n");
    agent.edits("tests/two_test.sh", NO_CLAIM);
    agent.stops().refuses_for("tests/two_test.sh");
    assert_eq!(evaluated(&scene), (1, 1));
    agent.stops().allows_and_names("tests/two_test.sh");
    assert_eq!(evaluated(&scene), (1, 1));
    // Other words in the test lead to the same look; other code does not.
    agent.prompt("go on");
    agent.edits("tests/two_test.sh", "true\n");
    agent.stops();
    assert_eq!(evaluated(&scene).1, 1);
    agent.prompt("go on");
    agent.edits("two.txt", "2\n");
    agent.stops().allows();
    assert_eq!(evaluated(&scene).1, 2);
    scene.report(None).is_proven_now();
}

#[test]
fn a_look_that_clears_is_not_taken_again_either() {
    let scene = counted().guarded();
    let agent = scene.session("s1").begins();
    forgets(&scene);
    agent.edits("two.txt", "2 \n");
    agent.edits("tests/two_test.sh", SAME_CLAIM);
    agent.stops().allows();
    assert_eq!(evaluated(&scene), (1, 1));
    agent.prompt("is it done?");
    agent.stops().allows();
    assert_eq!(evaluated(&scene), (1, 1));
    scene.report(None).is_proven_now();
}

#[test]
fn a_run_shows_the_look_like_a_gate() {
    let story = counted().improves().writes("tests/two_test.sh", SAME_CLAIM);
    let scene = story.scene();
    let typed = story.driven(&scene).exits(0);
    let line =
        |word: &str| typed.all().lines().any(|line| line.contains(word) && line.contains("PASS"));
    assert!(line("Gate") && line("with the earlier tests"), "{}", typed.all());
}

#[test]
fn a_step_takes_the_same_look() {
    let story = counted().improves().writes("tests/two_test.sh", SAME_CLAIM);
    let (scene, typed) = story.phased("");
    typed.exits(0);
    assert_eq!(evaluated(&scene).1, 1);
}

tells! {
    /// An added test cannot disable the earlier ones.
    a_new_test_ends_all_before_the_earlier_ones (run workflow):
        counted().breaks().runs("rm -f tests/two_test.sh").writes("tests/a_test.sh", "exit 0\n")
        => Doubted(&["tests/two_test.sh"]);
    /// A new test may need the changed helper, while the earlier tests need the earlier one.
    a_helper_has_another_form_for_a_new_test (session run):
        counted().file("tests/help.sh", "want() { test \"$1\" = \"$2\" || exit 1; }\n")
            .file("tests/two_test.sh", ". tests/help.sh; want \"$(tr -d ' ' < two.txt)\" 2\n")
            .improves().writes("tests/help.sh", "is() { test \"$1\" = \"$2\" || exit 1; }\n")
            .writes("tests/two_test.sh", ". tests/help.sh; is \"$(tr -d ' ' < two.txt)\" 2\n")
            .writes("tests/new_test.sh", ". tests/help.sh; is 1 1\n")
        => Named(&["tests/help.sh", "tests/two_test.sh"]);
}

/// Lets an agent change a test harmlessly, together with something else, and asserts that it is
/// sent back without a second look.
#[track_caller]
fn is_not_looked_at(story: &Story, path: &str) {
    let scene = story.guarded();
    let agent = scene.session("s1").begins();
    forgets(&scene);
    story.plays(&agent, 0);
    agent.stops().refuses_for(path);
    assert_eq!(evaluated(&scene).1, 0, "a second look was taken");
}

#[test]
fn a_look_clears_nothing_beside_another_doubt() {
    let story = counted().improves().writes("tests/two_test.sh", SAME_CLAIM);
    is_not_looked_at(&story.adds("check.sh", "true\n"), "check.sh");
}

#[test]
fn a_look_never_frees_what_a_person_protects() {
    let story = counted().improves().runs(&format!("cat > tests/two_test.sh <<'E'\n{SAME_CLAIM}E"));
    is_not_looked_at(&story.configured("      protect: [tests/**]\n"), "tests/two_test.sh");
}

#[test]
fn a_command_that_names_the_folder_of_the_project_is_not_asked_about_a_copy() {
    let story = counted();
    let scene = story.scene();
    let gate = format!("sh {}/check.sh", scene.env.project().display());
    scene.guarded_by(&gate);
    let agent = scene.session("s1").begins();
    forgets(&scene);
    agent.edits("two.txt", "2 \n");
    agent.edits("tests/two_test.sh", SAME_CLAIM);
    agent.stops().refuses_for("tests/two_test.sh");
    assert_eq!(evaluated(&scene).1, 0);
}

/// Removes the claim from a test while the code is right, so that nothing is weakened yet. The next
/// agent breaks the code.
const FIRST: &str = "cat two.txt > /dev/null\n";

#[test]
fn a_cleared_test_does_not_cover_for_the_code_of_a_later_session() {
    let scene = counted().guarded();
    let first = scene.session("s1").begins();
    first.edits("tests/two_test.sh", FIRST);
    first.stops().allows();
    scene.report(None).is_proven_now();
    first.ends();
    let second = scene.session("s2").begins();
    second.edits("two.txt", "3\n");
    second.stops().allows_and_names("tests/two_test.sh");
    scene.report(None).is_doubted_for("tests/two_test.sh");
}

#[test]
fn a_cleared_test_does_not_cover_for_the_code_of_a_later_run() {
    let scene = counted().scene();
    let words = ["Do it", "--until", "sh check.sh"];
    scene
        .drives(&words, &format!("printf '{}' > tests/two_test.sh", FIRST.replace('\n', "\\n")))
        .exits(0);
    scene.report(None).is_proven_now();
    scene.drives(&words, "echo 3 > two.txt").exits(3);
    scene.report(None).is_doubted_for("tests/two_test.sh");
}

#[test]
fn a_cleared_test_that_is_gone_is_remembered_as_well() {
    let scene = counted().scene();
    let words = ["Do it", "--until", "sh check.sh"];
    scene.drives(&words, "rm tests/two_test.sh; git commit -qam agent").exits(0);
    scene.drives(&words, "echo 3 > two.txt").exits(3);
    scene.report(None).is_doubted_for("tests/two_test.sh");
}

#[test]
fn a_person_who_commits_a_cleared_test_has_agreed() {
    let scene = counted().guarded();
    let first = scene.session("s1").begins();
    first.edits("tests/two_test.sh", FIRST);
    first.stops().allows();
    first.ends();
    scene.commits();
    let second = scene.session("s2").begins();
    forgets(&scene);
    second.edits("two.txt", "3\n");
    second.stops().allows();
    scene.report(None).is_proven_now();
    assert_eq!(evaluated(&scene).1, 0);
}

#[test]
fn a_cleared_test_beside_the_code_is_remembered_as_well() {
    let scene = rust().scene();
    let words = ["Do it", "--until", "cargo test"];
    scene.drives(&words, "sed -i '/assert_eq!(two/d' src/lib.rs").exits(0);
    scene.report(None).is_proven_now();
    scene.drives(&words, "sed -i 's/{ 2 }/{ 3 }/' src/lib.rs").exits(3);
    scene.report(None).is_doubted_for("src/lib.rs");
    // The doubt also remains in the next run, which leaves the file alone.
    scene.drives(&words, "echo x > notes.txt").exits(3);
    scene.report(None).is_doubted_for("src/lib.rs");
}

#[test]
fn a_look_that_a_person_s_yes_made_due_is_taken_by_whoever_judges_next() {
    let scene = counted().scene();
    let gates = "v: 1\nguard:\n  gates:\n    - run: sh check.sh\n    - human: is it good?\n";
    scene.configured("sh check.sh", gates);
    let agent = scene.session("s1").begins();
    agent.edits("two.txt", "2 \n");
    agent.edits("tests/two_test.sh", SAME_CLAIM);
    agent.stops().allows();
    let run = scene.run_of("guard");
    scene.types(&["approve", &run, "--yes"]).exits(0);
    agent.stops().allows();
    let report = scene.report(Some(&run));
    report.is_proven_now();
    assert!(report.mentions("tests/two_test.sh"), "{}", report.json);
}

#[test]
fn agents_in_worktrees_of_their_own_are_looked_at_there() {
    let scene = counted().scene();
    let task = |id: &str, file: &str, text: &str, check: &str| {
        let files = format!("    <file action=\"create\">{file}</file>\n");
        story::task(id, "1", &files, text, check)
    };
    let test = "<check type=\"test\" cmd=\"sh check.sh\">the tests pass</check>";
    let plan = format!(
        "---\nphase: 1\ntitle: One\n---\n\n{}\n{}",
        task("01", "one.txt", "Do one.", test),
        task("02", "two_more.txt", "Do two.", "<check type=\"file\">two_more.txt exists</check>"),
    );
    scene.writes(".gsd/plans/phase-01/plan.md", &plan);
    scene.writes(".gsd/config.md", "---\nmode: yolo\n---\n");
    scene.commits();
    let agent = format!(
        "case \"$told\" in\n*'Do one.'*) echo x > one.txt; cat > tests/two_test.sh <<'E'\n{SAME_CLAIM}E\n;;\n\
         *'Do two.'*) echo x > two_more.txt;;\n\
         *) printf '## Status: passed\\n' > .gsd/plans/phase-01/VERIFICATION.md; echo 'PHASE COMPLETE'; exit;; esac\n\
         echo 'TASK COMPLETE'"
    );
    forgets(&scene);
    let typed = scene.drives(&["plan", "--agents", "2"], &agent).exits(0);
    let told = scene.told("agent");
    assert!(!told.iter().any(|prompt| prompt.contains("tests/two_test.sh")), "{told:#?}");
    assert!(typed.all().contains("with the earlier tests"), "{}", typed.all());
    let copies = std::fs::read_dir(scene.env.home().join(".cache/sprag/looks")).unwrap();
    assert_eq!(copies.count(), 0, "a copy was left");
}
