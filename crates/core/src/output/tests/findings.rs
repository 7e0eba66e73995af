//! What linters and type checkers print of which there is no recording.

use super::{FAILED, Sample};

#[test]
fn golangci_lint() {
    Sample {
        command: "golangci-lint run",
        text: "\
cart.go:5:2: ineffectual assignment to total (ineffassign)
\ttotal := 0
\t^
cart.go:9:12: Error return value of `f.Close` is not checked (errcheck)
\tf.Close()
\t       ^
2 issues:
* errcheck: 1
* ineffassign: 1
",
        names: &["cart.go ineffassign", "cart.go errcheck"],
        best: "cart.go:5:2",
        excerpt: &["is not checked (errcheck)"],
        ..FAILED
    }
    .holds();
}

#[test]
fn hadolint() {
    Sample {
        command: "hadolint Dockerfile",
        text: "\
Dockerfile:1 DL3006 warning: Always tag the version of an image explicitly
Dockerfile:3 DL3008 warning: Pin versions in apt get install
",
        names: &["Dockerfile DL3006", "Dockerfile DL3008"],
        best: "Dockerfile:1 DL3006",
        excerpt: &["Pin versions"],
        ..FAILED
    }
    .holds();
}

#[test]
fn clang_tidy() {
    Sample {
        command: "clang-tidy cart.cpp",
        text: "\
2 warnings generated.
/src/cart.cpp:5:10: warning: use nullptr [modernize-use-nullptr]
  int *p = 0;
           ^
           nullptr
/src/cart.cpp:9:3: error: use of undeclared identifier 'totl' [clang-diagnostic-error]
  totl();
  ^
",
        names: &["/src/cart.cpp clang-diagnostic-error"],
        best: "cart.cpp:9:3",
        excerpt: &["undeclared identifier 'totl'"],
        ..FAILED
    }
    .holds();
}

#[test]
fn stylelint() {
    Sample {
        exit: 2,
        command: "npx stylelint '**/*.css'",
        text: "
src/cart.css
  3:10  ✖  Unexpected unknown property \"colr\"       property-no-unknown
  7:1   ✖  Unexpected empty block                   block-no-empty

✖ 2 problems (2 errors, 0 warnings)
",
        names: &["src/cart.css property-no-unknown", "src/cart.css block-no-empty"],
        best: "src/cart.css",
        excerpt: &["unknown property \"colr\""],
        ..FAILED
    }
    .holds();
}

#[test]
fn shellcheck_in_the_form_of_gcc() {
    Sample {
        command: "shellcheck -f gcc run.sh",
        text: "run.sh:3:4: note: Double quote to prevent globbing. [SC2086]\nrun.sh:5:1: error: Couldn't parse this. [SC1073]\n",
        names: &["run.sh SC1073"],
        best: "run.sh:5:1",
        ..FAILED
    }
    .holds();
}

#[test]
fn terraform_validate() {
    Sample {
        command: "terraform validate",
        text: "\
╷
│ Error: Unsupported argument
│
│   on main.tf line 5, in resource \"aws_instance\" \"web\":
│    5:   amii = \"ami-1\"
│
│ An argument named \"amii\" is not expected here. Did you mean \"ami\"?
╵
",
        names: &["main.tf Unsupported argument"],
        best: "Unsupported argument",
        excerpt: &["Did you mean \"ami\"?", "main.tf line 5"],
        ..FAILED
    }
    .holds();
}

#[test]
fn rubocop() {
    Sample {
        command: "rubocop",
        text: "\
Inspecting 2 files
C.

Offenses:

lib/cart.rb:3:5: C: [Correctable] Layout/IndentationWidth: Use 2 (not 4) spaces for indentation.
    total
^^^^

2 files inspected, 1 offense detected, 1 offense autocorrectable
",
        names: &["lib/cart.rb Layout/IndentationWidth"],
        best: "lib/cart.rb:3:5",
        ..FAILED
    }
    .holds();
}

#[test]
fn phpstan() {
    Sample {
        command: "vendor/bin/phpstan analyse",
        text: "
 ------ --------------------------------------------------
  Line   src/Cart.php
 ------ --------------------------------------------------
  5      Method Cart::total() should return int but returns string.
 ------ --------------------------------------------------

 [ERROR] Found 1 error
",
        names: &["src/Cart.php"],
        excerpt: &["should return int but returns string"],
        ..FAILED
    }
    .holds();
}

