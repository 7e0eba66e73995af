use std::collections::BTreeMap;

use crate::Time;

/// The `loop:` section of `STATE.md`, with defaults for missing keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopState {
    pub active: bool,
    pub kind: LoopKind,
    /// The phase, verbatim.
    pub phase: Option<String>,
    /// The number of retries or rounds of fixes so far.
    pub iteration: u32,
    pub max_iterations: u32,
    /// Retries per task, by the key as written.
    pub task_retries: BTreeMap<String, u32>,
    /// The number of gaps in the last verification.
    pub gaps_remaining: u32,
    /// When it was first active, verbatim.
    pub started: Option<String>,
    /// When the last retry or round began, verbatim.
    pub last_iteration: Option<String>,
    /// Whether it waits for a person's command.
    pub paused: bool,
    pub pause_reason: Option<String>,
    /// The rounds of verification, oldest first.
    pub history: Vec<Round>,
    /// The last failure on one line.
    pub last_error: Option<String>,
    /// Whether it ended well.
    pub completed: bool,
    /// The iteration in which it ended.
    pub final_iteration: Option<u32>,
    /// The session that it holds.
    pub session_id: Option<String>,
    /// The kind of answer that it waits for.
    pub awaiting: Option<Awaiting>,
    /// When a rate limit ends.
    pub resume_after: Option<Time>,
}

impl LoopState {
    /// The default number of iterations.
    pub const MAX_ITERATIONS: u32 = 20;
    /// Maximum number of rounds kept in the history.
    pub const HISTORY: usize = 50;

    /// Returns the key of a task in `task_retries`: `T01`, `01` and `1` are the same task.
    pub fn retry_key(&self, task: &str) -> Option<&str> {
        let found = |wanted: &dyn Fn(&str) -> bool| {
            self.task_retries.keys().find(|key| wanted(key)).map(String::as_str)
        };
        let plain = |text: &str| -> Option<u64> {
            text.strip_prefix(['T', 't']).unwrap_or(text).parse().ok()
        };
        found(&|key| key == task)
            .or_else(|| found(&|key| key.strip_prefix(['T', 't']) == Some(task)))
            .or_else(|| found(&|key| plain(key).is_some() && plain(key) == plain(task)))
    }

    pub fn retries(&self, task: &str) -> u32 {
        self.retry_key(task).and_then(|key| self.task_retries.get(key)).copied().unwrap_or(0)
    }
}

impl Default for LoopState {
    fn default() -> Self {
        Self {
            active: false,
            kind: LoopKind::Other,
            phase: None,
            iteration: 0,
            max_iterations: Self::MAX_ITERATIONS,
            task_retries: BTreeMap::new(),
            gaps_remaining: 0,
            started: None,
            last_iteration: None,
            paused: false,
            pause_reason: None,
            history: Vec::new(),
            last_error: None,
            completed: false,
            final_iteration: None,
            session_id: None,
            awaiting: None,
            resume_after: None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopKind {
    /// Tasks in waves.
    Execute,
    /// Verification and fixes.
    Verify,
    /// No loop, or one unknown to sprag.
    #[default]
    Other,
}

impl LoopKind {
    /// Parses the word used in `STATE.md`; any other is [`LoopKind::Other`].
    pub fn parse(word: &str) -> Self {
        match word {
            "execute" => Self::Execute,
            "verify" => Self::Verify,
            _ => Self::Other,
        }
    }

    /// Returns the word used in `STATE.md`; `None` for an unknown loop.
    pub const fn as_str(self) -> Option<&'static str> {
        match self {
            Self::Execute => Some("execute"),
            Self::Verify => Some("verify"),
            Self::Other => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaiting {
    /// An answer to one of the literal questions.
    User,
    /// A decision that an agent asked for.
    Checkpoint,
    /// The end of a rate limit.
    RateLimit,
}

impl Awaiting {
    /// Parses the word used in `STATE.md`. Any other word means that a person was asked, so the
    /// session is not held meanwhile.
    pub fn parse(word: &str) -> Self {
        match word {
            "checkpoint" => Self::Checkpoint,
            "rate_limit" => Self::RateLimit,
            _ => Self::User,
        }
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Checkpoint => "checkpoint",
            Self::RateLimit => "rate_limit",
        }
    }
}

/// A round of verification in the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    pub iteration: u32,
    /// The loop, if recorded.
    pub kind: Option<LoopKind>,
    /// The result: `passed`, `gaps_found`.
    pub result: String,
    /// The gaps, each `type:target`.
    pub gaps: Vec<String>,
}
