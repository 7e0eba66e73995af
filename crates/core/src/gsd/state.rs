//! The state of the work: the original's `GSDState`, plus the values that rules keep.

use serde::Serialize;

use super::{Phase, Requirements};
use crate::{DocPath, Plain, UnitId};

/// The state of the work.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    /// The active milestone.
    #[serde(rename = "activeMilestone")]
    pub milestone: Option<Ref>,
    /// The active slice.
    #[serde(rename = "activeSlice")]
    pub slice: Option<Ref>,
    /// The active task.
    #[serde(rename = "activeTask")]
    pub task: Option<Ref>,
    pub phase: Phase,
    /// The original has this field and never fills it.
    pub recent_decisions: [(); 0],
    pub blockers: Vec<String>,
    /// The next action, described for a person.
    pub next_action: String,
    /// All milestones.
    pub registry: Vec<RegistryRow>,
    pub requirements: Requirements,
    pub progress: TaskCounts,
    /// The last milestone if all are complete.
    #[serde(rename = "lastCompletedMilestone", skip_serializing_if = "Option::is_none")]
    pub last_completed: Option<Ref>,
    /// The values that rules keep with the milestone, the slice, and every task of that slice.
    #[serde(skip)]
    pub extensions: Vec<RuleValues>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ref {
    pub id: String,
    pub title: String,
}

/// A milestone in the registry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RegistryRow {
    pub id: String,
    pub title: String,
    pub status: MilestoneStatus,
    /// The dependencies, where they matter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
}

/// The status of a milestone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MilestoneStatus {
    Complete,
    Active,
    /// It waits for another milestone.
    Pending,
    /// A person parked it.
    Parked,
}

/// Finished and total counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TaskCounts {
    pub milestones: Count,
    /// The slices of the active milestone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slices: Option<Count>,
    /// The tasks of the active slice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<Count>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    pub done: usize,
    pub total: usize,
}

impl Count {
    pub fn of<T>(all: &[T], is_done: impl Fn(&T) -> bool) -> Self {
        Self { done: all.iter().filter(|one| is_done(one)).count(), total: all.len() }
    }
}

/// The values that rules keep with one milestone, slice or task, in the front matter of its
/// document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleValues {
    /// The subject: `M001`, `M001/S01`, `M001/S01/T01`.
    pub at: UnitId,
    pub home: DocPath,
    /// Each rule's name and value, in the order of the document.
    pub values: Vec<(String, Plain)>,
}

impl State {
    /// Returns the value that a rule keeps with a milestone, slice or task.
    pub fn kept(&self, at: &UnitId, rule: &str) -> Option<&Plain> {
        let kept = self.extensions.iter().find(|kept| kept.at == *at)?;
        kept.values.iter().find(|(name, _)| name == rule).map(|(_, value)| value)
    }

    /// Returns the document that holds the kept values of a milestone, slice or task.
    pub fn home(&self, at: &UnitId) -> Option<&DocPath> {
        self.extensions.iter().find(|kept| kept.at == *at).map(|kept| &kept.home)
    }
}
