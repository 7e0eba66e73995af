//! Recognizes test files by their names.

/// The kind of a test file, which decides how two texts of it are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestFile {
    /// A program that checks something.
    Code,
    /// Data that such a program compares with or works on: each byte counts.
    Data,
}

/// Folders in which every file belongs to a test.
const FOLDERS: [&str; 4] = ["test", "tests", "__tests__", "e2e"];
/// Folders in which only programs are tests: other files are documents.
const SPEC_FOLDERS: [&str; 2] = ["spec", "specs"];
/// Folders and file names, without signs between words, of code that tests call.
const HELPERS: [&str; 6] =
    ["testutil", "testutils", "testhelper", "testhelpers", "testsupport", "testlib"];
/// Words in the names of data that tests compare with.
const EXPECTED: [&str; 2] = ["expected", "golden"];
/// Folders of data that tests compare with or work on.
const DATA_FOLDERS: [&str; 11] = [
    "testdata",
    "test_data",
    "test-data",
    "fixtures",
    "__fixtures__",
    "golden",
    "goldens",
    "__snapshots__",
    "__image_snapshots__",
    "__mocks__",
    "cassettes",
];
/// Folders of third-party or generated files.
const FOREIGN: [&str; 6] =
    ["node_modules", "__pycache__", ".venv", "venv", "site-packages", ".pytest_cache"];
/// Extensions of programs.
const CODE: [&str; 46] = [
    "bash", "bats", "c", "cc", "cjs", "clj", "cljs", "cpp", "cs", "cts", "cxx", "dart", "erl",
    "ex", "exs", "fs", "go", "groovy", "h", "hpp", "hs", "java", "jl", "js", "jsx", "kt", "kts",
    "lua", "m", "mjs", "ml", "mts", "php", "pl", "py", "pyi", "r", "rb", "rs", "scala", "sh",
    "swift", "ts", "tsx", "vue", "zig",
];
/// Package manifests and lock files, in any folder.
const PACKAGES: [&str; 18] = [
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "bun.lockb",
    "cargo.toml",
    "cargo.lock",
    "go.mod",
    "go.sum",
    "pyproject.toml",
    "poetry.lock",
    "uv.lock",
    "pipfile.lock",
    "gemfile.lock",
    "composer.json",
    "composer.lock",
];

/// Returns whether a path looks like a test or test data, by a folder or by the file name.
pub fn is_test(path: &str) -> bool {
    kind(path).is_some()
}

/// Returns whether a path looks like a test program; data cannot shadow another test.
pub fn is_test_code(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    is_test(path) && CODE.contains(&extension(&file))
}

/// Returns whether the file name alone marks a path as a test.
pub fn is_marked_test(path: &str) -> bool {
    is_test(path) && NameMark::of(path.rsplit('/').next().unwrap_or_default()).is_some()
}

/// Returns whether a path looks like work that is generated and compared with its source: a
/// document, a manifest or code.
pub fn is_document(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    is_something_else(&file) || CODE.contains(&extension(&file))
}

/// Returns the names of the folders around a file.
pub(super) fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.rsplit_once('/').map(|(folders, _)| folders).into_iter().flat_map(|all| all.split('/'))
}

/// Returns the kind of test file that a path names, if any.
pub(super) fn kind(path: &str) -> Option<TestFile> {
    // Every stop asks this about every file, so the path is copied once.
    let lower = path.to_ascii_lowercase();
    let file = lower.rsplit('/').next().unwrap_or_default();
    let lies_in = |names: &[&str]| folders(&lower).any(|folder| names.contains(&folder));
    if lies_in(&FOREIGN) {
        return None;
    }
    let extension = extension(file);
    if lies_in(&DATA_FOLDERS) || extension == "snap" {
        return Some(TestFile::Data);
    }
    if is_something_else(file) {
        return None;
    }
    let is_code = CODE.contains(&extension);
    let is_expected = |name: &str| name.starts_with("expected") || holds_expected(name);
    if !is_code && (is_expected(file) || folders(&lower).any(is_expected)) {
        return Some(TestFile::Data);
    }
    let stem = file.split('.').next().unwrap_or_default();
    if is_code && (is_helper(stem) || folders(&lower).any(is_helper)) {
        return Some(TestFile::Code);
    }
    let by_folder = lies_in(&FOLDERS)
        || is_code
            && (lies_in(&SPEC_FOLDERS) || folders(&lower).any(|name| is_project(name, path)));
    let name = path.rsplit('/').next().unwrap_or_default();
    (by_folder || NameMark::of_lower(file, name, is_code).is_some()).then_some(TestFile::Code)
}

