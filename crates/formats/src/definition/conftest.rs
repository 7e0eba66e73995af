//! Judges whether a `conftest.py` can change the outcome of tests that it does not name.

use std::collections::BTreeSet;

use super::read::{PythonStatement, python_statements};

/// An effect that a `conftest.py` can have on tests beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConftestPower {
    /// It excludes files from collection: `collect_ignore`, `collect_ignore_glob`.
    Ignores,
    /// It has a hook that runs for every test, such as `pytest_collection_modifyitems`.
    Hooks,
    /// It has a fixture that every test uses.
    Autouse,
    /// It replaces something for all tests: a patch, or an attribute of a module.
    Patches,
    /// It loads a plugin.
    Plugins,
    /// It runs code when it is loaded, such as an exit.
    Runs,
}

/// Hooks that neither select tests nor change their outcome.
const HARMLESS_HOOKS: [&str; 6] = [
    "pytest_addoption",
    "pytest_report_header",
    "pytest_terminal_summary",
    "pytest_sessionfinish",
    "pytest_unconfigure",
    "pytest_make_parametrize_id",
];

/// Calls that only prepare the loading of the code: search paths, variables, warnings, logs.
const PREPARING: [&str; 10] = [
    "django.setup",
    "faulthandler.enable",
    "load_dotenv",
    "logging.",
    "os.environ.setdefault",
    "os.environ.update",
    "pytest.register_assert_rewrite",
    "site.addsitedir",
    "sys.path.",
    "warnings.",
];

/// pytest's own fixtures that tests use most.
pub(super) const OWN_FIXTURES: [&str; 12] = [
    "cache",
    "capfd",
    "caplog",
    "capsys",
    "doctest_namespace",
    "monkeypatch",
    "pytestconfig",
    "record_property",
    "recwarn",
    "request",
    "tmp_path",
    "tmpdir",
];

/// Returns every effect that a `conftest.py` can have on tests beside it. A text that cannot be
/// split into statements is judged as one.
pub fn conftest_powers(text: &str) -> BTreeSet<ConftestPower> {
    let whole = || vec![PythonStatement { name: None, text: text.to_owned() }];
    let statements = python_statements(text).unwrap_or_else(whole);
    statements.iter().flat_map(statement_powers).collect()
}

/// Returns the effects of one statement.
pub(super) fn statement_powers(statement: &PythonStatement) -> BTreeSet<ConftestPower> {
    let text = &*statement.text;
    let mut powers = BTreeSet::new();
    if has_word(text, "collect_ignore") || has_word(text, "collect_ignore_glob") {
        powers.insert(ConftestPower::Ignores);
    }
    let is_hook = |name: &str| name.starts_with("pytest_") && !HARMLESS_HOOKS.contains(&name);
    let names = words(text);
    if names.clone().any(|name| is_hook(name) && name != "pytest_plugins") {
        powers.insert(ConftestPower::Hooks);
    }
    if names.clone().any(|name| name == "pytest_plugins") {
        powers.insert(ConftestPower::Plugins);
    }
    if has_word(text, "autouse") {
        powers.insert(ConftestPower::Autouse);
    }
    let defined = ["def ", "class ", "async ", "@", "import ", "from "];
    let is_import = text.starts_with("import ") || text.starts_with("from ");
    let is_definition =
        defined.iter().any(|start| text.starts_with(start)) && !(is_import && text.contains(';'));
    let patches = ["setattr", "patch", "monkeypatch", "MonkeyPatch", "mock", "modules", "__dict__"];
    let is_attribute = !is_definition && statement.name.is_none() && sets_attribute(text);
    // A fixture that a test requests by name may patch, because that affects only the test itself.
    if !is_definition && names.clone().any(|name| patches.contains(&name)) || is_attribute {
        powers.insert(ConftestPower::Patches);
    }
    if is_star(text) || !is_definition && runs(text) {
        powers.insert(ConftestPower::Runs);
    }
    powers
}

/// Returns the name of the fixture that a statement defines.
pub(super) fn fixture(statement: &PythonStatement) -> Option<&str> {
    let decorators = statement.text.split("\ndef ").next()?;
    let is_fixture = decorators.starts_with('@') && has_word(decorators, "fixture");
    statement.name.as_deref().filter(|_| is_fixture)
}

/// Returns whether an import brings all names of a module, so hooks and fixtures as well.
fn is_star(text: &str) -> bool {
    text.starts_with("from ") && text.contains('*')
}

