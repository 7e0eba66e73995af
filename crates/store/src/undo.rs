//! Undoes a commit when another process wrote one of its documents at the last moment.
//!
//! A decision concerns all of its documents together. If one of them now holds another text, the
//! others must not look as if the decision was carried out. They go back to their earlier texts in
//! a separate line, and the decision is made again.

use std::collections::BTreeSet;

use sprag_core::DocPath;
use sprag_core::event::CommitUndone;

use crate::commit::{CommitRequest, Edit};
use crate::dir::Dir;
use crate::error::CommitError;
use crate::line::Event;
use crate::store::Store;
use crate::view::View;
use crate::writer::WrittenLine;

/// The texts of documents before a commit.
pub(crate) type Before = Vec<(DocPath, Option<String>)>;

/// Returns the texts of a change's documents before it is carried out.
pub(crate) fn before(change: &CommitRequest, view: &View<'_>) -> Before {
    let docs = change.edits.iter().map(Edit::doc);
    docs.map(|doc| (doc.clone(), view.text_of(doc))).collect()
}

impl Store {
    /// Undoes a commit, under the lock that it was made under.
    pub(crate) fn undo<E>(
        &self,
        state: &Dir,
        change: &CommitRequest,
        written: WrittenLine,
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
        self.write_line(state, &CommitRequest { at, actor, events, edits: edits.collect() })
    }
}
