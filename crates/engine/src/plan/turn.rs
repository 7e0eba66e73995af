//! What a loop in a session says that its agent does not decide, from a person's prompt to the stop
//! that is allowed.

use sprag_core::event::FieldsPutBack;
use sprag_core::plan::{Beside, Kept, LoopState, Turn, Weighed, put_back, shown_in_session, weigh};
use sprag_core::{Fields, Hash, Plain, Run, Stored, Unreadable, stored};
use sprag_formats::plan::state::{TopKeys, beside};

use super::docs::STATE;
use super::session_lens::raw_owner;
use crate::live::LoopRun;

/// What is known of a loop beside what `STATE.md` says, and of what the agent did to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoopTurn {
    /// What stands in `run.yaml`; nothing in one of an older version.
    pub(super) noted: Option<Noted>,
    /// What `STATE.md` says beside the loop.
    pub(super) beside: Beside,
    /// What counts once the agent's changes are weighed, until they are.
    pub(super) weighed: Option<Box<(Run<LoopState>, Weighed)>>,
    /// What the agent's changes are measured by, once they are weighed.
    measured: Option<Box<Kept>>,
    /// Whether what is written from now on is ours or a person's.
    is_ours: bool,
    /// Whether the agent says in `STATE.md` that the loop is over.
    pub(super) is_claimed: bool,
    /// Why `STATE.md` cannot be read.
    pub(super) trouble: Option<String>,
}

/// What `run.yaml` says of a loop's turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Noted {
    /// What the agent does not decide.
    pub(super) kept: Kept,
    /// Whether the agent has the turn.
    pub(super) open: bool,
    /// The agent's open question to a person.
    pub(super) question: Option<String>,
    /// The verification report that says nothing any more: it was there before, or was counted.
    pub(super) report: Option<Hash>,
}

stored!(struct Noted { kept, open, question, report });

/// Where `run.yaml` has it.
pub(super) const TURN: &str = "turn";

impl LoopTurn {
    /// Reads what `run.yaml` says.
    pub(super) fn read(plain: &Plain, text: Option<&str>) -> Result<Self, Unreadable> {
        let noted: Option<Noted> = Fields::of(plain)?.get(TURN)?;
        Ok(Self { noted, beside: text.map(beside).unwrap_or_default(), ..Self::default() })
    }

    /// Returns the turn of a loop that becomes a session's now.
    pub(super) fn begun(text: Option<&str>) -> Self {
        let noted = Some(Noted::default());
        let beside = text.map(beside).unwrap_or_default();
        Self { noted, beside, is_ours: true, ..Self::default() }
    }

    /// Returns what counts of a `STATE.md` while the agent has the turn.
    pub(super) fn count(&self, state: &LoopState) -> Option<Weighed> {
        let noted = self.noted.as_ref().filter(|noted| noted.open)?;
        let now = Kept { state: state.clone(), beside: self.beside.clone() };
        Some(weigh(&noted.kept, &now, Turn::Session))
    }
}

impl LoopRun {
    /// Puts back what the agent set and does not decide. Once is enough.
    pub(crate) fn weigh(&mut self) {
        let Some(weighed) = self.turn.weighed.take() else { return };
        let (run, Weighed { is_claimed, .. }) = *weighed;
        self.run = run;
        self.turn.is_claimed = is_claimed;
        self.turn.measured = self.turn.noted.as_ref().map(|noted| Box::new(noted.kept.clone()));
        self.turn.is_ours = true;
        self.elsewhere = self.turn.trouble.is_some();
    }

    /// Takes `STATE.md` as a person left it.
    pub(crate) fn take(&mut self) {
        if self.turn.trouble.is_none() {
            (self.turn.weighed, self.turn.is_ours) = (None, true);
        }
    }

    /// Gives the agent the turn, where nobody had it: a host may let it work without a person's
    /// prompt. What `STATE.md` says now is what a person left there.
    pub(crate) fn open_turn(&mut self) {
        if !self.is_open() {
            self.take();
            self.set_open(true);
        }
    }

    /// Returns whether the agent has the turn.
    pub(crate) fn is_open(&self) -> bool {
        self.turn.noted.as_ref().is_some_and(|noted| noted.open)
    }

    /// Notes whether the agent has the turn from now on.
    pub(crate) fn set_open(&mut self, open: bool) {
        self.turn.noted.get_or_insert_default().open = open;
    }

    /// Notes a report that says nothing any more.
    pub(super) fn spend_report(&mut self, report: Option<Hash>) {
        self.turn.noted.get_or_insert_default().report = report;
    }

    /// Returns whether a report still counts.
    pub(super) fn is_new_report(&self, report: Hash) -> bool {
        self.turn.noted.as_ref().is_none_or(|noted| noted.report != Some(report))
    }

    /// Returns what `STATE.md` says once it is written.
    pub(super) fn written(&self) -> LoopState {
        shown_in_session(&self.definition, &self.run, raw_owner(&self.run), self.at)
    }

    /// Returns what stands beside the loop once it is written: lists that an agent changed are its
    /// own where the gates confirmed that the loop is over.
    fn beside_written(&self) -> &Beside {
        let kept = self.turn.measured.as_ref().map(|kept| &kept.beside);
        kept.filter(|_| !self.run.position().completed).unwrap_or(&self.turn.beside)
    }

    /// Returns what of it is written.
    pub(super) fn top_keys(&self) -> TopKeys {
        TopKeys::back(&self.turn.beside, self.beside_written())
    }

    /// Returns what `run.yaml` says of the turn.
    pub(super) fn noted(&self) -> Option<Noted> {
        let mut noted = self.turn.noted.clone()?;
        if self.turn.is_ours {
            noted.kept = Kept { state: self.written(), beside: self.beside_written().clone() };
            noted.question.clone_from(&self.definition.question);
        }
        Some(noted)
    }

    /// Names what the agent set and what is put back.
    pub(crate) fn put_back(&self) -> Option<FieldsPutBack> {
        let before = self.turn.measured.as_ref().filter(|_| !self.elsewhere)?;
        let set = Kept { state: self.read.clone(), beside: self.turn.beside.clone() };
        let written = Kept { state: self.written(), beside: self.beside_written().clone() };
        let fields = put_back(before, &set, &written);
        let why = self.turn.is_claimed.then(|| "the checks of its plan decide that".to_owned());
        (!fields.is_empty()).then(|| FieldsPutBack { doc: STATE.to_owned(), fields, why })
    }

    /// Returns what a person should know of it.
    pub(crate) fn news(&self) -> impl Iterator<Item = String> + use<> {
        let put_back = self.put_back().map(|put_back| put_back.to_string());
        put_back.into_iter().chain(self.turn.trouble.clone())
    }
}

/// Returns the plain form of what `run.yaml` says of a turn.
pub(super) fn lower(noted: Option<&Noted>) -> Plain {
    noted.map_or(Plain::Null, Stored::lower)
}