#[test]
fn gofmt_only_lists_files() {
    Sample {
        command: "test -z \"$(gofmt -l . | tee /dev/stderr)\"",
        text: "cart/cart.go\norder/order.go\n",
        names: &["cart/cart.go", "order/order.go"],
        ..FAILED
    }
    .holds();
}

#[test]
fn rustfmt() {
    Sample {
        command: "cargo fmt --check",
        text: "\
Diff in /src/src/lib.rs:1:
-pub fn a(){}
+pub fn a() {}
Diff in /src/src/order.rs:9:
-pub fn b(){}
+pub fn b() {}
",
        names: &["/src/src/lib.rs", "/src/src/order.rs"],
        excerpt: &["-pub fn a(){}"],
        ..FAILED
    }
    .holds();
}

#[test]
fn clippy_with_denied_warnings() {
    Sample {
        exit: 101,
        command: "cargo clippy -- -D warnings",
        text: "\
    Checking shop v0.1.0 (/src)
error: unneeded `return` statement
 --> src/lib.rs:3:17
  |
3 |     return false;
  |     ^^^^^^^^^^^^
  |
  = help: for further information visit https://rust-lang.github.io/rust-clippy/rust-1.95.0/index.html#needless_return
  = note: `-D clippy::needless-return` implied by `-D warnings`

error: unused variable: `x`
 --> src/lib.rs:9:9
  |
9 |     let x = 1;
  |         ^
  |
  = note: `-D unused-variables` implied by `-D warnings`

error: could not compile `shop` (lib) due to 2 previous errors
",
        names: &["src/lib.rs needless_return", "src/lib.rs unused-variables"],
        best: "src/lib.rs:3:17",
        excerpt: &["unneeded `return`", "unused variable: `x`"],
        ..FAILED
    }
    .holds();
}

#[test]
fn an_unknown_checker() {
    Sample {
        command: "./lint",
        text: "\
checking 12 files
src/cart.xyz:12:5: error: name `totl` is not defined [undefined-name]
src/order.xyz(7,1): error X0012: missing semicolon
",
        names: &["src/cart.xyz undefined-name", "src/order.xyz X0012"],
        best: "src/cart.xyz:12:5",
        ..FAILED
    }
    .holds();
}

#[test]
fn oxlint() {
    Sample {
        command: "oxlint",
        text: "
  × eslint(no-unused-vars): Variable 'x' is declared but never used.
   ╭─[src/cart.ts:3:7]
 3 │ const x = 1;
   ·       ┬
   ·       ╰── 'x' is declared here
   ╰────
  help: Consider removing this declaration.

Found 0 warnings and 1 error.
Finished in 5ms on 2 files with 93 rules using 4 threads.
",
        names: &["src/cart.ts no-unused-vars"],
        counts: &[],
        best: "src/cart.ts",
        excerpt: &["Variable 'x' is declared but never used"],
        ..FAILED
    }
    .holds();
}

#[test]
fn deno_lint() {
    Sample {
        command: "deno lint",
        text: "error[no-unused-vars]: `x` is never used
 --> /src/cart.ts:3:7
  |
3 | const x = 1;
  |       ^
  = hint: If this is intentional, prefix it with an underscore like `_x`

  docs: https://lint.deno.land/rules/no-unused-vars


Found 1 problem
Checked 2 files
",
        names: &["/src/cart.ts no-unused-vars"],
        counts: &[],
        best: "cart.ts:3:7",
        excerpt: &["`x` is never used"],
        ..FAILED
    }
    .holds();
}

#[test]
fn ghc() {
    Sample {
        command: "cabal build",
        text: "Build profile: -w ghc-9.4.7 -O1
In order, the following will be built (use -v for more details):
 - shop-0.1.0.0 (lib) (file src/Cart.hs changed)
[1 of 1] Compiling Cart             ( src/Cart.hs, dist/Cart.o )

src/Cart.hs:5:9: error: [GHC-88464]
    Variable not in scope: totl :: Int
  |
5 | total = totl
  |         ^^^^
Error: cabal: Failed to build shop-0.1.0.0.
",
        names: &["src/Cart.hs"],
        counts: &[],
        best: "src/Cart.hs:5:9",
        excerpt: &["Variable not in scope: totl"],
        ..FAILED
    }
    .holds();
}
