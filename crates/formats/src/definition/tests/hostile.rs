use super::*;

#[test]
fn scripts_that_call_each_other_end() {
    let project = Files::of(&[
        ("a.sh", "sh b.sh; sh a.sh"),
        ("b.sh", "sh a.sh"),
        ("package.json", "{\"scripts\":{\"test\":\"npm test && npm run b\",\"b\":\"npm test\"}}"),
        (
            "Makefile",
            "A = $(B)\nB = $(A)\na: b\n\t$(A)\n\tmake a\nb: a\n\tmake b\ninclude Makefile\n",
        ),
        ("justfile", "a: b\n  just a\nb: a\n  just b\nimport 'justfile'\n"),
        ("Taskfile.yml", "tasks:\n  a: { deps: [b], cmds: ['task a'] }\n  b: { deps: [a] }\n"),
        ("tsconfig.json", "{\"extends\":\"./tsconfig.json\"}"),
        ("pom.xml", "<project><modules><module>.</module></modules></project>"),
        (".cargo/config.toml", "[alias]\nx = \"x\"\n"),
        ("composer.json", "{\"scripts\":{\"test\":[\"@test\"]}}"),
        ("deno.json", "{\"tasks\":{\"a\":{\"command\":\"deno task a\",\"dependencies\":[\"a\"]}}}"),
    ]);
    for line in [
        "sh a.sh",
        "npm test",
        "make a",
        "just a",
        "task a",
        "tsc",
        "mvn test",
        "cargo x",
        "composer test",
        "deno task a",
    ] {
        assert!(!project.define(line).parts.is_empty(), "{line}");
    }
}

#[test]
fn nothing_outside_the_project_is_asked_for() {
    // `Files::read` fails the test if this happens.
    let project = Files::of(&[
        (
            "Makefile",
            "include /etc/x ../../y $(HOME)/z\ntest:\n\tsh ../x.sh; sh /etc/x.sh; cd / && sh x.sh\n",
        ),
        (
            "package.json",
            "{\"workspaces\":[\"../x\",\"/y\",\"**\",\"[\"],\"scripts\":{\"test\":\"npm -w ../x test && pnpm -C ../.. test\"}}",
        ),
        ("pyproject.toml", "[tool.pytest]\n"),
        ("Cargo.toml", "[workspace]\nmembers = [\"../*\", \"/x\", \"\"]\n"),
        ("tsconfig.json", "{\"extends\":\"../../x\",\"references\":[{\"path\":\"/x\"}]}"),
    ]);
    for line in [
        "make test",
        "npm test",
        "pytest -c ../x ../../tests",
        "cargo test --manifest-path ../x/Cargo.toml",
        "tsc",
        "sh ../../x.sh",
        "/bin/sh /etc/x.sh",
        "make -C .. test",
        "python -m ...x",
        "python -m ../x",
        "env -C / sh x.sh",
        "sh -c 'cd ../.. && cd /x && sh y.sh && . ~/z'",
    ] {
        project.define(line);
    }
}

#[test]
fn bounds_hold_and_are_known() {
    let mut project = Files::default();
    let lines: Vec<String> = (0..200).map(|at| format!("sh s{at}.sh")).collect();
    project = project.with("a.sh", &lines.join("\n"));
    for at in 0..200 {
        project = project.with(&format!("s{at}.sh"), "true");
    }
    let found = project.define("sh a.sh");
    // All are compared, but at most a hundred are followed.
    assert_eq!(without_lines(&found).len(), 201);
    assert!(found.is_cut);
    let many = "sh x.sh;".repeat(200_000);
    assert!(Files::of(&[("a.sh", &many)]).define("sh a.sh").is_cut);
    let deep = "$(".repeat(100_000);
    Files::of(&[("a.sh", &deep)]).define("sh a.sh");
    let long: Vec<String> = (0..10_000).map(|at| format!("v{at} = $(v{})", at + 1)).collect();
    let text = format!("{}\nt:\n\t$(v0)\n", long.join("\n"));
    Files::of(&[("Makefile", &text)]).define("make t");
}

#[test]
fn what_cannot_be_read_counts_as_a_whole() {
    for (line, path) in [
        ("npm test", "package.json"),
        ("cargo test", "Cargo.toml"),
        ("make test", "Makefile"),
        ("mvn test", "pom.xml"),
        ("task test", "Taskfile.yml"),
        ("gradle test", "build.gradle"),
        ("mix test", "mix.exs"),
        ("pytest", "pyproject.toml"),
        ("sh test.sh", "test.sh"),
        ("tsc", "tsconfig.json"),
        ("go test", "go.work"),
        ("just test", "justfile"),
        ("rake test", "Rakefile"),
        ("ctest", "CMakeLists.txt"),
        ("tox", "tox.ini"),
        ("pytest", "conftest.py"),
    ] {
        let one = Files::default().with_bytes(path, b"\xff\xfe{");
        let two = Files::default().with_bytes(path, b"\xff\xfe}");
        assert_eq!(doubts(line, &one, &two), [path], "{line}");
        let large = "x".repeat(2 << 20);
        let (one, two) = (Files::of(&[(path, &large)]), Files::of(&[(path, &format!("{large}y"))]));
        assert_eq!(doubts(line, &one, &two), [path], "{line}");
    }
}

#[test]
fn a_file_that_is_too_large_is_compared_by_its_hash() {
    struct Large(&'static str);
    impl ProjectFiles for Large {
        fn read(&self, path: &str) -> FileContent {
            if path == "a.sh" {
                FileContent::TooLarge(sprag_core::Hash::of(self.0))
            } else {
                FileContent::Absent
            }
        }
    }
    let of = |text| definition(&argv("sh a.sh"), &Large(text));
    assert_eq!(changes(&of("1"), &of("1")).len(), 0);
    assert_eq!(changes(&of("1"), &of("2")).len(), 1);
}

#[test]
fn an_empty_command_has_no_definition() {
    for words in [vec![], vec![String::new()]] {
        let found = definition(&words, &Files::default());
        assert!(found.parts.is_empty() && found.known.is_empty() && !found.is_cut);
    }
}

/// Counts the requested files.
struct Counted<'f>(&'f Files, std::cell::Cell<usize>);

impl ProjectFiles for Counted<'_> {
    fn read(&self, path: &str) -> FileContent {
        self.1.set(self.1.get() + 1);
        self.0.read(path)
    }

    fn paths(&self) -> Vec<String> {
        self.0.paths()
    }
}

#[test]
fn few_files_are_asked_for() {
    let project = Files::of(&[
        ("package.json", r#"{"scripts":{"test":"jest && eslint . && tsc --noEmit"}}"#),
        ("node_modules/.bin/jest", "x"),
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts='-q'\n"),
        ("tests/test_a.py", ""),
        ("Cargo.toml", "[workspace]\nmembers=['a']\n"),
        ("a/Cargo.toml", "[package]\nname='a'\n"),
        ("Makefile", "test:\n\tpytest\n"),
    ]);
    for line in [
        "npm test",
        "pytest",
        "cargo test",
        "make test",
        "mvn test",
        "gradle test",
        "go test ./...",
        "npx x",
    ] {
        let counted = Counted(&project, std::cell::Cell::new(0));
        definition(&argv(line), &counted);
        assert!(counted.1.get() <= 75, "{line}: {}", counted.1.get());
    }
}
