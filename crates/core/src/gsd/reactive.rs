//! Finds tasks that can run in parallel, by the input and output files of their plans.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::{Paper, Reactive, SliceFolder, Task};

/// Returns the tasks of a slice to run in parallel, or why there are none.
pub(super) fn batch(slice: &SliceFolder, asked: Reactive) -> Result<Vec<&str>, Cow<'static, str>> {
    let least = match asked.enabled {
        Some(false) => return Err("the preferences do not want it".into()),
        Some(true) => 2,
        None => 3,
    };
    if asked.max_parallel <= 1 {
        return Err("max_parallel is 1".into());
    }
    let tasks = slice.tasks();
    if tasks.len() < 2 || slice.tasks.is_none() {
        return Err("there are not two tasks with plans".into());
    }
    let open: Vec<&Task> = tasks.iter().filter(|task| !task.is_done()).collect();
    if open.iter().any(|task| files(task).is_none()) {
        return Err("an open task does not say which files it needs or makes".into());
    }
    let ready: Vec<&Task> = open.into_iter().filter(|task| is_ready(task, tasks)).collect();
    if ready.len() < least {
        return Err(format!("{} of {least} tasks are ready", ready.len()).into());
    }
    let chosen = apart(&ready, asked.max_parallel);
    if chosen.len() < 2 {
        return Err("the tasks that are ready make the same files".into());
    }
    Ok(chosen)
}

/// Returns the inputs and outputs from a task's own plan; `None` if the plan lists none.
fn files(task: &Task) -> Option<(&[String], &[String])> {
    let said = task.papers.has(Paper::Plan) && !(task.inputs.is_empty() && task.outputs.is_empty());
    said.then_some((&task.inputs, &task.outputs))
}

/// Returns whether every input that another task produces is finished.
fn is_ready(task: &Task, all: &[Task]) -> bool {
    let makes = |other: &&Task, file: &String| other.id != task.id && other.outputs.contains(file);
    task.inputs.iter().all(|file| all.iter().filter(|other| makes(other, file)).all(Task::is_done))
}

/// Selects tasks of which no two produce the same file.
fn apart<'t>(ready: &[&'t Task], most: u32) -> Vec<&'t str> {
    let mut taken = BTreeSet::new();
    let mut chosen = Vec::new();
    for task in ready {
        if chosen.len() < most as usize && !task.outputs.iter().any(|file| taken.contains(file)) {
            taken.extend(&task.outputs);
            chosen.push(task.id.as_str());
        }
    }
    chosen
}
