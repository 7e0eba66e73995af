//! The copy of the journal in the git folder: updated when a command ends, and restored when the
//! state was cleaned away.

use std::time::Duration;

use sprag_store::{Place, Restored, Store, StoreError, Traced};
use sprag_world::clock;

use crate::screen;

/// The lock timeout after a command, which should not be delayed for the copy.
const SHORT: Duration = Duration::from_millis(250);
/// The lock timeout for a restore, without which the command can do nothing.
const LONG: Duration = Duration::from_secs(5);

/// Restores a project's journal from its copy if the journal is missing, and reports it.
pub(crate) fn restore(place: &Place) {
    match restored(place) {
        Ok(None) => {}
        Ok(Some(restored)) => screen::complain(&format!("sprag: {}", said(&restored))),
        Err(error) => screen::complain(&format!("sprag: {}", not_restored(&error))),
    }
}

/// Like `restore`, for a host hook: it records the result in the trace for the next command.
pub(crate) fn restore_quietly(place: &Place) {
    if has_head(place) {
        return;
    }
    let text = match restored(place) {
        Ok(None) => return,
        Ok(Some(restored)) => said(&restored),
        Err(error) => not_restored(&error),
    };
    // If even this fails, nothing can be reported.
    let _ = Store::open(place, clock::first())
        .and_then(|store| store.trace(clock::now(), Traced::LetGo, &text));
}

/// Updates the copy. It is a second safety, so failures are ignored: in a sandbox it always fails.
pub(crate) fn keep(place: &Place) {
    if let Ok(store) = Store::open(place, clock::first()) {
        let _ = store.keep_copy(SHORT);
    }
}

fn restored(place: &Place) -> Result<Option<Restored>, StoreError> {
    if place.common.is_none() || has_head(place) {
        return Ok(None);
    }
    Store::open(place, clock::first())?.restore(LONG)
}

/// Returns whether there is a non-empty journal, with a single file access.
fn has_head(place: &Place) -> bool {
    let head = place.state.join(".sprag/journal/head");
    head.symlink_metadata().is_ok_and(|head| head.len() > 0)
}

fn said(Restored { written, lost }: &Restored) -> String {
    let documents = if written.len() == 1 { "document" } else { "documents" };
    let mut text = format!(
        "the journal was gone; restored it and {} {documents} from the copy in the git folder",
        written.len()
    );
    if !lost.is_empty() {
        text.push_str("; not restored: ");
        text.push_str(&lost.join(", "));
    }
    text
}

fn not_restored(error: &StoreError) -> String {
    format!("the journal is gone, and its copy in the git folder cannot be restored: {error}")
}
