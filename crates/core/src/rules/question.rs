use crate::{Name, Plain, Stored, UnitId, stored};

/// When a rule is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulePoint {
    /// A unit is about to be dispatched.
    Before,
    /// A unit has ended.
    After,
}

impl RulePoint {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }
}

/// A unit as rules see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitInfo {
    /// The kind of work: `execute-task`.
    pub kind: Name,
    /// The subject: `M001/S01/T01`.
    pub id: UnitId,
    pub prompt: String,
    /// The names of the files next to it, without its id.
    pub files: Vec<String>,
}

impl UnitInfo {
    /// Returns the ids of milestone, slice and task; empty where there is none.
    pub fn parts(&self) -> [&str; 3] {
        let mut parts = self.id.as_str().splitn(3, '/');
        [(); 3].map(|()| parts.next().unwrap_or_default())
    }

    /// Returns whether a file of this name exists next to it.
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

/// How a unit ended, as reported to rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Its gates passed.
    Passed,
    /// A gate failed.
    Failed,
    /// Its session or process is gone.
    Lost,
    /// A person resumed a held run.
    Resumed,
    /// A person answered a question.
    Answered,
}

impl How {
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

/// The event that a rule is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedUnit {
    /// The kind of the ended unit: the one the question is about, or a rule's own.
    pub kind: Name,
    pub how: How,
    /// The text in its answer file; or a person's answer.
    pub text: Option<String>,
}

stored!(word How);
stored!(struct EndedUnit { kind, how, text });

/// The question to a rule: everything that it may know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub at: RulePoint,
    /// The unit, as changed by the previous rules.
    pub unit: UnitInfo,
    /// The unit as the table derived it.
    pub derived: UnitInfo,
    /// The state of the project.
    pub state: Plain,
    /// The state that this rule keeps with the unit's task, slice or milestone.
    pub kept: Plain,
    /// The number of cycles that this rule has spent on the unit.
    pub cycle: u32,
    /// The maximum number of cycles.
    pub max: u32,
    /// The latest event; `None` if the rule is only asked for its current position.
    pub result: Option<EndedUnit>,
}

impl Question {
    /// The version of the protocol.
    pub const VERSION: u32 = 1;

    /// Returns the form that commands read.
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
