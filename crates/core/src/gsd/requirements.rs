use serde::Serialize;

/// Counts of requirements by their state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Requirements {
    /// To be met.
    pub active: usize,
    /// Met.
    pub validated: usize,
    pub deferred: usize,
    pub out_of_scope: usize,
    /// Waiting for something.
    pub blocked: usize,
    /// The sum of the first four.
    pub total: usize,
}
