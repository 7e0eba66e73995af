/// The owner of a field of another system's document during an agent's turn.
///
/// Each document has one table that maps its fields to these. A person may set any field between
/// turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Owned by the agent, by the original's protocol: its change stays.
    Theirs,
    /// The agent's claim: it triggers the checks, decides nothing, and is restored.
    Claim,
    /// An input of a verdict: it is restored.
    Verdict,
}

impl FieldKind {
    /// Returns whether a change of the field during an agent's turn is restored.
    pub const fn is_put_back(self) -> bool {
        match self {
            Self::Theirs => false,
            Self::Claim | Self::Verdict => true,
        }
    }
}
