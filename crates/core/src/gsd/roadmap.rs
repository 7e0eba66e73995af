use std::collections::BTreeSet;

use serde::Serialize;

/// The content of a milestone's roadmap.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Roadmap {
    /// The first heading, with the milestone's id.
    pub title: String,
    /// The purpose of the milestone.
    pub vision: String,
    pub success_criteria: Vec<String>,
    pub slices: Vec<Slice>,
    /// The interfaces between slices.
    pub boundary_map: Vec<Boundary>,
    /// The notation of the slices.
    #[serde(skip)]
    pub form: SliceNotation,
}

/// The notation of slices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SliceNotation {
    /// A list with checkboxes.
    #[default]
    Boxes,
    Table,
    Headings,
}

/// A slice of a roadmap.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Slice {
    pub id: String,
    pub title: String,
    /// The risk in any word.
    pub risk: String,
    /// The slices that must be done first.
    pub depends: Vec<String>,
    /// Whether its box is ticked.
    pub done: bool,
    /// The visible result.
    pub demo: String,
}

/// A handover from one slice to another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Boundary {
    /// The producing slice.
    pub from_slice: String,
    /// The consuming slice.
    pub to_slice: String,
    /// What `from_slice` produces.
    pub produces: String,
    /// What `to_slice` consumes.
    pub consumes: String,
}

impl Roadmap {
    /// Returns whether there are slices and all are done.
    pub fn is_done(&self) -> bool {
        !self.slices.is_empty() && self.slices.iter().all(|slice| slice.done)
    }

    pub fn slice(&self, id: &str) -> Option<&Slice> {
        self.slices.iter().find(|slice| slice.id == id)
    }

    /// Returns the first open slice, in the order of the file, whose dependencies are done.
    pub fn eligible(&self) -> Option<&Slice> {
        let done: BTreeSet<&String> =
            self.slices.iter().filter(|slice| slice.done).map(|slice| &slice.id).collect();
        let is_ready = |slice: &&Slice| slice.depends.iter().all(|id| done.contains(id));
        self.slices.iter().filter(|slice| !slice.done).find(is_ready)
    }

    /// Returns the last finished slice, if another one is still open.
    pub fn last_done(&self) -> Option<&Slice> {
        let open = self.slices.iter().any(|slice| !slice.done);
        self.slices.iter().rfind(|slice| slice.done).filter(|_| open)
    }
}
