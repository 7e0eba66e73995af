use crate::{Hash, Role, SessionId};

/// The stop counter of a session: counts refusals without progress, once for all its runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopCounter {
    pub session: SessionId,
    /// The role of its agent.
    pub role: Option<Role>,
    /// The state of the work at the last refusal.
    pub mark: Hash,
    /// The marks before that one, at most two, oldest first.
    pub before: Vec<Hash>,
    /// Refusals since the mark last moved.
    pub idle: u32,
    /// Refusals since the last message from a person, or since a unit of a plan or tree passed its
    /// gates.
    pub refused: u32,
}

impl StopCounter {
    /// Creates the counter of a session that was never refused.
    pub const fn new(session: SessionId, mark: Hash) -> Self {
        Self { session, role: None, mark, before: Vec::new(), idle: 0, refused: 0 }
    }
}
