//! Edits of every kind: some remove nothing, and each of the others makes a gate easier to pass.

use super::*;

/// A command, the files, a path, an old text, the new one, and whether the edit is doubted.
type P<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str, &'a str, &'a str, bool);

const NODEJEST: &[(&str, &str)] = &[
    (
        "package.json",
        r#"{"scripts":{"test":"node --experimental-vm-modules node_modules/jest/bin/jest.js"},"jest":{"a":1}}"#,
    ),
    ("node_modules/jest/bin/jest.js", "#!/usr/bin/env node\n1"),
    ("package-lock.json", "1"),
];
const JESTCFG: &[(&str, &str)] = &[
    ("package.json", r#"{"scripts":{"test":"jest"}}"#),
    (
        "jest.config.js",
        "const base = require('./jest.base');\nmodule.exports = { ...base, setupFilesAfterEnv: ['<rootDir>/jest.setup.js'], collectCoverageFrom: ['src/a.js'], projects: ['<rootDir>/packages/*'] };\n",
    ),
    ("jest.base.js", "module.exports={}"),
    ("jest.setup.js", "1"),
    ("src/a.js", "1"),
    ("packages/a/jest.config.js", "1"),
];
const VT: &[(&str, &str)] = &[
    ("package.json", r#"{"scripts":{"test":"vitest run"}}"#),
    (
        "vitest.config.ts",
        "import { x } from './shared/vt';\nexport default { test: { setupFiles: './setup.ts', coverage: { thresholds: { lines: 90 } } } }",
    ),
    ("shared/vt.ts", "1"),
    ("setup.ts", "1"),
    ("src/a.ts", "1"),
];
const ESLINT: &[(&str, &str)] = &[
    (
        ".eslintrc.json",
        r#"{"extends":["./lint/base.json"],"rules":{"no-console":"error","semi":"warn"}}"#,
    ),
    ("lint/base.json", r#"{"rules":{}}"#),
    ("src/a.js", "1"),
];
const RUFF: &[(&str, &str)] = &[
    (
        "ruff.toml",
        "extend = \"base.toml\"\nline-length = 80\n[lint]\nselect = [\"E\"]\nignore = []\n",
    ),
    ("base.toml", "line-length = 80\n"),
];
const TS: &[(&str, &str)] = &[
    (
        "tsconfig.json",
        r#"{"compilerOptions":{"strict":true,"target":"es2020","outDir":"dist","noUnusedLocals":false},"include":["src"],"references":[{"path":"a"}]}"#,
    ),
    ("a/tsconfig.json", "{}"),
];
const MYPY: &[(&str, &str)] = &[(
    "mypy.ini",
    "[mypy]\nstrict = True\nwarn_unused_ignores = False\n[mypy-foo.*]\nignore_missing_imports = True\n",
)];
const GOLANGCI: &[(&str, &str)] =
    &[(".golangci.yml", "linters:\n  enable:\n    - errcheck\n  disable:\n    - gosec\n")];
const CLIPPY: &[(&str, &str)] = &[
    ("Cargo.toml", "[package]\nname='x'\n[lints.clippy]\nall = \"deny\"\npedantic = \"warn\"\n"),
    ("src/lib.rs", ""),
];
const TOX: &[(&str, &str)] = &[(
    "tox.ini",
    "[tox]\nenvlist = py311, lint\n[testenv]\ndescription = x\ndeps =\n    pytest\ncommands = pytest\n[testenv:lint]\ndeps = ruff\ncommands = ruff check\n",
)];
const NOX: &[(&str, &str)] = &[(
    "noxfile.py",
    "import nox\n\n@nox.session\ndef tests(session):\n    session.install('pytest')\n    session.run('pytest')\n\n@nox.session\ndef lint(session):\n    session.run('ruff')\n",
)];
const GRADLE: &[(&str, &str)] = &[
    (
        "build.gradle",
        "plugins { id 'java' }\napply from: 'gradle/test.gradle'\nsubprojects {\n  dependencies { implementation 'a:1' }\n}\ntest { useJUnitPlatform() }\n",
    ),
    ("gradle/test.gradle", "test { x() }\n"),
    ("settings.gradle", "rootProject.name = 'x'\ninclude 'a'\n"),
    ("gradle.properties", "version=1\n"),
    ("a/build.gradle", ""),
    ("buildSrc/src/main/groovy/conv.gradle", "test { x() }"),
];
const MVN: &[(&str, &str)] = &[
    ("pom.xml", "<project><properties><a>1</a></properties></project>"),
    ("a/pom.xml", "<project><parent><artifactId>p</artifactId></parent></project>"),
    ("testng.xml", "<suite/>"),
];
const MIX: &[(&str, &str)] = &[
    (
        "mix.exs",
        "def project do\n [apps_path: \"apps\", deps: deps()]\nend\n defp deps do\n [{:a, \"1\"}]\nend",
    ),
    ("apps/a/mix.exs", "def project do\n [app: :a, deps: []]\nend\n"),
    ("test/test_helper.exs", "ExUnit.start()"),
];
const PHP: &[(&str, &str)] = &[
    ("phpunit.xml", "<phpunit/>"),
    ("vendor/bin/phpunit", "#!/usr/bin/env php\n1"),
    ("artisan", "#!/usr/bin/env php\n1"),
    ("composer.lock", "1"),
    ("bin/phpunit", "#!/usr/bin/env php\n1"),
];
const MAKE: &[(&str, &str)] =
    &[("Makefile", "test: unit\n\npytest:\n\tpytest\nunit:\n\tpytest -q\n.PHONY: test\n")];
const JUST: &[(&str, &str)] = &[
    ("justfile", "import 'ci.just'\nmod sub\n\ntest: unit sub::x\n    pytest\n"),
    ("ci.just", "unit:\n    pytest\n"),
    ("sub.just", "x:\n    pytest\n"),
];
const TASK: &[(&str, &str)] = &[
    (
        "Taskfile.yml",
        "version: '3'\nincludes:\n  lib: ./lib\ntasks:\n  test:\n    cmds:\n      - task: lib:unit\n      - pytest\n",
    ),
    ("lib/Taskfile.yml", "tasks:\n  unit: pytest\n"),
];
const CARGO: &[(&str, &str)] = &[
    ("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\n"),
    ("a/Cargo.toml", "[package]\nname='a'\n"),
    ("b/Cargo.toml", "[package]\nname='b'\n"),
    ("a/src/lib.rs", ""),
    ("b/src/lib.rs", ""),
];
const XTASK: &[(&str, &str)] = &[
    (".cargo/config.toml", "[alias]\nxtask = \"run --package xtask --\"\n"),
    ("Cargo.toml", "[workspace]\nmembers=['xtask']\n"),
    ("xtask/Cargo.toml", "[package]\nname='xtask'\n"),
    ("xtask/src/main.rs", "fn main() {}"),
];
const DENO: &[(&str, &str)] = &[(
    "deno.json",
    r#"{"test":{"include":["a"]},"lint":{"rules":{"tags":["recommended"]}},"imports":{}}"#,
)];
const WIREIT: &[(&str, &str)] = &[(
    "package.json",
    r#"{"scripts":{"test":"wireit"},"wireit":{"test":{"command":"jest"},"build":{"command":"x"}}}"#,
)];
const TURBO: &[(&str, &str)] = &[
    ("package.json", r#"{"workspaces":["p/*"],"scripts":{"test":"turbo run test"}}"#),
    ("turbo.json", r#"{"tasks":{"test":{"dependsOn":[]},"build":{}}}"#),
    ("p/a/package.json", r#"{"scripts":{"test":"jest"}}"#),
];
const LERNA: &[(&str, &str)] = &[
    ("package.json", r#"{"workspaces":["p/*"],"scripts":{"test":"lerna run test"}}"#),
    ("lerna.json", r#"{"version":"1.0.0","npmClient":"npm"}"#),
    ("p/a/package.json", r#"{"scripts":{"test":"jest"}}"#),
];
const NX: &[(&str, &str)] = &[
    ("package.json", r#"{"workspaces":["p/*"]}"#),
    ("nx.json", r#"{"targetDefaults":{"test":{}}}"#),
    ("p/a/project.json", r#"{"targets":{"test":{"executor":"@nx/jest:jest"},"build":{}}}"#),
    ("p/a/package.json", "{}"),
];
const PYP: &[(&str, &str)] = &[
    (
        "pyproject.toml",
        "[project]\nname='x'\ndependencies=[]\n[tool.poe.tasks]\ntest = 'pytest'\nother = 'x'\n[tool.pdm.scripts]\ntest = 'pytest'\n[tool.hatch.envs.default.scripts]\ntest = 'pytest'\n[tool.hatch.envs.default]\ndependencies = ['a']\n[tool.taskipy.tasks]\ntest='pytest'\n[tool.rye.scripts]\ntest='pytest'\n[tool.pixi.tasks]\ntest='pytest'\n",
    ),
    ("tests/test_a.py", "1"),
    ("plug.py", "1"),
    ("Pipfile", "[scripts]\ntest = \"pytest\"\n[packages]\n"),
];
const UNIT: &[(&str, &str)] = &[("tests/test_a.py", "1"), ("a.py", "")];
const COVERAGE: &[(&str, &str)] = &[(".coveragerc", "[report]\nfail_under = 90\n"), ("a.py", "")];
const NYC: &[(&str, &str)] = &[(
    "package.json",
    r#"{"scripts":{"test":"nyc --check-coverage mocha"},"nyc":{"lines":90,"branches":80}}"#,
)];
const RB: &[(&str, &str)] = &[
    (".rubocop.yml", "inherit_from: .rubocop_base.yml\nStyle/X:\n  Enabled: true\n"),
    (".rubocop_base.yml", "a: 1\n"),
    (
        "Rakefile",
        "require 'rspec/core/rake_task'\nRSpec::Core::RakeTask.new(:spec)\ntask default: :spec\n",
    ),
    (".rspec", "--color\n"),
];

const EDITS: &[P<'_>] = &[
    ("npm test", NODEJEST, "node_modules/jest/bin/jest.js", "1", "2", true),
    ("npm test", NODEJEST, "package.json", "\"a\":1", "\"a\":2", true),
    ("npm test", NODEJEST, "jest.config.js", "", "x", true),
    ("npm test", JESTCFG, "jest.base.js", "{}", "{a:1}", true),
    ("npm test", JESTCFG, "jest.setup.js", "1", "2", true),
    ("npm test", JESTCFG, "src/a.js", "1", "2", false),
    ("npm test", JESTCFG, "packages/a/jest.config.js", "1", "2", true),
    ("npm test", VT, "shared/vt.ts", "1", "2", true),
    ("npm test", VT, "setup.ts", "1", "2", true),
    ("npm test", VT, "vitest.config.ts", "90", "10", true),
    ("npm test", VT, "src/a.ts", "1", "2", false),
    ("eslint .", ESLINT, ".eslintrc.json", "error", "off", true),
    ("eslint .", ESLINT, ".eslintrc.json", "warn", "error", false),
    ("eslint .", ESLINT, ".eslintrc.json", "\"semi\"", "\"eqeqeq\":\"error\",\"semi\"", false),
    ("eslint .", ESLINT, ".eslintrc.json", "\"semi\"", "\"eqeqeq\":\"off\",\"semi\"", true),
    ("eslint .", ESLINT, "lint/base.json", "{}", "{\"a\":0}", true),
    ("ruff check", RUFF, "ruff.toml", "[\"E\"]", "[\"E\", \"F\"]", false),
    ("ruff check", RUFF, "ruff.toml", "[\"E\"]", "[]", true),
    ("ruff check", RUFF, "ruff.toml", "ignore = []", "ignore = [\"E1\"]", true),
    ("ruff check", RUFF, "base.toml", "80", "100", true),
    ("tsc --noEmit", TS, "tsconfig.json", "\"strict\":true", "\"strict\":false", true),
    (
        "tsc --noEmit",
        TS,
        "tsconfig.json",
        "\"noUnusedLocals\":false",
        "\"noUnusedLocals\":true",
        false,
    ),
    (
        "tsc --noEmit",
        TS,
        "tsconfig.json",
        "\"strict\":true",
        "\"strict\":true,\"noImplicitReturns\":true",
        false,
    ),
    ("tsc --noEmit", TS, "tsconfig.json", "es2020", "es2022", false),
    ("tsc --noEmit", TS, "tsconfig.json", "\"outDir\"", "\"skipLibCheck\":true,\"outDir\"", true),
    ("tsc --noEmit", TS, "tsconfig.json", "[\"src\"]", "[\"src\",\"more\"]", false),
    ("tsc --noEmit", TS, "tsconfig.json", "[\"src\"]", "[\"src/a\"]", true),
    (
        "tsc --noEmit",
        TS,
        "tsconfig.json",
        "\"include\"",
        "\"exclude\":[\"src/x\"],\"include\"",
        true,
    ),
    ("tsc -b", TS, "tsconfig.json", "{\"path\":\"a\"}", "{\"path\":\"a\"},{\"path\":\"b\"}", false),
    ("mypy .", MYPY, "mypy.ini", "strict = True", "strict = False", true),
    (
        "mypy .",
        MYPY,
        "mypy.ini",
        "warn_unused_ignores = False",
        "warn_unused_ignores = True",
        false,
    ),
    ("mypy .", MYPY, "mypy.ini", "strict = True", "strict = True\nignore_errors = True", true),
    ("mypy .", MYPY, "mypy.ini", "strict = True", "# c\nstrict   =  True", false),
    (
        "golangci-lint run",
        GOLANGCI,
        ".golangci.yml",
        "    - errcheck\n",
        "    - errcheck\n    - govet\n",
        false,
    ),
    (
        "golangci-lint run",
        GOLANGCI,
        ".golangci.yml",
        "    - gosec\n",
        "    - gosec\n    - govet\n",
        true,
    ),
    ("golangci-lint run", GOLANGCI, ".golangci.yml", "linters:", "# c\nlinters:", false),
    ("cargo clippy", CLIPPY, "Cargo.toml", "\"deny\"", "\"allow\"", true),
    ("cargo clippy", CLIPPY, "Cargo.toml", "pedantic = \"warn\"", "pedantic = \"deny\"", false),
    ("cargo clippy", CLIPPY, "Cargo.toml", "pedantic", "nursery = \"warn\"\npedantic", false),
    ("cargo clippy", CLIPPY, "Cargo.toml", "pedantic", "needless = \"allow\"\npedantic", true),
    ("tox", TOX, "tox.ini", "    pytest\ncommands", "    pytest>8\n    x\ncommands", false),
    ("tox", TOX, "tox.ini", "py311, lint", "py311, py312, lint", false),
    ("tox", TOX, "tox.ini", "description = x", "description = y", false),
    ("tox", TOX, "tox.ini", "py311, lint", "py311", true),
    ("tox", TOX, "tox.ini", "commands = pytest", "commands = - pytest", true),
    ("tox", TOX, "tox.ini", "commands = pytest", "ignore_errors = true\ncommands = pytest", true),
    (
        "nox",
        NOX,
        "noxfile.py",
        "",
        "\n@nox.session\ndef docs(session):\n    session.run('x')\n",
        false,
    ),
    (
        "nox",
        NOX,
        "noxfile.py",
        "'pytest')\n    session.run",
        "'pytest', 'x')\n    session.run",
        false,
    ),
    ("nox -s tests", NOX, "noxfile.py", "'ruff'", "'true'", false),
    ("nox -s tests", NOX, "noxfile.py", "session.run('pytest')", "session.run('true')", true),
    ("nox", NOX, "noxfile.py", "'ruff'", "'true'", true),
    ("gradle test", GRADLE, "gradle/test.gradle", "x()", "enabled = false", true),
    (
        "gradle test",
        GRADLE,
        "settings.gradle",
        "include",
        "gradle.startParameter.excludedTaskNames << 'test'\ninclude",
        true,
    ),
    (
        "gradle test",
        GRADLE,
        "build.gradle",
        "plugins",
        "gradle.taskGraph.whenReady { it.allTasks.each { t -> t.enabled = false } }\nplugins",
        true,
    ),
    (
        "gradle test",
        GRADLE,
        "build.gradle",
        "plugins",
        "tasks.all { onlyIf { false } }\nplugins",
        true,
    ),
    ("gradle test", GRADLE, "build.gradle", "'a:1'", "'a:2'", false),
    ("gradle test", GRADLE, "gradle.properties", "version=1", "version=2", false),
    ("gradle test", GRADLE, "buildSrc/src/main/groovy/conv.gradle", "x()", "enabled = false", true),
    ("gradle test", GRADLE, "a/build.gradle", "", "test { enabled = false }", true),
    ("gradle test", GRADLE, "b/build.gradle", "", "test { enabled = false }", false),
    (
        "sh -c 'cd a && mvn test'",
        MVN,
        "pom.xml",
        "<a>1</a>",
        "<a>1</a><skipTests>true</skipTests>",
        true,
    ),
    ("mvn test", MVN, "pom.xml", "<a>1</a>", "<a>2</a>", false),
    ("mvn test", MVN, ".mvn/maven.config", "", "-DskipTests", true),
    (
        "mvn test",
        MVN,
        "pom.xml",
        "<project>",
        "<project><profiles><profile><activation><activeByDefault>true</activeByDefault></activation><properties><maven.test.skip>true</maven.test.skip></properties></profile></profiles>",
        true,
    ),
    ("mix test", MIX, "apps/a/mix.exs", "deps: []", "deps: [], test_pattern: \"x\"", true),
    ("mix test", MIX, "apps/a/mix.exs", "deps: []", "deps: [{:b, \"1\"}]", false),
    ("mix test", MIX, "mix.exs", "{:a, \"1\"}", "{:a, \"2\"}", false),
    (
        "mix test",
        MIX,
        "mix.exs",
        "deps: deps()",
        "deps: deps(), test_ignore_filters: [~r/x/]",
        true,
    ),
    ("php vendor/bin/phpunit", PHP, "phpunit.xml", "<phpunit/>", "<phpunit></phpunit>", true),
    ("php vendor/bin/phpunit", PHP, "vendor/bin/phpunit", "1", "2", true),
    ("php artisan test", PHP, "phpunit.xml", "<phpunit/>", "<phpunit></phpunit>", true),
    ("php bin/phpunit", PHP, "phpunit.xml", "<phpunit/>", "<phpunit></phpunit>", true),
    ("make test", MAKE, "unit", "", "", true),
    ("make test", MAKE, "test", "", "", false),
    ("make test", MAKE, "Makefile", "test: unit", "MAKEFLAGS += -i\ntest: unit", true),
    ("make test", MAKE, "Makefile", "test: unit", "MAKEFLAGS := -n\ntest: unit", true),
    ("just test", JUST, "ci.just", "pytest", "true", true),
    ("just test", JUST, "sub.just", "pytest", "true", true),
    ("just test", JUST, "ci.just", "unit:", "other:\n    x\n\nunit:", false),
    ("task test", TASK, "lib/Taskfile.yml", "pytest", "true", true),
    ("task test", TASK, "Taskfile.yml", "    cmds:", "    ignore_error: true\n    cmds:", true),
    ("task test", TASK, "Taskfile.yml", "    cmds:", "    status: ['true']\n    cmds:", true),
    ("task test", TASK, "Taskfile.yml", "lib: ./lib", "lib: ./other", true),
    ("task test", TASK, "Taskfile.yml", "lib: ./lib", "lib: ./lib\n  more: ./more", false),
    ("cargo test", CARGO, "Cargo.toml", "members", "default-members = [\"a\"]\nmembers", true),
    ("cargo test", CARGO, "Cargo.toml", "\"b\"]", "\"b\", \"c\"]", false),
    ("cargo test", CARGO, "b/Cargo.toml", "name='b'", "name='b'\nautotests=false", true),
    ("cargo xtask test", XTASK, "xtask/src/main.rs", "{}", "{ }", true),
    ("deno test", DENO, "deno.json", "[\"a\"]", "[]", true),
    ("deno lint", DENO, "deno.json", "recommended", "none", true),
    ("deno test", DENO, "deno.json", "recommended", "none", false),
    ("npm test", WIREIT, "package.json", "\"jest\"", "\"true\"", true),
    ("npm test", WIREIT, "package.json", "\"x\"", "\"y\"", false),
    ("npm test", TURBO, "turbo.json", "\"build\":{}", "\"build\":{},\"docs\":{}", false),
    ("npm test", TURBO, "turbo.json", "{\"dependsOn\":[]}", "{\"dependsOn\":[\"x\"]}", true),
    ("npm test", LERNA, "lerna.json", "1.0.0", "1.0.1", false),
    ("nx run-many -t test", NX, "p/a/project.json", "@nx/jest:jest", "nx:noop", true),
    ("nx run-many -t test", NX, "p/a/project.json", "\"build\":{}", "\"build\":{\"a\":1}", false),
    (
        "poe test",
        PYP,
        "pyproject.toml",
        "[tool.poe.tasks]\ntest = 'pytest'",
        "[tool.poe.tasks]\ntest = 'true'",
        true,
    ),
    ("poe test", PYP, "pyproject.toml", "other = 'x'", "other = 'y'", false),
    (
        "pdm run test",
        PYP,
        "pyproject.toml",
        "[tool.pdm.scripts]\ntest = 'pytest'",
        "[tool.pdm.scripts]\ntest = 'true'",
        true,
    ),
    (
        "hatch run test",
        PYP,
        "pyproject.toml",
        "scripts]\ntest = 'pytest'\n[tool.hatch.envs.default]",
        "scripts]\ntest = 'true'\n[tool.hatch.envs.default]",
        true,
    ),
    ("hatch run test", PYP, "pyproject.toml", "['a']", "['a','b']", false),
    (
        "task test",
        PYP,
        "pyproject.toml",
        "[tool.taskipy.tasks]\ntest='pytest'",
        "[tool.taskipy.tasks]\ntest='true'",
        true,
    ),
    (
        "rye run test",
        PYP,
        "pyproject.toml",
        "[tool.rye.scripts]\ntest='pytest'",
        "[tool.rye.scripts]\ntest='true'",
        true,
    ),
    (
        "pixi run test",
        PYP,
        "pyproject.toml",
        "[tool.pixi.tasks]\ntest='pytest'",
        "[tool.pixi.tasks]\ntest='true'",
        true,
    ),
    ("pipenv run test", PYP, "Pipfile", "\"pytest\"", "\"true\"", true),
    ("pipenv run test", PYP, "Pipfile", "[packages]", "[packages]\nx='*'", false),
    (
        "pytest",
        PYP,
        "pyproject.toml",
        "dependencies=[]",
        "dependencies=[]\n[project.entry-points.pytest11]\nx='plug'",
        true,
    ),
    ("pytest", PYP, "pytest.ini", "", "[pytest]\n", true),
    ("pytest -p plug", PYP, "plug.py", "1", "2", true),
    (
        "python -m unittest",
        UNIT,
        "tests/__init__.py",
        "",
        "def load_tests(l, t, p):\n    return l.suiteClass()\n",
        true,
    ),
    ("python -m unittest", UNIT, "tests/__init__.py", "", "", false),
    ("coverage report", COVERAGE, ".coveragerc", "90", "10", true),
    ("coverage report", COVERAGE, ".coveragerc", "90", "95", false),
    ("npm test", NYC, "package.json", "\"lines\":90", "\"lines\":10", true),
    ("npm test", NYC, "package.json", "\"lines\":90", "\"lines\":95", false),
    ("rubocop", RB, ".rubocop_base.yml", "a: 1", "a: 2", true),
    ("rubocop", RB, ".rubocop.yml", "Enabled: true", "Enabled: false", true),
    ("rake", RB, ".rspec", "--color", "--color --exclude-pattern x", true),
    (
        "rake spec",
        RB,
        "Rakefile",
        "task default: :spec",
        "RSpec::Core::RakeTask.new(:spec) { |t| t.pattern = 'x' }\ntask default: :spec",
        true,
    ),
];

#[test]
fn every_kind_of_edit_is_told_apart() {
    let mut wrong = Vec::new();
    for (line, files, path, old, new, doubted) in EDITS {
        let project = Files::of(files).elsewhere("pytest").elsewhere("jest");
        let now = apply(&project, path, old, new);
        let found = doubts(line, &project, &now);
        if found.is_empty() == *doubted {
            wrong.push(format!("`{line}` {path}: {old:?} -> {new:?}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
