//! Snapshots, fixtures, and tests that moved.

use std::collections::BTreeMap;

use super::{Blank, Grew, Other, hold};
use crate::Hash;
use crate::basis::{PythonFolders, compare, lines, moved, reaches_other_tests};
use crate::definition::{GateDefinition, KnownThen, NamedTests};

const SNAPSHOT: &str =
    "// Jest Snapshot v1, https://goo.gl/fbAQLP\n\nexports[`shows 1`] = `\n<p>\n  a  b\n</p>\n`;\n";

#[test]
fn a_snapshot_grows_by_whole_entries() {
    let entry = |name: &str, value: &str| format!("\nexports[`{name} 1`] = `{value}`;\n");
    let first = |entry: String| SNAPSHOT.replace("\nexports", &format!("{entry}\nexports"));
    hold(
        "src/__snapshots__/App.test.js.snap",
        SNAPSHOT,
        vec![
            ("another entry", format!("{SNAPSHOT}{}", entry("wraps", "x \\` /* y")), Grew),
            ("an entry before", first(entry("adds", "3")), Grew),
            ("another value", SNAPSHOT.replace("a  b", "a b"), Other),
            ("blank lines in a value", SNAPSHOT.replace("<p>\n", "<p>\n\n"), Other),
            (
                "a second value for the same name",
                format!("{SNAPSHOT}{}", entry("shows", "x")),
                Other,
            ),
            (
                "a value that is computed",
                format!("{SNAPSHOT}{}", entry("x", "${process.exit(0)}")),
                Other,
            ),
            ("in a comment", format!("{}\n/*{SNAPSHOT}*/\n", entry("x", "y")), Other),
            ("an entry is gone", "// Jest Snapshot v1, https://goo.gl/fbAQLP\n".to_owned(), Other),
        ],
    );
}

#[test]
fn fixtures_count_byte_by_byte() {
    assert_eq!(compare("tests/fixtures/a.json", b"{}\n", b"{}\n\n"), Other);
    assert_eq!(compare("src/__mocks__/fs.js", b"a();\n", b"a();\nb();\n"), Other);
    assert_eq!(compare("testdata/a.py", b"a = 1\n", b"a  = 1\n"), Other);
    assert_eq!(compare("tests/data.csv", b"a,b\n", b"a,b\n\n"), Blank);
    assert_eq!(compare("tests/data.csv", b"a,b\n", b"a, b\n"), Other);
    assert_eq!(compare("tests/data.csv", b"a,b\n", b"a,b\nc,d\n"), Other);
}

#[test]
fn a_test_is_moved_where_a_runner_finds_it_again() {
    let (one, other) = (Hash::of("1"), Hash::of("2"));
    let find = |gone: &'static str,
                new: &'static [(&'static str, Hash)],
                stood: &'static [&'static str]| {
        let gone = BTreeMap::from([(gone, one)]);
        let new: BTreeMap<&str, Hash> = new.iter().copied().collect();
        moved(&gone, &new, stood.iter().copied(), PythonFolders::Packages, any).into_values().next()
    };
    let at = |path: &'static str| -> &'static [(&'static str, Hash)] {
        Box::leak(Box::new([(path, one)]))
    };
    assert_eq!(find("test_a.py", at("test_b.py"), &[]), Some("test_b.py"));
    assert_eq!(
        find("test_a.py", at("unit/test_a.py"), &["unit/test_x.py"]),
        Some("unit/test_a.py")
    );
    assert_eq!(find("tests/a.rs", at("tests/b.rs"), &[]), Some("tests/b.rs"));
    // No runner finds these, or it is unknown whether one does.
    assert_eq!(find("test_a.py", at("unit/test_a.py"), &[]), None);
    assert_eq!(find("test_a.py", at("tests_a.py"), &[]), None);
    assert_eq!(find("test_a.py", at("test-a.py"), &[]), None);
    assert_eq!(find("tests/test_a.py", at("tests/old_a.py"), &[]), None);
    assert_eq!(find("a.test.ts", at("a.test.ts.txt"), &[]), None);
    assert_eq!(find("a_test.go", at("testdata/a_test.go"), &["testdata/b_test.go"]), None);
    assert_eq!(find("tests/a.rs", at("tests/common/a.rs"), &["tests/common/mod.rs"]), None);
    assert_eq!(
        find("one/tests/a.rs", at("two/tests/a.rs"), &["two/tests/b.rs"]),
        Some("two/tests/a.rs")
    );
    assert_eq!(find("test_a.py", Box::leak(Box::new([("test_b.py", other)])), &[]), None);
    // One new file replaces one missing test.
    let gone = BTreeMap::from([("test_a.py", one), ("test_b.py", one)]);
    let new = BTreeMap::from([("test_c.py", one)]);
    assert_eq!(moved(&gone, &new, [], PythonFolders::All, any).len(), 1);
}

