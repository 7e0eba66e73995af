//! The fields of a session's loop that its agent may not decide, from a person's prompt to the stop
//! that is allowed.

use sprag_core::event::FieldsPutBack;
use sprag_core::plan::{
    Beside, LoopBaseline, LoopState, TurnOrigin, Weighed, put_back, shown_in_session, weigh,
};
use sprag_core::{Fields, Hash, Plain, Run, Stored, Unreadable, stored};
use sprag_formats::plan::state::{TopKeys, beside};

use super::docs::STATE;
use super::session_lens::raw_owner;
use crate::kinds::plan::in_session::LoopRun;

/// The facts about a loop besides `STATE.md`, and the agent's changes to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoopTurn {
    /// The values in `run.yaml`; `None` in a file of an older version.
    pub(super) noted: Option<Noted>,
    /// The values of `STATE.md` besides the loop's.
    pub(super) beside: Beside,
    /// The result of weighing the agent's changes, until it is applied.
    pub(super) weighed: Option<Box<(Run<LoopState>, Weighed)>>,
    /// The baseline of the agent's changes, once they are weighed.
    measured: Option<Box<LoopBaseline>>,
    /// Whether the values written from now on are ours or a person's.
    is_ours: bool,
    /// Whether the agent claims in `STATE.md` that the loop is over.
    pub(super) is_claimed: bool,
    /// Why `STATE.md` cannot be read.
    pub(super) trouble: Option<String>,
}

/// The values about a loop's turn in `run.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Noted {
    /// The fields that the agent may not decide.
    pub(super) kept: LoopBaseline,
    /// Whether the agent has the turn.
    pub(super) open: bool,
    /// The agent's open question to a person.
    pub(super) question: Option<String>,
    /// A verification report that no longer counts: it is old, or was counted.
    pub(super) report: Option<Hash>,
}

stored!(struct Noted { kept, open, question, report });

/// The key in `run.yaml`.
pub(super) const TURN: &str = "turn";

impl LoopTurn {
    pub(super) fn read(plain: &Plain, text: Option<&str>) -> Result<Self, Unreadable> {
        let noted: Option<Noted> = Fields::of(plain)?.get(TURN)?;
        Ok(Self { noted, beside: text.map(beside).unwrap_or_default(), ..Self::default() })
    }

    /// Creates the turn of a loop that a session takes over now.
    pub(super) fn begun(text: Option<&str>) -> Self {
        let noted = Some(Noted::default());
        let beside = text.map(beside).unwrap_or_default();
        Self { noted, beside, is_ours: true, ..Self::default() }
    }

    /// Weighs the changes of a `STATE.md` while the agent has the turn.
    pub(super) fn count(&self, state: &LoopState) -> Option<Weighed> {
        let noted = self.noted.as_ref().filter(|noted| noted.open)?;
        let now = LoopBaseline { state: state.clone(), beside: self.beside.clone() };
        Some(weigh(&noted.kept, &now, TurnOrigin::Session))
    }
}

impl LoopRun {
    /// Reverts the agent's changes to fields it may not decide. Does so only once.
    pub(crate) fn weigh(&mut self) {
        let Some(weighed) = self.turn.weighed.take() else { return };
        let (run, Weighed { is_claimed, .. }) = *weighed;
        self.run = run;
        self.turn.is_claimed = is_claimed;
        self.turn.measured = self.turn.noted.as_ref().map(|noted| Box::new(noted.kept.clone()));
        self.turn.is_ours = true;
        self.elsewhere = self.turn.trouble.is_some();
    }

    /// Accepts `STATE.md` as a person left it.
    pub(crate) fn take(&mut self) {
        if self.turn.trouble.is_none() {
            (self.turn.weighed, self.turn.is_ours) = (None, true);
        }
    }

    /// Opens the agent's turn if it is closed: a host may let the agent work without a person's
    /// prompt. The current `STATE.md` counts as the person's.
    pub(crate) fn begin_turn(&mut self) {
        if !self.is_open() {
            self.take();
            self.set_open(true);
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.turn.noted.as_ref().is_some_and(|noted| noted.open)
    }

    pub(crate) fn set_open(&mut self, open: bool) {
        self.turn.noted.get_or_insert_default().open = open;
    }

    /// Marks a report as one that no longer counts.
    pub(super) fn spend_report(&mut self, report: Option<Hash>) {
        self.turn.noted.get_or_insert_default().report = report;
    }

    /// Returns whether a report still counts.
    pub(super) fn is_new_report(&self, report: Hash) -> bool {
        self.turn.noted.as_ref().is_none_or(|noted| noted.report != Some(report))
    }

    /// Returns the loop's state for `STATE.md`.
    pub(super) fn written(&self) -> LoopState {
        shown_in_session(&self.definition, &self.run, raw_owner(&self.run), self.at)
    }

    /// Returns the document's other values to write. An agent's changes to the lists are kept if
    /// the gates confirmed that the loop is over.
    fn beside_written(&self) -> &Beside {
        let kept = self.turn.measured.as_ref().map(|kept| &kept.beside);
        kept.filter(|_| !self.run.position().completed).unwrap_or(&self.turn.beside)
    }

    /// Returns those of the values that change.
    pub(super) fn top_keys(&self) -> TopKeys {
        TopKeys::back(&self.turn.beside, self.beside_written())
    }

    /// Returns the values for `run.yaml`.
    pub(super) fn noted(&self) -> Option<Noted> {
        let mut noted = self.turn.noted.clone()?;
        if self.turn.is_ours {
            noted.kept =
                LoopBaseline { state: self.written(), beside: self.beside_written().clone() };
            noted.question.clone_from(&self.definition.question);
        }
        Some(noted)
    }

    /// Lists the fields that the agent set and that are restored.
    pub(crate) fn fields_put_back(&self) -> Option<FieldsPutBack> {
        let before = self.turn.measured.as_ref().filter(|_| !self.elsewhere)?;
        let set = LoopBaseline { state: self.read.clone(), beside: self.turn.beside.clone() };
        let written = LoopBaseline { state: self.written(), beside: self.beside_written().clone() };
        let fields = put_back(before, &set, &written);
        let why = self.turn.is_claimed.then(|| "the checks of its plan decide that".to_owned());
        (!fields.is_empty()).then(|| FieldsPutBack { doc: STATE.to_owned(), fields, why })
    }

    /// Returns news for the person.
    pub(crate) fn turn_news(&self) -> impl Iterator<Item = String> + use<> {
        let put_back = self.fields_put_back().map(|put_back| put_back.to_string());
        put_back.into_iter().chain(self.turn.trouble.clone())
    }
}

pub(super) fn lower(noted: Option<&Noted>) -> Plain {
    noted.map_or(Plain::Null, Stored::lower)
}
