//! What of a plan only an agent decides: no gate looks at it, so it stays a claim.

use super::{Decision, Definition, Effective, KeyLink, Plan, PlanCheck, Task, Verification};

/// Returns every check that only an agent can decide, with its task.
pub fn claims(plan: &Plan) -> impl Iterator<Item = (&str, &str)> {
    let of = |task| of_task(task).map(|check| (task.id.as_str(), check.text.as_str()));
    plan.tasks.iter().flat_map(of)
}

/// Returns the checks of a task that only an agent can decide.
pub(super) fn of_task(task: &Task) -> impl Iterator<Item = &PlanCheck> {
    task.checks.iter().filter(|check| match check.decision {
        Decision::Claim { .. } | Decision::Ending { .. } => true,
        Decision::Gate(_) => false,
    })
}

/// Returns what must be true of the whole.
pub(super) fn goals(plan: &Plan) -> impl Iterator<Item = String> {
    plan.must_haves.iter().map(|goal| goal.text.clone())
}

/// Returns what must be connected with what.
pub(super) fn links(plan: &Plan) -> impl Iterator<Item = String> {
    let link = |link: &KeyLink| format!("{} → {}: {}", link.from, link.to, link.connection);
    plan.links.iter().map(link)
}

/// Returns what whoever verifies the whole says and no gate judges.
pub(super) fn of_whole(plan: &Plan, report: &Verification) -> Vec<String> {
    match report.effective() {
        Effective::Passed | Effective::HumanNeeded => goals(plan).chain(links(plan)).collect(),
        // It does not say that all is well.
        Effective::GapsFound | Effective::UnparseableGaps | Effective::Invalid => Vec::new(),
    }
}

impl Definition {
    /// Returns everything that whoever ends the plan says and no gate judges.
    pub fn claims(&self) -> Vec<String> {
        let checks = claims(&self.plan).map(|(task, check)| format!("{task}: {check}"));
        checks.chain(goals(&self.plan)).chain(links(&self.plan)).collect()
    }
}
