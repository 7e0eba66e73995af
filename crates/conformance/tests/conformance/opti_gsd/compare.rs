//! Compares one field of an expectation with sprag's answer.

use sprag_conformance::{as_list, as_text, canonical, entries, field};
use sprag_core::Plain;
use sprag_core::plan::{Plan, PlanFile};

/// sprag's answer.
pub(super) struct Ours {
    /// Its fields, as in `sprag check --json`.
    pub(super) plain: Plain,
    /// The plan, for facts that those fields do not contain.
    pub(super) plan: Plan,
}

impl Ours {
    /// Creates an answer about something other than a plan.
    pub(super) fn of(plain: Plain) -> Self {
        Self { plain, plan: Plan::default() }
    }
}

/// The words for the reason of a stop's answer.
const WHY: [&str; 12] = [
    "active",
    "inactive",
    "paused",
    "completed",
    "no_loop",
    "no_frontmatter",
    "corrupt",
    "foreign_session",
    "max_reached",
    "no_progress",
    "background",
    "missing",
];

/// Returns the difference, or `None` if there is none.
pub(super) fn compare(key: &str, wanted: &Plain, ours: &Ours) -> Option<String> {
    let found = field(&ours.plain, key.strip_suffix("_include").unwrap_or(key));
    let same = match key {
        // `stop.rs` checks the last one.
        "kind" | "note" | "hook_input" | "must_not_create" => true,
        // Null means that anything is allowed.
        "warnings" | "errors" if *wanted == Plain::Null => true,
        "errors" | "warnings" => same_names(wanted, found),
        "errors_include" | "warnings_include" => includes(wanted, found),
        // An unknown word is not compared; the decision has its own field.
        "why" if !as_text(wanted).is_some_and(|word| WHY.contains(&word)) => true,
        "absent_task_ids" => {
            let ids = as_list(field(&ours.plain, "task_ids"));
            as_list(wanted).iter().all(|id| !ids.contains(id))
        }
        "action_contains" => entries(wanted).iter().all(|(id, texts)| {
            let action = ours.plan.task(id).map_or("", |task| task.action.as_str());
            as_list(texts).iter().filter_map(as_text).all(|text| action.contains(text))
        }),
        "files" if is_by_action(wanted) => same_files(wanted, &ours.plan),
        // One value for all tasks, or one per task; only some of the tasks may be named.
        "checks" | "files" | "done" | "task_types" | "retry_key" => same_entries(wanted, found),
        _ => canonical(wanted) == canonical(found),
    };
    (!same).then(|| format!("{key}: expected {wanted:?}\n    found {found:?}"))
}

/// Returns whether files are listed with their actions: `{"path": …, "action": …}`.
fn is_by_action(wanted: &Plain) -> bool {
    let first = entries(wanted).iter().find_map(|(_, files)| as_list(files).first());
    first.is_some_and(|file| !entries(file).is_empty())
}

fn same_files(wanted: &Plain, plan: &Plan) -> bool {
    entries(wanted).iter().all(|(id, files)| {
        let ours = plan.task(id).map(|task| task.files.as_slice()).unwrap_or_default();
        let same = |wanted: &Plain, file: &PlanFile| {
            let is =
                |key: &str, ours: &str| as_text(field(wanted, key)).is_none_or(|said| said == ours);
            is("path", file.path.as_str()) && is("action", file.action.as_str())
        };
        let files = as_list(files);
        files.len() == ours.len() && files.iter().zip(ours).all(|(one, other)| same(one, other))
    })
}

fn same_entries(wanted: &Plain, found: &Plain) -> bool {
    match wanted {
        Plain::Map(entries) => {
            entries.iter().all(|(id, value)| canonical(value) == canonical(field(found, id)))
        }
        Plain::Null
        | Plain::Bool(_)
        | Plain::Int(_)
        | Plain::Other(_)
        | Plain::Text(_)
        | Plain::List(_) => {
            entries(found).iter().any(|(_, value)| canonical(value) == canonical(wanted))
        }
    }
}

/// Returns whether the same problems are named, equally often.
fn same_names(wanted: &Plain, found: &Plain) -> bool {
    as_list(wanted).len() == as_list(found).len() && includes(wanted, found)
}

fn includes(wanted: &Plain, found: &Plain) -> bool {
    let mut left: Vec<&str> = as_list(found).iter().filter_map(as_text).collect();
    as_list(wanted).iter().filter_map(as_text).all(|wanted| {
        let at = left.iter().position(|ours| same_name(wanted, ours));
        at.map(|at| left.remove(at)).is_some()
    })
}

/// Returns whether two names mean the same problem. The rotation of a cycle and the separators
/// between ids do not matter, and the expected name may be less specific.
fn same_name(wanted: &str, ours: &str) -> bool {
    let code = |name: &str| name.split(':').next().map(str::to_owned);
    let words = |name: &str| -> Vec<String> {
        let about = name.split_once(':').map_or("", |(_, about)| about);
        about
            .split([':', '>', ',', ' '])
            .map(|word| word.trim_end_matches('-').to_owned())
            .filter(|word| !word.is_empty())
            .collect()
    };
    if code(wanted) != code(ours) {
        // A settings key may appear without its parents.
        return ours.strip_suffix(wanted).is_some_and(|above| above.ends_with('.'));
    }
    let (wanted, ours) = (words(wanted), words(ours));
    wanted.iter().all(|word| ours.contains(word))
}
