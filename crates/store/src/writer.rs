//! The holder of the lock: finishes the previous commit, then makes the next one.

use std::collections::BTreeSet;

use sprag_core::event::{ForeignEdit, Redone};
use sprag_core::{Hash, Seq, Time};

use crate::append::{self, Batch};
use crate::apply;
use crate::chain::Chains;
use crate::commit::{CommitRequest, Committed, Edit};
use crate::copy::Otherwise;
use crate::dir::Dir;
use crate::doc::{Doc, MAX_DOCUMENT, Version};
use crate::error::{CommitError, Context, PathError, StoreError};
use crate::head::JournalHead;
use crate::known::Recent;
use crate::line::{Event, Insert, Line, LineEdit, LineSplice};
use crate::place::{DocumentLocation, Key};
use crate::staged::{Published, Staged};
use crate::store::Store;
use crate::tail::Tail;
use crate::view::{Reads, View};
use crate::{checkpoint, failpoint, parallel_sync, retain, segment, temp};

/// The actor of lines that sprag writes on its own.
const SELF: &str = "sprag";

pub(crate) struct Writer<'a> {
    store: &'a Store,
    journal: Dir,
    tail: Tail,
    recent: Recent,
    /// Documents that had to be brought forward.
    redone: Vec<Key>,
}

/// The lines that must precede the next one, and the sequence number of that one.
pub(crate) struct WritePlan {
    before: Vec<Line>,
    pub(crate) seq: Seq,
}

/// A committed line, and the result for its documents.
pub(crate) struct WrittenLine {
    pub(crate) committed: Committed,
    /// Documents that another process wrote at the last moment; its text stays.
    pub(crate) overtaken: Vec<Key>,
}

/// A document's change from one version to the next.
pub(crate) struct VersionChange<'a> {
    key: Key,
    spot: DocumentLocation<'a>,
    before: Version,
    after: Option<String>,
    splices: Vec<LineSplice>,
}

impl<'a> Writer<'a> {
    /// Opens the journal for writing and finishes an incomplete commit.
    pub(crate) fn open(store: &'a Store, state: &Dir) -> Result<Self, StoreError> {
        failpoint::reach("store.locked").context("write", state.path())?;
        let journal = state.enter_or_make(segment::FOLDER)?;
        let tail = store.tail(Some(&journal))?;
        append::cut(&journal, &tail)?;
        let recent = Recent::read_once(&journal, &tail, &store.last_read)?;
        let mut writer = Self { store, journal, tail, recent, redone: Vec::new() };
        // Without this file, the next `git add` would add the state.
        checkpoint::write_ignore_file(state, checkpoint::is_due(&writer.tail))?;
        if writer.tail.segment.is_none() {
            // The folders that lead to the journal must survive a power cut, too.
            state.sync()?;
            store.bases.main().sync()?;
        }
        writer.finish()?;
        Ok(writer)
    }

    /// Brings the documents up to date with the journal.
    fn finish(&mut self) -> Result<(), StoreError> {
        let pending = std::mem::take(&mut self.tail.pending);
        let stale = !pending.is_empty() || !self.tail.head_fresh;
        if stale {
            append::sync(&self.journal, &self.tail)?;
        }
        let chains = Chains::of(&pending);
        for key in chains.keys() {
            // Sweep even beside a document that needs no change: another program may have written
            // it meanwhile.
            if let Some(spot) = self.store.bases.locate(key) {
                temp::sweep_beside(&spot);
            }
            if bring_forward(self.store, &self.journal, &chains, key)? {
                self.redone.push(key.clone());
            }
        }
        match self.tail.segment {
            Some(first) if stale => self.write_head(first, (self.tail.end, self.tail.last))?,
            Some(_) | None => {}
        }
        Ok(())
    }

    fn write_head(&self, first: Seq, end: (u64, Seq)) -> Result<(), PathError> {
        let boot = self.store.settings.boot.as_deref().unwrap_or("");
        JournalHead::new(boot, first, end, self.tail.checkpoint).write(&self.journal)
    }

    /// The sequence number of the next line, if no other line must precede it.
    pub(crate) fn next_seq(&self) -> Seq {
        self.tail.next()
    }

