//! The values that rules store in a document's front matter: `extensions`, one key per rule.

use sprag_core::{Plain, Splice};

use super::scan::skip_space;
use crate::document::{Document, Format};
use crate::edit::Edit;
use crate::fault::{Fault, FaultKind};
use crate::stored::{to_plain, to_whole_value};

const KEY: &str = "extensions";

/// Returns the values that rules store in a document, in order.
pub fn extensions(text: &str) -> Result<Vec<(String, Plain)>, Fault> {
    let document = Document::parse(Format::FrontMatter, skip_space(text))?;
    let Some(field) = document.optional(&[KEY]) else { return Ok(Vec::new()) };
    let entries = field.entries()?;
    Ok(entries.into_iter().map(|(rule, kept)| (rule.to_owned(), to_plain(kept.node()))).collect())
}

/// Returns the splices that set or remove a rule's value in a document; every other byte stays.
pub fn keep(text: &str, rule: &str, value: Option<&Plain>) -> Result<Vec<Splice>, Fault> {
    // The original allows blank lines before the front matter.
    let own = skip_space(text);
    let before = text.len() - own.len();
    let document = Document::parse(Format::FrontMatter, own)?;
    let kept = document.optional(&[KEY]);
    if let Some(field) = &kept {
        field.entries()?;
    }
    let only = kept.is_some_and(|kept| kept.entries().is_ok_and(|all| all.len() == 1));
    let edit = match value {
        Some(value) => Edit::set([KEY, rule], to_whole_value(value)),
        // The last rule's value is removed together with the key.
        None if only && document.get(&[KEY, rule]).is_some() => Edit::remove([KEY]),
        None => Edit::remove([KEY, rule]),
    };
    if rule.is_empty() {
        return Err(document.top().fault(FaultKind::Edit, "a rule without a name keeps nothing"));
    }
    let moved = |splice: Splice| Splice {
        range: splice.range.start + before..splice.range.end + before,
        text: splice.text,
    };
    Ok(document.edit(&[edit])?.into_iter().map(moved).collect())
}
