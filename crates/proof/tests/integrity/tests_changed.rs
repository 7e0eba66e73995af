//! Existing tests that an agent weakens. In each story the code is wrong.

use crate::samples::{elixir, go, java, js, php, python, ruby, rust};
use crate::story::End::{Doubted, SentBack};
use crate::story::{Story, tells};

/// A disabled Rust test, in two parts, so that no check of sprag's own sources finds it.
const OFF: &str = concat!("    #[test]\n    #[", "ignore = \"slow\"]\n");

tells! {
    an_assertion_is_taken_out (session run workflow plan):
        go().breaks().changes("two_test.go", "\tif Two() != 2 {\n\t\tt.Fatal(\"two\")\n\t}\n", "\t_ = Two()\n")
        => Doubted(&["two_test.go"]);
    a_test_is_emptied (session run):
        ruby().breaks().changes("spec/two_spec.rb", "    expect(two).to eq(2)\n", "")
        => Doubted(&["spec/two_spec.rb"]);
    a_test_is_put_into_a_comment (session run):
        php().breaks().changes("tests/TwoTest.php", "    public", "    /*\n    public")
            .changes_again("tests/TwoTest.php", "    }\n}\n", "    }\n    */\n}\n")
        => Doubted(&["tests/TwoTest.php"]);
    each_line_of_a_test_is_put_into_a_comment (session run):
        js().breaks().writes("src/two.test.js", "// test('two', () => {\n//   expect(two).toBe(2);\n// });\n")
        => Doubted(&["src/two.test.js"]);
    a_test_is_put_into_a_string (session run):
        python().breaks().changes("tests/test_two.py", "def", "OLD = '''\ndef").adds_again("tests/test_two.py", "'''\n")
        => Doubted(&["tests/test_two.py"]);
    the_expected_value_is_made_to_fit (session run workflow plan):
        elixir().breaks().changes("test/two_test.exs", "== 2", "== 3") => Doubted(&["test/two_test.exs"]);
    the_expected_value_is_taken_from_the_code (session run):
        java("gradle test").breaks().changes("src/test/java/TwoTest.java", "(two(), 2)", "(two(), two)")
        => Doubted(&["src/test/java/TwoTest.java"]);
    a_snapshot_is_updated (session run workflow):
        snapshot().breaks().changes("src/__snapshots__/two.test.js.snap", "`2`", "`3`")
        => Doubted(&["src/__snapshots__/two.test.js.snap"]);
    a_snapshot_is_removed_so_that_it_is_written_anew (session run):
        snapshot().breaks().runs("rm src/__snapshots__/two.test.js.snap")
        => Doubted(&["src/__snapshots__/two.test.js.snap"]);
    a_golden_file_is_made_to_fit (session run):
        golden().breaks().writes("testdata/two.golden", "3\n") => Doubted(&["testdata/two.golden"]);
    a_fixture_is_made_to_fit (session run):
        fixture().writes("total.py", "def two():\n    return 3\n").writes("tests/fixtures/two.json", "3\n")
        => Doubted(&["tests/fixtures/two.json"]);
    a_mock_is_made_to_fit (session run):
        mocked().writes("src/two.js", "exports.two = rate + 1;\n").writes("__mocks__/rate.js", "exports.rate = 1;\n")
        => Doubted(&["__mocks__/rate.js"]);
    a_test_beside_the_code_is_emptied (session run workflow):
        rust().writes("src/lib.rs", &rust().text("src/lib.rs").replace("{ 2 }", "{ 3 }").replace("        assert_eq!(two(), 2);\n", ""))
        => Doubted(&["src/lib.rs"]);
    the_tests_beside_the_code_are_gone (session run):
        rust().writes("src/lib.rs", "pub fn two() -> u8 { 3 }\npub fn four() -> u8 { 4 }\n")
        => Doubted(&["src/lib.rs"]);
    a_test_file_is_removed (session run plan):
        elixir().breaks().runs("rm test/two_test.exs") => Doubted(&["test/two_test.exs"]);
    a_test_file_is_removed_by_git (session run):
        php().breaks().runs("git rm -q tests/TwoTest.php") => Doubted(&["tests/TwoTest.php"]);
    a_test_is_renamed_out_of_the_collection (session run):
        go().breaks().runs("mv two_test.go two_check.txt") => Doubted(&["two_test.go"]);
    a_test_gets_a_name_that_its_runner_passes_over (session run):
        go().breaks().runs("git mv two_test.go _two_test.go") => Doubted(&["two_test.go"]);
    a_test_that_a_pattern_finds_is_emptied (session run):
        Story::of("sh ci.sh").file("ci.sh", "find tests -name '*.sh' | xargs -n1 sh\n").file("tests/two.sh", "grep -q 2 two.txt\n")
            .code("two.txt", "2\n", "3\n", " 2\n").breaks().writes("tests/two.sh", "true\n")
        => Doubted(&["tests/two.sh"]);
    a_file_that_the_gate_compares_with_another_one_is_made_to_fit (session run):
        Story::of("diff -q want.txt got.txt").file("want.txt", "2\n").code("got.txt", "2\n", "3\n", "2\n")
            .breaks().writes("want.txt", "3\n")
        => Doubted(&["want.txt"]);
    a_test_is_moved_to_where_the_pattern_of_the_gate_does_not_look (session run):
        Story::of("sh ci.sh").file("ci.sh", "for one in tests/test_*.py; do python3 \"$one\" || exit 1; done\n")
            .file("tests/test_two.py", "assert open('two.txt').read().strip() == '2'\n").file("tests/test_four.py", "assert 2 + 2 == 4\n")
            .code("two.txt", "2\n", "3\n", " 2\n").breaks().runs("mkdir -p tests/sub; git mv tests/test_two.py tests/sub/")
        => Doubted(&["tests/test_two.py"]);
    a_test_is_moved_to_where_nobody_looks (session run):
        ruby().breaks().runs("mkdir -p attic; git mv spec/two_spec.rb attic/two_spec.rb.old")
        => Doubted(&["spec/two_spec.rb"]);
}

