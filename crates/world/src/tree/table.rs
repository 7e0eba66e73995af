//! Caches the state of every file, so that only changed files are read again.
//!
//! The table may be deleted at any time, and an unreadable one counts as none.

use std::collections::HashMap;
use std::path::Path;

use sprag_core::Hash;
use sprag_store::CacheDir;

use super::TreeError;
use super::entry::{EntryKind, Moment, Stamp, TreeEntry, join, unreadable};
use super::listing::Listing;
use crate::process::StopHandle;

/// Files and folders at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    /// When the scan began; stamps of that time or later prove nothing.
    taken: Moment,
    pub(super) entries: Vec<TreeEntry>,
}

const HEAD: &str = "sprag tree 1";
const MAX: u64 = 64 << 20;

impl Table {
    /// Scans all listed entries. Files whose stamps match in `known` are not read.
    pub(super) fn of(
        root: &Path,
        listing: &Listing,
        known: Option<&Self>,
        now: Moment,
        stop: Option<&StopHandle>,
    ) -> Result<Self, TreeError> {
        let old: HashMap<(&[u8], u8), &TreeEntry> = known
            .into_iter()
            .flat_map(|table| &table.entries)
            .map(|entry| ((entry.path.as_slice(), letter(entry.kind)), entry))
            .collect();
        let then = known.map_or(0, |table| table.taken);
        let mut entries = Vec::new();
        for (kind, path) in listing.all() {
            let whole = join(root, path);
            let stamp = Stamp::of(&whole).map_err(|error| unreadable(&whole, error))?;
            let entry = match old.get(&(path, letter(kind))) {
                Some(old) if old.stamp == stamp && !stamp.is_racy(then) => (*old).clone(),
                Some(_) | None => read(&whole, kind, path, stamp, stop)?,
            };
            if kind != EntryKind::File || entry.stamp.is_file() {
                entries.push(entry);
            }
        }
        Ok(Self { taken: now, entries })
    }

    /// Scans all entries of the table again. `None` if a name may have come or gone, so that the
    /// files must be listed anew.
    pub(super) fn refresh(
        &self,
        root: &Path,
        now: Moment,
        stop: Option<&StopHandle>,
    ) -> Result<Option<Self>, TreeError> {
        let mut entries = Vec::with_capacity(self.entries.len());
        let mut is_same = true;
        for old in &self.entries {
            let whole = join(root, &old.path);
            let stamp = Stamp::of(&whole).map_err(|error| unreadable(&whole, error))?;
            if stamp == old.stamp && !stamp.is_racy(self.taken) {
                entries.push(old.clone());
                continue;
            }
            is_same = false;
            let entry = read(&whole, old.kind, &old.path, stamp, stop)?;
            let is_listed = match old.kind {
                EntryKind::File => entry.stamp.is_file(),
                EntryKind::Folder => entry.stamp.is_folder() && entry.content == old.content,
                EntryKind::Watched => entry.content == old.content,
            };
            if !is_listed {
                return Ok(None);
            }
            entries.push(entry);
        }
        let taken = if is_same { self.taken } else { now };
        Ok(Some(Self { taken, entries }))
    }

    pub(super) fn read(shelf: &CacheDir, name: &str) -> Option<Self> {
        let bytes = shelf.read(name, MAX).ok()??;
        let (body, sum) = bytes.split_at_checked(bytes.len().checked_sub(16)?)?;
        if Hash::of(body).short(16).as_bytes() != sum {
            return None;
        }
        let mut records = body.split(|&byte| byte == 0);
        let head = std::str::from_utf8(records.next()?).ok()?;
        let taken = head.strip_prefix(HEAD)?.trim().parse().ok()?;
        let entries = records.filter(|record| !record.is_empty()).map(entry);
        Some(Self { taken, entries: entries.collect::<Option<_>>()? })
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        use std::io::Write as _;
        let mut out = Vec::with_capacity(self.entries.len() * 200);
        // Writing to memory does not fail.
        let _ = write!(out, "{HEAD} {}\0", self.taken);
        for TreeEntry { path, kind, stamp, content } in &self.entries {
            let Stamp { mode, size, number, modified, changed } = stamp;
            let kind = char::from(letter(*kind));
            let _ = write!(out, "{kind} {mode} {size} {number} {modified} {changed} {content} ");
            out.extend_from_slice(path);
            out.push(0);
        }
        let sum = Hash::of(&out).short(16);
        out.extend_from_slice(sum.as_bytes());
        out
    }
}

/// Reads a path, unless a stop was requested: reading one path takes limited time.
fn read(
    whole: &Path,
    kind: EntryKind,
    path: &[u8],
    stamp: Stamp,
    stop: Option<&StopHandle>,
) -> Result<TreeEntry, TreeError> {
    if stop.is_some_and(StopHandle::is_asked) {
        return Err(TreeError::Interrupted);
    }
    TreeEntry::read(whole, kind, path, stamp)
}

const fn letter(kind: EntryKind) -> u8 {
    match kind {
        EntryKind::File => b'f',
        EntryKind::Folder => b'd',
        EntryKind::Watched => b'w',
    }
}

fn entry(record: &[u8]) -> Option<TreeEntry> {
    let mut fields = record.splitn(8, |&byte| byte == b' ');
    let mut text = || std::str::from_utf8(fields.next()?).ok();
    let kind = match text()? {
        "f" => EntryKind::File,
        "d" => EntryKind::Folder,
        "w" => EntryKind::Watched,
        _ => return None,
    };
    let stamp = Stamp {
        mode: text()?.parse().ok()?,
        size: text()?.parse().ok()?,
        number: text()?.parse().ok()?,
        modified: text()?.parse().ok()?,
        changed: text()?.parse().ok()?,
    };
    let content = Hash::parse(text()?)?;
    Some(TreeEntry { path: fields.next()?.to_vec(), kind, stamp, content })
}
