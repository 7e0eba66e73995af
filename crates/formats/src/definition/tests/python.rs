use super::*;

fn shop() -> Files {
    Files::of(&[
        ("a.py", "def two(): return 2\n"),
        ("test_a.py", "def test_two(): pass\n"),
        ("tests/unit/test_b.py", "def test_b(): pass\n"),
        (
            "pyproject.toml",
            "[project]\nname = \"x\"\n[tool.pytest.ini_options]\naddopts = \"-q\"\nmarkers = [\"slow\"]\n[tool.ruff]\nline-length = 80\n[tool.mypy]\nstrict = true\n[tool.coverage.report]\nfail_under = 90\n",
        ),
        ("setup.cfg", "[metadata]\nname = x\n[tool:pytest]\naddopts = -q\n[mypy]\nstrict = true\n"),
        (
            "tox.ini",
            "[tox]\nenvlist = py, lint\n[testenv]\ncommands =\n    pytest {posargs:tests}\n[testenv:lint]\ncommands = ruff check\n[testenv:docs]\ncommands = x\n[pytest]\naddopts = -q\n",
        ),
        ("noxfile.py", "def tests(session):\n    session.run('pytest')\n"),
        ("conftest.py", "import pytest\n\n@pytest.fixture\ndef shop():\n    return 1\n"),
    ])
}

#[test]
fn honest_edits_are_free() {
    all_free(
        &shop(),
        &[
            (
                "pytest",
                "pyproject.toml",
                "name = \"x\"",
                "name = \"x\"\nversion = \"2\"\ndependencies = [\"a\"]",
            ),
            ("pytest", "pyproject.toml", "[\"slow\"]", "[\"slow\", \"fast\"]"),
            ("pytest", "pyproject.toml", "addopts = \"-q\"", "# quiet\naddopts   = '-q'"),
            ("pytest", "pyproject.toml", "line-length = 80", "line-length = 100"),
            ("pytest", "setup.cfg", "name = x", "name = y"),
            ("pytest", "tox.ini", "ruff check", "true"),
            ("pytest", "conftest.py", "", "\n@pytest.fixture\ndef more():\n    return 2\n"),
            ("pytest", "conftest.py", "import pytest\n", "import pytest\nimport os\n# more\n"),
            ("pytest", "new/conftest.py", "", "@pytest.fixture(autouse=True)\ndef x(): pass\n"),
            ("pytest", "tests/unit/conftest.py", "", "@pytest.fixture\ndef x(): pass\n"),
            ("pytest", "new/conftest.py", "", "@pytest.fixture\ndef shop(): pass\n"),
            ("pytest", "new/conftest.py", "", "from shop.fixtures import *\n"),
            ("pytest", "test_new.py", "", "def test_x(): pass\n"),
            ("pytest", "uv.lock", "", "1"),
            ("tox", "tox.ini", "commands = x", "commands = y"),
            ("tox -e lint", "tox.ini", "commands = x", "commands = y"),
            ("ruff check", "pyproject.toml", "strict = true", "strict = false"),
        ],
    );
}

