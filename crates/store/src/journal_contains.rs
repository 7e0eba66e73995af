//! Checks whether the journal contains a certain event, without reading all of it.
//!
//! Lines are first found by a text that they contain, and only those lines are parsed. So the check
//! is cheap enough for a decision that must be quick.

use memchr::memmem;
use sprag_core::Seq;

use crate::error::StoreError;
use crate::line::{Event, Line};
use crate::segment;
use crate::store::Store;

impl Store {
    /// Returns whether the journal has an event for which `is_it` returns true; every such event
    /// must contain `text`. The newest lines are searched first.
    pub fn tells(&self, text: &str, is_it: impl Fn(&Event) -> bool) -> Result<bool, StoreError> {
        let Some(journal) = self.journal()? else { return Ok(false) };
        let mut segments: Vec<Seq> = segment::all(&journal)?;
        let finder = memmem::FinderRev::new(text);
        // The event is usually recent, so the end of the last segment is enough, however long that
        // segment is.
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

/// How many bytes of the last segment are searched first.
const END: u64 = 64 << 10;

/// Returns whether one of the lines has an event for which `is_it` returns true, newest first.
fn holds(bytes: &[u8], finder: &memmem::FinderRev<'_>, is_it: impl Fn(&Event) -> bool) -> bool {
    let mut rest = bytes;
    while let Some(at) = finder.rfind(rest) {
        let start = memchr::memrchr(b'\n', &rest[..at]).map_or(0, |end| end + 1);
        let whole = &bytes[start..];
        let line = memchr::memchr(b'\n', whole).map(|end| &whole[..end]);
        // An incomplete line, at either end, does not count.
        let line = line.and_then(|line| Line::decode(line).ok());
        if line.is_some_and(|line| line.events.iter().any(&is_it)) {
            return true;
        }
        rest = &bytes[..start];
    }
    false
}
