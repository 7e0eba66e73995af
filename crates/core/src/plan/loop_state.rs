use std::collections::BTreeMap;

use crate::Time;

/// The `loop:` of `STATE.md`, with defaults in place of what it does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopState {
    /// Whether a loop is under way.
    pub active: bool,
    /// Which loop.
    pub kind: LoopKind,
    /// Of which phase, as it is written.
    pub phase: Option<String>,
    /// How many retries or rounds of fixes there were.
    pub iteration: u32,
    /// How many there may be.
    pub max_iterations: u32,
    /// How often each task was retried, by the key as it is written.
    pub task_retries: BTreeMap<String, u32>,
    /// How many gaps the last verification found.
    pub gaps_remaining: u32,
    /// When it was first active, as it is written.
    pub started: Option<String>,
    /// When the last retry or round began, as it is written.
    pub last_iteration: Option<String>,
    /// Whether it waits for a person's command.
    pub paused: bool,
    /// Why.
    pub pause_reason: Option<String>,
    /// The rounds of verification, oldest first.
    pub history: Vec<Round>,
    /// The last failure, in one line.
    pub last_error: Option<String>,
    /// Whether it ended well.
    pub completed: bool,
    /// The iteration it ended in.
    pub final_iteration: Option<u32>,
    /// The session that it holds.
    pub session_id: Option<String>,
    /// What it waits for an answer to.
    pub awaiting: Option<Awaiting>,
    /// When a rate limit is over.
    pub resume_after: Option<Time>,
}

impl LoopState {
    /// The number of iterations when nothing else is said.
    pub const MAX_ITERATIONS: u32 = 20;
    /// How many rounds of the history are kept.
    pub const HISTORY: usize = 50;

    /// Returns the key under which the retries of a task are counted here: `T01`, `01` and `1` are
    /// the same task.
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

    /// Returns how often a task was retried.
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

/// Which loop is under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopKind {
    /// Tasks in waves.
    Execute,
    /// Verification and fixes.
    Verify,
    /// Nothing, or something we do not know.
    #[default]
    Other,
}

impl LoopKind {
    /// Takes the word used in `STATE.md`; any other is [`LoopKind::Other`].
    pub fn parse(word: &str) -> Self {
        match word {
            "execute" => Self::Execute,
            "verify" => Self::Verify,
            _ => Self::Other,
        }
    }

    /// Returns the word used in `STATE.md`; none for what we do not know.
    pub const fn as_str(self) -> Option<&'static str> {
        match self {
            Self::Execute => Some("execute"),
            Self::Verify => Some("verify"),
            Self::Other => None,
        }
    }
}

/// What a loop waits for.
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
    /// Takes the word used in `STATE.md`. Any other means that something was asked, so nobody is held
    /// meanwhile.
    pub fn parse(word: &str) -> Self {
        match word {
            "checkpoint" => Self::Checkpoint,
            "rate_limit" => Self::RateLimit,
            _ => Self::User,
        }
    }

    /// Returns the word used in `STATE.md`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Checkpoint => "checkpoint",
            Self::RateLimit => "rate_limit",
        }
    }
}

/// One round of verification in the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Which one.
    pub iteration: u32,
    /// Which loop, where it is said.
    pub kind: Option<LoopKind>,
    /// What came out: `passed`, `gaps_found`.
    pub result: String,
    /// The gaps, each `type:target`.
    pub gaps: Vec<String>,
}
