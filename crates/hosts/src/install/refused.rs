use sprag_formats::{Fault, FaultKind};

/// Why a settings file cannot be changed by us.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Refused {
    /// What is in the way, and where.
    pub why: String,
}

impl Refused {
    pub(super) fn new(why: impl Into<String>) -> Self {
        Self { why: why.into() }
    }

    /// Says what a fault in the text means for somebody who never asked for strict JSON.
    pub(super) fn of(text: &str, fault: &Fault) -> Self {
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
