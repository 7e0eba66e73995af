//! The head: a small file that records where the journal ends, for a quick start.
//!
//! It is written in place and never synced, so it may be lost or torn at any time. Then the journal
//! itself is read.

use std::os::unix::fs::FileExt;

use serde::{Deserialize, Serialize};
use sprag_core::{Hash, Seq};

use crate::dir::Dir;
use crate::error::{Context, PathError};

const NAME: &str = "head";
const VERSION: u32 = 1;
/// The head is padded to this length, so that nothing of a longer one stays behind.
const LENGTH: usize = 256;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JournalHead {
    v: u32,
    /// The boot during which it was written.
    pub(crate) boot: String,
    /// The segment, named by its first line.
    pub(crate) seg: Seq,
    /// The offset at which the last applied line ends.
    pub(crate) off: u64,
    /// The last applied line.
    pub(crate) seq: Seq,
    /// The offset at which the last checkpoint begins.
    pub(crate) ck_off: u64,
    /// The line of the last checkpoint.
    pub(crate) ck_seq: Seq,
}

impl JournalHead {
    pub(crate) fn new(boot: &str, seg: Seq, end: (u64, Seq), checkpoint: (u64, Seq)) -> Self {
        let boot = boot.to_owned();
        let ((off, seq), (ck_off, ck_seq)) = (end, checkpoint);
        Self { v: VERSION, boot, seg, off, seq, ck_off, ck_seq }
    }

    /// Reads the head's bytes, and the head itself if it is intact and of our version.
    pub(crate) fn read(journal: &Dir) -> Result<(Option<Vec<u8>>, Option<Self>), PathError> {
        let bytes = Self::bytes(journal)?;
        let head = bytes.as_deref().and_then(Self::decode);
        Ok((bytes, head))
    }

    /// Reads the head's bytes without decoding them.
    pub(crate) fn bytes(journal: &Dir) -> Result<Option<Vec<u8>>, PathError> {
        journal.read(NAME, 4096)
    }

    /// Overwrites the head in place.
    pub(crate) fn write(&self, journal: &Dir) -> Result<(), PathError> {
        let (file, _) = journal.open_or_make(NAME)?;
        file.write_all_at(self.encode().as_bytes(), 0).context("write", journal.path_of(NAME))
    }

    fn encode(&self) -> String {
        // The struct holds only numbers and one string, so it always serialises.
        let mut text = serde_json::to_string(self).unwrap_or_default();
        text.pop();
        let sum = Hash::of(&text).short(16);
        let text = format!("{text},\"sum\":\"{sum}\"}}");
        format!("{text:<width$}\n", width = LENGTH - 1)
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?.lines().next()?.trim_end();
        let (body, sum) = text.rsplit_once(",\"sum\":\"")?;
        let good = sum.strip_suffix("\"}")? == Hash::of(body).short(16);
        let head: Self = serde_json::from_str(text).ok().filter(|_| good)?;
        (head.v == VERSION && head.seq <= Seq::MAX).then_some(head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_head_is_no_head() {
        let old = JournalHead::new("boot-a", Seq(1), (1000, Seq(900)), (500, Seq(850)));
        let new = JournalHead::new("boot-b", Seq(901), (80, Seq(902)), (0, Seq(901)));
        let (from, to) = (old.encode(), new.encode());
        assert_eq!((from.len(), to.len()), (LENGTH, LENGTH));
        for cut in 0..=LENGTH {
            let mixed = [&to.as_bytes()[..cut], &from.as_bytes()[cut..]].concat();
            match JournalHead::decode(&mixed) {
                None => {}
                Some(head) if mixed == from.as_bytes() => assert_eq!(head, old),
                Some(head) => assert_eq!(head, new, "cut at {cut}"),
            }
        }
    }
}