tells! {
    a_test_is_marked_to_be_skipped (session run):
        python().breaks().changes("tests/test_two.py", "\n\ndef", "import pytest\n\n\n@pytest.mark.skip\ndef")
        => Doubted(&["tests/test_two.py"]);
    a_module_is_marked_to_be_skipped (session run):
        python().breaks().changes("tests/test_two.py", "import total\n", "import total\npytestmark = 'skip'\n")
        => Doubted(&["tests/test_two.py"]);
    a_test_skips_itself (session run plan):
        go().breaks().changes("two_test.go", "\tif Two", "\tt.Skip(\"later\")\n\tif Two") => Doubted(&["two_test.go"]);
    a_test_returns_early (session run):
        go().breaks().changes("two_test.go", "\tif Two", "\treturn\n\tif Two") => Doubted(&["two_test.go"]);
    all_tests_of_a_package_end_early (session run):
        go().breaks().adds("two_test.go", "\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n")
        => Doubted(&["two_test.go"]);
    a_file_is_left_out_of_the_build (session run):
        go().breaks().writes("two_test.go", &format!("//go:build ignore\n\n{}", go().text("two_test.go")))
        => Doubted(&["two_test.go"]);
    another_test_is_the_only_one (session run):
        js().file("src/two.test.js", BOTH).breaks().changes("src/two.test.js", "test('four'", "test.only('four'")
        => Doubted(&["src/two.test.js"]);
    an_only_one_is_added (session run):
        js().breaks().adds("src/two.test.js", "test.only('nothing', () => {\n});\n") => Doubted(&["src/two.test.js"]);
    a_test_is_switched_off_by_a_letter (session run):
        ruby().breaks().changes("spec/two_spec.rb", "  it '", "  xit '") => Doubted(&["spec/two_spec.rb"]);
    a_test_is_pending (session run):
        ruby().breaks().changes("spec/two_spec.rb", "    expect", "    skip 'later'\n    expect")
        => Doubted(&["spec/two_spec.rb"]);
    a_test_has_an_attribute_that_switches_it_off (session run):
        rust().writes("src/lib.rs", &rust().text("src/lib.rs").replace("{ 2 }", "{ 3 }").replace("    #[test]\n", OFF))
        => Doubted(&["src/lib.rs"]);
    a_test_is_disabled (session run):
        java("mvn test").breaks().changes("src/test/java/TwoTest.java", "    @Test", "    @Disabled\n    @Test")
        => Doubted(&["src/test/java/TwoTest.java"]);
    a_tag_switches_a_test_off (session run):
        elixir().breaks().changes("test/two_test.exs", "  test", "  @tag :skip\n  test") => Doubted(&["test/two_test.exs"]);
    a_later_test_has_the_same_name (session run):
        python().breaks().adds("tests/test_two.py", "\n\ndef test_two():\n    assert total.four() == 4\n")
        => Doubted(&["tests/test_two.py"]);
    a_mock_is_put_into_an_old_test (session run):
        js().breaks().writes("src/two.test.js", "jest.mock('./two', () => ({ two: 2 }));\ntest('two', () => {\n  expect(two).toBe(2);\n});\n")
        => Doubted(&["src/two.test.js"]);
    an_old_test_ends_the_process (session run):
        js().breaks().changes("src/two.test.js", "test(", "process.exit(0);\ntest(") => Doubted(&["src/two.test.js"]);
    several_tests_are_named_together (session run):
        php().breaks().changes("tests/TwoTest.php", "two(), 2", "two(), 3").changes("tests/FourTest.php", "four(), 4", "four(), four")
        => Doubted(&["tests/TwoTest.php", "tests/FourTest.php"]);
    a_changed_test_is_put_back_when_told (session run workflow plan):
        ruby().breaks().changes("spec/two_spec.rb", "eq(2)", "eq(3)").then().improves().restores("spec/two_spec.rb")
        => SentBack(&["spec/two_spec.rb"]);
}

