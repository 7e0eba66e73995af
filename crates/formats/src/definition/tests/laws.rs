//! The resolver ends, its result depends only on its input, and unrequested files do not count.

use proptest::prelude::*;

use super::*;

const NAMES: [&str; 14] = [
    "package.json",
    "Makefile",
    "justfile",
    "Taskfile.yml",
    "Cargo.toml",
    "pyproject.toml",
    "tox.ini",
    "pom.xml",
    "build.gradle",
    "mix.exs",
    "Rakefile",
    "a.sh",
    "conftest.py",
    "tsconfig.json",
];

const LINES: [&str; 16] = [
    "npm test",
    "make test",
    "make",
    "just",
    "task",
    "cargo test",
    "pytest",
    "tox",
    "mvn test",
    "gradle test",
    "mix test",
    "rake",
    "sh a.sh",
    "python -m pytest",
    "tsc",
    "cargo clippy",
];

/// Texts made of characters with a meaning in one of the formats.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "\"",
        "'",
        "`",
        "\"\"\"",
        ":",
        "=",
        "\n",
        "\t",
        " ",
        "#",
        "//",
        "/*",
        "*/",
        "<a>",
        "</a>",
        "<",
        "$",
        "$(",
        "${",
        "\\",
        "\\\n",
        "test",
        "scripts",
        "\"scripts\"",
        "tasks",
        "a.sh",
        "sh ",
        "cd ..",
        "npm test",
        "make test",
        "include ",
        "define ",
        "endef",
        "ifdef X",
        "endif",
        "[[test]]",
        "name",
        "é",
        "\0",
        ",",
        "-",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_files_have_one_answer(texts in prop::collection::vec((0..NAMES.len(), text()), 0..6), line in 0..LINES.len()) {
        let texts: Vec<(&str, &str)> = texts.iter().map(|(at, text)| (NAMES[*at], &**text)).collect();
        let project = Files::of(&texts);
        let found = project.define(LINES[line]);
        prop_assert_eq!(&found, &project.define(LINES[line]));
        prop_assert!(changes(&found, &found).is_empty());
    }

    #[test]
    fn any_words_have_an_answer(words in prop::collection::vec(text(), 0..5), first in 0..LINES.len()) {
        let project = Files::of(&[("package.json", "{\"scripts\":{\"test\":\"x\"}}"), ("Makefile", "test:\n\tx\n")]);
        definition(&words, &project);
        let mut words = words;
        words.splice(0..0, argv(LINES[first]));
        definition(&words, &project);
    }

    #[test]
    fn what_is_beside_it_does_not_count(name in "[a-z]{3,8}", value in "[a-z ]{1,12}") {
        prop_assume!(!["test", "lint", "jest", "nyc", "mocha", "ava", "vitest", "lib", "bin", "export", "include", "define", "ifdef", "ifeq", "vpath", "else", "endif"].contains(&&*name));
        let cases: [(&str, &str, String, String); 7] = [
            ("npm test", "package.json", r#"{"scripts":{"test":"jest"}}"#.to_owned(),
             format!(r#"{{"x{name}":"{value}","scripts":{{"test":"jest","z{name}":"{value}"}}}}"#)),
            ("make test", "Makefile", "test: lint\n\tpytest\nlint:\n\truff\n".to_owned(),
             format!("test: lint\n\tpytest\nlint:\n\truff\nz{name} = {value}\nx{name}:\n\t{value}\n")),
            ("just test", "justfile", "test:\n  pytest\n".to_owned(), format!("test:\n  pytest\n\nz{name}:\n  {value}\n")),
            ("task test", "Taskfile.yml", "tasks:\n  test: pytest\n".to_owned(), format!("tasks:\n  test: pytest\n  z{name}: x {value}\n")),
            ("cargo test", "Cargo.toml", "[package]\nname = 'x'\n".to_owned(), format!("[package]\nname = 'x'\nz{name} = '{value}'\n[z{name}]\na = 1\n")),
            ("pytest", "pyproject.toml", "[tool.pytest]\na = 1\n".to_owned(), format!("[z{name}]\nb = '{value}'\n[tool.pytest]\na = 1\n")),
            ("pytest", "setup.cfg", "[tool:pytest]\na = 1\n".to_owned(), format!("[z{name}]\nb = {value}\n[tool:pytest]\na = 1\n")),
        ];
        for (line, path, then, now) in cases {
            let (then, now) = (Files::of(&[(path, &then)]), Files::of(&[(path, &now)]));
            prop_assert_eq!(doubts(line, &then, &now), Vec::<String>::new(), "{} {}", line, path);
        }
    }
}
