use super::{Blank, Grew, Other, before, edit, hold};
use crate::basis::compare;

const WAS: &str = r#"import unittest

import cart
from cart import total


class CartTest(unittest.TestCase):
    def test_total(self):
        items = [1, 2]
        self.assertEqual(total(items), 3)
        self.assertEqual(cart.name("a  b"), "a  b")

    def test_empty(self):
        self.assertEqual(total([]), 0)


@decorated(
    1,
)
def test_plain(client):
    """Adds up."""
    assert total([2]) == 2


if __name__ == "__main__":
    unittest.main()
"#;

#[test]
fn honest_edits() {
    let method = "    def test_more(self):\n        items = [4]\n        self.assertEqual(total(items), 4)\n\n";
    let patched = "def test_slow(monkeypatch):\n    monkeypatch.setattr(cart, 'clock', lambda: 1)\n    assert total([1]) == 1\n\n\n";
    hold(
        "tests/test_cart.py",
        WAS,
        vec![
            ("blanks within a line", edit(WAS, "[1, 2]", "[1,  2]"), Blank),
            ("blank lines", edit(WAS, "\n\n\nclass", "\n\nclass") + "\n\n", Blank),
            ("blanks at the end of a line", edit(WAS, "[1, 2]\n", "[1, 2]   \n"), Blank),
            ("other line ends", WAS.replace('\n', "\r\n"), Blank),
            ("a method between two", before(WAS, "    def test_empty", method), Grew),
            (
                "a method at the end of the class",
                edit(WAS, "0)\n", &format!("0)\n\n{method}")),
                Grew,
            ),
            (
                "a function",
                before(WAS, "@decorated", "def test_new():\n    assert total([5]) == 5\n\n\n"),
                Grew,
            ),
            (
                "a function at the end",
                format!("{WAS}\ndef test_late():\n    assert total([]) == 0\n"),
                Grew,
            ),
            (
                "a parametrized function",
                before(
                    WAS,
                    "@decorated",
                    "@pytest.mark.parametrize('n', [1, 2])\ndef test_each(n):\n    assert total([n]) == n\n\n\n",
                ),
                Grew,
            ),
            ("an import", before(WAS, "import cart", "import decimal\n"), Grew),
            ("a longer import", edit(WAS, "import total\n", "import total, discount\n"), Grew),
            (
                "a constant and a helper",
                before(
                    WAS,
                    "class CartTest",
                    "MANY = 100\n\n\ndef make_items(count):\n    return [1] * count\n\n\n",
                ),
                Grew,
            ),
            (
                "a fixture of its own",
                before(
                    WAS,
                    "@decorated",
                    "@pytest.fixture\ndef big_cart():\n    return [1] * 9\n\n\n",
                ),
                Grew,
            ),
            ("a patch in its own test", before(WAS, "@decorated", patched), Grew),
            (
                "a mock for the length of a block",
                before(
                    WAS,
                    "@decorated",
                    "def test_mocked():\n    with mock.patch('cart.clock'):\n        assert total([1]) == 1\n\n\n",
                ),
                Grew,
            ),
            (
                "an assertion at the end of a test",
                edit(WAS, "0)\n", "0)\n        self.assertEqual(total([0]), 0)\n"),
                Grew,
            ),
            ("a comment", before(WAS, "        items", "        # Two of them.\n"), Grew),
            (
                "a class",
                before(
                    WAS,
                    "@decorated",
                    "class OtherTest(unittest.TestCase):\n    def setUp(self):\n        self.n = 1\n\n    def test_n(self):\n        self.assertEqual(self.n, 1)\n\n\n",
                ),
                Grew,
            ),
            (
                "two at once",
                before(
                    &before(WAS, "    def test_empty", method),
                    "@decorated",
                    "def test_new():\n    assert True\n\n\n",
                ),
                Grew,
            ),
        ],
    );
}

#[test]
fn tests_are_weakened_or_switched_off() {
    hold(
        "tests/test_cart.py",
        WAS,
        vec![
            (
                "an assertion is gone",
                edit(WAS, "        self.assertEqual(total(items), 3)\n", ""),
                Other,
            ),
            ("another expected value", edit(WAS, "items), 3)", "items), 4)"), Other),
            ("blanks in a string", edit(WAS, "(\"a  b\")", "(\"a b\")"), Other),
            ("another indentation", edit(WAS, "        items =", "         items ="), Other),
            ("emptied", String::new(), Other),
            (
                "commented out",
                edit(
                    WAS,
                    "        self.assertEqual(total([]), 0)",
                    "        # self.assertEqual(total([]), 0)\n        pass",
                ),
                Other,
            ),
            (
                "in a string",
                before(
                    &edit(WAS, "\n\n@decorated", "\n\"\"\"\n\n@decorated"),
                    "class Cart",
                    "\"\"\"\n",
                ),
                Other,
            ),
            ("returns early", before(WAS, "        items", "        return\n"), Other),
            ("skips", before(WAS, "    def test_empty", "    @unittest.skip('slow')\n"), Other),
            (
                "skips within",
                before(WAS, "        items", "        self.skipTest('slow')\n"),
                Other,
            ),
            (
                "is expected to fail",
                before(WAS, "    def test_empty", "    @unittest.expectedFailure\n"),
                Other,
            ),
            ("skips the file", before(WAS, "class Cart", "pytestmark = pytest.mark.skip\n"), Other),
            (
                "skips the file by a call",
                before(WAS, "class Cart", "pytest.skip('x', allow_module_level=True)\n"),
                Other,
            ),
            ("ends the run", before(WAS, "class Cart", "import sys\nsys.exit(0)\n"), Other),
            (
                "ends the run in a new test",
                before(WAS, "    def test_empty", "    def test_a(self):\n        os._exit(0)\n\n"),
                Other,
            ),
            ("is no test", before(WAS, "    def test_empty", "    __test__ = False\n"), Other),
        ],
    );
}

