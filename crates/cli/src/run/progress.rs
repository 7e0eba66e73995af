//! Shows the progress of a run: every event becomes a line, and updates the state for the live
//! block and for the summary.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};

use sprag_core::{Hold, RunId, UnitId};
use sprag_engine::drive::{NoticeResult, UnitEnd, first_line};
use sprag_engine::engine::Engine;
use sprag_engine::run_file::Source;
use sprag_run::{RunEvent, Watch};
use sprag_store::Place;
use sprag_world::clock;

use super::messages::{self, ProgressLine, evidence, sent_back, unit_name};
use super::notify;
use super::output::RunOutput;
use crate::style::Tone;

#[derive(Debug)]
pub(super) struct ProgressView<'a> {
    pub(super) place: &'a Place,
    pub(super) environment: &'a [(OsString, OsString)],
    pub(super) run: &'a RunId,
    pub(super) teller: Arc<RunOutput>,
    /// The last failure of each unit that is not done.
    pub(super) failures: Mutex<BTreeMap<String, String>>,
}

impl ProgressView<'_> {
    /// Shows the task, the agents, the limits and the place.
    pub(super) fn begin(&self, verb: &'static str, with: &str) {
        let (what, until) = {
            let far = &self.teller.board().far;
            let task = far.task.as_deref().map(first_line);
            let what = match (&far.source, task) {
                (source, Some(task)) if source.info().has_phases => {
                    format!("{}  {task}", source.key())
                }
                (source, None) => source.called(),
                (_, Some(task)) => task.to_owned(),
            };
            (what, far.until.clone())
        };
        let folder = self.place.root.display();
        self.teller.line(&ProgressLine::new(Tone::Good, verb, format!("{}  {what}", self.run)));
        let until = until.map_or_else(String::new, |until| format!("until `{until}`, "));
        for text in [format!("{until}with {with}"), format!("in {folder}")] {
            self.teller.line(&ProgressLine::new(Tone::Quiet, "", text));
        }
    }

    /// Shows notes to the user.
    pub(super) fn note(&self, lines: &[String]) {
        for text in lines {
            self.teller.line(&ProgressLine::new(Tone::Note, "Note", text));
        }
    }

    /// Returns the last failure of each unit that is not done.
    pub(super) fn failures(&self) -> Vec<(String, String)> {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.iter().map(|(unit, why)| (unit.clone(), why.clone())).collect()
    }

    pub(super) fn source(&self) -> Source {
        self.teller.board().far.source.clone()
    }

    /// Measures the run's progress; after a read error it is measured again after the next unit.
    fn measure(&self) {
        if !self.teller.is_live() && !self.teller.board().may_not_bind() {
            return;
        }
        let engine = Engine::open(self.place, self.environment);
        if let Ok(far) = engine.and_then(|engine| engine.drive_far(self.run)) {
            self.teller.board().far = far;
        }
        let unbound = self.teller.board().new_unbound();
        if let Some(text) = unbound {
            self.teller.whole(&ProgressLine::new(Tone::Note, "Budget", text));
        }
    }

    /// Notifies an absent user at once if an attempt waits for them: the other agents may work for
    /// hours.
    fn tell(&self, unit: &UnitId, hold: &Hold) {
        if hold.ends().is_some() {
            return;
        }
        let engine = Engine::open(self.place, self.environment);
        let told = engine.map(|engine| notify::needs_you(&engine, self.run, Some(unit), hold));
        if let Ok(Ok(NoticeResult::Failed(why))) = told {
            self.teller.line(&ProgressLine::new(Tone::Note, "Notify", format!("not sent: {why}")));
        }
    }

    fn remember(&self, seen: &RunEvent<'_>) {
        let source = self.source();
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        match seen {
            RunEvent::Judged { unit, end, .. } => {
                let unit = unit_name(&source, unit.as_str());
                match end {
                    UnitEnd::Passed(_) => drop(failures.remove(&unit)),
                    UnitEnd::Open { why }
                    | UnitEnd::Failed { why }
                    | UnitEnd::Unchanged { why, .. } => {
                        failures.insert(unit, evidence(why));
                    }
                    UnitEnd::SentBack { inputs } => {
                        failures.insert(unit, sent_back(inputs));
                    }
                    UnitEnd::Lost { why, .. } => {
                        failures.insert(unit, format!("lost: {}", first_line(why)));
                    }
                    UnitEnd::Held { .. }
                    | UnitEnd::Reviewed(_)
                    | UnitEnd::Limited(_)
                    | UnitEnd::NotStarted { .. }
                    | UnitEnd::Stopped => {}
                }
            }
            RunEvent::Assigned { .. }
            | RunEvent::Aborted { .. }
            | RunEvent::Begun { .. }
            | RunEvent::Heard { .. }
            | RunEvent::Ended { .. }
            | RunEvent::Conflict { .. }
            | RunEvent::Strays { .. }
            | RunEvent::Limited { .. }
            | RunEvent::Waiting { .. }
            | RunEvent::Branch { .. }
            | RunEvent::Resumed { .. } => {}
        }
    }
}

impl Watch for ProgressView<'_> {
    fn see(&self, seen: &RunEvent<'_>) {
        let now = clock::now();
        let (source, claim, again) = {
            let board = self.teller.board();
            let claim = match seen {
                RunEvent::Ended { fence, .. } => board.claim(*fence).to_owned(),
                RunEvent::Assigned { .. }
                | RunEvent::Aborted { .. }
                | RunEvent::Begun { .. }
                | RunEvent::Heard { .. }
                | RunEvent::Judged { .. }
                | RunEvent::Conflict { .. }
                | RunEvent::Strays { .. }
                | RunEvent::Limited { .. }
                | RunEvent::Waiting { .. }
                | RunEvent::Branch { .. }
                | RunEvent::Resumed { .. } => String::new(),
            };
            (board.far.source.clone(), claim, board.knows(seen))
        };
        self.teller.board().see(seen, now);
        self.remember(seen);
        if !again {
            for line in messages::lines(seen, &source, &claim, now) {
                self.teller.line(&line);
            }
        }
        if let RunEvent::Judged { unit, end: UnitEnd::Held { hold }, .. } = seen {
            self.tell(unit, hold);
        }
        let is_over = matches!(seen, RunEvent::Judged { .. } | RunEvent::Limited { .. });
        if is_over || matches!(seen, RunEvent::Begun { .. }) {
            self.measure();
        }
    }
}
