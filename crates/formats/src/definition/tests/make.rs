use super::*;

fn shop() -> Files {
    Files::of(&[
        (
            "Makefile",
            "PY ?= python3\nFLAGS := -q\nSRCS = a.c b.c\nTESTS = tests/test_a.py\n.PHONY: test lint\n\nall: build\n\nbuild: $(SRCS)\n\tcc -o app $(SRCS)\n\ntest: lint build ## run\n\t@$(PY) -m unittest $(FLAGS) $(TESTS)\n\tsh check.sh\n\t$(MAKE) -C sub test\n\nlint:\n\tpylint .\n\ndocs:\n\tx\n\ninclude common.mk\n-include *.inc.mk\n",
        ),
        ("common.mk", "extra:\n\techo\n"),
        ("z.inc.mk", "test: extra\n"),
        ("check.sh", "true"),
        ("sub/Makefile", "test:\n\tpytest\n"),
        (
            "justfile",
            "set shell := ['sh', '-c']\nopts := '-q'\n\n# runs\ntest arg='x': lint\n    pytest {{opts}}\n    sh check.sh\n\nlint:\n    ruff check\n\ndocs:\n    x\n",
        ),
        (
            "Taskfile.yml",
            "version: '3'\nvars:\n  OPTS: -q\n  OTHER: x\ntasks:\n  test:\n    desc: runs\n    deps: [lint]\n    cmds:\n      - pytest {{.OPTS}}\n      - task: more\n  lint: ruff check\n  more:\n    cmds: [sh check.sh]\n  docs: x\n",
        ),
    ])
}

#[test]
fn honest_edits_are_free() {
    all_free(
        &shop(),
        &[
            ("make test", "Makefile", "docs:\n\tx", "docs:\n\ty\n\nnew: test\n\tz"),
            ("make test", "Makefile", "PY ?=", "NEW = 1\n# why\nPY ?="),
            ("make test", "Makefile", "a.c b.c", "a.c b.c c.c"),
            ("make all", "Makefile", "all: build", "all: build lint"),
            ("make lint", "Makefile", "\tpylint .\n", "\tpylint .\n\tx\n"),
            ("just lint", "justfile", "    ruff check\n", "    ruff check\n    x\n"),
            ("task more", "Taskfile.yml", "[sh check.sh]", "[sh check.sh, x]"),
            ("make test", "Makefile", "test_a.py", "test_a.py tests/test_b.py"),
            ("make test", "Makefile", "## run", "## runs everything"),
            ("make test", "Makefile", "\tsh check.sh", "\t# note\n\tsh check.sh"),
            ("make test", "Makefile", "test lint", "test lint docs"),
            ("make test", "common.mk", "", "other:\n\tx\n"),
            ("make docs", "Makefile", "pylint .", "true"),
            ("just test", "justfile", "docs:\n    x", "docs:\n    y\n\nnew:\n    z"),
            ("just test", "justfile", "# runs", "# runs all"),
            ("just test", "justfile", "opts :=", "more := 'x'\nopts :="),
            ("task test", "Taskfile.yml", "docs: x", "docs: y\n  new: z"),
            ("task test", "Taskfile.yml", "OTHER: x", "OTHER: y"),
            ("task test", "Taskfile.yml", "desc: runs", "desc: runs all"),
        ],
    );
}

