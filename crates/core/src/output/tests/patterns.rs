//! Every pattern of the tables is sound.

use regex_lite::Regex;

use super::super::patterns::Pattern;
use super::super::rows::{NamePlace, NameRule, Row, rows};

fn of_names(rules: &[NameRule]) -> Vec<Pattern> {
    let places = rules.iter().flat_map(|rule| match rule.place {
        NamePlace::Anywhere => vec![],
        NamePlace::Under(one) | NamePlace::Before(one) => vec![one],
        NamePlace::Within(from, to) => vec![from, to],
    });
    rules.iter().map(|rule| rule.line).chain(places).collect()
}

fn of_row(row: &Row) -> Vec<Pattern> {
    let counts = row.counts.iter().map(|rule| rule.line());
    let mut all: Vec<Pattern> = row.detect.iter().copied().chain(counts).collect();
    all.extend(of_names(row.names));
    all.extend(of_names(row.otherwise));
    all
}

#[test]
fn every_pattern_of_a_row_compiles() {
    for pattern in rows().flat_map(of_row) {
        assert!(Regex::new(pattern.regex).is_ok(), "{}", pattern.regex);
    }
}

#[test]
fn every_row_can_be_recognised_and_hides_only_rows_that_exist() {
    let names: Vec<&str> = rows().map(|row| row.runner).collect();
    for row in rows() {
        assert!(!row.detect.is_empty(), "{}", row.runner);
        if let super::super::rows::Hides::Runners(hidden) = row.hides {
            assert!(hidden.iter().all(|name| names.contains(name)), "{}", row.runner);
        }
    }
}

#[test]
fn no_runner_has_two_rows() {
    let mut names: Vec<&str> = rows().map(|row| row.runner).collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);
}

/// Rows of programs that `crate::runners` does not know: libraries that a program of the project
/// runs, and tools that a gate does not call by name.
const UNKNOWN: &[&str] = &[
    "behave",
    "cabal",
    "catch2",
    "cucumber-js",
    "cargo-nextest",
    "deno",
    "django",
    "docker",
    "doctest",
    "dotnet build",
    "gcc",
    "gtest",
    "junit",
    "meson",
    "minitest",
    "nx",
    "robot",
    "rustc",
    "rustfmt",
    "shunit2",
    "terraform",
    "unittest",
];

#[test]
fn a_row_names_its_runner_as_the_table_of_runners_does() {
    let unknown = rows().filter(|row| crate::runners::runner(row.runner).is_none());
    let unknown: Vec<&str> = unknown.map(|row| row.runner).collect();
    let unlisted: Vec<&&str> = unknown.iter().filter(|name| !UNKNOWN.contains(name)).collect();
    assert!(unlisted.is_empty(), "{unlisted:?}");
}
