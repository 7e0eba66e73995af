use sprag_formats::{Fault, FaultKind};

/// Why sprag cannot change a settings file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Refused {
    /// The obstacle, and where it is.
    pub why: String,
}

impl Refused {
    pub(crate) fn new(why: impl Into<String>) -> Self {
        Self { why: why.into() }
    }

    /// Explains a fault in the text to a person who does not expect strict JSON.
    pub(crate) fn of(text: &str, fault: &Fault) -> Self {
        let line = fault.place.line;
        let rest = &text[fault.span.start().min(text.len())..];
        let comment = rest.starts_with("//") || rest.starts_with("/*");
        if fault.kind == FaultKind::Syntax && comment {
            let why = format!("line {line} is a comment, and sprag cannot edit JSON with comments");
            return Self::new(why);
        }
        Self::new(format!("line {line}: {}", fault.what))
    }
}
