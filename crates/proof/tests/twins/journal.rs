//! The journal as twins compare it: values derived from other bytes are checked and named instead.
//!
//! A document with a masked part has a different hash in each play, and so does every line that
//! contains the hash. This checks whether hash and text match. If they do, the hash is replaced by
//! the name of its version, which is equal in both plays. If not, the hash stays.
//!
//! Texts that differ only in the form of a hold are one version: after an upgrade a hold may
//! reappear in its new form.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;
use sprag_core::Hash;

use crate::record::Step;

/// Returns whether a file is a segment of a journal.
pub(crate) fn is_segment(path: &str) -> bool {
    let is_of_lines = std::path::Path::new(path).extension().is_some_and(|end| end == "jsonl");
    path.contains("/.sprag/journal") && is_of_lines
}

/// Returns whether a file is the head of a journal.
pub(crate) fn is_head(path: &str) -> bool {
    path.contains("/.sprag/journal") && path.ends_with("/head")
}

/// The document versions that a journal produced: their hashes and names.
#[derive(Debug, Default)]
pub(crate) struct Versions {
    names: BTreeMap<String, String>,
    /// Each version's text by its hash.
    texts: BTreeMap<String, String>,
}

impl Versions {
    /// Replays the journals of a play, and names every version whose hash matches.
    pub(crate) fn of(steps: &[Step]) -> Self {
        let mut own = Self::default();
        let mut lines: Vec<&str> = Vec::new();
        for (path, text) in steps.iter().filter_map(|step| step.files.as_ref()).flatten() {
            own.texts.entry(Hash::of(text).to_string()).or_insert_with(|| text.clone());
            if is_segment(path) {
                let known: std::collections::BTreeSet<&str> = lines.iter().copied().collect();
                lines.extend(text.lines().filter(|line| !known.contains(line)));
            }
        }
        let mut known = BTreeMap::<String, Vec<String>>::new();
        for line in lines {
            let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
            for edit in line["edits"].as_array().into_iter().flatten() {
                let (Some(doc), Some(after)) = (edit["doc"].as_str(), edit["after"].as_str())
                else {
                    continue;
                };
                let Some(text) = own.after(edit).filter(|text| Hash::of(text).to_string() == after)
                else {
                    continue;
                };
                own.texts.insert(after.to_owned(), text.clone());
                if !own.names.contains_key(after) {
                    let forms = known.entry(doc.to_owned()).or_default();
                    let at = forms.iter().position(|known| *known == text).unwrap_or_else(|| {
                        forms.push(text);
                        forms.len() - 1
                    });
                    own.names.insert(after.to_owned(), format!("<{doc} #{}>", at + 1));
                }
            }
        }
        own
    }

    /// Returns the text after an edit, if the text before it is known.
    fn after(&self, edit: &Value) -> Option<String> {
        let before = match edit["before"].as_str() {
            Some(hash) => self.texts.get(hash)?.as_str(),
            None => "",
        };
        let mut after = before.to_owned();
        for splice in edit["splices"].as_array()?.iter().rev() {
            let start = usize::try_from(splice[0].as_u64()?).ok()?;
            let end = match splice[1].as_u64() {
                Some(end) => usize::try_from(end).ok()?,
                None => before.len(),
            };
            after.get(start..end)?;
            after.replace_range(start..end, splice[2].as_str()?);
        }
        Some(after)
    }

    /// Replaces every hash of a version by its name.
    pub(crate) fn name(&self, text: &str) -> String {
        let mut named = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| c.is_ascii_hexdigit()) {
            named.push_str(&rest[..at]);
            rest = &rest[at..];
            let end = rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len());
            let word = &rest[..end];
            named.push_str(self.names.get(word).map_or(word, String::as_str));
            rest = &rest[end..];
        }
        named.push_str(rest);
        named
    }

    /// Formats a segment for reading: each edit as the whole resulting text, with line breaks.
    pub(crate) fn shown(&self, segment: &str) -> String {
        let mut shown = String::new();
        for line in segment.lines() {
            let Ok(mut line) = serde_json::from_str::<Value>(line) else {
                let _ = writeln!(shown, "{line}");
                continue;
            };
            for edit in line["edits"].as_array_mut().into_iter().flatten() {
                if let Some(text) = self.after(edit) {
                    edit["splices"] = Value::String(text);
                }
            }
            line["sum"] = Value::Null;
            write(&line, "", &mut shown);
        }
        shown
    }
}

fn write(value: &Value, indent: &str, out: &mut String) {
    let more = format!("{indent}  ");
    let mut inner = |key: String, value: &Value| match value {
        Value::Object(map) if map.is_empty() => drop(writeln!(out, "{indent}{key}: {{}}")),
        Value::Array(all) if all.is_empty() => drop(writeln!(out, "{indent}{key}: []")),
        Value::Object(_) | Value::Array(_) => {
            let _ = writeln!(out, "{indent}{key}:");
            write(value, &more, out);
        }
        Value::String(text) if text.contains('\n') => {
            let _ = writeln!(out, "{indent}{key}:");
            for line in text.lines() {
                let _ = writeln!(out, "{more}{line}");
            }
        }
        Value::String(text) => drop(writeln!(out, "{indent}{key}: {text}")),
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            let _ = writeln!(out, "{indent}{key}: {value}");
        }
    };
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| inner(key.clone(), value)),
        Value::Array(all) => all.iter().for_each(|value| inner("-".to_owned(), value)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            let _ = writeln!(out, "{indent}{value}");
        }
    }
}

/// Replaces each line's checksum by a word if it is correct.
pub(crate) fn sums(segment: &str) -> String {
    segment.split_inclusive('\n').map(sum).collect()
}

fn sum(line: &str) -> String {
    const KEY: &str = ",\"sum\":\"";
    let Some(at) = line.rfind(KEY) else { return line.to_owned() };
    let sum = Hash::of(&line[..at]).short(16);
    line.replace(&format!("{KEY}{sum}\""), &format!("{KEY}fits\""))
}

/// Replaces the positions in a head by words if they are the end of the journal and the line of the
/// last checkpoint.
pub(crate) fn head(head: &str, path: &str, files: &BTreeMap<String, String>) -> String {
    let Ok(value) = serde_json::from_str::<Value>(head.trim_end()) else { return head.to_owned() };
    let folder = path.trim_end_matches("head");
    let segment = format!("{folder}{:020}.jsonl", value["seg"].as_u64().unwrap_or_default());
    let Some(text) = files.get(&segment) else { return head.to_owned() };
    let mut head = sum(head.trim_end());
    if value["off"].as_u64() == u64::try_from(text.len()).ok() {
        head = head.replace(&format!("\"off\":{}", value["off"]), "\"off\":\"end\"");
    }
    let from = value["ck_off"].as_u64().and_then(|at| usize::try_from(at).ok());
    let line = from.and_then(|at| text.get(at..)).unwrap_or_default();
    if line.starts_with(&format!("{{\"v\":1,\"seq\":{},", value["ck_seq"])) {
        head = head.replace(&format!("\"ck_off\":{}", value["ck_off"]), "\"ck_off\":\"its line\"");
    }
    head
}
