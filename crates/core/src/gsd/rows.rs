//! The dispatch table: its rows in order, each under the original's name.
//!
//! The first matching row decides. A row that does not match gives a reason, which `next` reports.

mod closing;
mod deep;
mod executing;
mod planning;

pub(super) use planning::to_research;

use super::case::{ActiveTree, Tried, no};

/// A row's name and its function.
pub(super) type Row = (&'static str, fn(&ActiveTree<'_>) -> Tried);

pub(super) const ROWS: &[Row] = &[
    ("escalating-task → pause-for-escalation", only_a_database),
    ("rewrite-docs (override gate)", closing::rewrite_docs),
    ("execution-entry phase (no context) → discuss-milestone", executing::without_context),
    ("summarizing → complete-slice", closing::complete_slice),
    ("run-uat (post-completion)", closing::run_uat),
    ("uat-verdict-gate (non-PASS blocks progression)", closing::uat_verdict),
    ("reassess-roadmap (post-completion)", closing::reassess),
    ("needs-discussion → discuss-milestone", planning::discuss_draft),
    ("deep: pre-planning (no workflow prefs) → workflow-preferences", deep::preferences),
    ("deep: pre-planning (no PROJECT) → discuss-project", deep::project),
    ("deep: pre-planning (no REQUIREMENTS) → discuss-requirements", deep::requirements),
    ("deep: pre-planning (no research decision) → research-decision", deep::decision),
    ("deep: pre-planning (research approved, files missing) → research-project", deep::research),
    ("pre-planning (no context) → discuss-milestone", planning::discuss_milestone),
    ("pre-planning (no research) → research-milestone", planning::research_milestone),
    ("pre-planning (has research) → plan-milestone", planning::plan_milestone),
    ("planning (require_slice_discussion) → pause for discussion", planning::discuss_slice),
    ("planning (multiple slices need research) → parallel-research-slices", planning::research_all),
    ("planning (no research, not S01) → research-slice", planning::research_slice),
    ("refining → refine-slice", only_a_database),
    ("planning → plan-slice", planning::plan_slice),
    ("evaluating-gates → gate-evaluate", only_a_database),
    ("replanning-slice → replan-slice", planning::replan_slice),
    ("executing → reactive-execute (parallel dispatch)", executing::reactive),
    ("executing → execute-task (recover missing task plan → plan-slice)", executing::plan_again),
    ("executing → execute-task", executing::execute_task),
    ("validating-milestone → validate-milestone", closing::validate),
    ("completing-milestone → complete-milestone", closing::complete_milestone),
    ("complete → stop", closing::complete),
];

/// Stands for rows about phases that only the original's database knows.
fn only_a_database(_: &ActiveTree<'_>) -> Tried {
    no("only a database has that phase")
}
