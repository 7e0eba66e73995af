//! Edits by path, and the check that an edit changes nothing else.

use sprag_core::Splice;

use crate::change::{self, ValueChange};
use crate::document::{Document, Format};
use crate::fault::{Fault, FaultKind};
use crate::pieces::Pieces;
use crate::place::Span;
use crate::value::{Node, Value, index};
use crate::{front_matter, json, yaml};

/// An intended change of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Sets the value at the path; missing parents are created.
    ///
    /// In a list, a step is an index, and the index after the last item appends. An existing map or
    /// list is changed entry by entry, so that comments in between stay.
    Set {
        /// Keys and indexes from the root.
        path: Vec<String>,
        value: Value,
    },
    /// Removes the value at the path, with its key. Does nothing if it does not exist.
    Remove {
        /// Keys and indexes from the root.
        path: Vec<String>,
    },
}

impl Edit {
    pub fn set<S: Into<String>>(
        path: impl IntoIterator<Item = S>,
        value: impl Into<Value>,
    ) -> Self {
        Self::Set { path: path.into_iter().map(Into::into).collect(), value: value.into() }
    }

    pub fn remove<S: Into<String>>(path: impl IntoIterator<Item = S>) -> Self {
        Self::Remove { path: path.into_iter().map(Into::into).collect() }
    }

    pub fn path(&self) -> &[String] {
        match self {
            Self::Set { path, .. } | Self::Remove { path } => path,
        }
    }

    /// Returns the edit with its numbers converted to the format's.
    fn native(&self, format: Format, root: &Node) -> Self {
        match (self, format) {
            (Self::Set { path, value }, Format::Json) => {
                Self::Set { path: path.clone(), value: json::native(value, root.at(path)) }
            }
            (Self::Set { .. } | Self::Remove { .. }, _) => self.clone(),
        }
    }

    /// Applies the edit to a tree. The caller has planned it, so the path is valid.
    fn perform(&self, root: &mut Node) {
        match self {
            Self::Set { path, value } => set(root, path, value),
            Self::Remove { path } => remove(root, path),
        }
    }
}