#[test]
fn what_tests_exercise_is_replaced() {
    hold(
        "tests/test_cart.py",
        WAS,
        vec![
            (
                "a second test of the same name",
                edit(WAS, "0)\n", "0)\n\n    def test_total(self):\n        pass\n"),
                Other,
            ),
            ("the module is replaced", before(WAS, "class Cart", "cart = Fake()\n"), Other),
            (
                "the function is replaced",
                before(WAS, "class Cart", "def total(items):\n    return 3\n\n\n"),
                Other,
            ),
            (
                "the function is imported from elsewhere",
                before(WAS, "class Cart", "from fake import total\n"),
                Other,
            ),
            (
                "the same behind a semicolon",
                before(WAS, "class Cart", "import decimal; total = len\n"),
                Other,
            ),
            (
                "all names of another module",
                before(WAS, "class Cart", "from fake import *\n"),
                Other,
            ),
            (
                "the module is patched",
                before(WAS, "class Cart", "cart.name = lambda it: it\n"),
                Other,
            ),
            (
                "the module is patched in a new test",
                before(
                    WAS,
                    "    def test_empty",
                    "    def test_a(self):\n        cart.name = str\n\n",
                ),
                Other,
            ),
            (
                "a patch that lasts",
                before(
                    WAS,
                    "@decorated",
                    "def test_a():\n    patch('cart.total', return_value=3).start()\n\n\n",
                ),
                Other,
            ),
        ],
    );
}

#[test]
fn old_lines_go_elsewhere() {
    hold(
        "tests/test_cart.py",
        WAS,
        vec![
            (
                "the body goes to another function",
                before(
                    WAS,
                    "        self.assertEqual(total(items), 3)",
                    "        pass\n\ndef unused(self, items=0):\n    if True:\n",
                ),
                Other,
            ),
            (
                "the methods go to another class",
                before(WAS, "    def test_empty", "class Hidden:\n"),
                Other,
            ),
            (
                "the decorator goes to another function",
                before(WAS, "def test_plain", "def test_other(client):\n    pass\n\n\n"),
                Other,
            ),
            (
                "a decorator for an old test",
                before(WAS, "def test_plain", "@pytest.mark.parametrize('client', [])\n"),
                Other,
            ),
            (
                "a set-up for all",
                before(WAS, "    def test_empty", "    def setUp(self):\n        pass\n\n"),
                Other,
            ),
            (
                "another assertion",
                before(
                    WAS,
                    "    def test_empty",
                    "    def assertEqual(self, a, b):\n        pass\n\n",
                ),
                Other,
            ),
            (
                "a fixture that old tests take",
                before(WAS, "@decorated", "@pytest.fixture\ndef client():\n    return None\n\n\n"),
                Other,
            ),
            (
                "a fixture for all",
                before(
                    WAS,
                    "@decorated",
                    "@pytest.fixture(autouse=True)\ndef quiet():\n    yield\n\n\n",
                ),
                Other,
            ),
            ("a generator is never run", edit(WAS, "== 2\n", "== 2\n    yield\n"), Other),
            (
                "in an open bracket",
                before(
                    &edit(WAS, "\n\nif __name__", "\n\"\"\"]\n\nif __name__"),
                    "@decorated",
                    "x = [\"\"\"\n",
                ),
                Other,
            ),
            ("a hidden line's end", before(WAS, "class Cart", "# harmless\rtotal = len\n"), Other),
            (
                "another encoding",
                before(WAS, "import unittest\n", "# -*- coding: rot13 -*-\n"),
                Other,
            ),
            (
                "tries and passes",
                before(
                    WAS,
                    "        self.assertEqual(total(items), 3)",
                    "        if False:\n            pass\n",
                ),
                Other,
            ),
        ],
    );
}

#[test]
fn a_file_of_set_up_may_not_choose() {
    let was = "import pytest\n\n\n@pytest.fixture\ndef client():\n    return 1\n";
    hold(
        "tests/conftest.py",
        was,
        vec![
            (
                "another fixture",
                format!("{was}\n\n@pytest.fixture\ndef server():\n    return 2\n"),
                Grew,
            ),
            ("leaves files out", format!("{was}\ncollect_ignore = ['test_a.py']\n"), Other),
            (
                "a hook",
                format!("{was}\n\ndef pytest_collection_modifyitems(items):\n    items.clear()\n"),
                Other,
            ),
        ],
    );
}

#[test]
fn bytes_that_are_no_text_and_large_texts_only_compare_as_a_whole() {
    let odd = |tail: &str| [b"def test_a(): pass\n#\xff\n", tail.as_bytes()].concat();
    assert_eq!(compare("test_a.py", &odd(""), &odd("\n")), Other);
    let large = "x = 1\n".repeat(200_000);
    assert_eq!(compare("test_a.py", large.as_bytes(), format!("{large}\n").as_bytes()), Other);
    assert_eq!(compare("test_a.py", large.as_bytes(), large.as_bytes()), Blank);
}
