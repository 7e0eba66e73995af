//! A text with its tree: the way into this crate.

use std::ops::Range;

use sprag_core::Splice;

use crate::edit::{self, Edit};
use crate::fault::{Fault, FaultKind};
use crate::field::Field;
use crate::place::{Place, Span};
use crate::value::{Form, Node, Value};
use crate::{front_matter, json, limits, yaml};

/// The formats a document can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// A YAML file with one document.
    Yaml,
    /// A Markdown file whose state is the YAML at its head.
    FrontMatter,
    /// A JSON file.
    Json,
}

/// A text that was read strictly, with its values and where they stand.
#[derive(Debug)]
pub struct Document<'t> {
    pub(crate) format: Format,
    pub(crate) text: &'t str,
    pub(crate) root: Node,
    /// The bytes that hold the tree; empty where a Markdown file has no front matter.
    pub(crate) region: Range<usize>,
    /// Where the root may begin: after the byte order mark, directives and `---`.
    pub(crate) head: usize,
    body: usize,
}

impl<'t> Document<'t> {
    /// Reads a text strictly; a faulty one gives exactly one fault.
    pub fn parse(format: Format, text: &'t str) -> Result<Self, Fault> {
        limits::check_size(text)?;
        let start = front_matter::after_mark(text);
        match format {
            Format::Json => {
                let root = json::read(text, start)?;
                Ok(Self { format, text, root, region: start..text.len(), head: start, body: start })
            }
            Format::Yaml => Self::yaml(format, text, start..text.len(), text.len()),
            Format::FrontMatter => {
                let parts = front_matter::split(text)?;
                if let Some(region) = parts.yaml {
                    return Self::yaml(format, text, region, parts.body);
                }
                let root = Node::new(Value::Null, Span::at(start), Form::Absent);
                let region = start..start;
                Ok(Self { format, text, root, region, head: start, body: parts.body })
            }
        }
    }

    fn yaml(
        format: Format,
        text: &'t str,
        region: Range<usize>,
        body: usize,
    ) -> Result<Self, Fault> {
        let read = yaml::read(text, region.clone())?;
        Ok(Self { format, text, root: read.root, region, head: read.head, body })
    }

    /// Returns the text that was parsed.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the whole tree.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// Returns what follows the front matter of a Markdown file; other formats have no body.
    pub fn body(&self) -> &'t str {
        match self.format {
            Format::FrontMatter => &self.text[self.body..],
            Format::Yaml | Format::Json => "",
        }
    }

    /// Says whether a Markdown file has front matter.
    pub fn has_front_matter(&self) -> bool {
        self.format == Format::FrontMatter && self.body > self.region.end
    }

    /// Returns the line and column of a byte.
    pub fn place(&self, at: usize) -> Place {
        Place::of(self.text, at)
    }

    /// Returns the tree as a field, for reading with types.
    pub fn top(&self) -> Field<'_> {
        Field::top(self.text, &self.root)
    }

    /// Returns the value at a path, null included.
    pub fn get(&self, path: &[&str]) -> Option<Field<'_>> {
        self.top().get(path)
    }

    /// Returns the value at a path unless it is absent or null.
    pub fn optional(&self, path: &[&str]) -> Option<Field<'_>> {
        self.top().optional(path)
    }

    /// Returns the value at a path, or a fault that says where it is missing.
    pub fn need(&self, path: &[&str]) -> Result<Field<'_>, Fault> {
        self.top().need(path)
    }

    /// Returns the splices that make these edits, one after another, in the text.
    ///
    /// An edit that changes no value gives no splice. The result is guarded: it was applied,
    /// parsed strictly and compared with the tree the edits ask for.
    pub fn edit(&self, edits: &[Edit]) -> Result<Vec<Splice>, Fault> {
        edit::edit(self, edits)
    }

    /// Makes a fault about bytes of this text.
    pub(crate) fn fault(&self, kind: FaultKind, span: Span, what: impl Into<String>) -> Fault {
        Fault::new(kind, self.text, span, what)
    }

    /// Returns the line end this file uses.
    pub(crate) fn line_end(&self) -> &'static str {
        match self.text.find('\n') {
            Some(at) if self.text[..at].ends_with('\r') => "\r\n",
            None if self.text.contains('\r') => "\r",
            Some(_) | None => "\n",
        }
    }
}
