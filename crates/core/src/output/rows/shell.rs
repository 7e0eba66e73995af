//! Runners that print the Test Anything Protocol, and runners of shell tests.

use super::super::layouts;
use super::CountRule::{Is, Words};
use super::NamePlace::Under;
use super::{CountKind, Hides, Row, TESTS, line, placed};

pub(super) const ROWS: &[Row] = &[
    Row {
        runner: "prove",
        detect: &[line("Result: ", r"^Result: (?:PASS|FAIL|NOTESTS)")],
        layout: Some(layouts::prove),
        counts: &[
            Is(CountKind::Total, line("Files=", r"^Files=\d+, Tests=(\d+)")),
            Is(CountKind::Failed, line("(Wstat:", r"\(Wstat: .* Failed: (\d+)\)")),
        ],
        none: &["Result: NOTESTS"],
        cannot: &["Cannot detect source of"],
        hides: Hides::Runners(&["tap"]),
        ..TESTS
    },
    Row {
        runner: "tap",
        detect: &[
            line("1..", r"^1\.\.\d+"),
            line("not ok ", r"^not ok \d+"),
            line("ok ", r"^ok \d+ "),
        ],
        layout: Some(layouts::tap),
        counts: &[
            Words(line("# ", r"^# (?:tests|pass|fail|cancelled|skipped|skip|todo)\s+\d+$")),
            Words(line("# {", r"^# \{ total: \d+")),
            Is(CountKind::Total, line("1..", r"^1\.\.(\d+)")),
        ],
        none: &["# tests 0\n"],
        cannot: &["1..0 # no tests found"],
        ..TESTS
    },
    Row {
        runner: "shunit2",
        detect: &[line("Ran ", r"^Ran \d+ tests?\.$")],
        names: &[placed(Under(line("test", r"^(test\w+)$")), "ASSERT:", r"^ASSERT:", "{in}")],
        counts: &[
            Is(CountKind::Total, line("Ran ", r"^Ran (\d+) tests?\.$")),
            Words(line("FAILED (", r"^FAILED \(.*\d+\)")),
        ],
        ..TESTS
    },
];