#[test]
fn weaker_recipes_are_named() {
    let make = "make test";
    all_named(
        &shop(),
        &[
            ((make, "Makefile", "\t@$(PY)", "\t-@$(PY)"), "Makefile#test"),
            ((make, "Makefile", "$(TESTS)\n", "$(TESTS) || true\n"), "Makefile#test"),
            ((make, "Makefile", "test: lint build", "test: build"), "Makefile#test needs lint"),
            ((make, "Makefile", "pylint .", "true"), "Makefile#lint"),
            (("make lint", "Makefile", "\tpylint .", "\ttrue\n\tpylint ."), "Makefile#lint"),
            ((make, "Makefile", "PY ?= python3", "PY ?= true"), "Makefile#PY"),
            ((make, "Makefile", "FLAGS := -q", "FLAGS := -q -k ok"), "Makefile#FLAGS"),
            ((make, "Makefile", "tests/test_a.py", ""), "Makefile#TESTS tests/test_a.py"),
            (
                (make, "Makefile", "test: lint", "ifeq (1,2)\ntest: lint"),
                "Makefile, Makefile#test, Makefile#test step 2, Makefile#test step 3",
            ),
            ((make, "Makefile", "PY ?=", "SHELL = /bin/true\nPY ?="), "Makefile#SHELL"),
            ((make, "Makefile", "PY ?=", ".IGNORE:\nPY ?="), "Makefile#.IGNORE"),
            ((make, "Makefile", "PY ?=", "export PYTHONPATH = x\nPY ?="), "Makefile#PYTHONPATH"),
            ((make, "Makefile", ".PHONY: test lint", ".PHONY: lint"), "Makefile#.PHONY test"),
            (
                (make, "Makefile", "docs:\n\tx\n", "ifdef NO\ntest:\n\ttrue\nendif\n"),
                "Makefile#test, Makefile#test step 2, Makefile#test step 3",
            ),
            ((make, "common.mk", "echo", "false"), "common.mk#extra"),
            ((make, "check.sh", "true", "false"), "check.sh"),
            ((make, "sub/Makefile", "pytest", "true"), "sub/Makefile#test"),
            ((make, "sub/pytest.ini", "", ""), "sub/pytest.ini#is there"),
            (("make -C sub test", "sub/Makefile", "pytest", "true"), "sub/Makefile#test"),
            (("make", "Makefile", "cc -o app", "true"), "Makefile#build"),
            (("just test", "justfile", "pytest {{opts}}", "true"), "justfile#test"),
            (("just test", "justfile", "ruff check", "true"), "justfile#lint"),
            (("just test", "justfile", "opts := '-q'", "opts := '-k ok'"), "justfile#opts"),
            (("just test", "justfile", "'sh', '-c'", "'true'"), "justfile#set shell"),
            (("just test", "check.sh", "true", "false"), "check.sh"),
            (("just", "justfile", "ruff check", "true"), "justfile#lint"),
            (("task test", "Taskfile.yml", "pytest {{", "true {{"), "Taskfile.yml#tasks.test"),
            (("task test", "Taskfile.yml", "ruff check", "true"), "Taskfile.yml#tasks.lint"),
            (("task test", "Taskfile.yml", "OPTS: -q", "OPTS: -k"), "Taskfile.yml#vars.OPTS"),
            (("task test", "check.sh", "true", "false"), "check.sh"),
            (("task test", "Taskfile.yml", "tasks:", "env: { A: b }\ntasks:"), "Taskfile.yml#env"),
        ],
    );
    let project = shop();
    let now = project.with("GNUmakefile", "test:\n\ttrue\n");
    assert!(doubts(make, &project, &now).contains(&"GNUmakefile#test".to_owned()));
}

/// A Makefile that declares nothing `.PHONY`.
fn plain() -> Files {
    Files::of(&[
        (
            "Makefile",
            "-include local.mk\nPY ?= python3\ntest:\n\t$(PY) -m unittest\nnpm:\n\tnpm test\nlint:\n\tsh lint.sh\nstamp: a.c\n\tpytest\n\ttouch stamp\nall: lint test\n",
        ),
        ("lint.sh", "false"),
    ])
}

