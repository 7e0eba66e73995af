//! How well a runner is read without its own row.

use super::super::{CountKind, ReadingKind, read_except};

/// Reads an output as if the row of its runner were not there.
fn names(runner: &str, text: &str) -> Vec<String> {
    let reading = read_except(1, text.as_bytes(), None, Some(runner));
    assert_eq!(reading.kind, ReadingKind::Failed, "{reading:#?}");
    reading.failing.into_iter().map(|name| name.shown).collect()
}

#[test]
fn lists_below_a_heading() {
    let text = "  Ok: 1\nThe following tests FAILED:\n\t  1 - cart.total (Failed)\n\t  4 - cart.slow (Timeout)\nErrors while running\n";
    assert_eq!(names("ctest", text), ["cart.total", "cart.slow"]);
    let text = "Failing scenarios:\n  features/cart.feature:2  total of two items\n\n1 failed\n";
    assert_eq!(names("behave", text), ["total of two items"]);
}

#[test]
fn numbered_lists() {
    let text =
        "\n  1 passing (3ms)\n  1 failing\n\n  1) cart\n       totals:\n\n      Error: 5 !== 10\n";
    assert_eq!(names("mocha", text), ["cart totals"]);
    let text = "Failures:\n\n  1) Cart totals the items\n     Failure/Error: expect(7).to eq(10)\n\n2 examples, 1 failure\n";
    assert_eq!(names("rspec", text), ["Cart totals the items"]);
}

#[test]
fn words_and_signs() {
    let text = "FAILED test_a.py::test_b - assert 1 == 2\n1 failed in 0.1s\n";
    assert_eq!(names("pytest", text), ["test_a.py::test_b"]);
    let text = "test tests::adds ... FAILED\n\n---- tests::adds stdout ----\npanicked\n";
    assert_eq!(names("cargo", text), ["tests::adds"]);
    let text = " FAIL  cart.test.js > cart > totals\n   × totals 3ms\n";
    assert_eq!(names("vitest", text), ["cart.test.js > cart > totals"]);
}

#[test]
fn counts_on_several_lines() {
    let text = " 1 pass\n 1 skip\n 4 fail\nRan 6 tests across 2 files. [227.00ms]\n";
    let reading = read_except(1, text.as_bytes(), None, Some("bun"));
    assert_eq!(reading.counts.get(CountKind::Failed), Some(4));
    assert_eq!(reading.counts.get(CountKind::Skipped), Some(1));
}
