//! What runners of the JVM and of .NET print of which there is no recording.

use super::{CountKind, FAILED, ReadingKind, Sample};

#[test]
fn dotnet_test() {
    Sample {
        command: "dotnet test",
        text: "\
  Determining projects to restore...
  All projects are up-to-date for restore.
  Shop -> /src/Shop/bin/Debug/net8.0/Shop.dll
Test run for /src/Shop.Tests/bin/Debug/net8.0/Shop.Tests.dll (.NETCoreApp,Version=v8.0)
Starting test execution, please wait...
A total of 1 test files matched the specified pattern.
[xUnit.net 00:00:00.54]     Shop.Tests.CartTests.Totals [FAIL]
  Failed Shop.Tests.CartTests.Totals [5 ms]
  Error Message:
   Assert.Equal() Failure: Values differ
Expected: 10
Actual:   7
  Stack Trace:
     at Shop.Tests.CartTests.Totals() in /src/Shop.Tests/CartTests.cs:line 12

Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 12 ms - Shop.Tests.dll (net8.0)
",
        names: &["Shop.Tests.CartTests.Totals"],
        counts: &[(CountKind::Passed, 2), (CountKind::Failed, 1), (CountKind::Total, 3)],
        best: "CartTests.Totals",
        excerpt: &["Expected: 10", "Actual:   7", "CartTests.cs:line 12"],
        ..FAILED
    }
    .holds();
}

