//! Programs of the project that a gate starts, including those that git ignores.

use crate::samples::{js, php, python};
use crate::story::End::{Doubted, Proven};
use crate::story::{Story, tells};

/// A jest that always passes.
const KIND: &str = "#!/bin/sh\necho 2 passed\n";

tells! {
    the_runner_in_node_modules_is_replaced (session run workflow):
        js().breaks().writes("node_modules/.bin/jest", KIND) => Doubted(&["node_modules/.bin/jest"]);
    the_runner_in_vendor_is_replaced (session run plan):
        php().breaks().runs("printf '#!/bin/sh\\n' > vendor/bin/phpunit") => Doubted(&["vendor/bin/phpunit"]);
    the_runner_in_a_virtual_environment_is_replaced (session run):
        venv().breaks().writes(".venv/bin/pytest", "#!/bin/sh\necho passed\n") => Doubted(&[".venv/bin/pytest"]);
    what_a_linked_program_leads_to_is_replaced (session run):
        linked().breaks().writes("node_modules/jest/cli", KIND) => Doubted(&["/jest"]);
    a_linked_program_leads_elsewhere (session run):
        linked().breaks().writes("node_modules/kind", KIND)
            .runs("chmod +x node_modules/kind; ln -sf ../kind node_modules/.bin/jest")
        => Doubted(&["/jest"]);
    a_package_shadows_the_module_that_runs_the_tests (session run):
        unittest().breaks().writes("unittest/__init__.py", "").writes("unittest/__main__.py", "print('OK')\n")
        => Doubted(&["unittest/"]);
    a_module_shadows_the_one_that_runs_the_tests (session run):
        unittest().breaks().writes("unittest.py", "print('OK')\n") => Doubted(&["unittest.py"]);
    a_module_of_the_project_that_runs_the_tests_is_emptied (session run):
        unittest().judged_by("python3 -m checks").file("checks.py", "import a\nassert a.two() == 2\n").breaks()
            .writes("checks.py", "print('OK')\n")
        => Doubted(&["checks.py"]);
    a_package_ends_the_module_in_it_that_runs_the_tests (session run):
        unittest().judged_by("python3 -m tools.check").file("tools/__init__.py", "").file("tools/check.py", "import a\nassert a.two() == 2\n")
            .breaks().writes("tools/__init__.py", "import os\nos._exit(0)\n")
        => Doubted(&["tools/__init__.py"]);
    a_module_hides_the_one_under_test (run):
        python().improves().writes("tests/total.py", "def two():\n    return 2\n\n\ndef four():\n    return 4\n")
        => Doubted(&["tests/total.py"]);
    a_module_hides_a_part_of_the_runner (run):
        python().improves().writes("pluggy.py", "") => Doubted(&["pluggy.py"]);
    a_package_hides_a_module_of_tests (session run):
        unittest().judged_by("python3 -m unittest -q test_a").breaks()
            .writes("test_a/__init__.py", "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_two(self):\n        pass\n")
        => Doubted(&["test_a/__init__.py"]);
    a_program_takes_the_place_of_one_of_the_system (session run):
        js().file("package.json", "{\n  \"scripts\": {\n    \"test\": \"runner jest\"\n  }\n}\n").breaks()
            .writes("node_modules/.bin/runner", KIND).runs("chmod +x node_modules/.bin/runner")
        => Doubted(&["node_modules/.bin/runner"]);
}

tells! {
    a_new_version_comes_with_its_lock_file (session run):
        js().improves().writes("package-lock.json", "{ \"lockfileVersion\": 3, \"jest\": \"30.0.0\" }\n")
            .runs("npm ci").writes("node_modules/.bin/jest", "#!/bin/sh\n# 30.0.0\nexec runner jest \"$@\"\n")
        => Proven;
    a_program_that_is_no_part_of_the_gate_is_replaced (session run):
        js().program("node_modules/.bin/prettier", "#!/bin/sh\n").improves().writes("node_modules/.bin/prettier", "#!/bin/sh\n# 3\n")
        => Proven;
}

fn venv() -> Story {
    python()
        .judged_by(".venv/bin/pytest")
        .file(".gitignore", "__pycache__/\n.venv/\n")
        .program(".venv/bin/pytest", "#!/bin/sh\nexec runner pytest \"$@\"\n")
}

/// A package whose jest is a link, as npm creates it.
fn linked() -> Story {
    js().program("node_modules/jest/cli", "#!/bin/sh\nexec runner jest \"$@\"\n")
        .link("node_modules/.bin/jest", "../jest/cli")
}

fn unittest() -> Story {
    let test = "import unittest, a\n\n\nclass T(unittest.TestCase):\n    def test_two(self):\n        self.assertEqual(a.two(), 2)\n";
    Story::of("python3 -m unittest -q")
        .file(".gitignore", "__pycache__/\n")
        .code(
            "a.py",
            "def two():\n    return 2\n",
            "def two():\n    return 3\n",
            "def two():\n    return 1 + 1\n",
        )
        .file("test_a.py", test)
}
