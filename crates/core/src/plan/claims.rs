//! Claims of a plan: checks that only an agent decides and no gate judges.

use super::{CheckDecision, Definition, Effective, KeyLink, Plan, PlanCheck, Task, Verification};

/// Returns every check that only an agent can decide, with its task.
pub fn claims(plan: &Plan) -> impl Iterator<Item = (&str, &str)> {
    let of = |task| of_task(task).map(|check| (task.id.as_str(), check.text.as_str()));
    plan.tasks.iter().flat_map(of)
}

/// Returns the checks of a task that only an agent can decide.
pub(super) fn of_task(task: &Task) -> impl Iterator<Item = &PlanCheck> {
    task.checks.iter().filter(|check| match check.decision {
        CheckDecision::Claim { .. } | CheckDecision::Ending { .. } => true,
        CheckDecision::Gate(_) => false,
    })
}

/// Returns the goals of the whole plan.
pub(super) fn goals(plan: &Plan) -> impl Iterator<Item = String> {
    plan.must_haves.iter().map(|goal| goal.text.clone())
}

/// Returns the required connections.
pub(super) fn links(plan: &Plan) -> impl Iterator<Item = String> {
    let link = |link: &KeyLink| format!("{} → {}: {}", link.from, link.to, link.connection);
    plan.links.iter().map(link)
}

/// Returns the verifier's claims about the whole plan that no gate judges.
pub(super) fn of_whole(plan: &Plan, report: &Verification) -> Vec<String> {
    match report.effective() {
        Effective::Passed | Effective::HumanNeeded => goals(plan).chain(links(plan)).collect(),
        // The report does not say that all is well.
        Effective::GapsFound | Effective::UnparseableGaps | Effective::Invalid => Vec::new(),
    }
}

impl Definition {
    /// Returns all claims at the end of the plan that no gate judges.
    pub fn claims(&self) -> Vec<String> {
        let checks = claims(&self.plan).map(|(task, check)| format!("{task}: {check}"));
        checks.chain(goals(&self.plan)).chain(links(&self.plan)).collect()
    }
}
