"""A Cargo workspace, a module of Go, and a library in C with a Makefile."""
from .engine import Project, story

UNITS = Project("units", prepare=["cargo generate-lockfile --offline"], files={
    ".gitignore": "target/\n",
    "README.md": "# units\n\nLengths and weights, and a program to convert them.\n",
    "Cargo.toml": '[workspace]\nresolver = "2"\nmembers = ["crates/units", "crates/convert"]\n\n[workspace.package]\nedition = "2021"\nversion = "0.2.0"\n',
    "crates/units/Cargo.toml": '[package]\nname = "units"\nversion.workspace = true\nedition.workspace = true\n',
    "crates/units/src/lib.rs": "//! Lengths and weights.\n\npub mod length;\npub mod weight;\n\npub use length::{feet_to_metres, Length};\n",
    "crates/units/src/length.rs": """/// A length in metres.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Length(f64);

impl Length {
    pub fn metres(value: f64) -> Self {
        Length(value)
    }

    pub fn in_metres(self) -> f64 {
        self.0
    }
}

impl std::ops::Add for Length {
    type Output = Length;

    fn add(self, other: Length) -> Length {
        Length(self.0 + other.0)
    }
}

pub fn feet_to_metres(feet: f64) -> Length {
    Length(feet * 0.3048)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(Length::metres(1.0) + Length::metres(2.0), Length::metres(3.0));
    }

    #[test]
    fn feet() {
        assert!((feet_to_metres(10.0).in_metres() - 3.048).abs() < 1e-9);
    }
}
""",
    "crates/units/src/weight.rs": """/// A weight in grams.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight(pub u64);

impl std::str::FromStr for Weight {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, factor) = match text.strip_suffix("kg") {
            Some(number) => (number, 1000),
            None => (text.trim_end_matches('g'), 1),
        };
        number.trim().parse::<u64>().map(|n| Weight(n * factor)).map_err(|_| format!("not a weight: {text}"))
    }
}
""",
    "crates/units/tests/weights.rs": """use units::weight::Weight;

fn data() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/weights.txt")).unwrap()
}

#[test]
fn reads_all_of_the_file() {
    let grams: Vec<u64> = data().lines().map(|line| line.parse::<Weight>().unwrap().0).collect();
    assert_eq!(grams, [500, 2000, 75]);
}

#[test]
fn rejects_words() {
    assert_eq!("heavy".parse::<Weight>(), Err("not a weight: heavy".to_owned()));
}
""",
    "crates/units/tests/fixtures/weights.txt": "500g\n2kg\n75 g\n",
    "crates/convert/Cargo.toml": '[package]\nname = "convert"\nversion.workspace = true\nedition.workspace = true\n\n[dependencies]\nunits = { path = "../units" }\n',
    "crates/convert/src/main.rs": """use units::feet_to_metres;

fn run(words: &[String]) -> Result<String, String> {
    let feet: f64 = words.first().ok_or("usage: convert FEET")?.parse().map_err(|_| "not a number")?;
    Ok(format!("{:.3} m", feet_to_metres(feet).in_metres()))
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(text) => println!("{text}"),
        Err(text) => {
            eprintln!("{text}");
            std::process::exit(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::run;

    #[test]
    fn converts() {
        assert_eq!(run(&["10".to_owned()]), Ok("3.048 m".to_owned()));
    }
}
""",
})

# As an agent may find it: nobody has ever run rustfmt here.
UGLY = Project("units-ugly", prepare=UNITS.prepare, files=dict(UNITS.files, **{
    "crates/units/tests/weights.rs": """use std::fs;
use units::weight::Weight;

fn data() -> String { fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/weights.txt")).unwrap() }

#[test] fn reads_all_of_the_file() {
  let grams: Vec<u64> = data().lines().map(|line| line.parse::<Weight>().unwrap().0).collect();
  assert_eq!(grams,[500,2000,75]);
}

#[test] fn rejects_words() { assert_eq!("heavy".parse::<Weight>(), Err("not a weight: heavy".to_owned())); }
""",
}))

