//! The documents and listings that a decision sees, with a record of each one that it read.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use sprag_core::{DocPath, Hash, Seq};

use crate::apply;
use crate::chain::Chains;
use crate::dir::Dir;
use crate::doc::{Doc, Listing, Version};
use crate::known::{LastRead, Recent};
use crate::place::{Bases, Key};
use crate::tail::Tail;

/// How many milliseconds to wait for a document that should exist: `git checkout` removes a file,
/// creates it again and then writes it, and the states between are never intended.
const PATIENCE: u32 = 10;

/// A consistent view of the project's documents.
#[derive(Debug)]
pub struct View<'a> {
    bases: &'a Bases,
    journal: Option<&'a Dir>,
    tail: &'a Tail,
    chains: Chains,
    recent: RecentLines<'a>,
    /// Each document is read once, so a decision always sees the same text.
    seen: RefCell<BTreeMap<Key, Doc>>,
    seq: Seq,
    reads: Reads,
}

/// The lines since the last checkpoint.
#[derive(Debug)]
enum RecentLines<'a> {
    /// Already read by the lock's holder.
    Had(&'a Recent),
    /// Read on first use, which is rare.
    OnceAsked { read: OnceCell<Option<Box<Recent>>>, last: &'a LastRead },
}

/// The reads of a decision: if none of them changed, the decision is still valid.
#[derive(Debug, Default)]
pub(crate) struct Reads {
    docs: RefCell<BTreeMap<Key, Version>>,
    /// Folders may have very many names, so only a hash is kept.
    lists: RefCell<BTreeMap<DocPath, Hash>>,
    /// Documents whose foreign change the decision does not accept.
    disputed: RefCell<BTreeSet<Key>>,
    seq: Cell<Option<Seq>>,
}

impl Reads {
    pub(crate) fn keys(&self) -> Vec<Key> {
        self.docs.borrow().keys().cloned().collect()
    }

    pub(crate) fn version(&self, key: &Key) -> Option<Version> {
        self.docs.borrow().get(key).cloned()
    }

    pub(crate) fn disputes(&self, key: &Key) -> bool {
        self.disputed.borrow().contains(key)
    }

    /// The sequence number that the decision relied on, if it asked for one.
    pub(crate) fn seq(&self) -> Option<Seq> {
        self.seq.get()
    }

    /// Returns whether reading everything again gives the same results.
    pub(crate) fn still_true(&self, view: &View<'_>) -> bool {
        let docs = self.docs.borrow();
        let lists = self.lists.borrow();
        docs.iter().all(|(key, version)| view.by_key(key).version() == *version)
            && lists.iter().all(|(folder, listing)| view.list(folder).hash() == *listing)
    }
}

impl<'a> View<'a> {
    pub(crate) fn new(
        bases: &'a Bases,
        journal: Option<&'a Dir>,
        tail: &'a Tail,
        last: &'a LastRead,
        seq: Seq,
    ) -> Self {
        let chains = Chains::of(&tail.pending);
        let recent = RecentLines::OnceAsked { read: OnceCell::new(), last };
        let (seen, reads) = (RefCell::default(), Reads::default());
        Self { bases, journal, tail, chains, recent, seen, seq, reads }
    }

    /// Uses lines that were already read.
    pub(crate) fn with(self, recent: &'a Recent) -> Self {
        Self { recent: RecentLines::Had(recent), ..self }
    }

    /// Reads a document as the journal leaves it: a committed text counts even if it is not yet in
    /// the file.
    pub fn read(&self, doc: &DocPath) -> Doc {
        let key = self.bases.key(doc);
        let read = self.by_key(&key);
        self.reads.docs.borrow_mut().insert(key, read.version());
        read
    }

    /// Reads a document of the main worktree, from any worktree.
    pub fn read_in_main(&self, doc: &DocPath) -> Doc {
        let key = Key::plain(doc);
        let read = self.by_key(&key);
        self.reads.docs.borrow_mut().insert(key, read.version());
        read
    }

    /// The name of this linked worktree, or an empty string for the main one.
    pub fn worktree(&self) -> &str {
        self.bases.worktree()
    }

    /// Lists a folder's names, except those that begin with a dot: our temporary files and those of
    /// other programs are among them.
    pub fn list(&self, folder: &DocPath) -> Listing {
        let spot = self.bases.locate(&self.bases.key(folder));
        let found = spot.map_or(Ok(None), |spot| spot.base().folder(&spot.path));
        let listing = match found.and_then(|dir| dir.map(|dir| dir.names()).transpose()) {
            Ok(names) => self.with_pending(folder, names),
            Err(error) => Listing::Unknown((&error).into()),
        };
        self.reads.lists.borrow_mut().insert(folder.clone(), listing.hash());
        listing
    }

    /// Adds committed documents that are not yet written to a folder's names, and takes out those
    /// committed to be removed.
    fn with_pending(&self, folder: &DocPath, found: Option<Vec<String>>) -> Listing {
        let mut there = found.is_some();
        // A folder may have very many names: if nothing is pending, they are not copied.
        let mut names = found.unwrap_or_default();
        names.retain(|name| !name.starts_with('.'));
        names.sort_unstable();
        if self.chains.keys().next().is_none() {
            return if there { Listing::Names(names) } else { Listing::Absent };
        }
        let mut names: BTreeSet<String> = names.into_iter().collect();
        let prefix = format!("{}/", self.bases.key(folder));
        for key in self.chains.keys() {
            let Some(below) = key.0.strip_prefix(&prefix) else { continue };
            match (self.by_key(key), below.split_once('/')) {
                (Doc::Text(_), Some((name, _))) => there |= names.insert(name.to_owned()),
                (Doc::Text(_), None) => there |= names.insert(below.to_owned()),
                (Doc::Absent, None) => there |= names.remove(below),
                (Doc::Absent, Some(_)) | (Doc::Unknown(_), _) => {}
            }
        }
        names.retain(|name| !name.starts_with('.'));
        if there { Listing::Names(names.into_iter().collect()) } else { Listing::Absent }
    }

    /// The sequence number that a line committed now would get.
    pub fn seq(&self) -> Seq {
        self.reads.seq.set(Some(self.seq));
        self.seq
    }

    pub fn last(&self) -> Seq {
        self.tail.last
    }

    /// Returns the documents whose committed text is not yet in their files.
    pub fn pending(&self) -> Vec<String> {
        let Some(journal) = self.journal else { return Vec::new() };
        let waits = |key: &&Key| {
            let now = self.bases.locate(key).map_or(Doc::Absent, |spot| apply::read(&spot));
            matches!(self.chains.forward(journal, key, &now), Ok(Some(_)) | Err(_))
        };
        self.chains.keys().filter(waits).map(ToString::to_string).collect()
    }

    pub(crate) fn by_key(&self, key: &Key) -> Doc {
        if let Some(doc) = self.seen.borrow().get(key) {
            return doc.clone();
        }
        let doc = self.look_up(key);
        self.seen.borrow_mut().insert(key.clone(), doc.clone());
        doc
    }

    fn look_up(&self, key: &Key) -> Doc {
        let Some(spot) = self.bases.locate(key) else { return Doc::Absent };
        let mut doc = apply::read(&spot);
        for _ in 0..PATIENCE {
            if !self.looks_unfinished(key, &doc) {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
            doc = apply::read(&spot);
        }
        let Some(journal) = self.journal else { return doc };
        match self.chains.forward(journal, key, &doc) {
            Ok(forward) => forward.unwrap_or(doc),
            Err(error) => Doc::Unknown(crate::doc::UnreadableCause::Refused(error.to_string())),
        }
    }

    /// Returns whether a document is missing or empty although the journal left it with a text.
    fn looks_unfinished(&self, key: &Key, doc: &Doc) -> bool {
        let bare = match doc {
            Doc::Absent => true,
            Doc::Text(text) => text.is_empty(),
            Doc::Unknown(_) => false,
        };
        bare && match self.tip(key) {
            Some(Version::Text(hash)) => hash != Hash::of(""),
            Some(Version::Absent | Version::Unknown) | None => false,
        }
    }

    /// The position of the next line, as far as it is known now.
    pub(crate) fn end(&self) -> Option<(Seq, u64)> {
        self.tail.segment.map(|segment| (segment, self.tail.end))
    }

    /// The version in which the journal left a document, if it knows the document.
    pub(crate) fn known(&self, doc: &DocPath) -> Option<Version> {
        self.tip(&self.bases.key(doc))
    }

    /// The text of a document, without recording a read.
    pub(crate) fn text_of(&self, doc: &DocPath) -> Option<String> {
        self.by_key(&self.bases.key(doc)).text().map(str::to_owned)
    }

    /// Keeps a document's foreign change out of the journal: the version that the journal left
    /// stays the known one until a decision edits the document.
    pub fn leave_unsaid(&self, doc: &DocPath) {
        self.reads.disputed.borrow_mut().insert(self.bases.key(doc));
    }

    /// Returns the journal, if it exists, with the lines since its last checkpoint and the
    /// document's name in it.
    pub(crate) fn memory(&self, doc: &DocPath) -> Option<(&Dir, &Recent, Key)> {
        Some((self.journal?, self.recent()?, self.bases.key(doc)))
    }

    /// Looks a document up in the journal.
    fn tip(&self, key: &Key) -> Option<Version> {
        self.recent()?.tip(self.journal?, key).ok()?
    }

    fn recent(&self) -> Option<&Recent> {
        let journal = self.journal?;
        match &self.recent {
            RecentLines::Had(recent) => Some(recent),
            RecentLines::OnceAsked { read, last } => {
                let once = || Recent::read_once(journal, self.tail, last).ok().map(Box::new);
                read.get_or_init(once).as_deref()
            }
        }
    }

    pub(crate) fn reads(&self) -> &Reads {
        &self.reads
    }

    /// Ends the view. Its lines stay at hand for the next one.
    pub(crate) fn into_reads(self) -> Reads {
        if let RecentLines::OnceAsked { read, last } = self.recent
            && let Some(Some(recent)) = read.into_inner()
        {
            last.keep(*recent);
        }
        self.reads
    }
}