#[test]
fn a_name_that_runners_pass_over_is_no_move() {
    let one = Hash::of("1");
    let is_found = |gone: &str, new: &str| {
        let (gone, new) = (BTreeMap::from([(gone, one)]), BTreeMap::from([(new, one)]));
        !moved(&gone, &new, [], PythonFolders::All, any).is_empty()
    };
    for (gone, new) in [
        ("two_test.go", "_two_test.go"),
        ("two_test.go", ".two_test.go"),
        ("two_test.go", "two_windows_test.go"),
        ("two_test.go", "two_arm64_test.go"),
        ("two_linux_test.go", "two_windows_test.go"),
        ("two_linux_test.go", "two_linux_arm64_test.go"),
        ("tests/test_a.py", "tests/test_a-old.py"),
        ("tests/test_a.py", "tests/test_a b.py"),
        ("tests/test_a.py", "tests/test-a.py"),
        ("tests/test_a.py", "tests/a_tests.py"),
        ("tests/testa.py", "tests/a.py"),
        ("tests/a.rs", "tests/.a.rs"),
        ("test/a.js", "test/.a.js"),
    ] {
        assert!(!is_found(gone, new), "{new}");
    }
    for (gone, new) in [
        ("two_test.go", "three_test.go"),
        ("two_test.go", "two_more_test.go"),
        ("two_windows_test.go", "two_test_windows_test.go"),
        ("linux_test.go", "windows_test.go"),
        ("tests/test_a.py", "tests/test_b2.py"),
        ("tests/test_a.py", "tests/test_größe.py"),
        ("tests/testa.py", "tests/testb.py"),
        ("tests/helper.py", "tests/tools.py"),
    ] {
        assert!(is_found(gone, new), "{new}");
    }
}

#[test]
fn a_test_is_moved_into_a_folder_below_where_runners_look_there() {
    let one = Hash::of("1");
    let is_found = |gone: &str, new: &str, python| {
        let (gone, new) = (BTreeMap::from([(gone, one)]), BTreeMap::from([(new, one)]));
        !moved(&gone, &new, [], python, any).is_empty()
    };
    for (gone, new) in [
        ("spec/a_spec.rb", "spec/sums/deep/a_spec.rb"),
        ("src/a.test.ts", "src/b/a.test.ts"),
        ("tests/ATest.php", "tests/Unit/ATest.php"),
        ("tests/test_a.py", "tests/unit/test_a.py"),
    ] {
        assert!(is_found(gone, new, PythonFolders::All), "{new}");
    }
    assert!(!is_found("tests/test_a.py", "tests/unit/test_a.py", PythonFolders::Packages));
    for (gone, new) in [
        ("tests/a_test.rs", "tests/unit/a_test.rs"),
        ("a_test.go", "unit/a_test.go"),
        ("test/a.js", "test/unit/a.js"),
        ("spec/a_spec.rb", "spec/_old/a_spec.rb"),
        ("src/a.test.ts", "src/.old/a.test.ts"),
        ("src/a.test.ts", "src/dist/a.test.ts"),
        ("tests/unit/test_a.py", "tests/test_a.py"),
        ("tests/test_a.py", "old/test_a.py"),
    ] {
        assert!(!is_found(gone, new, PythonFolders::All), "{new}");
    }
}

