//! Finds the command with which a project checks itself, from a table of signs, best first.
//!
//! A test that the project names comes before the default of its language, and the commands of its
//! CI come last ([`ci`]). Only the root is searched: a part of a larger repository is not the whole
//! project.

mod ci;

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::Value;
use sprag_core::DocPath;
use sprag_store::{ExternalFiles, Reached};

/// A check that a project has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub argv: Vec<String>,
    /// The file in which it was found.
    pub from: String,
}

/// A file name, and a function that derives a command from the file's text and the project.
type Sign = (&'static str, fn(&Project, &str) -> Option<&'static str>);

/// Best first.
const SIGNS: &[Sign] = &[
    // The project names its own test.
    ("package.json", script_of_node),
    ("justfile", |_, text| recipe(text)),
    ("Justfile", |_, text| recipe(text)),
    (".justfile", |_, text| recipe(text)),
    ("Makefile", |_, text| target(text)),
    ("makefile", |_, text| target(text)),
    ("GNUmakefile", |_, text| target(text)),
    ("scripts/test", |project, _| project.runs("scripts/test").then_some("./scripts/test")),
    ("script/test", |project, _| project.runs("script/test").then_some("./script/test")),
    ("bin/test", |project, _| project.runs("bin/test").then_some("./bin/test")),
    ("composer.json", |_, text| script(text, "test").map(|_| "composer test")),
    // The language has one usual test command.
    ("Cargo.toml", |_, _| Some("cargo test --quiet")),
    ("go.mod", |_, _| Some("go test ./...")),
    ("pyproject.toml", pytest),
    ("pytest.ini", |project, _| Some(project.pytest())),
    ("setup.cfg", |project, text| text.contains("[tool:pytest]").then(|| project.pytest())),
    ("mix.exs", |_, _| Some("mix test")),
    ("deno.json", |_, _| Some("deno test")),
    ("deno.jsonc", |_, _| Some("deno test")),
    (".rspec", |_, _| Some("bundle exec rspec")),
    ("Rakefile", |_, text| text.contains("test").then_some("bundle exec rake test")),
    ("mvnw", |_, _| Some("./mvnw -q test")),
    ("pom.xml", |_, _| Some("mvn -q test")),
    ("gradlew", |_, _| Some("./gradlew test")),
    ("Package.swift", |_, _| Some("swift test")),
    ("build.zig", |_, text| text.contains("\"test\"").then_some("zig build test")),
    ("gleam.toml", |_, _| Some("gleam test")),
    ("dune-project", |_, _| Some("dune test")),
    ("stack.yaml", |_, _| Some("stack test")),
    ("cabal.project", |_, _| Some("cabal test")),
];

/// Returns the checks of the project at `root`, best first.
pub fn find(root: &Path) -> Vec<Candidate> {
    let Ok(Some(outside)) = ExternalFiles::open(root) else { return Vec::new() };
    let project = Project { root, outside };
    let mut found: Vec<Candidate> = Vec::new();
    for (file, command) in SIGNS {
        let Some(text) = project.read(file) else { continue };
        let Some(command) = command(&project, &text) else { continue };
        let argv: Vec<String> = command.split(' ').map(str::to_owned).collect();
        if found.iter().all(|other| other.argv != argv) {
            found.push(Candidate { argv, from: (*file).to_owned() });
        }
    }
    for candidate in ci::find(&project) {
        if found.iter().all(|other| other.argv != candidate.argv) {
            found.push(candidate);
        }
    }
    found
}

/// Names some of the files that are searched, for a message.
pub const LOOKED_FOR: &str = "package.json, justfile, Makefile, scripts/test, Cargo.toml, go.mod, \
                              pyproject.toml, the project's CI and others";

/// The project whose files are read.
struct Project<'a> {
    root: &'a Path,
    outside: ExternalFiles,
}

/// The size limit of a file.
const CAP: u64 = 1 << 20;

impl Project<'_> {
    fn read(&self, file: &str) -> Option<String> {
        match self.outside.read(&DocPath::parse(file).ok()?, CAP) {
            Ok(Reached::File { bytes, .. }) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            Ok(Reached::Absent | Reached::Elsewhere) | Err(_) => None,
        }
    }

    fn has(&self, name: &str) -> bool {
        self.root.join(name).exists()
    }

    fn runs(&self, file: &str) -> bool {
        let found = self.root.join(file).metadata();
        found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    }

    fn pytest(&self) -> &'static str {
        if self.has("uv.lock") {
            "uv run pytest -q"
        } else if self.has("poetry.lock") {
            "poetry run pytest -q"
        } else {
            "pytest -q"
        }
    }
}

/// Returns a script of `package.json` or `composer.json`.
fn script(text: &str, name: &str) -> Option<String> {
    let json: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    let script = &json["scripts"][name];
    let line = script.as_str().filter(|line| !line.trim().is_empty());
    let lines = script.as_array().filter(|lines| !lines.is_empty());
    line.map(str::to_owned).or(lines.map(|_| String::new()))
}

fn script_of_node(project: &Project, text: &str) -> Option<&'static str> {
    // The placeholder of `npm init` is not a test.
    script(text, "test").filter(|line| !line.contains("no test specified"))?;
    Some(if project.has("pnpm-lock.yaml") {
        "pnpm test"
    } else if project.has("yarn.lock") {
        "yarn test"
    } else if project.has("bun.lock") || project.has("bun.lockb") {
        "bun run test"
    } else {
        "npm test"
    })
}

fn pytest(project: &Project, text: &str) -> Option<&'static str> {
    (text.contains("pytest") || project.has("tests")).then(|| project.pytest())
}

/// Returns the call of a justfile's recipe `test` or `check`.
fn recipe(text: &str) -> Option<&'static str> {
    let names = |line: &&str| !line.starts_with([' ', '\t', '#']) && !line.contains(":=");
    let heads = || text.lines().filter(names).filter_map(|line| line.split_once(':'));
    let has = |name: &str| {
        let first = |head: &str| head.trim_start_matches('@').split(' ').next() == Some(name);
        heads().any(|(head, _)| first(head))
    };
    [("test", "just test"), ("check", "just check")]
        .into_iter()
        .find_map(|(name, command)| has(name).then_some(command))
}

/// Returns the call of a Makefile's target `test` or `check`.
fn target(text: &str) -> Option<&'static str> {
    let has = |name: &str| {
        text.lines().filter(|line| !line.starts_with(['\t', '#'])).any(|line| {
            let head = line.split_once(':').filter(|(_, rest)| !rest.starts_with('='));
            head.is_some_and(|(names, _)| names.split_whitespace().any(|one| one == name))
        })
    };
    [("test", "make test"), ("check", "make check")]
        .into_iter()
        .find_map(|(name, command)| has(name).then_some(command))
}
