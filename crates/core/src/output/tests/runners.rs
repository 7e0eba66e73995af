//! What test runners print of which there is no recording.

use super::{CountKind, FAILED, ReadingKind, Sample};

#[test]
fn cypress() {
    Sample {
        command: "npx cypress run",
        text: "
====================================================================================================

  (Run Starting)

  ┌────────────────────────────────────────────────────────────────────────────────────────────────┐
  │ Cypress:        13.6.0                                                                         │
  │ Browser:        Electron 114 (headless)                                                        │
  └────────────────────────────────────────────────────────────────────────────────────────────────┘

  Running:  cart.cy.js                                                                      (1 of 1)


  Cart
    1) totals the items
    ✓ is empty at first (35ms)


  1 passing (2s)
  1 failing

  1) Cart
       totals the items:

      Timed out retrying after 4000ms
      + expected - actual

      -'7 EUR'
      +'10 EUR'

      at Context.eval (webpack:///./cypress/e2e/cart.cy.js:5:24)


  (Results)

  ┌────────────────────────────────────────────────────────────────────────────────────────────────┐
  │ Tests:        2                                                                                │
  │ Failing:      1                                                                                │
  └────────────────────────────────────────────────────────────────────────────────────────────────┘

====================================================================================================

  (Run Finished)
",
        names: &["Cart totals the items"],
        counts: &[(CountKind::Passed, 1), (CountKind::Failed, 1)],
        best: "totals the items",
        excerpt: &["+'10 EUR'", "cart.cy.js:5"],
        ..FAILED
    }
    .holds();
}

#[test]
fn karma() {
    Sample {
        command: "npx karma start --single-run",
        text: "\
15 11 2026 10:00:00.000:INFO [karma-server]: Karma v6.4.2 server started at http://localhost:9876/
Chrome Headless 120.0.0.0 (Linux x86_64): Executed 0 of 3 SUCCESS (0 secs / 0 secs)
Chrome Headless 120.0.0.0 (Linux x86_64) Cart totals the items FAILED
\tExpected 7 to be 10.
\t    at <Jasmine>
\t    at UserContext.<anonymous> (spec/cart.spec.js:5:24)
Chrome Headless 120.0.0.0 (Linux x86_64): Executed 3 of 3 (1 FAILED) (0.011 secs / 0.004 secs)
TOTAL: 1 FAILED, 2 SUCCESS
",
        names: &["Cart totals the items"],
        counts: &[(CountKind::Passed, 2), (CountKind::Failed, 1)],
        best: "Cart totals the items",
        excerpt: &["Expected 7 to be 10.", "cart.spec.js:5"],
        ..FAILED
    }
    .holds();
}

#[test]
fn pest() {
    Sample {
        command: "vendor/bin/pest",
        text: "
   PASS  Tests\\Unit\\ExampleTest
  ✓ that true is true

   FAIL  Tests\\Unit\\CartTest
  ⨯ totals the items                                                     0.02s
  ✓ is empty at first                                                    0.01s
  ────────────────────────────────────────────────────────────────────────────
   FAILED  Tests\\Unit\\CartTest > totals the items
  Failed asserting that 7 is identical to 10.

  at tests/Unit/CartTest.php:6
      2▕
      3▕ use App\\Cart;
  ➜   6▕     expect($cart->total())->toBe(10);

  Tests:    1 failed, 2 passed (3 assertions)
  Duration: 0.12s
",
        names: &["Tests\\Unit\\CartTest > totals the items"],
        counts: &[(CountKind::Passed, 2), (CountKind::Failed, 1)],
        best: "totals the items",
        excerpt: &["7 is identical to 10", "CartTest.php:6"],
        ..FAILED
    }
    .holds();
}

#[test]
fn shellspec() {
    Sample {
        exit: 101,
        command: "shellspec",
        text: "\
Running: /bin/sh [sh]
.F.

Examples:
  1) cart totals the items
     When call total 2 5

     1.1) The output should equal 10

            expected: 10
                 got: 7

          # spec/cart_spec.sh:6

Finished in 0.14 seconds (user 0.10 seconds, sys 0.03 seconds)
3 examples, 1 failure


