use super::PullRecord;
use crate::review::{Severity, Threshold, read};

/// The findings in reviews that are not minimised, counted by severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Severities {
    /// Findings that must be fixed.
    pub critical: u32,
    /// Findings that should be fixed.
    pub important: u32,
    /// Suggestions.
    pub minor: u32,
    /// Unresolved inline threads.
    pub unresolved: u32,
    /// Reviews that cannot be parsed.
    pub unclear: u32,
}

/// The overall result of the reviews, in the original's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approval {
    /// No findings are left.
    Approved,
    /// Only findings below the level are left.
    WithComments,
    /// Blocking findings are left.
    Not,
}

impl Severities {
    /// Counts the findings in the reviews of a pull request.
    pub fn of(known: &PullRecord) -> Self {
        let open = known.pull.threads.iter().filter(|thread| !thread.resolved).count();
        let mut found =
            Self { unresolved: u32::try_from(open).unwrap_or(u32::MAX), ..Self::default() };
        for review in &known.pull.reviews {
            let Ok(answer) = read(&review.body) else {
                found.unclear += 1;
                continue;
            };
            for finding in answer.findings {
                *match finding.severity {
                    Severity::Critical => &mut found.critical,
                    Severity::Important => &mut found.important,
                    Severity::Minor => &mut found.minor,
                } += 1;
            }
        }
        found
    }

    /// Returns the result at a level; the forge's "changes requested" caps it.
    pub fn approval(&self, level: Threshold, decision: Option<&str>) -> Approval {
        let blocking = match level {
            Threshold::All => self.critical + self.important + self.minor + self.unresolved,
            Threshold::Important => self.critical + self.important,
            Threshold::Critical => self.critical,
        };
        let rest = self.critical + self.important + self.minor;
        let asked = decision == Some("CHANGES_REQUESTED");
        match (blocking + self.unclear, rest, asked) {
            (0, 0, false) => Approval::Approved,
            (0, _, _) => Approval::WithComments,
            (_, _, _) => Approval::Not,
        }
    }
}

impl Approval {
    /// Returns the original's word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "APPROVED",
            Self::WithComments => "APPROVED_WITH_COMMENTS",
            Self::Not => "NOT_APPROVED",
        }
    }
}
