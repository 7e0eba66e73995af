//! README.md shows only what is true: every `console` block in it is run.

use std::path::Path;

use serde_json::json;
use sprag_testkit::Test;

use crate::support::{RUN, commit, sprag};

const README: &str = include_str!("../../../../README.md");

/// One command of a block and what the page says it prints.
struct Shown {
    words: Vec<String>,
    said: String,
}

/// Reads the lines `$ sprag …` of all blocks, and the lines under each.
fn shown() -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut inside = false;
    for line in README.lines() {
        match (inside, line) {
            (false, "```console") => inside = true,
            (true, "```") => inside = false,
            (true, _) => match (line.strip_prefix("$ sprag"), found.last_mut()) {
                (Some(rest), _) => found.push(Shown {
                    words: rest.split_whitespace().map(str::to_owned).collect(),
                    said: String::new(),
                }),
                (None, Some(last)) => last.said.extend([line, "\n"]),
                (None, None) => panic!("a block begins with a command: {line}"),
            },
            (false, _) => {}
        }
    }
    found
}

/// Where the page has `…`, what follows differs by machine; the project is called `shop` there.
fn agree(shown: &Shown, test: Test) -> Test {
    let (got, test) = test.run(&shown.words).output();
    assert_eq!((got.exit, got.stderr.as_str()), (Some(0), ""), "sprag {:?}", shown.words);
    let lines = |text: &str| text.trim_end().lines().map(str::to_owned).collect::<Vec<_>>();
    let (expected, got) = (lines(&shown.said.replace("shop", "project")), lines(&got.stdout));
    assert_eq!(expected.len(), got.len(), "sprag {:?}: {got:#?}", shown.words);
    for (expected, got) in expected.iter().zip(&got) {
        let start = expected.split('…').next().unwrap_or(expected);
        assert!(got.starts_with(start), "sprag {:?}: {expected:?} is not {got:?}", shown.words);
    }
    test
}

#[test]
fn every_command_of_the_readme_says_what_is_shown() {
    let all = shown();
    assert!(all.len() >= 3, "the blocks were not found");
    all.iter().fold(scratch(), |test, shown| agree(shown, test));
}

/// The project that the page is about.
fn scratch() -> Test {
    let test = sprag().folder(".sprag").git(&["init", "-q"]);
    let run = Some("r-7k2m");
    commit(&test, run, "run.started", &json!({"task": "Add CSV export"}), Some(RUN));
    commit(&test, run, "gate.receipt", &json!({"gate": "tests", "verdict": "fail"}), None);
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/feature");
    for entry in std::fs::read_dir(example).unwrap() {
        let (name, path) = entry.map(|entry| (entry.file_name(), entry.path())).unwrap();
        let to = Path::new(".sprag/workflows/feature").join(name);
        test.env.write(to, std::fs::read(path).unwrap());
    }
    test
}
