use super::read;
use crate::Plain;

/// What one review of a phase came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed {
    /// The phase, where the journal says so.
    pub phase: Option<String>,
    /// Which round it was.
    pub round: u64,
    /// What it came to, in a word: `pass`, `issues`, `accepted`.
    pub verdict: String,
    /// How many findings are open after it.
    pub open: u64,
    /// The weightiest of them.
    pub findings: Vec<String>,
}

impl Reviewed {
    /// Reads what the journal says of a review.
    pub(super) fn of(data: &Plain) -> Self {
        let number = |key| read::number(data, key).unwrap_or_default();
        Self {
            phase: read::text(data, "phase").map(str::to_owned),
            round: number("round"),
            verdict: read::text(data, "verdict").unwrap_or_default().to_owned(),
            open: number("open"),
            findings: read::texts(data, "findings"),
        }
    }

    /// Returns how it is called: `build review 1`.
    pub fn name(&self) -> String {
        match &self.phase {
            Some(phase) => format!("{phase} review {}", self.round),
            None => format!("review {}", self.round),
        }
    }

    /// Returns whether a person accepted the work as it is; that is no pass.
    pub fn is_accepted(&self) -> bool {
        self.verdict == "accepted"
    }

    /// Says it in a line: `build, review 1: issues, 2 findings open`.
    pub fn line(&self) -> String {
        let phase = self.phase.as_ref().map_or_else(String::new, |phase| format!("{phase}, "));
        let plural = if self.open == 1 { "" } else { "s" };
        let Self { round, verdict, open, .. } = self;
        format!("{phase}review {round}: {verdict}, {open} finding{plural} open")
    }
}
