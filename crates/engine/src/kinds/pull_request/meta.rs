//! `sprag pr meta OP`: reads and writes single fields of the metadata, with the original's names
//! and replies.

use serde_json::{Value, json};
use sprag_core::pr::Metadata;
use sprag_core::review::Threshold;
use sprag_formats::pr::{BadField, MetadataFile, read_field, remove_field, update_field};
use sprag_world::clock;

use super::{METADATA, documents, stamp};
use crate::engine::{Engine, EngineError};

/// An operation on the metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MetaOp {
    /// Checks that the file is usable.
    Ensure,
    /// Reads a field.
    Read(String),
    /// Sets a field to a JSON value.
    Update(String, String),
    /// Removes a field.
    Remove(String),
    /// Sets `resolveLevel`.
    SetLevel(String),
    /// Sets `approved`.
    SetApproved(String),
    /// Sets `turn`.
    SetTurn(String),
    /// Empties `ciStatus`.
    ClearCi,
    /// Sets the commit to the one that is checked out.
    UpdateCommit,
    /// Applies all changes of a push at once.
    PostPush,
}

/// Why an operation failed; the text is the original's.
#[derive(Debug, thiserror::Error)]
pub enum MetaError {
    /// The arguments are wrong, or the operation is not possible.
    #[error("{0}")]
    Said(String),
    /// There is no usable file.
    #[error("Metadata not found")]
    NotFound,
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl Engine<'_> {
    /// Performs an operation and returns the line to print.
    pub fn review_meta(&self, op: &MetaOp) -> Result<String, MetaError> {
        let path = self.place.root.join(METADATA).display().to_string();
        let text = self.look(|view| Ok(documents::read(view, METADATA)?))?;
        let usable = text.as_deref().is_some_and(|text| {
            let file = MetadataFile::parse(text);
            file.is_ok_and(|file| matches!(file.metadata(), Metadata::Known(_)))
        });
        if *op == MetaOp::Ensure {
            let status = if usable { "ok" } else { "needs_fetch" };
            return Ok(json!({ "status": status, "path": path }).to_string());
        }
        let Some(text) = text else { return Err(MetaError::NotFound) };
        if let MetaOp::Read(field) = op {
            let file =
                MetadataFile::parse(&text).map_err(|bad| MetaError::Said(bad.to_string()))?;
            return read_field(&file, field).map_err(|bad| MetaError::Said(bad.to_string()));
        }
        let wishes = self.wishes(op)?;
        self.review_set(&wishes)?;
        Ok(reply(op, &wishes).to_string())
    }

    /// Returns the fields that an operation sets, each with its JSON value, or `None` to remove it.
    fn wishes(&self, op: &MetaOp) -> Result<Vec<(String, Option<String>)>, MetaError> {
        let set = |field: &str, json: String| vec![(field.to_owned(), Some(json))];
        let said = |text: &str| MetaError::Said(text.to_owned());
        Ok(match op {
            MetaOp::Ensure | MetaOp::Read(_) => Vec::new(),
            MetaOp::Update(field, json) => set(field, json.clone()),
            MetaOp::Remove(field) => vec![(field.clone(), None)],
            MetaOp::SetLevel(level) => {
                Threshold::parse(level)
                    .ok_or_else(|| said("Invalid resolve level. Use: all, critical, important"))?;
                set("resolveLevel", format!("\"{level}\""))
            }
            MetaOp::SetApproved(flag) => {
                if !matches!(flag.as_str(), "true" | "false") {
                    return Err(said("Invalid approved value. Use: true, false"));
                }
                set("approved", flag.clone())
            }
            MetaOp::SetTurn(turn) => {
                sprag_core::pr::ReviewTurn::parse(turn).ok_or_else(|| {
                    said("Invalid turn value. Use: CI-PENDING, CI-REVIEW, REVIEW, RESPONSE, AUTHOR")
                })?;
                set("turn", format!("\"{turn}\""))
            }
            MetaOp::ClearCi => set("ciStatus", "[]".to_owned()),
            MetaOp::UpdateCommit => set("latestCommit", self.commit_here()?),
            MetaOp::PostPush => {
                let mut all = set("ciStatus", "[]".to_owned());
                all.extend(set("turn", "\"CI-PENDING\"".to_owned()));
                all.extend(set("latestCommit", self.commit_here()?));
                all
            }
        })
    }

    fn commit_here(&self) -> Result<String, MetaError> {
        let here = super::local(&self.place.root).ok().and_then(|here| here.head);
        let none = || MetaError::Said("Could not determine latest commit".to_owned());
        here.map(|head| format!("\"{head}\"")).ok_or_else(none)
    }

    /// Sets fields in one commit.
    fn review_set(&self, wishes: &[(String, Option<String>)]) -> Result<(), MetaError> {
        let now = stamp(clock::now());
        let refused = std::cell::RefCell::new(None);
        self.review_edit("agent", "meta", &|text| {
            let Some(text) = text else { return Ok(None) };
            let mut edited = text.to_owned();
            for (field, json) in wishes {
                let file = MetadataFile::parse(&edited)?;
                let splices = match json {
                    Some(json) => update_field(&file, field, json, &now),
                    None => remove_field(&file, field, &now),
                };
                let splices = match splices {
                    Ok(splices) => splices,
                    Err(BadField::File(fault)) => return Err(fault),
                    Err(bad @ (BadField::Path(_) | BadField::Value(_))) => {
                        *refused.borrow_mut() = Some(bad.to_string());
                        return Ok(None);
                    }
                };
                edited = sprag_core::apply(&edited, &splices).unwrap_or(edited);
            }
            Ok(Some((sprag_core::between(text, &edited).into_iter().collect(), None)))
        })?;
        refused.into_inner().map_or(Ok(()), |why| Err(MetaError::Said(why)))
    }
}

/// Builds the original's reply to an operation.
fn reply(op: &MetaOp, wishes: &[(String, Option<String>)]) -> Value {
    let commit = || {
        let of = wishes.iter().find(|(field, _)| field == "latestCommit");
        let json = of.and_then(|(_, json)| json.as_deref()).unwrap_or_default();
        json.trim_matches('"').to_owned()
    };
    let mut said = json!({ "status": "ok" });
    match op {
        MetaOp::Ensure | MetaOp::Read(_) | MetaOp::Update(..) => {}
        MetaOp::Remove(field) => said["removed"] = json!(field),
        MetaOp::SetLevel(level) => said["resolveLevel"] = json!(level),
        MetaOp::SetApproved(flag) => said["approved"] = json!(flag == "true"),
        MetaOp::SetTurn(turn) => said["turn"] = json!(turn),
        MetaOp::ClearCi => said["cleared"] = json!("ciStatus"),
        MetaOp::UpdateCommit => said["latestCommit"] = json!(commit()),
        MetaOp::PostPush => {
            said["turn"] = json!("CI-PENDING");
            said["ciStatus"] = json!("cleared");
            said["latestCommit"] = json!(commit());
        }
    }
    said
}
