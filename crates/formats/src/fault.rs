//! The one error of this crate: what is wrong, where, and what would be right.

use crate::place::{Place, Span};

/// Sorts faults by what a caller does about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The text is not a document of its format.
    Syntax,
    /// The text is too long, too deep or too full.
    Limit,
    /// A value has another type than the reader needs.
    Type,
    /// A value that must be there is not.
    Missing,
    /// A key nobody knows; readers warn about it and keep it.
    UnknownKey,
    /// An edit cannot be made in this document.
    Edit,
    /// An edit came out wrong and was thrown away.
    Guard,
}

/// Says what is wrong with a document and where.
///
/// The parts suit a renderer that shows the line with a caret under the span: the file name, the
/// message, the bytes, what was expected there, and one piece of help.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}:{}: {what}", .file.as_ref().map(|file| format!("{file}:")).unwrap_or_default(), .place.line, .place.col)]
pub struct Fault {
    /// What a caller does about it.
    pub kind: FaultKind,
    /// The file, when the caller said so.
    pub file: Option<Box<str>>,
    /// What is wrong.
    pub what: String,
    /// The bytes it is about.
    pub span: Span,
    /// Where the span begins.
    pub place: Place,
    /// What would be right there.
    pub expected: Option<Box<str>>,
    /// What to do about it.
    pub help: Option<Box<str>>,
}

impl Fault {
    /// Makes a fault about `span` of `text`.
    pub fn new(kind: FaultKind, text: &str, span: Span, what: impl Into<String>) -> Self {
        let place = Place::of(text, span.start());
        Self { kind, file: None, what: what.into(), span, place, expected: None, help: None }
    }

    /// Adds what would be right there.
    #[must_use]
    pub fn expecting(mut self, expected: impl Into<Box<str>>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<Box<str>>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Returns the one thing to say beside the message: what to do, or else what would be right.
    pub fn advice(&self) -> Option<String> {
        let expected = match self.kind {
            // All the keys there are would be a long list.
            FaultKind::UnknownKey => None,
            FaultKind::Syntax
            | FaultKind::Limit
            | FaultKind::Type
            | FaultKind::Missing
            | FaultKind::Edit
            | FaultKind::Guard => self.expected.as_ref(),
        };
        let new = expected.filter(|expected| !self.what.contains(&***expected));
        let help = self.help.as_deref().map(str::to_owned);
        help.or_else(|| new.map(|expected| format!("expected {expected}")))
    }

    /// Adds the name of the file.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<Box<str>>) -> Self {
        self.file = Some(file.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_reads_as_file_line_column_and_message() {
        let fault = Fault::new(FaultKind::Syntax, "a\nbc", Span::at(3), "no value");
        assert_eq!(fault.to_string(), "2:2: no value");
        assert_eq!(fault.in_file("x.yaml").to_string(), "x.yaml:2:2: no value");
    }
}
