//! Writes our own `VERIFICATION.md`: results that the engine observed override an agent's.

use sprag_core::plan::{CheckDecision, Definition, VERIFY, VerificationStatus, stage_of};
use sprag_core::{Receipt, UnitId, Verdict};
use sprag_formats::plan::verification::{
    CheckResult, CheckRow, CiResult, CiRow, FullRun, write as written,
};
use sprag_store::Edit;

use super::docs::path;
use crate::engine::EngineError;
use crate::kinds::plan::PlanRun;

/// Writes a report if a gate of the whole failed, so that the document agrees with the loop.
pub(crate) fn write(
    held: &PlanRun,
    unit: &UnitId,
    receipts: &[Receipt],
) -> Result<Option<Edit>, EngineError> {
    let failed = held.run.failed().get(unit).filter(|_| *unit == VERIFY);
    let Some(red) = failed else { return Ok(None) };
    if !receipts.contains(&red.receipt) {
        return Ok(None);
    }
    let report = FullRun {
        phase: held.definition.plan.phase.clone(),
        status: VerificationStatus::GapsFound,
        ci: stages(&held.definition, receipts),
        checks: checks(&held.definition, receipts),
        gaps: held.run.position().gaps().iter().map(|fix| fix.gap.clone()).collect(),
        human: Vec::new(),
    };
    let doc = path(&report_file(held))?;
    Ok(Some(Edit::Write { doc, text: written(&report) }))
}

/// Returns the path of a plan's verification report.
pub(crate) fn report_file(held: &PlanRun) -> String {
    format!("{}/VERIFICATION.md", held.docs.folder)
}

/// Returns the stages of CI; those after a failure did not run.
fn stages(definition: &Definition, receipts: &[Receipt]) -> Vec<CiRow> {
    let row = |(stage, _): &(sprag_core::plan::CiStage, Vec<String>)| {
        let said = receipts.iter().rfind(|one| stage_of(&one.gate) == Some(*stage));
        let (result, note) = match said.map(|one| (one.verdict, one)) {
            Some((Verdict::Pass, _)) => (CiResult::Pass, String::new()),
            Some((Verdict::Fail, one)) => {
                (CiResult::Fail, one.exit.map_or_else(String::new, |code| format!("exit {code}")))
            }
            Some((Verdict::Void | Verdict::Waived | Verdict::Unknown, _)) | None => {
                (CiResult::Skip, String::new())
            }
        };
        CiRow { stage: *stage, result, note }
    };
    definition.ci.iter().map(row).collect()
}

/// Returns the checks of the tasks: those that the engine decided, and those that only an agent can
/// decide.
fn checks(definition: &Definition, receipts: &[Receipt]) -> Vec<CheckRow> {
    let gates = definition.gates();
    let mut rows = Vec::new();
    for task in &definition.plan.tasks {
        for check in &task.checks {
            let result = match &check.decision {
                CheckDecision::Claim { .. } | CheckDecision::Ending { .. } => {
                    Some(CheckResult::Claimed)
                }
                CheckDecision::Gate(asked) => {
                    let gate = gates.iter().find(|gate| gate.check == *asked);
                    let said =
                        gate.and_then(|gate| receipts.iter().rfind(|one| one.gate == gate.name));
                    said.and_then(|one| match one.verdict {
                        Verdict::Pass => Some(CheckResult::Proven),
                        Verdict::Fail => Some(CheckResult::Failed),
                        Verdict::Void | Verdict::Waived | Verdict::Unknown => None,
                    })
                }
            };
            let (task, text) = (task.id.clone(), check.text.clone());
            rows.extend(result.map(|result| CheckRow {
                task,
                text,
                result,
                evidence: String::new(),
            }));
        }
    }
    rows
}
