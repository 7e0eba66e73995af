//! Runners and builds of the JVM.

use super::super::layouts;
use super::CountRule::{Is, LastWords, Words};
use super::NamePlace::Before;
use super::{CountKind, Row, TESTS, line, name, placed};

pub(super) const ROWS: &[Row] = &[
    Row {
        runner: "mvn",
        detect: &[
            line("Tests run:", r"Tests run: \d+, Failures: \d+, Errors: \d+"),
            line("BUILD ", r"^\[(?:INFO|ERROR)\] BUILD (?:FAILURE|SUCCESS)"),
            line("[FATAL] ", r"^\[FATAL\] "),
            line("[ERROR] ", r"^\[ERROR\] .*\.(?:java|kt):\["),
        ],
        layout: Some(layouts::surefire),
        otherwise: &[
            name(".java:[", r"^\[ERROR\] (\S+\.java):\[\d+,\d+\] ", "{1}"),
            name(".kt:[", r"^\[ERROR\] (\S+\.kt):? ?[\[(]\d+, ?\d+[\])]", "{1}"),
        ],
        counts: &[LastWords(line(
            "Tests run:",
            r"^(?:\[\w+\] )?Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+$",
        ))],
        none: &["No tests were executed", "No tests matching pattern"],
        cannot: &[
            "COMPILATION ERROR",
            "there is no POM",
            "Non-readable POM",
            "Non-parseable POM",
            "Could not resolve dependencies",
            "Unknown lifecycle phase",
        ],
        ..TESTS
    },
    Row {
        runner: "gradle",
        detect: &[
            line("tests completed", r"^\d+ tests? completed"),
            line("BUILD ", r"^BUILD (?:FAILED|SUCCESSFUL) in"),
        ],
        names: &[name(" FAILED", r"^(\S.* > .+) FAILED$", "{1}")],
        not_names: &["Task :"],
        otherwise: &[
            name(".java:", r"^(\S+\.java):\d+: error: ", "{1}"),
            name("e: ", r"^e: (?:file://)?(\S+?\.kts?):\d+:\d+ ", "{1}"),
        ],
        counts: &[Words(line("completed", r"^\d+ tests? completed, \d+ failed"))],
        none: &["No tests found for given includes"],
        cannot: &[
            "Compilation failed",
            "Compilation error",
            "Could not resolve",
            "not found in root project",
        ],
        ..TESTS
    },
    Row {
        runner: "sbt",
        detect: &[
            line("Tests:", r"^\[\w+\] (?:Tests: succeeded \d|Failed: Total \d|Passed: Total \d)"),
            line("*** FAILED ***", r"\*\*\* FAILED \*\*\*"),
            line("Total ", r"^\[\w+\] (?:Failed|Passed): Total \d"),
        ],
        names: &[
            name("*** FAILED ***", r"^(?:\[\w+\])?\s*(?:- )?(.+?) \*\*\* FAILED \*\*\*", "{1}"),
            name("==> X ", r"==> X (\S+?)(?:\s+[\d.]+s.*)?$", "{1}"),
            name(" failed:", r"^\[error\] Test (\S+) failed:", "{1}"),
        ],
        not_names: &["TEST", "Tests:"],
        otherwise: &[name(".scala:", r"^\[error\] (?:-- .*Error: )?(\S+\.scala):\d+:\d+", "{1}")],
        counts: &[
            LastWords(line("Tests: ", r"Tests: succeeded \d")),
            LastWords(line("Total ", r"^\[\w+\] (?:Failed|Passed): Total \d")),
        ],
        cannot: &["Compilation failed", "compilation failed"],
        ..TESTS
    },
    Row {
        runner: "junit",
        detect: &[
            line("JUnit version", r"^JUnit version"),
            line("tests failed", r"^\[\s+\d+ tests failed\s+\]"),
            line("Tests run: ", r"^Tests run: \d+,  Failures: \d+"),
        ],
        names: &[
            name(") ", r"^\d+\) (\w\S*)\((\S+)\)$", "{2}.{1}"),
            placed(
                Before(line("MethodSource", r"^\s+MethodSource()")),
                "JUnit ",
                r"^\s+JUnit (?:Jupiter|Vintage):(.+)$",
                "{1}",
            ),
        ],
        counts: &[
            Words(line("Tests run: ", r"^Tests run: \d+,  Failures: \d+")),
            Is(CountKind::Total, line("OK (", r"^OK \((\d+) tests?\)")),
            Is(CountKind::Failed, line("tests failed", r"^\[\s+(\d+) tests failed\s+\]")),
            Is(CountKind::Passed, line("tests success", r"^\[\s+(\d+) tests successful\s+\]")),
        ],
        cannot: &["Could not find class:"],
        ..TESTS
    },
];