#[test]
fn weaker_settings_are_named() {
    let conftest = "def pytest_collection_modifyitems(items):\n    items[:] = []\n";
    all_named(
        &shop(),
        &[
            (
                ("pytest", "pytest.ini", "", "[pytest]\naddopts = -k ok\n"),
                "pytest.ini#is there, pytest.ini#pytest.addopts",
            ),
            (("python3 -m pytest", "pytest.ini", "", ""), "pytest.ini#is there"),
            (
                ("pytest tests/unit", "tests/unit/pytest.ini", "", "[pytest]\n"),
                "tests/unit/pytest.ini#is there",
            ),
            (("pytest", ".pytest.ini", "", "[pytest]\n"), ".pytest.ini#is there"),
            (
                ("pytest", "pyproject.toml", "addopts = \"-q\"", "addopts = \"-k ok\""),
                "pyproject.toml#tool.pytest.ini_options.addopts",
            ),
            (
                ("pytest", "setup.cfg", "addopts = -q", "addopts = -k ok"),
                "setup.cfg#tool:pytest.addopts",
            ),
            (("pytest", "tox.ini", "addopts = -q", "addopts = -k ok"), "tox.ini#pytest.addopts"),
            (
                ("uv run pytest", "pyproject.toml", "-q", "-k ok"),
                "pyproject.toml#tool.pytest.ini_options.addopts",
            ),
            (("pytest", "conftest.py", "return 1", "return 2"), "conftest.py#shop"),
            (
                ("pytest", "conftest.py", "", "collect_ignore = ['test_a.py']\n"),
                "conftest.py#collect_ignore",
            ),
            (("pytest", "conftest.py", "", conftest), "conftest.py#pytest_collection_modifyitems"),
            (("pytest", "conftest.py", "", "\ndef shop(): pass\n"), "conftest.py#shop 2"),
            (
                ("pytest", "tests/conftest.py", "", conftest),
                "tests/conftest.py#pytest_collection_modifyitems",
            ),
            (
                (
                    "pytest",
                    "tests/unit/conftest.py",
                    "",
                    "@pytest.fixture(autouse=True)\ndef x(): pass\n",
                ),
                "tests/unit/conftest.py#x",
            ),
            (
                ("pytest", "tests/conftest.py", "", "@pytest.fixture\ndef shop(): pass\n"),
                "tests/conftest.py#shop",
            ),
            (
                ("pytest", "tests/conftest.py", "", "@pytest.fixture\ndef tmp_path(): pass\n"),
                "tests/conftest.py#tmp_path",
            ),
            (("tox", "tox.ini", "pytest {posargs:tests}", "true"), "tox.ini#testenv"),
            (("tox", "tox.ini", "ruff check", "true"), "tox.ini#testenv:lint"),
            (("tox", "tox.ini", "py, lint", "py"), "tox.ini#tox.envlist lint"),
            (("tox", "pytest.ini", "", ""), "pytest.ini#is there"),
            (("nox", "noxfile.py", "'pytest'", "'true'"), "noxfile.py#tests"),
            (("nox", "pytest.ini", "", ""), "pytest.ini#is there"),
            (
                ("pytest --cov", "pyproject.toml", "90", "10"),
                "pyproject.toml#tool.coverage.report.fail_under",
            ),
            (
                ("coverage run -m pytest", "pyproject.toml", "-q", "-k ok"),
                "pyproject.toml#tool.pytest.ini_options.addopts",
            ),
            (("ruff check", "pyproject.toml", "80", "100"), "pyproject.toml#tool.ruff.line-length"),
            (("mypy .", "pyproject.toml", "true", "false"), "pyproject.toml#tool.mypy.strict"),
            (("mypy .", "setup.cfg", "strict = true", "strict = false"), "setup.cfg#mypy.strict"),
            (
                ("python -m pytest -c other.ini", "other.ini", "", "[pytest]\na = 1\n"),
                "other.ini#pytest.a",
            ),
            (
                ("pytest", "pyproject.toml", "[project]", "[project"),
                "pyproject.toml, pyproject.toml#tool.pytest.ini_options.addopts",
            ),
        ],
    );
}

#[test]
fn a_module_that_shadows_the_runner_is_named() {
    let project = shop();
    for (line, path) in [
        ("python3 -m unittest -q", "unittest.py"),
        ("python3 -m unittest -q", "unittest/__init__.py"),
        ("python -m unittest", "unittest/__main__.py"),
        ("python -m pytest", "pytest.py"),
        ("env A=1 python3.12 -u -m unittest discover -s tests", "unittest.py"),
        ("sh -c 'python3 -m unittest'", "unittest.py"),
        ("python -m unittest", "sitecustomize.py"),
        ("python -m unittest", "usercustomize.py"),
    ] {
        assert_eq!(doubts(line, &project, &project.with(path, "")), [path], "{line}");
    }
    assert_eq!(doubts("python -m unittest", &project, &project.with("helper.py", "")), [""; 0]);
}

#[test]
fn a_module_of_the_project_is_a_script() {
    let project = Files::of(&[
        ("tools/check.py", "import subprocess\nsubprocess.run(['sh', 'x.sh'])\n"),
        ("x.sh", "true"),
    ]);
    all_named(
        &project,
        &[
            (("python -m tools.check", "tools/check.py", "import", "import os,"), "tools/check.py"),
            (("python -m tools.check", "x.sh", "true", "false"), "x.sh"),
            (("python tools/check.py", "x.sh", "true", "false"), "x.sh"),
        ],
    );
}