/// Returns whether a folder or file, without its extension, holds code that tests call.
fn is_helper(name: &str) -> bool {
    name.contains("test") && HELPERS.contains(&name.replace(['_', '-'], "").as_str())
}

/// Returns whether a name says that tests compare with its data: `two.expected`, `two_golden.json`,
/// `Cart.approved.txt`.
fn holds_expected(name: &str) -> bool {
    let mut parts = name.split('.');
    let stem = parts.next().unwrap_or_default();
    let is_approved =
        |part: &str| EXPECTED.contains(&part) || part == "approved" || part == "verified";
    let mut words = stem.split(['_', '-']);
    parts.any(is_approved) || words.any(|word| EXPECTED.contains(&word))
}

/// Returns whether a folder is a .NET or Xcode test project: `Shop.Tests`, `ShopTests`.
fn is_project(folder: &str, path: &str) -> bool {
    let ends = [".test", ".tests"].iter().any(|end| folder.ends_with(end));
    ends || path
        .split('/')
        .any(|name| name.eq_ignore_ascii_case(folder) && name.len() > 5 && name.ends_with("Tests"))
}

/// Returns whether a file is never a test, whatever its name and folder.
fn is_something_else(file: &str) -> bool {
    let is_document = ["md", "mdx", "rst", "adoc"].contains(&extension(file));
    let is_yaml = ["yml", "yaml"].contains(&extension(file));
    let is_compose = is_yaml && (file.starts_with("docker-compose") || file.starts_with("compose"));
    let packages = ["requirements", "test-requirements", "test_requirements"];
    let is_packages = extension(file) == "txt" || extension(file) == "in";
    is_document
        || is_compose
        || is_packages && packages.iter().any(|start| file.starts_with(start))
        || file == ".env"
        || file.starts_with(".env.")
        || PACKAGES.contains(&file)
}

/// How a file name marks a test. Runners look for these marks, so a test that gets another mark may
/// no longer be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameMark {
    /// `test_csv.py`, `spec_csv.rb`, `test.sh`
    First,
    /// `csv_test.go`, `csv-spec.js`
    Last,
    /// `csv.test.ts`
    Part,
    /// `CsvTest.java`, `CsvIT.java`
    Class,
}

impl NameMark {
    pub(super) fn of(name: &str) -> Option<Self> {
        let file = name.to_ascii_lowercase();
        Self::of_lower(&file, name, CODE.contains(&extension(&file)))
    }

    /// `file` is `name` in lower case.
    fn of_lower(file: &str, name: &str, is_code: bool) -> Option<Self> {
        let says = |word: &str| match word {
            "test" | "tests" => true,
            // `openapi-spec.yaml` is a document.
            "spec" => is_code,
            _ => false,
        };
        let stem = file.split('.').next().unwrap_or_default();
        let mut words = stem.split(['_', '-']);
        if words.next().is_some_and(says) {
            return Some(Self::First);
        }
        if words.next_back().is_some_and(says) {
            return Some(Self::Last);
        }
        if file.split('.').skip(1).any(says) {
            return Some(Self::Part);
        }
        is_class(name).then_some(Self::Class)
    }
}

/// Returns whether a file is named like a test class.
fn is_class(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let is_integration = stem.strip_suffix("IT").is_some_and(|rest| {
        ["java", "kt", "groovy"].contains(&extension(name))
            && rest.ends_with(|last: char| last.is_ascii_lowercase())
    });
    is_integration || ["Test", "Tests", "Spec"].iter().any(|end| stem.ends_with(end))
}

/// Returns the extension of a file name, without the dot.
pub(super) fn extension(file: &str) -> &str {
    file.rsplit_once('.').map_or("", |(_, extension)| extension)
}
