//! The table of the loop: what happens next, from what the file says. The first row that fits wins.

use super::{Computed, Known, Lights, Loop, LoopState, Metadata, Part, Turn, compute};

/// Whether the turn that is written counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The loop itself wrote it and nothing has come between.
    Stored,
    /// Somebody starts or resumes: between review and response what the forge shows counts, so
    /// that nothing is reviewed twice after a crash.
    Computed,
}

/// What happens next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What.
    pub action: Action,
    /// The turn as it is written.
    pub stored: Option<String>,
    /// The turn as the forge's data say.
    pub computed: Option<Computed>,
    /// How many rounds are over.
    pub round: Option<u32>,
    /// How many rounds there are; 0 is no limit of the file's.
    pub max_rounds: Option<u32>,
    /// The checks that stand in the way.
    pub lights: Lights,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Somebody works.
    Run {
        /// Who.
        part: Part,
        /// The agent for it.
        agent: String,
        /// Why.
        why: String,
    },
    /// Nothing but looking again.
    Wait {
        /// Why.
        why: String,
    },
    /// The loop stands.
    Stop(End),
    /// It cannot be said.
    Error(Trouble),
}

/// Why a loop stands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum End {
    /// The branch has no open pull request.
    #[error("no_pr: no open pull request for the branch")]
    NoPr,
    /// No loop was begun.
    #[error("no_loop: the section `reviewLoop` is missing; `sprag pr init` begins a loop")]
    NoLoop,
    /// A person paused it.
    #[error("paused: since {at}; `sprag pr resume` lets it go on")]
    Paused {
        /// When.
        at: String,
    },
    /// It is over.
    #[error("completed: `active` is false and nothing is paused; `sprag pr init` begins anew")]
    Completed,
    /// The review is over and good.
    #[error("approved: nothing is left that stands in the way")]
    Approved,
    /// All rounds are used up.
    #[error("max_rounds: all {max} rounds are used up and it is not approved")]
    MaxRounds {
        /// How many there were.
        max: u32,
    },
    /// Checks fail and nobody is there to mend them.
    #[error("ci_failed: {checks}; no `ciFixer` is set")]
    CiFailed {
        /// Which checks.
        checks: String,
    },
}

/// Why it cannot be said what comes next.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The forge must be asked first.
    #[error("needs_fetch: {why}; `sprag pr refresh` asks the forge")]
    NeedsFetch {
        /// What is missing.
        why: String,
    },
    /// The turn is none.
    #[error("invalid_turn: {}", .turn.as_ref().map_or_else(
        || "there is no turn; `sprag pr refresh` finds it out".to_owned(),
        |turn| format!("`{}` is no turn", turn.escape_debug())))]
    InvalidTurn {
        /// What is written.
        turn: Option<String>,
    },
    /// Nobody is named for a part that is needed.
    #[error("no_agent: no `{}` is set", .part.as_str())]
    NoAgent {
        /// Which part.
        part: Part,
    },
}

impl End {
    /// Returns its name.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoPr => "no_pr",
            Self::NoLoop => "no_loop",
            Self::Paused { .. } => "paused",
            Self::Completed => "completed",
            Self::Approved => "approved",
            Self::MaxRounds { .. } => "max_rounds",
            Self::CiFailed { .. } => "ci_failed",
        }
    }
}

impl Trouble {
    /// Returns its name.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NeedsFetch { .. } => "needs_fetch",
            Self::InvalidTurn { .. } => "invalid_turn",
            Self::NoAgent { .. } => "no_agent",
        }
    }
}

impl Action {
    /// Returns the word for it.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Run { .. } => "run",
            Self::Wait { .. } => "wait",
            Self::Stop(_) => "stop",
            Self::Error(_) => "error",
        }
    }

    /// Returns why, in one line.
    pub fn reason(&self) -> String {
        match self {
            Self::Run { why, .. } | Self::Wait { why } => why.clone(),
            Self::Stop(end) => end.to_string(),
            Self::Error(trouble) => trouble.to_string(),
        }
    }

    /// Returns the name of an end or a trouble.
    pub const fn code(&self) -> Option<&'static str> {
        match self {
            Self::Run { .. } | Self::Wait { .. } => None,
            Self::Stop(end) => Some(end.code()),
            Self::Error(trouble) => Some(trouble.code()),
        }
    }
}

