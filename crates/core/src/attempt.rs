use crate::{Agent, Fence, Hash, Hold, Name, Receipt, SessionId, UnitId};

/// A unit begun and not ended.
///
/// It is the assignment, the dispatch and the refused stop alike, so fencing, exclusivity, charge
/// and refund exist once. Pending, active and completed are: no session, a session, claimed.
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
    /// Returns where in the journal it began.
    pub const fn fence(&self) -> Fence {
        self.fence
    }

    /// Returns what is being worked on.
    pub const fn unit(&self) -> &UnitId {
        &self.unit
    }

    /// Returns the agent it was given to.
    pub const fn agent(&self) -> Option<&Agent> {
        self.agent.as_ref()
    }

    /// Returns the session that works on it.
    pub const fn session(&self) -> Option<&SessionId> {
        self.session.as_ref()
    }

    /// Returns whether the agent says that it is done.
    pub const fn is_claimed(&self) -> bool {
        self.claimed
    }

    /// Returns the bounds that its begin charged.
    pub fn spent(&self) -> &[Name] {
        &self.spent
    }

    /// Returns what no other attempt may have meanwhile.
    pub fn locks(&self) -> &[Name] {
        &self.locks
    }

    /// Returns why it stands still.
    pub const fn hold(&self) -> Option<&Hold> {
        self.hold.as_ref()
    }
}

/// How a unit was lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loss {
    /// How often in a row.
    pub times: u32,
    /// Why it was the last time; empty where nobody knows.
    pub why: String,
}

/// A unit's last failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Red {
    /// What failed, and on which tree.
    pub receipt: Receipt,
    /// How often in a row the same; 0 after a person resumed, when only the evidence is kept.
    pub same: u32,
}

impl Red {
    /// How many equal failures in a row hold a unit.
    pub const LIMIT: u32 = 3;

    /// Returns the files it is true of.
    pub const fn tree(&self) -> Hash {
        self.receipt.tree
    }

    /// Returns whether a begin now comes after a failure that counts.
    pub const fn counts(&self) -> bool {
        self.same > 0
    }
}
