use crate::{Hash, Role, SessionId};

/// A session's side of a stop: refusals without progress are counted here, once for all its runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Desk {
    /// Which session.
    pub session: SessionId,
    /// What its agent is for.
    pub role: Option<Role>,
    /// How far the work was at the last refusal.
    pub mark: Hash,
    /// The marks before that one, at most two, oldest first.
    pub before: Vec<Hash>,
    /// Refusals since the mark last moved.
    pub idle: u32,
    /// Refusals since a person spoke, or since a unit of a plan or tree passed its gates.
    pub refused: u32,
}

impl Desk {
    /// Returns the desk of a session that was never refused.
    pub const fn new(session: SessionId, mark: Hash) -> Self {
        Self { session, role: None, mark, before: Vec::new(), idle: 0, refused: 0 }
    }
}
