use crate::{Name, Plain, Stored, UnitId, stored};

/// When a rule is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// A unit is about to be dispatched.
    Before,
    /// A unit has ended.
    After,
}

impl At {
    /// Returns the word of the protocol.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }
}

/// A unit as rules see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// What kind of work: `execute-task`.
    pub kind: Name,
    /// What it is about: `M001/S01/T01`.
    pub id: UnitId,
    /// The instruction.
    pub prompt: String,
    /// The names of the files that stand beside it, without its own name before them.
    pub files: Vec<String>,
}

impl Work {
    /// Returns the names of milestone, slice and task; empty where there is none.
    pub fn parts(&self) -> [&str; 3] {
        let mut parts = self.id.as_str().splitn(3, '/');
        [(); 3].map(|()| parts.next().unwrap_or_default())
    }

    /// Returns whether a file of this name stands beside it.
    pub fn has(&self, name: &str) -> bool {
        self.files.iter().any(|file| file == name)
    }

    fn lower(&self) -> Plain {
        Plain::map([
            ("kind", self.kind.lower()),
            ("id", self.id.lower()),
            ("prompt", self.prompt.lower()),
            ("files", self.files.lower()),
        ])
    }
}

/// How something ended that a rule is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Its gates passed.
    Passed,
    /// A gate said no.
    Failed,
    /// Its session or process is gone.
    Lost,
    /// A person let a held run go on.
    Resumed,
    /// A person answered.
    Answered,
}

impl How {
    /// All there are.
    pub const ALL: [Self; 5] =
        [Self::Passed, Self::Failed, Self::Lost, Self::Resumed, Self::Answered];

    /// Returns the word of the protocol.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Lost => "lost",
            Self::Resumed => "resumed",
            Self::Answered => "answered",
        }
    }
}

/// What has just happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The kind of the unit that ended: the one the question is about, or one that the rule made.
    pub kind: Name,
    /// How it ended.
    pub how: How,
    /// What it left in the file it was to answer in; of a person, the answer.
    pub text: Option<String>,
}

stored!(word How);
stored!(struct Ended { kind, how, text });

/// What a rule is asked: everything that it may know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// When.
    pub at: At,
    /// The unit, as the rules before this one changed it.
    pub unit: Work,
    /// The unit as the table derived it.
    pub derived: Work,
    /// Where the project stands.
    pub state: Plain,
    /// What this rule keeps with the unit's task, slice or milestone.
    pub kept: Plain,
    /// How many cycles this rule has spent on the unit.
    pub cycle: u32,
    /// How many it may spend.
    pub max: u32,
    /// What has just happened; nothing when it is only asked where it stands.
    pub result: Option<Ended>,
}

impl Question {
    /// The version of the protocol.
    pub const VERSION: u32 = 1;

    /// Returns the form that a command reads.
    pub fn lower(&self) -> Plain {
        Plain::map([
            ("v", Self::VERSION.into()),
            ("at", self.at.as_str().into()),
            ("unit", self.unit.lower()),
            ("derived", self.derived.lower()),
            ("state", self.state.clone()),
            ("extensions", self.kept.clone()),
            ("cycle", self.cycle.into()),
            ("max", self.max.into()),
            ("result", self.result.lower()),
        ])
    }
}
