//! Runners of .NET, Swift, Elixir, Haskell and Dart tests.

use super::CountRule::{Is, LastWords, Words};
use super::{CountKind, Row, TESTS, line, name};

pub(super) const ROWS: &[Row] = &[
    Row {
        runner: "dotnet",
        detect: &[
            line("ed!  - ", r"^\s*(?:Failed|Passed|Skipped)!\s+- Failed:\s+\d+"),
            line("Total tests:", r"^Total tests: \d+"),
            line("Test summary:", r"^Test summary: total: \d+"),
        ],
        names: &[name(
            "[",
            r"^\s*(?:Failed|X|failed) (\S.*?) (?:\[|\()[<\d. ]+ ?m?s(?:\]|\))$",
            "{1}",
        )],
        otherwise: &[
            name("(", r"^\s+(\S+) \(\d+m?s\): Error Message", "{1}"),
            name("[FAIL]", r"^\[xUnit\.net [\d:.]+\]\s+(\S.*?) \[FAIL\]", "{1}"),
        ],
        counts: &[
            Words(line("ed!  - ", r"^\s*(?:Failed|Passed|Skipped)!\s+- Failed:\s+\d+")),
            Words(line("Test summary:", r"^Test summary: total: \d+")),
            Words(line(": ", r"^(?:Total tests|\s+Passed|\s+Failed|\s+Skipped): \d+$")),
        ],
        none: &["No test is available in", "No test matches the given"],
        cannot: &["error CS", "error MSB", "error NETSDK", "error NU1"],
        ..TESTS
    },
    Row {
        runner: "swift",
        detect: &[
            line("Executed ", r"^\s*Executed \d+ tests?, with"),
            line("Test run with", r"Test run with \d+ tests?"),
        ],
        names: &[
            name("' failed (", r"^Test Case '(?:-\[)?(.+?)\]?' failed \(", "{1}"),
            name("failed after", r"^\S+ Test (?:case .* to )?(\S.*?) failed after ", "{1}"),
        ],
        not_names: &["run with"],
        counts: &[
            LastWords(line("Executed ", r"^\s*Executed \d+ tests?, with")),
            Is(CountKind::Total, line("Test run with", r"Test run with (\d+) tests?")),
        ],
        none: &["no matching test cases"],
        cannot: &["error: fatalError", "error: emit-module command failed"],
        ..TESTS
    },
    Row {
        runner: "mix",
        detect: &[line("failure", r"^(?:\d+ \w+, )*\d+ tests?, \d+ failures?")],
        names: &[name(
            ") ",
            r"^\s+\d+\) (?:test |property |doctest )?(.+?) \(([\w.]+)\)$",
            "{2} {1}",
        )],
        counts: &[Words(line("failure", r"^(?:\d+ \w+, )*\d+ tests?, \d+ failures?"))],
        none: &["There are no tests to run"],
        cannot: &["== Compilation error in file"],
        ..TESTS
    },
    Row {
        runner: "cabal",
        detect: &[
            line("Test suite ", r"^Test suite \S+: (?:FAIL|PASS|RUNNING)"),
            line("tests failed", r"^\d+ out of \d+ tests failed"),
            line("tests passed", r"^All \d+ tests passed \("),
        ],
        names: &[name("FAIL", r"^\s+(\S.*?):\s+FAIL(?: \([\d.]+s\))?$", "{1}")],
        counts: &[
            Is(CountKind::Failed, line("tests failed", r"^(\d+) out of \d+ tests failed")),
            Is(CountKind::Total, line("tests failed", r"^\d+ out of (\d+) tests failed")),
            Words(line("tests passed", r"^All \d+ tests passed \(")),
        ],
        ..TESTS
    },
    Row {
        runner: "dart",
        detect: &[line("ed", r"^\d\d:\d\d .*(?:All tests passed!|Some tests failed\.)")],
        names: &[name("[E]", r"^\d\d:\d\d \+\d+(?: ~\d+)?(?: -\d+)?: (.+?) \[E\]$", "{1}")],
        counts: &[
            Is(CountKind::Passed, line("ed", r"^\d\d:\d\d \+(\d+).*: (?:All|Some) tests ")),
            Is(CountKind::Failed, line("ed", r"^\d\d:\d\d \+\d+(?: ~\d+)? -(\d+): Some tests ")),
        ],
        none: &["No tests ran.", "No tests match"],
        ..TESTS
    },
    Row {
        runner: "lein",
        detect: &[line("Ran ", r"^Ran \d+ tests containing \d+ assertions")],
        names: &[name(" in (", r"^(?:FAIL|ERROR) in \((\S+)\) \(", "{1}")],
        counts: &[
            Is(CountKind::Total, line("Ran ", r"^Ran (\d+) tests containing")),
            Words(line("failures", r"^\d+ failures, \d+ errors")),
        ],
        ..TESTS
    },
];
