//! The copy of the journal in the git folder: brought up to date when a command ends, and put back
//! where somebody cleaned the state away.

use std::time::Duration;

use sprag_engine::clock;
use sprag_store::{Place, Restored, Store, StoreError, Traced};

use crate::screen;

/// A command that was carried out does not wait long for this.
const SHORT: Duration = Duration::from_millis(250);
/// Without its state a command can do nothing.
const LONG: Duration = Duration::from_secs(5);

/// Restores a project that has no journal and a copy of one, and says so.
pub(crate) fn restore(place: &Place) {
    match restored(place) {
        Ok(None) => {}
        Ok(Some(restored)) => screen::complain(&format!("sprag: {}", said(&restored))),
        Err(error) => screen::complain(&format!("sprag: {}", not_restored(&error))),
    }
}

/// The same for a host hook, which leaves a trace of it for the next command.
pub(crate) fn restore_quietly(place: &Place) {
    if has_head(place) {
        return;
    }
    let text = match restored(place) {
        Ok(None) => return,
        Ok(Some(restored)) => said(&restored),
        Err(error) => not_restored(&error),
    };
    // Where not even this can be written, there is nobody left to tell.
    let _ = Store::open(place, clock::first())
        .and_then(|store| store.trace(clock::now(), Traced::LetGo, &text));
}

/// Brings the copy up to date. It is a second safety, so nothing depends on whether that works: in a
/// sandbox it does not.
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

/// Returns whether there is a journal that somebody wrote to: one look at the disk.
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
