use super::Known;
use crate::review::{Level, Severity, read};

/// How much stands in the reviews that are not minimised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Severities {
    /// Findings that must be fixed.
    pub critical: u32,
    /// Findings that should be.
    pub important: u32,
    /// Suggestions.
    pub minor: u32,
    /// Inline threads that nobody resolved.
    pub unresolved: u32,
    /// Reviews that say nothing that can be read.
    pub unclear: u32,
}

/// What the reviews come to, in the original's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approval {
    /// Nothing is left.
    Approved,
    /// Only what lies below the level is left.
    WithComments,
    /// Something stands in the way.
    Not,
}

impl Severities {
    /// Counts what the reviews of a pull request say.
    pub fn of(known: &Known) -> Self {
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

    /// Returns what that comes to at a level; the forge's "changes requested" caps it.
    pub fn approval(&self, level: Level, decision: Option<&str>) -> Approval {
        let blocking = match level {
            Level::All => self.critical + self.important + self.minor + self.unresolved,
            Level::Important => self.critical + self.important,
            Level::Critical => self.critical,
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
