//! A parsed text with its tree: the entry point of this crate.

use std::ops::Range;

use sprag_core::Splice;

use crate::edit::{self, Edit};
use crate::fault::{Fault, FaultKind};
use crate::field::Field;
use crate::place::{Place, Span};
use crate::value::{Node, NodeForm, Value};
use crate::{front_matter, json, limits, yaml};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// A YAML file with one document.
    Yaml,
    /// A Markdown file whose state is the YAML in its front matter.
    FrontMatter,
    /// A JSON file.
    Json,
}

/// A strictly parsed text, with its values and their positions.
#[derive(Debug)]
pub struct Document<'t> {
    pub(crate) format: Format,
    pub(crate) text: &'t str,
    pub(crate) root: Node,
    /// The bytes of the tree; empty if a Markdown file has no front matter.
    pub(crate) region: Range<usize>,
    /// The earliest position of the root: after the byte order mark, directives and `---`.
    pub(crate) head: usize,
    body: usize,
}

impl<'t> Document<'t> {
    /// Parses a text strictly. A faulty text returns exactly one fault.
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
                let root = Node::new(Value::Null, Span::at(start), NodeForm::Absent);
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

    /// The parsed text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The root of the tree.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The text after the front matter of a Markdown file; empty in other formats.
    pub fn body(&self) -> &'t str {
        match self.format {
            Format::FrontMatter => &self.text[self.body..],
            Format::Yaml | Format::Json => "",
        }
    }

    /// Returns whether a Markdown file has front matter.
    pub fn has_front_matter(&self) -> bool {
        self.format == Format::FrontMatter && self.body > self.region.end
    }

    /// The line and column of a byte.
    pub fn place(&self, at: usize) -> Place {
        Place::of(self.text, at)
    }

    /// The root as a field, for typed reading.
    pub fn top(&self) -> Field<'_> {
        Field::top(self.text, &self.root)
    }

    /// The value at a path, even if it is null.
    pub fn get(&self, path: &[&str]) -> Option<Field<'_>> {
        self.top().get(path)
    }

    /// The value at a path, unless it is absent or null.
    pub fn optional(&self, path: &[&str]) -> Option<Field<'_>> {
        self.top().optional(path)
    }

    /// The value at a path, or a fault at the position where it is missing.
    pub fn need(&self, path: &[&str]) -> Result<Field<'_>, Fault> {
        self.top().need(path)
    }

    /// Returns the splices that make these edits, in order, in the text.
    ///
    /// An edit that changes no value has no splice. The result is verified: it is applied, parsed
    /// strictly and compared with the intended tree.
    pub fn edit(&self, edits: &[Edit]) -> Result<Vec<Splice>, Fault> {
        edit::edit(self, edits)
    }

    /// Makes a fault about bytes of this text.
    pub(crate) fn fault(&self, kind: FaultKind, span: Span, what: impl Into<String>) -> Fault {
        Fault::new(kind, self.text, span, what)
    }

    /// The line end that this file uses.
    pub(crate) fn line_end(&self) -> &'static str {
        match self.text.find('\n') {
            Some(at) if self.text[..at].ends_with('\r') => "\r\n",
            None if self.text.contains('\r') => "\r",
            Some(_) | None => "\n",
        }
    }
}
