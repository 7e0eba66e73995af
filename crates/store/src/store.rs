use std::time::Duration;

use sprag_core::{DocPath, Seq};

use crate::dir::Dir;
use crate::error::{PathError, StoreError};
use crate::known::LastRead;
use crate::place::{Bases, Place};
use crate::tail::Tail;
use crate::view::{Reads, View};
use crate::{lock, segment, sys};

pub(crate) const FOLDER: &str = ".sprag";
/// How many times a reader tries between writers before it takes the lock.
const TRIES: u32 = 5;

/// Settings of a store. [`Settings::new`] has the product's values.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The id of the machine's current boot, or `None` if unknown.
    pub boot: Option<String>,
    /// The number of journal segments to keep, of about one MiB each.
    pub keep_segments: usize,
    /// How long a reader waits for the lock when writers leave it no quiet moment.
    pub reader_wait: Duration,
    /// The sequence number of the first line of a new journal. It must be later than any line of a
    /// lost journal of this project, so the product uses the current time in microseconds.
    pub first: Seq,
}

impl Settings {
    /// The product's settings for a store that is opened now.
    pub fn new(first: Seq) -> Self {
        let reader_wait = Duration::from_secs(5);
        Self { boot: sys::boot_id(), keep_segments: 256, reader_wait, first }
    }
}

#[derive(Debug)]
pub struct Store {
    pub(crate) bases: Bases,
    pub(crate) settings: Settings,
    pub(crate) last_read: LastRead,
}

impl Store {
    /// Opens a project without writing anything; the folders need not exist yet. A new journal
    /// starts at `first`.
    pub fn open(place: &Place, first: Seq) -> Result<Self, StoreError> {
        Self::open_with(place, Settings::new(first))
    }

    pub fn open_with(place: &Place, settings: Settings) -> Result<Self, StoreError> {
        Ok(Self { bases: Bases::open(place)?, settings, last_read: LastRead::default() })
    }

    /// Reads documents without a lock. If a writer was active meanwhile, `look` is called again and
    /// its earlier result is dropped.
    pub fn read<T, E: From<StoreError>>(
        &self,
        look: impl FnMut(&View<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.read_with_notes(look).map(|(seen, _)| seen)
    }

    /// Reads, and also returns a record of everything that was read.
    pub(crate) fn read_with_notes<T, E: From<StoreError>>(
        &self,
        mut look: impl FnMut(&View<'_>) -> Result<T, E>,
    ) -> Result<(T, Reads), E> {
        let mut seen = None;
        let reads = self.visit(&mut |view| seen = Some(look(view)))?;
        // A visit without an error has called `look`.
        let seen = seen.ok_or(StoreError::Busy { waited: self.settings.reader_wait })?;
        seen.map(|seen| (seen, reads))
    }

    /// Calls `look` until no writer was active meanwhile, and returns a record of that call's
    /// reads.
    fn visit(&self, look: &mut dyn FnMut(&View<'_>)) -> Result<Reads, StoreError> {
        for _ in 0..TRIES {
            // An active writer's lines may be incomplete; conclude nothing from them.
            let state = self.state()?;
            let journal = journal_of(state.as_ref())?;
            let Ok(tail) = self.tail(journal.as_ref()) else { continue };
            let reads = self.look(journal.as_ref(), &tail, look);
            if self.is_quiet(state.as_ref(), journal.as_ref(), &tail)? {
                return Ok(reads);
            }
        }
        let state = self.state()?;
        let wait = self.settings.reader_wait;
        let _lock = state.as_ref().map(|state| lock::take_to_read(state, wait)).transpose()?;
        let journal = journal_of(state.as_ref())?;
        let tail = self.tail(journal.as_ref())?;
        Ok(self.look(journal.as_ref(), &tail, look))
    }

    fn look(&self, journal: Option<&Dir>, tail: &Tail, look: &mut dyn FnMut(&View<'_>)) -> Reads {
        let view = View::new(&self.bases, journal, tail, &self.last_read, tail.next());
        look(&view);
        view.into_reads()
    }

    /// Returns whether no writer was active since `tail` was read.
    fn is_quiet(
        &self,
        state: Option<&Dir>,
        journal: Option<&Dir>,
        tail: &Tail,
    ) -> Result<bool, StoreError> {
        match (state, journal) {
            // The journal may have been set aside meanwhile.
            (Some(state), Some(journal)) => {
                Ok(journal.is_at(state, segment::FOLDER)? && tail.still_true(journal)?)
            }
            (_, None) => Ok(self.journal()?.is_none()),
            (None, Some(_)) => Ok(false),
        }
    }

    pub(crate) fn tail(&self, journal: Option<&Dir>) -> Result<Tail, StoreError> {
        let mut tail = match journal {
            Some(journal) => Tail::read(journal, self.settings.boot.as_deref())?,
            None => Tail::empty(),
        };
        if tail.segment.is_none() {
            tail.first = self.begins(self.state()?.as_ref());
        }
        Ok(tail)
    }

    /// Opens `.sprag`, if it exists.
    pub(crate) fn state(&self) -> Result<Option<Dir>, PathError> {
        self.bases.main().enter(FOLDER)
    }

    pub(crate) fn journal(&self) -> Result<Option<Dir>, PathError> {
        journal_of(self.state()?.as_ref())
    }

    /// The sequence number of the journal's last line.
    pub fn last(&self) -> Result<Seq, StoreError> {
        Ok(self.tail(self.journal()?.as_ref())?.last)
    }

    /// Sets a document's modification time to now. This is not a commit and changes no text.
    pub fn touch(&self, doc: &DocPath) -> Result<(), StoreError> {
        let Some(spot) = self.bases.locate(&self.bases.key(doc)) else { return Ok(()) };
        Ok(spot.base().touch_below(&spot.path)?)
    }
}

fn journal_of(state: Option<&Dir>) -> Result<Option<Dir>, PathError> {
    state.map_or(Ok(None), |state| state.enter(segment::FOLDER))
}
