/// To whom a field of another system's document belongs while an agent has the turn.
///
/// Each document has one table from its fields to these. A person may set any field between turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// The agent's, by the original's protocol: it stays as the agent left it.
    Theirs,
    /// The agent's word: it starts the checks, decides nothing, and is put back.
    Claim,
    /// What a verdict rests on: it is put back.
    Verdict,
}

impl FieldKind {
    /// Returns whether a change of the field in an agent's turn is put back.
    pub const fn is_put_back(self) -> bool {
        match self {
            Self::Theirs => false,
            Self::Claim | Self::Verdict => true,
        }
    }
}
