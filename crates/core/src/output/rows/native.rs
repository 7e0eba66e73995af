//! Runners of C, C++ and Zig tests.

use super::super::layouts;
use super::CountRule::{Is, LastWords, Words};
use super::NamePlace::Within;
use super::{CountKind, Hides, Row, TESTS, line, name, placed};

pub(super) const ROWS: &[Row] = &[
    Row {
        runner: "ctest",
        detect: &[
            line("tests passed, ", r"^\d+% tests passed, \d+ tests? failed out of \d+"),
            line("No tests were found", "^No tests were found"),
        ],
        names: &[placed(
            Within(
                line("tests FAILED:", "^The following tests FAILED:"),
                line("Errors while", "^Errors while"),
            ),
            " - ",
            r"^\s+\d+ - (.+?) \([^()]*\)(?:\s+\S+)?$",
            "{1}",
        )],
        counts: &[Words(line("tests passed, ", r"^\d+% tests passed, \d+ tests? failed"))],
        none: &["No tests were found!!!"],
        hides: Hides::Everything,
        ..TESTS
    },
    Row {
        runner: "meson",
        detect: &[line("Unexpected Pass:", r"^Unexpected Pass:\s+\d+")],
        names: &[placed(
            Within(
                line("Summary of Failures:", "^Summary of Failures:"),
                line("Ok:", r"^Ok:\s+\d+"),
            ),
            "/",
            r"^\s*\d+/\d+ (?:\S+ / )?(.+?)\s+(?:FAIL|TIMEOUT|ERROR|UNEXPECTEDPASS|INTERRUPT)\s",
            "{1}",
        )],
        counts: &[Words(line(":", r"^(?:Ok|Expected Fail|Fail|Skipped):\s+\d+"))],
        none: &["No tests defined."],
        hides: Hides::Everything,
        ..TESTS
    },
    Row {
        runner: "gtest",
        detect: &[line("[=====", r"^\[==========\] ")],
        names: &[name("[  FAILED  ] ", r"^\[  FAILED  \] (\w[^\s,]*\.[^\s,]+)", "{1}")],
        layout: Some(layouts::gtest),
        counts: &[
            Is(CountKind::Total, line(" ran.", r"^\[==========\] (\d+) tests? .* ran\.")),
            Is(CountKind::Passed, line("PASSED", r"^\[  PASSED  \] (\d+) tests?\.")),
            Is(CountKind::Failed, line("FAILED", r"^\[  FAILED  \] (\d+) tests?, listed")),
        ],
        ..TESTS
    },
    Row {
        runner: "catch2",
        detect: &[
            line("test cases:", r"^test cases:\s+\d+"),
            line("All tests passed", r"^All tests passed \(\d+ assertion"),
            line("No tests ran", "^No tests ran$"),
        ],
        layout: Some(layouts::catch2),
        counts: &[
            LastWords(line("test cases:", r"^test cases:\s+\d+")),
            Is(CountKind::Passed, line("All tests", r"^All tests passed \(.* in (\d+) test case")),
        ],
        none: &["No tests ran", "No test cases matched"],
        ..TESTS
    },
    Row {
        runner: "zig",
        detect: &[
            line("...", r"^\d+/\d+ \S.*\.\.\.(?:OK|FAIL|SKIP|thread|expected)"),
            line("passed", r"^All \d+ tests passed\."),
            line("passed;", r"^\d+ passed; \d+ skipped; \d+ failed\."),
            line("' failed:", r"^error: '\S.*' failed:"),
        ],
        names: &[
            name("...", r"^\d+/\d+ (\S.*?)\.\.\.(?:FAIL|thread \d+ panic|expected )", "{1}"),
            name("' failed:", r"^error: '(.+?)' failed:", "{1}"),
        ],
        counts: &[
            Words(line("passed", r"^All \d+ tests passed\.")),
            Words(line("passed;", r"^\d+ passed; \d+ skipped; \d+ failed\.")),
        ],
        hides: Hides::Runners(&["gcc"]),
        ..TESTS
    },
];
