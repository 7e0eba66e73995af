//! Builds, wrappers of several tasks, and tools that cannot run.

use super::{CountKind, FAILED, ReadingKind, Sample};

const STOPPED: Sample = Sample { kind: ReadingKind::CouldNotRun, ..FAILED };

#[test]
fn docker_build() {
    Sample {
        command: "docker build .",
        text: "\
#1 [internal] load build definition from Dockerfile
#1 DONE 0.0s
#7 [4/5] RUN npm run build
#7 0.512
#7 0.512 > shop@1.0.0 build
#7 0.512 > tsc
#7 0.512
#7 2.101 src/cart.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.
#7 ERROR: process \"/bin/sh -c npm run build\" did not complete successfully: exit code: 2
------
 > [4/5] RUN npm run build:
2.101 src/cart.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.
------
Dockerfile:5
ERROR: failed to solve: process \"/bin/sh -c npm run build\" did not complete successfully: exit code: 2
",
        names: &["src/cart.ts TS2322"],
        best: "Type 'string' is not assignable",
        ..FAILED
    }
    .holds();
}

#[test]
fn docker_without_a_daemon() {
    Sample {
        command: "docker build .",
        text: "ERROR: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n",
        best: "Cannot connect to the Docker daemon",
        ..STOPPED
    }
    .holds();
}

#[test]
fn nx_runs_jest() {
    Sample {
        command: "npx nx run-many -t test",
        text: "
 NX   Running target test for 2 projects:

- api
- web

————————————————————————————————————————————————————————

> nx run api:test

> jest

FAIL ./cart.test.js
  ● cart › totals the items

    expect(received).toBe(expected) // Object.is equality

    Expected: 10
    Received: 7

      at Object.toBe (cart.test.js:4:43)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 1 passed, 2 total

————————————————————————————————————————————————————————

 NX   Ran target test for 2 projects (2s)

✖    1/2 failed
✔    1/2 succeeded [0 read from cache]
",
        names: &["cart › totals the items"],
        best: "totals the items",
        excerpt: &["Expected: 10", "Received: 7", "cart.test.js:4"],
        ..FAILED
    }
    .holds();
}

#[test]
fn concurrently_marks_each_line() {
    Sample {
        command: "npx concurrently npm:lint npm:test",
        text: "\
[lint]
[lint] /src/cart.js
[lint]   1:7  error  'unused' is assigned a value but never used  no-unused-vars
[lint]
[lint] ✖ 1 problem (1 error, 0 warnings)
[lint]
[lint] npm run lint exited with code 1
",
        names: &["/src/cart.js no-unused-vars"],
        best: "'unused' is assigned",
        ..FAILED
    }
    .holds();
}

#[test]
fn a_build_with_msbuild() {
    Sample {
        command: "dotnet build",
        text: "\
  Determining projects to restore...
/src/Cart.cs(5,10): error CS1002: ; expected [/src/Shop.csproj]

Build FAILED.

/src/Cart.cs(5,10): error CS1002: ; expected [/src/Shop.csproj]
    0 Warning(s)
    1 Error(s)
",
        names: &["/src/Cart.cs CS1002"],
        best: "; expected",
        ..FAILED
    }
    .holds();
}

#[test]
fn tests_that_do_not_compile_did_not_run() {
    let text = "\
   Compiling shop v0.1.0 (/src)
error[E0425]: cannot find function `totl` in this scope
 --> src/lib.rs:6:21
  |
6 | fn t() { totl(); }
  |          ^^^^ not found in this scope

error: could not compile `shop` (lib) due to 1 previous error
";
    Sample { exit: 101, command: "cargo test", text, best: "totl", ..STOPPED }.holds();
    let names = &["src/lib.rs E0425"];
    Sample { exit: 101, command: "cargo build", text, names, best: "totl", ..FAILED }.holds();
}

#[test]
fn go_tests_that_do_not_build() {
    Sample {
        command: "go test ./...",
        text: "\
# shop/cart [shop/cart.test]
./cart_test.go:9:5: undefined: totl
FAIL\tshop/cart [build failed]
FAIL
",
        best: "undefined: totl",
        excerpt: &["cart_test.go:9:5"],
        ..STOPPED
    }
    .holds();
}

#[test]
fn maven_that_does_not_compile() {
    Sample {
        command: "mvn test",
        text: "\
[INFO] Scanning for projects...
[INFO] -------------------------------------------------------------
[ERROR] COMPILATION ERROR :
[INFO] -------------------------------------------------------------
[ERROR] /src/src/test/java/shop/CartTest.java:[9,5] cannot find symbol
  symbol:   method totl()
[INFO] 1 error
[INFO] BUILD FAILURE
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.11.0:testCompile (default-testCompile) on project shop: Compilation failure
",
        best: "cannot find symbol",
        excerpt: &["CartTest.java:[9,5]"],
        ..STOPPED
    }
    .holds();
}

