use serde::{Deserialize, Serialize};

use crate::basis::MayChange;
use crate::review::{Level, Terms};
use crate::{GateSpec, Limits};

/// A workflow as a person wrote it down.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// What people call it.
    pub name: String,
    /// What starts it; empty for one that only others use.
    pub command: String,
    /// The first message to the agent, a template.
    pub initial_message: String,
    /// What is to be done, in order.
    pub phases: Vec<Entry>,
    /// Who may start it.
    pub show: Show,
    /// Whether the agent may go back to the first phase; allowed when nothing is said.
    pub loopable: Option<bool>,
    /// What stands before the task in the session's name.
    pub session_prefix: Option<String>,
    /// How many UTF-16 units of the task stand in the session's name.
    pub session_length: Option<f64>,
    /// The texts that replace the literal ones.
    pub texts: Texts,
}

/// Who may start a workflow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Show {
    /// A person.
    #[default]
    User,
    /// Only other workflows, as a part of theirs.
    Workflows,
}

/// A workflow's own texts; an empty one counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Texts {
    /// Who the agent is.
    pub role: Option<String>,
    /// How to go on.
    pub advance: Option<String>,
    /// Why a tool is blocked.
    pub block: Option<String>,
    /// That it is complete, or cancelled.
    pub complete: Option<String>,
    /// That it is not done.
    pub not_done: Option<String>,
}

/// One place in the order of a workflow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Entry {
    /// A phase of its own.
    Phase(Box<Phase>),
    /// All phases of another workflow, by its key.
    Workflow(String),
}

/// Instructions, tool policy, gates and limits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// Its name for machines, unique in its workflow.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Its sign.
    pub emoji: String,
    /// What to do, a template.
    pub instructions: String,
    /// Which tools it allows; all when nothing is said.
    pub tools: Option<Tools>,
    /// The profiles of subagents that suit it; only said to the agent.
    pub profiles: Option<Vec<String>>,
    /// What must hold before it is left.
    pub gates: Vec<GateSpec>,
    /// How many more evaluations there are after the first.
    pub retry: Option<u32>,
    /// Who looks at its work before it is left.
    pub review: Option<Review>,
    /// How long it may take.
    pub limits: Limits,
    /// What its agent may change of what it is judged by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_change: Vec<MayChange>,
}

/// The review of a phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// Who reviews.
    pub reviewer: String,
    /// How many rounds there are.
    pub max_rounds: Option<u32>,
    /// From which weight on a finding counts.
    pub level: Option<String>,
}

impl Review {
    /// The rounds where nothing else is said.
    pub const ROUNDS: u32 = 5;

    /// Returns when it passes, and when it stops without passing.
    pub fn terms(&self) -> Terms {
        let level = self.level.as_deref().and_then(Level::parse).unwrap_or_default();
        // No rounds at all would be no limit.
        Terms::new(level, self.max_rounds.unwrap_or(Self::ROUNDS).max(1))
    }
}

/// The tools of a phase, by the host's exact names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tools {
    /// All but these.
    Without(Vec<String>),
    /// Only these.
    Only(Vec<String>),
}

impl Definition {
    /// Returns the entry at a place, which may be one that no workflow has.
    pub fn entry(&self, index: i64) -> Option<&Entry> {
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
