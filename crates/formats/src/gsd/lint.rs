//! What is odd in a roadmap or a plan, whoever reads it.

use sprag_core::gsd::{Plan, Roadmap, Slice};

/// How many slices are looked at; nobody reads more complaints than that.
const MOST: usize = 200;

/// Returns what is odd in a roadmap, each with its place.
pub(super) fn roadmap(text: &str, found: &Roadmap) -> Vec<(usize, String)> {
    let mut odd = Vec::new();
    if found.slices.is_empty() {
        odd.push((0, "it has no slices".to_owned()));
    }
    for (at, slice) in found.slices.iter().enumerate().take(MOST) {
        let id = &slice.id;
        let mut say = |what: String| odd.push((place(text, id), what));
        if found.slices[..at].iter().any(|before| before.id == *id) {
            say(format!("slice {id} is there twice"));
        }
        for other in slice.depends.iter().filter(|other| found.slice(other).is_none()) {
            say(format!("slice {id} depends on {other}, which is not there, so it is never ready"));
        }
        if is_circular(found, slice) {
            say(format!("slice {id} depends on itself, so it is never ready"));
        }
    }
    odd
}

/// Returns whether a slice comes after itself.
fn is_circular(roadmap: &Roadmap, slice: &Slice) -> bool {
    let mut seen: Vec<&str> = Vec::new();
    let mut left: Vec<&str> = slice.depends.iter().map(String::as_str).collect();
    while let Some(id) = left.pop() {
        if id == slice.id {
            return true;
        }
        if !seen.contains(&id) {
            seen.push(id);
            let more = roadmap.slice(id).map_or(&[][..], |slice| &slice.depends);
            left.extend(more.iter().map(String::as_str));
        }
    }
    false
}

/// Returns what is odd in a plan; `names` are those beside its tasks.
pub(super) fn plan(text: &str, found: &Plan, names: &[String]) -> Vec<(usize, String)> {
    let mut odd = Vec::new();
    if found.tasks.is_empty() {
        odd.push((0, "it has no tasks".to_owned()));
    }
    for task in found.tasks.iter().filter(|task| task.ticked).take(MOST) {
        let own = format!("{}-", task.id.to_ascii_lowercase());
        let is_summary = |name: &String| {
            let name = name.to_ascii_lowercase();
            name.starts_with(&own) && name.ends_with("summary.md")
        };
        if !names.iter().any(is_summary) {
            let what = format!("task {} is ticked and has no summary", task.id);
            odd.push((place(text, &task.id), what));
        }
    }
    odd
}

/// Returns where an id is first named as that of a slice or task.
fn place(text: &str, id: &str) -> usize {
    let bold = text.find(&format!("**{id}:"));
    bold.or_else(|| text.find(id)).unwrap_or(0)
}