#[test]
fn a_missing_browser() {
    Sample {
        command: "npx cypress run",
        text: "\
The cypress npm package is installed, but the Cypress binary is missing.

We expected the binary to be installed here: /home/dev/.cache/Cypress/13.6.0/Cypress/Cypress

Please reinstall Cypress by running: cypress install
",
        best: "Cypress binary is missing",
        ..STOPPED
    }
    .holds();
}

#[test]
fn a_tool_that_is_not_installed() {
    for (exit, text) in [
        (127, "sh: 1: golangci-lint: not found\n"),
        (127, "bash: line 1: shellspec: command not found\n"),
        (126, "bash: ./run: Permission denied\n"),
        (1, "error: no such command: `nextest`\n"),
        (1, "Could not find gem 'rspec' in locally installed gems.\n"),
        (1, "go: cannot find main module, but found .git/config in /src\n"),
        (
            1,
            "** (Mix) Could not find a Mix.Project, please ensure you are running Mix in a directory with a mix.exs file\n",
        ),
        (1, "MSBUILD : error MSB1003: Specify a project or solution file.\n"),
        (
            1,
            "error: Could not find Package.swift in this directory or any of its parent directories.\n",
        ),
        (2, "golangci-lint: error: unknown flag: --fixx\nUsage:\n  golangci-lint run [flags]\n"),
        (1, "Error: Cannot find module 'karma'\nRequire stack:\n- /src/node_modules/.bin/karma\n"),
        (137, "Killed\n"),
    ] {
        Sample { exit, text, ..STOPPED }.holds();
    }
}

#[test]
fn silence_is_told_with_the_exit_code() {
    Sample { exit: 3, best: "exit code 3", ..FAILED }.holds();
    let passed = Sample { exit: 0, kind: ReadingKind::Passed, best: "passed", ..FAILED };
    passed.holds();
    let text = "FAILED is a word that this passing test prints\nAll 3 tests passed.\n";
    Sample { text, best: "3 passed", ..passed }.holds();
}

#[test]
fn a_step_of_docker_that_fails_without_a_known_tool() {
    Sample {
        command: "docker build .",
        text: "\
#5 [2/4] RUN apt-get install -y nosuchpkg
#5 0.512 Reading package lists...
#5 0.812 E: Unable to locate package nosuchpkg
#5 ERROR: process \"/bin/sh -c apt-get install -y nosuchpkg\" did not complete successfully: exit code: 100
------
 > [2/4] RUN apt-get install -y nosuchpkg:
0.812 E: Unable to locate package nosuchpkg
------
ERROR: failed to solve: process \"/bin/sh -c apt-get install -y nosuchpkg\" did not complete successfully: exit code: 100
",
        names: &["RUN apt-get install -y nosuchpkg"],
        best: "E: Unable to locate package nosuchpkg",
        ..FAILED
    }
    .holds();
}

#[test]
fn tests_below_docker_are_counted_once() {
    let text = "\
#9 [5/5] RUN npm test
#9 1.701 FAIL ./cart.test.js
#9 1.702   ● cart › totals
#9 1.702
#9 1.702     Expected: 10
#9 1.702     Received: 7
#9 1.702
#9 1.710 Test Suites: 1 failed, 1 total
#9 1.710 Tests:       1 failed, 1 passed, 2 total
#9 ERROR: process \"/bin/sh -c npm test\" did not complete successfully: exit code: 1
------
 > [5/5] RUN npm test:
1.710 Tests:       1 failed, 1 passed, 2 total
------
ERROR: failed to solve: process \"/bin/sh -c npm test\" did not complete successfully: exit code: 1
";
    let names = &["cart › totals"];
    let counts = &[(CountKind::Failed, 1), (CountKind::Passed, 1)];
    let excerpt = &["Expected: 10", "Received: 7"];
    Sample { text, names, counts, excerpt, best: "cart › totals", ..FAILED }.holds();
}

#[test]
fn a_file_that_does_not_load_beside_tests_that_fail() {
    Sample {
        command: "npx jest",
        text: "\
FAIL ./boom.test.js
  ● Test suite failed to run

    DATABASE_URL is not set

FAIL ./cart.test.js
  ● cart › totals

    Expected: 10
    Received: 7

Test Suites: 2 failed, 2 total
Tests:       1 failed, 1 total
",
        names: &["./boom.test.js", "cart › totals"],
        best: "boom.test.js",
        ..FAILED
    }
    .holds();
}
