//! The result of a review, for the driver and for people.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reviewed {
    /// No finding blocks the phase, so the run leaves it.
    Clean,
    /// These findings block it.
    Found {
        /// One line each.
        findings: Vec<String>,
    },
    /// The review does not count.
    Again { why: String },
}
