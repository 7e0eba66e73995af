use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;

use sprag_hosts::Host;
use sprag_hosts::install::{Scope, Wanted, install};
use sprag_store::Place;
use sprag_testkit::TestEnv;
use sprag_world::trust;

use super::config::Configuring;
use super::foreign;
use super::spot::HostFile;
use crate::config::Configured;
use crate::engine::Engine;
use crate::usual_checks;

fn found(files: &[(&str, &str)]) -> Vec<String> {
    let env = TestEnv::new();
    for (path, text) in files {
        env.write(path, text);
        if path.contains('/') {
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(env.project().join(path), mode).unwrap();
        }
    }
    let all = usual_checks::find(&env.project());
    all.iter().map(|one| format!("{} ({})", one.argv.join(" "), one.from)).collect()
}

#[test]
fn every_language_has_its_check() {
    for (file, text, expected) in [
        ("package.json", "{\"scripts\": {\"test\": \"vitest run\"}}", "npm test (package.json)"),
        ("Cargo.toml", "[package]", "cargo test --quiet (Cargo.toml)"),
        ("go.mod", "module x", "go test ./... (go.mod)"),
        ("pyproject.toml", "[tool.pytest.ini_options]", "pytest -q (pyproject.toml)"),
        ("pytest.ini", "", "pytest -q (pytest.ini)"),
        ("Makefile", "all: x\n\ntest lint: x\n\tgo\n", "make test (Makefile)"),
        ("Makefile", "check :\n\tgo\n", "make check (Makefile)"),
        ("justfile", "set x\n@test *args: build\n  go\n", "just test (justfile)"),
        ("scripts/test", "#!/bin/sh\n", "./scripts/test (scripts/test)"),
        (
            "composer.json",
            "{\"scripts\": {\"test\": [\"phpunit\"]}}",
            "composer test (composer.json)",
        ),
        ("mix.exs", "", "mix test (mix.exs)"),
    ] {
        assert_eq!(found(&[(file, text)]), [expected]);
    }
}

#[test]
fn what_says_nothing_of_a_test_is_none() {
    for (file, text) in [
        (
            "package.json",
            "{\"scripts\": {\"test\": \"echo \\\"Error: no test specified\\\" && exit 1\"}}",
        ),
        ("package.json", "{\"scripts\": {\"build\": \"tsc\"}}"),
        ("package.json", "{ not json"),
        ("Makefile", "tests := a b\nbuild:\n\ttest: x\n# test:\n"),
        ("justfile", "test := 'x'\nbuild:\n  test: y\n"),
        ("pyproject.toml", "[project]\nname = \"x\"\n"),
        ("setup.cfg", "[metadata]\n"),
        ("sub/Cargo.toml", "[package]"),
    ] {
        assert_eq!(found(&[(file, text)]), [""; 0], "{file}: {text}");
    }
}

#[test]
fn what_the_project_names_comes_first_and_the_lock_file_names_the_manager() {
    let package = ("package.json", "{\"scripts\": {\"test\": \"x\"}}");
    let all = found(&[("Cargo.toml", ""), ("Makefile", "test:\n"), package, ("yarn.lock", "")]);
    let expected =
        ["yarn test (package.json)", "make test (Makefile)", "cargo test --quiet (Cargo.toml)"];
    assert_eq!(all, expected);
    let python = [("pyproject.toml", "pytest"), ("uv.lock", ""), ("pytest.ini", "")];
    assert_eq!(found(&python), ["uv run pytest -q (pyproject.toml)"]);
}

#[test]
fn what_the_ci_runs_is_the_last_sign_and_only_a_plain_command() {
    let github = "on: push\njobs:\n  build:\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm ci\n      - run: |\n          export A=1\n          bazel test //...\n      - run: bazel test //... --keep_going\n      - run: pip install tox\n      - run: tox -e ${{ matrix.python }}\n      - run: A=1 ./check\n      - run: ninja -C out test > log\n      - run: ninja test\n        working-directory: sub\n  other:\n    defaults: {run: {working-directory: x}}\n    steps: [{run: sub/test}]\n";
    let file = ".github/workflows/ci.yml";
    let only = ["bazel test //... --keep_going (.github/workflows/ci.yml)"];
    assert_eq!(found(&[(file, github)]), only);
    let both = found(&[(file, github), ("go.mod", "module x")]);
    assert_eq!(both, ["go test ./... (go.mod)", only[0]]);
    let gitlab = "image: x\ntest:\n  script:\n    - ./ci/run-tests\ncheck:\n  script: [\"ci/test.sh --all\"]\nlong:\n  script: [\"make x\", \"ctest\"]\n";
    assert_eq!(found(&[(".gitlab-ci.yml", gitlab)]), ["ci/test.sh --all (.gitlab-ci.yml)"]);
    for broken in ["jobs: [1]\n", "jobs: {a: {steps: 1}}\n", "- x: [\n", "&a [*a]\n", ""] {
        assert_eq!(found(&[(file, broken), (".gitlab-ci.yml", broken)]), [""; 0], "{broken}");
    }
}