/// Returns what happens next.
pub fn decide(metadata: &Metadata, trust: Trust) -> Decision {
    let known = match metadata {
        Metadata::Missing => {
            return Decision::unknown(fetch("there is no metadata"));
        }
        Metadata::Failed { message } => {
            return Decision::unknown(fetch(&format!("the last fetch failed: {message}")));
        }
        Metadata::NoPr => return Decision::unknown(Action::Stop(End::NoPr)),
        Metadata::Known(known) => known,
    };
    let computed = compute(&known.pull);
    let turn = effective(known, trust, &computed);
    let lights = Lights::of(&known.pull.checks);
    Decision {
        action: action(known, turn, &lights),
        stored: known.turn.clone(),
        computed: Some(computed),
        round: Some(known.round()),
        max_rounds: known.review_loop.as_ref().map(|review_loop| review_loop.max_rounds),
        lights,
    }
}

/// Returns the turn that counts; nothing when what is written is none.
pub(super) fn effective(known: &Known, trust: Trust, computed: &Computed) -> Option<Turn> {
    let stored = known.stored_turn()?;
    match (trust, stored) {
        (Trust::Computed, Turn::Review | Turn::Response) => Some(computed.turn),
        (Trust::Computed, Turn::CiPending | Turn::CiReview) | (Trust::Stored, _) => Some(stored),
    }
}

fn fetch(why: &str) -> Action {
    Action::Error(Trouble::NeedsFetch { why: why.to_owned() })
}

fn action(known: &Known, turn: Option<Turn>, lights: &Lights) -> Action {
    let Some(review_loop) = &known.review_loop else { return Action::Stop(End::NoLoop) };
    match (review_loop.state(), known.approved) {
        (LoopState::Paused, _) => {
            let at = review_loop.paused_at.clone().unwrap_or_default();
            return Action::Stop(End::Paused { at });
        }
        (LoopState::Completed, _) => return Action::Stop(End::Completed),
        (LoopState::Running, true) => return Action::Stop(End::Approved),
        (LoopState::Running, false) => {}
    }
    if known.round() >= review_loop.rounds() {
        return Action::Stop(End::MaxRounds { max: review_loop.rounds() });
    }
    match turn {
        None => Action::Error(Trouble::InvalidTurn { turn: known.turn.clone() }),
        Some(turn) => of_turn(review_loop, turn, lights),
    }
}

fn of_turn(review_loop: &Loop, turn: Turn, lights: &Lights) -> Action {
    let part = Part::of(turn);
    let agent = review_loop.agent(part).map(str::to_owned);
    let failing = || match lights.failing.as_slice() {
        [] => "a check failed".to_owned(),
        names => format!("{} failed", names.join(", ")),
    };
    match (turn, agent) {
        (Turn::CiPending, None) => {
            Action::Wait { why: format!("turn {turn}: no `ciChecker` is set, so CI is waited for") }
        }
        (Turn::CiReview, None) => Action::Stop(End::CiFailed { checks: failing() }),
        (Turn::Review | Turn::Response, None) => Action::Error(Trouble::NoAgent { part }),
        (_, Some(agent)) => {
            let why = match turn {
                Turn::CiPending => "checks are not all done".to_owned(),
                Turn::CiReview => failing(),
                Turn::Review => "CI stands in nobody's way, and a review is due".to_owned(),
                Turn::Response => "a review waits for its answer".to_owned(),
            };
            Action::Run { part, agent, why: format!("turn {turn}: {why}") }
        }
    }
}

impl Decision {
    fn unknown(action: Action) -> Self {
        Self {
            action,
            stored: None,
            computed: None,
            round: None,
            max_rounds: None,
            lights: Lights::default(),
        }
    }
}
