//! The only error of this crate: the problem, its position, and the expected value.

use crate::place::{Place, Span};

/// Classifies faults by the caller's reaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The text is not a document of its format.
    Syntax,
    /// The text is too long, too deep or too full.
    Limit,
    /// A value has the wrong type.
    Type,
    /// A required value is missing.
    Missing,
    /// An unknown key; readers warn about it and keep it.
    UnknownKey,
    /// An edit cannot be made in this document.
    Edit,
    /// An edit had a wrong result and was discarded.
    Guard,
}

/// A problem in a document, with its position.
///
/// The fields suit a renderer that shows the line with a caret under the span: the file name, the
/// message, the bytes, the expected value, and one piece of help.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}:{}: {what}", .file.as_ref().map(|file| format!("{file}:")).unwrap_or_default(), .place.line, .place.col)]
pub struct Fault {
    pub kind: FaultKind,
    /// The file, if the caller has set it.
    pub file: Option<Box<str>>,
    /// The message.
    pub what: String,
    /// The bytes concerned.
    pub span: Span,
    /// The start of the span.
    pub place: Place,
    /// The value that would be valid there.
    pub expected: Option<Box<str>>,
    /// How to fix it.
    pub help: Option<Box<str>>,
}

impl Fault {
    /// Makes a fault about `span` of `text`.
    pub fn new(kind: FaultKind, text: &str, span: Span, what: impl Into<String>) -> Self {
        let place = Place::of(text, span.start());
        Self { kind, file: None, what: what.into(), span, place, expected: None, help: None }
    }

    /// Adds the expected value.
    #[must_use]
    pub fn expecting(mut self, expected: impl Into<Box<str>>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// Adds a hint how to fix it.
    #[must_use]
    pub fn help(mut self, help: impl Into<Box<str>>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Returns the one hint to show with the message: the help, or else the expected value.
    pub fn advice(&self) -> Option<String> {
        let expected = match self.kind {
            // The list of all known keys would be long.
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
