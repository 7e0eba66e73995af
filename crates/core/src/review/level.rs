use super::Severity;

/// The lowest severity of findings that must be resolved before a review passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Threshold {
    /// Every finding.
    #[default]
    All,
    /// Important and critical ones.
    Important,
    /// Only critical ones.
    Critical,
}

impl Threshold {
    pub const ALL: [Self; 3] = [Self::All, Self::Important, Self::Critical];

    /// Returns the word used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Important => "important",
            Self::Critical => "critical",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == text)
    }

    /// Returns whether a finding of this severity keeps a review from passing.
    pub const fn blocks(self, severity: Severity) -> bool {
        match (self, severity) {
            (Self::All, _)
            | (Self::Important, Severity::Important | Severity::Critical)
            | (Self::Critical, Severity::Critical) => true,
            (Self::Important, Severity::Minor)
            | (Self::Critical, Severity::Minor | Severity::Important) => false,
        }
    }
}