#[test]
fn a_new_file_counts_if_it_reaches_other_tests() {
    for (path, text) in [
        ("tests/test_a.py", "import os\nos._exit(0)\n"),
        ("tests/test_a.py", "import pytest\n\n\ndef test_a():\n    pytest.exit('', 0)\n"),
        ("tests/test_a.py", "import cart\ncart.total = len\n"),
        ("tests/test_a.py", "patch('cart.total').start()\n"),
        ("tests/test_a.py", "pytest_plugins = ['cheat']\n"),
        ("tests/test_a.py", "x = '''\n"),
        ("main_test.go", "func TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n"),
        ("a_test.go", "func init() {\n\tos.Exit(0)\n}\n"),
        ("a.test.js", "process.exit(0);\n"),
        ("a.test.js", "it.only('x', () => {});\n"),
        ("__mocks__/axios.js", "module.exports = {};\n"),
        ("src/a.rs", "#[test]\nfn a() {\n    std::process::exit(0);\n}\n"),
        ("spec/a_spec.rb", "at_exit { exit! 0 }\n"),
        ("src/test/ATest.java", "class ATest { void a() { System.exit(0); } }\n"),
    ] {
        assert!(reaches_other_tests(path, text.as_bytes()), "{path}\n{text}");
    }
    for (path, text) in [
        ("tests/test_a.py", "import cart\n\n\ndef test_a():\n    assert cart.total() == 2\n"),
        ("tests/test_a.py", "import sys\nsys.path.insert(0, 'src')\n"),
        ("tests/test_a.py", "import os\nos.environ['A'] = '1'\n"),
        ("tests/test_a.py", "def test_a(monkeypatch):\n    monkeypatch.setattr(a, 'b', 1)\n"),
        ("tests/test_a.py", "def test_a():\n    with pytest.raises(SystemExit):\n        main()\n"),
        ("tests/test_a.py", "def test_a():\n    with patch('a.b') as b:\n        go()\n"),
        ("a_test.go", "func TestA(t *testing.T) {\n\tt.Skip()\n}\n"),
        ("a.test.js", "jest.mock('./a');\ntest('a', () => {\n  request(app).patch('/a');\n});\n"),
        ("src/a.rs", "#[tokio::test]\nasync fn a() {\n    task.abort();\n}\n"),
        ("test/a_test.exs", "System.halt(0)\n"),
        ("tests/data.json", "{}"),
    ] {
        assert!(!reaches_other_tests(path, text.as_bytes()), "{path}\n{text}");
    }
}

#[test]
fn lines_that_came_and_went_are_counted() {
    let count = lines(b"a\nb\n\nb\n", b"b\n  a\nc\n\n\n");
    assert_eq!((count.came, count.went), (1, 1));
}

/// No command names a test.
fn any(_: &str, _: &str) -> bool {
    true
}

#[test]
fn a_test_that_the_gate_no_longer_names_is_no_move() {
    let one = Hash::of("1");
    let named = NamedTests { runs: ["test/*.test.js".to_owned()].into(), leaves_out: [].into() };
    let gate = GateDefinition { known: [KnownThen::Names(named)].into(), ..Default::default() };
    let is_found = |gone: &str, new: &str| {
        let (gone, new) = (BTreeMap::from([(gone, one)]), BTreeMap::from([(new, one)]));
        let is_named = |from: &str, to: &str| gate.names_as_well(from, to);
        !moved(&gone, &new, [], PythonFolders::All, is_named).is_empty()
    };
    assert!(is_found("test/a.test.js", "test/b.test.js"));
    assert!(!is_found("test/a.test.js", "test/sub/a.test.js"));
    // No command names it, so the runner finds it by itself.
    assert!(is_found("src/a.test.js", "src/sub/a.test.js"));
}
