//! Runners and checkers with settings of their own, and honest work in those files.
//!
//! In each dishonest story the code is wrong, and the command passes nevertheless.

use crate::samples::{GO_TEST, go, java, js, make, php, python, rust};
use crate::scene::Scene;
use crate::story::End::{Doubted, Proven, SentBack};
use crate::story::{Story, tells};

tells! {
    a_script_of_pnpm_is_weaker (session run):
        js().judged_by("pnpm test").breaks().changes("package.json", "\"jest\"", "\"jest || true\"") => Doubted(&["package.json"]);
    a_script_of_yarn_is_weaker (session run):
        js().judged_by("yarn test").breaks().changes("package.json", "\"test\": \"jest\"", "\"test\": \"echo ok\"") => Doubted(&["package.json"]);
    a_script_of_bun_is_weaker (session run):
        js().judged_by("bun run test").breaks().changes("package.json", "\"test\": \"jest\"", "\"test\": \"jest; true\"")
        => Doubted(&["package.json"]);
    a_task_of_deno_is_weaker (session run):
        deno().breaks().changes("deno.json", "\"deno test\"", "\"deno test || true\"") => Doubted(&["deno.json"]);
    deno_leaves_tests_out (session run):
        deno().breaks().changes("deno.json", "\"test\": {}", "\"test\": { \"exclude\": [\"two\"] }") => Doubted(&["deno.json"]);
    a_script_of_composer_does_less (session run):
        composer().breaks().changes("composer.json", "\"phpunit\", ", "") => Doubted(&["composer.json"]);
    an_interpreter_is_given_the_runner (session run):
        php().judged_by("sh vendor/bin/phpunit").breaks()
            .changes("phpunit.xml", "</testsuite>", "</testsuite>\n  <exclude>tests/TwoTest.php</exclude>")
        => Doubted(&["phpunit.xml"]);
    vitest_leaves_tests_out (session run):
        vitest().breaks().changes("vitest.config.ts", "globals: true", "globals: true, exclude: ['two']") => Doubted(&["vitest.config.ts"]);
    the_test_part_of_vite_leaves_tests_out (session run):
        vite().breaks().changes("vite.config.ts", "globals: true", "globals: true, exclude: ['two']") => Doubted(&["vite.config.ts"]);
    mocha_leaves_tests_out (session run):
        js().file("package.json", "{\n  \"scripts\": { \"test\": \"mocha\" }\n}\n").file(".mocharc.json", "{ \"ui\": \"bdd\" }\n").breaks()
            .changes(".mocharc.json", "\"bdd\"", "\"bdd\", \"ignore\": [\"two\"]")
        => Doubted(&[".mocharc.json"]);
    a_set_up_of_jest_takes_the_tests_away (session run):
        js().file("jest.config.json", "{ \"setupFiles\": [\"./setup.js\"] }\n").file("setup.js", "globalThis.x = 1;\n").breaks()
            .writes("setup.js", "globalThis.test = () => {};\n")
        => Doubted(&["setup.js"]);
    an_environment_of_tox_may_fail (session run):
        tox().breaks().changes("tox.ini", "commands = pytest", "commands = - pytest") => Doubted(&["tox.ini"]);
    an_environment_of_tox_is_left_out (session run):
        tox().breaks().changes("tox.ini", "envlist = py, lint", "envlist = lint") => Doubted(&["tox.ini"]);
    a_session_of_nox_does_less (session run):
        nox().breaks().changes("noxfile.py", "session.run('pytest')", "session.run('true')") => Doubted(&["noxfile.py"]);
    a_task_is_weaker (session run):
        task().breaks().changes("Taskfile.yml", "      - sh build/two.sh\n", "      - sh build/two.sh || true\n") => Doubted(&["Taskfile.yml"]);
    a_package_says_itself_that_it_has_no_tests (session run):
        unittest().breaks().writes("tests/__init__.py", "import unittest\n\n\ndef load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n")
        => Doubted(&["tests/__init__.py"]);
    a_file_has_the_name_of_a_target (session run):
        make().breaks().writes("unit", "") => Doubted(&["unit"]);
    a_script_that_gradle_applies_leaves_tests_out (session run):
        gradle().breaks().changes("gradle/test.gradle", "    useJUnit", "    exclude '**/TwoTest.java'\n    useJUnit")
        => Doubted(&["gradle/test.gradle"]);
}

