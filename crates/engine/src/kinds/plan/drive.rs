//! What driving a plan needs of its own: a person's answers, the decided checks, and the meaning of
//! an agent's last message.

use sprag_core::plan::{
    Choice, Definition, Report, ReportResult, Stage, VERIFY, VerificationAnswer,
};
use sprag_core::{Facts, Fence, Hash, Next, RunId, Signal, UnitId, Word};
use sprag_store::View;
use sprag_world::tree::TreeError;

use super::docs;
use super::report::report_file;
use crate::after_step::after_step;
use crate::conclude::Concluded;
use crate::drive::{answered, in_a_line};
use crate::engine::kind::{Kernel as _, Moment};
use crate::engine::{Engine, EngineError};
use crate::kinds::plan::PlanRun;
use crate::kinds::plan::in_session::LoopRun;
use crate::now::Now;
use crate::open_run::OpenRun;

/// A unit that was begun, for the agent that works on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Working {
    pub fence: Fence,
    pub unit: UnitId,
    pub prompt: String,
}

impl Engine<'_> {
    /// Records a person's answer to a question of the plan, its loop, or an agent.
    pub fn plan_answer(&self, run: &RunId, text: &str, by: &str) -> Result<(), EngineError> {
        let signal = Signal::Answered { text: text.to_owned() };
        let now = Now::new(self);
        self.transact(by, &now, |tx| {
            let mut case = OpenRun::open(self.kinds, tx.view, run)?;
            if let Some(held) = case.run.live.of_mut::<LoopRun>() {
                held.definition.question = None;
            } else {
                case = plan_case(tx.view, run, &now)?;
            }
            tx.step(&mut case.run, &signal)?;
            let facts = tx.facts()?.clone();
            let said = (&signal, &Concluded::default());
            answered(tx.view, &case, said, &facts, tx)?;
            after_step(tx, &mut case.run)?;
            tx.run(&case.run)
        })
    }

    /// Returns the possible answers to the plan's current question.
    pub fn plan_choice(&self, run: &RunId) -> Result<Choice, EngineError> {
        let now = Now::new(self);
        self.look(|view| {
            let case = plan_case(view, run, &now)?;
            let held = case.run.live.of::<PlanRun>();
            Ok(held.map_or(Choice::Free, |held| Choice::of(&held.definition, &held.run)))
        })
    }
}

/// Opens a run of a plan and decides its checks by the project's files.
pub(super) fn plan_case(
    view: &View<'_>,
    run: &RunId,
    now: &Now<'_>,
) -> Result<OpenRun, EngineError> {
    let mut case = OpenRun::open(now.engine.kinds, view, run)?;
    let checks = case.law.config.checks;
    let Some(held) = case.run.live.of_mut::<PlanRun>() else {
        return Err(EngineError::NotFound { what: format!("{run} is no run of a plan") });
    };
    decide(held, checks, now)?;
    Ok(case)
}

/// Decides the checks of a plan's run.
pub(crate) fn decide(
    held: &mut PlanRun,
    checks: sprag_formats::Checks,
    now: &dyn Moment,
) -> Result<(), EngineError> {
    decide_checks(&mut held.definition, checks, now)?;
    held.specs = super::lens::specs(&held.definition);
    Ok(())
}

/// Decides the checks of a plan.
pub(super) fn decide_checks(
    definition: &mut Definition,
    checks: sprag_formats::Checks,
    now: &dyn Moment,
) -> Result<(), EngineError> {
    let files = match now.tree() {
        // The judge reports this error; a held run needs no files.
        Err(EngineError::Tree(TreeError::Git { .. })) => &[],
        tree => tree?.files(),
    };
    let may_run = docs::may_run(&definition.settings, checks);
    let names = || {
        let name = |file: &sprag_world::tree::File| String::from_utf8(file.path.clone()).ok();
        files.iter().filter_map(name).collect()
    };
    docs::decide(&mut definition.plan, may_run, &names);
    Ok(())
}

/// Converts an agent's last message to its claim about a unit.
pub(crate) fn word(unit: &UnitId, message: &str) -> Word {
    let report = Report::read(message);
    let failed = |report: &Report| {
        let line = |label: &str, text: &Option<String>| {
            text.as_ref().map_or_else(String::new, |text| format!("\n{label} {text}"))
        };
        let blocker = line("Blocker:", &report.blocker);
        let fix = line("Suggested fix:", &report.suggested_fix);
        Word::Failed { why: format!("{}{blocker}{fix}", report.reason) }
    };
    match report.result {
        ReportResult::Checkpoint => Word::Question { what: report.reason },
        // The verifier's result is in its report, which is a document.
        _ if *unit == VERIFY => Word::Done,
        ReportResult::Complete | ReportResult::GapClosed | ReportResult::PhaseComplete => {
            Word::Done
        }
        ReportResult::Failed | ReportResult::GapFailed => failed(&report),
    }
}

/// Returns whether an agent's last message asks a person.
pub(crate) fn asks(message: &str) -> bool {
    Report::read(message).result == ReportResult::Checkpoint
}

/// Describes what a verification left open though no gate failed; `None` once the plan is done.
pub(crate) fn left_open(held: &PlanRun, unit: &UnitId, facts: &Facts) -> Option<String> {
    let position = held.run.position();
    if *unit != VERIFY || position.stage() == Stage::Done {
        return None;
    }
    if let Next::Held(hold) = held.next(facts) {
        return Some(in_a_line(&hold));
    }
    let open = position.gaps().iter().filter(|fix| fix.said.is_none());
    let names: Vec<String> = open.map(|fix| fix.gap.name()).collect();
    Some(if names.is_empty() {
        "its report names no gap that can be read, and is asked for once more".to_owned()
    } else {
        format!("its report names gaps: {}", names.join(", "))
    })
}

/// Returns the contents of the plan's verification report.
pub(crate) fn told(view: &View<'_>, held: &PlanRun) -> Result<VerificationAnswer, EngineError> {
    let text = docs::read(view, &report_file(held))?;
    Ok(text.map_or_else(VerificationAnswer::default, |text| VerificationAnswer {
        report: sprag_formats::plan::verification::read(&text),
        digest: Some(Hash::of(&text)),
    }))
}
