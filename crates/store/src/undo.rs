//! Takes back a commit of which one document was written by another process in the last moment.
//!
//! A decision is about all of its documents together. Where one of them holds another text by now,
//! the others must not stand as if it had been carried out: they go back to what they were, in a line
//! of its own, and the decision is made again.

use std::collections::BTreeSet;

use sprag_core::DocPath;
use sprag_core::event::CommitUndone;

use crate::commit::{Change, Edit};
use crate::dir::Dir;
use crate::error::CommitError;
use crate::line::Event;
use crate::store::Store;
use crate::view::View;
use crate::writer::Written;

/// What documents said before a commit.
pub(crate) type Before = Vec<(DocPath, Option<String>)>;

/// Returns what the documents of a change say as long as it is not carried out.
pub(crate) fn before(change: &Change, view: &View<'_>) -> Before {
    let docs = change.edits.iter().map(Edit::doc);
    docs.map(|doc| (doc.clone(), view.text_of(doc))).collect()
}

impl Store {
    /// Takes a commit back, under the same lock.
    pub(crate) fn undo<E>(
        &self,
        state: &Dir,
        change: &Change,
        written: Written,
        before: Before,
    ) -> Result<(), CommitError<E>> {
        let Some(seq) = written.committed.seq else { return Ok(()) };
        let docs = written.overtaken.iter().map(ToString::to_string).collect();
        let overtaken: BTreeSet<_> = written.overtaken.into_iter().collect();
        let stands =
            |(doc, _): &(DocPath, Option<String>)| !overtaken.contains(&self.bases.key(doc));
        let edits = before.into_iter().filter(stands).map(|(doc, text)| match text {
            Some(text) => Edit::Write { doc, text },
            None => Edit::Remove { doc },
        });
        let events = vec![Event::new(None, CommitUndone { seq: seq.0, docs })];
        let (at, actor) = (change.at, change.actor.clone());
        self.write_line(state, &Change { at, actor, events, edits: edits.collect() })
    }
}
