//! Finds the task's file at the start of a sentence: by its whole path, or by the end of its path.

use std::collections::HashMap;

use sprag_core::DocPath;
use sprag_core::plan::PlanFile;

/// The most names at the end of a path that are compared; the whole path always is.
const DEEP: usize = 8;

/// The files of a task, by the first words of the ends of their paths.
#[derive(Debug, Default)]
pub(super) struct Names<'f> {
    files: &'f [PlanFile],
    by_word: HashMap<&'f str, Vec<(&'f str, &'f DocPath)>>,
}

/// The result of a search.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Named<'f> {
    /// One file of the task.
    One(&'f DocPath),
    /// Several files with the same ending.
    Several,
    None,
}

impl<'f> Names<'f> {
    pub(super) fn of(files: &'f [PlanFile]) -> Self {
        let mut by_word: HashMap<&str, Vec<_>> = HashMap::new();
        for file in files {
            for ending in endings(file.path.as_str()) {
                let word = first_word(ending);
                by_word.entry(word).or_default().push((ending, &file.path));
            }
        }
        Self { files, by_word }
    }

    /// The task's file, if it has only one.
    pub(super) fn only(&self) -> Option<&'f DocPath> {
        if let [only] = self.files { Some(&only.path) } else { None }
    }

    pub(super) fn has(&self, path: &DocPath) -> bool {
        self.find(path.as_str()) == Named::One(path)
    }

    /// Returns the file whose path, or whose longest path ending, starts the sentence. A whole path
    /// takes precedence over an ending of another.
    pub(super) fn find(&self, text: &str) -> Named<'f> {
        let text = text.strip_prefix("./").unwrap_or(text);
        let word = first_word(text);
        let known = self.by_word.get(word).or_else(|| self.by_word.get(without_marks(word)));
        let found: Vec<_> =
            known.into_iter().flatten().filter(|(ending, _)| begins(text, ending)).collect();
        let Some(longest) = found.iter().map(|(ending, _)| ending.len()).max() else {
            return Named::None;
        };
        let mut best = found.iter().filter(|(ending, _)| ending.len() == longest);
        let whole = best.clone().find(|(_, path)| path.as_str().len() == longest);
        match (whole, best.next(), best.next()) {
            (Some((_, path)), _, _) | (None, Some((_, path)), None) => Named::One(path),
            (None, Some(_), Some(_)) => Named::Several,
            (None, None, _) => Named::None,
        }
    }
}

/// Returns a path and its endings that start with a whole name.
fn endings(path: &str) -> impl Iterator<Item = &str> {
    let slashes = path.rmatch_indices('/').take(DEEP).map(|(at, _)| at + 1);
    std::iter::once(0).chain(slashes).map(|start| &path[start..])
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

fn without_marks(word: &str) -> &str {
    word.trim_end_matches(|c: char| !(c.is_alphanumeric() || "_-".contains(c)))
}

/// Returns whether a sentence starts with an ending that is not part of a longer name.
fn begins(text: &str, ending: &str) -> bool {
    let rest = text.strip_prefix(ending);
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || "./_-".contains(c)))
}
