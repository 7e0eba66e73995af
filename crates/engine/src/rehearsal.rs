//! Collects the writes of a verb for `--dry-run`: everything is decided and nothing is written.

use std::cell::RefCell;

use sprag_core::DocPath;
use sprag_store::{Doc, Edit, View};

/// A change to a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rehearsed {
    pub doc: DocPath,
    /// The old text; empty if there is no document yet.
    pub before: String,
    /// The new text; empty if the document is removed.
    pub after: String,
}

/// The changes collected so far.
#[derive(Debug, Default)]
pub(crate) struct Rehearsal(RefCell<Vec<Rehearsed>>);

impl Rehearsal {
    /// Records the edits of a decision. Each decision sees the documents as they are on disk.
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
            // A decision may run again; its last result counts.
            noted.retain(|one| one.doc != rehearsed.doc);
            noted.push(rehearsed);
        }
    }

    pub(crate) fn noted(&self) -> Vec<Rehearsed> {
        let changes = self.0.borrow();
        changes.iter().filter(|one| one.before != one.after).cloned().collect()
    }
}
