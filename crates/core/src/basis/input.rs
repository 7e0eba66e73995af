//! One input of a verdict: what it is, how it changed, and who changed it.

use serde::{Deserialize, Serialize};

use super::{Attribution, Author, MaySendBack};
use crate::{Hash, stored};

/// What an input is to the verdict that depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A test, or what tests compare with.
    Test,
    /// What says how the gate's command runs.
    Runner,
    /// A script that the command runs.
    Script,
    /// A program of the project that the command starts.
    Program,
    /// A file that a person protects and that is nothing else of this list.
    Protected,
    /// What judged the unit when it began: configuration, workflow, plan, rule.
    Law,
    /// A document of state.
    State,
    /// The command that starts a host.
    Host,
    /// What sprag remembers: journal, receipts, the files of a run.
    Memory,
    /// What a forge says.
    Forge,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 10] = [
        Self::Test,
        Self::Runner,
        Self::Script,
        Self::Program,
        Self::Protected,
        Self::Law,
        Self::State,
        Self::Host,
        Self::Memory,
        Self::Forge,
    ];

    /// Returns the word used in files and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Runner => "runner",
            Self::Script => "script",
            Self::Program => "program",
            Self::Protected => "protected",
            Self::Law => "law",
            Self::State => "state",
            Self::Host => "host",
            Self::Memory => "memory",
            Self::Forge => "forge",
        }
    }

    /// Returns whether sprag itself found out that a verdict depends on it. A person named the others,
    /// or they decide more than one verdict: only the whole text that a person saw frees those.
    pub const fn is_inferred(self) -> bool {
        match self {
            Self::Test | Self::Runner | Self::Script | Self::Program => true,
            Self::Protected | Self::Law | Self::State | Self::Host | Self::Memory | Self::Forge => {
                false
            }
        }
    }

    /// Returns whether work waits for a person once the agent was told and did not undo its change.
    pub(super) const fn waits(self) -> bool {
        match self {
            Self::Protected | Self::Law | Self::Host => true,
            Self::Test
            | Self::Runner
            | Self::Script
            | Self::Program
            | Self::State
            | Self::Memory
            | Self::Forge => false,
        }
    }
}

stored!(word Role);

/// How an input changed since its unit first began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It says the same; at most its blanks are others.
    Same,
    /// It makes the verdict harder to reach.
    Stricter,
    /// It was not there.
    New,
    /// All of it is still there, and there is more.
    Grew,
    /// It has another name and the same bytes.
    Moved,
    /// It says something else.
    Changed,
    /// It is not there any more.
    Gone,
}

impl Change {
    /// Every change.
    pub const ALL: [Self; 7] =
        [Self::Same, Self::Stricter, Self::New, Self::Grew, Self::Moved, Self::Changed, Self::Gone];

    /// Returns the word used in files and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Stricter => "stricter",
            Self::New => "new",
            Self::Grew => "grew",
            Self::Moved => "moved",
            Self::Changed => "changed",
            Self::Gone => "gone",
        }
    }
}

stored!(word Change);

/// How a text differs from the one that stood in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// In blanks only.
    Blank,
    /// It makes the verdict harder to reach.
    Stricter,
    /// It only adds.
    Grew,
    /// In what it says.
    Other,
}

/// How a text that was not there weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It is new.
    New,
    /// It makes the verdict harder to reach: a plan where none was in force.
    Stricter,
    /// It stands before something that was there: a program of the project is now found first.
    Shadows,
}

/// How a text that was there went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// It is gone.
    Gone,
    /// Its bytes have another name that is found as well.
    Moved,
    /// The verdict is harder to reach without it.
    Stricter,
}

/// Evidence that a change weakened nothing, although an agent or a stranger made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Excuse {
    /// A ref, or a remote's, held this text when the unit began.
    HeldByRef,
    /// A lock file changed with the program, or is newer than the old one.
    LockFile,
    /// The gate passed with the earlier text put back.
    SecondLook,
}

/// One input of a verdict.
///
/// It is made from the two texts, so how it changed always agrees with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    role: Role,
    was: Option<Hash>,
    now: Option<Hash>,
    change: Change,
    whose: Attribution,
    excuse: Option<Excuse>,
    carried: Carried,
}

/// Whether an earlier unit left a doubt about an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carried {
    /// None did.
    No,
    /// One did, about this very text: it is named, and not sent back again.
    ThisText,
    /// One did, about another text; this one came since.
    OtherText,
}

impl Input {
    /// Takes an input that did not change.
    pub const fn same(role: Role, text: Option<Hash>) -> Self {
        let whose = Attribution { author: Author::Sprag, send_back: MaySendBack::No };
        Self::new(role, text, text, Change::Same, whose)
    }

    /// Takes an input whose text differs from the one that was there; nothing changed where both
    /// are equal.
    pub fn differs(role: Role, was: Hash, now: Hash, how: Difference, whose: Attribution) -> Self {
        let change = match how {
            _ if was == now => Change::Same,
            Difference::Blank => Change::Same,
            Difference::Stricter => Change::Stricter,
            Difference::Grew => Change::Grew,
            Difference::Other => Change::Changed,
        };
        Self::new(role, Some(was), Some(now), change, whose)
    }

    /// Takes an input that was not there.
    pub const fn arrived(role: Role, now: Hash, how: Arrival, whose: Attribution) -> Self {
        let change = match how {
            Arrival::New => Change::New,
            Arrival::Stricter => Change::Stricter,
            Arrival::Shadows => Change::Changed,
        };
        Self::new(role, None, Some(now), change, whose)
    }

    /// Takes an input that is not there any more.
    pub const fn departed(role: Role, was: Hash, how: Departure, whose: Attribution) -> Self {
        let change = match how {
            Departure::Gone => Change::Gone,
            Departure::Moved => Change::Moved,
            Departure::Stricter => Change::Stricter,
        };
        Self::new(role, Some(was), None, change, whose)
    }

    const fn new(
        role: Role,
        was: Option<Hash>,
        now: Option<Hash>,
        change: Change,
        whose: Attribution,
    ) -> Self {
        Self { role, was, now, change, whose, excuse: None, carried: Carried::No }
    }

    /// Takes note of evidence that the change weakened nothing.
    #[must_use]
    pub const fn excused(mut self, excuse: Excuse) -> Self {
        self.excuse = Some(excuse);
        self
    }

    /// Takes note of a doubt that an earlier unit left.
    pub(super) const fn carry(&mut self, carried: Carried, whose: Attribution) {
        self.carried = carried;
        self.whose = whose;
    }

    /// Returns what it is to the verdict.
    pub const fn role(&self) -> Role {
        self.role
    }

    /// Returns the text when the unit first began; nothing where there was none.
    pub const fn was(&self) -> Option<Hash> {
        self.was
    }

    /// Returns the text as it is now; nothing where there is none.
    pub const fn now(&self) -> Option<Hash> {
        self.now
    }

    /// Returns how it changed.
    pub const fn change(&self) -> Change {
        self.change
    }

    /// Returns whose change it is.
    pub const fn whose(&self) -> Attribution {
        self.whose
    }

    /// Returns the evidence that the change weakened nothing, where there is some.
    pub const fn excuse(&self) -> Option<Excuse> {
        self.excuse
    }

    pub(super) const fn carried(&self) -> Carried {
        self.carried
    }

    /// Returns whether its bytes are others, in whatever way.
    pub fn is_changed(&self) -> bool {
        self.was != self.now
    }
}
