//! Runners of Go tests.

use super::CountRule::{Lines, Words};
use super::NamePlace::Within;
use super::{CountKind, FINDINGS, Hides, Row, TESTS, line, name, placed};

pub(super) const ROWS: &[Row] = &[
    Row {
        runner: "gotestsum",
        detect: &[line("DONE ", r"^DONE (?:\d+ runs, )?\d+ tests?")],
        names: &[name("=== FAIL: ", r"^=== FAIL: \S+ (\S+) \(", "{1}")],
        counts: &[Words(line("DONE ", r"^DONE (?:\d+ runs, )?\d+ tests?"))],
        cannot: &["[build failed]", "[setup failed]"],
        hides: Hides::Runners(&["go"]),
        ..TESTS
    },
    Row {
        runner: "ginkgo",
        detect: &[line("Ran ", r"^Ran \d+ of \d+ Specs? in")],
        names: &[placed(
            Within(line("Summarizing", r"^Summarizing \d+ Fail"), line("Ran ", r"^Ran \d+ of")),
            "] ",
            r"^\s*\[(?i:fail|panicked!|timedout|interrupted)\] (.+)$",
            "{1}",
        )],
        otherwise: &[name("[FAIL", r"^\s*(?:• )?\[FAIL(?:ED)?\] (\D.+)$", "{1}")],
        counts: &[Words(line(" Passed", r"-- \d+ Passed \| \d+ Failed"))],
        hides: Hides::Runners(&["go"]),
        ..TESTS
    },
    Row {
        runner: "go",
        detect: &[
            line("FAIL", r"^FAIL\t\S+"),
            line("ok  ", r"^ok  \t\S+\t"),
            line("--- ", r"^--- (?:FAIL|PASS): \S+ \("),
            line("\"Action\":", r#"^\{.*"Action":"(?:pass|fail|skip)""#),
        ],
        names: &[
            name("--- FAIL: ", r"^\s*--- FAIL: (\S+) \(", "{1}"),
            // `go test -json`.
            name("\"Action\":\"fail\"", r#""Action":"fail".*"Test":"([^"]+)""#, "{1}"),
        ],
        otherwise: &[
            name("(0x", r"^\S*?\.(Test\w+)\(0x", "{1}"),
            placed(
                Within(line("running tests:", "^running tests:"), line("goroutine", "^goroutine")),
                "Test",
                r"^\s+(Test\S+) \(",
                "{1}",
            ),
            name("[build failed]", r"^FAIL\t(\S+) \[build failed\]", "{1}"),
        ],
        counts: &[
            Lines(CountKind::Passed, line("--- PASS", r"^\s*--- PASS: ")),
            Lines(CountKind::Skipped, line("--- SKIP", r"^\s*--- SKIP: ")),
            Lines(CountKind::Failed, line("--- FAIL", r"^\s*--- FAIL: ")),
        ],
        cannot: &["[build failed]", "[setup failed]"],
        hides: Hides::Runners(&["gcc"]),
        ..TESTS
    },
    Row {
        runner: "golangci-lint",
        detect: &[line("issues", r"^\d+ issues:?"), line(".go:", r"^\S+\.go:\d+:\d+: .* \(\w+\)$")],
        names: &[name(".go:", r"^(\S+\.go):\d+(?::\d+)?: .* \((\w+)\)$", "{1} {2}")],
        counts: &[super::CountRule::Is(CountKind::Errors, line(" issues", r"^(\d+) issues:?"))],
        cannot: &["can't load config"],
        hides: Hides::Runners(&["gcc"]),
        ..FINDINGS
    },
];