/// Returns whether a statement does more than define names: it raises, or it calls something for
/// its effect.
fn runs(text: &str) -> bool {
    let exits = ["exit", "_exit", "skip", "importorskip", "system", "raise", "exec", "eval"];
    exits.iter().any(|one| has_word(text, one)) || simple_lines(text).any(is_effect)
}

/// Returns the lines that begin a statement, without those inside brackets.
fn simple_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    text.lines().filter(move |line| {
        let begins = depth == 0;
        let mut quote = None;
        for letter in line.chars() {
            match (quote, letter) {
                (None, '\'' | '"') => quote = Some(letter),
                (Some(open), _) if open == letter => quote = None,
                (None, '(' | '[' | '{') => depth += 1,
                (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
                (None | Some(_), _) => {}
            }
        }
        begins
    })
}

/// Returns whether a line is a call whose value is not used, also after `if x:` or `;`.
fn is_effect(line: &str) -> bool {
    let heads = ["if ", "elif ", "else:", "try:", "except", "finally:", "with ", "for ", "while "];
    let line = line.trim();
    let is_head = heads.iter().any(|head| line.starts_with(head));
    let parts = line.split(move |c: char| c == ';' || is_head && c == ':');
    parts.map(str::trim).any(|part| {
        let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let end = part.find(|c| !is_path(c)).unwrap_or(part.len());
        let (path, rest) = part.split_at(end);
        let is_call = !path.is_empty() && rest.starts_with('(');
        is_call
            && !PREPARING.iter().any(|one| match one.strip_suffix('.') {
                Some(module) => path.strip_prefix(module).is_some_and(|rest| rest.starts_with('.')),
                None => path == *one,
            })
    })
}

/// Returns whether an unindented statement sets an attribute of another module: `a.b = c`.
fn sets_attribute(text: &str) -> bool {
    text.lines().any(|line| {
        let Some((left, right)) = line.split_once('=') else { return false };
        let left = left.trim();
        let is_path = left.contains('.') && !left.contains(['(', ' ', '"', '\'', '#']);
        is_path && !right.starts_with('=')
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

fn has_word(text: &str, word: &str) -> bool {
    words(text).any(|one| one == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_fixtures_have_no_power() {
        for text in [
            "",
            "import pytest\nfrom unittest import mock\n\n@pytest.fixture\ndef shop():\n    return Shop()\n",
            "@pytest.fixture\ndef fake(monkeypatch):\n    monkeypatch.setattr(a, 'b', 1)\n",
            "def pytest_addoption(parser):\n    parser.addoption('--slow')\n",
            "NAME = 'x'\n\"\"\"collects\"\"\"\n",
            "import sys\nsys.path.insert(0, 'src')\n",
            "if ROOT not in sys.path:\n    sys.path.insert(0, ROOT)\n",
            "try:\n    import fast\nexcept ImportError:\n    fast = None\n",
            "ALL = make(\n    one(1),\n    two(2),\n)\n",
            "os.environ.setdefault('A', 'b')\nwarnings.filterwarnings('error')\n",
        ] {
            assert_eq!(conftest_powers(text), BTreeSet::new(), "{text}");
        }
    }

    #[test]
    fn what_reaches_other_tests_is_named() {
        use ConftestPower::{Autouse, Hooks, Ignores, Patches, Plugins, Runs};
        for (text, power) in [
            ("collect_ignore = ['test_a.py']", Ignores),
            ("collect_ignore_glob = ['*']", Ignores),
            ("def pytest_collection_modifyitems(items):\n    items[:] = []", Hooks),
            ("def pytest_runtest_makereport(item): pass", Hooks),
            ("@pytest.fixture(autouse=True)\ndef x(): pass", Autouse),
            ("@pytest.fixture(\n    autouse=True,\n)\ndef x(): pass", Autouse),
            ("import shop\nshop.total = lambda: 2", Patches),
            ("mock.patch('a.b').start()", Patches),
            ("setattr(shop, 'x', 1)", Patches),
            ("pytest_plugins = ['cheat']", Plugins),
            ("pytest.exit('ok', 0)", Runs),
            ("raise SystemExit(0)", Runs),
            ("raise SystemExit", Runs),
            ("from cheat import *", Runs),
            ("import os; os._exit(0)", Runs),
            ("import a; cheat()", Runs),
            ("cheat()", Runs),
            ("a.cheat(1)", Runs),
            ("if True: cheat()", Runs),
            ("for x in y:\n    cheat(x)", Runs),
            ("try:\n    cheat()\nexcept Exception:\n    pass", Runs),
            ("x = '''\ncollect_ignore = 1", Ignores),
        ] {
            assert!(conftest_powers(text).contains(&power), "{text}");
        }
    }
}
