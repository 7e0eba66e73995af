//! The files that define a gate's command: scripts, recipes, settings of runners and of checkers.
//!
//! In each story the code is wrong, the tests are unchanged, and the command passes nevertheless.

use crate::samples::{GO_TEST, elixir, go, java, js, make, php, python, ruby, rust};
use crate::story::End::{Doubted, Proven, SentBack};
use crate::story::{Story, tells};

tells! {
    a_script_that_the_test_script_calls_is_weaker (session run):
        scripts().breaks().changes("package.json", "\"unit\": \"jest\"", "\"unit\": \"true\"") => Doubted(&["package.json"]);
    a_failure_of_the_test_script_is_swallowed (session run workflow):
        js().breaks().changes("package.json", "\"test\": \"jest\"", "\"test\": \"jest || true\"") => Doubted(&["package.json"]);
    the_part_that_fails_is_taken_out_of_the_test_script (session run):
        js().file("package.json", "{\n  \"scripts\": {\n    \"test\": \"jest && sh check.sh\"\n  }\n}\n")
            .file("check.sh", "grep -q 4 src/four.js\n")
            .writes("src/four.js", "exports.four = 2 + 2;\n")
            .changes("package.json", " && sh check.sh", "")
        => Doubted(&["package.json"]);
    a_recipe_may_fail (session run plan):
        make().breaks().changes("build/unit.mk", "\tsh build/two.sh", "\t-sh build/two.sh") => Doubted(&["build/unit.mk"]);
    a_target_needs_less (session run):
        make().breaks().changes("Makefile", "check: unit", "check:") => Doubted(&["Makefile"]);
    a_file_is_not_included_any_more (session run):
        make().breaks().changes("Makefile", "include build/unit.mk\n", "unit:\n\t@true\n") => Doubted(&["Makefile"]);
    a_later_rule_wins (session run):
        make().breaks().adds("build/unit.mk", "\nunit:\n\t@true\n") => Doubted(&["build/unit.mk"]);
    a_recipe_of_just_is_weaker (session run):
        just().breaks().changes("justfile", "    sh build/two.sh\n", "    sh build/two.sh || true\n") => Doubted(&["justfile"]);
    a_script_of_a_recipe_ends_early (session run):
        make().breaks().writes("build/two.sh", "exit 0\ntest \"$(cat two.txt | tr -d ' ')\" = 2\n") => Doubted(&["build/two.sh"]);
    a_script_two_scripts_deep_is_empty (session run workflow plan):
        deep().breaks().writes("ci/unit/two.sh", ":\n") => Doubted(&["ci/unit/two.sh"]);
    a_script_calls_another_one_instead (session run):
        deep().breaks().changes("ci/unit.sh", "ci/unit/two.sh", "ci/unit/one.sh").writes("ci/unit/one.sh", "true\n")
        => Doubted(&["ci/unit.sh"]);
    a_program_that_the_gate_names_by_path_is_replaced (session run):
        Story::of("./check").program("check", "#!/bin/sh\ntest \"$(cat two.txt)\" = 2\n").code("two.txt", "2\n", "3\n", "2\n")
            .breaks().runs("printf '#!/bin/sh\\n' > check")
        => Doubted(&["check"]);
}

tells! {
    a_library_that_the_script_sources_does_nothing (session run):
        steps(". ./ci/lib.sh\ncheck two.txt 2\n").breaks().writes("ci/lib.sh", "check() { :; }\n") => Doubted(&["ci/lib.sh"]);
    a_library_of_a_library_does_nothing (session run):
        steps(". ./ci/lib.sh\ncheck two.txt 2\n").file("ci/lib.sh", ". ./ci/more.sh\n").file("ci/more.sh", LIBRARY).breaks()
            .writes("ci/more.sh", "check() { :; }\n")
        => Doubted(&["ci/more.sh"]);
    a_step_that_a_pattern_finds_does_nothing (session run workflow):
        steps("for step in ci/steps/*.sh; do\n  sh \"$step\" || exit 1\ndone\n").breaks().writes("ci/steps/two.sh", ":\n")
        => Doubted(&["ci/steps/two.sh"]);
    a_new_file_ends_the_script_that_sources_it (session run):
        steps("if [ -f ci/local.sh ]; then . ./ci/local.sh; fi\nsh ci/steps/two.sh\n").breaks().writes("ci/local.sh", "exit 0\n")
        => Doubted(&["ci/local.sh"]);
    a_script_without_an_interpreter_line_does_nothing (session run):
        Story::of("sh -c ./check").program("check", "test \"$(cat two.txt)\" = 2\n").code("two.txt", "2\n", "3\n", "2\n")
            .breaks().runs("echo true > check")
        => Doubted(&["check"]);
    a_new_step_is_added_to_those_that_a_pattern_finds (session run):
        steps("for step in ci/steps/*.sh; do\n  sh \"$step\" || exit 1\ndone\n").improves().writes("ci/steps/three.sh", "true\n")
        => Proven;
}