Failure examples / Errors: (Listed here affect your suite's status)

shellspec spec/cart_spec.sh:4 # 1) cart totals the items FAILED
",
        names: &["cart totals the items"],
        counts: &[(CountKind::Total, 3), (CountKind::Failed, 1)],
        best: "cart totals the items",
        excerpt: &["expected: 10", "got: 7", "spec/cart_spec.sh:6"],
        ..FAILED
    }
    .holds();
}

#[test]
fn swift_xctest() {
    Sample {
        command: "swift test",
        text: "\
Building for debugging...
Build complete! (1.52s)
Test Suite 'All tests' started at 2026-11-15 10:00:00.000
Test Suite 'CartTests' started at 2026-11-15 10:00:00.001
Test Case 'CartTests.testEmpty' started at 2026-11-15 10:00:00.001
Test Case 'CartTests.testEmpty' passed (0.001 seconds)
Test Case 'CartTests.testTotal' started at 2026-11-15 10:00:00.002
/src/Tests/ShopTests/CartTests.swift:8: error: CartTests.testTotal : XCTAssertEqual failed: (\"7\") is not equal to (\"10\") -
Test Case 'CartTests.testTotal' failed (0.002 seconds)
Test Suite 'CartTests' failed at 2026-11-15 10:00:00.004
\t Executed 2 tests, with 1 failure (0 unexpected) in 0.003 (0.003) seconds
",
        names: &["CartTests.testTotal"],
        counts: &[(CountKind::Total, 2), (CountKind::Failed, 1)],
        best: "CartTests.testTotal",
        excerpt: &["(\"7\") is not equal to (\"10\")", "CartTests.swift:8"],
        ..FAILED
    }
    .holds();
}

#[test]
fn swift_testing() {
    Sample {
        command: "swift test",
        text: "\
◇ Test run started.
◇ Suite CartTests started.
◇ Test totals() started.
✘ Test totals() recorded an issue at CartTests.swift:8:5: Expectation failed: (cart.total → 7) == 10
✘ Test totals() failed after 0.001 seconds with 1 issue.
✘ Suite CartTests failed after 0.002 seconds with 1 issue.
✘ Test run with 2 tests failed after 0.003 seconds with 1 issue.
",
        names: &["totals()"],
        best: "totals()",
        excerpt: &["(cart.total → 7) == 10", "CartTests.swift:8"],
        ..FAILED
    }
    .holds();
}

#[test]
fn hspec_below_cabal() {
    Sample {
        command: "cabal test",
        text: "\
Build profile: -w ghc-9.4.7 -O1
Running 1 test suites...
Test suite shop-test: RUNNING...

Cart
  is empty at first [✔]
  totals the items [✘]

Failures:

  test/CartSpec.hs:10:18:
  1) Cart totals the items
       expected: 10
        but got: 7

  To rerun use: --match \"/Cart/totals the items/\"

Randomized with seed 1234

Finished in 0.0008 seconds
2 examples, 1 failure
Test suite shop-test: FAIL
",
        names: &["Cart totals the items"],
        counts: &[(CountKind::Total, 2), (CountKind::Failed, 1)],
        best: "Cart totals the items",
        excerpt: &["expected: 10", "but got: 7", "CartSpec.hs:10"],
        ..FAILED
    }
    .holds();
}

#[test]
fn tasty() {
    Sample {
        command: "stack test",
        text: "\
shop
  Cart
    totals the items: FAIL (0.01s)
      test/Main.hs:12:
      expected: 10
       but got: 7
    is empty:         OK

1 out of 2 tests failed (0.01s)
",
        names: &["totals the items"],
        counts: &[(CountKind::Failed, 1), (CountKind::Total, 2)],
        best: "totals the items",
        excerpt: &["expected: 10", "Main.hs:12"],
        ..FAILED
    }
    .holds();
}

