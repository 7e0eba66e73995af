use serde::{Deserialize, Serialize};

use crate::basis::MayChange;
use crate::review::{Terms, Threshold};
use crate::{GateSpec, Limits};

/// A workflow as a person defined it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// Its name for people.
    pub name: String,
    /// The command that starts it; empty for one that only other workflows use.
    pub command: String,
    /// The first message to the agent, a template.
    pub initial_message: String,
    /// The phases and workflows in order.
    pub phases: Vec<OrderEntry>,
    pub show: Show,
    /// Whether the agent may go back to the first phase; the default is yes.
    pub loopable: Option<bool>,
    /// The prefix of the session's name before the task.
    pub session_prefix: Option<String>,
    /// The length of the task in the session's name, in UTF-16 units.
    pub session_length: Option<f64>,
    /// The texts that replace the default ones.
    pub texts: Texts,
}

/// Who may start a workflow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Show {
    /// A person.
    #[default]
    User,
    /// Only other workflows, as a part of themselves.
    Workflows,
}

/// A workflow's own texts; an empty text counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Texts {
    /// The role of the agent.
    pub role: Option<String>,
    /// How to advance.
    pub advance: Option<String>,
    /// Why a tool is blocked.
    pub block: Option<String>,
    /// The notice that it is complete or cancelled.
    pub complete: Option<String>,
    /// The notice that it is not done.
    pub not_done: Option<String>,
}

/// An entry in the order of a workflow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OrderEntry {
    Phase(Box<Phase>),
    /// All phases of another workflow, by its key.
    Workflow(String),
}

/// Instructions, tool policy, gates and limits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// Its machine-readable name, unique in its workflow.
    pub id: String,
    /// Its name for people.
    pub name: String,
    pub emoji: String,
    /// The instructions, a template.
    pub instructions: String,
    /// The allowed tools; all if `None`.
    pub tools: Option<Tools>,
    /// The suitable profiles of subagents; only shown to the agent.
    pub profiles: Option<Vec<String>>,
    /// The gates that must pass before it is left.
    pub gates: Vec<GateSpec>,
    /// The number of evaluations after the first.
    pub retry: Option<u32>,
    /// The review of its work before it is left.
    pub review: Option<Review>,
    pub limits: Limits,
    /// Files that its agent may change although they judge it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_change: Vec<MayChange>,
}

/// The settings of a phase's review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// The host of the reviewer.
    pub reviewer: String,
    /// The maximum number of rounds.
    pub max_rounds: Option<u32>,
    /// The level from which findings count.
    pub level: Option<String>,
}

impl Review {
    /// The default number of rounds.
    pub const ROUNDS: u32 = 5;

    /// Returns the conditions for passing and stopping.
    pub fn terms(&self) -> Terms {
        let level = self.level.as_deref().and_then(Threshold::parse).unwrap_or_default();
        // Zero would mean no limit.
        Terms::new(level, self.max_rounds.unwrap_or(Self::ROUNDS).max(1))
    }
}

/// The tools of a phase, by the host's exact names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tools {
    /// All tools except these.
    Without(Vec<String>),
    /// Only these tools.
    Only(Vec<String>),
}

impl Definition {
    /// Returns the entry at an index; any index is allowed.
    pub fn entry(&self, index: i64) -> Option<&OrderEntry> {
        self.phases.get(usize::try_from(index).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_without_consents_is_stored_as_before() {
        let phase = Phase { id: "a".to_owned(), ..Phase::default() };
        let text = serde_json::to_string(&phase).unwrap();
        assert!(!text.contains("may_change"), "{text}");
        assert_eq!(serde_json::from_str::<Phase>(&text).unwrap(), phase);
        let phase = Phase { may_change: vec![MayChange::AllTests], ..phase };
        let text = serde_json::to_string(&phase).unwrap();
        assert!(text.contains(r#""may_change":["tests"]"#), "{text}");
        assert_eq!(serde_json::from_str::<Phase>(&text).unwrap(), phase);
    }
}
