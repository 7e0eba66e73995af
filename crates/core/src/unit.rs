use crate::rules::Wording;
use crate::{Fingerprint, Gate, Name, Role, UnitId, Wall};

/// The smallest piece of work that can be begun.
///
/// It contains no text for its agent: a [`Prompt`](crate::Prompt) is made when it is shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit {
    pub id: UnitId,
    /// What kind of work: `task`, `fix`, `review`.
    pub kind: Name,
    /// The required role; any agent may do it if `None`.
    pub role: Option<Role>,
    /// The gates that must pass before it counts as done.
    pub gates: Vec<Gate>,
    /// Whether its gates check only what its agent writes about the work: then a pass is a claim,
    /// too.
    pub papers: bool,
    /// Failures that existed before the work began; they do not count.
    pub known: Vec<(Name, Fingerprint)>,
    /// Bounds spent by every begin.
    pub spends: Vec<Name>,
    /// Bounds spent by a begin after a failure.
    pub retries: Vec<Name>,
    /// Resources that no two attempts may hold at once: files, a worktree, a slice.
    pub locks: Vec<Name>,
    /// The time limit, shared with units that name the same wall.
    pub wall: Option<Wall>,
    /// The way an attempt of it ends.
    pub closes: Closes,
    /// The rules' changes of its instruction.
    pub wording: Wording,
}

/// The way an attempt ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Closes {
    /// A stop of its session, or the exit of its process.
    Stop,
    /// Only by the agent's word: an assignment, a phase without gates.
    Claim,
    /// Only by the exit of its process, which is final in any case: a failure on unchanged files
    /// counts again.
    Exit,
}

/// The number of a retry and the maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Retry {
    /// The number, counted from 1.
    pub number: u32,
    pub max: u32,
}

impl Unit {
    /// Creates a unit that a stop ends, without text, gates, locks or role, bounded by `retries`.
    pub fn new(id: UnitId, kind: Name, retries: Name) -> Self {
        Self {
            id,
            kind,
            role: None,
            gates: Vec::new(),
            papers: false,
            known: Vec::new(),
            spends: Vec::new(),
            retries: vec![retries],
            locks: Vec::new(),
            wall: None,
            closes: Closes::Stop,
            wording: Wording::default(),
        }
    }
}
