//! Decides how long runs are kept. A run is old 90 days after its end, and a person may remove all
//! old runs. A run that has not ended, or cannot be read, is never old.

use std::time::Duration;

use sprag_core::{DocPath, Fields, RunId, Time};
use sprag_formats::StoredFile;
use sprag_store::{Committed, Doc, Listing, Place, Store, StoreError, View};
use sprag_world::clock;

use crate::engine::kind::Kinds;
use crate::{run_file, validate};

pub const DAYS: i64 = 90;
/// The most runs that one call removes, so that it ends soon.
pub const AT_ONCE: usize = 500;

/// The old runs of a project, and their size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Old {
    kinds: Kinds,
    pub runs: Vec<RunId>,
    /// The total size of their files in bytes.
    pub bytes: u64,
}

/// Returns whether a run that ended at `ended` is old at `now`.
pub fn is_old(ended: Time, now: Time) -> bool {
    now.since(ended) > DAYS * 24 * 60 * 60 * 1000
}

/// Returns when a run ended. `None` if it has not, or its document is invalid.
fn ended(kinds: Kinds, text: &str) -> Option<Time> {
    validate::run(kinds, text, &|| None).ok()?;
    let file = StoredFile::parse(text).ok()?;
    Fields::of(file.plain()).ok()?.get("ended").ok()?
}

fn is_old_run(kinds: Kinds, text: &str, now: Time) -> bool {
    ended(kinds, text).is_some_and(|ended| is_old(ended, now))
}

impl Old {
    pub(crate) fn find_in(kinds: Kinds, place: &Place, now: Time) -> Result<Self, StoreError> {
        let store = Store::open(place, clock::first())?;
        let runs = store.read(|view| Ok::<_, StoreError>(find(kinds, view, now)))?;
        // A run whose files cannot be measured counts as empty.
        let bytes = runs.iter().filter_map(|run| store.size_of_run(run).ok()).sum();
        Ok(Self { kinds, runs, bytes })
    }

    /// Removes the first [`AT_ONCE`] of them, each in its own commits, and returns how many are
    /// gone. A run that was resumed meanwhile stays.
    pub fn forget(
        &self,
        store: &Store,
        (now, actor): (Time, &str),
        wait: Duration,
    ) -> Result<usize, StoreError> {
        let mut gone = 0;
        for run in self.runs.iter().take(AT_ONCE) {
            let old = |text: &str| is_old_run(self.kinds, text, now);
            let Committed { seq, unwritten, .. } =
                store.forget_run(run, (now, actor), wait, old)?;
            if let Some(error) = unwritten.into_iter().next() {
                return Err(error.into());
            }
            gone += usize::from(seq.is_some());
        }
        Ok(gone)
    }
}

fn find(kinds: Kinds, view: &View<'_>, now: Time) -> Vec<RunId> {
    let names = match DocPath::parse(".sprag/runs").map(|folder| view.list(&folder)) {
        Ok(Listing::Names(names)) => names,
        Ok(Listing::Absent | Listing::Unknown(_)) | Err(_) => Vec::new(),
    };
    let old = |run: &RunId| {
        let doc = run_file::path(run.as_str()).map(|path| view.read(&path));
        matches!(doc, Ok(Doc::Text(text)) if is_old_run(kinds, &text, now))
    };
    names.iter().filter_map(|name| RunId::parse(name).ok()).filter(old).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * 60 * 60 * 1000;

    #[test]
    fn a_run_is_old_after_ninety_whole_days() {
        let ended = Time::from_millis(1_700_000_000_000);
        assert!(!is_old(ended, ended.plus_millis(90 * DAY)));
        assert!(is_old(ended, ended.plus_millis(90 * DAY + 1)));
        assert!(!is_old(ended, ended.plus_millis(-DAY)), "a clock that was set back");
    }

    #[test]
    fn what_has_not_ended_or_cannot_be_read_is_never_old() {
        let now = Time::from_millis(1_700_000_000_000);
        let start = "a".repeat(64);
        let run = |v: u32, rest: &str| {
            format!(
                "v: {v}\nid: r-1\nsource: guard\nstarted: 2000-01-01T00:00:00Z\n{rest}\
                 position:\n  start: {start}\n"
            )
        };
        let ended = "ended: 2001-01-01T00:00:00Z\n";
        assert!(is_old_run(crate::kinds::KINDS, &run(1, ended), now));
        for text in [
            run(1, ""),
            run(1, "ended: null\n"),
            run(1, "ended: long ago\n"),
            run(1, "ended: 1\n"),
            run(2, ended),
            run(1, ended).replace("guard", "milestone"),
            run(1, ended).replace(": r-1", ": ["),
            run(1, ended).replace("id: r-1\n", ""),
            String::new(),
        ] {
            assert!(!is_old_run(crate::kinds::KINDS, &text, now), "{text:?}");
        }
    }
}
