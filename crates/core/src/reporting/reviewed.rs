use super::read;
use crate::Plain;
use crate::review::RefusedFinding;

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
    /// What its agent refused to take for a finding so far, with the reason.
    pub refused: Vec<RefusedFinding>,
    /// Whether it was made by a host that had worked on the phase itself.
    pub by_writer: bool,
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
            refused: read::refused(data),
            by_writer: false,
        }
    }

    /// Returns the findings that its agent refused, without the reasons.
    pub(super) fn refused(&self) -> impl Iterator<Item = String> {
        self.refused.iter().map(|one| one.finding.clone())
    }

    /// Returns how it is called: `build review 1`.
    pub fn name(&self) -> String {
        match &self.phase {
            Some(phase) => format!("{phase} review {}", self.round),
            None => format!("review {}", self.round),
        }
    }

    /// Returns whether a unit is this review.
    pub(super) fn is_unit(&self, unit: &str) -> bool {
        unit.strip_suffix(&self.name()).is_some_and(|phase| phase.ends_with('/'))
    }

    /// Returns whether nothing that counts was found; what was found is no claim that work is done.
    pub(super) fn is_pass(&self) -> bool {
        self.verdict == "pass"
    }

    /// Returns whether a person accepted the work as it is; that is no pass.
    pub fn is_accepted(&self) -> bool {
        self.verdict == "accepted"
    }

    /// Returns whether whoever made this review had worked on the phase before. `workers` are the
    /// units that somebody began, and who, in order.
    pub(super) fn is_by_writer(&self, workers: &[(&str, &str)]) -> bool {
        let (name, round) = (format!("/{}", self.name()), format!(" review {}", self.round));
        let Some((unit, by)) = workers.iter().rev().find(|(unit, _)| unit.ends_with(&name)) else {
            return false;
        };
        let wrote = |other: &str| {
            let rest = unit.strip_suffix(&round).and_then(|phase| other.strip_prefix(phase));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" fix "))
        };
        workers.iter().any(|(other, who)| who == by && wrote(other))
    }

    /// Says it in a line: `build, review 1: issues, 2 findings open`.
    pub fn line(&self) -> String {
        let phase = self.phase.as_ref().map_or_else(String::new, |phase| format!("{phase}, "));
        let plural = if self.open == 1 { "" } else { "s" };
        let Self { round, verdict, open, .. } = self;
        let by = if self.by_writer { " by the host that wrote it" } else { "" };
        format!("{phase}review {round}{by}: {verdict}, {open} finding{plural} open")
    }
}
