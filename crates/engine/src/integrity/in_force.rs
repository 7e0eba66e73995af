//! Decides which text of a document is in force.
//!
//! That is the last text that a person accepted. If an agent changed such a document, the earlier
//! text stays in force until a person approves the change, also for later sessions and runs, and
//! also if the new text is invalid.

#![expect(clippy::option_option, reason = "that a document was not there is an earlier text, too")]

use std::collections::BTreeSet;

use sprag_core::basis::{Consent, Doubts, InputKey, OpenDoubt, Role};
use sprag_core::{DocPath, Hash};
use sprag_store::{Doc, UnreadableCause, View};
use sprag_world::tree;

use super::law::{self, LawText, LawTexts, PROJECT, TakenLaw};
use super::{Baseline, DoubtsDoc, OpenTurn, TurnState, Turns, doubts, texts};
use crate::engine::EngineError;
use crate::now::Now;

/// The folder of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// The folder in which the work is done.
    Here,
    /// The main worktree.
    Main,
}

impl Base {
    fn read(self, view: &View<'_>, doc: &DocPath) -> Doc {
        match self {
            Self::Here => view.read(doc),
            Self::Main => view.read_in_main(doc),
        }
    }

    /// Returns whether the folder is the main worktree.
    fn is_main(self, view: &View<'_>) -> bool {
        self == Self::Main || view.worktree().is_empty()
    }
}

/// The open doubts and unjudged turns, which decide the texts in force.
pub(crate) struct InForce {
    /// The doubts about the files here.
    here: Doubts,
    /// The doubts about the files of the main worktree.
    main: Doubts,
    /// All stored doubts.
    all: Vec<Doubts>,
    /// The documents of unjudged agents, with their worktrees.
    unjudged: Vec<(String, TakenLaw)>,
}

impl InForce {
    /// Loads the stored state. Every change in an unjudged turn may be its agent's.
    pub(crate) fn read(view: &View<'_>) -> Result<Self, EngineError> {
        let law = |(_, turn): (&String, &OpenTurn)| (turn.worktree.clone(), left_law(view, turn));
        let unjudged = Turns::read(view)?.with_law().map(law).collect();
        Self::knowing(view, doubts::in_worktree(view, view.worktree())?, unjudged)
    }

    /// Finds the texts in force for a session or an attempt that begins. What others left in these
    /// files is judged first, and a person's changes since its own last turn count.
    pub(crate) fn begins(view: &View<'_>, now: &Now<'_>, own: &str) -> Result<Self, EngineError> {
        let (mut turns, mut doc) = (Turns::read(view)?, DoubtsDoc::read(now.engine, view, None)?);
        turns.judge_others(own, now, &mut doc)?;
        if turns.are_judged(now.engine.worktree()) {
            doc.settle(now);
        }
        let law = |(key, turn): (&String, &OpenTurn)| {
            let is_here = turn.worktree == now.engine.worktree();
            let law = match is_here {
                false => turn.law.clone(),
                // Its changes were judged just now.
                true if turn.is_unjudged() && key != own => return None,
                true => turn.agents_law(now),
            };
            Some((turn.worktree.clone(), law))
        };
        let unjudged = turns.with_law().filter_map(law).collect();
        Self::knowing(view, doc.doubts, unjudged)
    }

    fn knowing(
        view: &View<'_>,
        here: Doubts,
        unjudged: Vec<(String, TakenLaw)>,
    ) -> Result<Self, EngineError> {
        let main = match view.worktree() {
            "" => here.clone(),
            _ => doubts::in_worktree(view, "")?,
        };
        Ok(Self { here, main, all: doubts::all(view)?, unjudged })
    }

    /// Returns the text of a document that is in force.
    pub(crate) fn document(&self, view: &View<'_>, doc: &DocPath, base: Base) -> Doc {
        match self.earlier(view, doc.as_str(), base) {
            None => base.read(view, doc),
            Some(None) => Doc::Absent,
            Some(Some(text)) => kept(view, doc, text.text),
        }
    }

    /// Returns a message about each document whose earlier text is in force.
    pub(crate) fn said(&self, view: &View<'_>) -> Vec<String> {
        self.changed(view).iter().map(|path| said(path)).collect()
    }

    /// Returns the documents here that an agent changed and that are not in force.
    pub(crate) fn changed(&self, view: &View<'_>) -> BTreeSet<String> {
        let doubted = self.here.tracked().filter(|doubt| doubt.role == Role::Law);
        let doubted = doubted.filter(|doubt| doubt.key.part_name().is_none());
        let mut all: BTreeSet<String> = doubted.map(|doubt| doubt.key.path().to_owned()).collect();
        all.extend(self.laws(view, Base::Here).flat_map(|law| law.keys().cloned()));
        all.retain(|path| self.earlier(view, path, Base::Here).is_some());
        all
    }

    /// Returns the text in force in place of the current one, or `None` if the current text is in
    /// force. The inner `None` means that the document did not exist.
    pub(crate) fn earlier(
        &self,
        view: &View<'_>,
        path: &str,
        base: Base,
    ) -> Option<Option<LawText>> {
        let doc = DocPath::parse(path).ok()?;
        let doubted = self.doubt(view, path, base).and_then(earlier_text);
        let earlier = doubted.or_else(|| self.unjudged(view, &doc, base))?;
        // A new plan counts at once.
        (earlier.is_some() || !law::asks_for_more(path)).then_some(earlier)
    }

    /// Returns which of these scripts an agent changed. An earlier text of a script cannot be run,
    /// so its answers do not count.
    pub(crate) fn rewritten(&self, view: &View<'_>, scripts: &BTreeSet<String>) -> Vec<String> {
        let is_rewritten = |path: &&String| self.earlier(view, path, Base::Here).is_some();
        scripts.iter().filter(is_rewritten).cloned().collect()
    }