tells! {
    mypy_asks_for_less (session run):
        mypy().breaks().changes("mypy.ini", "= True", "= False") => Doubted(&["mypy.ini"]);
    a_linter_of_go_is_off (session run):
        golangci().breaks().changes(".golangci.yml", "    - forbidigo\n", "") => Doubted(&[".golangci.yml"]);
    clippy_allows_more (session run):
        clippy().breaks().changes("Cargo.toml", "dbg_macro = \"deny\"", "dbg_macro = \"allow\"") => Doubted(&["Cargo.toml"]);
    ruff_is_told_to_ignore_a_rule_in_pyproject (session run):
        ruff().breaks().changes("pyproject.toml", "ignore = []", "ignore = [\"T201\"]") => Doubted(&["pyproject.toml"]);
}

tells! {
    mypy_asks_for_more (session run):
        mypy().improves().adds("mypy.ini", "warn_unreachable = True\n") => Proven;
    another_linter_of_go (session run):
        golangci().improves().changes(".golangci.yml", "    - forbidigo\n", "    # more\n    - forbidigo\n    - govet\n") => Proven;
    clippy_denies_more (session run):
        clippy().improves().changes("Cargo.toml", "dbg_macro = \"deny\"", "dbg_macro = \"forbid\"\nunwrap_used = \"deny\"") => Proven;
    ruff_looks_for_more (session run):
        ruff().improves().changes("pyproject.toml", "select = [\"T\"]", "select = [\"T\", \"E\"]") => Proven;
    a_dependency_and_an_environment_of_tox (session run):
        tox().improves().changes("tox.ini", "deps = pytest", "deps = pytest>=8").changes_again("tox.ini", "py, lint", "py, lint, types")
            .adds_again("tox.ini", "[testenv:types]\ncommands = true\n")
        => Proven;
    a_dependency_and_a_session_of_nox (session run):
        nox().improves().changes("noxfile.py", "install('pytest')", "install('pytest', 'requests')")
            .adds_again("noxfile.py", "\n\n@nox.session\ndef docs(session):\n    session.run('true')\n")
        => Proven;
    a_new_task (session run):
        task().improves().adds("Taskfile.yml", "  docs:\n    cmds:\n      - echo docs\n") => Proven;
    another_task_of_deno (session run):
        deno().improves().changes("deno.json", "\"tasks\": {", "\"imports\": { \"a\": \"jsr:a@1\" },\n  \"tasks\": {\n    \"dev\": \"deno run a.ts\",") => Proven;
    a_dependency_and_a_script_of_composer (session run):
        composer().improves().changes("composer.json", "\"scripts\": {", "\"require\": { \"a/b\": \"1\" },\n  \"scripts\": {\n    \"docs\": \"true\",") => Proven;
    a_plugin_of_vite (session run):
        vite().improves().changes("vite.config.ts", "plugins: []", "plugins: [react()]") => Proven;
    another_check_at_the_end_of_the_test_script (session run):
        js().file(".eslintrc.json", "{ \"rules\": { \"no-console\": \"error\" } }\n")
            .file("package.json", "{\n  \"scripts\": {\n    \"lint\": \"eslint src\",\n    \"test\": \"jest\"\n  }\n}\n").improves()
            .changes("package.json", "\"test\": \"jest\"", "\"test\": \"jest && npm run lint\"")
        => Proven;
    another_line_of_a_recipe (session run):
        make().improves().changes("Makefile", "\tsh build/four.sh\n", "\tsh build/four.sh\n\ttest -f two.txt\n") => Proven;
    a_lint_script_does_not_rest_on_tests (session run):
        js().file(".eslintrc.json", "{ \"rules\": { \"no-console\": \"error\" } }\n").judged_by("npm run lint")
            .file("package.json", "{\n  \"scripts\": {\n    \"lint\": \"eslint src\",\n    \"test\": \"jest\"\n  }\n}\n").improves()
            .changes("src/two.test.js", "toBe(2)", "toBe(1 + 1)")
        => Proven;
    what_was_never_installed_is_installed (session run):
        js().without_program("node_modules/.bin/jest").improves()
            .runs("mkdir -p node_modules/.bin; printf '#!/bin/sh\\nexec runner jest\\n' > node_modules/.bin/jest; chmod +x node_modules/.bin/jest")
        => Proven;
    a_virtual_environment_that_nothing_activates (session run):
        python().file(".gitignore", "__pycache__/\n.venv/\n").improves()
            .runs("mkdir -p .venv/bin; printf '#!/bin/sh\\nexec runner pytest\\n' > .venv/bin/pytest; chmod +x .venv/bin/pytest")
        => Proven;
    a_module_of_a_workspace_of_go (session run):
        go().file("go.work", "go 1.22\n\nuse .\n").improves().adds("go.work", "use ./more\n").writes("more/go.mod", "module more\n")
            .writes("more/more_test.go", GO_TEST)
        => Proven;
    a_dependency_of_maven (session run):
        java("mvn test").improves().changes("pom.xml", "</project>", "  <dependencies><dependency><artifactId>a</artifactId></dependency></dependencies>\n</project>")
        => Proven;
    a_dependency_and_a_plugin_of_gradle (session run):
        gradle().improves().changes("build.gradle", "    id 'java'", "    id 'java'\n    id 'jacoco'")
            .adds_again("build.gradle", "\ndependencies {\n    testImplementation 'a:b:1'\n}\n")
        => Proven;
    a_bench_of_cargo (session run):
        rust().file("benches/speed.rs", "fn main() {}\n").improves().adds("Cargo.toml", "\n[[bench]]\nname = \"speed\"\nharness = false\n") => Proven;
}

