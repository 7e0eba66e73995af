//! Rebuilds the texts of documents from the journal alone.

use std::collections::BTreeMap;

use memchr::memmem;
use sprag_core::{Hash, Seq};

use crate::chain;
use crate::dir::Dir;
use crate::error::StoreError;
use crate::line::{Line, LineEdit, LineSplice};
use crate::place::Key;
use crate::{scan, segment};

/// The last text of every document that the journal left with one, except where the journal has
/// already removed the lines that lead to it.
pub(crate) type Texts = BTreeMap<Key, String>;

/// Rebuilds the version `hash` of a document, reading back only as far as needed.
pub(crate) fn text(journal: &Dir, key: &Key, hash: Hash) -> Result<String, StoreError> {
    let mut edits: Vec<LineEdit> = Vec::new();
    for first in segment::all(journal)?.into_iter().rev() {
        let Some(part) = segment::open(journal, first, 0)? else { continue };
        take_back(&part.bytes, key, &mut edits);
        if edits.last().is_some_and(is_whole) {
            break;
        }
    }
    let mut text = None;
    for edit in edits.iter().rev() {
        text = chain::perform(journal, edit, text.as_deref())?;
    }
    let text = text.filter(|text| Hash::of(text) == hash);
    text.ok_or_else(|| StoreError::Unknown {
        path: journal.path().to_owned(),
        why: format!("the text of {key} cannot be rebuilt from it any more"),
    })
}

/// Collects the edits of a document from some lines, newest first, up to one that contains the
/// whole text.
fn take_back(bytes: &[u8], key: &Key, edits: &mut Vec<LineEdit>) {
    let quoted = key.quoted();
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let names = |line: &&&[u8]| memmem::find(line, quoted.as_bytes()).is_some();
    for line in lines.iter().rev().filter(names) {
        // The end of an incomplete write was never acknowledged.
        let Ok(line) = Line::decode(line) else { continue };
        let own = line.edits.into_iter().rev().filter(|edit| edit.doc == *key);
        for edit in own {
            edits.push(edit);
            if edits.last().is_some_and(is_whole) {
                return;
            }
        }
    }
}

/// Returns whether an edit needs no earlier text.
fn is_whole(edit: &LineEdit) -> bool {
    let replaces_all = |splice: &LineSplice| splice.0 == 0 && splice.1.is_none();
    edit.before.is_none() || edit.after.is_none() || edit.splices.iter().all(replaces_all)
}

/// Rebuilds every document that some segments left with a text, in one pass.
pub(crate) fn texts(journal: &Dir, segments: &[Seq]) -> Result<Texts, StoreError> {
    let mut all = BTreeMap::new();
    for first in segments {
        let Some(part) = segment::read(journal, *first, 0)? else { continue };
        let unknown = |why| StoreError::Unknown { path: journal.path().to_owned(), why };
        let scan = scan::scan(&part.bytes, 0, Some(*first))
            .map_err(|broken| unknown(format!("at byte {}: {}", broken.offset, broken.why)))?;
        let edits = scan.lines.into_iter().flat_map(|(_, line)| line.edits);
        for edit in edits {
            let before = all.remove(&edit.doc);
            // Skip an edit whose earlier text is unknown or whose blob is gone.
            let is_next = before.as_ref().map(Hash::of) == edit.before || is_whole(&edit);
            match is_next.then(|| chain::perform(journal, &edit, before.as_deref())) {
                Some(Ok(Some(text))) => drop(all.insert(edit.doc, text)),
                Some(Ok(None) | Err(StoreError::Unknown { .. })) | None => {}
                Some(Err(error)) => return Err(error),
            }
        }
    }
    Ok(all)
}