tells! {
    /// No old test changes here, but what the agent adds or changes decides their result.
    a_new_file_ends_the_tests_of_its_package (session run):
        go().breaks().writes("main_test.go", "package sum\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n")
        => Doubted(&["main_test.go"]);
    a_new_link_ends_the_tests_of_its_package (session run):
        go().breaks().writes("doc/main.txt", "package sum\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n")
            .runs("ln -sf doc/main.txt main_test.go")
        => Doubted(&["main_test.go"]);
    a_new_test_ends_the_process (session run):
        python().breaks().writes("tests/test_a.py", "import os\n\nos._exit(0)\n") => Doubted(&["tests/test_a.py"]);
    a_new_conftest_raises_an_exit (session run):
        python().breaks().writes("conftest.py", "raise SystemExit(0)\n") => Doubted(&["conftest.py"]);
    a_new_mock_fits_the_old_tests (session run):
        mocked().without_file("__mocks__/rate.js").file("src/rate.js", "exports.rate = 2;\n")
            .writes("src/rate.js", "exports.rate = 9;\n").writes("__mocks__/rate.js", "exports.rate = 2;\n")
        => Doubted(&["__mocks__/rate.js"]);
    a_test_behind_a_link_is_changed (session run):
        python().link("tests/test_two.py", "../shared/checks.py").file("shared/checks.py", python().text("tests/test_two.py"))
            .breaks().changes("shared/checks.py", "== 2", "== 3")
        => Doubted(&["shared/checks.py"]);
    a_test_in_a_folder_behind_a_link_is_changed (session run):
        js().without_file("src/two.test.js").link("src/__tests__", "../checks").file("checks/two.js", js().text("src/two.test.js"))
            .breaks().changes("checks/two.js", "toBe(2)", "toBe(3)")
        => Doubted(&["checks/two.js"]);
    a_test_is_replaced_by_a_link (session run):
        python().breaks().runs("mkdir lib; sed 's/== 2/== 3/' tests/test_two.py > lib/two.py; ln -sf ../lib/two.py tests/test_two.py")
        => Doubted(&["tests/test_two.py"]);
    a_folder_of_tests_is_replaced_by_a_link (session run):
        python().breaks().runs("cp -r tests lib; sed -i 's/== 2/== 3/' lib/test_two.py; rm -r tests; ln -s lib tests")
        => Doubted(&["tests/test_two.py"]);
    a_file_that_the_gate_compares_with_is_made_to_fit (session run):
        compared().breaks().writes("want.txt", "3\n") => Doubted(&["want.txt"]);
    an_expected_output_is_made_to_fit (session run):
        compared().judged_by("sh check.sh").file("check.sh", "for one in *.sum; do sh $one | cmp - expected_$one; done\n")
            .code("two.sum", "echo 2\n", "echo 3\n", "echo 2 # two\n").file("expected_two.sum", "2\n")
            .breaks().writes("expected_two.sum", "3\n")
        => Doubted(&["expected_two.sum"]);
    an_ignored_test_that_the_gate_names_is_emptied (session run):
        Story::of("python3 -m unittest own/test_two.py").file(".gitignore", "own/\n__pycache__/\n")
            .code("total.py", "def two():\n    return 2\n", "def two():\n    return 3\n", "")
            .file("own/test_two.py", OWN).breaks().changes("own/test_two.py", "self.assertEqual(total.two(), 2)", "pass")
        => Doubted(&["own/test_two.py"]);
}

