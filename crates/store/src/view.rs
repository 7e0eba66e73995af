//! What a decision may see: documents and listings, with a note of each that was looked at.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use sprag_core::{DocPath, Hash, Seq};

use crate::apply;
use crate::chain::Chains;
use crate::dir::Dir;
use crate::doc::{Doc, Listing, Version};
use crate::known::Recent;
use crate::place::{Bases, Key};
use crate::tail::Tail;

/// How long a document that should be there is waited for: `git checkout` removes a file, makes
/// it anew and writes it, and the moments between are not what anybody meant.
const PATIENCE: u32 = 10;

/// A consistent look at the project's documents.
#[derive(Debug)]
pub struct View<'a> {
    bases: &'a Bases,
    journal: Option<&'a Dir>,
    tail: &'a Tail,
    chains: Chains,
    recent: Lines<'a>,
    /// Each document is read once: a decision sees the same text whenever it asks.
    seen: RefCell<BTreeMap<Key, Doc>>,
    seq: Seq,
    reads: Reads,
}

/// The lines since the last checkpoint.
#[derive(Debug)]
enum Lines<'a> {
    /// Whoever holds the lock has them.
    Had(&'a Recent),
    /// They are read when somebody asks, and mostly nobody does.
    OnceAsked(OnceCell<Option<Recent>>),
}

/// What a decision looked at: if none of it changed, the decision stands.
#[derive(Debug, Default)]
pub(crate) struct Reads {
    docs: RefCell<BTreeMap<Key, Version>>,
    /// A folder may have very many names, so what stands for them is kept.
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

    /// Returns whether the decision does not accept the foreign change of a document.
    pub(crate) fn disputes(&self, key: &Key) -> bool {
        self.disputed.borrow().contains(key)
    }

    /// Returns the place in the journal the decision counted on, if it asked for one.
    pub(crate) fn seq(&self) -> Option<Seq> {
        self.seq.get()
    }

    /// Returns whether a second look sees the same.
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
        seq: Seq,
    ) -> Self {
        let chains = Chains::of(&tail.pending);
        let recent = Lines::OnceAsked(OnceCell::new());
        let (seen, reads) = (RefCell::default(), Reads::default());
        Self { bases, journal, tail, chains, recent, seen, seq, reads }
    }

    /// Uses lines that were read already.
    pub(crate) fn with(self, recent: &'a Recent) -> Self {
        Self { recent: Lines::Had(recent), ..self }
    }

    /// Reads a document as the journal leaves it: what was committed and is not yet written to
    /// the file counts as written.
    pub fn read(&self, doc: &DocPath) -> Doc {
        let key = self.bases.key(doc);
        let read = self.by_key(&key);
        self.reads.docs.borrow_mut().insert(key, read.version());
        read
    }

    /// Reads a document of the main worktree, wherever this is.
    pub fn read_in_main(&self, doc: &DocPath) -> Doc {
        let key = Key::plain(doc);
        let read = self.by_key(&key);
        self.reads.docs.borrow_mut().insert(key, read.version());
        read
    }

    /// Returns the name of the linked worktree that is looked at; the main one has an empty name.
    pub fn worktree(&self) -> &str {
        self.bases.worktree()
    }

    /// Lists a folder's names. Names that begin with a dot are not listed: our temporaries and
    /// other programs' are among them.
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

    /// Adds to a folder's names what is committed and not yet written, and takes out what is
    /// committed to go.
    fn with_pending(&self, folder: &DocPath, found: Option<Vec<String>>) -> Listing {
        let mut there = found.is_some();
        // A folder may have very many names: where nothing is pending, they are held once.
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

    /// Returns the place that a line committed now would have.
    pub fn seq(&self) -> Seq {
        self.reads.seq.set(Some(self.seq));
        self.seq
    }

    /// Returns the last line of the journal.
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
            Err(error) => Doc::Unknown(crate::doc::Why::Refused(error.to_string())),
        }
    }

    /// Returns whether a document is missing or empty that the journal left with a text.
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

    /// Returns where the next line goes, as far as it is known now.
    pub(crate) fn end(&self) -> Option<(Seq, u64)> {
        self.tail.segment.map(|segment| (segment, self.tail.end))
    }

    /// Returns the version in which the journal left a document, where it knows it.
    pub(crate) fn known(&self, doc: &DocPath) -> Option<Version> {
        self.tip(&self.bases.key(doc))
    }

    /// Returns the text of a document without taking note that it was looked at.
    pub(crate) fn text_of(&self, doc: &DocPath) -> Option<String> {
        self.by_key(&self.bases.key(doc)).text().map(str::to_owned)
    }

    /// Does not record the foreign change of a document: the version that the journal left stays the
    /// known one until a decision edits the document.
    pub fn leave_unsaid(&self, doc: &DocPath) {
        self.reads.disputed.borrow_mut().insert(self.bases.key(doc));
    }

    /// Returns the journal, where there is one, the lines since its last checkpoint, and the name that
    /// it has for a document.
    pub(crate) fn memory(&self, doc: &DocPath) -> Option<(&Dir, &Recent, Key)> {
        Some((self.journal?, self.recent()?, self.bases.key(doc)))
    }

    /// Asks the journal.
    fn tip(&self, key: &Key) -> Option<Version> {
        self.recent()?.tip(self.journal?, key).ok()?
    }

    /// Returns the lines since the last checkpoint.
    fn recent(&self) -> Option<&Recent> {
        let journal = self.journal?;
        match &self.recent {
            Lines::Had(recent) => Some(recent),
            Lines::OnceAsked(cell) => {
                cell.get_or_init(|| Recent::read(journal, self.tail).ok()).as_ref()
            }
        }
    }

    pub(crate) fn reads(&self) -> &Reads {
        &self.reads
    }

    pub(crate) fn into_reads(self) -> Reads {
        self.reads
    }
}
