//! Where the work stands: the original's `GSDState`, and what rules keep.

use serde::Serialize;

use super::{Phase, Requirements};
use crate::{DocPath, Plain, UnitId};

/// Where the work stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    /// The milestone that is worked on.
    #[serde(rename = "activeMilestone")]
    pub milestone: Option<Ref>,
    /// The slice of it.
    #[serde(rename = "activeSlice")]
    pub slice: Option<Ref>,
    /// The task of that.
    #[serde(rename = "activeTask")]
    pub task: Option<Ref>,
    /// What is to be done there.
    pub phase: Phase,
    /// The original has this and never fills it.
    pub recent_decisions: [(); 0],
    /// What stands in the way.
    pub blockers: Vec<String>,
    /// What to do, for a person.
    pub next_action: String,
    /// All milestones.
    pub registry: Vec<Row>,
    /// All requirements.
    pub requirements: Requirements,
    /// How much is done.
    pub progress: Progress,
    /// The last milestone, when all are complete.
    #[serde(rename = "lastCompletedMilestone", skip_serializing_if = "Option::is_none")]
    pub last_completed: Option<Ref>,
    /// What rules keep with the milestone, the slice, and every task of that slice.
    #[serde(skip)]
    pub extensions: Vec<Kept>,
}

/// An id and its title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ref {
    /// The id.
    pub id: String,
    /// The title.
    pub title: String,
}

/// A milestone in the list of all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// How it stands.
    pub status: Status,
    /// What it depends on, where that matters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
}

/// How a milestone stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It has ended.
    Complete,
    /// It is worked on.
    Active,
    /// It waits.
    Pending,
    /// Somebody put it aside.
    Parked,
}

/// How much is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Of all milestones.
    pub milestones: Count,
    /// Of the slices of the active milestone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slices: Option<Count>,
    /// Of the tasks of the active slice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<Count>,
}

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Done.
    pub done: usize,
    /// In all.
    pub total: usize,
}

impl Count {
    /// Counts how many are done.
    pub fn of<T>(all: &[T], is_done: impl Fn(&T) -> bool) -> Self {
        Self { done: all.iter().filter(|one| is_done(one)).count(), total: all.len() }
    }
}

/// What rules keep with one milestone, slice or task, in the front matter of a document of its.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// With what: `M001`, `M001/S01`, `M001/S01/T01`.
    pub at: UnitId,
    /// The document.
    pub home: DocPath,
    /// Each rule's name and what it keeps, in the order of the document.
    pub values: Vec<(String, Plain)>,
}

impl State {
    /// Returns what a rule keeps with a milestone, slice or task.
    pub fn kept(&self, at: &UnitId, rule: &str) -> Option<&Plain> {
        let kept = self.extensions.iter().find(|kept| kept.at == *at)?;
        kept.values.iter().find(|(name, _)| name == rule).map(|(_, value)| value)
    }

    /// Returns the document in which rules keep what belongs to a milestone, slice or task.
    pub fn home(&self, at: &UnitId) -> Option<&DocPath> {
        self.extensions.iter().find(|kept| kept.at == *at).map(|kept| &kept.home)
    }
}