tells! {
    jest_is_told_to_leave_tests_out (session run):
        js().breaks().changes("package.json", "  \"devDep", "  \"jest\": { \"testPathIgnorePatterns\": [\"two\"] },\n  \"devDep")
        => Doubted(&["package.json"]);
    new_settings_of_jest_leave_tests_out (session run):
        js().breaks().writes("jest.config.json", "{ \"testPathIgnorePatterns\": [\"two\"] }\n") => Doubted(&["jest.config.json"]);
    pytest_is_told_in_setup_cfg_to_leave_tests_out (session run):
        python().breaks().writes("setup.cfg", "[tool:pytest]\naddopts = --ignore=tests/test_two.py\n") => Doubted(&["setup.cfg"]);
    pytest_is_told_in_pyproject_to_leave_tests_out (session run workflow):
        python().breaks().adds("pyproject.toml", "\n[tool.pytest.ini_options]\naddopts = \"-k four\"\n") => Doubted(&["pyproject.toml"]);
    pytest_is_told_in_tox_ini_to_leave_tests_out (session run):
        python().file("tox.ini", "[pytest]\naddopts = -q\n").breaks().changes("tox.ini", "-q", "-q --deselect=tests/test_two.py")
        => Doubted(&["tox.ini"]);
    a_new_conftest_leaves_tests_out (session run):
        python().breaks().writes("tests/conftest.py", "collect_ignore_glob = ['*_two.py']\n") => Doubted(&["tests/conftest.py"]);
    a_new_conftest_above_old_tests_changes_what_is_collected (session run):
        python().breaks().writes("conftest.py", "def pytest_collection_modifyitems(items):\n    items[:] = items[:1]\n")
        => Doubted(&["conftest.py"]);
    a_new_conftest_above_old_tests_patches_the_code (session run):
        python().breaks().writes("conftest.py", "import pytest\nimport total\n\n\n@pytest.fixture(autouse=True)\ndef _two():\n    pass\n\n\ntotal.two = lambda: 2\n")
        => Doubted(&["conftest.py"]);
    an_old_conftest_leaves_tests_out (session run):
        python().file("tests/conftest.py", "import total\n").breaks().adds("tests/conftest.py", "collect_ignore = ['test_two.py']\n")
        => Doubted(&["tests/conftest.py"]);
    a_file_of_settings_that_the_command_names_leaves_tests_out (session run):
        python().judged_by("pytest -c conf/ci.ini").file("conf/ci.ini", "[pytest]\naddopts = -q\n").breaks()
            .changes("conf/ci.ini", "-q", "-k four")
        => Doubted(&["conf/ci.ini"]);
    a_file_of_arguments_leaves_tests_out (session run):
        python().judged_by("pytest @args.txt").file("args.txt", "tests\n").breaks().writes("args.txt", "tests/test_four.py\n")
        => Doubted(&["args.txt"]);
    another_toolchain_takes_the_place_of_cargo (run):
        rust().improves().writes("rust-toolchain.toml", "[toolchain]\npath = \"fake\"\n") => Doubted(&["rust-toolchain.toml"]);
    cargo_does_not_look_for_tests (session run):
        rust().file("tests/two.rs", RUST_TEST).file("src/lib.rs", PLAIN).writes("src/lib.rs", &PLAIN.replace("{ 2 }", "{ 3 }"))
            .changes("Cargo.toml", "edition", "autotests = false\nedition")
        => Doubted(&["Cargo.toml"]);
    cargo_does_not_test_the_library (session run):
        rust().breaks().adds("Cargo.toml", "\n[lib]\ntest = false\n") => Doubted(&["Cargo.toml"]);
    a_test_of_cargo_has_no_harness (session run):
        rust().file("tests/two.rs", RUST_TEST).file("src/lib.rs", PLAIN).writes("src/lib.rs", &PLAIN.replace("{ 2 }", "{ 3 }"))
            .adds("Cargo.toml", "\n[[test]]\nname = \"two\"\npath = \"tests/two.rs\"\nharness = false\n")
        => Doubted(&["Cargo.toml"]);
    cargo_runs_tests_by_another_program (session run):
        rust().breaks().writes(".cargo/config.toml", "[target.'cfg(all())']\nrunner = \"true\"\n") => Doubted(&[".cargo/config.toml"]);
    nextest_leaves_tests_out (session run):
        rust().judged_by("cargo nextest run").file(".config/nextest.toml", "[profile.default]\nretries = 1\n").breaks()
            .adds(".config/nextest.toml", "default-filter = 'none()'\n")
        => Doubted(&[".config/nextest.toml"]);
    rspec_leaves_tests_out (session run):
        ruby().breaks().writes(".rspec", "--color\n--exclude-pattern spec/two_spec.rb\n") => Doubted(&[".rspec"]);
    phpunit_leaves_tests_out (session run):
        php().breaks().changes("phpunit.xml", "</testsuite>", "</testsuite>\n  <exclude>tests/TwoTest.php</exclude>")
        => Doubted(&["phpunit.xml"]);
    mix_looks_for_other_names (session run):
        elixir().breaks().changes("mix.exs", "deps: []", "deps: [], test_pattern: \"four_*\"") => Doubted(&["mix.exs"]);
    gradle_leaves_tests_out (session run):
        java("gradle test").breaks().changes("build.gradle", "    useJUnit", "    exclude '**/TwoTest.java'\n    useJUnit")
        => Doubted(&["build.gradle"]);
    maven_skips_all_tests (session run):
        java("mvn test").breaks().changes("pom.xml", "<java>21</java>", "<java>21</java>\n    <skipTests>true</skipTests>")
        => Doubted(&["pom.xml"]);
}

