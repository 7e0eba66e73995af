//! Finds files that judge although their names do not show it: data that a command compares with,
//! and tests that git ignores.

use std::collections::BTreeSet;

use sprag_core::basis::is_document;
use sprag_core::definition::KnownThen;
use sprag_core::{Glob, is_test};

use super::paths::{file_name, join};
use super::resolver::{CallSite, Resolver};
use crate::shell::{Command, ShellWord, start};

/// The most files of one operand.
const MOST: usize = 200;

/// The most comparisons, and the most files that a gate writes, that are recorded.
const MOST_RECORDED: usize = 500;

/// Words in the names of files that are compared with an expectation.
const RESULTS: [&str; 4] = ["actual", "computed", "got", "received"];

/// The comparisons of a gate, and the files that it writes itself.
#[derive(Debug, Default)]
pub(super) struct Comparisons {
    /// For each comparison, the files of each operand that the project has.
    compared: Vec<Vec<BTreeSet<String>>>,
    /// The files that the gate's own shell commands write.
    written: BTreeSet<String>,
}

impl Resolver<'_> {
    /// Records the operands of `diff` or `cmp`.
    pub(super) fn compared(&mut self, words: &[ShellWord], site: &CallSite) {
        let operands = words.iter().filter(|word| !word.text.starts_with('-'));
        let held: Vec<BTreeSet<String>> = operands
            .map(|word| self.operand(word, site))
            .filter(|files| !files.is_empty())
            .collect();
        if !held.is_empty() && self.comparisons.compared.len() < MOST_RECORDED {
            self.comparisons.compared.push(held);
        }
    }

    /// Returns the files of the project that an operand stands for. A variable stands for every
    /// value that the text assigns.
    fn operand(&mut self, word: &ShellWord, site: &CallSite) -> BTreeSet<String> {
        let values = site.named.as_ref().filter(|_| !word.known);
        let values = values.map(|named| named.values()).unwrap_or_default();
        let filled = values.iter().map(|value| word.text.replacen('*', value, 1));
        let own = word.text.strip_prefix("*/").unwrap_or(&word.text).to_owned();
        let is_open = own.chars().all(|c| c == '*' || c == '/');
        let names: BTreeSet<String> = filled.chain((!is_open).then_some(own)).collect();
        let folders = [Some(&site.folder), site.script_folder.as_ref().filter(|_| !word.known)];
        let folders: BTreeSet<&String> = folders.into_iter().flatten().collect();
        let paths =
            names.iter().flat_map(|name| folders.iter().filter_map(move |one| join(one, name)));
        let mut found = BTreeSet::new();
        for path in paths.filter(|path| !path.is_empty()) {
            let below = format!("{path}/");
            let glob = Glob::parse(&path).ok().filter(|_| path.contains('*'));
            let all = self.paths();
            let is_it = |own: &&String| match &glob {
                Some(glob) => glob.matches(own.as_bytes()),
                None => **own == path || own.starts_with(&below),
            };
            found.extend(all.iter().filter(is_it).take(MOST).cloned());
        }
        found
    }

    /// Records the files that a command of a shell text writes.
    pub(super) fn writes(&mut self, command: &Command, folder: &str) {
        let begin = start(&command.words).unwrap_or(command.words.len());
        let words = &command.words[begin..];
        let program = words.first().map(|word| file_name(&word.text)).unwrap_or_default();
        let copies = match program {
            "tee" => &words[1..],
            "cp" | "mv" | "install" => words.last().map(std::slice::from_ref).unwrap_or_default(),
            _ => &[],
        };
        for word in command.writes.iter().chain(copies).filter(|word| word.known) {
            if self.comparisons.written.len() < MOST_RECORDED {
                self.comparisons.written.extend(join(folder, &word.text));
            }
        }
    }

    /// Counts as tests the compared files that hold an expectation: all that the gate does not
    /// write itself, without those whose names say that they hold the result, if others are left.
    /// Documents and code are work that is compared with its source.
    pub(super) fn count_compared(&mut self) {
        let Comparisons { compared, written } = std::mem::take(&mut self.comparisons);
        for operands in compared {
            let is_left = |path: &&String| !written.contains(*path);
            let left: Vec<Vec<&String>> =
                operands.iter().map(|files| files.iter().filter(is_left).collect()).collect();
            let is_result = |files: &&Vec<&String>| files.iter().all(|path| is_result(path));
            let (results, wanted): (Vec<_>, Vec<_>) =
                left.iter().filter(|files| !files.is_empty()).partition(is_result);
            let counted = if wanted.is_empty() { results } else { wanted };
            for path in counted.into_iter().flatten().filter(|path| !is_document(path)) {
                self.found.rests_on_tests = true;
                self.know(KnownThen::CountsAsTest((*path).clone()));
            }
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

/// Returns whether a path says that it holds a result: `got.txt`, `two.actual`.
fn is_result(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    path.split(['/', '.', '_', '-']).any(|word| RESULTS.contains(&word))
}