#[test]
fn ginkgo() {
    Sample {
        command: "ginkgo ./...",
        text: "\
Running Suite: Cart Suite - /src/cart
=====================================
Random Seed: 1700000000

Will run 3 of 3 specs
•
------------------------------
• [FAILED] [0.001 seconds]
Cart [It] totals the items
/src/cart/cart_test.go:14

  [FAILED] Expected
      <int>: 7
  to equal
      <int>: 10
  In [It] at: /src/cart/cart_test.go:15 @ 11/15/26 10:00:00.000
------------------------------
•

Summarizing 1 Failure:
  [FAIL] Cart [It] totals the items
  /src/cart/cart_test.go:15

Ran 3 of 3 Specs in 0.003 seconds
FAIL! -- 2 Passed | 1 Failed | 0 Pending | 0 Skipped
--- FAIL: TestCart (0.00s)
FAIL

Ginkgo ran 1 suite in 1.8s
Test Suite Failed
",
        names: &["Cart [It] totals the items"],
        counts: &[(CountKind::Passed, 2), (CountKind::Failed, 1)],
        best: "totals the items",
        excerpt: &["<int>: 7", "<int>: 10", "cart_test.go:15"],
        ..FAILED
    }
    .holds();
}

#[test]
fn robot_framework() {
    Sample {
        command: "robot tests",
        text: "\
==============================================================================
Cart
==============================================================================
Totals The Items                                                      | FAIL |
7 != 10
------------------------------------------------------------------------------
Empty Cart                                                            | PASS |
------------------------------------------------------------------------------
Cart                                                                  | FAIL |
2 tests, 1 passed, 1 failed
==============================================================================
Output:  /src/output.xml
Log:     /src/log.html
",
        names: &["Totals The Items"],
        counts: &[(CountKind::Total, 2), (CountKind::Passed, 1), (CountKind::Failed, 1)],
        best: "Totals The Items",
        excerpt: &["7 != 10"],
        ..FAILED
    }
    .holds();
}

#[test]
fn deno_test() {
    Sample {
        command: "deno test",
        text: "\
Check file:///src/cart_test.ts
running 2 tests from ./cart_test.ts
totals the items ... FAILED (4ms)
is empty ... ok (0ms)

 ERRORS

totals the items => ./cart_test.ts:4:6
error: AssertionError: Values are not equal.


    [Diff] Actual / Expected


-   7
+   10

    at assertEquals (https://deno.land/std@0.208.0/assert/assert_equals.ts:52:9)
    at file:///src/cart_test.ts:5:3

 FAILURES

totals the items => ./cart_test.ts:4:6

FAILED | 1 passed | 1 failed (12ms)

error: Test failed
",
        names: &["totals the items"],
        counts: &[(CountKind::Passed, 1), (CountKind::Failed, 1)],
        best: "totals the items",
        excerpt: &["-   7", "+   10", "cart_test.ts:4:6"],
        ..FAILED
    }
    .holds();
}

#[test]
fn zig_test() {
    Sample {
        command: "zig test cart.zig",
        text: "\
1/2 cart.test.totals the items...expected 10, found 7
FAIL (TestExpectedEqual)
/usr/lib/zig/std/testing.zig:110:17: 0x1038c1f in expectEqualInner__anon_2389 (test)
                return error.TestExpectedEqual;
                ^
/src/cart.zig:8:5: 0x1038d2a in test.totals the items (test)
    try std.testing.expectEqual(10, total());
    ^
2/2 cart.test.empty...OK
1 passed; 0 skipped; 1 failed.
error: the following test command failed with exit code 1:
/home/dev/.cache/zig/o/ab/test --seed=0x1
",
        names: &["cart.test.totals the items"],
        counts: &[(CountKind::Passed, 1), (CountKind::Failed, 1)],
        best: "totals the items",
        excerpt: &["expected 10, found 7", "cart.zig:8:5"],
        ..FAILED
    }
    .holds();
}

#[test]
fn elixir() {
    Sample {
        exit: 2,
        command: "mix test",
        text: "\
Compiling 1 file (.ex)
Generated shop app
..

  1) test totals the items (Shop.CartTest)
     test/shop/cart_test.exs:5
     Assertion with == failed
     code:  assert Cart.total([5, 2]) == 10
     left:  7
     right: 10
     stacktrace:
       test/shop/cart_test.exs:6: (test)

Finished in 0.03 seconds (0.00s async, 0.03s sync)
3 tests, 1 failure

Randomized with seed 12345
",
        names: &["Shop.CartTest totals the items"],
        counts: &[(CountKind::Total, 3), (CountKind::Failed, 1)],
        best: "totals the items",
        excerpt: &["left:  7", "right: 10", "cart_test.exs:6"],
        ..FAILED
    }
    .holds();
}

