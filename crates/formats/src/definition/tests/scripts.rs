use sprag_core::definition::PartKey;

use super::*;

#[test]
fn scripts_are_found_behind_every_wrapper() {
    let project = Files::of(&[
        ("test.sh", "true"),
        ("check", "#!/bin/sh\ntrue\n"),
        ("tools/run.py", "x"),
        ("lib/check.sh", "true"),
        ("x.js", ""),
    ]);
    for (line, path) in [
        ("sh test.sh", "test.sh"),
        ("bash -e test.sh", "test.sh"),
        ("bash -o pipefail -e test.sh", "test.sh"),
        ("./check --all", "check"),
        ("env A=b sh test.sh", "test.sh"),
        ("timeout 5 sh test.sh", "test.sh"),
        ("timeout -k 1 5 sh test.sh", "test.sh"),
        ("xvfb-run -a sh test.sh", "test.sh"),
        ("nice -n 5 ./check", "check"),
        ("python tools/run.py", "tools/run.py"),
        ("python3 -u tools/run.py", "tools/run.py"),
        ("node x.js", "x.js"),
        ("sh -c 'cd lib && sh check.sh'", "lib/check.sh"),
        ("sh -c '(cd lib; sh check.sh); ./check'", "check"),
        ("sh -c '(cd lib; true); (cd lib; sh check.sh)'", "lib/check.sh"),
        ("bash -lc 'make; ./check'", "check"),
        ("sh -c '. ./test.sh'", "test.sh"),
        ("sh -c 'bash < test.sh'", "test.sh"),
        ("sh -c 'if sh test.sh; then true; fi'", "test.sh"),
        ("sh -c 'sh test.sh 2>&1 | tee log'", "test.sh"),
        ("sh -c 'PATH=lib:$PATH check.sh'", "lib/check.sh"),
        ("env -C lib sh check.sh", "lib/check.sh"),
        ("uv run tools/run.py", "tools/run.py"),
    ] {
        assert!(
            keys(line, &project).contains(&path.to_owned()),
            "{line}: {:?}",
            keys(line, &project)
        );
    }
}

#[test]
fn what_is_looked_at_or_worked_on_is_no_script() {
    let project = Files::of(&[
        ("code.txt", ""),
        ("app", "\u{7f}ELF"),
        ("hello.py", "print(1)"),
        (
            "test.sh",
            "python3 hello.py | grep -q 1\n[ \"$(python3 hello.py)\" = 1 ]\n./app > out; diff out want\n./app\nout=$(sh hello.sh)\n",
        ),
        ("hello.sh", "echo 1"),
    ]);
    assert_eq!(keys("grep -q good code.txt", &project), [""; 0]);
    assert_eq!(keys("test -f code.txt", &project), [""; 0]);
    assert_eq!(keys("sh test.sh", &project), ["test.sh"]);
    assert_eq!(keys("cargo fmt --check", &project), [""; 0]);
}

#[test]
fn what_a_test_reads_in_is_tested_by_it() {
    let test =
        ". ./src/csv.sh\nsource \"$HERE/../lib/rows.sh\"\n. tests/helpers.sh\nsh ci/lint.sh\n";
    let project = Files::of(&[
        ("tests/csv.sh", test),
        ("src/csv.sh", "row() { echo 1; }"),
        ("lib/rows.sh", "rows() { echo 1; }"),
        ("tests/helpers.sh", "check() { false; }"),
        ("ci/lint.sh", ". ci/lib.sh"),
        ("ci/lib.sh", "true"),
    ]);
    let judged_by = ["ci/lib.sh", "ci/lint.sh", "tests/csv.sh", "tests/helpers.sh"];
    assert_eq!(keys("sh tests/csv.sh", &project), judged_by);
}

