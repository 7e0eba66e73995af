//! Applies edits to an existing document, or creates one.

use sprag_core::Splice;

use crate::document::{Document, Format};
use crate::edit::{self, Edit};
use crate::fault::Fault;
use crate::json::to_json;

/// The result for a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Laid {
    /// The splices for an existing document; empty if nothing changes.
    Changed(Vec<Splice>),
    /// The text of a new document.
    New(String),
}

/// Applies edits to `old`. Without `old`, writes a new document in the original's format.
pub fn lay(old: Option<&str>, edits: &[Edit]) -> Result<Laid, Fault> {
    if let Some(old) = old {
        return Document::parse(Format::Json, old)?.edit(edits).map(Laid::Changed);
    }
    let nothing = Document::parse(Format::Json, "{}")?;
    Ok(Laid::New(to_json(&edit::tree(&nothing, edits)?.value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;

    #[test]
    fn a_new_document_is_as_if_each_edit_had_been_made_in_a_text() {
        let list = Document::parse(Format::Json, r#"["a", 2.0]"#).unwrap().root().value.clone();
        let edits = [
            Edit::set(["name"], "x\"y\n"),
            Edit::set(["deep", "er"], 7),
            Edit::set(["gone"], true),
            Edit::remove(["gone"]),
            Edit::set(["list"], list),
            Edit::set(["list", "2"], Value::Null),
        ];
        for upto in 0..=edits.len() {
            let edits = &edits[..upto];
            let splices = Document::parse(Format::Json, "{}").unwrap().edit(edits).unwrap();
            let text = sprag_core::apply("{}", &splices).unwrap();
            let made = to_json(&Document::parse(Format::Json, &text).unwrap().root().value);
            assert_eq!(lay(None, edits).unwrap(), Laid::New(made));
        }
        let blocked = [Edit::set(["a"], 1), Edit::set(["a", "b"], 2)];
        assert!(lay(None, &blocked).is_err(), "a number holds nothing");
    }
}
