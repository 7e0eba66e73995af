use serde::Serialize;

/// How many requirements there are, by their state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Requirements {
    /// To be met.
    pub active: usize,
    /// Met.
    pub validated: usize,
    /// Put off.
    pub deferred: usize,
    /// Not to be met.
    pub out_of_scope: usize,
    /// That wait for something.
    pub blocked: usize,
    /// All of the first four.
    pub total: usize,
}
