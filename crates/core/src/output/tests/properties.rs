//! What holds for every output.

use proptest::prelude::*;

use super::super::lines::lines;
use super::super::{excerpt::MOST, read};

/// Pieces of real outputs, in any order.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("FAILED test_a.py::test_b - assert 1 == 2".to_owned()),
        Just("=== short test summary info ===".to_owned()),
        Just("1 failed, 2 passed in 0.10s".to_owned()),
        Just("  ● cart › totals (5 ms)".to_owned()),
        Just("Tests:       1 failed, 2 total".to_owned()),
        Just("--- FAIL: TestA/b (0.00s)".to_owned()),
        Just("error[E0308]: mismatched types".to_owned()),
        Just(" --> src/lib.rs:3:5".to_owned()),
        Just("not ok 1 - name # time=1ms".to_owned()),
        Just("  1) cart".to_owned()),
        Just("       totals:".to_owned()),
        Just("  2 failing".to_owned()),
        Just("Failures:".to_owned()),
        Just("\u{1b}[31m✗ x\u{1b}[0m\r".to_owned()),
        Just(String::new()),
        "\\PC{0,60}",
        "[A-Za-z./:()\\[\\] 0-9×✖#>|-]{0,60}",
    ]
}

fn output() -> impl Strategy<Value = Vec<u8>> {
    let pieces = proptest::collection::vec(piece(), 0..40);
    prop_oneof![
        pieces.prop_map(|pieces| pieces.join("\n").into_bytes()),
        proptest::collection::vec(any::<u8>(), 0..2000),
    ]
}

proptest! {
    #[test]
    fn any_output_gives_a_short_excerpt(exit in 0..256, output in output()) {
        let reading = read(exit, &output, None);
        prop_assert!(reading.excerpt.chars().count() <= MOST);
        prop_assert!(!reading.best_line.contains('\n'));
        let has_control = reading.excerpt.contains(['\u{1b}', '\0', '\r']);
        prop_assert!(!has_control);
        let again = read(exit, &output, None);
        prop_assert_eq!(reading, again);
    }

    #[test]
    fn clean_lines_stay_as_they_are(output in output()) {
        let once = lines(&output);
        let text = once.join("\n") + "\n";
        let twice = if once.is_empty() { Vec::new() } else { lines(text.as_bytes()) };
        prop_assert_eq!(once, twice);
    }

    #[test]
    fn names_do_not_depend_on_line_numbers(moved in 1..40_u32, line in 1..900_u32) {
        let texts = [
            "cart.py:{}:8: F401 'os' imported but unused\ncart.py:9:1: E302 expected 2 lines\n",
            "  1) cart.spec.js:{}:3 › cart › totals\n\n  1 failed\n    cart.spec.js:{}:3 › cart › totals\n",
            "test src/lib.rs - price (line {}) ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed\n",
            "error[E0308]: mismatched types\n --> src/lib.rs:{}:5\n",
            "src/cart.ts({},5): error TS2322: wrong\n",
            "  1) Failure:\nCartTest#test_total [test_cart.rb:{}]:\nExpected: 10\n\n5 runs, 4 assertions, 1 failures, 0 errors, 1 skips\n",
        ];
        for text in texts {
            let at = |line: u32| text.replace("{}", &line.to_string());
            let (one, other) = (read(1, at(line).as_bytes(), None), read(1, at(line + moved).as_bytes(), None));
            prop_assert_eq!(one.same_failure(&other), Some(true), "{:?} {:?}", one, other);
        }
    }
}