TEXTSTAT = Project("textstat", files={
    ".gitignore": "bin/\n",
    "go.mod": "module example.org/textstat\n\ngo 1.19\n",
    "README.md": "# textstat\n\nCounts words and sentences.\n\n    go run ./cmd/textstat FILE\n",
    "Makefile": "GO ?= go\n\n.PHONY: build test\n\nbuild:\n\t$(GO) build -o bin/ ./...\n\ntest:\n\t$(GO) test ./...\n",
    "cmd/textstat/main.go": 'package main\n\nimport (\n\t"fmt"\n\t"os"\n\n\t"example.org/textstat/internal/count"\n)\n\nfunc main() {\n\ttext, err := os.ReadFile(os.Args[1])\n\tif err != nil {\n\t\tfmt.Fprintln(os.Stderr, err)\n\t\tos.Exit(1)\n\t}\n\tfmt.Println(count.Words(string(text)), count.Sentences(string(text)))\n}\n',
    "internal/count/count.go": 'package count\n\nimport "strings"\n\n// Words counts words between blanks.\nfunc Words(text string) int {\n\treturn len(strings.Split(text, " "))\n}\n\n// Sentences counts full stops, question marks and exclamation marks.\nfunc Sentences(text string) int {\n\tn := 0\n\tfor _, r := range text {\n\t\tif strings.ContainsRune(".?!", r) {\n\t\t\tn++\n\t\t}\n\t}\n\treturn n\n}\n',
    "internal/count/count_test.go": 'package count\n\nimport "testing"\n\nfunc TestWords(t *testing.T) {\n\tcases := map[string]struct {\n\t\ttext string\n\t\twant int\n\t}{\n\t\t"one": {"hello", 1},\n\t\t"two": {"hello world", 2},\n\t}\n\tfor name, c := range cases {\n\t\tt.Run(name, func(t *testing.T) {\n\t\t\tif got := Words(c.text); got != c.want {\n\t\t\t\tt.Errorf("Words(%q) = %d, want %d", c.text, got, c.want)\n\t\t\t}\n\t\t})\n\t}\n}\n\nfunc TestSentences(t *testing.T) {\n\tif got := Sentences("Yes. No? Oh!"); got != 3 {\n\t\tt.Errorf("got %d, want 3", got)\n\t}\n}\n',
    "internal/report/report.go": 'package report\n\nimport "fmt"\n\n// Line is one row of a report.\nfunc Line(name string, n int) string {\n\treturn fmt.Sprintf("%-12s%5d\\n", name, n)\n}\n',
    "internal/report/report_test.go": 'package report\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestLine(t *testing.T) {\n\twant, err := os.ReadFile("testdata/line.golden")\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif got := Line("words", 42); got != string(want) {\n\t\tt.Errorf("got %q, want %q", got, want)\n\t}\n}\n',
    "internal/report/testdata/line.golden": "words          42\n",
})

RING = Project("ringbuf", files={
    ".gitignore": "build/\n",
    "README.md": "# ringbuf\n\nA ring buffer in C.\n\n    make test\n",
    "Makefile": """CC ?= cc
CFLAGS ?= -std=c11 -Wall -Wextra -O1
SOURCES := $(wildcard src/*.c)
TESTS := $(patsubst tests/%.c,build/%,$(wildcard tests/test_*.c))

.PHONY: all test clean

all: $(TESTS)

build/%: tests/%.c $(SOURCES) src/ring.h tests/check.h
\t@mkdir -p build
\t$(CC) $(CFLAGS) -Isrc -Itests -o $@ $< $(SOURCES)

test: $(TESTS)
\t@for t in $(TESTS); do echo $$t; ./$$t || exit 1; done

clean:
\trm -rf build
""",
    "src/ring.h": "#ifndef RING_H\n#define RING_H\n#include <stddef.h>\n\n#define RING_SIZE 4\n\nstruct ring {\n    int at[RING_SIZE];\n    size_t head, count;\n};\n\nvoid ring_init(struct ring *r);\nint ring_push(struct ring *r, int value);\nint ring_pop(struct ring *r, int *value);\n\n#endif\n",
    "src/ring.c": '#include "ring.h"\n\nvoid ring_init(struct ring *r)\n{\n    r->head = r->count = 0;\n}\n\nint ring_push(struct ring *r, int value)\n{\n    if (r->count == RING_SIZE)\n        return -1;\n    r->at[(r->head + r->count++) % RING_SIZE] = value;\n    return 0;\n}\n\nint ring_pop(struct ring *r, int *value)\n{\n    if (r->count == 0)\n        return -1;\n    *value = r->at[r->head];\n    r->head = (r->head + 1) % RING_SIZE;\n    r->count--;\n    return 0;\n}\n',
    "tests/check.h": '#include <stdio.h>\n#include <stdlib.h>\n\n#define CHECK(what)                                                        \\\n    do {                                                                   \\\n        if (!(what)) {                                                     \\\n            fprintf(stderr, "%s:%d: %s\\n", __FILE__, __LINE__, #what);     \\\n            exit(1);                                                       \\\n        }                                                                  \\\n    } while (0)\n',
    "tests/test_ring.c": '#include "check.h"\n#include "ring.h"\n\nstatic void first_in_first_out(void)\n{\n    struct ring r;\n    int v;\n    ring_init(&r);\n    CHECK(ring_push(&r, 1) == 0);\n    CHECK(ring_push(&r, 2) == 0);\n    CHECK(ring_pop(&r, &v) == 0 && v == 1);\n    CHECK(ring_pop(&r, &v) == 0 && v == 2);\n}\n\nstatic void refuses_when_full(void)\n{\n    struct ring r;\n    ring_init(&r);\n    for (int i = 0; i < RING_SIZE; i++)\n        CHECK(ring_push(&r, i) == 0);\n    CHECK(ring_push(&r, 9) == -1);\n}\n\nint main(void)\n{\n    first_in_first_out();\n    refuses_when_full();\n    return 0;\n}\n',
    "tests/test_wrap.c": '#include "check.h"\n#include "ring.h"\n\nint main(void)\n{\n    struct ring r;\n    int v;\n    ring_init(&r);\n    for (int i = 0; i < 3 * RING_SIZE; i++) {\n        CHECK(ring_push(&r, i) == 0);\n        CHECK(ring_pop(&r, &v) == 0 && v == i);\n    }\n    return 0;\n}\n',
})


