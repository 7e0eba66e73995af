//! Test and task runners.

use super::{ConfigFile, Family, Reads, Runner, bare, file, settings, whole, with};

/// The settings that determine how npm and its relatives run scripts.
const NPM_SETTINGS: &[ConfigFile] = &[
    file(
        ".npmrc",
        Reads::IniKeys(&[
            "script-shell",
            "ignore-scripts",
            "node-options",
            "shell",
            "if-present",
            "workspace",
            "workspaces",
        ]),
    ),
    file(".yarnrc.yml", Reads::Yaml(&["yarnPath", "enableScripts", "plugins"])),
    file("bunfig.toml", Reads::Toml(&["test", "run", "preload"])),
];

const JEST: &[ConfigFile] = &[
    file("package.json", Reads::Json(&["jest", "babel"])),
    settings("jest.config.*"),
    // It compiles the tests.
    settings("babel.config.*"),
    settings(".babelrc"),
    settings(".babelrc.js"),
    settings(".babelrc.json"),
];

const VITEST: &[ConfigFile] = &[
    file("package.json", Reads::Json(&["vitest"])),
    settings("vitest.config.*"),
    settings("vitest.workspace.*"),
    settings("vitest.projects.*"),
    file("vite.config.*", Reads::Property("test")),
];

const MOCHA: &[ConfigFile] = &[
    file("package.json", Reads::Json(&["mocha"])),
    settings(".mocharc"),
    settings(".mocharc.*"),
    whole("test/mocha.opts"),
];

const COVERAGE: &[ConfigFile] = &[
    file(".coveragerc", Reads::IniAll),
    file("pyproject.toml", Reads::Toml(&["tool.coverage"])),
    file("setup.cfg", Reads::Ini(&["coverage:*"])),
    file("tox.ini", Reads::Ini(&["coverage:*"])),
];

