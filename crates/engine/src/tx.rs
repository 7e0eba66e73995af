//! One commit while it is being decided: its inputs and its writes.

use std::cell::OnceCell;
use std::ops::{Deref, DerefMut};

use sprag_core::event::RunStarted;
use sprag_core::{Ask, DocPath, Event, Facts, Hash, Plain, RunId, SessionId, Signal, Time};
use sprag_formats::chipset::Laid;
use sprag_store::{CommitRequest, Edit, View};

use crate::engine::{Engine, EngineError};
use crate::evaluate::Answers;
use crate::gsd;
use crate::judge::Known;
use crate::receipt::Evidence;
use crate::run_file::RunFile;
use crate::session::SessionFile;
use crate::snapshot::Now;

/// One commit while it is being decided.
///
/// It dereferences to its [`Draft`], so a function that only writes takes a `&mut Draft` and gets
/// the transaction.
pub(crate) struct Tx<'t> {
    pub(crate) view: &'t View<'t>,
    /// The time and the files.
    pub(crate) now: &'t Now<'t>,
    /// The answers of rules that ran before this decision.
    answers: Option<&'t Answers>,
    facts: OnceCell<Facts>,
    draft: Draft,
}

impl<'t> Tx<'t> {
    fn new(view: &'t View<'t>, now: &'t Now<'t>, answers: Option<&'t Answers>) -> Self {
        Self { view, now, answers, facts: OnceCell::new(), draft: Draft::default() }
    }

    pub(crate) fn engine(&self) -> &'t Engine<'t> {
        self.now.engine
    }

    /// Returns the facts of this decision.
    ///
    /// The first call scans the files and takes the next sequence number of the journal, so a
    /// decision that needs neither must not call it.
    pub(crate) fn facts(&self) -> Result<&Facts, EngineError> {
        if let Some(facts) = self.facts.get() {
            return Ok(facts);
        }
        let tree = self.now.tree()?;
        let mut facts = self.answered(tree.hash());
        let engine = self.engine();
        // A review of a tree's task changes only the tree's documents.
        if gsd::has_tree(engine.files) && engine.files == engine.place {
            let work = tree.hash_without(gsd::DOCUMENTS);
            facts.answers.insert(Ask::Work, work.to_string().into());
        }
        Ok(self.facts.get_or_init(|| facts))
    }

    /// Decides by these files instead of the project's, if git cannot list those.
    pub(crate) fn judge_by(&mut self, tree: Hash) {
        self.facts = OnceCell::from(self.answered(tree));
    }

    /// Adds an answer that this decision found in a document.
    pub(crate) fn answer(&mut self, ask: Ask, said: Plain) -> Result<(), EngineError> {
        self.facts()?;
        if let Some(facts) = self.facts.get_mut() {
            facts.answers.insert(ask, said);
        }
        Ok(())
    }

    fn answered(&self, tree: Hash) -> Facts {
        let mut facts = Facts::new(self.now.at, self.view.seq(), tree);
        if let Some(answers) = self.answers {
            facts.answers.clone_from(answers);
        }
        facts
    }

    /// Steps a run and records the events.
    pub(crate) fn step(&mut self, run: &mut RunFile, signal: &Signal) -> Result<(), EngineError> {
        let events = run.live.step(signal, self.facts()?)?;
        self.draft.tell(&run.id().clone(), events);
        Ok(())
    }

    /// Writes the new receipts and second looks of the runs for which `here` holds.
    pub(crate) fn receipts(
        &mut self,
        known: &Known,
        here: impl Fn(&RunId) -> bool,
    ) -> Result<(), EngineError> {
        for evidence in known.evidence.iter().filter(|one| here(&one.record.run)) {
            self.draft.evidence(evidence)?;
        }
        for answer in known.looks.kept().filter(|answer| here(&answer.run)) {
            self.draft.note(Some(&answer.run), answer.found.clone());
        }
        Ok(())
    }

    /// Drops all events and edits collected so far.
    pub(crate) fn discard(&mut self) {
        self.draft = Draft::default();
    }
}