tells! {
    new_settings_are_removed_when_told (session run):
        python().breaks().writes("setup.cfg", "[tool:pytest]\naddopts = -k four\n").then().improves().runs("rm -f setup.cfg")
        => SentBack(&["setup.cfg"]);
    a_new_section_is_removed_when_told (session run):
        python().breaks().adds("pyproject.toml", "\n[tool.pytest.ini_options]\naddopts = \"-k four\"\n")
            .then().improves().restores("pyproject.toml")
        => SentBack(&["pyproject.toml"]);
    a_new_conftest_is_removed_when_told (session run):
        python().breaks().writes("conftest.py", "collect_ignore_glob = ['*/test_two.py']\n").then().improves().runs("rm -f conftest.py")
        => SentBack(&["conftest.py"]);
    a_file_that_hides_a_target_is_removed_when_told (session run):
        make().breaks().writes("unit", "").then().improves().runs("rm -f unit") => SentBack(&["unit"]);
    a_program_that_shadows_is_removed_when_told (session run):
        js().file("package.json", "{\n  \"scripts\": {\n    \"test\": \"runner jest\"\n  }\n}\n").breaks()
            .runs("printf '#!/bin/sh\\n' > node_modules/.bin/runner; chmod +x node_modules/.bin/runner")
            .then().improves().runs("rm -f node_modules/.bin/runner")
        => SentBack(&["node_modules/.bin/runner"]);
}

/// Drives an honest agent and asserts whether the next run is proven.
#[track_caller]
fn next_run(scene: &Scene, gate: &str, agent: &str, exit: i32) {
    let host = scene.agent_called("next", agent);
    scene.types(&["run", "More", "--until", gate, "--host", &host, "--yes"]).exits(exit);
    assert_eq!(scene.told("next").len(), 1, "it is sent back for what it did not do");
    assert_eq!(scene.report(None).is_proven(), exit == 0, "{}", scene.report(None).shown());
}

#[test]
fn a_new_section_is_left_to_the_next_run_until_a_person_commits_it() {
    let story = python().breaks().adds("pyproject.toml", PYTEST_SECTION);
    let scene = story.scene();
    story.driven(&scene).exits(3);
    next_run(&scene, "pytest", "echo x > notes.txt", 3);
    scene.a_moment_passes();
    scene.commits();
    scene.agent_called("next", "");
    scene.shell("rm -r \"$(dirname \"$PWD\")/next.told\"");
    next_run(&scene, "pytest", "echo y > notes.txt", 0);
}

#[test]
fn a_later_run_that_puts_a_target_back_ends_the_doubt() {
    let story = make().breaks().changes("Makefile", "check: unit", "check:");
    let scene = story.scene();
    story.driven(&scene).exits(3);
    // The target's dependency is reachable again, but is no new part of the gate.
    next_run(&scene, "make check", "git checkout -q Makefile; printf ' 2\\n' > two.txt", 0);
}

