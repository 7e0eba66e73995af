//! Runners of JavaScript and TypeScript tests.

use super::super::layouts;
use super::CountRule::{Is, Lines, Words};
use super::NamePlace::{Under, Within};
use super::{CountKind, Hides, Row, TESTS, WRAPPER, line, name, placed};

pub(super) const ROWS: &[Row] = &[
    Row {
        runner: "jest",
        detect: &[
            line("Test Suites: ", r"^\s*Test Suites: .*total"),
            line("Tests: ", r"^\s*Tests: .* total$"),
            line("FAIL ", r"^\s*FAIL (?:\S+ )?\.\.?/\S+\.\w+(?: \(.*\))?$"),
        ],
        names: &[
            name("● ", r"^\s*● (.+)$", "{1}"),
            placed(
                Under(line("FAIL ", r"^\s*FAIL .*?(\S+)(?: \([\d.]+ ?m?s\))?$")),
                "● Test suite failed to run",
                "● Test suite failed to run",
                "{in}",
            ),
        ],
        not_names: &["Test suite failed to run", "Console", "process.exit called", "Cannot log"],
        counts: &[Words(line("Tests: ", r"^\s*Tests: .*total$"))],
        none: &["No tests found, exiting"],
        cannot: &["Test suite failed to run"],
        ..TESTS
    },
    Row {
        runner: "vitest",
        detect: &[line("Test Files ", r"^\s*Test Files\s+\d"), line(" RUN ", r"^\s*RUN\s+v\d")],
        names: &[name("FAIL ", r"^\s*FAIL\s+(?:\|.+?\| )?(.+?)(?: \[ .* \])?$", "{1}")],
        counts: &[
            Words(line("Tests ", r"^\s*Tests\s+\d")),
            Is(CountKind::Total, line("Tests ", r"^\s*Tests\s.*\((\d+)\)$")),
        ],
        none: &["No test files found"],
        cannot: &["Failed Suites", "Tests  no tests", "Startup Error"],
        ..TESTS
    },
    Row {
        runner: "cypress",
        detect: &[line("(Run Finished)", r"\(Run Finished\)"), line("Cypress:", "Cypress:")],
        layout: Some(layouts::mocha),
        counts: &[Words(line("ing", r"^\s*\d+ (?:passing|failing|pending)\b"))],
        none: &["Can't run because no spec files were found"],
        hides: Hides::Runners(&["mocha"]),
        ..TESTS
    },
    Row {
        runner: "mocha",
        detect: &[line(" passing", r"^\s*\d+ passing\b"), line(" failing", r"^\s*\d+ failing$")],
        layout: Some(layouts::mocha),
        counts: &[Words(line("ing", r"^\s*\d+ (?:passing|failing|pending)\b"))],
        none: &["No test files found"],
        cannot: &["Exception during run"],
        ..TESTS
    },
    Row {
        runner: "ava",
        detect: &[
            line("test", r"^\s+\d+ tests? (?:passed|failed)$"),
            line("✘ [fail]: ", r"✘ \[fail\]: "),
            line("find any files to test", "find any files to test"),
        ],
        names: &[name(
            "✘ [fail]: ",
            r"✘ \[fail\]: (.+?)(?: (?:Error thrown in test|Rejected promise.*|Timed out.*))?$",
            "{1}",
        )],
        counts: &[Words(line("test", r"^\s+\d+ tests? (?:passed|failed|skipped|todo)$"))],
        none: &["find any files to test"],
        ..TESTS
    },
    Row {
        runner: "jasmine",
        detect: &[line(" spec", r"^\d+ specs?, \d+ failures?")],
        names: &[placed(
            Within(
                line("Failures:", r"^Failures:"),
                line(":", r"^(?:Pending|Suite error.*|Ran):?"),
            ),
            ") ",
            r"^\d+\) (.+)$",
            "{1}",
        )],
        counts: &[Words(line(" spec", r"^\d+ specs?, \d+ failures?"))],
        none: &["No specs found"],
        ..TESTS
    },
    Row {
        runner: "karma",
        detect: &[line("Executed ", r"Executed \d+ of \d+"), line("TOTAL", r"^TOTAL")],
        names: &[name(" FAILED", r"^[A-Z]\w+ [^(]*\(.+?\) (.+) FAILED$", "{1}")],
        not_names: &["Executed"],
        counts: &[
            Is(CountKind::Failed, line("TOTAL", r"^TOTAL: (\d+) FAILED")),
            Is(CountKind::Passed, line("TOTAL", r"^TOTAL:.* (\d+) SUCCESS")),
            super::CountRule::LastWords(line(
                "Executed ",
                r"Executed \d+ of \d+ .*(?:FAILED|SUCC)",
            )),
        ],
        none: &["Executed 0 of 0"],
        ..TESTS
    },
    Row {
        runner: "playwright",
        detect: &[
            line("Running ", r"^Running \d+ tests? using \d+ worker"),
            line("failed", r"^\s{2}\d+ failed$"),
        ],
        names: &[placed(
            Within(
                line("failed", r"^\s+\d+ failed$"),
                line(" ", r"^\s{0,3}\d+ (?:passed|skipped|flaky|did not run|interrupted)"),
            ),
            " › ",
            r"^\s{4}(?:\[[^\]]+\] › )?(\S+?):\d+:\d+ › (.+)$",
            "{1} › {2}",
        )],
        otherwise: &[name(
            " › ",
            r"^\s*\d+\) (?:\[[^\]]+\] › )?(\S+?):\d+:\d+ › (.+)$",
            "{1} › {2}",
        )],
        counts: &[Words(line("ed", r"^\s+\d+ (?:passed|failed|skipped)(?: \([\d.]+m?s?\))?$"))],
        ..TESTS
    },
    Row {
        runner: "node",
        detect: &[line("ℹ tests ", r"^ℹ tests \d"), line("failing tests", r"^✖ failing tests:")],
        layout: Some(layouts::node),
        counts: &[Words(line("ℹ ", r"^ℹ (?:tests|pass|fail|cancelled|skipped|todo) \d+$"))],
        ..TESTS
    },
    Row {
        runner: "bun",
        detect: &[line("Ran ", r"^Ran \d+ tests? across")],
        names: &[
            name("(fail) ", r"^\(fail\) (.+?)(?: \[[\d.]+m?s\])?$", "{1}"),
            name("✗ ", r"^✗ (.+?)(?: \[[\d.]+m?s\])?$", "{1}"),
        ],
        counts: &[Words(line(" ", r"^\s+\d+ (?:pass|fail|skip|todo)$"))],
        none: &["0 test files matching"],
        details_first: true,
        ..TESTS
    },
    Row {
        runner: "deno",
        detect: &[line(" passed", r"^(?:FAILED|ok) \| \d+ passed")],
        names: &[placed(
            Within(line("FAILURES", r"^\s*FAILURES\s*$"), line("|", r"^(?:FAILED|ok) \|")),
            " => ",
            r"^(\S.*?) => \S+",
            "{1}",
        )],
        otherwise: &[name(" FAILED", r"^(?:test )?(\S.*?) \.\.\. .*FAILED\b", "{1}")],
        counts: &[Words(line(" passed", r"^(?:FAILED|ok) \| \d+ passed"))],
        none: &["No test modules found"],
        ..TESTS
    },
    Row {
        runner: "wtr",
        detect: &[line("test files", r"^Finished running tests|\d+/\d+ test files")],
        names: &[name("𐄂 ", r"^\s+𐄂 (.+)$", "{1}")],
        ..TESTS
    },
    Row {
        runner: "uvu",
        detect: &[line("Total:", r"^\s+Total:\s+\d+"), line("FAIL  ", "^\\s+FAIL  .*\"")],
        names: &[name("FAIL ", "^\\s+FAIL\\s+(.*?)\\s*\"(.+)\"$", "{1} {2}")],
        counts: &[
            Words(line("Total:", r"^\s+Total:\s+\d+")),
            Words(line("ed:", r"^\s+(?:Passed|Skipped):\s+\d+")),
        ],
        ..TESTS
    },
    Row {
        runner: "nx",
        detect: &[line("Failed tasks:", r"^\s*Failed tasks:")],
        otherwise: &[placed(
            Within(line("Failed tasks:", r"^\s*Failed tasks:"), line("Hint", "Hint")),
            "- ",
            r"^\s*- (\S+:\S+)$",
            "{1}",
        )],
        counts: &[Lines(CountKind::Errors, line("✖  nx run", r"^✖  nx run"))],
        ..WRAPPER
    },
];
