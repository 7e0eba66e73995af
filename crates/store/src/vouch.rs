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
        while let Some(first) = segments.pop() {
            let Some(part) = segment::open(&journal, first, 0)? else { continue };
            let mut bytes = part.bytes.as_slice();
            while let Some(at) = finder.rfind(bytes) {
                let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1);
                let whole = &part.bytes[start..];
                let line = memchr::memchr(b'\n', whole).map(|end| &whole[..end]);
                // A line that is not whole was never told.
                let line = line.and_then(|line| Line::decode(line).ok());
                if line.is_some_and(|line| line.events.iter().any(&is_it)) {
                    return Ok(true);
                }
                bytes = &part.bytes[..start];
            }
        }
        Ok(false)
    }
}
