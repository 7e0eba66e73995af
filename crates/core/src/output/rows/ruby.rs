//! Runners of Ruby tests, and others that close like `rspec`.

use super::CountRule::Words;
use super::{Row, TESTS, line, name};

pub(super) const ROWS: &[Row] = &[
    Row {
        runner: "rspec",
        detect: &[line(" example", r"^\d+ examples?, \d+ failures?")],
        names: &[name(" # ", r"^(?:rspec|shellspec) \S+ # (?:\d+\) )?(.+?)(?: FAILED)?$", "{1}")],
        otherwise: &[
            super::placed(
                super::NamePlace::Within(
                    line("Failures:", "^Failures:"),
                    line("Finished in", "^Finished in"),
                ),
                ") ",
                r"^\s+\d+\) (.+)$",
                "{1}",
            ),
            name("while loading", r"^An error occurred while loading (\S+?)\.?$", "{1}"),
        ],
        counts: &[Words(line(" example", r"^\d+ examples?, \d+ failures?"))],
        none: &["No examples found.\n\nFinished"],
        cannot: &["outside of examples"],
        ..TESTS
    },
    Row {
        runner: "minitest",
        detect: &[line(" assertions, ", r"^\d+ (?:runs|tests), \d+ assertions, \d+ failures")],
        names: &[
            name("#", r"^(\w[\w:]*#\S.*?)(?: \[.+\])?:$", "{1}"),
            name("(", r"^(?:Failure|Error): (\w\S*?)\((\S+?)\)", "{2}#{1}"),
        ],
        counts: &[Words(line(" assertions, ", r"^\d+ (?:runs|tests), \d+ assertions, "))],
        ..TESTS
    },
    Row {
        runner: "cucumber",
        detect: &[line(" scenario", r"^\d+ scenarios? \(")],
        names: &[name(
            "# ",
            r"^cucumber (?:-p \S+ )?\S+ # (?:Scenario(?: Outline)?: )?(.+)$",
            "{1}",
        )],
        otherwise: &[name("Scenario: ", r"^\s*\d+\) Scenario: (.+?)(?: # \S+)?$", "{1}")],
        counts: &[super::CountRule::LastWords(line(" scenario", r"^\d+ scenarios? \("))],
        none: &["0 scenarios\n"],
        ..TESTS
    },
];