    /// The view of the lock's holder.
    pub(crate) fn view(&self, seq: Seq) -> View<'_> {
        let (bases, last) = (&self.store.bases, &self.store.last_read);
        View::new(bases, Some(&self.journal), &self.tail, last, seq).with(&self.recent)
    }

    /// Determines the lines that must come first: a checkpoint if one is due, the documents that
    /// were brought forward, and texts that other programs wrote into our documents.
    pub(crate) fn plan(
        &self,
        change: &CommitRequest,
        reads: &Reads,
        view: &View<'_>,
    ) -> Result<WritePlan, StoreError> {
        let mut plan = WritePlan { before: Vec::new(), seq: self.tail.next() };
        if checkpoint::is_due(&self.tail) {
            let mut inventory = self.recent.inventory(&self.journal)?;
            inventory.update(self.recent.known()?.changed);
            plan.push(change.at, |line| line.events.push(checkpoint::event(&inventory)));
        }
        if !self.redone.is_empty() {
            let docs = self.redone.iter().map(ToString::to_string).collect();
            plan.push(change.at, |line| line.events.push(Event::new(None, Redone { docs })));
        }
        let edited: BTreeSet<Key> =
            change.edits.iter().map(|edit| self.store.bases.key(edit.doc())).collect();
        let keys: BTreeSet<Key> = reads.keys().into_iter().chain(edited.iter().cloned()).collect();
        for key in keys {
            let doc = view.by_key(&key);
            let now = doc.version();
            if reads.disputes(&key) && !edited.contains(&key) {
                continue;
            }
            let before = match self.recent.tip(&self.journal, &key)? {
                Some(tip) if tip != now && now != Version::Unknown => {
                    self.recent.verify(&self.journal)?;
                    tip
                }
                // A text from before the project used sprag is also kept before it is edited.
                None if edited.contains(&key) && doc.text().is_some() => now.clone(),
                Some(_) | None => continue,
            };
            plan.push(change.at, |line| foreign(line, key, (&before, &now), &doc));
        }
        Ok(plan)
    }

    /// Commits `change` with the turns computed for it.
    pub(crate) fn write<E>(
        mut self,
        change: &CommitRequest,
        turns: Vec<VersionChange<'a>>,
        plan: WritePlan,
    ) -> Result<WrittenLine, CommitError<E>> {
        if turns.is_empty() && change.events.is_empty() {
            return Ok(WrittenLine { committed: Committed::NOTHING, overtaken: Vec::new() });
        }
        let mut line = Line::new(plan.seq, change.at, &change.actor);
        line.events.clone_from(&change.events);
        line.edits = turns.iter().map(VersionChange::edit).collect();
        if checkpoint::is_due(&self.tail) {
            checkpoint::sync(&self.store.bases, &self.recent.known()?)?;
        }
        let mut lines = plan.before;
        lines.push(line);
        let mut batch = Batch::new(&self.tail);
        for line in lines {
            batch.add(&self.journal, line)?;
        }
        let mut staged = Vec::with_capacity(turns.len());
        for turn in turns {
            staged.push((turn.key, Staged::new(&turn.spot, turn.before, turn.after)?));
        }
        parallel_sync::each(&staged, |(_, staged)| staged.sync())?;
        failpoint::reach("store.staged").context("write", self.journal.path())?;
        batch.append(&self.journal, plan.seq)?;
        Ok(self.publish(&batch, plan.seq, staged))
    }

    /// Puts the new texts in place. The commit has happened; an error here cannot revoke it.
    fn publish(&mut self, batch: &Batch, seq: Seq, staged: Vec<(Key, Staged)>) -> WrittenLine {
        let mut overtaken = Vec::new();
        let mut committed = Committed { seq: Some(seq), ..Committed::NOTHING };
        let reached = failpoint::reach("store.committed").context("write", self.journal.path());
        committed.unwritten.extend(reached.err());
        let littered: Vec<Dir> =
            staged.iter().filter_map(|(_, staged)| staged.littered().cloned()).collect();
        for (key, staged) in staged {
            match staged.publish() {
                Ok(Published::Written) => {}
                Ok(Published::Overtaken) => overtaken.push(key),
                Err(error) => committed.unwritten.push(error),
            }
        }
        if committed.unwritten.is_empty() {
            if let Some(checkpoint) = batch.checkpoint {
                self.tail.checkpoint = checkpoint;
            }
            let head = self.write_head(batch.segment, (batch.end(), seq));
            committed.unwritten.extend(head.err());
        }
        for folder in littered {
            // All our files are in place, so leftovers are swept. A failure waits for a later
            // sweep.
            let _ = temp::sweep(&folder);
        }
        if batch.has_blobs || batch.checkpoint.is_some() {
            // Best effort: the end of a command or a session completes the copy.
            let _ = self.store.follow(&self.journal, Otherwise::Leave);
        }
        if batch.is_new_segment() {
            // Old segments that cannot be removed now go at the next rotation.
            let _ = retain::forget_segments(
                &self.journal,
                self.store.settings.keep_segments,
                &batch.lists,
            );
        }
        WrittenLine { committed, overtaken }
    }

    /// Computes each document's new text, and drops edits that change nothing.
    pub(crate) fn turns<E>(
        &self,
        change: &CommitRequest,
        reads: &Reads,
        view: &View<'_>,
    ) -> Result<Vec<VersionChange<'a>>, CommitError<E>> {
        let mut turns = Vec::<VersionChange<'a>>::new();
        for edit in &change.edits {
            let key = self.store.bases.key(edit.doc());
            let misfit =
                |why: &str| CommitError::Misfit { doc: key.to_string(), why: why.to_owned() };
            if turns.iter().any(|turn| turn.key == key) {
                return Err(misfit("it is edited twice in one change"));
            }
            let spot = self.store.bases.locate(&key).ok_or_else(|| misfit("it has no folder"))?;
            let now = view.by_key(&key);
            if let Doc::Unknown(why) = &now {
                let (doc, why) = (key.to_string(), why.to_string());
                return Err(CommitError::Unknown { doc, why });
            }
            let seen = reads.version(&key).is_some();
            let (after, splices) = target(edit, &now, seen).map_err(|why| misfit(&why))?;
            if let Some(bytes) = after.as_ref().map(String::len).filter(|&len| len > MAX_DOCUMENT) {
                let what = key.to_string();
                return Err(CommitError::TooLarge { what, bytes, max: MAX_DOCUMENT });
            }
            if now.text() != after.as_deref() {
                turns.push(VersionChange { key, spot, before: now.version(), after, splices });
            }
        }
        Ok(turns)
    }
}