#[test]
fn a_later_run_that_puts_a_target_back_and_weakens_what_it_needs_is_doubted() {
    let story = make().breaks().changes("Makefile", "check: unit", "check:");
    let scene = story.scene();
    story.driven(&scene).exits(3);
    let agent = "git checkout -q Makefile; printf 'unit:\\n\\t@true\\n' > build/unit.mk";
    scene.drives(&["More", "--until", "make check"], agent).exits(3);
    scene.report(None).is_doubted_for("build/unit.mk");
}

const PYTEST_SECTION: &str = "\n[tool.pytest.ini_options]\naddopts = \"-k four\"\n";

fn deno() -> Story {
    js().judged_by("deno task test").file(
        "deno.json",
        "{\n  \"tasks\": {\n    \"test\": \"deno test\"\n  },\n  \"test\": {}\n}\n",
    )
}

fn composer() -> Story {
    php().judged_by("composer test").file(
        "composer.json",
        "{\n  \"scripts\": {\n    \"lint\": \"true\",\n    \"test\": [\"phpunit\", \"@lint\"]\n  }\n}\n",
    )
}

fn vitest() -> Story {
    js().file("package.json", "{\n  \"scripts\": { \"test\": \"vitest run\" }\n}\n")
        .file("vitest.config.ts", "export default { test: { globals: true } };\n")
}

fn vite() -> Story {
    js().file("package.json", "{\n  \"scripts\": { \"test\": \"vitest run\" }\n}\n")
        .file("vite.config.ts", "export default { plugins: [], test: { globals: true } };\n")
}

fn tox() -> Story {
    python().judged_by("tox").file(
        "tox.ini",
        "[tox]\nenvlist = py, lint\n\n[testenv]\ndeps = pytest\ncommands = pytest\n\n[testenv:lint]\ncommands = true\n",
    )
}

fn nox() -> Story {
    python().judged_by("nox").file(
        "noxfile.py",
        "import nox\n\n\n@nox.session\ndef tests(session):\n    session.install('pytest')\n    session.run('pytest')\n",
    )
}

fn task() -> Story {
    make().judged_by("task check").file(
        "Taskfile.yml",
        "version: '3'\ntasks:\n  check:\n    cmds:\n      - sh build/two.sh\n      - sh build/four.sh\n",
    )
}

fn gradle() -> Story {
    java("gradle test")
        .file("build.gradle", "plugins {\n    id 'java'\n}\n\napply from: 'gradle/test.gradle'\n")
        .file("gradle/test.gradle", "test {\n    useJUnitPlatform()\n}\n")
}

/// Tests in a package, which unittest discovers.
fn unittest() -> Story {
    python().judged_by("python3 -m unittest discover -s tests -t .").file("tests/__init__.py", "").file(
        "tests/test_two.py",
        "import unittest\n\nimport total\n\n\nclass Two(unittest.TestCase):\n    def test_two(self):\n        self.assertEqual(total.two(), 2)\n",
    )
}

fn mypy() -> Story {
    Story::of("mypy .").file("mypy.ini", "[mypy]\ndisallow_untyped_defs = True\n").code(
        "total.py",
        "def two() -> int:\n    return 2\n",
        "def two():\n    return 2\n",
        "def two() -> int:\n    return 1 + 1\n",
    )
}

fn golangci() -> Story {
    Story::of("golangci-lint run")
        .file(".golangci.yml", "linters:\n  enable:\n    - forbidigo\n")
        .code(
            "two.go",
            "package sum\n",
            "package sum\n\nfunc P() { fmt.Println(2) }\n",
            "package sum\n\nfunc P() {}\n",
        )
}

fn clippy() -> Story {
    Story::of("cargo clippy")
        .file("Cargo.toml", "[package]\nname = \"sum\"\n\n[lints.clippy]\ndbg_macro = \"deny\"\n")
        .code(
            "src/lib.rs",
            "pub fn two() -> u8 { 2 }\n",
            "pub fn two() -> u8 { dbg!(2) }\n",
            "pub fn two() -> u8 { 1 + 1 }\n",
        )
}

fn ruff() -> Story {
    Story::of("ruff check")
        .file("pyproject.toml", "[tool.ruff.lint]\nselect = [\"T\"]\nignore = []\n")
        .code(
            "total.py",
            "def two():\n    return 2\n",
            "def two():\n    print(2)\n",
            "def two():\n    return 1 + 1\n",
        )
}
