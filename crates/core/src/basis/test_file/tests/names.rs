use crate::is_test;

#[test]
fn tests_are_known_by_their_names_and_folders() {
    for path in [
        "tests/a.rs",
        "src/__tests__/x.js",
        "a/test_csv.py",
        "csv_test.go",
        "csv.spec.ts",
        "app/CsvTest.java",
        "app/CsvIT.java",
        "e2e/login.ts",
        "Test/x",
        "spec/models/user.rb",
        "pkg/testdata/in.txt",
        "tests/fixtures/README.md",
        "golden/out.md",
        "src/__snapshots__/a.js.snap",
        "src/snapshots/a.snap",
        "src/__mocks__/fs.js",
        "Shop.Tests/Cart.cs",
        "ShopTests/Cart.swift",
        "run-tests.sh",
        "src/tests.rs",
        "internal/testutil/db.go",
        "src/test_utils/mod.rs",
        "src/testHelpers.ts",
        "cases/two.expected",
        "expected_output.json",
        "expected/two.txt",
        "out/two_golden.json",
        "Cart.approved.txt",
        "vcr/cassettes/login.yml",
    ] {
        assert!(is_test(path), "{path}");
    }
    for path in [
        "src/contest.rs",
        "src/expected.rs",
        "docs/expected.md",
        "src/unexpected/log.txt",
        "pages/testimonials.py",
        "src/testing.rs",
        "docs/testutil/README.md",
        "approved.txt",
        "latest.md",
        "src/attest/a.rs",
        "README.md",
        "testing.md",
        "tests/README.md",
        "specs/integrity.md",
        "spec/openapi.yaml",
        "openapi-spec.yaml",
        "rpm/sprag.spec",
        "requirements-test.txt",
        "requirements-tests.in",
        "test-requirements.txt",
        ".env.test",
        "docker-compose.test.yml",
        "compose.test.yaml",
        "e2e/package-lock.json",
        "e2e/package.json",
        "node_modules/x/test/a.js",
        "tests/__pycache__/a.pyc",
    ] {
        assert!(!is_test(path), "{path}");
    }
}