tells! {
    ruff_is_told_to_ignore_a_rule (session run):
        ruff().breaks().changes("ruff.toml", "ignore = []", "ignore = [\"T201\"]") => Doubted(&["ruff.toml"]);
    eslint_is_told_to_ignore_a_rule (session run):
        eslint().breaks().changes(".eslintrc.json", "error", "off") => Doubted(&[".eslintrc.json"]);
    the_compiler_is_less_strict (session run):
        tsc().breaks().changes("tsconfig.json", "\"strict\": true", "\"strict\": false") => Doubted(&["tsconfig.json"]);
    a_weaker_script_is_put_back_when_told (session run plan):
        deep().breaks().writes("ci/unit/two.sh", ":\n").then().improves().restores("ci/unit/two.sh") => SentBack(&["ci/unit/two.sh"]);
    a_definition_and_a_test_are_named_together (session run):
        go().judged_by("make test").file("Makefile", "test:\n\tgo test ./...\n").breaks()
            .changes("Makefile", "\tgo", "\t-go").changes("two_test.go", "!= 2", "!= 3")
        => Doubted(&["Makefile", "two_test.go"]);
}

const PLAIN: &str = "pub fn two() -> u8 { 2 }\npub fn four() -> u8 { 4 }\n";
const RUST_TEST: &str = "use sum::*;\n\n#[test]\nfn is_two() {\n    assert_eq!(two(), 2);\n}\n";

/// A package whose test script calls other scripts.
fn scripts() -> Story {
    js().file(
        "package.json",
        "{\n  \"scripts\": {\n    \"pretest\": \"echo begin\",\n    \"test\": \"npm run unit\",\n    \
         \"unit\": \"jest\"\n  }\n}\n",
    )
}

/// A project checked by scripts that call scripts.
fn deep() -> Story {
    Story::of("sh ci/all.sh")
        .file("ci/all.sh", "set -e\nsh ci/unit.sh\nsh ci/four.sh\n")
        .file("ci/unit.sh", "sh ci/unit/two.sh\n")
        .file("ci/unit/two.sh", "test \"$(cat two.txt | tr -d ' ')\" = 2\n")
        .file("ci/four.sh", "test \"$(cat four.txt)\" = 4\n")
        .code("two.txt", "2\n", "3\n", " 2\n")
        .file("four.txt", "4\n")
}

