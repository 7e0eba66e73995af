use std::collections::BTreeSet;

use crate::{Check, DocPath};

/// A plan as it was written, with every id resolved and nothing wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The phase it is for, as it is written: `1`, `2.1`.
    pub phase: String,
    /// What it is called.
    pub title: String,
    /// Whether it was made to close the gaps of a verification.
    pub gap_closure: bool,
    /// What is to be done, in the order of the document.
    pub tasks: Vec<Task>,
    /// What must be true when all is done.
    pub must_haves: Vec<MustHave>,
    /// What must be connected with what.
    pub links: Vec<KeyLink>,
}

/// A goal to be verified; its box says nothing about progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MustHave {
    /// The goal.
    pub text: String,
    /// Whether somebody ticked it.
    pub ticked: bool,
}

/// A connection that must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyLink {
    /// Where it begins.
    pub from: String,
    /// Where it leads.
    pub to: String,
    /// What it is; empty where the plan does not say.
    pub connection: String,
}

/// One task of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// Its id as it is written: `01`, `FIX-01`.
    pub id: String,
    /// The wave it belongs to, written or derived.
    pub wave: u32,
    /// The tasks that must be complete before, by their exact ids.
    pub depends: Vec<String>,
    /// The requirements it serves.
    pub reqs: Vec<String>,
    /// The kind of gap it closes, for a task that does.
    pub gap: Option<String>,
    /// The files it touches.
    pub files: Vec<PlanFile>,
    /// What to do, as it is written.
    pub action: String,
    /// The libraries it uses.
    pub libraries: Vec<String>,
    /// What is looked at when it is said to be done.
    pub checks: Vec<PlanCheck>,
    /// When it is done, in one sentence.
    pub done: String,
    /// The skills it asks for.
    pub skills: Vec<String>,
}

/// A file that a task touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanFile {
    /// Which file.
    pub path: DocPath,
    /// What happens to it.
    pub action: FileAction,
}

/// What happens to a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileAction {
    /// It is made.
    Create,
    /// It is changed.
    #[default]
    Modify,
    /// It is taken away.
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

/// A check of a task, as it is written and as it is decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanCheck {
    /// Its `type`: `file`, `content`, `console`, anything.
    pub kind: String,
    /// Its text, entities decoded; never executed.
    pub text: String,
    /// Its command as it is written, entities decoded.
    pub cmd: Option<String>,
    /// How it is decided.
    pub decision: Decision,
}

/// How a check of a plan is decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// By a gate of ours; one with [`Check::Run`] only where commands of plans may run.
    Gate(Check),
    /// By texts that must stand in the one file of the project whose path ends so.
    Ending {
        /// The last parts of the path.
        ending: String,
        /// The texts.
        has: Vec<String>,
    },
    /// By nothing we have: an agent says it, and that stays a claim.
    Claim {
        /// Why the engine cannot decide it.
        why: String,
    },
}

impl Plan {
    /// Returns the task with this exact id.
    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }

    /// Returns the number of waves there are.
    pub fn waves(&self) -> usize {
        self.tasks.iter().map(|task| task.wave).collect::<BTreeSet<_>>().len()
    }
}

impl Task {
    /// Returns the key under which `task_retries` counts it: `T01`, `FIX-01`.
    pub fn retry_key(&self) -> String {
        let digit = self.id.starts_with(|first: char| first.is_ascii_digit());
        if digit { format!("T{}", self.id) } else { self.id.clone() }
    }
}
