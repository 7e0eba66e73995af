//! The execute loop: decides which tasks can be worked on, and records their results.

use super::question::{GapAnswer, bound};
use super::{Definition, Mode, Position, Task, TaskState, gates};
use crate::{Closes, Hash, Hold, LastFailure, Name, Next, Run, Unit, UnitId};

/// The progress of the waves.
pub(super) struct Waves {
    /// The lowest wave with unfinished tasks.
    pub(super) current: Option<u32>,
    /// The tasks of that wave that can be worked on, as indexes in the plan.
    pub(super) open: Vec<usize>,
}

impl Waves {
    /// Computes the progress in one pass over the tasks.
    pub(super) fn of(definition: &Definition, position: &Position) -> Self {
        let is_over = |id: &str| position.tasks.get(id).is_some_and(|state| state.is_over());
        let tasks = definition.plan.tasks.iter();
        let left = || tasks.clone().enumerate().filter(|(_, task)| !is_over(&task.id));
        let current = left().map(|(_, task)| task.wave).min();
        let ready = |task: &Task| {
            Some(task.wave) == current
                && position.tasks.get(&task.id) != Some(&TaskState::Failed)
                && task.depends.iter().all(|id| is_over(id))
        };
        let open = left().filter(|(_, task)| ready(task)).map(|(at, _)| at).collect();
        Self { current, open }
    }
}

/// Returns the first failed task that may still be retried.
pub(super) fn failed_task(definition: &Definition, run: &Run<Position>) -> Option<String> {
    failed(definition, run.position()).find(|task| !is_stuck(run, task)).map(|task| task.id.clone())
}

fn failed<'a>(
    definition: &'a Definition,
    position: &'a Position,
) -> impl Iterator<Item = &'a Task> {
    let is_failed = |task: &&Task| position.tasks.get(&task.id) == Some(&TaskState::Failed);
    definition.plan.tasks.iter().filter(is_failed)
}

/// Returns whether the kernel would hold a task: a person is not asked about an impossible retry.
fn is_stuck(run: &Run<Position>, task: &Task) -> bool {
    let full = |name: Name| bound(run, &name).is_exhausted();
    let spent = full(Definition::retries(task)) || full(Definition::EXECUTE);
    let id = unit_id(task);
    spent || run.failed().get(&id).is_some_and(|red| red.same >= LastFailure::LIMIT)
}

/// Returns the units that can be worked on.
pub(super) fn next(definition: &Definition, run: &Run<Position>) -> Next {
    let position = run.position();
    let waves = Waves::of(definition, position);
    let mut units: Vec<_> = waves.open.iter().map(|at| unit(&definition.plan.tasks[*at])).collect();
    if units.is_empty() {
        let mut failed = failed(definition, position).peekable();
        if let Some(first) = failed.peek().filter(|_| !definition.settings.auto_loop) {
            let why = format!("Task {} failed; automatic retries are off", first.id);
            return Next::Held(Hold::Person { why });
        }
        // The kernel reports exhausted bounds and repeated failures.
        units.extend(failed.map(unit));
    }
    Next::Units(units)
}

fn unit(task: &Task) -> Unit {
    let mut unit = Unit::new(unit_id(task), Name::literal("task"), Definition::retries(task));
    unit.retries.push(Definition::EXECUTE);
    unit.gates = gates::of_task(task);
    unit.locks = task.files.iter().map(|file| lock(file.path.as_str())).collect();
    unit.closes = Closes::Exit;
    unit
}

/// Returns the lock of a file, which only one attempt may hold at a time.
pub(super) fn lock(path: &str) -> Name {
    let named = Name::parse(&format!("file {path}"));
    let digest = || format!("file #{}", Hash::of(path).short(16));
    named.or_else(|_| Name::parse(&digest())).unwrap_or(Name::literal("file"))
}

/// Returns the unit id of a task: the key of its retries, or a distinct one where another task
/// could have the same key.
pub(super) fn unit_id(task: &Task) -> UnitId {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let is_plain = !task.id.is_empty() && task.id.len() <= 64 && task.id.chars().all(plain);
    // `T01` is also the key of task `01`.
    let digits = task.id.strip_prefix(['T', 't']);
    let is_key = digits.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let id = match (is_plain, is_key) {
        (true, false) => task.retry_key(),
        (true, true) => format!("#{}", task.id),
        (false, _) => format!("#{}", Hash::of(&task.id).short(16)),
    };
    UnitId::parse(&id).unwrap_or(UnitId::literal("#"))
}

pub(super) fn task_of<'a>(definition: &'a Definition, unit: &UnitId) -> Option<&'a Task> {
    definition.plan.tasks.iter().find(|task| unit_id(task) == *unit)
}

/// Records that a task failed.
pub(super) fn fails(definition: &Definition, position: &mut Position, task: &Task) {
    let settings = &definition.settings;
    let again = settings.auto_loop && settings.mode == Mode::Yolo;
    let state = if again { TaskState::Again } else { TaskState::Failed };
    position.tasks.insert(task.id.clone(), state);
}

/// Applies a person's answer about a retry.
pub(super) fn answered(position: &mut Position, task: &str, answer: &GapAnswer) {
    match answer {
        GapAnswer::Yes => {
            position.tasks.insert(task.to_owned(), TaskState::Again);
        }
        GapAnswer::No | GapAnswer::Issues(_) => {
            position.hold = Some(Hold::Person { why: "user declined retry".to_owned() });
        }
    }
}
