use crate::event::{ReviewEnded, ReviewVerdict};

/// The result of a review of a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed {
    pub ended: ReviewEnded,
    /// Whether its host had worked on the phase itself.
    pub by_writer: bool,
}

impl Reviewed {
    /// Returns the findings that its agent refused, without the reasons.
    pub(super) fn refused(&self) -> impl Iterator<Item = String> {
        self.ended.refused.iter().map(|one| one.finding.clone())
    }

    /// Returns its name: `build review 1`.
    pub fn name(&self) -> String {
        self.ended.name()
    }

    /// Returns whether a person accepted the work as it is; that is not a pass.
    pub fn is_accepted(&self) -> bool {
        self.ended.verdict == ReviewVerdict::Accepted
    }

    /// Formats it as a line: `build, review 1: issues, 2 findings open`.
    pub fn line(&self) -> String {
        let ReviewEnded { phase, round, verdict, open, .. } = &self.ended;
        let phase = phase.as_ref().map_or_else(String::new, |phase| format!("{phase}, "));
        let plural = if *open == 1 { "" } else { "s" };
        let by = if self.by_writer { " by the host that wrote it" } else { "" };
        let verdict = verdict.as_str();
        format!("{phase}review {round}{by}: {verdict}, {open} finding{plural} open")
    }
}

impl ReviewEnded {
    /// Returns its name: `build review 1`.
    fn name(&self) -> String {
        match &self.phase {
            Some(phase) => format!("{phase} review {}", self.round),
            None => format!("review {}", self.round),
        }
    }

    /// Returns whether a unit is this review.
    pub(super) fn is_unit(&self, unit: &str) -> bool {
        unit.strip_suffix(&self.name()).is_some_and(|phase| phase.ends_with('/'))
    }

    /// Returns whether the review passed; findings are not a claim that work is done.
    pub(super) fn is_pass(&self) -> bool {
        self.verdict == ReviewVerdict::Pass
    }

    /// Returns whether the reviewing host had worked on the phase before. `workers` are the begun
    /// units with their hosts, in order.
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
}
