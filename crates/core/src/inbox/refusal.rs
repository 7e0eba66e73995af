use super::Status;
use crate::{Agent, Denied, Fence, UnitId};

/// Why something is not done to an assignment; nothing has changed. The first three are literally
/// the original's.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// The agent has work already.
    #[error("Agent {agent} already has a {status} hook. Clear it before assigning new work.")]
    Taken {
        /// Which agent.
        agent: Agent,
        /// Where its assignment stands.
        status: Status,
    },
    /// There is nothing that could be begun.
    #[error("Cannot activate: hook is {}", word(*status))]
    CannotActivate {
        /// Where the assignment stands; nothing where there was never one.
        status: Option<Status>,
    },
    /// There is nothing that could be completed.
    #[error("Cannot complete: hook is {}", word(*status))]
    CannotComplete {
        /// Where the assignment stands; nothing where there was never one.
        status: Option<Status>,
    },
    /// There is nothing that could fail, wait or be released.
    #[error("Cannot {verb}: hook is {}", word(*status))]
    NotNow {
        /// What was asked for.
        verb: &'static str,
        /// Where the assignment stands; nothing where there was never one.
        status: Option<Status>,
    },
    /// Another agent has the unit.
    #[error("Work item {unit} is already assigned to {agent}")]
    Elsewhere {
        /// Which unit.
        unit: UnitId,
        /// Who has it.
        agent: String,
    },
    /// The unit is not open.
    #[error("Work item {unit} is {status}, not open")]
    NotOpen {
        /// Which unit.
        unit: UnitId,
        /// Where it stands.
        status: String,
    },
    /// The unit depends on others that are not done.
    #[error("Work item {unit} waits for {}", names(waits_for))]
    Early {
        /// Which unit.
        unit: UnitId,
        /// What is not done.
        waits_for: Vec<UnitId>,
    },
    /// A key stands for one request, and this is another.
    #[error("the key `{key}` was used to assign {unit}")]
    KeyUsed {
        /// Which key.
        key: String,
        /// What for.
        unit: UnitId,
    },
    /// The agent will never work again.
    #[error("Agent {agent} is terminated")]
    Terminated {
        /// Which agent.
        agent: Agent,
    },
    /// Whoever asks had this work once, and has it no more.
    #[error("{said}; {agent} lost this work: stop working on it")]
    Stale {
        /// What would have been said to anybody else.
        said: String,
        /// Which agent.
        agent: Agent,
        /// What was shown, if anything.
        fence: Option<Fence>,
    },
    /// It is not this one's to do.
    #[error("`{verb}` is {whose}'s to do, and {who} asks")]
    NotYours {
        /// What was asked for.
        verb: &'static str,
        /// Who asks.
        who: String,
        /// Who may.
        whose: String,
    },
    /// The kernel said no.
    #[error(transparent)]
    Denied(#[from] Denied),
}

fn word(status: Option<Status>) -> &'static str {
    status.map_or("missing", Status::as_str)
}

fn names(units: &[UnitId]) -> String {
    let names: Vec<_> = units.iter().map(UnitId::as_str).collect();
    names.join(", ")
}
