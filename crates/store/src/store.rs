use std::time::Duration;

use sprag_core::{DocPath, Seq};

use crate::dir::Dir;
use crate::error::{PathError, StoreError};
use crate::place::{Bases, Place};
use crate::tail::Tail;
use crate::view::{Reads, View};
use crate::{lock, segment, sys};

pub(crate) const FOLDER: &str = ".sprag";
/// How often a reader tries between writers before it takes the lock.
const TRIES: u32 = 5;

/// What may be set from outside; the defaults are the product's.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The boot of this machine. `None` means that it is not known.
    pub boot: Option<String>,
    /// How many segments of the journal are kept, of one MiB each.
    pub keep_segments: usize,
    /// How long a reader waits for the lock when writers never leave it a quiet moment.
    pub reader_wait: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { boot: sys::boot_id(), keep_segments: 256, reader_wait: Duration::from_secs(5) }
    }
}

/// The documents and the journal of one project.
#[derive(Debug)]
pub struct Store {
    pub(crate) bases: Bases,
    pub(crate) settings: Settings,
}

impl Store {
    /// Opens a project. Nothing is written, and nothing need be there yet.
    pub fn open(place: &Place) -> Result<Self, StoreError> {
        Self::open_with(place, Settings::default())
    }

    /// Opens a project with other settings than the product's.
    pub fn open_with(place: &Place, settings: Settings) -> Result<Self, StoreError> {
        Ok(Self { bases: Bases::open(place)?, settings })
    }

    /// Looks at documents. No lock is taken: when a writer was at work meanwhile, `look` is called
    /// again, and what it returned before is forgotten.
    pub fn read<T, E: From<StoreError>>(
        &self,
        look: impl FnMut(&View<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.read_with_notes(look).map(|(seen, _)| seen)
    }

    /// Reads, and says what was looked at.
    pub(crate) fn read_with_notes<T, E: From<StoreError>>(
        &self,
        mut look: impl FnMut(&View<'_>) -> Result<T, E>,
    ) -> Result<(T, Reads), E> {
        for _ in 0..TRIES {
            // A writer at work may show us its lines half way; nothing is concluded from that.
            let journal = self.journal().map_err(StoreError::from)?;
            let Ok(tail) = self.tail(journal.as_ref()) else { continue };
            if let Some(seen) = self.try_read(journal.as_ref(), &tail, &mut look)? {
                return Ok(seen);
            }
        }
        let state = self.state().map_err(StoreError::from)?;
        let wait = self.settings.reader_wait;
        let _lock = state.as_ref().map(|state| lock::take(state, wait)).transpose()?;
        let journal = self.journal().map_err(StoreError::from)?;
        let tail = self.tail(journal.as_ref())?;
        let seen = self.try_read(journal.as_ref(), &tail, &mut look)?;
        seen.ok_or_else(|| StoreError::Busy { waited: wait }.into())
    }

    /// Looks once; nothing when a writer was at work.
    fn try_read<T, E: From<StoreError>>(
        &self,
        journal: Option<&Dir>,
        tail: &Tail,
        look: &mut impl FnMut(&View<'_>) -> Result<T, E>,
    ) -> Result<Option<(T, Reads)>, E> {
        let view = View::new(&self.bases, journal, tail, tail.last.next());
        let seen = look(&view);
        // Opened anew: a journal that was set aside meanwhile is not the one to ask.
        let quiet = match (journal, self.journal().map_err(StoreError::from)?) {
            (Some(_), Some(now)) => tail.still_true(&now)?,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        if quiet { seen.map(|seen| Some((seen, view.into_reads()))) } else { Ok(None) }
    }

    pub(crate) fn tail(&self, journal: Option<&Dir>) -> Result<Tail, StoreError> {
        match journal {
            Some(journal) => Tail::read(journal, self.settings.boot.as_deref()),
            None => Ok(Tail::empty()),
        }
    }

    /// Opens `.sprag`, where it exists.
    pub(crate) fn state(&self) -> Result<Option<Dir>, PathError> {
        self.bases.main().enter(FOLDER)
    }

    pub(crate) fn journal(&self) -> Result<Option<Dir>, PathError> {
        self.state()?.map_or(Ok(None), |state| state.enter(segment::FOLDER))
    }

    /// Returns the last line of the journal.
    pub fn last(&self) -> Result<Seq, StoreError> {
        Ok(self.tail(self.journal()?.as_ref())?.last)
    }

    /// Marks a document as seen just now. This is no commit and changes no text.
    pub fn touch(&self, doc: &DocPath) -> Result<(), StoreError> {
        let Some(spot) = self.bases.locate(&self.bases.key(doc)) else { return Ok(()) };
        if let Some(folder) = spot.base().folder_of(&spot.path)? {
            folder.touch(spot.path.file_name())?;
        }
        Ok(())
    }
}
