//! The result of reading an opti-gsd document as plain values: the fields of `sprag check --json`,
//! named as in the samples' `.expect.json`.

use sprag_core::plan::{
    CheckDecision, LoopAction, LoopState, Mode, Plan, PlanCheck, Report, ReportResult, Settings,
    Stand, Task, Verification, refusal, schedule, stands,
};
use sprag_core::{Check, Plain, Time};

use super::ReadPlan;
use super::config::Warning;
use super::problem::Problem;
use super::state::LoopFile;

/// The result for a plan; values per task are keyed by the task's id.
pub fn plan(read: &ReadPlan) -> Plain {
    let ReadPlan { plan, problems } = read;
    let is_good = read.errors().next().is_none();
    let names = |errors: bool| {
        let found = problems.iter().filter(|problem| problem.code.is_error() == errors);
        list(found.map(Problem::name))
    };
    let ids = plan.tasks.iter().map(|task| task.id.clone()).filter(|id| !id.is_empty());
    let kinds = |check: &PlanCheck| Plain::from(check.kind.as_str());
    let typed = plan.tasks.iter().filter_map(|task| Some((task, task.gap.as_deref()?)));
    Plain::map([
        ("kind", "plan".into()),
        ("phase", plan.phase.as_str().into()),
        ("title", plan.title.as_str().into()),
        ("task_ids", list(ids)),
        ("must_haves", count(plan.must_haves.len())),
        ("key_links", count(plan.links.len())),
        ("errors", names(true)),
        ("warnings", names(false)),
        ("schedule", if is_good { batches(plan) } else { Plain::List(Vec::new()) }),
        ("checks", by_id(plan, |task| Plain::List(task.checks.iter().map(kinds).collect()))),
        ("verify", by_id(plan, |task| Plain::List(task.checks.iter().map(check).collect()))),
        ("files", by_id(plan, |task| list(task.files.iter().map(|file| file.path.to_string())))),
        ("done", by_id(plan, |task| task.done.as_str().into())),
        (
            "task_types",
            Plain::Map(typed.map(|(task, kind)| (task.id.clone(), kind.into())).collect()),
        ),
        ("retry_key", by_id(plan, |task| task.retry_key().into())),
    ])
}

/// How a check is decided, in one word.
pub fn decided_by(check: &PlanCheck) -> &'static str {
    match &check.decision {
        CheckDecision::Gate(gate) => gate.kind().as_str(),
        CheckDecision::Ending { .. } => "content",
        CheckDecision::Claim { .. } => "claim",
    }
}

fn check(check: &PlanCheck) -> Plain {
    let argv = match &check.decision {
        CheckDecision::Gate(Check::Run { argv }) => list(argv.iter().cloned()),
        CheckDecision::Gate(_) | CheckDecision::Ending { .. } | CheckDecision::Claim { .. } => {
            Plain::Null
        }
    };
    let why = match &check.decision {
        CheckDecision::Claim { why } => why.as_str().into(),
        CheckDecision::Gate(_) | CheckDecision::Ending { .. } => Plain::Null,
    };
    Plain::map([
        ("type", check.kind.as_str().into()),
        ("text", check.text.as_str().into()),
        ("by", decided_by(check).into()),
        ("argv", argv),
        ("why", why),
    ])
}

fn batches(plan: &Plan) -> Plain {
    let batches = schedule(plan).into_iter().map(|batch| {
        let ids = batch.run.iter().filter_map(|at| Some(plan.tasks.get(*at)?.id.clone()));
        Plain::map([("wave", batch.wave.into()), ("run", list(ids))])
    });
    Plain::List(batches.collect())
}

fn by_id(plan: &Plan, value: impl Fn(&Task) -> Plain) -> Plain {
    let named = plan.tasks.iter().filter(|task| !task.id.is_empty());
    Plain::Map(named.map(|task| (task.id.clone(), value(task))).collect())
}

