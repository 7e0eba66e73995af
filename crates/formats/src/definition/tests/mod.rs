//! For every family, a table of honest edits, which change nothing, and of other edits, which are
//! named.

mod cargo;
mod hostile;
mod kinds;
mod laws;
mod make;
mod node;
mod others;

mod programs;
mod python;
mod scripts;

use std::collections::{BTreeMap, BTreeSet};

use sprag_core::definition::{GateDefinition, PartChange, PartKey, PartRole, WhenNew, changes};

use super::{FileContent, ProjectFiles, definition};

/// A project in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Files {
    texts: BTreeMap<String, Vec<u8>>,
    elsewhere: BTreeSet<String>,
}

impl ProjectFiles for Files {
    fn read(&self, path: &str) -> FileContent {
        assert!(!path.starts_with('/') && !path.split('/').any(|name| name == ".."), "{path}");
        self.texts.get(path).cloned().map_or(FileContent::Absent, FileContent::Bytes)
    }

    fn paths(&self) -> Vec<String> {
        let is_ignored = |path: &&String| path.contains("node_modules") || path.contains(".venv");
        self.texts.keys().filter(|path| !is_ignored(path)).cloned().collect()
    }

    fn is_elsewhere(&self, program: &str) -> bool {
        self.elsewhere.contains(program)
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let below = self.texts.keys().filter_map(|path| path.strip_prefix(&start));
        let names: BTreeSet<&str> = below.filter_map(|rest| rest.split('/').next()).collect();
        names.into_iter().map(str::to_owned).collect()
    }

    fn is_folder(&self, path: &str) -> bool {
        self.texts
            .keys()
            .any(|own| own.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')))
    }
}

impl Files {
    pub(super) fn of(texts: &[(&str, &str)]) -> Self {
        let texts = texts.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        Self { texts: texts.collect(), elsewhere: BTreeSet::new() }
    }

    /// The same project with this file.
    pub(super) fn with(&self, path: &str, text: &str) -> Self {
        self.with_bytes(path, text.as_bytes())
    }

    pub(super) fn with_bytes(&self, path: &str, bytes: &[u8]) -> Self {
        let mut other = self.clone();
        other.texts.insert(path.to_owned(), bytes.to_vec());
        other
    }

    /// The same project without this file.
    pub(super) fn without(&self, path: &str) -> Self {
        let mut other = self.clone();
        assert!(other.texts.remove(path).is_some(), "{path} is not there");
        other
    }

    /// The same project with a text replaced. If the old text is empty, the new one is appended.
    pub(super) fn edited(&self, path: &str, old: &str, new: &str) -> Self {
        let text = String::from_utf8(self.texts[path].clone()).unwrap();
        assert!(text.contains(old), "{path} does not have {old}");
        let text = if old.is_empty() { format!("{text}{new}") } else { text.replacen(old, new, 1) };
        self.with(path, &text)
    }

    /// The same project where this program is also found in `PATH`.
    pub(super) fn elsewhere(&self, program: &str) -> Self {
        let mut other = self.clone();
        other.elsewhere.insert(program.to_owned());
        other
    }

    pub(super) fn define(&self, line: &str) -> GateDefinition {
        definition(&argv(line), self)
    }
}

/// Splits a line at its blanks; a quoted text is one word.
pub(super) fn argv(line: &str) -> Vec<String> {
    crate::words(line).unwrap()
}

/// Returns the doubts after an edit.
pub(super) fn doubts(line: &str, then: &Files, now: &Files) -> Vec<String> {
    let texts = &then.texts;
    let (then, now) = (then.define(line), now.define(line));
    let is_old = |key: &PartKey| {
        now.parts.get(key).is_some_and(|part| part.when_new == WhenNew::WithFile)
            && texts.contains_key(key.path())
    };
    let is_doubted = |role: PartRole, change: PartChange| match change {
        PartChange::Changed | PartChange::Gone => true,
        PartChange::New => role == PartRole::Runner,
        PartChange::Grew | PartChange::Stricter | PartChange::WithLock => false,
    };
    let found = changes(&then, &now).into_iter();
    found
        .filter(|(key, (role, change))| is_doubted(*role, *change) && !is_old(key))
        .map(|(key, _)| key.to_string())
        .collect()
}

/// A command, a file, an old text and the new one.
pub(super) type Case<'c> = (&'c str, &'c str, &'c str, &'c str);

/// Fails unless every edit is free. A missing file is created.
pub(super) fn all_free(project: &Files, cases: &[Case<'_>]) {
    for (line, path, old, new) in cases {
        let now = apply(project, path, old, new);
        assert_eq!(
            doubts(line, project, &now),
            Vec::<String>::new(),
            "`{line}`, {path}: {old} -> {new}"
        );
    }
}

/// Fails unless every edit raises exactly this doubt.
pub(super) fn all_named(project: &Files, cases: &[(Case<'_>, &str)]) {
    let mut wrong = Vec::new();
    for ((line, path, old, new), key) in cases {
        let now = apply(project, path, old, new);
        let found = doubts(line, project, &now).join(", ");
        if found != *key {
            wrong.push(format!("`{line}`, {path}: {old} -> {new}: {found}, not {key}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn apply(project: &Files, path: &str, old: &str, new: &str) -> Files {
    if project.texts.contains_key(path) {
        project.edited(path, old, new)
    } else {
        project.with(path, new)
    }
}

/// The keys of a definition's parts, without the lines of scripts.
pub(super) fn keys(line: &str, project: &Files) -> Vec<String> {
    without_lines(&project.define(line))
}

pub(super) fn without_lines(found: &GateDefinition) -> Vec<String> {
    let is_line = |key: &&PartKey| key.part_name().is_some_and(|name| name.starts_with("line "));
    found.parts.keys().filter(|key| !is_line(key)).map(ToString::to_string).collect()
}
