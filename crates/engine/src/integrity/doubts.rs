//! `.sprag/doubts.json`: what agents changed of what judges them, and no person agreed to.
//!
//! The files of a project have one such document. A linked worktree has its own, and so has a run
//! that brings its work together in a branch: what is in doubt there is not in these files.

use sprag_core::basis::{AgreedText, Doubts, InputKey, OpenDoubt, TextNow};
use sprag_core::event::InputsChanged;
use sprag_core::{DocPath, Hash, RunId, UnitId};
use sprag_store::{Doc, Edit, View};

use super::{LookAnswers, WantedLook, Weighed, definitions};
use crate::engine::{Engine, EngineError};
use crate::sitting::Now;
use crate::tx::Draft;

/// One document of doubts.
#[derive(Debug)]
pub(crate) struct DoubtsDoc {
    path: DocPath,
    read: Doubts,
    /// The doubts as they are to be written.
    pub(crate) doubts: Doubts,
    /// What each pass that was weighed rests on and is not as it was, for the journal.
    named: Vec<(RunId, InputsChanged)>,
    /// What second looks found for this decision.
    pub(super) looks: LookAnswers,
    /// The second looks without which a pass cannot be weighed.
    wanted: Vec<WantedLook>,
}

impl DoubtsDoc {
    /// Reads the doubts about the files that are judged; `branch_run` is the run whose branch they
    /// are of, where they are of one.
    pub(crate) fn read(
        engine: &Engine<'_>,
        view: &View<'_>,
        branch_run: Option<&RunId>,
    ) -> Result<Self, EngineError> {
        let path = match (branch_run, engine.worktree()) {
            (Some(run), _) => format!(".sprag/runs/{run}/doubts.json"),
            (None, "") => ".sprag/doubts.json".to_owned(),
            (None, name) => format!(".sprag/doubts/{}.json", Hash::of(name).short(16)),
        };
        let path = DocPath::parse(&path)?;
        let unreadable = |why: String| EngineError::Unreadable { path: path.to_string(), why };
        let read = match view.read(&path) {
            Doc::Absent => Doubts::default(),
            Doc::Text(text) => Doubts::read(&text).map_err(|bad| unreadable(bad.to_string()))?,
            Doc::Unknown(why) => return Err(unreadable(why.to_string())),
        };
        let (looks, wanted) = (LookAnswers::default(), Vec::new());
        Ok(Self { path, doubts: read.clone(), read, named: Vec::new(), looks, wanted })
    }

    /// Takes over what second looks found for this decision.
    #[must_use]
    pub(crate) fn seeing(self, looks: &LookAnswers) -> Self {
        Self { looks: looks.clone(), ..self }
    }

    /// Takes note that a pass cannot be weighed before this look.
    pub(super) fn want(&mut self, look: WantedLook) {
        self.wanted.push(look);
    }

    /// Returns the looks that must be taken before the decision is made again.
    pub(crate) fn take_wanted(&mut self) -> Vec<WantedLook> {
        std::mem::take(&mut self.wanted)
    }

    /// Takes over what a pass of a unit is worth.
    pub(crate) fn take(&mut self, run: &RunId, unit: &UnitId, weighed: &Weighed) {
        self.doubts.clone_from(&weighed.doubts);
        if !weighed.named.is_empty() {
            let (unit, changed) = (unit.to_string(), weighed.named.clone());
            self.named.push((run.clone(), InputsChanged { unit, changed }));
        }
    }

    /// Writes the doubts, where they changed, and notes what passes rest on.
    pub(crate) fn save(&self, draft: &mut Draft) {
        for (run, changed) in &self.named {
            draft.note(Some(run), changed.clone());
        }
        if self.doubts != self.read {
            draft.edit(Edit::Write { doc: self.path.clone(), text: self.doubts.write() });
        }
    }

    /// Drops what is settled while no agent has the turn: the text is as it was, or a person
    /// committed it.
    pub(super) fn settle(&mut self, now: &Now<'_>) {
        if self.doubts.is_empty() {
            return;
        }
        let engine = now.engine;
        let head = engine.checked_out_here();
        if head.is_some() && head.as_deref() != self.doubts.head() {
            let committed: Vec<AgreedText> = self
                .doubts
                .iter()
                .filter(|doubt| is_committed(now, doubt, head.as_deref()))
                .map(|doubt| AgreedText { key: doubt.key.clone(), text: doubt.now })
                .collect();
            for agreed in committed {
                self.doubts.agree(agreed);
            }
            self.doubts.stand_at(head);
        }
        self.doubts = self.doubts.settled(|doubt| definitions::text_now(now, doubt), &[]);
    }
}

/// Returns whether the text in doubt is the one that the commit at hand has.
fn is_committed(now: &Now<'_>, doubt: &OpenDoubt, head: Option<&str>) -> bool {
    let (engine, path) = (now.engine, doubt.key.path());
    let here = super::files::text(&engine.files.root, path);
    let there = head.and_then(|head| engine.committed_text(head, path));
    here == there
        && match definitions::text_now(now, doubt) {
            TextNow::Is(text) => text == doubt.now,
            // The commit has the whole file, and with it the part, whatever it is by now.
            TextNow::Unknown => true,
        }
}

/// Returns the doubts about a run's files that are open now: those that are settled meanwhile count
/// no more. Nothing is written.
pub(crate) fn doubts_of(
    engine: &Engine<'_>,
    view: &View<'_>,
    branch_run: Option<&RunId>,
    now: &Now<'_>,
) -> Result<Doubts, EngineError> {
    let mut doc = DoubtsDoc::read(engine, view, branch_run)?;
    if branch_run.is_none()
        && !super::Turns::read(view)?.is_anybody_at_work(engine.worktree(), now.at)
    {
        doc.settle(now);
    }
    Ok(doc.doubts)
}

/// Returns an input as a person reads it.
pub(crate) fn shown(key: &InputKey) -> String {
    key.in_words()
}