#[test]
fn flutter() {
    Sample {
        command: "flutter test",
        text: "\
00:00 +0: loading /src/test/cart_test.dart
00:01 +0: totals the items
00:01 +0 -1: totals the items [E]
  Expected: <10>
    Actual: <7>

  package:matcher                                     expect
  test/cart_test.dart 7:5                             main.<fn>

00:01 +1 -1: Some tests failed.
",
        names: &["totals the items"],
        counts: &[(CountKind::Passed, 1), (CountKind::Failed, 1)],
        best: "totals the items",
        excerpt: &["Expected: <10>", "Actual: <7>"],
        ..FAILED
    }
    .holds();
}

#[test]
fn a_runner_that_nobody_knows() {
    Sample {
        command: "./check.sh",
        text: "\
>> suite cart
  totals the items ........ FAILED
     wanted 10, got 7 (cart.lua:12)
  is empty ................ ok
>> suite order
  needs an id ............. FAILED
     wanted an error (order.lua:4)

Passed: 1
Failed: 2
",
        names: &["totals the items", "needs an id"],
        counts: &[(CountKind::Passed, 1), (CountKind::Failed, 2)],
        best: "totals the items (+1 more)",
        excerpt: &["wanted 10, got 7 (cart.lua:12)", "order.lua:4"],
        ..FAILED
    }
    .holds();
}

#[test]
fn a_runner_that_nobody_knows_with_no_tests() {
    let sample = Sample {
        text: "loading suites\nExecuted 0 tests.\n",
        kind: ReadingKind::NoTests,
        best: "0 tests",
        ..FAILED
    };
    sample.holds();
    Sample { exit: 0, ..sample }.holds();
}

#[test]
fn karma_with_the_reporter_of_mocha() {
    Sample {
        command: "karma start",
        text: "
START:
15 11 2026 10:00:00:INFO [karma-server]: Karma v6.4.2 server started
  Cart
    ✖ totals the items
    ✔ is empty

Finished in 0.012 secs / 0.004 secs @ 10:00:00

SUMMARY:
✔ 1 test completed
✖ 1 test failed

FAILED TESTS:
  Cart
    ✖ totals the items
      Chrome Headless 120.0.0.0 (Linux x86_64)
    Expected 7 to be 10.
        at UserContext.<anonymous> (spec/cart.spec.js:5:24)
",
        names: &["totals the items"],
        counts: &[(CountKind::Failed, 1)],
        best: "totals the items",
        excerpt: &["Expected 7 to be 10."],
        ..FAILED
    }
    .holds();
}

#[test]
fn messages_behind_the_mark() {
    Sample {
        command: "./check",
        text: "[1/3] test_a ... ok
[2/3] test_b ... FAIL: expected 3 got 4 (b.nim:7)
[3/3] test_c ... ok
2 passed, 1 failed
",
        names: &["test_b"],
        counts: &[(CountKind::Passed, 2), (CountKind::Failed, 1)],
        best: "test_b",
        excerpt: &["expected 3 got 4"],
        ..FAILED
    }
    .holds();
}

#[test]
fn go_test_as_json() {
    Sample {
        command: "go test -json ./...",
        text: "\
{\"Time\":\"2026-11-15T10:00:00Z\",\"Action\":\"run\",\"Package\":\"shop\",\"Test\":\"TestTotal\"}
{\"Time\":\"2026-11-15T10:00:00Z\",\"Action\":\"output\",\"Package\":\"shop\",\"Test\":\"TestTotal\",\"Output\":\"    cart_test.go:9: got 7, want 10\\n\"}
{\"Time\":\"2026-11-15T10:00:00Z\",\"Action\":\"fail\",\"Package\":\"shop\",\"Test\":\"TestTotal\",\"Elapsed\":0}
{\"Time\":\"2026-11-15T10:00:00Z\",\"Action\":\"fail\",\"Package\":\"shop\",\"Elapsed\":0.002}
",
        names: &["TestTotal"],
        best: "TestTotal",
        excerpt: &["got 7, want 10"],
        ..FAILED
    }
    .holds();
}