    /// Returns the doubt about a document.
    fn doubt(&self, view: &View<'_>, path: &str, base: Base) -> Option<&OpenDoubt> {
        let is_main = base.is_main(view);
        let own = if is_main { &self.main } else { &self.here };
        let own = own.tracked_at(&InputKey::file(path)).filter(|doubt| doubt.role == Role::Law);
        let in_project = InputKey::part(path, PROJECT);
        let mut elsewhere = self.all.iter().filter(|_| is_main);
        own.or_else(|| elsewhere.find_map(|doubts| doubts.get(&in_project)))
    }

    /// Returns the text of a document before an unjudged agent changed it.
    fn unjudged(&self, view: &View<'_>, doc: &DocPath, base: Base) -> Option<Option<LawText>> {
        let now = base.read(view, doc);
        let is_other = |text: &Option<LawText>| match (&now, text) {
            (Doc::Text(here), Some(text)) => Hash::of(here) != text.text,
            (Doc::Absent, None) => false,
            (Doc::Text(_) | Doc::Absent | Doc::Unknown(_), _) => true,
        };
        let mut known = self.laws(view, base).filter_map(|law| law.get(doc.as_str()).copied());
        let earlier = known.find(is_other)?;
        (!self.is_agreed(doc, &now)).then_some(earlier)
    }

    /// Returns whether a person approved the current document.
    fn is_agreed(&self, doc: &DocPath, now: &Doc) -> bool {
        let keys = [InputKey::file(doc.as_str()), InputKey::part(doc.as_str(), PROJECT)];
        let is_it = |consent: Consent| match (consent, now) {
            (Consent::OfText(key, Some(text)), Doc::Text(here)) => {
                keys.contains(&key) && tree::is_content(here.as_bytes(), text)
            }
            (Consent::OfText(key, None), Doc::Absent) => keys.contains(&key),
            (Consent::OfText(..) | Consent::Beforehand(_) | Consent::AllTests, _) => false,
        };
        self.all.iter().flat_map(Doubts::consents).any(is_it)
    }

    /// Returns the documents of unjudged turns in a worktree.
    fn laws<'l>(
        &'l self,
        view: &'l View<'_>,
        base: Base,
    ) -> impl Iterator<Item = &'l LawTexts> + 'l {
        let is_main = base.is_main(view);
        self.unjudged.iter().filter_map(move |(worktree, law)| match (is_main, worktree.as_str()) {
            (true, "") => Some(&law.here),
            (true, _) => Some(&law.project),
            (false, own) => (own == view.worktree()).then_some(&law.here),
        })
    }
}

/// Returns the documents of a turn's agent. After its judgement, documents that differ from what it
/// left were changed by others, so they count as they are.
fn left_law(view: &View<'_>, turn: &OpenTurn) -> TakenLaw {
    let mut law = turn.law.clone();
    let TurnState::Stopped { left, .. } = turn.state else { return law };
    let text_of = |path: &String| DocPath::parse(path).map(|doc| view.read(&doc));
    let is_text = |path: &String, text: Option<LawText>| match (text_of(path), text) {
        (Ok(Doc::Text(here)), Some(text)) => Hash::of(&here) == text.text,
        (Ok(Doc::Absent), None) => true,
        (Ok(Doc::Text(_) | Doc::Absent | Doc::Unknown(_)) | Err(_), _) => false,
    };
    let is_here = turn.worktree == view.worktree();
    if !is_here || law.here.iter().all(|(path, text)| is_text(path, *text)) {
        return law;
    }
    let kept = texts::path(left).map(|path| view.read(&path));
    let kept = kept.ok().and_then(|doc| doc.text().map(str::to_owned));
    let kept = kept.filter(|text| Hash::of(text) == left);
    // If that is missing, every change may be the agent's.
    let Some(left) = kept.and_then(|text| Baseline::read(text.as_bytes())) else { return law };
    let is_left = |path: &String| is_text(path, left.law_text(&InputKey::file(path)));
    law.here.retain(|path, _| is_left(path));
    law
}

/// Returns the text before a document came into doubt, if it was kept.
fn earlier_text(doubt: &OpenDoubt) -> Option<Option<LawText>> {
    match (doubt.was, doubt.text) {
        (None, _) => Some(None),
        (Some(content), Some(text)) => Some(Some(LawText { content, text })),
        (Some(_), None) => None,
    }
}

/// Informs a person that the text from before an agent's change is in force.
fn said(path: &str) -> String {
    format!(
        "An agent changed {path}; the earlier one holds until you agree. Review: sprag diff {path}"
    )
}

/// Returns the text of a document that is in force.
pub(crate) fn document(view: &View<'_>, doc: &DocPath) -> Doc {
    match InForce::read(view) {
        Ok(in_force) => in_force.document(view, doc, Base::Here),
        // The document may have changed, and there is no way to find out.
        Err(error) => Doc::Unknown(UnreadableCause::Refused(error.to_string())),
    }
}

/// Loads the text before an agent changed a document.
fn kept(view: &View<'_>, doc: &DocPath, name: Hash) -> Doc {
    let found = texts::path(name).map(|path| view.read(&path));
    match found {
        Ok(Doc::Text(text)) if Hash::of(&text) == name => Doc::Text(text),
        Ok(Doc::Text(_) | Doc::Absent | Doc::Unknown(_)) | Err(_) => {
            let why = format!("an agent changed it, and the text of `{doc}` before is gone");
            Doc::Unknown(UnreadableCause::Refused(why))
        }
    }
}