pub(super) const TESTERS: &[Runner] = &[
    with(&["npm"], Family::Npm, NPM_SETTINGS, &[]),
    with(&["pnpm"], Family::Pnpm, NPM_SETTINGS, &[]),
    with(&["yarn", "yarnpkg"], Family::Yarn, NPM_SETTINGS, &[]),
    with(&["bun"], Family::Bun, NPM_SETTINGS, &[]),
    with(
        &["deno"],
        Family::Deno,
        &[
            file("deno.json", Reads::Json(&["test", "exclude"])),
            file("deno.jsonc", Reads::Json(&["test", "exclude"])),
        ],
        &["--config", "-c"],
    ),
    bare(&["composer"], Family::Composer),
    bare(&["run-s", "run-p", "npm-run-all", "npm-run-all2", "run-z"], Family::RunAll),
    bare(&["concurrently", "conc"], Family::Concurrently),
    with(
        &["turbo", "nx", "lerna"],
        Family::Members,
        &[
            file("nx.json", Reads::Json(&["plugins", "extends"])),
            file("lerna.json", Reads::Json(&["packages", "npmClient", "command"])),
        ],
        &[],
    ),
    with(
        &["ng"],
        Family::Plain,
        &[file("angular.json", Reads::Json(&["projects"])), settings("karma.conf.*")],
        &[],
    ),
    with(&["jest", "react-scripts", "craco", "tsdx"], Family::Plain, JEST, &["--config", "-c"]),
    with(&["vitest"], Family::Plain, VITEST, &["--config", "-c", "--workspace"]),
    with(
        &["mocha", "_mocha", "mochapack"],
        Family::Plain,
        MOCHA,
        &["--config", "--opts", "--require", "-r", "--file"],
    ),
    with(
        &["ava"],
        Family::Plain,
        &[file("package.json", Reads::Json(&["ava"])), settings("ava.config.*")],
        &["--config"],
    ),
    with(
        &["c8"],
        Family::Wraps,
        &[file("package.json", Reads::Json(&["c8"])), settings(".c8rc"), settings(".c8rc.*")],
        &["--config", "-c"],
    ),
    with(
        &["nyc"],
        Family::Wraps,
        &[
            file("package.json", Reads::Json(&["nyc"])),
            settings(".nycrc"),
            settings(".nycrc.*"),
            settings("nyc.config.*"),
        ],
        &["--nycrc-path"],
    ),
    with(&["playwright"], Family::Plain, &[settings("playwright.config.*")], &["--config", "-c"]),
    with(
        &["cypress"],
        Family::Plain,
        &[settings("cypress.config.*"), settings("cypress.json")],
        &["--config-file", "-C"],
    ),
    with(&["karma"], Family::Plain, &[settings("karma.conf.*")], &[]),
    with(
        &["jasmine"],
        Family::Plain,
        &[settings("spec/support/jasmine.json"), settings("spec/support/jasmine.mjs")],
        &["--config"],
    ),
    with(
        &["tap"],
        Family::Plain,
        &[settings(".taprc"), file("package.json", Reads::Json(&["tap"]))],
        &[],
    ),
    with(
        &["wtr", "web-test-runner"],
        Family::Plain,
        &[settings("web-test-runner.config.*")],
        &["--config"],
    ),
    with(
        &["uvu", "tape", "bats", "prove", "shellspec"],
        Family::Plain,
        &[whole(".shellspec"), whole(".proverc")],
        &[],
    ),
    bare(&["sh", "bash", "dash", "zsh", "ksh", "ash", "fish", ".", "source"], Family::Shell),
    bare(&["python", "pypy", "py"], Family::Python),
    bare(
        &[
            "node", "nodejs", "tsx", "ts-node", "ruby", "perl", "php", "lua", "Rscript", "julia",
            "pwsh", "expect", "tclsh", "guile", "elixir", "escript", "groovy", "awk", "gawk",
        ],
        Family::Interpreter,
    ),
    bare(&["pytest", "py.test"], Family::Pytest),
    bare(&["tox"], Family::Tox),
    bare(&["nox"], Family::Nox),
    with(&["coverage"], Family::Coverage, COVERAGE, &["--rcfile"]),
    bare(&["poe"], Family::TaskTable),
    with(
        &["nose2"],
        Family::Plain,
        &[whole("unittest.cfg"), whole("nose2.cfg"), file("setup.cfg", Reads::Ini(&["unittest"]))],
        &["--config", "-c"],
    ),
    bare(&["cargo", "cross"], Family::Cargo),
    bare(&["make", "gmake", "bmake"], Family::Make),
    bare(&["just"], Family::Just),
    bare(&["task", "go-task"], Family::Task),
    bare(&["go", "gotestsum", "ginkgo"], Family::Go),
    bare(&["mvn", "mvnw", "mvnd"], Family::Maven),
    bare(&["gradle", "gradlew"], Family::Gradle),
    with(
        &["phpunit", "pest", "paratest", "simple-phpunit"],
        Family::Plain,
        &[settings("phpunit.xml"), settings("phpunit.dist.xml"), settings("phpunit.xml.dist")],
        &["-c", "--configuration", "--bootstrap"],
    ),
    with(
        &["codecept"],
        Family::Plain,
        &[settings("codeception.yml"), settings("codeception.dist.yml")],
        &["-c", "--config"],
    ),
    with(
        &["behat"],
        Family::Plain,
        &[settings("behat.yml"), settings("behat.yml.dist")],
        &["-c", "--config"],
    ),
    with(
        &["mix"],
        Family::Mix,
        &[file(".formatter.exs", Reads::Whole), file(".credo.exs", Reads::Whole)],
        &[],
    ),
    with(
        &["rspec", "parallel_rspec"],
        Family::Plain,
        &[whole(".rspec"), whole(".rspec-local")],
        &["-O", "--options"],
    ),
    bare(&["rake"], Family::Rake),
    with(
        &["cucumber"],
        Family::Plain,
        &[whole("cucumber.yml"), whole("config/cucumber.yml"), settings("cucumber.*")],
        &["-p"],
    ),
    bare(&["gh", "act"], Family::Ci),
    with(&["glab", "gitlab-ci-local"], Family::Plain, &[whole(".gitlab-ci.yml")], &[]),
    with(&["circleci"], Family::Plain, &[whole(".circleci/config.yml")], &["--config", "-c"]),
    bare(&["ctest"], Family::Ctest),
    bare(&["dotnet"], Family::Dotnet),
    with(
        &["swift"],
        Family::Plain,
        &[file("Package.swift", Reads::Statements("testTarget", &["testTarget"]))],
        &[],
    ),
    with(&["zig"], Family::Plain, &[file("build.zig", Reads::Statements("test", &["test"]))], &[]),
    with(&["dart", "flutter"], Family::Plain, &[settings("dart_test.yaml")], &[]),
    with(
        &["sbt"],
        Family::Plain,
        &[file("build.sbt", Reads::Statements("test", &["test", "Test", "Tests", "testOptions"]))],
        &[],
    ),
    with(
        &["lein"],
        Family::Plain,
        &[file(
            "project.clj",
            Reads::Statements("test", &["test", "test-paths", "test-selectors", "aliases"]),
        )],
        &[],
    ),
    with(&["gleam"], Family::Plain, &[], &[]),
    with(&["dune"], Family::Plain, &[], &[]),
];
