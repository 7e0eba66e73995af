//! Finds the test commands of a project's CI, the last of the signs.
//!
//! Only a plain command that names a test is taken: one line without shell characters or CI
//! variables, and not a line of a longer script, which may have prepared something for it.

use sprag_formats::{Document, Format, Node, Value, words};

use super::{Candidate, Project};

/// The folder of GitHub's workflows.
const WORKFLOWS: &str = ".github/workflows";
const GITLAB: &str = ".gitlab-ci.yml";

/// How many files of a folder are read.
const FILES: usize = 32;
/// How many commands are offered.
const COMMANDS: usize = 4;

/// Words that mark a test: as a whole word of the command, or its end.
const TESTS: [&str; 6] = ["test", "tests", "check", "pytest", "tox", "ctest"];
/// Programs that only prepare the CI, whatever their arguments are.
const PREPARES: [&str; 10] =
    ["apt", "apt-get", "brew", "cd", "curl", "docker", "echo", "git", "pip", "sudo"];

/// Returns the CI's tests, in the order of its files.
pub(super) fn find(project: &Project<'_>) -> Vec<Candidate> {
    let mut files: Vec<String> = workflows(project);
    files.push(GITLAB.to_owned());
    let mut found: Vec<Candidate> = Vec::new();
    for file in files {
        let Some(text) = project.read(&file) else { continue };
        let Ok(document) = Document::parse(Format::Yaml, &text) else { continue };
        let steps =
            if file == GITLAB { of_gitlab(document.root()) } else { of_github(document.root()) };
        for argv in steps.into_iter().filter_map(plain) {
            if found.iter().all(|known| known.argv != argv) {
                found.push(Candidate { argv, from: file.clone() });
            }
        }
    }
    found.truncate(COMMANDS);
    found
}

/// Returns GitHub's workflow files, sorted by name.
fn workflows(project: &Project<'_>) -> Vec<String> {
    let entries = std::fs::read_dir(project.root.join(WORKFLOWS)).into_iter().flatten();
    let names = entries.filter_map(Result::ok).filter_map(|one| one.file_name().into_string().ok());
    let is_yaml = |name: &String| {
        let end = std::path::Path::new(name).extension();
        end.is_some_and(|end| end == "yml" || end == "yaml")
    };
    let mut names: Vec<String> = names.filter(is_yaml).collect();
    names.sort();
    names.truncate(FILES);
    names.into_iter().map(|name| format!("{WORKFLOWS}/{name}")).collect()
}

/// Returns every `run:` of `jobs.*.steps[]`.
fn of_github(root: &Node) -> Vec<&str> {
    let Some(Value::Map(jobs)) = root.child("jobs").map(|node| &node.value) else {
        return Vec::new();
    };
    let steps = jobs.iter().filter_map(|job| match job.node.child("steps").map(|one| &one.value) {
        // A job in another folder does not test the whole project.
        Some(Value::List(steps)) if job.node.child("defaults").is_none() => Some(steps),
        Some(_) | None => None,
    });
    let here = |step: &&Node| step.child("working-directory").is_none();
    steps.flatten().filter(here).filter_map(|step| text(step.child("run")?)).collect()
}

/// Returns every one-line `script:` of a job.
fn of_gitlab(root: &Node) -> Vec<&str> {
    let Value::Map(jobs) = &root.value else { return Vec::new() };
    let scripts = jobs.iter().filter_map(|job| job.node.child("script"));
    scripts
        .filter_map(|script| match &script.value {
            Value::List(lines) => match lines.as_slice() {
                [line] => text(line),
                _ => None,
            },
            Value::String(line) => Some(line.as_str()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Map(_) => None,
        })
        .collect()
}

fn text(node: &Node) -> Option<&str> {
    match &node.value {
        Value::String(text) => Some(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => None,
    }
}

/// Parses a line as a command, if it is a plain test.
fn plain(line: &str) -> Option<Vec<String>> {
    let line = line.trim_end();
    let single = !line.contains(['\n', '$', '%']) && line.len() <= 200;
    let argv = words(line).ok().filter(|_| single)?;
    let program = argv.first()?.as_str();
    // `A=1 program` needs a shell.
    let is_program = !program.contains('=') && !PREPARES.contains(&program);
    let tests = argv.iter().any(|word| names_a_test(word));
    (is_program && tests).then_some(argv)
}

fn names_a_test(word: &str) -> bool {
    let last = word.rsplit(['/', ':']).next().unwrap_or(word);
    TESTS.contains(&last) || last.strip_suffix(".sh").is_some_and(|name| TESTS.contains(&name))
}
