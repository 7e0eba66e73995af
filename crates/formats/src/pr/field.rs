//! Single fields of `metadata.yaml` by a dotted path, for `sprag pr meta`.

use sprag_core::Splice;

use super::MetadataFile;
use crate::document::{Document, Format};
use crate::edit::Edit;
use crate::fault::Fault;
use crate::json::to_json_line;
use crate::value::Value;

/// Why a field was not read or changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadField {
    /// The path is invalid.
    #[error("`{}` is no path of a field", .0.escape_debug())]
    Path(String),
    /// The value is not JSON.
    #[error("the value is no JSON: {0}")]
    Value(String),
    /// The file cannot take the change.
    #[error("{0}")]
    File(Fault),
}

/// Splits `reviewLoop.active`, `.ciStatus[0].name` into steps.
fn path(text: &str) -> Result<Vec<String>, BadField> {
    let bad = || BadField::Path(text.to_owned());
    let dotted = text.strip_prefix('.').unwrap_or(text).replace('[', ".").replace(']', "");
    let steps: Vec<String> = dotted.split('.').map(str::to_owned).collect();
    let fits = |step: &String| !step.is_empty() && !step.chars().any(char::is_control);
    if steps.iter().all(fits) { Ok(steps) } else { Err(bad()) }
}

/// Returns a field as JSON; a missing one is `null`.
pub fn read(file: &MetadataFile<'_>, field: &str) -> Result<String, BadField> {
    let found = file.document.root().at(&path(field)?);
    let line = to_json_line(found.map_or(&Value::Null, |node| &node.value));
    Ok(line.trim_end().to_owned())
}

/// Returns the splices that set a field to a JSON value; missing maps are created.
pub fn update(
    file: &MetadataFile<'_>,
    field: &str,
    json: &str,
    now: &str,
) -> Result<Vec<Splice>, BadField> {
    let path = path(field)?;
    let value = Document::parse(Format::Json, json).map_err(|bad| BadField::Value(bad.what))?;
    let edit = Edit::set(path, value.root().value.clone());
    file.stamped(vec![edit], now).map_err(BadField::File)
}

/// Returns the splices that remove a field.
pub fn remove(file: &MetadataFile<'_>, field: &str, now: &str) -> Result<Vec<Splice>, BadField> {
    let edit = Edit::remove(path(field)?);
    file.stamped(vec![edit], now).map_err(BadField::File)
}