/// The result for the settings.
pub fn config(settings: &Settings, warnings: &[Warning]) -> Plain {
    let mode = match settings.mode {
        Mode::Interactive => "interactive",
        Mode::Yolo => "yolo",
    };
    Plain::map([
        ("kind", "config".into()),
        ("mode", mode.into()),
        ("execute_max_retries", settings.execute_max_retries.into()),
        ("verify_max_iterations", settings.verify_max_iterations.into()),
        ("auto_loop", Plain::Bool(settings.auto_loop)),
        ("ci_order", list(settings.ci.iter().map(|(stage, _)| stage.as_str().to_owned()))),
        ("warnings", list(warnings.iter().map(|warning| warning.key.clone()))),
    ])
}

/// The result for a state, seen by the session that owns the loop and wants to stop now.
pub fn state(found: &LoopFile, now: Time) -> Plain {
    let (decision, why, reason) = match found {
        LoopFile::NoFrontMatter => ("allow", "no_frontmatter", Plain::Null),
        LoopFile::NoLoop => ("allow", "no_loop", Plain::Null),
        LoopFile::Loop(state) => match stand(state, now) {
            "active" => ("block", "active", refusal(state).into()),
            why => ("allow", why, Plain::Null),
        },
    };
    Plain::map([
        ("kind", "stop".into()),
        ("decision", decision.into()),
        ("why", why.into()),
        ("reason", reason),
    ])
}

/// The result for an unreadable state: the session may stop, with a warning.
pub fn corrupt() -> Plain {
    Plain::map([
        ("kind", "stop".into()),
        ("decision", "allow".into()),
        ("why", "corrupt".into()),
        ("warn", Plain::Bool(true)),
    ])
}

/// The state of a loop for its own session, in one word.
fn stand(state: &LoopState, now: Time) -> &'static str {
    match stands(state, state.session_id.as_deref().unwrap_or_default(), now) {
        Stand::Completed => "completed",
        Stand::Paused => "paused",
        Stand::Inactive => "inactive",
        Stand::Foreign => "foreign_session",
        Stand::Awaiting => "awaiting",
        Stand::MaxReached => "max_reached",
        Stand::Active => "active",
    }
}

/// The gaps that any version of the original names.
const GAPS: [&str; 12] = [
    "orphan",
    "broken_link",
    "stub",
    "missing_export",
    "wrong_import",
    "ci_failure",
    "no_user_value",
    "story_incomplete",
    "story_deferral",
    "story_ac_failed",
    "debt_increase",
    "debt_untracked",
];

/// The result for a verification.
pub fn verification(found: &Verification) -> Plain {
    let action = match found.effective().action() {
        LoopAction::Clear => "clear",
        LoopAction::Fix => "fix",
        LoopAction::Pause => "pause",
    };
    let unknown = found
        .gaps
        .iter()
        .filter(|gap| !GAPS.contains(&gap.kind.as_str()))
        .map(|gap| gap.kind.clone());
    Plain::map([
        ("kind", "verification".into()),
        ("status", found.status.as_str().into()),
        ("effective", found.effective().as_str().into()),
        ("gaps", list(found.gaps.iter().map(sprag_core::plan::Gap::name))),
        ("unknown_types", list(unknown)),
        ("human", list(found.human.iter().cloned())),
        ("loop_action", action.into()),
    ])
}

/// The result for an agent's report.
pub fn report(report: &Report) -> Plain {
    let result = match report.result {
        ReportResult::Complete => "complete",
        ReportResult::Failed => "failed",
        ReportResult::Checkpoint => "checkpoint",
        ReportResult::PhaseComplete => "phase_complete",
        ReportResult::GapClosed => "gap_closed",
        ReportResult::GapFailed => "gap_failed",
    };
    let issues = report.issues.iter().map(|issue| {
        Plain::map([
            ("severity", issue.severity.as_str().into()),
            ("text", issue.text.as_str().into()),
        ])
    });
    Plain::map([
        ("kind", "report".into()),
        ("result", result.into()),
        ("reason", report.reason.as_str().into()),
        ("issues", Plain::List(issues.collect())),
    ])
}

fn list(texts: impl Iterator<Item = String>) -> Plain {
    Plain::List(texts.map(Plain::Text).collect())
}

fn count(number: usize) -> Plain {
    Plain::Int(i128::try_from(number).unwrap_or(i128::MAX))
}
