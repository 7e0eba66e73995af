//! The chain of versions through which some journal lines lead each document.

use std::collections::BTreeMap;

use sprag_core::{Hash, Splice};

use crate::blob;
use crate::dir::Dir;
use crate::doc::{Doc, Version};
use crate::error::StoreError;
use crate::line::{Insert, Line, LineEdit};
use crate::place::Key;

/// The edits in some lines, grouped by document and in journal order.
#[derive(Debug, Default)]
pub(crate) struct Chains(BTreeMap<Key, Vec<LineEdit>>);

impl Chains {
    pub(crate) fn of(lines: &[Line]) -> Self {
        let mut chains = BTreeMap::<Key, Vec<LineEdit>>::new();
        for edit in lines.iter().flat_map(|line| &line.edits) {
            chains.entry(edit.doc.clone()).or_default().push(edit.clone());
        }
        Self(chains)
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &Key> {
        self.0.keys()
    }

    /// Brings a document to the end of its chain.
    ///
    /// Returns `None` if it is already there. Also returns `None` if its text is not part of the
    /// chain: another program wrote that text, and it stays.
    pub(crate) fn forward(
        &self,
        journal: &Dir,
        key: &Key,
        now: &Doc,
    ) -> Result<Option<Doc>, StoreError> {
        let Some(rest) = self.0.get(key).and_then(|edits| rest(edits, &now.version())) else {
            return Ok(None);
        };
        let mut text = now.text().map(str::to_owned);
        for edit in rest {
            text = perform(journal, edit, text.as_deref())?;
        }
        Ok(Some(text.map_or(Doc::Absent, Doc::Text)))
    }
}

/// Returns the edits after the last occurrence of `now` in the chain, or `None` if none remain.
fn rest<'a>(edits: &'a [LineEdit], now: &Version) -> Option<&'a [LineEdit]> {
    let end = Version::from_hash(edits.last()?.after);
    if end == *now {
        return None;
    }
    let at = edits.iter().rposition(|edit| Version::from_hash(edit.before) == *now)?;
    Some(&edits[at..])
}

/// Applies a journal edit to the text that it was recorded for.
pub(crate) fn perform(
    journal: &Dir,
    edit: &LineEdit,
    before: Option<&str>,
) -> Result<Option<String>, StoreError> {
    let unknown = |why: String| StoreError::Unknown { path: journal.path().to_owned(), why };
    let Some(expected) = edit.after else { return Ok(None) };
    let before = before.unwrap_or_default();
    let mut splices = Vec::with_capacity(edit.splices.len());
    for splice in &edit.splices {
        let text = match &splice.2 {
            Insert::Text(text) => text.clone(),
            Insert::Blob(name) => blob::read(journal, name)?,
        };
        splices.push(Splice { range: splice.0..splice.1.unwrap_or(before.len()), text });
    }
    let after = sprag_core::apply(before, &splices)
        .map_err(|error| unknown(format!("an edit of {} does not fit: {error}", edit.doc)))?;
    if Hash::of(&after) != expected {
        return Err(unknown(format!("an edit of {} gives another text than it says", edit.doc)));
    }
    Ok(Some(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(before: Option<&str>, after: Option<&str>) -> LineEdit {
        let doc = Key("d".into());
        LineEdit { doc, before: before.map(Hash::of), after: after.map(Hash::of), splices: vec![] }
    }

    #[test]
    fn the_last_place_of_a_text_counts() {
        let chain = [
            edit(None, Some("a")),
            edit(Some("a"), Some("b")),
            edit(Some("b"), Some("a")),
            edit(Some("a"), Some("c")),
        ];
        let left = |doc: Doc| rest(&chain, &doc.version()).map(<[LineEdit]>::len);
        assert_eq!(left(Doc::Absent), Some(4));
        assert_eq!(left(Doc::Text("a".into())), Some(1));
        assert_eq!(left(Doc::Text("b".into())), Some(2));
        assert_eq!(left(Doc::Text("c".into())), None);
        assert_eq!(left(Doc::Text("another text".into())), None);
    }
}
