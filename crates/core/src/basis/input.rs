//! One input of a verdict: its role, how it changed, and who changed it.

use serde::{Deserialize, Serialize};

use super::{Attribution, Author, MaySendBack};
use crate::{Hash, stored};

/// The role of an input in the verdict that depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A test, or data that tests compare with.
    Test,
    /// Configuration that defines how the gate's command runs.
    Runner,
    /// A script that the command runs.
    Script,
    /// A program of the project that the command starts.
    Program,
    /// A file that a person protects and that has no other role in this list.
    Protected,
    /// A document that judged the unit when it began: configuration, workflow, plan, rule.
    Law,
    /// A document of state.
    State,
    /// The command that starts a host.
    Host,
    /// sprag's own records: journal, receipts, the files of a run.
    Memory,
    /// Data reported by a forge.
    Forge,
}

impl Role {
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

    /// Returns whether sprag itself inferred that a verdict depends on the input. The other roles
    /// were named by a person or decide more than one verdict: only consent to the whole text frees
    /// those.
    pub const fn is_inferred(self) -> bool {
        match self {
            Self::Test | Self::Runner | Self::Script | Self::Program => true,
            Self::Protected | Self::Law | Self::State | Self::Host | Self::Memory | Self::Forge => {
                false
            }
        }
    }

    /// Returns whether work waits for a person after the agent was asked to undo its change and did
    /// not.
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
pub enum InputChange {
    /// The content is the same; at most whitespace differs.
    Same,
    /// The change makes the verdict harder to reach.
    Stricter,
    /// The input did not exist before.
    New,
    /// All of the old content is still there, and there is more.
    Grew,
    /// The input has another name and the same bytes.
    Moved,
    /// The content differs.
    Changed,
    /// The input no longer exists.
    Gone,
}

impl InputChange {
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

stored!(word InputChange);

/// How a text differs from its earlier version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Only in whitespace.
    Blank,
    /// The new text makes the verdict harder to reach.
    Stricter,
    /// The new text only adds.
    Grew,
    /// In its content.
    Other,
}

/// The effect of a text that did not exist before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    New,
    /// It makes the verdict harder to reach: for example a plan where none was in force.
    Stricter,
    /// It shadows an existing input: a program of the project is now found first.
    Shadows,
}

/// How an existing text disappeared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    Gone,
    /// Its bytes have another name that is also found.
    Moved,
    /// The verdict is harder to reach without it.
    Stricter,
}

/// Evidence that a change weakened nothing, although an agent or a stranger made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Excuse {
    /// A local or remote ref held this text when the unit began.
    HeldByRef,
    /// The lock file changed together with the program, or is newer than the old one.
    LockFile,
    /// The gate passed with the earlier text restored.
    SecondLook,
    /// No gate of this unit depends on it. A later unit is still compared with the earlier text.
    OtherGate,
}

/// One input of a verdict.
///
/// It is built from both texts, so the recorded change always agrees with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    role: Role,
    was: Option<Hash>,
    now: Option<Hash>,
    change: InputChange,
    whose: Attribution,
    excuse: Option<Excuse>,
    carried: Carried,
}

/// Whether an earlier unit left a doubt about an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carried {
    /// No doubt.
    No,
    /// A doubt about this very text: it is named and not sent back again.
    ThisText,
    /// A doubt about a different text, which this one has replaced.
    OtherText,
}

impl Input {
    /// Creates an input that did not change.
    pub const fn same(role: Role, text: Option<Hash>) -> Self {
        let whose = Attribution { author: Author::Sprag, send_back: MaySendBack::No };
        Self::new(role, text, text, InputChange::Same, whose)
    }

    /// Creates an input that may have changed; it is unchanged if both texts are equal.
    pub fn differs(role: Role, was: Hash, now: Hash, how: Difference, whose: Attribution) -> Self {
        let change = match how {
            _ if was == now => InputChange::Same,
            Difference::Blank => InputChange::Same,
            Difference::Stricter => InputChange::Stricter,
            Difference::Grew => InputChange::Grew,
            Difference::Other => InputChange::Changed,
        };
        Self::new(role, Some(was), Some(now), change, whose)
    }

    /// Creates an input that did not exist before.
    pub const fn arrived(role: Role, now: Hash, how: Arrival, whose: Attribution) -> Self {
        let change = match how {
            Arrival::New => InputChange::New,
            Arrival::Stricter => InputChange::Stricter,
            Arrival::Shadows => InputChange::Changed,
        };
        Self::new(role, None, Some(now), change, whose)
    }

    /// Creates an input that no longer exists.
    pub const fn departed(role: Role, was: Hash, how: Departure, whose: Attribution) -> Self {
        let change = match how {
            Departure::Gone => InputChange::Gone,
            Departure::Moved => InputChange::Moved,
            Departure::Stricter => InputChange::Stricter,
        };
        Self::new(role, Some(was), None, change, whose)
    }

    const fn new(
        role: Role,
        was: Option<Hash>,
        now: Option<Hash>,
        change: InputChange,
        whose: Attribution,
    ) -> Self {
        Self { role, was, now, change, whose, excuse: None, carried: Carried::No }
    }

    /// Adds evidence that the change weakened nothing.
    #[must_use]
    pub const fn excused(mut self, excuse: Excuse) -> Self {
        self.excuse = Some(excuse);
        self
    }

    /// Records a doubt that an earlier unit left.
    pub(super) const fn carry(&mut self, carried: Carried, whose: Attribution) {
        self.carried = carried;
        self.whose = whose;
    }

    pub const fn role(&self) -> Role {
        self.role
    }

    /// Returns the text when the unit first began, if there was one.
    pub const fn was(&self) -> Option<Hash> {
        self.was
    }

    /// Returns the current text, if there is one.
    pub const fn now(&self) -> Option<Hash> {
        self.now
    }

    pub const fn change(&self) -> InputChange {
        self.change
    }

    pub const fn whose(&self) -> Attribution {
        self.whose
    }

    /// Returns the evidence that the change weakened nothing, if any.
    pub const fn excuse(&self) -> Option<Excuse> {
        self.excuse
    }

    pub(super) const fn carried(&self) -> Carried {
        self.carried
    }

    /// Returns whether the change may have made a pass easier.
    pub const fn weakens(&self) -> bool {
        match self.change {
            InputChange::Changed | InputChange::Gone => true,
            InputChange::New => matches!(self.role, Role::Runner | Role::Host),
            InputChange::Same | InputChange::Stricter | InputChange::Grew | InputChange::Moved => {
                false
            }
        }
    }

    /// Returns whether its bytes differ in any way.
    pub fn is_changed(&self) -> bool {
        self.was != self.now
    }
}
