//! The decision table of the loop: computes the next action from the file. The first matching row
//! wins.

use super::{
    Computed, Lights, LoopSection, LoopState, Metadata, PullRecord, ReviewTurn, TurnRole, compute,
};

/// Whether the stored turn counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The loop itself wrote it, and nothing has happened since.
    Stored,
    /// A person starts or resumes: the forge decides between review and response, so that nothing
    /// is reviewed twice after a crash.
    Computed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnDecision {
    pub action: TurnAction,
    /// The stored turn, verbatim.
    pub stored: Option<String>,
    /// The turn computed from the forge's data.
    pub computed: Option<Computed>,
    /// The number of finished rounds.
    pub round: Option<u32>,
    /// The maximum number of rounds; 0 means that the file sets no limit.
    pub max_rounds: Option<u32>,
    /// The blocking checks.
    pub lights: Lights,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnAction {
    /// Run an agent.
    Run { part: TurnRole, agent: String, why: String },
    /// Wait, and look again later.
    Wait { why: String },
    /// The loop is stopped.
    Stop(End),
    /// No decision is possible.
    Error(Trouble),
}

/// Why a loop is stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum End {
    /// The branch has no open pull request.
    #[error("no_pr: no open pull request for the branch")]
    NoPr,
    /// No loop was started.
    #[error("no_loop: the section `reviewLoop` is missing; `sprag pr init` begins a loop")]
    NoLoop,
    /// A person paused it.
    #[error("paused: since {at}; `sprag pr resume` lets it go on")]
    Paused {
        /// When.
        at: String,
    },
    /// The loop is over.
    #[error("completed: `active` is false and nothing is paused; `sprag pr init` begins anew")]
    Completed,
    /// The review ended with an approval.
    #[error("approved: no open finding is left")]
    Approved,
    /// All rounds are exhausted.
    #[error("max_rounds: gave up after {max} rounds without approval")]
    MaxRounds {
        /// The number of rounds.
        max: u32,
    },
    /// Checks fail, and no agent is set to fix them.
    #[error("ci_failed: {checks}; no `ciFixer` is set")]
    CiFailed { checks: String },
}

/// Why no decision is possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// Data from the forge must be fetched first.
    #[error("needs_fetch: {why}; `sprag pr refresh` asks the forge")]
    NeedsFetch {
        /// The reason.
        why: String,
    },
    /// The stored turn is invalid.
    #[error("invalid_turn: {}", .turn.as_ref().map_or_else(
        || "there is no turn; `sprag pr refresh` finds it out".to_owned(),
        |turn| format!("`{}` is no turn", turn.escape_debug())))]
    InvalidTurn {
        /// The stored text.
        turn: Option<String>,
    },
    /// No agent is set for a required part.
    #[error("no_agent: no `{}` is set", .part.as_str())]
    NoAgent { part: TurnRole },
}

impl End {
    /// Returns the machine-readable name.
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
    /// Returns the machine-readable name.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NeedsFetch { .. } => "needs_fetch",
            Self::InvalidTurn { .. } => "invalid_turn",
            Self::NoAgent { .. } => "no_agent",
        }
    }
}

impl TurnAction {
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Run { .. } => "run",
            Self::Wait { .. } => "wait",
            Self::Stop(_) => "stop",
            Self::Error(_) => "error",
        }
    }

    /// Returns the reason on one line.
    pub fn reason(&self) -> String {
        match self {
            Self::Run { why, .. } | Self::Wait { why } => why.clone(),
            Self::Stop(end) => end.to_string(),
            Self::Error(trouble) => trouble.to_string(),
        }
    }

    /// Returns the machine-readable name of an end or a trouble.
    pub const fn code(&self) -> Option<&'static str> {
        match self {
            Self::Run { .. } | Self::Wait { .. } => None,
            Self::Stop(end) => Some(end.code()),
            Self::Error(trouble) => Some(trouble.code()),
        }
    }
}

