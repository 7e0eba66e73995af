//! `.sprag/texts/HASH`: earlier texts that git does not have, named by their hashes.
//!
//! Each text has a second name in the repository's common git folder, where no cleaning of the
//! working tree reaches it. A text is used only if its hash equals its name, so editing one is
//! useless. A missing text makes a verdict unproven, never proven.

use std::collections::BTreeSet;
use std::time::Duration;

use sprag_core::{BadPath, DocPath, Hash, Time};
use sprag_store::{CacheDir, Doc, Lasting, Place, View};

use super::doubts;
use crate::engine::{Engine, EngineError};
use crate::{run_file, session};

const FOLDER: &str = ".sprag/texts";
/// The folder of the second names, in the common git folder.
const SECOND: &str = "sprag/texts";
/// How long to wait for another process that writes here.
const PATIENCE: Duration = Duration::from_secs(2);
/// The size limit of a file's text.
pub(crate) const LARGEST: usize = 256 << 10;
/// The size limit for loading: a baseline may name many files.
const LARGEST_READ: u64 = 32 << 20;
/// How many texts are kept before unused ones are removed.
const MOST: usize = 1_000;
/// How many texts are removed at once, so that a session begins quickly.
const AT_ONCE: usize = 500;
/// A younger text may belong to a document that is just being written, in milliseconds.
const FRESH: i64 = 60 * 60 * 1000;

pub(crate) fn path(name: Hash) -> Result<DocPath, BadPath> {
    DocPath::parse(&format!("{FOLDER}/{name}"))
}

/// Stores a text and returns its name, or `None` if it cannot be stored.
pub(crate) fn keep(place: &Place, bytes: &[u8]) -> Option<Hash> {
    let hash = Hash::of(bytes);
    let shelf = CacheDir::make_below(&place.state, FOLDER).ok()?;
    let name = hash.to_string();
    // A link in its place is not overwritten: a person should see it.
    let found = shelf.read(&name, LARGEST_READ).ok()?;
    if found.is_none_or(|kept| Hash::of(kept) != hash) {
        let turn = shelf.turn(PATIENCE).ok()?;
        turn.write(&name, bytes, 0o600, Lasting::Synced).ok()?;
    }
    keep_second(place, &shelf, &name, bytes);
    Some(hash)
}

/// Gives a stored text its second name. An agent's sandbox may forbid it; a later hook tries again.
fn keep_second(place: &Place, shelf: &CacheDir, name: &str, bytes: &[u8]) {
    let Some(common) = &place.common else { return };
    let Ok(second) = CacheDir::make_below(common, SECOND) else { return };
    if shelf.link(name, &second).is_err()
        && let Ok(turn) = second.turn(PATIENCE)
    {
        // Another disk: the bytes are copied. The first name is synced.
        let _ = turn.write(name, bytes, 0o600, Lasting::Cached);
    }
}

/// Loads a stored text, if it is unchanged.
pub(crate) fn kept(place: &Place, hash: Hash) -> Option<Vec<u8>> {
    let name = hash.to_string();
    folders(place).into_iter().flatten().find_map(|shelf| {
        let bytes = shelf.read(&name, LARGEST_READ).ok()??;
        (Hash::of(&bytes) == hash).then_some(bytes)
    })
}

/// Opens the folders in which texts have their names.
fn folders(place: &Place) -> [Option<CacheDir>; 2] {
    let second =
        place.common.as_deref().and_then(|common| CacheDir::open_below(common, SECOND).ok()?);
    [CacheDir::open_below(&place.state, FOLDER).ok().flatten(), second]
}

impl Engine<'_> {
    /// Removes unused texts when a session begins and there are many.
    pub(crate) fn forget_texts(&self, view: &View<'_>, now: Time) -> Result<(), EngineError> {
        // The second names outlive a cleaning of the others, so these are counted.
        let folders: Vec<CacheDir> = folders(self.place).into_iter().flatten().collect();
        let names = folders.iter().filter_map(|folder| folder.names().ok());
        let most = names.max_by_key(Vec::len).unwrap_or_default();
        if most.len() <= MOST {
            return Ok(());
        }
        let needed = self.needed_texts(view)?;
        let is_old = |at: Time| now.since(at) > FRESH;
        let unneeded = |name: &str| Hash::parse(name).is_some_and(|hash| !needed.contains(&hash));
        let unneeded = most.into_iter().filter(|name| unneeded(name));
        for name in unneeded.take(AT_ONCE) {
            for folder in &folders {
                let is_old = folder.seen_at(&name).ok().flatten().is_some_and(is_old);
                if let Some(turn) = is_old.then(|| folder.turn(PATIENCE).ok()).flatten() {
                    // A text that stays only takes up space.
                    let _ = turn.remove(&name);
                }
            }
        }
        Ok(())
    }

    /// Returns every text that a document mentions, directly or through another text.
    fn needed_texts(&self, view: &View<'_>) -> Result<BTreeSet<Hash>, EngineError> {
        let mut docs = vec![".sprag/turns.json".to_owned(), ".sprag/doubts.json".to_owned()];
        docs.extend(run_file::runs(view)?.iter().map(|run| format!(".sprag/runs/{run}/run.yaml")));
        for folder in [session::FOLDER, doubts::FOLDER] {
            docs.extend(doubts::names_in(view, folder)?);
        }
        let mut needed = BTreeSet::new();
        for doc in docs {
            match view.read_remembered(&DocPath::parse(&doc)?)? {
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
