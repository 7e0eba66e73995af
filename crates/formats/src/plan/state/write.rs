//! Writes the changes of the loop, key by key.

use sprag_core::plan::{Beside, LoopState, Round};
use sprag_core::{Splice, prompt};

use super::open;
use crate::document::{Document, Format};
use crate::edit::Edit;
use crate::fault::Fault;
use crate::number::Number;
use crate::value::Value;
use crate::yaml::to_yaml;

/// The longest text in the state, in characters.
const TEXT: usize = 500;

/// The keys beside `loop` that a command maintains; a key that is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopKeys {
    /// The current phase.
    pub phase: Option<String>,
    /// The number of its complete tasks: `3/7`.
    pub task: Option<String>,
    /// The day or time of the last work.
    pub last_active: Option<String>,
    pub phases: Option<PhaseLists>,
    /// Whether to remove the count of complete tasks.
    pub no_task: bool,
}

impl TopKeys {
    /// Returns the changes that turn a document from `now` back to `then`.
    pub fn back(now: &Beside, then: &Beside) -> Self {
        let Beside { task, complete, in_progress, pending } = then.clone();
        let lists = PhaseLists { complete, in_progress, pending };
        let moved = |of: &Beside| [&of.complete, &of.in_progress, &of.pending].map(Clone::clone);
        Self {
            no_task: task.is_none() && now.task.is_some(),
            task: task.filter(|task| now.task.as_ref() != Some(task)),
            phases: (moved(now) != moved(then)).then_some(lists),
            ..Self::default()
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseLists {
    pub complete: Vec<String>,
    pub in_progress: Vec<String>,
    pub pending: Vec<String>,
}

/// Returns the splices that change a STATE.md from `before`, which was read from it, to `after`.
/// Writes only keys whose values differ, and refuses a corrupt file.
pub fn splices(
    text: &str,
    before: &LoopState,
    after: &LoopState,
    top: &TopKeys,
) -> Result<Vec<Splice>, Fault> {
    open(text)?;
    let document = Document::parse(Format::FrontMatter, text)?;
    let mut edits = top_edits(top);
    match document.optional(&["loop"]) {
        None if before == after => {}
        None => edits.push(Edit::set(["loop"], whole(after))),
        Some(_) => {
            let there = document.get(&["loop", "history"]).and_then(|list| list.items().ok());
            edits.extend(loop_edits(before, after));
            edits.extend(history(before, after, there.map(|items| items.len())));
        }
    }
    document.edit(&edits)
}

/// The text of a new STATE.md.
pub fn initial(state: &LoopState, top: &TopKeys) -> String {
    let mut map = crate::value::Map::default();
    let PhaseLists { complete, in_progress, pending } = top.phases.clone().unwrap_or_default();
    map.insert("milestone", Value::Null);
    map.insert("phase", optional_number(top.phase.as_deref()));
    map.insert("task", optional(top.task.as_deref()));
    map.insert("branch", Value::Null);
    map.insert("last_active", optional(top.last_active.as_deref()));
    map.insert("session_tokens", 0);
    map.insert("phases_complete", numbers(&complete));
    map.insert("phases_in_progress", numbers(&in_progress));
    map.insert("phases_pending", numbers(&pending));
    map.insert("open_issues", Value::List(Vec::new()));
    map.insert("loop", whole(state));
    format!("---\n{}---\n", to_yaml(&Value::Map(map)))
}

fn top_edits(top: &TopKeys) -> Vec<Edit> {
    let TopKeys { phase, task, last_active, phases, no_task } = top;
    let mut edits = Vec::new();
    edits.extend(phase.as_deref().map(|phase| Edit::set(["phase"], number(phase))));
    edits.extend(task.as_deref().map(|task| Edit::set(["task"], line(task))));
    edits.extend(no_task.then(|| Edit::set(["task"], Value::Null)));
    edits.extend(last_active.as_deref().map(|at| Edit::set(["last_active"], line(at))));
    if let Some(PhaseLists { complete, in_progress, pending }) = phases {
        edits.push(Edit::set(["phases_complete"], numbers(complete)));
        edits.push(Edit::set(["phases_in_progress"], numbers(in_progress)));
        edits.push(Edit::set(["phases_pending"], numbers(pending)));
    }
    edits
}

/// The keys of a loop with their values, in the original's order. Keys that the original's initial
/// form lacks are left out if they are empty.
fn keys(state: &LoopState) -> [(&'static str, Value); 17] {
    let LoopState {
        active,
        kind,
        phase,
        iteration,
        max_iterations,
        task_retries,
        gaps_remaining,
        started,
        last_iteration,
        paused,
        pause_reason,
        history: _,
        last_error,
        completed,
        final_iteration,
        session_id,
        awaiting,
        resume_after,
    } = state;
    let retries = task_retries.iter().map(|(key, count)| (key.clone(), *count));
    let completed = if *completed { Value::Bool(true) } else { Value::Null };
    [
        ("active", Value::from(*active)),
        ("type", optional(kind.as_str())),
        ("phase", optional_number(phase.as_deref())),
        ("iteration", Value::from(*iteration)),
        ("max_iterations", Value::from(*max_iterations)),
        ("task_retries", Value::map(retries)),
        ("gaps_remaining", Value::from(*gaps_remaining)),
        ("started", optional(started.as_deref())),
        ("last_iteration", optional(last_iteration.as_deref())),
        ("paused", Value::from(*paused)),
        ("pause_reason", optional(pause_reason.as_deref())),
        ("last_error", optional(last_error.as_deref())),
        ("completed", completed),
        ("final_iteration", final_iteration.map_or(Value::Null, Value::from)),
        ("session_id", optional(session_id.as_deref())),
        ("awaiting", optional(awaiting.map(sprag_core::plan::Awaiting::as_str))),
        ("resume_after", optional(resume_after.map(|at| at.to_string()).as_deref())),
    ]
}

/// The first key that the original's initial form lacks.
const ADDED: &str = "last_error";

fn is_added(key: &str, all: &[(&'static str, Value)]) -> bool {
    let place = |wanted: &str| all.iter().position(|(known, _)| *known == wanted);
    place(key) >= place(ADDED)
}

/// A whole loop, for a file without one.
fn whole(state: &LoopState) -> Value {
    let all = keys(state);
    let (initial, added): (Vec<_>, Vec<_>) =
        all.clone().into_iter().partition(|(key, _)| !is_added(key, &all));
    let added = added.into_iter().filter(|(_, value)| *value != Value::Null);
    let rounds = Value::list(state.history.iter().map(round));
    Value::map(initial.into_iter().chain([("history", rounds)]).chain(added))
}

fn loop_edits(before: &LoopState, after: &LoopState) -> Vec<Edit> {
    let (was, now) = (keys(before), keys(after));
    let differs = was.iter().zip(&now).filter(|(old, new)| old.1 != new.1);
    let mut edits = Vec::new();
    for ((key, _), (_, new)) in differs {
        match (*key, new) {
            ("task_retries", _) => edits.extend(retries(before, after)),
            (key, Value::Null) if is_added(key, &now) => edits.push(Edit::remove(["loop", key])),
            (key, value) => edits.push(Edit::set(["loop", key], value.clone())),
        }
    }
    edits
}

fn retries(before: &LoopState, after: &LoopState) -> Vec<Edit> {
    let (was, now) = (&before.task_retries, &after.task_retries);
    if now.is_empty() {
        return vec![Edit::set(["loop", "task_retries"], Value::map([("", 0); 0]))];
    }
    let path = |key: &str| ["loop", "task_retries", key].map(str::to_owned);
    let gone = was.keys().filter(|key| !now.contains_key(*key));
    let set = now.iter().filter(|(key, count)| was.get(*key) != Some(count));
    let sets = set.map(|(key, count)| Edit::set(path(key), *count));
    sets.chain(gone.map(|key| Edit::remove(path(key)))).collect()
}

/// Appends the new rounds. `there` is the number of rounds in the file, readable or not, if it has
/// a list.
fn history(before: &LoopState, after: &LoopState, there: Option<usize>) -> Vec<Edit> {
    let (was, now) = (&before.history, &after.history);
    if was == now {
        return Vec::new();
    }
    let path = |at: usize| vec!["loop".to_owned(), "history".to_owned(), at.to_string()];
    // The oldest rounds may have been dropped to keep the list short.
    let dropped = (0..=was.len()).find(|dropped| now.starts_with(&was[*dropped..])).unwrap_or(0);
    let kept = was.len() - dropped;
    let is_new = kept == 0 && !was.is_empty();
    let whole = || vec![Edit::set(["loop", "history"], Value::list(now.iter().map(round)))];
    let Some(there) = there.filter(|there| *there >= dropped) else { return whole() };
    if now.is_empty() || is_new {
        return whole();
    }
    let removes = (0..dropped).map(|_| Edit::remove(path(0)));
    let from = there - dropped;
    let added = now[kept..].iter().enumerate();
    removes.chain(added.map(|(at, one)| Edit::set(path(from + at), round(one)))).collect()
}

fn round(round: &Round) -> Value {
    let Round { iteration, kind, result, gaps } = round;
    let mut map = crate::value::Map::default();
    map.insert("iteration", *iteration);
    if let Some(word) = kind.and_then(sprag_core::plan::LoopKind::as_str) {
        map.insert("type", word);
    }
    map.insert("result", line(result));
    if !gaps.is_empty() {
        map.insert("gaps", Value::list(gaps.iter().map(|gap| line(gap))));
    }
    Value::Map(map)
}

/// Returns a text on one line, shortened if it is too long.
fn line(text: &str) -> Value {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Value::String(prompt::short(&flat, TEXT))
}

fn optional(text: Option<&str>) -> Value {
    text.map_or(Value::Null, line)
}

/// Returns a phase as a number, `2` or `2.1`, and any other phase as a text.
fn number(text: &str) -> Value {
    let is_number =
        text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains(['x', 'o', 'e', 'E']);
    let found = Number::parse(text).filter(|_| is_number);
    found.map_or_else(|| line(text), Value::Number)
}

fn optional_number(text: Option<&str>) -> Value {
    text.map_or(Value::Null, number)
}

fn numbers(phases: &[String]) -> Value {
    Value::list(phases.iter().map(|phase| number(phase)))
}
