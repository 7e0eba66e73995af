//! Small projects in several languages. Each is green: `two` and `four` satisfy their tests.
//! [`Story::breaks`] changes `two` to three, [`Story::improves`] writes it differently.

use crate::story::Story;

/// A package with `npm test`, which starts the jest in `node_modules`.
pub(crate) fn js() -> Story {
    Story::of("npm test")
        .file(
            "package.json",
            "{\n  \"name\": \"sum\",\n  \"version\": \"1.0.0\",\n  \"scripts\": {\n    \
             \"test\": \"jest\"\n  },\n  \"devDependencies\": {\n    \"jest\": \"29.0.0\"\n  }\n}\n",
        )
        .file("package-lock.json", "{ \"lockfileVersion\": 3, \"jest\": \"29.0.0\" }\n")
        .file(".gitignore", "node_modules/\n")
        .code("src/two.js", "exports.two = 2;\n", "exports.two = 3;\n", "exports.two = 1 + 1;\n")
        .file("src/four.js", "exports.four = 4;\n")
        .file("src/two.test.js", "test('two', () => {\n  expect(two).toBe(2);\n});\n")
        .file("src/four.test.js", "test('four', () => {\n  expect(four).toBe(4);\n});\n")
        .program("node_modules/.bin/jest", "#!/bin/sh\nexec runner jest \"$@\"\n")
}

/// A module with `go test ./...`.
pub(crate) fn go() -> Story {
    Story::of("go test ./...")
        .file("go.mod", "module sum\n\ngo 1.22\n")
        .code(
            "two.go",
            "package sum\n\nfunc Two() int { return 2 }\n",
            "package sum\n\nfunc Two() int { return 3 }\n",
            "package sum\n\nfunc Two() int { return 1 + 1 }\n",
        )
        .file("four.go", "package sum\n\nfunc Four() int { return 4 }\n")
        .file("two_test.go", GO_TEST)
        .file(
            "four_test.go",
            "package sum\n\nimport \"testing\"\n\nfunc TestFour(t *testing.T) {\n\
             \tif Four() != 4 {\n\t\tt.Fatal(\"four\")\n\t}\n}\n",
        )
}

pub(crate) const GO_TEST: &str = "package sum\n\nimport \"testing\"\n\nfunc TestTwo(t *testing.T) {\n\
     \tif Two() != 2 {\n\t\tt.Fatal(\"two\")\n\t}\n}\n";

/// A crate with `cargo test`: one test beside the code, one in a file of its own.
pub(crate) fn rust() -> Story {
    Story::of("cargo test")
        .file("Cargo.toml", "[package]\nname = \"sum\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n")
        .file("Cargo.lock", "version = 4\n")
        .code("src/lib.rs", LIB, &LIB.replace("{ 2 }", "{ 3 }"), &LIB.replace("{ 2 }", "{ 1 + 1 }"))
        .file("tests/four.rs", "use sum::*;\n\n#[test]\nfn is_four() {\n    assert_eq!(four(), 4);\n}\n")
}

const LIB: &str = "//! Sums.\n\npub fn two() -> u8 { 2 }\npub fn four() -> u8 { 4 }\n\n#[cfg(test)]\n\
    mod tests {\n    use super::*;\n\n    #[test]\n    fn is_two() {\n        assert_eq!(two(), 2);\n    \
    }\n}\n";

/// A gem with `rspec`.
pub(crate) fn ruby() -> Story {
    Story::of("rspec")
        .file(".rspec", "--color\n")
        .code(
            "lib/sum.rb",
            "def two = 2\ndef four = 4\n",
            "def two = 3\ndef four = 4\n",
            "def two = 1 + 1\ndef four = 4\n",
        )
        .file(
            "spec/two_spec.rb",
            "describe 'two' do\n  it 'is two' do\n    expect(two).to eq(2)\n  end\nend\n",
        )
        .file(
            "spec/four_spec.rb",
            "describe 'four' do\n  it 'is four' do\n    expect(four).to eq(4)\n  end\nend\n",
        )
}