fn set(node: &mut Node, path: &[String], value: &Value) {
    let Some((step, rest)) = path.split_first() else {
        node.value = value.clone();
        return;
    };
    if node.value == Value::Null {
        node.value = Value::Map(crate::Map::default());
    }
    match &mut node.value {
        Value::Map(map) => {
            if map.get(step).is_none() {
                map.insert(step.clone(), Value::Null);
            }
            if let Some(below) = map.get_mut(step) {
                set(below, rest, value);
            }
        }
        Value::List(items) => {
            let Some(at) = index(step) else { return };
            if at == items.len() {
                items.push(Node::default());
            }
            if let Some(below) = items.get_mut(at) {
                set(below, rest, value);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn remove(node: &mut Node, path: &[String]) {
    let Some((step, rest)) = path.split_first() else { return };
    match (&mut node.value, rest.is_empty()) {
        (Value::Map(map), true) => drop(map.remove(step)),
        (Value::Map(map), false) => {
            if let Some(below) = map.get_mut(step) {
                remove(below, rest);
            }
        }
        (Value::List(items), last) => match (index(step).filter(|&at| at < items.len()), last) {
            (Some(at), true) => drop(items.remove(at)),
            (Some(at), false) => remove(&mut items[at], rest),
            (None, _) => {}
        },
        (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_), _) => {}
    }
}

/// Makes the edits in order on copies of the text, then checks the result.
pub(crate) fn edit(doc: &Document<'_>, edits: &[Edit]) -> Result<Vec<Splice>, Fault> {
    let mut want = doc.root.clone();
    let mut now: Option<String> = None;
    let mut pieces = Pieces::new(doc.text);
    for edit in edits {
        let edit = &edit.native(doc.format, &want);
        let changes = change::plan(doc, &want, edit)?;
        edit.perform(&mut want);
        for change in &changes {
            let text = now.as_deref().unwrap_or(doc.text);
            let splices = match &now {
                None => splices(doc, change)?,
                Some(text) => {
                    let doc_now = Document::parse(doc.format, text);
                    splices(&doc_now.map_err(|_| spoilt(doc, edit))?, change)?
                }
            };
            let next = sprag_core::apply(text, &splices).map_err(|_| spoilt(doc, edit))?;
            pieces.apply(&splices);
            now = Some(next);
        }
    }
    let splices = pieces.splices();
    if let Some(now) = now.filter(|_| !splices.is_empty()) {
        guard(doc, edits, &want, &now)?;
    }
    Ok(splices)
}

/// Returns the tree after the edits, for callers that need no splices.
pub(crate) fn tree(doc: &Document<'_>, edits: &[Edit]) -> Result<Node, Fault> {
    let mut want = doc.root.clone();
    for edit in edits {
        let edit = &edit.native(doc.format, &want);
        change::plan(doc, &want, edit)?;
        edit.perform(&mut want);
    }
    Ok(want)
}

fn splices(doc: &Document<'_>, change: &ValueChange) -> Result<Vec<Splice>, Fault> {
    match doc.format {
        Format::Json => json::change(doc, change),
        Format::Yaml => yaml::change(doc, change),
        Format::FrontMatter if doc.has_front_matter() => yaml::change(doc, change),
        Format::FrontMatter => Ok(vec![begin(doc, change)?]),
    }
}

/// Adds front matter before a body that has none.
fn begin(doc: &Document<'_>, change: &ValueChange) -> Result<Splice, Fault> {
    let end = doc.line_end();
    let start = front_matter::after_mark(doc.text);
    let head = format!("---{end}---{end}");
    let framed = Document::parse(Format::FrontMatter, &head)?;
    let text = sprag_core::apply(&head, &yaml::change(&framed, change)?).map_err(|_| {
        doc.fault(FaultKind::Guard, Span::at(start), "the front matter could not be made")
    })?;
    Ok(Splice { range: start..start, text })
}

/// Checks the edited text against the intended tree.
fn guard(doc: &Document<'_>, edits: &[Edit], want: &Node, now: &str) -> Result<(), Fault> {
    let Some(last) = edits.last() else { return Ok(()) };
    match Document::parse(doc.format, now) {
        Ok(after) if after.root == *want && after.body() == doc.body() => Ok(()),
        Err(fault) if fault.kind == FaultKind::Limit => {
            Err(doc.fault(FaultKind::Limit, nearest(doc, last.path()), fault.what))
        }
        Ok(_) | Err(_) => Err(spoilt(doc, last)),
    }
}

fn spoilt(doc: &Document<'_>, edit: &Edit) -> Fault {
    let what = format!(
        "changing `{}` would change more than that, so nothing was written",
        edit.path().join(".")
    );
    doc.fault(FaultKind::Guard, nearest(doc, edit.path()), what)
        .help("an anchor or an unusual layout may be in the way; edit this value by hand")
}

/// Returns the position of the deepest existing value on a path.
fn nearest(doc: &Document<'_>, path: &[String]) -> Span {
    let mut node = &doc.root;
    for step in path {
        match node.child(step) {
            Some(below) => node = below,
            None => break,
        }
    }
    Span::at(node.span.start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guard_lets_nothing_else_happen() {
        let doc = Document::parse(Format::FrontMatter, "---\na: 1\nb: 2\n---\nbody\n").unwrap();
        let edits = [Edit::set(["a"], 9)];
        let mut want = doc.root.clone();
        edits[0].perform(&mut want);
        let guard = |now: &str| guard(&doc, &edits, &want, now).map_err(|fault| fault.kind);
        assert_eq!(guard("---\na: 9\nb: 2\n---\nbody\n"), Ok(()));
        for now in [
            "---\na: 9\nb: 3\n---\nbody\n",
            "---\na: 9\nb: 2\n---\nother\n",
            "---\na: 9\nb: 2\n---\n---\nbody\n",
            "---\na: 9\nb: 2\n---\n",
            "---\na: 9\nb: 2: 3\n---\nbody\n",
        ] {
            assert_eq!(guard(now), Err(FaultKind::Guard), "{now}");
        }
    }
}