#[test]
fn a_gate_that_only_looks_by_way_of_scripts_does_not_rest_on_tests() {
    let project = Files::of(&[
        (
            "package.json",
            r#"{"scripts":{"lint":"eslint . && tsc --noEmit","build":"tsc && vite build","test":"jest","all":"npm run lint && npm test","odd":"eslint . && ./x","none":""}}"#,
        ),
        ("Makefile", "lint:\n\tcd src && ruff check .\ntest:\n\t@$(PY) -m unittest\n"),
        ("ci/lint.sh", "#!/bin/sh\nset -e\ngrep -q x y\nnpm run lint\n"),
        ("check.py", "run('eslint .')"),
    ]);
    let looks = [
        "npm run lint",
        "npm run build",
        "make lint",
        "sh ci/lint.sh",
        "./ci/lint.sh",
        "cargo check",
    ];
    for line in looks {
        assert!(!project.define(line).rests_on_tests, "{line}");
    }
    let tests = [
        "npm test",
        "npm run all",
        "npm run odd",
        "npm run none",
        "npm run missing",
        "make test",
        "sh missing.sh",
        "python check.py",
        "cargo test",
        "sh -c '$X'",
        "sh -c 'eslint . && $X'",
    ];
    for line in tests {
        assert!(project.define(line).rests_on_tests, "{line}");
    }
}

#[test]
fn scripts_are_followed_eight_deep_and_one_more_is_compared() {
    let mut project = Files::of(&[
        ("ci/0.sh", "#!/bin/sh\ncd \"$(dirname \"$0\")/..\"\n. ci/lib.sh\n\"$HERE\"/1.sh\n"),
        ("ci/lib.sh", "npm test\n"),
        ("package.json", "{\"scripts\":{\"test\":\"true\"}}"),
    ]);
    for at in 1..10 {
        project = project.with(&format!("ci/{at}.sh"), &format!("sh ci/{}.sh\n", at + 1));
    }
    let found = project.define("sh ci/0.sh");
    let mut expected: Vec<String> = (0..9).map(|at| format!("ci/{at}.sh")).collect();
    expected.extend(["ci/lib.sh", "package.json#scripts.test"].map(str::to_owned));
    assert_eq!(without_lines(&found), expected);
    assert!(found.is_cut);
    assert!(!project.without("ci/8.sh").define("sh ci/0.sh").is_cut);
}

#[test]
fn a_new_script_is_free_and_another_is_named() {
    let project = Files::of(&[("a.sh", "sh b.sh\nsh c.sh\n"), ("b.sh", "true")]);
    assert_eq!(doubts("sh a.sh", &project, &project.with("c.sh", "x")), [""; 0]);
    assert_eq!(doubts("sh a.sh", &project, &project.without("b.sh")), ["b.sh"]);
    // A part that no longer runs is not named in addition to the change that removed it.
    assert_eq!(doubts("sh a.sh", &project, &project.with("a.sh", "true")), ["a.sh"]);
}

#[test]
fn a_file_of_tests_that_is_run_is_compared_as_a_test_elsewhere() {
    let project = Files::of(&[
        ("test_a.py", "os.system('sh inner.sh')"),
        ("inner.sh", "true"),
        ("test.sh", "true"),
    ]);
    assert_eq!(keys("python3 test_a.py", &project), ["inner.sh"]);
    assert_eq!(keys("sh test.sh", &project), ["test.sh"]);
}

#[test]
fn a_workflow_of_ci_counts_with_what_it_uses() {
    let project = Files::of(&[
        (
            ".github/workflows/ci.yml",
            "jobs:\n  a:\n    uses: ./.github/workflows/b.yml\n  c:\n    steps:\n      - uses: ./.github/actions/x\n      - uses: actions/checkout@v4\n",
        ),
        (".github/workflows/b.yml", "x: 1\n"),
        (".github/actions/x/action.yml", "y: 1\n"),
        (".github/workflows/other.yml", "z: 1\n"),
    ]);
    let found = super::super::workflow_definition(".github/workflows/ci.yml", &project);
    let keys: Vec<String> = found.parts.keys().map(PartKey::to_string).collect();
    assert_eq!(
        keys,
        [".github/actions/x/action.yml", ".github/workflows/b.yml", ".github/workflows/ci.yml"]
    );
    assert!(super::super::workflow_definition("../../x", &project).parts.is_empty());
    let (ci, watch) = (".github/workflows/ci.yml", "gh run watch --exit-status");
    for line in [watch, "gh pr checks --watch", "act -j test", "act -W .github/workflows/ci.yml"] {
        assert_eq!(
            doubts(line, &project, &project.edited(ci, "jobs", "jobs:\n  x")),
            [ci],
            "{line}"
        );
    }
    let new = project.with(".github/workflows/new.yml", "x");
    assert_eq!(doubts(watch, &project, &new), [""; 0]);
    let other = project.edited(".github/workflows/other.yml", "z", "y");
    assert_eq!(doubts("act -W .github/workflows/ci.yml", &project, &other), [""; 0]);
    assert!(project.define("gh auth status").parts.is_empty());
}

