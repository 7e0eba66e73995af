use crate::basis::rests_on_tests;
use crate::{Check, DocPath};

fn runs(line: &str) -> Check {
    Check::Run { argv: line.split(' ').map(str::to_owned).collect() }
}

#[test]
fn gates_that_only_look_or_build_do_not_rest_on_tests() {
    for line in [
        "grep -q good code.txt",
        "test -f out.txt",
        "true",
        "ls src",
        "/usr/bin/grep x y",
        "cargo build --locked",
        "cargo +nightly fmt --check",
        "cargo --offline check --tests",
        "cargo clippy --all-targets",
        "go vet ./...",
        "env CI=1 go build ./...",
        "timeout 60 cargo check",
        "python3 -m mypy src",
        "npx tsc --noEmit",
        "mvn -q compile",
        "find . -name *.rs",
    ] {
        assert!(!rests_on_tests(&runs(line)), "{line}");
    }
    let shell = |line: &str| Check::Run { argv: ["sh", "-c", line].map(str::to_owned).into() };
    assert!(!rests_on_tests(&shell("cd src && grep -q 'a b' x || ! test -f y")));
    assert!(!rests_on_tests(&shell("cargo build 2>&1 | tail")));
    assert!(!rests_on_tests(&Check::File { path: DocPath::parse("a").unwrap() }));
    for line in [
        "cargo test",
        "cargo nextest run",
        "go test ./...",
        "npm test",
        "npm run build",
        "make check",
        "./grep x",
        "python3 -m unittest",
        "python3 check.py",
        "mvn compile test",
        "find . -exec ./run {} ;",
        "sh test.sh",
        "env",
    ] {
        assert!(rests_on_tests(&runs(line)), "{line}");
    }
    for line in ["cargo build && cargo test", "true; ./check", "true $(./check)", "grep 'x"] {
        assert!(rests_on_tests(&shell(line)), "{line}");
    }
    let both = vec![runs("true"), runs("cargo test")];
    assert!(rests_on_tests(&Check::All { of: both.clone() }));
    assert!(rests_on_tests(&Check::Any { of: both }));
}
