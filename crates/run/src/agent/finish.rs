use std::time::Duration;

use sprag_core::Time;
use sprag_engine::process::{Close, Cut};

/// What became of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finish {
    /// How it ended.
    pub how: How,
    /// Its last message; of a program the end of its output. A claim, and no more.
    pub said: String,
    /// What it said on its standard error, at most 4 KiB of its end.
    pub complaint: String,
    /// The conversation, by which it can be taken up again.
    pub session: Option<String>,
    /// What it spent.
    pub spent: Spent,
    /// Set when its provider let it do no more.
    pub limited: Option<Limited>,
    /// Why its work broke off, where the host said so.
    pub failed: Option<String>,
    /// How long it took.
    pub took: Duration,
    /// Whether something that it started could not be ended.
    pub left_behind: bool,
}

/// How an agent ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// By itself, with this code.
    Exit(i32),
    /// By a signal that we did not send.
    Signal(i32),
    /// It took longer than it may, and was ended.
    Wall,
    /// It said nothing for too long, and was ended.
    Idle,
    /// It said too much, and was ended.
    Flooded,
    /// Somebody asked for it.
    Stopped,
    /// It never ran; this is why.
    NotStarted(String),
}

/// What an agent spent; nothing where its host does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// In millionths of a dollar.
    pub micro_usd: Option<u64>,
    /// Tokens read and written.
    pub tokens: Option<u64>,
}

/// Why a provider lets an agent do no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limited {
    /// When it may go on, where that was said.
    pub until: Option<Time>,
    /// What was said.
    pub why: String,
}

impl From<Close> for How {
    fn from(close: Close) -> Self {
        match close {
            Close::Exit(code) => Self::Exit(code),
            Close::Signal(signal) => Self::Signal(signal),
            Close::Cut(Cut::Wall) => Self::Wall,
            Close::Cut(Cut::Idle) => Self::Idle,
            Close::Cut(Cut::Flooded) => Self::Flooded,
            Close::Cut(Cut::Stopped) => Self::Stopped,
        }
    }
}