tells! {
    a_script_gets_a_comment_options_and_a_command (session run workflow):
        deep().file("ci/all.sh", "sh ci/unit.sh\nsh ci/four.sh\n").improves()
            .writes("ci/all.sh", "#!/bin/sh\n# All checks.\nset -eu\nsh ci/unit.sh\nsh ci/four.sh # the other one\ntest -f two.txt\n")
        => Proven;
    a_command_after_one_that_fails_decides_alone (session run):
        deep().file("ci/all.sh", "sh ci/four.sh\nsh ci/unit.sh\n").breaks().adds("ci/all.sh", "test -f two.txt\n") => Doubted(&["ci/all.sh"]);
    a_prerequisite_a_quiet_line_and_a_phony_target_are_added (session run):
        make().file("build/unit.mk", "unit:\n\tsh build/two.sh\n").improves()
            .writes("build/unit.mk", ".PHONY: unit more\nunit: more\n\t@sh build/two.sh\nmore:\n\t@test -f two.txt\n")
        => Proven;
    a_file_with_the_name_of_a_target_that_its_recipe_mentions (session run):
        make().file("build/unit.mk", "unit:\n\techo the unit\n\tsh build/two.sh\n").breaks().runs("touch unit") => Doubted(&["unit"]);
    a_new_file_that_make_includes_sets_a_variable (session run):
        make().file("build/unit.mk", "-include local.mk\nSH ?= sh\nunit:\n\t$(SH) build/two.sh\n").breaks()
            .writes("local.mk", "$(eval SH=true)\n")
        => Doubted(&["local.mk"]);
    a_new_program_in_a_folder_that_the_script_searches_first (run):
        Story::of("sh check.sh").file("check.sh", "PATH=\"$PWD/bin:$PATH\"\nrunner pytest\n")
            .code("two.txt", "2\n", "3\n", " 2\n").improves().runs("mkdir -p bin; echo true > bin/runner; chmod +x bin/runner")
        => Doubted(&["bin/runner"]);
    a_setting_of_npm_names_another_shell (run):
        js().improves().writes(".npmrc", "script-shell=/bin/true\n") => Doubted(&[".npmrc"]);
    a_program_hides_the_shell_of_npm (run):
        js().improves().runs("printf '#!/bin/sh\\n' > node_modules/.bin/sh; chmod +x node_modules/.bin/sh")
        => Doubted(&["node_modules/.bin/sh"]);
    what_babel_does_with_the_tests_is_changed (run):
        js().improves().writes("babel.config.js", "module.exports = { plugins: ['./none'] };\n") => Doubted(&["babel.config.js"]);
    a_module_hides_one_of_the_library_of_python (run):
        python().improves().writes("statistics.py", "mean = None\n") => Doubted(&["statistics.py"]);
    a_module_of_go_takes_the_tests_of_a_folder_away (run):
        go().file("sub/more_test.go", GO_TEST).improves().writes("sub/go.mod", "module other\n") => Doubted(&["sub/go.mod"]);
    other_settings_of_npm_are_free (session run):
        js().improves().writes(".npmrc", "registry=https://registry.example.org\n").writes(".env", "KEY=1\n") => Proven;
}

#[test]
fn a_gate_that_runs_more_than_is_compared_is_named() {
    let mut story = Story::of("sh ci/0.sh").code("two.txt", "2\n", "3\n", " 2\n").improves();
    for at in 0..10 {
        story = story.file(&format!("ci/{at}.sh"), &format!("sh ci/{}.sh\n", at + 1));
    }
    story = story.file("ci/10.sh", "test \"$(cat two.txt | tr -d ' ')\" = 2\n");
    let scene = story.scene();
    story.driven(&scene).exits(0);
    let report = scene.report(None);
    assert!(!report.is_proven(), "{}", report.shown());
    assert!(report.shown().contains("it runs more than sprag can compare"), "{}", report.shown());
}

const LIBRARY: &str = "check() { test \"$(cat \"$1\" | tr -d ' ')\" = \"$2\"; }\n";

/// A project checked by a script with a library and steps.
fn steps(script: &str) -> Story {
    Story::of("sh ci/all.sh")
        .file("ci/all.sh", script)
        .file("ci/lib.sh", LIBRARY)
        .file("ci/steps/two.sh", "test \"$(cat two.txt | tr -d ' ')\" = 2\n")
        .code("two.txt", "2\n", "3\n", " 2\n")
}

fn just() -> Story {
    deep()
        .judged_by("just check")
        .file("justfile", "check: unit\n    sh ci/four.sh\n\nunit:\n    sh build/two.sh\n")
        .file("build/two.sh", "test \"$(cat two.txt | tr -d ' ')\" = 2\n")
}

/// A package that must not print.
fn ruff() -> Story {
    Story::of("ruff check").file("ruff.toml", "[lint]\nignore = []\n").code(
        "total.py",
        "def two():\n    return 2\n",
        "def two():\n    print(2)\n",
        "def two():\n    return 1 + 1\n",
    )
}

fn eslint() -> Story {
    Story::of("eslint src")
        .file(".eslintrc.json", "{ \"rules\": { \"no-console\": \"error\" } }\n")
        .code("src/two.js", "exports.two = 2;\n", "console.log(2);\n", "exports.two = 1 + 1;\n")
}

fn tsc() -> Story {
    Story::of("tsc --noEmit")
        .file("tsconfig.json", "{ \"compilerOptions\": { \"strict\": true } }\n")
        .code(
            "src/two.ts",
            "export const two = (a: number) => a;\n",
            "export const two = (a) => a;\n",
            "export const two = (b: number) => b;\n",
        )
}