#[test]
fn what_a_command_compares_with_counts_as_a_test() {
    let project = Files::of(&[
        ("want.txt", "2\n"),
        ("out.txt", "2\n"),
        ("wanted/a", "1\n"),
        ("wanted/b", "2\n"),
        ("README.md", "x\n"),
        ("src/made.rs", "x\n"),
        ("sub/want.txt", "3\n"),
        ("own.venv/test_a.py", "x\n"),
    ]);
    let counts = |line: &str| {
        let defined = project.define(line);
        defined.counted_as_tests().collect::<Vec<_>>().join(" ")
    };
    for (line, expected) in [
        ("sh -c './two | diff - want.txt'", "want.txt"),
        ("sh -c 'diff -u <(./two) want.txt'", "want.txt"),
        ("sh -c './two > /tmp/x; cmp -s /tmp/x want.txt'", "want.txt"),
        ("sh -c 'cd sub && ./two | diff want.txt -'", "sub/want.txt"),
        ("sh -c 'diff \"$OUT\" want.txt'", "want.txt"),
        ("diff -r made wanted", "wanted/a wanted/b"),
        ("pytest own.venv/test_a.py::test_a", "own.venv/test_a.py"),
        ("python -m unittest own.venv/test_a.py", "own.venv/test_a.py"),
        ("python own.venv/test_a.py", "own.venv/test_a.py"),
        // The compared file is generated.
        ("sh -c './docs | diff - README.md'", ""),
        ("sh -c './make | diff - src/made.rs'", ""),
        ("grep -q 2 out.txt", ""),
        ("git diff --exit-code want.txt", ""),
    ] {
        assert_eq!(counts(line), expected, "{line}");
    }
    assert!(project.define("diff made want.txt").rests_on_tests);
}

#[test]
fn scripts_that_are_run_by_a_computed_name_are_found() {
    for (text, path) in [
        ("for s in steps/*.sh; do sh \"$s\"; done\n", "steps/a.sh"),
        ("for s in \"$HERE\"/steps/*; do . \"$s\"; done\n", "steps/a.sh"),
        ("sh steps/[ab].sh\n", "steps/a.sh"),
        ("find steps -name '*.sh' -exec sh {} \\;\n", "steps/a.sh"),
        ("run-parts steps\n", "steps/a.sh"),
        ("ls steps/*.sh | xargs -n1 sh\n", "steps/a.sh"),
        ("xargs -a list sh lib.sh\n", "lib.sh"),
        ("STEPS='a b'; for s in $STEPS; do sh steps/$s.sh; done\n", "steps/a.sh"),
        ("lib=./lib.sh\n. $lib\n", "lib.sh"),
        ("eval \"$(cat lib.sh)\"\n", "lib.sh"),
        ("cat lib.sh | sh\n", "lib.sh"),
        ("trap 'sh lib.sh' EXIT\n", "lib.sh"),
        ("eval 'sh lib.sh'\n", "lib.sh"),
        ("${SHELL:-sh} lib.sh\n", "lib.sh"),
        ("./run\n", "run"),
    ] {
        let project = Files::of(&[
            ("ci.sh", text),
            ("lib.sh", "false\n"),
            ("other.sh", "false\n"),
            ("run", "false\n"),
            ("steps/a.sh", "false\n"),
            ("src/tool.sh", "false\n"),
        ]);
        assert_eq!(keys("sh ci.sh", &project), ["ci.sh", path], "{text}");
        assert_eq!(doubts("sh ci.sh", &project, &project.with(path, "true\n")), [path], "{text}");
    }
}

