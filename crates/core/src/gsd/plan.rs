use serde::Serialize;

use super::{Papers, RuleValues};

/// The content of a slice's plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// The slice's id, if the heading names it.
    pub id: String,
    pub title: String,
    /// The goal of the slice.
    pub goal: String,
    /// The visible result.
    pub demo: String,
    pub must_haves: Vec<String>,
    pub tasks: Vec<Task>,
    pub files_likely_touched: Vec<String>,
}

/// A task of a slice's plan, with its own documents.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Task {
    pub id: String,
    pub title: String,
    /// The plan's description.
    pub description: String,
    /// Whether its box is ticked.
    #[serde(rename = "done")]
    pub ticked: bool,
    /// The expected duration.
    pub estimate: String,
    /// The files it will touch, if the plan lists them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<String>>,
    /// How it is verified, if the plan defines it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<String>,
    /// Whether the plan gives it a checkbox.
    #[serde(skip)]
    pub boxed: bool,
    /// Its own plan and summary.
    #[serde(skip)]
    pub papers: Papers,
    /// Whether its summary reports that the slice's plan does not work.
    #[serde(skip)]
    pub blocker: bool,
    /// The input files of its plan.
    #[serde(skip)]
    pub inputs: Vec<String>,
    /// The output files of its plan.
    #[serde(skip)]
    pub outputs: Vec<String>,
    /// The values that rules keep with it.
    #[serde(skip)]
    pub kept: Option<RuleValues>,
}

impl Task {
    /// Returns whether it is done: its box is ticked, or its summary is written.
    pub fn is_done(&self) -> bool {
        self.ticked || self.papers.has(super::Paper::Summary)
    }
}
