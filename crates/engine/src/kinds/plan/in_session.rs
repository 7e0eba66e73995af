//! A loop of a plan that a session drives itself.

use std::collections::BTreeSet;

use sprag_core::event::FieldsPutBack;
use sprag_core::plan::{Holding, InSession, LoopState};
use sprag_core::{Facts, GateSpec, Plain, Run, Signal, Time, Unreadable, Waiting, Word};
use sprag_formats::Checks;
use sprag_store::{Edit, Place, View};

use crate::engine::EngineError;
use crate::engine::kind::{
    AnyRun, Checking, Entry, Info, Kernel as _, Kind, Moment, OnMachine, Reading,
};
use crate::kinds::plan::{self, LoopTurn};
use crate::unusable::Unusable;

pub(crate) const INFO: Info = Info { is_reported: true, ..Info::new("loop") };

pub(crate) static ENTRY: Entry = Entry { info: &INFO, open, check };

fn open(file: &Reading<'_>) -> Result<AnyRun, Unusable> {
    Ok(Box::new(plan::open_loop(file.view, file.file)?))
}

fn check(file: &Checking<'_>) -> Result<(), Unreadable> {
    plan::lift_loop(file.plain, &LoopState::default()).map(drop)
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LoopRun {
    /// The rules that the session is held to.
    pub definition: Holding,
    /// The gates of the loop's plan, if the agent reports the loop as done.
    pub specs: Vec<GateSpec>,
    pub run: Run<LoopState>,
    /// The text of `STATE.md` when it was read.
    pub(crate) state: Option<String>,
    /// The loop's state in that text.
    pub(crate) read: LoopState,
    /// Whether another session has the loop, or `STATE.md` cannot be read; then we must not write
    /// it.
    pub(crate) elsewhere: bool,
    /// The fields that the agent may not decide while it has the turn.
    pub(crate) turn: LoopTurn,
    /// When it was read.
    pub(crate) at: Time,
}

impl OnMachine for LoopRun {
    type M = InSession;

    fn definition(&self) -> &Holding {
        &self.definition
    }

    fn run(&self) -> &Run<LoopState> {
        &self.run
    }

    fn take_run(&mut self, run: Run<LoopState>) {
        self.run = run;
    }

    fn before_step(&mut self) {
        self.weigh();
    }
}

impl Kind for LoopRun {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn line(&self) -> String {
        let state = self.run.position();
        let kind = state.kind.as_str().unwrap_or("loop");
        format!("{kind} {}/{}", state.iteration, state.max_iterations)
    }

    fn specs(&self) -> &[GateSpec] {
        &self.specs
    }

    fn word(&self) -> Word {
        if self.specs.is_empty() { Word::None } else { Word::Done }
    }

    fn patience(&self) -> Option<u32> {
        self.definition.settings.max_idle_blocks
    }

    fn news(&self, facts: &Facts) -> Vec<Waiting> {
        if self.read.paused { Vec::new() } else { self.waiting(facts) }
    }

    fn open_turn(&mut self) {
        self.begin_turn();
    }

    fn session_said(
        &mut self,
        at: (&View<'_>, &dyn Moment),
        checks: Checks,
        said: Option<&str>,
    ) -> Result<Option<Signal>, EngineError> {
        plan::hear(self, at, checks, said)
    }

    fn session_stopped(&mut self, goes_on: bool) -> Vec<String> {
        let news = self.turn_news().collect();
        self.set_open(goes_on);
        news
    }

    fn stored(&self) -> Plain {
        plan::lower_loop(self)
    }

    fn foreign_edits(&self) -> Result<Vec<Edit>, Unusable> {
        plan::loop_edits(self)
    }

    fn put_back(&self) -> Option<FieldsPutBack> {
        self.fields_put_back()
    }

    fn judged_by(&self, _: &View<'_>, _: &Place) -> Result<BTreeSet<String>, EngineError> {
        let mut docs: BTreeSet<String> = BTreeSet::from([plan::CONFIG.to_owned()]);
        docs.extend(plan::plan_files(self.run.position().phase.as_deref()));
        Ok(docs)
    }
}
