//! Finds files that judge although their names do not show it: data that a command compares with,
//! and tests that git ignores.

use sprag_core::basis::is_document;
use sprag_core::definition::KnownThen;
use sprag_core::is_test;

use super::paths::join;
use super::resolver::{CallSite, Resolver};
use crate::shell::Word;

/// The most files of a folder that is compared.
const MOST: usize = 200;

impl Resolver<'_> {
    /// Records the operand of `diff` or `cmp` that holds the expectation: the only one that the
    /// project has, because the command makes the other. If the project has both, their names
    /// decide. Documents and code are work that is compared with its source.
    pub(super) fn compared(&mut self, words: &[Word], site: &CallSite) {
        let operands = words.iter().filter(|word| word.known && !word.text.starts_with('-'));
        let mut held = Vec::new();
        for path in operands.filter_map(|word| join(&site.folder, &word.text)) {
            let below = format!("{path}/");
            let all = self.paths();
            let is_it = |own: &&String| **own == path || own.starts_with(&below);
            let files: Vec<String> = all.iter().filter(is_it).take(MOST).cloned().collect();
            if !files.is_empty() {
                held.push(files);
            }
        }
        let [files] = &held[..] else { return };
        for path in files.iter().filter(|path| !is_document(path)) {
            self.found.rests_on_tests = true;
            self.know(KnownThen::CountsAsTest(path.clone()));
        }
    }

    /// Records the tests that a command names and git ignores.
    pub(super) fn ignored_tests(&mut self, args: &[String], site: &CallSite) {
        for arg in args {
            let name = arg.split("::").next().unwrap_or(arg);
            if let Some(path) = join(&site.folder, name) {
                self.ignored_test(&path);
            }
        }
    }

    /// Records a test that a command runs, if git ignores it.
    pub(super) fn ignored_test(&mut self, path: &str) {
        if is_test(path) && !self.is_listed(path) && self.exists(path) {
            self.know(KnownThen::CountsAsTest(path.to_owned()));
        }
    }

    fn is_listed(&mut self, path: &str) -> bool {
        self.paths().binary_search_by(|own| own.as_str().cmp(path)).is_ok()
    }
}
