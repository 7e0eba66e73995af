//! Runners of PHP tests.

use super::CountRule::Words;
use super::NamePlace::{Under, Within};
use super::{Row, TESTS, line, name, placed};

pub(super) const ROWS: &[Row] = &[
    Row {
        runner: "phpunit",
        detect: &[
            line("Tests: ", r"^Tests: \d+, Assertions: \d+"),
            line("OK (", r"^OK \(\d+ tests?, \d+ assertion"),
            line("PHPUnit ", r"^PHPUnit [\d.]+ by"),
        ],
        names: &[placed(
            Within(
                line("There w", r"^There (?:was|were) \d+ (?:failure|error)s?:"),
                line(
                    " ",
                    r"^There (?:was|were) \d+ (?:risky|skipped|incomplete|warning)|^(?:FAILURES|ERRORS)!",
                ),
            ),
            ") ",
            r"^\d+\) (\S.*)$",
            "{1}",
        )],
        otherwise: &[placed(
            Under(line("", r"^([A-Z]\w*(?: \w+)*(?: \(.+\))?)$")),
            "✘ ",
            r"^\s*✘ (.+?)(?: \[[\d.]+ ms\])?$",
            "{in}: {1}",
        )],
        counts: &[
            Words(line("Tests: ", r"^Tests: \d+, Assertions: \d+")),
            Words(line("OK (", r"^OK \(\d+ tests?, \d+ assertion")),
        ],
        none: &["No tests executed!"],
        cannot: &["ParseError:", "Cannot open file", "Could not read"],
        ..TESTS
    },
    Row {
        runner: "pest",
        detect: &[line("Tests: ", r"^\s+Tests:\s+.*\(\d+ assertions?\)")],
        names: &[name("FAILED ", r"^\s+FAILED\s+(\S.*?)(?:\s{2,}\S.*)?$", "{1}")],
        otherwise: &[placed(
            Under(line("FAIL ", r"^\s+FAIL\s+(\S+)$")),
            "⨯ ",
            r"^\s+⨯ (.+?)(?:\s{2,}[\d.]+s)?$",
            "{in} > {1}",
        )],
        counts: &[Words(line("Tests: ", r"^\s+Tests:\s+.*\(\d+ assertions?\)"))],
        none: &["No tests found."],
        ..TESTS
    },
];
