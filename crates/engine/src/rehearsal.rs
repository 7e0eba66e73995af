//! What a verb would write, for `--dry-run`: everything is decided, and nothing is written.

use std::cell::RefCell;

use sprag_core::DocPath;
use sprag_store::{Doc, Edit, View};

/// How a document would change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rehearsed {
    /// Which one.
    pub doc: DocPath,
    /// Its text; empty where there is none.
    pub before: String,
    /// Its text afterwards; empty where there would be none.
    pub after: String,
}

/// The changes that were decided so far.
#[derive(Debug, Default)]
pub(crate) struct Rehearsal(RefCell<Vec<Rehearsed>>);

impl Rehearsal {
    /// Notes the edits of a decision; each decision sees the documents as they are.
    pub(crate) fn note(&self, view: &View<'_>, edits: &[Edit]) {
        for edit in edits {
            let before = match view.read(edit.doc()) {
                Doc::Text(text) => text,
                Doc::Absent | Doc::Unknown(_) => String::new(),
            };
            let after = match edit {
                Edit::Splice { splices, .. } => {
                    sprag_core::apply(&before, splices).unwrap_or_else(|_| before.clone())
                }
                Edit::Write { text, .. } => text.clone(),
                Edit::Remove { .. } => String::new(),
            };
            let rehearsed = Rehearsed { doc: edit.doc().clone(), before, after };
            let mut noted = self.0.borrow_mut();
            // A decision may be made again, and the last one counts.
            noted.retain(|one| one.doc != rehearsed.doc);
            noted.push(rehearsed);
        }
    }

    pub(crate) fn noted(&self) -> Vec<Rehearsed> {
        let changes = self.0.borrow();
        changes.iter().filter(|one| one.before != one.after).cloned().collect()
    }
}
