//! Runners of Python tests.

use super::super::layouts;
use super::CountRule::{Is, Words};
use super::NamePlace::Within;
use super::{CountKind, Row, TESTS, line, name, placed};

pub(super) const ROWS: &[Row] = &[
    Row {
        runner: "pytest",
        detect: &[
            line(
                " in ",
                r"^=+ .*\b(?:passed|failed|errors?|skipped|ran|deselected)\b.* in [\d.]+s",
            ),
            line(" in ", r"^\d+ (?:passed|failed|errors?|skipped|deselected|x\w+)\b.* in [\d.]+s"),
            line("short test summary", "^=+ short test summary info"),
            line("test session starts", "^=+ test session starts"),
            line("no tests ran in", "^no tests ran in"),
        ],
        names: &[
            summary("FAILED ", r"^FAILED (\S.*?)(?: - .*)?$"),
            summary("ERROR ", r"^ERROR (\S.*?)(?: - .*)?$"),
        ],
        otherwise: &[name(
            "___",
            r"^_{3,} (?:ERROR (?:at \w+ of|collecting) )?(.+?) _{3,}$",
            "{1}",
        )],
        counts: &[
            Words(line(" in ", r"^=+ .*\b(?:passed|failed|errors?|skipped)\b.* in [\d.]+s")),
            Words(line(" in ", r"^\d+ (?:passed|failed|errors?|skipped|x\w+)\b.* in [\d.]+s")),
            Is(
                CountKind::Collected,
                line("collected ", r"^(?:collecting .* )?collected (\d+) item"),
            ),
        ],
        none: &["no tests ran", "collected 0 items\n"],
        cannot: &[
            "error during collection",
            "errors during collection",
            "ImportError while loading conftest",
            "pytest: error:",
            "INTERNALERROR>",
        ],
        ..TESTS
    },
    Row {
        runner: "unittest",
        detect: &[line("Ran ", r"^Ran \d+ tests? in ")],
        layout: Some(layouts::unittest),
        counts: &[
            Is(CountKind::Total, line("Ran ", r"^Ran (\d+) tests? in ")),
            Words(line("=", r"^(?:FAILED|OK) \(.*=\d+")),
        ],
        none: &["NO TESTS RAN"],
        cannot: &["unittest.loader._FailedTest", "loader._FailedTest"],
        ..TESTS
    },
    Row {
        runner: "django",
        detect: &[line("failed:", r"^\S+ \(\S+\) failed:$")],
        names: &[name("failed:", r"^\S+ \((\S+)\) failed:$", "{1}")],
        ..TESTS
    },
    Row {
        runner: "behave",
        detect: &[line("scenario", r"^\d+ scenarios? passed, \d+ failed")],
        names: &[placed(
            Within(
                line(" scenarios:", r"^(?:Failing|Errored) scenarios:"),
                line("passed", r"^\d+ features? passed"),
            ),
            "  ",
            r"^\s+\S+:\d+\s+(\S.*)$",
            "{1}",
        )],
        counts: &[Words(line("scenario", r"^\d+ scenarios? passed, \d+ failed"))],
        cannot: &["ConfigError:", "ParserError:"],
        ..TESTS
    },
    Row {
        runner: "robot",
        detect: &[line("test", r"^\d+ (?:critical )?tests?, \d+ passed, \d+ failed")],
        layout: Some(layouts::robot),
        counts: &[super::CountRule::LastWords(line(
            "test",
            r"^\d+ (?:critical )?tests?, \d+ passed, \d+ failed",
        ))],
        ..TESTS
    },
    Row {
        runner: "doctest",
        detect: &[line("***Test Failed***", r"^\*\*\*Test Failed\*\*\* \d+ failure")],
        names: &[placed(
            Within(line("items had fail", "items had failures"), line("***Test", r"^\*\*\*Test")),
            " in ",
            r"^\s+\d+ of\s+\d+ in (\S+)$",
            "{1}",
        )],
        counts: &[Words(line("***Test Failed***", r"^\*\*\*Test Failed\*\*\* \d+ failure"))],
        ..TESTS
    },
];

/// Names are taken from the summary only: a test may print anything before it.
const fn summary(has: &'static str, regex: &'static str) -> super::NameRule {
    placed(
        Within(
            line("short test summary", "^=+ short test summary info"),
            line(" in ", r"^(?:=+ )?\d+ .* in [\d.]+s"),
        ),
        has,
        regex,
        "{1}",
    )
}
