use crate::{Agent, Fence, Hash, Hold, Name, Receipt, SessionId, UnitId};

/// A unit in progress: begun and not yet ended.
///
/// Assignments, dispatches and refused stops are all attempts, so fencing, exclusivity, charge and
/// refund exist once. An attempt is pending without a session, active with one, and completed once
/// claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub(crate) fence: Fence,
    pub(crate) unit: UnitId,
    pub(crate) agent: Option<Agent>,
    pub(crate) session: Option<SessionId>,
    pub(crate) claimed: bool,
    pub(crate) spent: Vec<Name>,
    pub(crate) locks: Vec<Name>,
    pub(crate) wall: Option<Name>,
    pub(crate) hold: Option<Hold>,
}

impl Attempt {
    pub const fn fence(&self) -> Fence {
        self.fence
    }

    pub const fn unit(&self) -> &UnitId {
        &self.unit
    }

    pub const fn agent(&self) -> Option<&Agent> {
        self.agent.as_ref()
    }

    pub const fn session(&self) -> Option<&SessionId> {
        self.session.as_ref()
    }

    /// Returns whether the agent has reported it done.
    pub const fn is_claimed(&self) -> bool {
        self.claimed
    }

    /// Returns the bounds that were charged when it began.
    pub fn spent(&self) -> &[Name] {
        &self.spent
    }

    /// Returns the locks that no other attempt may hold meanwhile.
    pub fn locks(&self) -> &[Name] {
        &self.locks
    }

    /// Returns why it is held, if it is.
    pub const fn hold(&self) -> Option<&Hold> {
        self.hold.as_ref()
    }
}

/// How often and why the agent of a unit was lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LossCount {
    /// Losses in a row.
    pub times: u32,
    /// The reason of the last loss; empty if unknown.
    pub why: String,
}

/// The last failure of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastFailure {
    /// The failed gate and its tree.
    pub receipt: Receipt,
    /// How many times in a row the same failure occurred; 0 after a person resumed the unit, when
    /// only the evidence is kept.
    pub same: u32,
}

impl LastFailure {
    /// The number of equal failures in a row after which a unit is held.
    pub const LIMIT: u32 = 3;

    pub const fn tree(&self) -> Hash {
        self.receipt.tree
    }

    /// Returns whether the next begin comes after a failure that counts.
    pub const fn counts(&self) -> bool {
        self.same > 0
    }
}