#[test]
fn a_computed_program_of_this_folder_is_one_that_the_text_names() {
    let makefile = "TESTS := $(wildcard tests/test_*.c)\ntest: $(TESTS)\n\t@for t in $(TESTS); do ./$$t || exit 1; done\n";
    let project = Files::of(&[("Makefile", makefile), ("README", "# x\n"), ("b.sh", "false\n")]);
    let keys = keys("make test", &project);
    assert!(
        keys.iter().all(|key| key.starts_with("Makefile#") && !key.contains("#line ")),
        "{keys:?}"
    );
    let project = Files::of(&[
        ("ci.sh", "for t in a.sh; do ./$t || exit 1; done\n"),
        ("a.sh", "false\n"),
        ("b.sh", "false\n"),
    ]);
    assert_eq!(self::keys("sh ci.sh", &project), ["a.sh", "ci.sh"]);
}

#[test]
fn what_a_pattern_runs_as_tests_is_compared_as_tests() {
    let project = Files::of(&[
        ("ci.sh", "for t in tests/*.sh; do sh \"$t\" || exit 1; done\n"),
        ("tests/test_a.sh", "sh tests/lib/run.sh\n"),
    ]);
    assert_eq!(keys("sh ci.sh", &project), ["ci.sh"]);
}

#[test]
fn what_is_only_read_or_looked_at_is_not_run() {
    let project = Files::of(&[
        (
            "ci.sh",
            "for f in src/*.sh; do bash -n \"$f\"; done\nshellcheck src/*.sh\ncat src/*.sh | wc -l\nfind src -name '*.sh' -exec grep -q x {} \\;\n",
        ),
        ("src/a.sh", "true\n"),
    ]);
    assert_eq!(keys("sh ci.sh", &project), ["ci.sh"]);
}

#[test]
fn a_new_file_that_an_unchanged_script_sources_is_named() {
    let project = Files::of(&[("ci.sh", "[ -f local.sh ] && . ./local.sh\nnpm test\n")]);
    let now = project.with("local.sh", "exit 0\n");
    assert_eq!(doubts("sh ci.sh", &project, &now), ["local.sh"]);
    assert_eq!(doubts("sh -c '. ./local.sh; ./x'", &project, &now), ["local.sh"]);
    // A script that is new with its library brings no doubt.
    let (none, lib) = (Files::default(), "steps() { true; }\n");
    let both = Files::of(&[("ci.sh", ". ./lib.sh\nsteps\n"), ("lib.sh", lib)]);
    assert_eq!(doubts("sh ci.sh", &none, &both), [""; 0]);
}

