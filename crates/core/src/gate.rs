use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{DocPath, Glob, Name};

/// A question that the engine answers itself before a unit counts as done.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Gate {
    /// What it is called in messages and receipts; unique among the gates of its unit.
    pub name: Name,
    /// How it is decided.
    pub check: Check,
}

/// How a gate is decided.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Check {
    /// A command that must exit with 0; never given to a shell.
    Run {
        /// The program and its arguments.
        argv: Vec<String>,
    },
    /// A file that must exist.
    File {
        /// Which file.
        path: DocPath,
    },
    /// A file that must not exist.
    Absent {
        /// Which file.
        path: DocPath,
    },
    /// A text that must stand in a file.
    Content {
        /// Which file.
        path: DocPath,
        /// The text.
        has: String,
    },
    /// A person who must agree; asked only when every other gate lets through.
    Human {
        /// What the person is asked.
        what: String,
    },
    /// Several checks that must all hold.
    All {
        /// Which ones, in the order they are tried; never empty.
        of: Vec<Check>,
    },
    /// Several checks of which one must hold.
    Any {
        /// Which ones, in the order they are tried; never empty.
        of: Vec<Check>,
    },
}

impl Check {
    /// Returns the word for how it is decided, as files and messages have it.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Run { .. } => "run",
            Self::File { .. } => "file",
            Self::Absent { .. } => "absent",
            Self::Content { .. } => "content",
            Self::Human { .. } => "human",
            Self::All { .. } => "all",
            Self::Any { .. } => "any",
        }
    }

    /// Returns the command that decides it, where one alone does.
    pub const fn argv(&self) -> Option<&Vec<String>> {
        match self {
            Self::Run { argv } => Some(argv),
            Self::File { .. }
            | Self::Absent { .. }
            | Self::Content { .. }
            | Self::Human { .. }
            | Self::All { .. }
            | Self::Any { .. } => None,
        }
    }
}

/// A gate and what the engine must know to evaluate it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateSpec {
    /// What is decided.
    pub gate: Gate,
    /// How long its commands may take, where it says so.
    pub timeout: Option<Duration>,
    /// Files that may not change for a pass to count.
    pub protect: Vec<Glob>,
}

/// How long something may go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// How long it may take in all.
    pub wall: Option<Duration>,
    /// How often a stop is refused while nothing changes.
    pub blocks_without_progress: Option<u32>,
}
