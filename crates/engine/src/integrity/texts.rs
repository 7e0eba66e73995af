//! `.sprag/texts/HASH`: earlier texts that git does not have, named by their hashes.
//!
//! A text is used only if its hash equals its name, so editing one is useless. A missing text makes
//! a verdict unproven, never proven.

use std::collections::BTreeSet;
use std::time::Duration;

use sprag_core::{BadPath, DocPath, Hash, Time};
use sprag_store::{Doc, Lasting, Listing, Place, Shelf, View};

use super::doubts;
use crate::engine::{Engine, EngineError};
use crate::{case, session};

const FOLDER: &str = ".sprag/texts";
/// How long to wait for another process that writes here.
const PATIENCE: Duration = Duration::from_secs(2);
/// The size limit of a file's text.
pub(super) const LARGEST: usize = 256 << 10;
/// The size limit for loading: a baseline may name many files.
const LARGEST_READ: u64 = 32 << 20;
/// How many texts are kept before unused ones are removed.
const MOST: usize = 1_000;
/// How many texts are removed at once, so that a session begins quickly.
const AT_ONCE: usize = 500;
/// A younger text may belong to a document that is just being written, in milliseconds.
const FRESH: i64 = 60 * 60 * 1000;

pub(super) fn path(name: Hash) -> Result<DocPath, BadPath> {
    DocPath::parse(&format!("{FOLDER}/{name}"))
}

/// Stores a text and returns its name, or `None` if it cannot be stored.
pub(super) fn keep(place: &Place, bytes: &[u8]) -> Option<Hash> {
    let hash = Hash::of(bytes);
    let shelf = Shelf::make_below(&place.state, FOLDER).ok()?;
    let name = hash.to_string();
    // A link in its place is not overwritten: a person should see it.
    let found = shelf.read(&name, LARGEST_READ).ok()?;
    if found.is_some_and(|kept| Hash::of(kept) == hash) {
        return Some(hash);
    }
    let turn = shelf.turn(PATIENCE).ok()?;
    turn.write(&name, bytes, 0o600, Lasting::Synced).ok()?;
    Some(hash)
}

/// Loads a stored text, if it is unchanged.
pub(super) fn kept(place: &Place, hash: Hash) -> Option<Vec<u8>> {
    let shelf = Shelf::open_below(&place.state, FOLDER).ok()??;
    let bytes = shelf.read(&hash.to_string(), LARGEST_READ).ok()??;
    (Hash::of(&bytes) == hash).then_some(bytes)
}

impl Engine<'_> {
    /// Removes unused texts when a session begins and there are many.
    pub(crate) fn forget_texts(&self, view: &View<'_>, now: Time) -> Result<(), EngineError> {
        let seen = self.store.seen(&DocPath::parse(FOLDER)?)?;
        if seen.len() <= MOST {
            return Ok(());
        }
        let needed = self.needed_texts(view)?;
        let is_old = |at: Time| now.since(at) > FRESH;
        let unneeded = |name: &str| Hash::parse(name).is_some_and(|hash| !needed.contains(&hash));
        let Some(folder) = Shelf::open_below(&self.place.state, FOLDER).ok().flatten() else {
            return Ok(());
        };
        let Ok(turn) = folder.turn(PATIENCE) else { return Ok(()) };
        let old = seen.into_iter().filter(|(name, at)| is_old(*at) && unneeded(name));
        for (name, _) in old.take(AT_ONCE) {
            // A text that stays only takes up space.
            let _ = turn.remove(&name);
        }
        Ok(())
    }

    /// Returns every text that a document mentions, directly or through another text.
    fn needed_texts(&self, view: &View<'_>) -> Result<BTreeSet<Hash>, EngineError> {
        let mut docs = vec![".sprag/turns.json".to_owned(), ".sprag/doubts.json".to_owned()];
        for run in case::runs(view)? {
            docs.push(format!(".sprag/runs/{run}/run.yaml"));
        }
        for folder in [session::FOLDER, doubts::FOLDER] {
            match view.list(&DocPath::parse(folder)?) {
                Listing::Absent => {}
                Listing::Names(names) => {
                    docs.extend(names.iter().map(|name| format!("{folder}/{name}")));
                }
                Listing::Unknown(why) => {
                    let (path, why) = (folder.to_owned(), why.to_string());
                    return Err(EngineError::Unreadable { path, why });
                }
            }
        }
        let mut needed = BTreeSet::new();
        for doc in docs {
            match view.read(&DocPath::parse(&doc)?) {
                Doc::Absent => {}
                Doc::Text(text) => needed.extend(mentioned(&text)),
                Doc::Unknown(why) => {
                    return Err(EngineError::Unreadable { path: doc, why: why.to_string() });
                }
            }
        }
        let baselines: Vec<Hash> = needed.iter().copied().collect();
        for text in baselines.into_iter().filter_map(|name| kept(self.place, name)) {
            needed.extend(mentioned(&String::from_utf8_lossy(&text)));
        }
        Ok(needed)
    }
}

/// Returns every hash in a text.
fn mentioned(text: &str) -> impl Iterator<Item = Hash> {
    text.split(|c: char| !c.is_ascii_hexdigit()).filter_map(Hash::parse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_found_wherever_they_stand() {
        let (one, two) = (Hash::of("one"), Hash::of("two"));
        let text = format!("baseline: {one}\n{{\"left\":\"{two}\"}} {}", &one.to_string()[1..]);
        assert_eq!(mentioned(&text).collect::<Vec<_>>(), [one, two]);
    }
}
