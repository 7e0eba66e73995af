use serde::Serialize;

use super::{Kept, Papers};

/// The tasks of a slice, and what is said around them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// The slice's id, where the heading names it.
    pub id: String,
    /// The slice's title.
    pub title: String,
    /// What it is for.
    pub goal: String,
    /// What can be seen after it.
    pub demo: String,
    /// What must hold.
    pub must_haves: Vec<String>,
    /// The tasks, in order.
    pub tasks: Vec<Task>,
    /// The files it will touch.
    pub files_likely_touched: Vec<String>,
}

/// A task, as the plan of its slice has it, with what stands beside it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Task {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What the plan says of it.
    pub description: String,
    /// Whether its box is ticked.
    #[serde(rename = "done")]
    pub ticked: bool,
    /// How long it should take.
    pub estimate: String,
    /// The files it will touch, where the plan says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<String>>,
    /// How it is verified, where the plan says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<String>,
    /// Whether it has a box.
    #[serde(skip)]
    pub boxed: bool,
    /// Its own plan and summary.
    #[serde(skip)]
    pub papers: Papers,
    /// Whether its summary says that the slice's plan does not hold.
    #[serde(skip)]
    pub blocker: bool,
    /// The files that its plan needs.
    #[serde(skip)]
    pub inputs: Vec<String>,
    /// The files that its plan makes.
    #[serde(skip)]
    pub outputs: Vec<String>,
    /// What rules keep with it.
    #[serde(skip)]
    pub kept: Option<Kept>,
}

impl Task {
    /// Returns whether it is done: its box is ticked, or its summary is written.
    pub fn is_done(&self) -> bool {
        self.ticked || self.papers.has(super::Paper::Summary)
    }
}