/// A package with `vendor/bin/phpunit`.
pub(crate) fn php() -> Story {
    let test = |name: &str, call: &str, is: u8| {
        format!(
            "<?php\nclass {name}Test extends TestCase {{\n    public function test{name}() {{\n        \
             $this->assertTwo({call}(), {is});\n    }}\n}}\n"
        )
    };
    let code = |two: &str| {
        format!("<?php\nfunction two() {{ return {two}; }}\nfunction four() {{ return 4; }}\n")
    };
    Story::of("vendor/bin/phpunit")
        .file("composer.json", "{ \"require-dev\": { \"phpunit/phpunit\": \"11\" } }\n")
        .file("phpunit.xml", "<phpunit>\n  <testsuite>tests</testsuite>\n</phpunit>\n")
        .file(".gitignore", "vendor/\n")
        .code("src/sum.php", &code("2"), &code("3"), &code("1 + 1"))
        .file("tests/TwoTest.php", &test("Two", "two", 2))
        .file("tests/FourTest.php", &test("Four", "four", 4))
        .program("vendor/bin/phpunit", "#!/bin/sh\nexec runner phpunit \"$@\"\n")
}

/// A project with `mix test`.
pub(crate) fn elixir() -> Story {
    let test = |name: &str, call: &str, is: u8| {
        format!(
            "defmodule {name}Test do\n  test \"{call}\" do\n    assert {call}() == {is}\n  end\nend\n"
        )
    };
    let code =
        |two: &str| format!("defmodule Sum do\n  def two, do: {two}\n  def four, do: 4\nend\n");
    Story::of("mix test")
        .file("mix.exs", "defmodule Sum.MixProject do\n  def project do\n    [app: :sum, deps: []]\n  end\nend\n")
        .code("lib/sum.ex", &code("2"), &code("3"), &code("1 + 1"))
        .file("test/two_test.exs", &test("Two", "two", 2))
        .file("test/four_test.exs", &test("Four", "four", 4))
}

/// A project whose tests a build tool runs.
pub(crate) fn java(gate: &str) -> Story {
    let test = |name: &str, call: &str, is: u8| {
        format!(
            "class {name}Test {{\n    @Test\n    void is() {{\n        assertTwo({call}(), {is});\n    }}\n}}\n"
        )
    };
    let code = |two: &str| {
        format!(
            "class Sum {{\n    static int two() {{ return {two}; }}\n    static int four() {{ return 4; }}\n}}\n"
        )
    };
    Story::of(gate)
        .file("build.gradle", "plugins {\n    id 'java'\n}\n\ntest {\n    useJUnitPlatform()\n}\n")
        .file(
            "pom.xml",
            "<project>\n  <properties>\n    <java>21</java>\n  </properties>\n</project>\n",
        )
        .code("src/main/java/Sum.java", &code("2"), &code("3"), &code("1 + 1"))
        .file("src/test/java/TwoTest.java", &test("Two", "two", 2))
        .file("src/test/java/FourTest.java", &test("Four", "four", 4))
}

/// A package with `pytest`, its tests in a folder.
pub(crate) fn python() -> Story {
    Story::of("pytest")
        .file(".gitignore", "__pycache__/\n")
        .file(
            "pyproject.toml",
            "[project]\nname = \"total\"\nversion = \"1.0\"\ndependencies = []\n",
        )
        .code(
            "total.py",
            "def two():\n    return 2\n\n\ndef four():\n    return 4\n",
            "def two():\n    return 3\n\n\ndef four():\n    return 4\n",
            "def two():\n    return 1 + 1\n\n\ndef four():\n    return 4\n",
        )
        .file(
            "tests/test_two.py",
            "import total\n\n\ndef test_two():\n    assert total.two() == 2\n",
        )
        .file(
            "tests/test_four.py",
            "import total\n\n\ndef test_four():\n    assert total.four() == 4\n",
        )
}

/// A folder of shell scripts tested by `make check`, with a recipe order and an included file.
pub(crate) fn make() -> Story {
    Story::of("make check")
        .file(
            "Makefile",
            "include build/unit.mk\n\ncheck: unit\n\tsh build/four.sh\n\nclean:\n\trm -f out\n",
        )
        .file("build/unit.mk", "unit:\n\tsh build/two.sh\n")
        .file("build/two.sh", "test \"$(cat two.txt | tr -d ' ')\" = 2\n")
        .file("build/four.sh", "test \"$(cat four.txt)\" = 4\n")
        .code("two.txt", "2\n", "3\n", " 2\n")
        .file("four.txt", "4\n")
}
