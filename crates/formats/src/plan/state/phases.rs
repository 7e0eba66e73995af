//! The three progress lists, as they stand.

use super::PhaseLists;
use crate::document::{Document, Format};
use crate::field::Field;

/// Returns the progress lists of a STATE.md; nothing where they cannot be read.
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

/// Returns a phase as it is written: `1`, `2.1`, `"3"`.
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
}