#[test]
fn honest_edits_of_a_plain_makefile_are_free() {
    all_free(
        &plain(),
        &[
            ("make test", "Makefile", "test:\n", "test: lint\n"),
            ("make test", "Makefile", "test:\n", "test: lint docs | npm\n"),
            ("make test", "Makefile", "\t$(PY)", "\t@$(PY)"),
            ("make lint", "Makefile", "\tsh", "\t@sh"),
            ("make test", "Makefile", "PY ?=", ".PHONY: test lint\nPY ?="),
            ("make test", "Makefile", "all:", "test: lint\nall:"),
            ("make test", "Makefile", "unittest\n", "unittest\n\techo done\n"),
            ("make test", "Makefile", "PY ?=", "$(info building)\nPY ?="),
            ("make stamp", "stamp", "", ""),
            ("make all", "Makefile", "all: lint test", "all: lint test npm"),
        ],
    );
}

#[test]
fn what_takes_a_recipe_out_of_a_plain_makefile_is_named() {
    let make = "make test";
    all_named(
        &plain(),
        &[
            ((make, "test", "", ""), "test#has the name of a target"),
            (("make npm", "npm", "", ""), "npm#has the name of a target"),
            (("make all", "lint", "", ""), "lint#has the name of a target"),
            ((make, "local.mk", "", "test:\n\t@true\n"), "Makefile#test"),
            ((make, "local.mk", "", "PY = true\n"), "Makefile#PY"),
            ((make, "local.mk", "", "override define PY\ntrue\nendef\n"), "Makefile#PY"),
            ((make, "local.mk", "", "$(eval PY=true)\n"), "local.mk#$(eval PY=true)"),
            ((make, "local.mk", "", "X := $(eval PY=true)\n"), "local.mk#X := $(eval PY=true)"),
            ((make, "local.mk", "", "vpath test sub\n"), "local.mk#vpath test sub"),
            ((make, "local.mk", "", "VPATH = sub\n"), "local.mk#VPATH"),
            ((make, "local.mk", "", "MAKEFLAGS += -i\n"), "local.mk#MAKEFLAGS"),
            ((make, "Makefile", "\t$(PY)", "\t-@$(PY)"), "Makefile#test"),
            ((make, "Makefile", "test:\n", "test: PY=true\n"), "Makefile#test"),
            ((make, "Makefile", "all:", "test: PY=true\nall:"), "Makefile#test"),
            (("make all", "Makefile", "all: lint test", "all: test"), "Makefile#all needs lint"),
        ],
    );
}

#[test]
fn an_option_that_only_shows_more_is_free() {
    let project = Files::of(&[
        ("Makefile", "test:\n\tpytest -q\n\tgo test ./...\nspec:\n\tpytest -k ok\n"),
        ("package.json", "{\"scripts\":{\"test\":\"jest && cargo test\"}}"),
        ("run.sh", "pytest -q\n"),
        ("node_modules/.bin/jest", "#!/bin/sh\n"),
    ]);
    all_free(
        &project,
        &[
            ("make test", "Makefile", "pytest -q", "pytest -q -v"),
            (
                "make test",
                "Makefile",
                "pytest -q",
                "pytest -vv --color=yes --durations 10 --tb short",
            ),
            ("make test", "Makefile", "go test ./...", "go test -v ./..."),
            ("npm test", "package.json", "jest", "jest --verbose --colors"),
            ("npm test", "package.json", "cargo test", "cargo test --quiet -- --nocapture"),
            ("sh run.sh", "run.sh", "-q", "-q -v"),
        ],
    );
    all_named(
        &project,
        &[
            (("make test", "Makefile", "pytest -q", "pytest -q -k ok"), "Makefile#test"),
            (("make test", "Makefile", "pytest -q", "pytest -q -v || true"), "Makefile#test"),
            (("make test", "Makefile", "pytest -q", "pytest -q --co -v"), "Makefile#test"),
            (("make spec", "Makefile", "-k ok", "-k -v"), "Makefile#spec"),
            (("npm test", "package.json", "jest &&", "jest -t x &&"), "package.json#scripts.test"),
            (("sh run.sh", "run.sh", "-q", "-v -k ok"), "run.sh"),
        ],
    );
}