#[test]
fn a_module_that_hides_one_of_the_library_is_named() {
    let project = Files::of(&[
        ("check.py", "import argparse\n"),
        ("tools/check.py", "import argparse\n"),
        ("queue.py", "old = 1\n"),
        ("tests/test_a.py", "import a\n"),
        ("ci.sh", "export PYTHONPATH=\"$PWD/lib\"\npython3 tools/check.py\n"),
    ]);
    for (line, path) in [
        ("python3 check.py", "argparse.py"),
        ("python3 -m unittest", "decimal/__init__.py"),
        ("pytest", "tests/statistics.py"),
        ("python3 tools/check.py", "tools/argparse.py"),
        ("sh ci.sh", "lib/argparse.py"),
    ] {
        let now = project.with(path, "x = 1\n");
        let name = format!("{path}#hides a module of Python");
        assert_eq!(doubts(line, &project, &now), [name], "{line}");
    }
    for (line, path) in [
        ("pytest", "sitecustomize.py"),
        ("python3 check.py", "usercustomize.py"),
        ("sh ci.sh", "lib/sitecustomize.py"),
    ] {
        assert_eq!(doubts(line, &project, &project.with(path, "x = 1\n")), [path], "{line}");
    }
    for path in
        ["shop.py", "src/queue.py", "tools/deep/argparse.py", "test/__init__.py", "docs/types.py"]
    {
        for line in ["python3 check.py", "pytest", "python3 -m unittest", "sh ci.sh"] {
            assert_eq!(
                doubts(line, &project, &project.with(path, "x = 1\n")),
                [""; 0],
                "{line} {path}"
            );
        }
    }
    // The project's own module of such a name is its work.
    all_free(&project, &[("pytest", "queue.py", "old", "new")]);
    assert_eq!(doubts("pytest", &project, &project.without("queue.py")), [""; 0]);
}

#[test]
fn settings_of_django_that_choose_the_runner_are_compared() {
    let project = Files::of(&[
        (
            "manage.py",
            "#!/usr/bin/env python\nimport os\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings.dev')\n",
        ),
        ("shop/settings/dev.py", "from .base import *\nDEBUG = True\n"),
        ("shop/settings/base.py", "DEBUG = False\nTEST_RUNNER = 'shop.runner.Quick'\n"),
        ("shop/runner.py", "class Quick: pass\n"),
    ]);
    let line = "python manage.py test";
    all_free(&project, &[(line, "shop/settings/dev.py", "True", "False\nAPPS = []")]);
    all_named(
        &project,
        &[
            (
                (line, "shop/settings/dev.py", "DEBUG", "TEST_RUNNER = 'x.Y'\nDEBUG"),
                "shop/settings/dev.py#TEST_RUNNER",
            ),
            ((line, "shop/settings/base.py", "Quick", "None"), "shop/settings/base.py#TEST_RUNNER"),
            ((line, "shop/runner.py", "pass", "..."), "shop/runner.py"),
        ],
    );
}

#[test]
fn settings_of_pytest_in_a_file_that_the_command_names_are_compared() {
    let project = Files::of(&[
        ("conf/ci.ini", "[pytest]\naddopts = -q\n"),
        ("conf/ci.cfg", "[tool:pytest]\naddopts = -q\n"),
        ("conf/ci.toml", "[tool.pytest.ini_options]\naddopts = \"-q\"\n"),
        ("conf/ci.conf", "a = 1\n"),
        ("args.txt", "-c\nconf/ci.ini\ntests/test_x.py\n"),
        ("build.args", "-o\nout\n"),
    ]);
    all_named(
        &project,
        &[
            (("pytest -c conf/ci.ini", "conf/ci.ini", "-q", "-k ok"), "conf/ci.ini#pytest.addopts"),
            (
                ("pytest --config-file=conf/ci.ini", "conf/ci.ini", "-q", "-k ok"),
                "conf/ci.ini#pytest.addopts",
            ),
            (
                ("pytest -c conf/ci.cfg", "conf/ci.cfg", "-q", "-k ok"),
                "conf/ci.cfg#tool:pytest.addopts",
            ),
            (
                ("pytest -c conf/ci.toml", "conf/ci.toml", "-q", "-k ok"),
                "conf/ci.toml#tool.pytest.ini_options.addopts",
            ),
            (("pytest -c conf/ci.conf", "conf/ci.conf", "1", "2"), "conf/ci.conf#a"),
            (("pytest @args.txt", "args.txt", "test_x", "test_ok"), "args.txt"),
            (("pytest @args.txt", "conf/ci.ini", "-q", "-k ok"), "conf/ci.ini#pytest.addopts"),
            (("tsc @build.args", "build.args", "out", "more"), "build.args"),
        ],
    );
}