#[test]
fn surefire_with_junit_5() {
    Sample {
        command: "mvn -B test",
        text: "\
[INFO] Scanning for projects...
[INFO] -------------------------------------------------------
[INFO]  T E S T S
[INFO] -------------------------------------------------------
[INFO] Running shop.CartTest
[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in shop.CartTest
[ERROR] shop.CartTest.totalsTheItems -- Time elapsed: 0.012 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <10> but was: <7>
\tat org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)
\tat shop.CartTest.totalsTheItems(CartTest.java:11)
[ERROR] shop.CartTest.throwsNpe -- Time elapsed: 0.001 s <<< ERROR!
java.lang.NullPointerException: name is null
\tat shop.CartTest.throwsNpe(CartTest.java:15)
[INFO]
[INFO] Results:
[INFO]
[ERROR] Failures:
[ERROR]   CartTest.totalsTheItems:11 expected: <10> but was: <7>
[ERROR] Errors:
[ERROR]   CartTest.throwsNpe:15 NullPointer name is null
[INFO]
[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0
[INFO]
[INFO] BUILD FAILURE
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.1.2:test (default-test) on project shop: There are test failures. -> [Help 1]
",
        names: &["shop.CartTest.totalsTheItems", "shop.CartTest.throwsNpe"],
        counts: &[(CountKind::Total, 3), (CountKind::Failed, 1), (CountKind::Errors, 1)],
        best: "totalsTheItems",
        excerpt: &["expected: <10> but was: <7>", "CartTest.java:11", "name is null"],
        ..FAILED
    }
    .holds();
}

#[test]
fn gradle() {
    Sample {
        command: "./gradlew test",
        text: "\
> Task :compileJava UP-TO-DATE
> Task :test FAILED

CartTest > totalsTheItems() FAILED
    org.opentest4j.AssertionFailedError at CartTest.java:11

CartTest > throwsNpe() FAILED
    java.lang.NullPointerException at CartTest.java:15

3 tests completed, 2 failed

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':test'.
> There were failing tests. See the report at: file:///src/build/reports/tests/test/index.html

BUILD FAILED in 2s
3 actionable tasks: 1 executed, 2 up-to-date
",
        names: &["CartTest > totalsTheItems()", "CartTest > throwsNpe()"],
        counts: &[(CountKind::Total, 3), (CountKind::Failed, 2)],
        best: "totalsTheItems",
        excerpt: &["CartTest.java:11", "CartTest.java:15"],
        ..FAILED
    }
    .holds();
}

#[test]
fn scalatest_below_sbt() {
    Sample {
        command: "sbt test",
        text: "\
[info] welcome to sbt 1.9.7 (Eclipse Adoptium Java 17)
[info] compiling 1 Scala source to /src/target/scala-3.3.1/test-classes ...
[info] CartSpec:
[info] Cart
[info] - should be empty at first
[info] - should total the items *** FAILED ***
[info]   7 did not equal 10 (CartSpec.scala:12)
[info] Run completed in 312 milliseconds.
[info] Total number of tests run: 2
[info] Suites: completed 1, aborted 0
[info] Tests: succeeded 1, failed 1, canceled 0, ignored 0, pending 0
[info] *** 1 TEST FAILED ***
[error] Failed tests:
[error] \tCartSpec
[error] (Test / test) sbt.TestsFailedException: Tests unsuccessful
",
        names: &["should total the items"],
        counts: &[(CountKind::Passed, 1), (CountKind::Failed, 1)],
        best: "should total the items",
        excerpt: &["7 did not equal 10 (CartSpec.scala:12)"],
        ..FAILED
    }
    .holds();
}

#[test]
fn junit_5_in_its_console() {
    Sample {
        command: "java -jar junit.jar",
        text: "
Thanks for using JUnit! Support its development at https://junit.org/sponsoring

╷
├─ JUnit Jupiter ✔
│  └─ CartTest ✔
│     ├─ isEmpty() ✔
│     └─ totalsTheItems() ✘ expected: <10> but was: <7>
└─ JUnit Vintage ✔

Failures (1):
  JUnit Jupiter:CartTest:totalsTheItems()
    MethodSource [className = 'shop.CartTest', methodName = 'totalsTheItems', methodParameterTypes = '']
    => org.opentest4j.AssertionFailedError: expected: <10> but was: <7>
       org.junit.jupiter.api.AssertionFailureBuilder.build(AssertionFailureBuilder.java:151)
       shop.CartTest.totalsTheItems(CartTest.java:11)

Test run finished after 64 ms
[         3 containers found      ]
[         0 containers skipped    ]
[         2 tests found           ]
[         0 tests skipped         ]
[         2 tests started         ]
[         1 tests successful      ]
[         1 tests failed          ]
",
        names: &["CartTest:totalsTheItems()"],
        counts: &[(CountKind::Passed, 1), (CountKind::Failed, 1)],
        best: "totalsTheItems",
        excerpt: &["expected: <10> but was: <7>", "CartTest.java:11"],
        ..FAILED
    }
    .holds();
}

#[test]
fn dotnet_test_with_the_new_logger() {
    Sample {
        command: "dotnet test",
        text: "Restore complete (0.4s)
  Shop succeeded (0.2s) → bin/Debug/net9.0/Shop.dll
  Shop.Tests succeeded (0.1s) → bin/Debug/net9.0/Shop.Tests.dll
[xUnit.net 00:00:00.00] xUnit.net VSTest Adapter v2.8.2+699d445a1a (64-bit .NET 9.0.0)
[xUnit.net 00:00:00.06]     Shop.Tests.CartTests.Totals [FAIL]
  Shop.Tests test failed with 1 error(s) (0.9s)
    /src/Shop.Tests/CartTests.cs(12): error TESTERROR:
      Shop.Tests.CartTests.Totals (3ms): Error Message: Assert.Equal() Failure: Values differ
      Expected: 10
      Actual:   7
      Stack Trace:
         at Shop.Tests.CartTests.Totals() in /src/Shop.Tests/CartTests.cs:line 12

Test summary: total: 3, failed: 1, succeeded: 2, skipped: 0, duration: 0.9s
Build failed with 1 error(s) in 2.4s
",
        names: &["Shop.Tests.CartTests.Totals"],
        counts: &[(CountKind::Passed, 2), (CountKind::Failed, 1)],
        best: "CartTests.Totals",
        excerpt: &["Expected: 10", "Actual:   7"],
        ..FAILED
    }
    .holds();
}

#[test]
fn munit_below_sbt() {
    Sample {
        command: "sbt test",
        text: "[info] compiling 1 Scala source
shop.CartSuite:
  + empty 0.01s
==> X shop.CartSuite.totals  0.02s munit.ComparisonFailException: /src/CartSuite.scala:5
4:  test(\"totals\") {
5:    assertEquals(7, 10)
values are not the same
=> Obtained
7
=> Diff (- obtained, + expected)
-7
+10
[error] Failed: Total 2, Failed 1, Errors 0, Passed 1
[error] Failed tests:
[error] 	shop.CartSuite
[error] (Test / test) sbt.TestsFailedException: Tests unsuccessful
",
        names: &["shop.CartSuite.totals"],
        counts: &[(CountKind::Passed, 1), (CountKind::Failed, 1), (CountKind::Total, 2)],
        best: "shop.CartSuite.totals",
        excerpt: &["-7", "+10"],
        ..FAILED
    }
    .holds();
}

#[test]
fn gradle_with_kotlin_that_does_not_compile() {
    Sample {
        command: "./gradlew test",
        text: "\
> Task :compileKotlin
> Task :compileTestKotlin FAILED
e: file:///src/src/test/kotlin/CartTest.kt:9:5 Unresolved reference: totl

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':compileTestKotlin'.
> Compilation error. See log for more details

BUILD FAILED in 3s
",
        kind: ReadingKind::CouldNotRun,
        best: "Unresolved reference: totl",
        excerpt: &["CartTest.kt:9:5"],
        ..FAILED
    }
    .holds();
}