#[test]
fn a_script_may_get_comments_options_and_commands() {
    let project = Files::of(&[
        ("ci.sh", "npm run lint\nnpm test\n"),
        ("lib.sh", "check() { false; }\n"),
        ("all.sh", "set -e\n. ./lib.sh\ncheck\n"),
        ("package.json", r#"{"scripts":{"lint":"eslint .","test":"jest","types":"tsc"}}"#),
    ]);
    all_free(
        &project,
        &[
            ("sh ci.sh", "ci.sh", "npm run", "# first\nnpm run"),
            ("sh ci.sh", "ci.sh", "npm test", "npm test # then"),
            ("sh ci.sh", "ci.sh", "npm run", "#!/bin/sh\nset -eu\nnpm run"),
            (
                "sh ci.sh",
                "ci.sh",
                "npm run lint\nnpm test",
                "set -e\nnpm run lint\nnpm test\nnpm run types",
            ),
            ("sh ci.sh", "ci.sh", "npm run lint", "set -e\nnpm run types\nnpm run lint"),
            ("sh all.sh", "all.sh", "check\n", "check\necho done\n"),
            ("sh all.sh", "lib.sh", "check", "# why\ncheck"),
        ],
    );
    all_named(
        &project,
        &[
            (("sh ci.sh", "ci.sh", "npm test\n", "npm test\nnpm run types\n"), "ci.sh"),
            (("sh ci.sh", "ci.sh", "npm run", "exit 0\nnpm run"), "ci.sh"),
            (("sh ci.sh", "ci.sh", "npm test", "npm test || true"), "ci.sh"),
            (("sh ci.sh", "ci.sh", "npm test", "# npm test"), "ci.sh"),
            (("sh all.sh", "all.sh", "set -e\n", ""), "all.sh"),
            // A library may redefine what it defined before.
            (("sh all.sh", "lib.sh", "false; }\n", "false; }\nset -e\ncheck() { :; }\n"), "lib.sh"),
        ],
    );
}

#[test]
fn a_command_that_is_added_hides_no_new_setting() {
    let project = Files::of(&[("ci.sh", "set -e\nnpx jest\n"), ("package.json", "{}")]);
    let more = project.with("ci.sh", "set -e\necho begin\nnpx jest\nnpx vitest\n");
    assert_eq!(doubts("sh ci.sh", &project, &more), [""; 0]);
    let now = more.with("vitest.config.ts", "export default {}");
    assert_eq!(doubts("sh ci.sh", &project, &now), [""; 0]);
    let now = more.with("jest.config.json", "{\"testPathIgnorePatterns\":[\"a\"]}");
    let named = ["jest.config.json#is there", "jest.config.json#testPathIgnorePatterns a"];
    assert_eq!(doubts("sh ci.sh", &project, &now), named);
}

#[test]
fn what_a_runner_of_the_project_imports_belongs_to_it() {
    let project = Files::of(&[
        ("scripts/run.js", "const h = require('./helper');\nconst app = require('../src/app');\n"),
        ("scripts/helper.js", "import './deep.js';\nimport '../src/app.js';\n"),
        ("scripts/deep.js", "1"),
        ("src/app.js", "require('./two')"),
        ("src/two.js", "2"),
        ("run.js", "require('./own');\nspawnSync('jest', []);\n"),
        ("own.js", "1"),
        ("check.js", "require('./own'); require('./src/app');\n"),
        ("tools/check.py", "import helper\nfrom app import two\n"),
        ("tools/helper.py", "def go(): pass\n"),
        ("src/app.py", "two = 2\n"),
        ("src/main.py", "import app\n"),
    ]);
    for (line, expected) in [
        ("node scripts/run.js", &["scripts/deep.js", "scripts/helper.js", "scripts/run.js"][..]),
        ("node run.js", &["own.js", "run.js"]),
        // What these import is what they check.
        ("node check.js", &["check.js"]),
        ("node src/app.js", &["src/app.js"]),
        ("python3 src/main.py", &["src/main.py"]),
        ("python3 tools/check.py", &["tools/check.py", "tools/helper.py"]),
    ] {
        assert_eq!(keys(line, &project), expected, "{line}");
    }
}

#[test]
fn what_variables_make_a_program_load_is_found() {
    let project = Files::of(&[("lib.sh", "true\n"), ("load.js", "1"), ("a.js", "1")]);
    for (line, path) in [
        ("env BASH_ENV=lib.sh bash -c true", "lib.sh"),
        ("sh -c 'ENV=./lib.sh sh -i'", "lib.sh"),
        ("sh -c 'export NODE_OPTIONS=\"--require ./load.js\"; node a.js'", "load.js"),
    ] {
        assert!(keys(line, &project).contains(&path.to_owned()), "{line}");
    }
    let project = Files::of(&[("a.js", "1"), (".env", "KEY=1\nNODE_OPTIONS=--no-warnings\n")]);
    for line in [
        "node --env-file=.env a.js",
        "dotenv -- node a.js",
        "pipenv run pytest",
        "uv run --env-file .env pytest",
    ] {
        let now = project.edited(".env", "--no-warnings", "--require=./load.js");
        assert_eq!(doubts(line, &project, &now), [".env#NODE_OPTIONS"], "{line}");
        let now = project.edited(".env", "KEY=1", "KEY=2\nNAME=x");
        assert_eq!(doubts(line, &project, &now), [""; 0], "{line}");
        let new = project.without(".env");
        assert_eq!(doubts(line, &new, &project), [".env#NODE_OPTIONS"], "{line}");
    }
}

#[test]
fn data_that_a_command_compares_counts_unless_the_gate_makes_it() {
    let project = Files::of(&[
        ("want.txt", "2\n"),
        ("got.txt", "3\n"),
        ("out.txt", "3\n"),
        ("ref/a", "1\n"),
        ("ref/b", "1\n"),
        ("make.sh", "./two > out.txt\n"),
        ("Makefile", "test:\n\t./two > out.txt\n\tdiff want.txt out.txt\n"),
    ]);
    let counts = |line: &str| {
        let defined = project.define(line);
        defined.counted_as_tests().collect::<Vec<_>>().join(" ")
    };
    for (line, expected) in [
        ("diff out.txt want.txt", "out.txt want.txt"),
        // Its name says that it is the result.
        ("cmp -s want.txt got.txt", "want.txt"),
        ("diff got.txt -", "got.txt"),
        ("sh -c './two > out.txt; diff want.txt out.txt'", "want.txt"),
        ("sh -c './two | tee out.txt; diff want.txt out.txt'", "want.txt"),
        ("sh -c 'sh make.sh && diff want.txt out.txt'", "want.txt"),
        ("make test", "want.txt"),
        ("sh -c 'WANT=want.txt; diff \"$WANT\" got.txt'", "want.txt"),
        ("sh -c 'D=ref; diff \"$D/a\" got.txt'", "ref/a"),
        ("sh -c 'for n in a b; do ./run $n | diff ref/$n -; done'", "ref/a ref/b"),
        ("sh -c './two | diff \"$OUT\" -'", ""),
    ] {
        assert_eq!(counts(line), expected, "{line}");
    }
}

#[test]
fn a_gate_that_runs_tests_by_a_pattern_rests_on_them() {
    let project = Files::of(&[
        ("tests/one.sh", "grep -q good code.txt\n"),
        ("run.sh", "set -e\nfind tests -name '*.sh' | xargs -n1 sh\n"),
        ("Makefile", "test:\n\tfind tests -name '*.sh' | xargs -n1 sh\n"),
        ("look.sh", "grep -q good code.txt\n"),
    ]);
    for line in [
        "sh run.sh",
        "make test",
        "sh -c \"find tests -name '*.sh' | xargs -n1 sh\"",
        "sh -c 'for one in tests/*.sh; do sh $one; done'",
        "sh -c \"find tests -name '*.sh' -exec sh {} +\"",
        "sh -c 'ls tests/*.sh | sh'",
    ] {
        assert!(project.define(line).rests_on_tests, "{line}");
    }
    assert!(!project.define("sh look.sh").rests_on_tests);
}

#[test]
fn the_tests_that_a_command_names_are_known() {
    let project = Files::of(&[
        (
            "package.json",
            "{\"scripts\":{\"test\":\"node --test test/*.test.js\",\"all\":\"mocha 'test/**/*.js'\"}}",
        ),
        ("test/a.test.js", ""),
        ("test/deep/b.test.js", ""),
        ("tests/test_a.py", ""),
        ("tests/slow/test_b.py", ""),
        ("ci/pytest.ini", "[pytest]\ntestpaths = ../tests\n"),
        ("pkg/a_test.go", ""),
        ("run.sh", "cd tests && for one in test_*.py; do python3 $one; done\n"),
    ]);
    let (from, py) = ("test/a.test.js", "tests/test_a.py");
    for (line, from, to, is_named) in [
        ("npm test", from, "test/c.test.js", true),
        ("npm test", from, "test/deep/a.test.js", false),
        ("npm test", from, "test/a.spec.js", false),
        ("npm run all", from, "test/deep/a.test.js", true),
        ("node --test", from, "test/deep/a.test.js", true),
        ("sh -c 'mocha test/**/*.js'", "test/deep/b.test.js", "test/deep/er/b.test.js", false),
        ("pytest tests", py, "tests/slow/test_a.py", true),
        ("pytest tests", py, "unit/test_a.py", false),
        ("pytest tests/test_a.py::test_x", py, "tests/test_c.py", false),
        ("pytest tests --ignore tests/slow", py, "tests/slow/test_a.py", false),
        ("pytest tests --ignore=tests/slow", py, "tests/slow/test_a.py", false),
        ("pytest -c ci/pytest.ini", py, "unit/test_a.py", false),
        ("go test ./pkg/...", "pkg/a_test.go", "pkg/sub/a_test.go", true),
        ("go test ./pkg/...", "pkg/a_test.go", "other/a_test.go", false),
        ("go test ./...", "pkg/a_test.go", "other/a_test.go", true),
        ("sh run.sh", py, "tests/unit/test_a.py", false),
        ("eslint test/a.test.js", from, "test/c.test.js", true),
    ] {
        assert_eq!(project.define(line).names_as_well(from, to), is_named, "{line}: {to}");
    }
}
