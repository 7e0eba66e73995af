//! Checks whether a new file changes the result of tests that it does not contain.

use super::LARGEST;
use super::harm::reaches_far;
use super::imports;
use super::language::Language;
use super::name::{folders, is_test_code};
use super::scan::scan;

/// The folders whose files replace modules of the same name in all tests, without being asked for.
const MOCKS: &str = "__mocks__";

/// Returns whether a new test file may change the result of tests in other files: it ends the run,
/// selects tests, or replaces what all of them use. A text that cannot be parsed counts; one in a
/// language without a reader does not.
pub fn reaches_other_tests(path: &str, text: &[u8]) -> bool {
    if !is_test_code(path) && !path.ends_with(".rs") {
        return false;
    }
    if folders(path).any(|folder| folder == MOCKS) {
        return true;
    }
    let Some(language) = Language::of(path) else { return false };
    let Some(text) = str::from_utf8(text).ok().filter(|text| text.len() <= LARGEST) else {
        return true;
    };
    let read = scan(text, language);
    let lines = read.lines;
    let imported = imports::all(&lines, language);
    !read.is_certain || lines.iter().any(|line| reaches_far(line, language, &imported))
}