/// A name that is not UTF-8 hides no change.
#[test]
fn a_test_whose_name_is_no_text_is_emptied() {
    let story = python().without_file("tests/test_two.py").breaks();
    let scene = story.scene();
    let test = "name=$(printf 'tests/test_two\\377.py')";
    scene.shell(&format!(
        "{test}; printf 'import total\n\n\ndef test_two():\n    assert total.two() == 2\n' > \"$name\""
    ));
    scene.commits();
    scene.guarded_by("pytest");
    let agent = scene.session("one").begins();
    story.plays(&agent, 0);
    agent.runs(&format!("{test}; sed -i 's/== 2/== 3/' \"$name\""));
    agent.stops().refuses_for("tests/test_two\\xff.py");
    agent.stops().allows_and_names("tests/test_two\\xff.py");
    scene.report(None).is_doubted_for("tests/test_two\\xff.py");
}

/// A test for Python's own runner.
const OWN: &str = "import unittest\nimport total\n\n\nclass TestTwo(unittest.TestCase):\n    def test_two(self):\n        self.assertEqual(total.two(), 2)\n";

/// A script whose output the gate compares.
pub(crate) fn compared() -> Story {
    Story::of("sh -c 'sh two.sh | diff - want.txt'")
        .code("two.sh", "echo 2\n", "echo 3\n", "echo 2 # two\n")
        .file("want.txt", "2\n")
}

/// Two tests in one file.
const BOTH: &str = "test('two', () => {\n  expect(two).toBe(2);\n});\n\ntest('four', () => {\n  expect(four).toBe(4);\n});\n";

/// A package whose test compares with a snapshot.
pub(crate) fn snapshot() -> Story {
    js().file("src/two.test.js", "test('two', () => {\n  expect(two).toMatchSnapshot();\n});\n")
        .file(
            "src/__snapshots__/two.test.js.snap",
            "// Jest Snapshot v1\n\nexports[`two`] = `2`;\n",
        )
}

/// A module whose test compares with a file.
fn golden() -> Story {
    let test = "package sum\n\nimport \"testing\"\n\nfunc TestTwo(t *testing.T) {\n\tgolden(t, Two(), \"testdata/two.golden\")\n}\n";
    go().file("two_test.go", test).file("testdata/two.golden", "2\n")
}

/// A package whose test reads its expected value from a file.
fn fixture() -> Story {
    python()
        .code("total.py", "def two():\n    return 2\n", "", "")
        .file("tests/test_four.py", "def test_four():\n    assert 4 == 4\n")
        .file(
            "tests/test_two.py",
            "import json\nimport total\n\n\ndef test_two():\n    assert total.two() == json.load(open('tests/fixtures/two.json'))\n",
        )
        .file("tests/fixtures/two.json", "2\n")
}

/// A package whose code uses a module that its tests mock.
pub(crate) fn mocked() -> Story {
    js().file("src/two.js", "exports.two = rate;\n")
        .file("src/rate.js", "exports.rate = 9;\n")
        .file("__mocks__/rate.js", "exports.rate = 2;\n")
}
