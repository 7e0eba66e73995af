use std::collections::BTreeSet;

use crate::{Check, DocPath};

/// A plan as written, valid and with every id resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The phase it belongs to, verbatim: `1`, `2.1`.
    pub phase: String,
    pub title: String,
    /// Whether it closes the gaps of a verification.
    pub gap_closure: bool,
    /// The tasks, in the order of the document.
    pub tasks: Vec<Task>,
    /// The goals that must hold when all tasks are done.
    pub must_haves: Vec<MustHave>,
    /// The required connections.
    pub links: Vec<KeyLink>,
}

/// A goal to be verified; its checkbox does not measure progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MustHave {
    pub text: String,
    pub ticked: bool,
}

/// A connection that must exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyLink {
    pub from: String,
    pub to: String,
    /// The kind of connection; empty if the plan does not name it.
    pub connection: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// Its id, verbatim: `01`, `FIX-01`.
    pub id: String,
    /// The wave it belongs to, explicit or derived.
    pub wave: u32,
    /// The tasks that must be complete first, by their exact ids.
    pub depends: Vec<String>,
    /// The requirements it serves.
    pub reqs: Vec<String>,
    /// The kind of gap that the task closes, if any.
    pub gap: Option<String>,
    pub files: Vec<PlanFile>,
    /// The instructions, verbatim.
    pub action: String,
    pub libraries: Vec<String>,
    /// The checks at its end.
    pub checks: Vec<PlanCheck>,
    /// The condition of completion, in one sentence.
    pub done: String,
    /// The skills it asks for.
    pub skills: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanFile {
    pub path: DocPath,
    pub action: FileAction,
}

/// The treatment of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileAction {
    Create,
    #[default]
    Modify,
    Delete,
}

impl FileAction {
    /// Returns the word used in plans.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Modify => "modify",
            Self::Delete => "delete",
        }
    }
}

/// A check of a task, with its text and how it is decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanCheck {
    /// Its `type`: `file`, `content`, `console`, anything.
    pub kind: String,
    /// Its text, entities decoded; never executed.
    pub text: String,
    /// Its command, with entities decoded.
    pub cmd: Option<String>,
    pub decision: CheckDecision,
}

/// How a check of a plan is decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckDecision {
    /// By a gate; one with [`Check::Run`] only where commands of plans may run.
    Gate(Check),
    /// By texts that must occur in the one project file whose path has this ending.
    Ending {
        /// The last components of the path.
        ending: String,
        has: Vec<String>,
    },
    /// By no gate: an agent reports it, and that stays a claim.
    Claim {
        /// Why the engine cannot decide it.
        why: String,
    },
}

impl Plan {
    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }

    pub fn waves(&self) -> usize {
        self.tasks.iter().map(|task| task.wave).collect::<BTreeSet<_>>().len()
    }
}

impl Task {
    /// Returns the key of the task in `task_retries`: `T01`, `FIX-01`.
    pub fn retry_key(&self) -> String {
        let digit = self.id.starts_with(|first: char| first.is_ascii_digit());
        if digit { format!("T{}", self.id) } else { self.id.clone() }
    }
}