#[test]
fn other_systems_are_told_apart() {
    let env = TestEnv::new();
    env.write(".gsd/STATE.md", "loop:\n");
    env.write(".pi/workflows/x/workflow.yaml", "");
    env.write(".chipset", "a file is no state");
    let all = foreign::find(&env.project());
    let shown: Vec<_> = all.iter().map(|one| (one.path, one.what)).collect();
    assert_eq!(shown, [(".gsd", "opti-gsd"), (".pi/workflows", "pi-workflows")]);
    env.write(".gsd/STATE.md", "");
    env.write(".gsd/milestones/x", "");
    assert_eq!(foreign::find(&env.project())[0].what, "GSD");
}

fn configured(text: &str) -> Configured {
    let (config, notes) = sprag_formats::Config::read(text, &sprag_hosts::names()).unwrap();
    Configured::Known { config: Box::new(config), notes, text: Some(text.to_owned()) }
}

fn argv(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

#[test]
fn a_configuration_with_gates_is_kept_and_one_without_gets_one() {
    let has = "# mine\nguard:\n  gates:\n    - run: make   # slow\n";
    let plan = |text: &str, asked: &[Vec<String>]| {
        Configuring::plan(configured(text), asked, Some(&argv("npm test"))).unwrap().after
    };
    assert_eq!(plan(has, &[]), None);
    assert_eq!(plan(has, &[argv("make")]), None, "it is there");
    let more = format!("{has}    - run: cargo test\n");
    assert_eq!(plan(has, &[argv("cargo test")]), Some(more));
    let wait = "wait: 2m # short\n";
    let with = "wait: 2m # short\nguard:\n  gates:\n    - run: npm test\n";
    assert_eq!(plan(wait, &[]).as_deref(), Some(with));
    let limit = Configuring::plan(configured(wait), &[], Some(&argv("x"))).unwrap().limit();
    assert_eq!(limit.as_secs(), 150);
}

#[test]
fn words_that_a_line_cannot_hold_are_written_as_a_list() {
    let none = || Configured::Known { config: Box::default(), notes: vec![], text: None };
    let words = vec!["sh".to_owned(), "-c".to_owned(), "a && b".to_owned()];
    let plan = Configuring::plan(none(), std::slice::from_ref(&words), None).unwrap();
    let [spec] = plan.gates() else { panic!("{:?}", plan.gates()) };
    assert_eq!(crate::gate::commands(&spec.gate.check), [words.as_slice()]);
    assert_eq!(plan.limit().as_secs(), 630);
}

/// A person with two projects and Codex, whose entries apply to both.
#[test]
fn entries_for_every_project_go_with_the_last_one() {
    let env = TestEnv::new();
    let other = env.top().join("other");
    std::fs::create_dir(&other).unwrap();
    let variables: Vec<(OsString, OsString)> =
        vec![("HOME".into(), env.home().into_os_string()), ("PATH".into(), "/nowhere".into())];
    let (here, there) = (Place::of(env.project()), Place::of(&other));
    let spot = HostFile::of(Host::CODEX, Scope::Personal, &here, &variables).unwrap();
    let before = "{\"hooks\": {\"Stop\": []}}";
    let wanted = Wanted {
        host: Host::CODEX,
        program: "sprag",
        limit: std::time::Duration::from_mins(1),
        scope: Scope::Personal,
        root: "",
    };
    let after = install(Some(before), &wanted).unwrap().text;
    let engine = Engine::open(&here, &variables).unwrap();
    spot.replace(None, Some(before)).unwrap();
    engine
        .alone(|memory, keep| {
            memory.note(&spot.path(), Some(before), &after);
            keep(memory)
        })
        .unwrap();
    spot.replace(Some(before), Some(&after)).unwrap();
    let state = env.home().join(".local/state/sprag");
    for root in [&here.state, &there.state] {
        trust::approve(&state, &Place::of(root), &[sprag_core::Hash::of("x")]).unwrap();
    }

    let undoing = engine.undoing(Scope::Personal).unwrap();
    assert!(undoing.files.is_empty() && undoing.trusted);
    let kept = ("~/.codex/hooks.json".to_owned(), "another project uses sprag".to_owned());
    assert_eq!(undoing.kept, [kept]);
    let undone = engine.undo(&undoing, "person");
    assert_eq!((undone.failed, undone.written.len()), (None, 1));
    assert_eq!(spot.read().unwrap().as_deref(), Some(after.as_str()));

    let engine = Engine::open(&there, &variables).unwrap();
    let undoing = engine.undoing(Scope::Personal).unwrap();
    assert_eq!(undoing.files.len(), 1);
    let undone = engine.undo(&undoing, "person");
    assert_eq!(undone.failed, None);
    assert_eq!(spot.read().unwrap().as_deref(), Some(before), "the very bytes, the empty list too");
    assert!(engine.undoing(Scope::Personal).unwrap().is_nothing());
}

#[test]
fn codex_may_live_elsewhere() {
    let env = TestEnv::new();
    let moved = env.top().join("codex");
    let variables: Vec<(OsString, OsString)> = vec![
        ("HOME".into(), env.home().into_os_string()),
        ("CODEX_HOME".into(), moved.clone().into_os_string()),
    ];
    let spot = HostFile::of(Host::CODEX, Scope::Personal, &Place::of(env.project()), &variables);
    assert_eq!(spot.unwrap().path(), moved.join("hooks.json"));
}
