use sprag_core::definition::PartChange;

use super::*;

fn shop() -> Files {
    Files::of(&[
        ("package.json", "{\"scripts\":{\"test\":\"checker && jest\"}}"),
        ("node_modules/.bin/checker", "#!/bin/sh\ntrue\n"),
        ("package-lock.json", "1"),
        ("packages/a/package.json", "{\"scripts\":{\"test\":\"checker\"}}"),
        (".venv/bin/pytest", "#!/x/python\n"),
        ("uv.lock", "1"),
    ])
}

#[test]
fn a_program_that_is_replaced_is_named() {
    let project = shop();
    let program = "node_modules/.bin/checker";
    for line in [
        "npm test",
        "npx checker",
        "sh -c 'cd packages/a && npm test'",
        "./node_modules/.bin/checker",
        "npm exec checker",
    ] {
        let now = project.edited(program, "true", "exit 0");
        assert_eq!(doubts(line, &project, &now), [program], "{line}");
        let now = now.with("package-lock.json", "2");
        assert_eq!(doubts(line, &project, &now), [""; 0], "{line}");
    }
    for line in ["pytest", "uv run pytest", "python -m pytest", ".venv/bin/pytest"] {
        let now = project.edited(".venv/bin/pytest", "python", "true");
        let expected: &[&str] =
            if line.starts_with("python") { &[] } else { &[".venv/bin/pytest"] };
        assert_eq!(doubts(line, &project, &now), expected, "{line}");
    }
}

#[test]
fn a_program_before_one_elsewhere_is_changed_and_another_is_new() {
    let (project, path) = (shop(), "node_modules/.bin/jest");
    let now = project.with(path, "#!/bin/sh\n");
    let change = |then: &Files| {
        let all = changes(&then.define("npm test"), &now.define("npm test"));
        all.into_iter().find(|(key, _)| key.to_string() == path).map(|(_, (_, change))| change)
    };
    assert_eq!(change(&project), Some(PartChange::New));
    assert_eq!(change(&project.elsewhere("jest")), Some(PartChange::Changed));
    assert_eq!(doubts("npm test", &project.elsewhere("jest"), &now), [path]);
}

#[test]
fn a_program_has_its_lock_files() {
    let project = shop().with("packages/a/yarn.lock", "1");
    let found = project.define("npm test");
    let part = found
        .parts
        .iter()
        .find(|(key, _)| key.to_string() == "node_modules/.bin/checker")
        .unwrap()
        .1;
    assert_eq!(part.locks.keys().collect::<Vec<_>>(), ["package-lock.json"]);
    assert_eq!(part.program.as_deref(), Some("checker"));
}

#[test]
fn a_folder_of_path_comes_first() {
    let project = Files::of(&[("test.sh", "export PATH=\"$PWD/bin:$PATH\"\npytest -q\n")]);
    let now = project.with("bin/pytest", "#!/bin/sh\ntrue\n");
    assert!(keys("sh test.sh", &now).contains(&"bin/pytest".to_owned()));
    let bare = project.edited("test.sh", "export PATH", "PATH");
    let now = bare.with("bin/pytest", "#!/bin/sh\ntrue\n");
    assert!(keys("sh test.sh", &now).contains(&"bin/pytest".to_owned()));
    // It takes the place of the program that was found elsewhere.
    let project = project.elsewhere("pytest");
    assert_eq!(
        doubts("sh test.sh", &project, &project.with("bin/pytest", "true\n")),
        ["bin/pytest"]
    );
    let built = project.with("bin/pytest", "\u{7f}ELF\0");
    assert_eq!(doubts("sh test.sh", &project, &built), ["bin/pytest"]);
    let other = project.with("bin/other", "#!/bin/sh\n");
    assert_eq!(doubts("sh test.sh", &project, &other), [""; 0]);
}

#[test]
fn a_program_that_hides_the_shell_or_an_interpreter_is_named() {
    let jest = ("node_modules/.bin/jest", "#!/usr/bin/env node\n");
    let manifest = ("package.json", r#"{"scripts":{"test":"jest"}}"#);
    let project = Files::of(&[manifest, jest]).elsewhere("sh").elsewhere("node");
    for (name, is_named) in [("sh", true), ("node", true), ("python", false), ("tsc", false)] {
        let path = format!("node_modules/.bin/{name}");
        let now = project.with(&path, "#!/bin/sh\nexit 0\n");
        let expected: Vec<String> = is_named.then_some(path).into_iter().collect();
        assert_eq!(doubts("npm test", &project, &now), expected, "{name}");
    }
}
