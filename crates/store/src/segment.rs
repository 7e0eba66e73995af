//! The files of the journal, each named after the sequence number of its first line.

use sprag_core::Seq;

use crate::dir::{Dir, is_file};
use crate::error::{PathError, StoreError};
use crate::sys;

pub(crate) const FOLDER: &str = "journal";
/// A segment of this length is followed by a new one.
pub(crate) const FULL: u64 = 1 << 20;
/// More than a full segment plus the largest write behind it.
pub(crate) const MAX_READ: u64 = 32 << 20;

pub(crate) fn name(first: Seq) -> String {
    format!("{:020}.jsonl", first.0)
}

/// Parses a segment's file name.
pub(crate) fn parse(file: &str) -> Option<Seq> {
    let digits = file.strip_suffix(".jsonl").filter(|digits| digits.len() == 20)?;
    digits.parse().ok().map(Seq)
}

/// The existing segments, oldest first.
pub(crate) fn all(journal: &Dir) -> Result<Vec<Seq>, PathError> {
    Ok(journal.names()?.iter().filter_map(|file| parse(file)).collect())
}

/// The bytes of a segment from some offset on, and the file's stamp at that time.
pub(crate) struct SegmentTail {
    pub(crate) bytes: Vec<u8>,
    pub(crate) stamp: Stamp,
}

/// A file's length and time of change, to detect writes by other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) length: u64,
    changed: (i64, u64),
}

/// Reads a segment from `offset` to its end, or returns `None` if it does not exist. Usually
/// nothing follows `offset`, and then the file is not even opened.
pub(crate) fn read(
    journal: &Dir,
    first: Seq,
    offset: u64,
) -> Result<Option<SegmentTail>, StoreError> {
    let Some(stat) = journal.stat(&name(first))? else { return Ok(None) };
    let stamp = stamp_of(&stat);
    if stamp.length == offset && is_file(&stat) {
        return Ok(Some(SegmentTail { bytes: Vec::new(), stamp }));
    }
    open(journal, first, offset)
}

/// Opens a segment and reads it from `offset` to its end.
pub(crate) fn open(
    journal: &Dir,
    first: Seq,
    offset: u64,
) -> Result<Option<SegmentTail>, StoreError> {
    use std::io::{Seek, SeekFrom};
    let file_name = name(first);
    let path = journal.path().join(&file_name);
    let Some((mut file, stat)) = journal.open_with_stat(&file_name)? else { return Ok(None) };
    let io =
        |error: std::io::Error| PathError { action: "read", path: path.clone(), source: error };
    let stamp = stamp_of(&stat);
    let unknown = |why: String| StoreError::Unknown { path: path.clone(), why };
    if stamp.length < offset {
        return Err(unknown(format!("it has {} bytes, and {offset} were written", stamp.length)));
    }
    if stamp.length - offset > MAX_READ {
        return Err(unknown(format!("it has {} bytes, far more than we write", stamp.length)));
    }
    file.seek(SeekFrom::Start(offset)).map_err(io)?;
    let size = usize::try_from(stamp.length - offset).unwrap_or(0);
    let bytes = crate::dir::read_capped(file, size, MAX_READ + FULL).map_err(io)?;
    Ok(Some(SegmentTail { bytes, stamp }))
}

pub(crate) fn stamp_of(stat: &rustix::fs::Stat) -> Stamp {
    let length = u64::try_from(stat.st_size).unwrap_or(0);
    Stamp { length, changed: sys::changed(stat) }
}
