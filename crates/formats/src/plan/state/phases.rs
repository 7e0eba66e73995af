//! The keys beside the loop: the three progress lists, and the single task counter.

use sprag_core::plan::Beside;

use super::PhaseLists;
use crate::document::{Document, Format};
use crate::field::Field;

/// Reads the keys beside the loop that show the progress of the phases. Unreadable ones count as
/// missing.
pub fn beside(text: &str) -> Beside {
    let PhaseLists { complete, in_progress, pending } = phases(text).unwrap_or_default();
    let task = || {
        let document = Document::parse(Format::FrontMatter, text).ok()?;
        document.optional(&["task"])?.as_str().ok().map(str::to_owned)
    };
    Beside { task: task(), complete, in_progress, pending }
}

/// Reads the progress lists of a STATE.md, or returns `None` if they cannot be read.
pub fn phases(text: &str) -> Option<PhaseLists> {
    let document = Document::parse(Format::FrontMatter, text).ok()?;
    let list = |key: &str| -> Option<Vec<String>> {
        let Some(field) = document.optional(&[key]) else { return Some(Vec::new()) };
        field.items().ok()?.iter().map(number).collect()
    };
    Some(PhaseLists {
        complete: list("phases_complete")?,
        in_progress: list("phases_in_progress")?,
        pending: list("phases_pending")?,
    })
}

/// The number of a phase's tasks that are recorded as complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The phase, as written.
    pub phase: String,
    /// The number of complete tasks.
    pub done: usize,
    /// The number of all tasks.
    pub all: usize,
}

/// Reads the counter `task: 3/7` of a STATE.md. Returns `None` if it is missing or inconsistent.
pub fn counter(text: &str) -> Option<Counter> {
    let document = Document::parse(Format::FrontMatter, text).ok()?;
    let (done, all) = document.optional(&["task"])?.as_str().ok()?.split_once('/')?;
    let (done, all) = (done.trim().parse().ok()?, all.trim().parse().ok()?);
    let phase = number(&document.optional(&["phase"])?)?;
    (done <= all).then_some(Counter { phase, done, all })
}

/// Returns a phase as written: `1`, `2.1`, `"3"`.
fn number(field: &Field<'_>) -> Option<String> {
    let whole = field.as_u64().map(|number| number.to_string());
    let part = || field.as_f64().map(|number| number.to_string());
    whole.or_else(|_| part()).or_else(|_| field.as_str().map(str::to_owned)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_however_their_numbers_are_written() {
        let text = "---\nphases_complete: [1, \"2\"]\nphases_pending:\n  - 2.1\n---\n";
        let lists = phases(text).unwrap();
        assert_eq!(lists.complete, ["1", "2"]);
        assert_eq!(lists.in_progress, [""; 0]);
        assert_eq!(lists.pending, ["2.1"]);
        assert_eq!(phases("---\nphases_complete: many\n---\n"), None);
    }

    #[test]
    fn the_counter_is_read_where_it_makes_sense() {
        let read = |task: &str| counter(&format!("---\nphase: 2.1\ntask: {task}\n---\n"));
        let found = Counter { phase: "2.1".to_owned(), done: 3, all: 7 };
        assert_eq!(read("3/7"), Some(found.clone()));
        assert_eq!(read("\" 3 / 7 \""), Some(found));
        for task in ["null", "3", "8/7", "-1/7", "a/b", "[3, 7]"] {
            assert_eq!(read(task), None, "{task}");
        }
        assert_eq!(counter("---\ntask: 3/7\n---\n"), None, "of which phase?");
    }
}
