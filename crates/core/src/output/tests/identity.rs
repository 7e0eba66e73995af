//! Names compare by what stays the same from run to run.

use super::super::names::identity;
use super::super::{OutputReading, read};

#[test]
fn what_changes_from_run_to_run_is_not_part_of_a_name() {
    for (one, other) in [
        ("cart › totals (5 ms)", "cart > totals (12 ms)"),
        ("tests::adds", "tests adds"),
        ("src/lib.rs - price (line 2)", "src/lib.rs - price (line 5)"),
        ("./spec/cart_spec.rb:12", "spec/cart_spec.rb:15"),
        ("cart.spec.js:3:3 › totals", "cart.spec.js:6:3 › totals"),
        ("1) totals", "4) totals"),
        ("3/7 totals", "1/7 totals"),
        ("totals [0.28ms]", "totals"),
        ("CartTest#test_a", "CartTest::test_a"),
        ("sorts (seed 12)", "sorts (seed 99)"),
    ] {
        assert_eq!(identity(one), identity(other));
    }
}

#[test]
fn different_tests_have_different_names() {
    for (one, other) in [
        ("test_rate[CH-8]", "test_rate[DE-19]"),
        ("double(1) is 2", "double(3) is 7"),
        ("cart totals", "order totals"),
        ("a.py E501", "a.py E502"),
        ("adds 2", "adds 3"),
    ] {
        assert_ne!(identity(one), identity(other));
    }
}

fn pytest(tests: &[&str]) -> OutputReading {
    let line = |test: &&str| format!("FAILED test_a.py::{test} - assert 1 == 2\n");
    let lines: String = tests.iter().map(line).collect();
    let count = tests.len();
    let text = format!("=== short test summary info ===\n{lines}{count} failed in 0.10s\n");
    read(1, text.as_bytes(), None)
}

#[test]
fn the_same_failure_is_the_same_set_of_names() {
    let (one, other) = (pytest(&["test_a", "test_b"]), pytest(&["test_b", "test_a"]));
    assert_eq!(one.same_failure(&other), Some(true));
    assert_eq!(one.same_failure(&pytest(&["test_a"])), Some(false));
    assert_eq!(one.same_failure(&read(1, b"", None)), Some(false));
}

#[test]
fn without_names_nobody_knows_whether_it_is_the_same() {
    let silent = read(1, b"", None);
    assert_eq!(silent.same_failure(&silent), None);
}
