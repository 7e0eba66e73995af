//! Follows the files that a configuration names: files that it extends or imports, and files that
//! run before the tests.

use std::collections::BTreeSet;

use sprag_core::definition::{PartKey, PartRole};
use sprag_core::is_test;
use sprag_core::runners::{ENDINGS, Reads};

use super::paths::{below, file_name, folder_of, has_ending, join};
use super::read::Datum;
use super::resolver::{CallSite, MAX_SCRIPT_DEPTH, MAX_SCRIPT_FILES, Resolver};

/// Names of settings whose values are files that are read or run.
const NAMES_FILES: [&str; 17] = [
    "bootstrap",
    "extend",
    "extends",
    "file",
    "globalSetup",
    "globalTeardown",
    "import",
    "includes",
    "inherit_from",
    "preload",
    "require",
    "resolver",
    "runner",
    "setupFile",
    "setupFiles",
    "setupFilesAfterEnv",
    "testEnvironment",
];

/// The longest text searched after such a name, in bytes.
const LONGEST: usize = 2000;

impl Resolver<'_> {
    /// Follows the files that data values name.
    pub(super) fn named_in_values(&mut self, path: &str, values: &Datum, site: &CallSite) {
        let mut names = BTreeSet::new();
        named(values, &mut names, 0);
        self.named_files(path, names, site);
    }

    /// Follows the files that source code names.
    pub(super) fn named_in_code(&mut self, path: &str, text: &str, site: &CallSite) {
        self.named_files(path, named_in(text), site);
    }

    fn named_files(&mut self, path: &str, names: BTreeSet<String>, site: &CallSite) {
        let inner = CallSite { depth: site.depth + 1, ..site.through(&PartKey::file(path)) };
        for name in names {
            let Some(file) = self.named_file(path, &name) else { continue };
            if site.depth >= MAX_SCRIPT_DEPTH || self.scripts.len() >= MAX_SCRIPT_FILES {
                self.found.is_cut = true;
                return;
            }
            if !self.scripts.insert(file.clone()) {
                continue;
            }
            if has_ending(&file, &["json", "jsonc", "yml", "yaml", "toml", "neon"]) {
                self.config_file(&file, Reads::Settings, &inner);
            } else {
                self.whole(&file, PartRole::Script, &inner);
                if let super::resolver::FileText::Text(text) = self.text(&file) {
                    self.named_in_code(&file, &text, &inner);
                }
            }
        }
    }

    /// Returns the project's file that a configuration means by a name. Leaves out installed
    /// packages, tests (which are compared as tests) and manifests (which have irrelevant parts).
    fn named_file(&mut self, path: &str, name: &str) -> Option<String> {
        let bare = name.strip_prefix("<rootDir>/").or_else(|| name.strip_prefix("./"));
        let is_relative =
            bare.is_some() || name.starts_with("../") || file_name(name).contains('.');
        let stem = join(folder_of(path), bare.unwrap_or(name)).filter(|_| is_relative)?;
        let endings = ENDINGS.iter().map(|ending| format!("{stem}.{ending}"));
        let indexes = ["js", "ts"].map(|ending| below(&stem, &format!("index.{ending}")));
        let all = std::iter::once(stem.clone()).chain(endings).chain(indexes);
        let found = all.into_iter().find(|file| self.exists(file))?;
        let is_manifest = ["package.json", "tsconfig.json"].contains(&file_name(&found));
        let is_foreign = found.split('/').any(|folder| folder == "node_modules");
        (!is_manifest && !is_foreign && !is_test(&found) && found != path).then_some(found)
    }
}

/// Collects the texts under names that stand for files.
fn named(value: &Datum, names: &mut BTreeSet<String>, depth: usize) {
    let Datum::Table(table) = value else { return };
    if depth > 8 {
        return;
    }
    for (key, value) in table {
        if NAMES_FILES.contains(&key.as_str()) {
            names.extend(value.texts().map(str::to_owned));
        } else {
            named(value, names, depth + 1);
        }
    }
}

/// Returns the texts that source code imports, or assigns to a name that stands for files.
fn named_in(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = BTreeSet::new();
    for word in NAMES_FILES.iter().copied().chain(["from"]) {
        for (at, _) in text.match_indices(word) {
            let before = text[..at].chars().next_back();
            let rest = &text[at + word.len()..];
            if before.is_some_and(is_part) || rest.chars().next().is_some_and(is_part) {
                continue;
            }
            names.extend(quoted(rest));
        }
    }
    names
}

/// Returns the strings after a name: one, or a bracketed list.
fn quoted(rest: &str) -> Vec<String> {
    let mut end = rest.len().min(LONGEST);
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    let rest = rest[..end].trim_start_matches(|c: char| c.is_whitespace() || ":=(".contains(c));
    let inner = match rest.strip_prefix('[') {
        Some(list) => list.split(']').next().unwrap_or_default(),
        None => match rest.chars().next().filter(|c| "'\"`".contains(*c)) {
            Some(_) => rest.lines().next().unwrap_or_default(),
            None => return Vec::new(),
        },
    };
    let mut found: Vec<String> =
        inner.split(['\'', '"', '`']).skip(1).step_by(2).map(str::to_owned).collect();
    if !rest.starts_with('[') {
        found.truncate(1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_and_set_up_files_are_found() {
        let text = "import a from './a';\nconst b = require(\"./b\");\nexport default {\n  setupFiles: [\n    './c', // x\n    'd/e.js',\n  ],\n  \
                    globalSetup: '<rootDir>/f.ts', transform: { x: 'no' }, required: './no',\n};\nimport './g';\n";
        let found: Vec<String> = named_in(text).into_iter().collect();
        assert_eq!(found, ["./a", "./b", "./c", "./g", "<rootDir>/f.ts", "d/e.js"]);
        for text in ["from", "from '", "require([", "extends: \"é"] {
            named_in(text);
        }
    }
}