/// Decides the next action.
pub fn decide(metadata: &Metadata, trust: Trust) -> TurnDecision {
    let known = match metadata {
        Metadata::Missing => {
            return TurnDecision::unknown(fetch("there is no metadata"));
        }
        Metadata::Failed { message } => {
            return TurnDecision::unknown(fetch(&format!("the last fetch failed: {message}")));
        }
        Metadata::NoPr => return TurnDecision::unknown(TurnAction::Stop(End::NoPr)),
        Metadata::Known(known) => known,
    };
    let computed = compute(&known.pull);
    let turn = effective(known, trust, &computed);
    let lights = Lights::of(&known.pull.checks);
    TurnDecision {
        action: action(known, turn, &lights),
        stored: known.turn.clone(),
        computed: Some(computed),
        round: Some(known.round()),
        max_rounds: known.review_loop.as_ref().map(|review_loop| review_loop.max_rounds),
        lights,
    }
}

/// Returns the turn that counts; `None` if the stored turn is invalid.
pub(super) fn effective(
    known: &PullRecord,
    trust: Trust,
    computed: &Computed,
) -> Option<ReviewTurn> {
    let stored = known.stored_turn()?;
    match (trust, stored) {
        (Trust::Computed, ReviewTurn::Review | ReviewTurn::Response) => Some(computed.turn),
        (Trust::Computed, ReviewTurn::CiPending | ReviewTurn::CiReview) | (Trust::Stored, _) => {
            Some(stored)
        }
    }
}

fn fetch(why: &str) -> TurnAction {
    TurnAction::Error(Trouble::NeedsFetch { why: why.to_owned() })
}

fn action(known: &PullRecord, turn: Option<ReviewTurn>, lights: &Lights) -> TurnAction {
    let Some(review_loop) = &known.review_loop else { return TurnAction::Stop(End::NoLoop) };
    match (review_loop.state(), known.approved) {
        (LoopState::Paused, _) => {
            let at = review_loop.paused_at.clone().unwrap_or_default();
            return TurnAction::Stop(End::Paused { at });
        }
        (LoopState::Completed, _) => return TurnAction::Stop(End::Completed),
        (LoopState::Running, true) => return TurnAction::Stop(End::Approved),
        (LoopState::Running, false) => {}
    }
    if known.round() >= review_loop.rounds() {
        return TurnAction::Stop(End::MaxRounds { max: review_loop.rounds() });
    }
    match turn {
        None => TurnAction::Error(Trouble::InvalidTurn { turn: known.turn.clone() }),
        Some(turn) => of_turn(review_loop, turn, lights),
    }
}

fn of_turn(review_loop: &LoopSection, turn: ReviewTurn, lights: &Lights) -> TurnAction {
    let part = TurnRole::of(turn);
    let agent = review_loop.agent(part).map(str::to_owned);
    let failing = || match lights.failing.as_slice() {
        [] => "a check failed".to_owned(),
        names => format!("{} failed", names.join(", ")),
    };
    match (turn, agent) {
        (ReviewTurn::CiPending, None) => TurnAction::Wait {
            why: format!("turn {turn}: no `ciChecker` is set, so CI is waited for"),
        },
        (ReviewTurn::CiReview, None) => TurnAction::Stop(End::CiFailed { checks: failing() }),
        (ReviewTurn::Review | ReviewTurn::Response, None) => {
            TurnAction::Error(Trouble::NoAgent { part })
        }
        (_, Some(agent)) => {
            let why = match turn {
                ReviewTurn::CiPending => "checks are not all done".to_owned(),
                ReviewTurn::CiReview => failing(),
                ReviewTurn::Review => "CI does not block, and a review is due".to_owned(),
                ReviewTurn::Response => "a review waits for its answer".to_owned(),
            };
            TurnAction::Run { part, agent, why: format!("turn {turn}: {why}") }
        }
    }
}

impl TurnDecision {
    fn unknown(action: TurnAction) -> Self {
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