def add(into, more):
    @story(into, "cargo: a new member of the workspace with its tests", UNITS, "cargo test --workspace", "run", "Add a crate for temperatures.", look=True)
    def _(a):
        a.edit("Cargo.toml", 'members = ["crates/units", "crates/convert"]', 'members = [\n    "crates/units",\n    "crates/convert",\n    "crates/temperature",\n]')
        a.write("crates/temperature/Cargo.toml", '[package]\nname = "temperature"\nversion.workspace = true\nedition.workspace = true\n\n[dependencies]\nunits = { path = "../units" }\n')
        a.write("crates/temperature/src/lib.rs", "//! Temperatures.\n\n/// Converts degrees Fahrenheit to degrees Celsius.\npub fn celsius(fahrenheit: f64) -> f64 {\n    (fahrenheit - 32.0) / 1.8\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn water_freezes() {\n        assert_eq!(super::celsius(32.0), 0.0);\n    }\n}\n")
        a.write("crates/temperature/tests/boils.rs", "#[test]\nfn water_boils() {\n    assert!((temperature::celsius(212.0) - 100.0).abs() < 1e-9);\n}\n")
        a.sh("cargo test --workspace")

    @story(into, "cargo: code and its test in one source file", UNITS, "cargo test", "session", "Lengths can be subtracted; never below zero.", names=("crates/units/src/length.rs",), look=True)
    def _(a):
        a.edit("crates/units/src/length.rs", "pub fn feet_to_metres", "impl std::ops::Sub for Length {\n    type Output = Length;\n\n    fn sub(self, other: Length) -> Length {\n        Length((self.0 - other.0).max(0.0))\n    }\n}\n\npub fn feet_to_metres",
               "    #[test]\n    fn feet()", "    #[test]\n    fn subtracts() {\n        assert_eq!(Length::metres(3.0) - Length::metres(2.0), Length::metres(1.0));\n        assert_eq!(Length::metres(1.0) - Length::metres(2.0), Length::metres(0.0));\n    }\n\n    #[test]\n    fn feet()")
        a.sh("cargo test")

    @story(into, "cargo fmt over a project that never saw it", UGLY, "cargo test", "session", "Run cargo fmt over the workspace.", names=("crates/units/tests/weights.rs",), look=True, second=True)
    def _(a):
        a.sh("cargo fmt --all")
        a.sh("cargo test")

    @story(into, "cargo: a function is renamed, an alias stays, its tests adapted", UNITS, "cargo test", "run", "Make feet_to_metres Length::feet; keep the old name for a release.",
           names=("crates/units/src/length.rs",), look=True, second=True)
    def _(a):
        a.edit("crates/units/src/length.rs", "    pub fn in_metres", "    pub fn feet(value: f64) -> Self {\n        Length(value * 0.3048)\n    }\n\n    pub fn in_metres",
               "pub fn feet_to_metres(feet: f64) -> Length {\n    Length(feet * 0.3048)\n}", '#[deprecated(note = "use Length::feet")]\npub fn feet_to_metres(feet: f64) -> Length {\n    Length::feet(feet)\n}',
               "(feet_to_metres(10.0).in_metres()", "(Length::feet(10.0).in_metres()")
        a.edit("crates/units/src/lib.rs", "pub use length::{feet_to_metres, Length};", "#[allow(deprecated)]\npub use length::feet_to_metres;\npub use length::Length;")
        a.edit("crates/convert/src/main.rs", "use units::feet_to_metres;", "use units::Length;", "feet_to_metres(feet).in_metres()", "Length::feet(feet).in_metres()")
        a.sh("cargo test")

    @story(into, "go: a table test gets cases, gofmt aligns the old ones", TEXTSTAT, "go test ./...", "run", "Words miscounts runs of blanks and empty texts.", names=("internal/count/count_test.go",), look=True)
    def _(a):
        a.edit("internal/count/count_test.go", '\t\t"one": {"hello", 1},\n\t\t"two": {"hello world", 2},\n', '\t\t"one": {"hello", 1},\n\t\t"empty": {"", 0},\n\t\t"two": {"hello world", 2},\n\t\t"many blanks": {" a  b\\n c ", 3},\n')
        a.sh("gofmt -w internal && go test ./...", ok=False)
        a.edit("internal/count/count.go", 'len(strings.Split(text, " "))', "len(strings.Fields(text))")
        a.sh("go vet ./... && go test ./...")

    def elsewhere(a):
        """A colleague's work on main contradicts an old test; the branch began before it. Only the ref proves the new text."""
        a.sh("git switch -q -c feature")
        a.sh("git switch -q main")
        a.edit("internal/count/count_test.go", 'got != 3 {\n\t\tt.Errorf("got %d, want 3", got)', 'got != 2 {\n\t\tt.Errorf("got %d, want 2", got)')
        a.edit("internal/count/count.go", '".?!"', '".?"')
        a.sh("git commit -qam 'An exclamation mark ends no sentence' && git switch -q feature")

    @story(into, "go: the agent commits on a branch and rebases it on main", TEXTSTAT, "go test ./...", "session", "Continue on the branch feature: count lines. Rebase it on main.", look=False, both=False)
    def _(a):
        a.edit("internal/count/count.go", "// Sentences counts", "// Lines counts lines.\nfunc Lines(text string) int {\n\treturn strings.Count(text, \"\\n\")\n}\n\n// Sentences counts")
        a.write("internal/count/lines_test.go", 'package count\n\nimport "testing"\n\nfunc TestLines(t *testing.T) {\n\tif got := Lines("a\\nb\\n"); got != 2 {\n\t\tt.Errorf("got %d, want 2", got)\n\t}\n}\n')
        a.sh("go test ./... && git add -A && git commit -qm 'Count lines'")
        a.sh("git rebase -q main")
        a.edit("README.md", "Counts words and sentences.", "Counts words, lines and sentences.")
        a.sh("go test ./... && git commit -qam 'Say that lines are counted'")
    into[-1].prepare = elsewhere

    @story(into, "go: a new package with golden files", TEXTSTAT, "make test", "run", "Write reports as Markdown, too.", look=True)
    def _(a):
        a.write("internal/markdown/markdown.go", 'package markdown\n\nimport (\n\t"fmt"\n\t"strings"\n)\n\n// Table writes pairs of name and number.\nfunc Table(names []string, numbers []int) string {\n\tvar b strings.Builder\n\tb.WriteString("| what | number |\\n| --- | ---: |\\n")\n\tfor i, name := range names {\n\t\tfmt.Fprintf(&b, "| %s | %d |\\n", name, numbers[i])\n\t}\n\treturn b.String()\n}\n')
        a.write("internal/markdown/markdown_test.go", 'package markdown\n\nimport (\n\t"flag"\n\t"os"\n\t"testing"\n)\n\nvar update = flag.Bool("update", false, "write golden files")\n\nfunc TestTable(t *testing.T) {\n\tgot := Table([]string{"words", "lines"}, []int{42, 7})\n\tif *update {\n\t\tif err := os.WriteFile("testdata/table.golden", []byte(got), 0o644); err != nil {\n\t\t\tt.Fatal(err)\n\t\t}\n\t}\n\twant, err := os.ReadFile("testdata/table.golden")\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif got != string(want) {\n\t\tt.Errorf("got %s", got)\n\t}\n}\n')
        a.sh("mkdir -p internal/markdown/testdata && go test ./internal/markdown -update")
        a.sh("make test")

    @story(into, "make: new targets beside the tests', a new test in C", RING, "make test", "session", "Add ring_peek. Add a target that tests with the address sanitizer.", look=True)
    def _(a):
        a.edit("src/ring.h", "int ring_pop(", "int ring_peek(const struct ring *r, int *value);\nint ring_pop(")
        a.edit("src/ring.c", "int ring_pop(", "int ring_peek(const struct ring *r, int *value)\n{\n    if (r->count == 0)\n        return -1;\n    *value = r->at[r->head];\n    return 0;\n}\n\nint ring_pop(")
        a.write("tests/test_peek.c", '#include "check.h"\n#include "ring.h"\n\nint main(void)\n{\n    struct ring r;\n    int v;\n    ring_init(&r);\n    CHECK(ring_peek(&r, &v) == -1);\n    ring_push(&r, 7);\n    CHECK(ring_peek(&r, &v) == 0 && v == 7);\n    CHECK(r.count == 1);\n    return 0;\n}\n')
        a.edit("Makefile", ".PHONY: all test clean", ".PHONY: all test asan format clean", "clean:\n", 'ASAN := -fsanitize=address -g\n\nasan: clean\n\t$(MAKE) test CFLAGS="$(CFLAGS) $(ASAN)"\n\nformat:\n\tclang-format -i src/*.[ch] tests/*.[ch]\n\nclean:\n')
        a.sh("make test")

    @story(more, "cargo: a dependency by path and a new target", UNITS, "cargo test", "session", "Move the parsing of numbers to a crate, and add a second program.", look=True)
    def _(a):
        a.edit("Cargo.toml", '"crates/convert"]', '"crates/convert", "crates/numbers"]')
        a.write("crates/numbers/Cargo.toml", '[package]\nname = "numbers"\nversion.workspace = true\nedition.workspace = true\n')
        a.write("crates/numbers/src/lib.rs", "pub fn number(text: &str) -> Result<f64, String> {\n    text.trim().parse().map_err(|_| \"not a number\".to_owned())\n}\n")
        a.edit("crates/convert/Cargo.toml", '[dependencies]\n', '[[bin]]\nname = "metres"\npath = "src/metres.rs"\n\n[[bin]]\nname = "convert"\npath = "src/main.rs"\n\n[dependencies]\nnumbers = { path = "../numbers" }\n')
        a.write("crates/convert/src/metres.rs", "fn main() {\n    println!(\"{:?}\", numbers::number(\"1\").map(units::Length::metres));\n}\n")
        a.edit("crates/convert/src/main.rs", '?.parse().map_err(|_| "not a number")?', "?.as_str().pipe()?", "fn run(", "trait Pipe {\n    fn pipe(self) -> Result<f64, String>;\n}\n\nimpl Pipe for &str {\n    fn pipe(self) -> Result<f64, String> {\n        numbers::number(self)\n    }\n}\n\nfn run(")
        a.sh("cargo test")

    @story(more, "cargo: an import line in the tests of a source file gets longer", UNITS, "cargo test", "run", "convert --version prints the version.", names=("crates/convert/src/main.rs",), second=True)
    def _(a):
        a.edit("crates/convert/src/main.rs", "fn run(", "const VERSION: &str = env!(\"CARGO_PKG_VERSION\");\n\nfn run(", "    let feet:", "    if words.first().is_some_and(|word| word == \"--version\") {\n        return Ok(format!(\"convert {VERSION}\"));\n    }\n    let feet:",
               "use super::run;", "use super::{run, VERSION};", "    #[test]\n    fn converts()", "    #[test]\n    fn version() {\n        assert_eq!(run(&[\"--version\".to_owned()]), Ok(format!(\"convert {VERSION}\")));\n    }\n\n    #[test]\n    fn converts()")
        a.sh("cargo test")

    @story(more, "go vet: the gate only looks, an old test changes", TEXTSTAT, "go vet ./...", "run", "Use t.Fatalf in the tests.", names=("internal/count/count_test.go",), look=True)
    def _(a):
        a.edit("internal/count/count_test.go", "t.Errorf(\"got %d, want 3\", got)", "t.Fatalf(\"got %d, want 3\", got)")
        a.edit("internal/count/count.go", "// Words counts words between blanks.", "// Words counts the words between blanks.")
        a.sh("go vet ./...")

    @story(more, "make: a helper of the tests gets a macro", RING, "make test", "run", "Tests can compare numbers and print both.", names=("tests/check.h",), look=True)
    def _(a):
        a.sh("printf '\\n#define CHECK_INT(a, b) CHECK((a) == (b))\\n' >> tests/check.h")
        a.write("tests/test_size.c", '#include "check.h"\n#include "ring.h"\n\nint main(void)\n{\n    struct ring r;\n    ring_init(&r);\n    CHECK_INT(r.count, 0);\n    return 0;\n}\n')
        a.sh("make test")
