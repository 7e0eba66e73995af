use crate::rules::Wording;
use crate::{Fingerprint, Gate, Name, Role, UnitId, Wall};

/// The smallest piece of work that can be begun.
///
/// It holds no text for its agent: that is a [`Prompt`](crate::Prompt), made when it is shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit {
    /// Which unit of its run.
    pub id: UnitId,
    /// What kind of work: `task`, `fix`, `review`.
    pub kind: Name,
    /// Who may do it; nobody in particular when empty.
    pub role: Option<Role>,
    /// What must hold before it counts as done.
    pub gates: Vec<Gate>,
    /// Whether its gates see only what its agent writes of its work: then that is a claim, too.
    pub papers: bool,
    /// Failures that were there before the work began; they do not count.
    pub known: Vec<(Name, Fingerprint)>,
    /// Bounds spent by every begin.
    pub spends: Vec<Name>,
    /// Bounds spent by a begin after a failure.
    pub retries: Vec<Name>,
    /// What no two attempts may have at once: files, a worktree, a slice.
    pub locks: Vec<Name>,
    /// How long it may take, with others that name the same.
    pub wall: Option<Wall>,
    /// What ends an attempt of it.
    pub closes: Closes,
    /// What rules changed of its instruction.
    pub wording: Wording,
}

/// What ends an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Closes {
    /// A stop of its session, or the exit of its process.
    Stop,
    /// Only a word: an assignment, a phase without gates.
    Claim,
    /// The exit of its process alone, which is over whatever it left: a failure on files that did
    /// not change counts again.
    Exit,
}

/// The number of a retry and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Retry {
    /// Which one, from 1.
    pub number: u32,
    /// How many there are.
    pub max: u32,
}

impl Unit {
    /// Makes a unit that a stop ends, without text, gates, locks or role, bounded by `retries`.
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
