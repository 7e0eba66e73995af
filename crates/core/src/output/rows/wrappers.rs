//! Programs that run others and give a result of their own for each.

use super::CountRule::{Lines, Words};
use super::{CountKind, FINDINGS, Hides, Row, TESTS, WRAPPER, line, name};

pub(super) const ROWS: &[Row] = &[
    Row {
        runner: "pre-commit",
        detect: &[line("- hook id: ", r"^- hook id: "), line("...Passed", r"^\S.*\.{3,}Passed$")],
        names: &[name("Failed", r"^(\S.*?)\.{3,}(?:\(.*\))?Failed$", "{1}")],
        counts: &[
            Lines(CountKind::Failed, line("Failed", r"^\S.*\.{3,}(?:\(.*\))?Failed$")),
            Lines(CountKind::Passed, line("Passed", r"^\S.*\.{3,}(?:\(.*\))?Passed$")),
            Lines(CountKind::Skipped, line("Skipped", r"^\S.*\.{3,}(?:\(.*\))?Skipped$")),
        ],
        cannot: &["Executable `"],
        hides: Hides::Everything,
        ..FINDINGS
    },
    Row {
        runner: "docker",
        detect: &[line("failed to solve", r"^ERROR: failed to (?:solve|build)")],
        names: &[name(" > [", r"^ > \[[^\]]*\] ([A-Z]+ .+?):$", "{1}")],
        ..WRAPPER
    },
    Row {
        runner: "cucumber-js",
        detect: &[line("scenarios (", r"^\d+ scenarios \(\d+ failed")],
        names: &[name(") Scenario: ", r"^\d+\) Scenario: (.+?) # \S+$", "{1}")],
        counts: &[Words(line("scenarios (", r"^\d+ scenarios \(\d+ failed"))],
        hides: Hides::Runners(&["cucumber"]),
        ..TESTS
    },
];