#[test]
fn a_package_around_a_module_of_the_gate_is_a_script() {
    let project = Files::of(&[
        ("tools/__init__.py", ""),
        ("tools/check.py", "import sys\n"),
        ("bare/check.py", "import sys\n"),
        ("ci/run.py", "import subprocess, steps.unit\nsubprocess.run(['true'])\n"),
        ("ci/steps/__init__.py", ""),
        ("ci/steps/unit.py", ""),
    ]);
    all_named(
        &project,
        &[
            (("python3 -m tools.check", "tools/__init__.py", "", "exit()"), "tools/__init__.py"),
            (("python3 -m bare.check", "bare/__init__.py", "", "exit()"), "bare/__init__.py"),
            (
                ("python3 -m bare.check", "bare/check/__init__.py", "", "exit()"),
                "bare/check/__init__.py",
            ),
            (("python ci/run.py", "ci/steps/__init__.py", "", "exit()"), "ci/steps/__init__.py"),
        ],
    );
    all_free(&project, &[("python3 -m tools.check", "tools/more.py", "", "exit()")]);
}

#[test]
fn a_module_that_hides_another_one_is_named() {
    let project = Files::of(&[
        ("calc.py", "def two(): pass\n"),
        ("src/lib.py", "x = 1\n"),
        ("src/shop/__init__.py", ""),
        ("src/shop/cart.py", "x = 1\n"),
        ("space/part.py", "x = 1\n"),
        ("scripts/build.py", "x = 1\n"),
        ("test_a.py", "import calc\n"),
        ("tests/test_b.py", "import lib\n"),
        ("tests/unit/__init__.py", ""),
        ("tests/unit/test_c.py", "import shop\n"),
        ("pytest.ini", "[pytest]\npythonpath = src\n"),
    ]);
    for (line, path) in [
        ("pytest", "tests/calc.py"),
        ("pytest", "tests/lib.py"),
        ("pytest", "tests/shop/__init__.py"),
        ("pytest", "src/calc.py"),
        ("python3 -m unittest", "calc/__init__.py"),
        ("python3 -m unittest test_a", "test_a/__init__.py"),
        ("python3 -m unittest", "calc.cpython-312-x86_64-linux-gnu.so"),
        ("python3 -m unittest", "space.py"),
        ("python3 -m unittest discover -s tests", "tests/calc.py"),
    ] {
        let now = project.with(path, "x = 1\n");
        let name = format!("{path}#hides a module of the project");
        assert_eq!(doubts(line, &project, &now), [name], "{line}");
    }
    for path in ["_pytest/__init__.py", "pluggy.py", "iniconfig/__init__.py"] {
        let name = format!("{path}#hides a module of the runner");
        let now = project.with(path, "x = 1\n");
        assert_eq!(doubts("python3 -m pytest", &project, &now), [name], "{path}");
    }
    for path in [
        "other.py",
        "src/other.py",
        "tests/helper.py",
        // Each lies in a package, so has another full name.
        "src/shop/calc.py",
        "tests/unit/calc.py",
        "tests/conftest.py",
        // No tests and no path lead to the other module of this name.
        "build.py",
        "docs/calc.py",
        "calc/notes.txt",
        "space/__init__.py",
        "tests/test_a.py",
    ] {
        let now = project.with(path, "x = 1\n");
        assert_eq!(doubts("pytest", &project, &now), [""; 0], "{path}");
    }
    // A module that moves hides nothing, nor does one that becomes a package.
    let moved = project.without("calc.py");
    for path in ["src/calc.py", "calc/__init__.py", "tests/calc.py"] {
        assert_eq!(doubts("pytest", &project, &moved.with(path, "x = 1\n")), [""; 0], "{path}");
    }
    // What is hidden at the beginning is no change.
    let hidden = project.with("tests/calc.py", "x = 1\n");
    all_free(&hidden, &[("pytest", "tests/calc.py", "1", "2")]);
    assert_eq!(doubts("pytest", &hidden, &hidden.without("tests/calc.py")), [""; 0]);
}