impl VersionChange<'_> {
    fn edit(&self) -> LineEdit {
        LineEdit {
            doc: self.key.clone(),
            before: self.before.hash(),
            after: self.after.as_ref().map(Hash::of),
            splices: self.splices.clone(),
        }
    }
}

impl WritePlan {
    fn push(&mut self, at: Time, fill: impl FnOnce(&mut Line)) {
        let mut line = Line::new(self.seq, at, SELF);
        fill(&mut line);
        self.before.push(line);
        self.seq = self.seq.next();
    }
}

/// Brings a document to the end of its chain. Returns false if there was nothing to do.
pub(crate) fn bring_forward(
    store: &Store,
    journal: &Dir,
    chains: &Chains,
    key: &Key,
) -> Result<bool, StoreError> {
    let Some(spot) = store.bases.locate(key) else {
        return match store.bases.away(key) {
            // The document was removed with its worktree.
            None => Ok(false),
            Some(path) => Err(StoreError::Away { path, doc: key.to_string() }),
        };
    };
    let now = apply::read_to_replace(&spot)?;
    let Some(forward) = chains.forward(journal, key, &now)? else { return Ok(false) };
    let after = match forward {
        Doc::Text(text) => Some(text),
        Doc::Absent | Doc::Unknown(_) => None,
    };
    let staged = Staged::new(&spot, now.version(), after)?;
    staged.sync()?;
    Ok(staged.publish()? == Published::Written)
}

/// Computes the text after an edit, and the splices that the journal records for it.
fn target(edit: &Edit, now: &Doc, seen: bool) -> Result<(Option<String>, Vec<LineSplice>), String> {
    match edit {
        Edit::Remove { .. } => Ok((None, Vec::new())),
        Edit::Write { text, .. } => Ok((Some(text.clone()), whole(text))),
        Edit::Splice { .. } if !seen => Err("it is edited in part, but was not read".to_owned()),
        Edit::Splice { splices, .. } => {
            let text = sprag_core::apply(now.text().unwrap_or_default(), splices);
            let text = text.map_err(|error| error.to_string())?;
            Ok((Some(text), splices.iter().map(LineSplice::from).collect()))
        }
    }
}

/// Records the whole text that another program wrote, because only the journal may have it later.
fn foreign(line: &mut Line, key: Key, (before, after): (&Version, &Version), doc: &Doc) {
    line.events.push(Event::new(None, ForeignEdit { doc: key.to_string() }));
    let splices = doc.text().map(whole).unwrap_or_default();
    line.edits.push(LineEdit { doc: key, before: before.hash(), after: after.hash(), splices });
}

fn whole(text: impl Into<String>) -> Vec<LineSplice> {
    vec![LineSplice(0, None, Insert::Text(text.into()))]
}
