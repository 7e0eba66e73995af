use super::AssignmentStatus;
use crate::{Agent, Denied, Fence, UnitId};

/// Why an action on an assignment was refused; nothing has changed. The first three texts are the
/// original's, verbatim.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// The agent already has work.
    #[error("Agent {agent} already has a {status} hook. Clear it before assigning new work.")]
    Taken {
        agent: Agent,
        /// The status of its assignment.
        status: AssignmentStatus,
    },
    /// There is no assignment to begin.
    #[error("Cannot activate: hook is {}", word(*status))]
    CannotActivate {
        /// The status of the assignment; `None` if there never was one.
        status: Option<AssignmentStatus>,
    },
    /// There is no assignment to complete.
    #[error("Cannot complete: hook is {}", word(*status))]
    CannotComplete {
        /// The status of the assignment; `None` if there never was one.
        status: Option<AssignmentStatus>,
    },
    /// There is no assignment that could fail, wait or be released.
    #[error("Cannot {verb}: hook is {}", word(*status))]
    NotNow {
        /// The requested verb.
        verb: &'static str,
        /// The status of the assignment; `None` if there never was one.
        status: Option<AssignmentStatus>,
    },
    /// Another agent has the unit.
    #[error("Work item {unit} is already assigned to {agent}")]
    Elsewhere { unit: UnitId, agent: String },
    /// The unit is not open.
    #[error("Work item {unit} is {status}, not open")]
    NotOpen { unit: UnitId, status: String },
    /// The unit depends on unfinished units.
    #[error("Work item {unit} waits for {}", names(waits_for))]
    Early {
        unit: UnitId,
        /// The unfinished units.
        waits_for: Vec<UnitId>,
    },
    /// The key was used for a different request.
    #[error("the key `{key}` was used to assign {unit}")]
    KeyUsed {
        key: String,
        /// The unit of that request.
        unit: UnitId,
    },
    /// The agent will never work again.
    #[error("Agent {agent} is terminated")]
    Terminated { agent: Agent },
    /// The caller had this work once and no longer does.
    #[error("{said}; {agent} lost this work: stop working on it")]
    Stale {
        /// The refusal that any other caller would get.
        said: String,
        agent: Agent,
        /// The fence that the caller showed, if any.
        fence: Option<Fence>,
    },
    /// The caller is not permitted to do this.
    #[error("`{verb}` is {whose}'s to do, and {who} asks")]
    NotYours {
        /// The requested verb.
        verb: &'static str,
        /// The caller.
        who: String,
        /// The permitted caller.
        whose: String,
    },
    /// The kernel denied it.
    #[error(transparent)]
    Denied(#[from] Denied),
}

fn word(status: Option<AssignmentStatus>) -> &'static str {
    status.map_or("missing", AssignmentStatus::as_str)
}

fn names(units: &[UnitId]) -> String {
    let names: Vec<_> = units.iter().map(UnitId::as_str).collect();
    names.join(", ")
}
