//! Records the tests that a command names, because a test that moves must still be among them.

use std::collections::BTreeSet;

use sprag_core::Glob;
use sprag_core::definition::{KnownThen, NamedTests};
use sprag_core::runners::is_checker;

use super::paths::{file_name, join};
use super::read::Datum;
use super::resolver::{CallSite, Resolver};
use crate::shell::{ShellWord, start};

/// The most words of one command, and the most commands with names of tests.
const MOST: usize = 200;

/// Parts of the names of options that leave tests out.
const LEAVES_OUT: [&str; 4] = ["ignore", "exclude", "deselect", "skip"];

/// Settings that name the tests to run.
const SETTINGS: [&str; 5] = ["roots", "spec", "testMatch", "test_match", "testpaths"];

impl Resolver<'_> {
    /// Records the files, folders and patterns of tests among the words of a command.
    pub(super) fn names_tests(&mut self, words: &[ShellWord], site: &CallSite) {
        let begin = start(words).unwrap_or(words.len());
        let Some((program, words)) = words[begin..].split_first() else { return };
        if is_checker(file_name(&program.text)) {
            return;
        }
        let mut named = NamedTests::default();
        let mut leaves_out = false;
        for word in words.iter().take(MOST) {
            let is_option = word.text.starts_with('-');
            let (option, text) = match word.text.split_once('=').filter(|_| is_option) {
                Some((option, value)) => (option, value),
                None if is_option => (&*word.text, ""),
                None => ("", &*word.text),
            };
            if is_option {
                leaves_out = LEAVES_OUT.iter().any(|one| option.contains(one));
            }
            // Without quotes, the shell reads `**` as `*`.
            let text = if word.quoted { text.to_owned() } else { text.replace("**", "*") };
            let text = text.split("::").next().unwrap_or_default();
            if word.known
                && let Some(name) = self.test_name(&site.folder, text)
            {
                (if leaves_out { &mut named.leaves_out } else { &mut named.runs }).insert(name);
            }
            leaves_out &= is_option && text.is_empty();
        }
        self.know_names(named);
    }

    /// Records the files, folders and patterns of tests in a setting, such as `testpaths`.
    pub(super) fn setting_names_tests(&mut self, folder: &str, key: &str, value: &Datum) {
        let last = key.rsplit('.').next().unwrap_or(key);
        if let Some(table) = value.table() {
            for (name, value) in table.iter().take(MOST) {
                self.setting_names_tests(folder, name, value);
            }
        } else if SETTINGS.contains(&last) {
            let texts = value.texts().flat_map(str::split_whitespace).take(MOST);
            let texts = texts.map(|text| text.strip_prefix("<rootDir>/").unwrap_or(text));
            let runs: BTreeSet<String> =
                texts.filter_map(|text| self.test_name(folder, text)).collect();
            self.know_names(NamedTests { runs, leaves_out: BTreeSet::new() });
        }
    }

    fn know_names(&mut self, named: NamedTests) {
        if !named.runs.is_empty() {
            self.know(KnownThen::Names(named));
        }
    }

    /// Returns the path or pattern below the root that a word stands for, if the project has such
    /// a test. `./...` is Go's name for a folder and all below it.
    fn test_name(&mut self, folder: &str, text: &str) -> Option<String> {
        let text = text.strip_suffix("/...").unwrap_or(text);
        let name = join(folder, text)?;
        let tests = self.tests();
        let has_one = if name.is_empty() {
            !tests.is_empty()
        } else if name.contains(['*', '?', '[', '{']) {
            let glob = Glob::parse(&name).ok()?;
            tests.iter().any(|path| glob.matches(path.as_bytes()))
        } else {
            let below = format!("{name}/");
            let first = tests.partition_point(|path| **path < *below);
            tests.get(first).is_some_and(|path| path.starts_with(&below))
                || tests.binary_search(&name).is_ok()
        };
        has_one.then_some(name)
    }
}