/// Wraps a decision for the store so that it runs in a transaction.
pub(crate) fn deciding<'n, T>(
    now: &'n Now<'n>,
    answers: Option<&'n Answers>,
    mut decide: impl FnMut(&mut Tx<'_>) -> Result<T, EngineError> + 'n,
) -> impl FnMut(&View<'_>) -> Result<(Draft, T), EngineError> + 'n {
    move |view| {
        let mut tx = Tx::new(view, now, answers);
        let out = decide(&mut tx)?;
        Ok((tx.draft, out))
    }
}

impl Deref for Tx<'_> {
    type Target = Draft;

    fn deref(&self) -> &Draft {
        &self.draft
    }
}

impl DerefMut for Tx<'_> {
    fn deref_mut(&mut self) -> &mut Draft {
        &mut self.draft
    }
}

/// The events and edits that a decision collects.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    events: Vec<(Option<RunId>, Event)>,
    edits: Vec<Edit>,
}

impl Draft {
    /// Records the events of a run.
    pub(crate) fn tell(&mut self, run: &RunId, events: Vec<Event>) {
        for event in events {
            self.note(Some(run), event);
        }
    }

    pub(crate) fn note(&mut self, run: Option<&RunId>, event: impl Into<Event>) {
        self.events.push((run.cloned(), event.into()));
    }

    /// Writes a run, and the other system's documents that it changes.
    pub(crate) fn run(&mut self, file: &RunFile) -> Result<(), EngineError> {
        self.edits.extend(file.edit()?);
        self.edits.extend(file.live.foreign_edits()?);
        if let Some(put_back) = file.live.put_back() {
            self.note(Some(file.id()), put_back);
        }
        Ok(())
    }

    pub(crate) fn session(
        &mut self,
        id: &SessionId,
        file: &SessionFile,
    ) -> Result<(), EngineError> {
        self.edits.push(file.edit(id)?);
        Ok(())
    }

    /// Writes a receipt with its output and its event.
    pub(crate) fn evidence(&mut self, evidence: &Evidence) -> Result<(), EngineError> {
        let (edits, told) = evidence.commit()?;
        self.edits.extend(edits);
        self.events.push((Some(evidence.record.run.clone()), told.into()));
        Ok(())
    }

    pub(crate) fn edit(&mut self, edit: Edit) {
        self.edits.push(edit);
    }

    /// Adds the checked-out commit to each run that begins; a report compares with it.
    pub(crate) fn begins_at(&mut self, head: impl FnOnce() -> Option<String>) {
        let is_begun = self.events.iter().any(|(_, event)| matches!(event, Event::RunStarted(_)));
        if let Some(commit) = is_begun.then(head).flatten() {
            self.begins_with(|started| started.commit = Some(commit.clone()));
        }
    }

    /// Extends the start event of each run that begins.
    pub(crate) fn begins_with(&mut self, note: impl Fn(&mut RunStarted)) {
        for (_, event) in &mut self.events {
            if let Event::RunStarted(started) = event {
                note(started);
            }
        }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.events.is_empty() && self.edits.is_empty()
    }

    pub(crate) fn edits(&self) -> &[Edit] {
        &self.edits
    }

    pub(crate) fn len(&self) -> usize {
        self.edits.len()
    }

    /// Writes another system's document with its edits; skips edits that change nothing.
    pub(crate) fn lay(&mut self, doc: DocPath, laid: Laid) {
        match laid {
            Laid::New(text) => self.edits.push(Edit::Write { doc, text }),
            Laid::Changed(splices) if splices.is_empty() => {}
            Laid::Changed(splices) => self.edits.push(Edit::Splice { doc, splices }),
        }
    }

    pub(crate) fn into_change(self, at: Time, actor: &str) -> CommitRequest {
        let events = self.events.into_iter();
        let events = events.map(|(run, event)| sprag_store::Event::new(run, event)).collect();
        CommitRequest { at, actor: actor.to_owned(), events, edits: self.edits }
    }
}
