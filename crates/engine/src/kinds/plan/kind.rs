//! The plan of a phase: tasks in waves, then a verification.

use std::collections::BTreeSet;

use sprag_core::basis::Consent;
use sprag_core::event::FieldsPutBack;
use sprag_core::plan::{
    Definition, LoopState, Mode, PlanMachine, Position, Task, TaskState, VERIFY,
};
use sprag_core::workflow::ReviewStep;
use sprag_core::{
    Ask, Facts, GateSpec, Hash, Plain, Receipt, Run, Stored as _, UnitId, Unreadable, Word,
};
use sprag_formats::Checks;
use sprag_store::{Edit, Place, View};

use crate::engine::EngineError;
use crate::engine::kind::{
    AnyRun, Checking, Count, Entry, Info, Kind, Moment, ReadForm, Reading, on_machine,
};
use crate::kinds::plan::{self, PlanDocs};
use crate::unusable::Unusable;

pub const INFO: Info = Info {
    key: Some("PHASE"),
    called: "the plan of phase {}",
    has_choices: true,
    is_listed: true,
    is_reported: true,
    has_owner: false,
    is_measured: true,
    rechecks: true,
    prompts_failures: true,
    ..Info::new("plan")
};

pub static ENTRY: Entry = Entry { info: &INFO, open, check };

fn open(file: &Reading<'_>) -> Result<AnyRun, Unusable> {
    let (phase, recorded) = (file.header.source.key(), file.header.definition.as_ref());
    Ok(Box::new(plan::open(file.view, file.id, phase, recorded, file.file)?))
}

fn check(file: &Checking<'_>) -> Result<(), Unreadable> {
    plan::lift(file.plain, &Definition::default(), &LoopState::default()).map(drop)
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlanRun {
    /// The plan and the settings that it is driven by.
    pub definition: Definition,
    /// Its gates, with the data to evaluate them.
    pub specs: Vec<GateSpec>,
    pub run: Run<Position>,
    /// Its documents, as they were read.
    pub docs: PlanDocs,
}

on_machine!(PlanRun, PlanMachine);

impl Kind for PlanRun {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn line(&self) -> String {
        let (position, plan) = (self.run.position(), &self.definition.plan);
        let stage = self.definition.stage(position).as_str();
        let (done, all) = (position.done(), plan.tasks.len());
        format!("phase {}: {stage}, {done}/{all} tasks", plan.phase)
    }

    fn title(&self) -> Option<String> {
        let plan = &self.definition.plan;
        Some(format!("Phase {}: {}", plan.phase, plan.title))
    }

    fn specs(&self) -> &[GateSpec] {
        &self.specs
    }

    fn decide_checks(&mut self, checks: Checks, now: &dyn Moment) -> Result<(), EngineError> {
        plan::decide(self, checks, now)
    }

    fn may_change(&self, unit: &UnitId) -> Vec<Consent> {
        self.definition.may_change(unit)
    }

    fn stored(&self) -> Plain {
        plan::lower(self)
    }

    fn as_read(&self) -> ReadForm {
        ReadForm::Plain(self.docs.own.clone())
    }

    fn foreign_edits(&self) -> Result<Vec<Edit>, Unusable> {
        plan::edits(self)
    }

    fn set_turn(&mut self, is_open: bool) {
        self.docs.turn.is_open = is_open;
    }

    fn put_back(&self) -> Option<FieldsPutBack> {
        plan::put_back(self)
    }

    fn digest(&self) -> Option<Hash> {
        Some(self.docs.digest)
    }

    fn judged_by(&self, _: &View<'_>, _: &Place) -> Result<BTreeSet<String>, EngineError> {
        let plan = format!("{}/plan.md", self.docs.folder);
        Ok(BTreeSet::from([plan, plan::CONFIG.to_owned()]))
    }

    fn max_parallel(&self) -> Option<u32> {
        self.definition.settings.max_parallel
    }

    fn told(&self, unit: &UnitId, view: &View<'_>) -> Result<Option<(Ask, Plain)>, EngineError> {
        if *unit != VERIFY {
            return Ok(None);
        }
        Ok(Some((Ask::Verification, plan::told(view, self)?.lower())))
    }

    fn claim(&self, unit: &UnitId, _: Option<ReviewStep>, said: &str) -> Word {
        plan::word(unit, said)
    }

    fn is_question(&self, said: &str) -> bool {
        plan::asks(said)
    }

    fn report_file(&self) -> Option<String> {
        Some(plan::report_file(self))
    }

    fn write_report(
        &self,
        unit: &UnitId,
        receipts: &[Receipt],
    ) -> Result<Option<Edit>, EngineError> {
        plan::write_report(self, unit, receipts)
    }

    fn left_open(&self, unit: &UnitId, facts: &Facts) -> Option<String> {
        plan::left_open(self, unit, facts)
    }

    fn to_come(&self) -> Vec<String> {
        let tasks = self.definition.plan.tasks.iter();
        let is_over = |id: &str| self.run.position().task(id).is_some_and(TaskState::is_over);
        tasks.filter(|task| !is_over(&task.id)).map(Task::retry_key).collect()
    }

    fn count(&self, _: usize) -> Count {
        let total = self.definition.plan.tasks.len();
        Count { done: self.run.position().done(), total: Some(total), of: "tasks" }
    }

    /// The plan's documents show the mode from the next commit on.
    fn set_mode(&mut self, mode: Mode) {
        self.definition.settings.mode = mode;
    }
}
