//! One commit while it is being decided: what a decision sees, and what it writes.

use std::cell::OnceCell;
use std::ops::{Deref, DerefMut};

use sprag_core::{Ask, Facts, Hash, Id, Plain, Signal};
use sprag_store::View;

use crate::draft::Draft;
use crate::engine::{Engine, EngineError};
use crate::evaluate::Answers;
use crate::judge::Known;
use crate::run_file::RunFile;
use crate::sitting::Now;

/// One commit while it is being decided.
///
/// It dereferences to its [`Draft`], so a function that only writes takes a `&mut Draft` and gets
/// the transaction.
pub(crate) struct Tx<'t> {
    /// The documents.
    pub(crate) view: &'t View<'t>,
    /// The time and the files.
    pub(crate) now: &'t Now<'t>,
    /// What the commands of rules answered before this decision.
    answers: Option<&'t Answers>,
    facts: OnceCell<Facts>,
    draft: Draft,
}

impl<'t> Tx<'t> {
    /// Begins a commit that writes nothing yet.
    fn new(view: &'t View<'t>, now: &'t Now<'t>, answers: Option<&'t Answers>) -> Self {
        Self { view, now, answers, facts: OnceCell::new(), draft: Draft::default() }
    }

    /// Returns the project that the commit is for.
    pub(crate) fn engine(&self) -> &'t Engine<'t> {
        self.now.engine
    }

    /// Returns the facts of this decision.
    ///
    /// The first call walks the files and takes the next place in the journal, so a decision that
    /// needs neither must not ask.
    pub(crate) fn facts(&self) -> Result<&Facts, EngineError> {
        if let Some(facts) = self.facts.get() {
            return Ok(facts);
        }
        let facts = self.answered(self.now.tree()?.hash());
        Ok(self.facts.get_or_init(|| facts))
    }

    /// Decides by these files instead of the project's, where git cannot list those.
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

    /// Takes a signal in a run and notes what happened.
    pub(crate) fn step(&mut self, run: &mut RunFile, signal: &Signal) -> Result<(), EngineError> {
        let events = run.live.step(signal, self.facts()?)?;
        self.draft.tell(&run.id().clone(), events);
        Ok(())
    }

    /// Writes the receipts that were just found out, for the runs that are `here`.
    pub(crate) fn receipts(
        &mut self,
        known: &Known,
        here: impl Fn(&Id) -> bool,
    ) -> Result<(), EngineError> {
        for evidence in known.evidence.iter().filter(|one| here(&one.record.run)) {
            self.draft.evidence(evidence)?;
        }
        Ok(())
    }

    /// Writes nothing of what was decided so far.
    pub(crate) fn discard(&mut self) {
        self.draft = Draft::default();
    }
}

/// Returns a decision of the store that is made in a transaction.
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
