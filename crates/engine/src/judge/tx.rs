//! One commit while it is being decided: its inputs and its writes.

use std::cell::OnceCell;
use std::ops::{Deref, DerefMut};

use sprag_core::{Ask, Facts, Hash, Plain, RunId, Signal};
use sprag_store::View;

use crate::draft::Draft;
use crate::engine::{Engine, EngineError};
use crate::gsd;
use crate::judge::Known;
use crate::judge::evaluate::Answers;
use crate::now::Now;
use crate::run_file::RunFile;

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
