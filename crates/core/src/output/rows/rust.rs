//! Cargo's runners.

use super::super::layouts;
use super::CountRule::{Is, Words};
use super::{COMPILER, CountKind, FINDINGS, Hides, Row, TESTS, line, name};

pub(super) const ROWS: &[Row] = &[
    Row {
        runner: "cargo-nextest",
        detect: &[line("Summary [", r"^\s+Summary \[")],
        names: &[name(
            "] ",
            r"^\s+(?:TRY \d+ )?(?:FAIL|ABORT|TIMEOUT|SIG[A-Z]+|TMT|EXECFAIL|XFAIL|LKFAIL) \[[ >\d.]+s\](?: \([ \d]+/\d+\))? \S+ (\S.*)$",
            "{1}",
        )],
        counts: &[
            Is(CountKind::Total, line("Summary [", r"^\s+Summary \[.*?\] (\d+) tests? run")),
            Words(line("Summary [", r"^\s+Summary \[")),
        ],
        none: &["no tests to run"],
        hides: Hides::Runners(&["cargo"]),
        ..TESTS
    },
    Row {
        runner: "cargo",
        detect: &[
            line("test result: ", "^test result: "),
            line("test failed, to rerun", "^error: test failed, to rerun"),
            line("test(s) in", "^error: .*test failed"),
        ],
        names: &[
            name("... FAILED", r"^test (\S.*?)(?: - should panic)? \.\.\. FAILED", "{1}"),
            name(" stdout ----", r"^---- (.+) stdout ----$", "{1}"),
        ],
        otherwise: &[
            name("overflowed", r"^thread '(.+?)'.* has overflowed its stack", "{1}"),
            name("panicked at", r"^thread '(.+?)'.* panicked at", "{1}"),
        ],
        counts: &[Words(line("test result: ", "^test result: "))],
        hides: Hides::Runners(&["rustc"]),
        ..TESTS
    },
    Row {
        runner: "rustc",
        detect: &[
            line("error", r"^error(?:\[\w+\])?: "),
            line("could not compile", "could not compile"),
            line(" generated ", r"^warning: .* generated \d+ warnings?"),
        ],
        layout: Some(layouts::rustc),
        counts: &[
            super::CountRule::LastWords(line(
                "previous error",
                r"due to (?:\d+ )?previous errors?|aborting due to \d+",
            )),
            Words(line(" generated ", r"^warning: .* generated \d+ warnings?")),
        ],
        ..COMPILER
    },
    Row {
        runner: "rustfmt",
        detect: &[line("Diff in ", r"^Diff in \S+")],
        names: &[name("Diff in ", r"^Diff in (\S+?)(?::\d+:?| at line \d+:?)$", "{1}")],
        ..FINDINGS
    },
];
