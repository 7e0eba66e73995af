//! Looks whether the journal tells of something, without reading all of it.
//!
//! Whatever stands in a line as a text of its own is found by its bytes first; only lines that hold
//! it are read. So it costs little even before a decision that must not take long.

use memchr::memmem;
use sprag_core::Seq;

use crate::error::StoreError;
use crate::line::{Event, Line};
use crate::segment;
use crate::store::Store;

impl Store {
    /// Returns whether the journal has an event that `is_it`; `text` is what such an event surely
    /// holds. The newest lines are looked at first.
    pub fn tells(&self, text: &str, is_it: impl Fn(&Event) -> bool) -> Result<bool, StoreError> {
        let Some(journal) = self.journal()? else { return Ok(false) };
        let mut segments: Vec<Seq> = segment::all(&journal)?;
        let finder = memmem::FinderRev::new(text);
        // Mostly it was just told: then the end of the last segment is enough, however long that is.
        if let Some(first) = segments.last().copied() {
            let length = journal
                .stat(&segment::name(first))?
                .map_or(0, |stat| segment::stamp_of(&stat).length);
            let part = segment::open(&journal, first, length.saturating_sub(END))?;
            if part.is_some_and(|part| holds(&part.bytes, &finder, &is_it)) {
                return Ok(true);
            }
        }
        while let Some(first) = segments.pop() {
            let Some(part) = segment::open(&journal, first, 0)? else { continue };
            if holds(&part.bytes, &finder, &is_it) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// How much of a segment is looked at first.
const END: u64 = 64 << 10;

/// Returns whether one of the lines has an event that `is_it`, the last one first.
fn holds(bytes: &[u8], finder: &memmem::FinderRev<'_>, is_it: impl Fn(&Event) -> bool) -> bool {
    let mut rest = bytes;
    while let Some(at) = finder.rfind(rest) {
        let start = memchr::memrchr(b'\n', &rest[..at]).map_or(0, |end| end + 1);
        let whole = &bytes[start..];
        let line = memchr::memchr(b'\n', whole).map(|end| &whole[..end]);
        // A line that is not whole, at either end, does not count.
        let line = line.and_then(|line| Line::decode(line).ok());
        if line.is_some_and(|line| line.events.iter().any(&is_it)) {
            return true;
        }
        rest = &bytes[..start];
    }
    false
}
