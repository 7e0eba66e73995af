use std::collections::BTreeSet;

use serde::Serialize;

/// The slices of a milestone, and what is said around them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Roadmap {
    /// The first heading, with the milestone's id.
    pub title: String,
    /// What it is all for.
    pub vision: String,
    /// When it is a success.
    pub success_criteria: Vec<String>,
    /// The slices, in order.
    pub slices: Vec<Slice>,
    /// What slices hand to each other.
    pub boundary_map: Vec<Boundary>,
    /// How the slices are written down.
    #[serde(skip)]
    pub form: Form,
}

/// How slices are written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As a list with boxes.
    #[default]
    Boxes,
    /// As a table.
    Table,
    /// As headings.
    Headings,
}

/// A slice, as its roadmap has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Slice {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// How risky it is: any word.
    pub risk: String,
    /// The slices that must be done before it.
    pub depends: Vec<String>,
    /// Whether its box is ticked.
    pub done: bool,
    /// What can be seen after it.
    pub demo: String,
}

/// What one slice hands to another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Boundary {
    /// The slice that hands over.
    pub from_slice: String,
    /// The slice that takes.
    pub to_slice: String,
    /// What is handed over.
    pub produces: String,
    /// What is taken.
    pub consumes: String,
}

impl Roadmap {
    /// Returns whether there are slices and all are done.
    pub fn is_done(&self) -> bool {
        !self.slices.is_empty() && self.slices.iter().all(|slice| slice.done)
    }

    /// Returns the slice with this id.
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

    /// Returns the last slice that is done, if another is still open.
    pub fn last_done(&self) -> Option<&Slice> {
        let open = self.slices.iter().any(|slice| !slice.done);
        self.slices.iter().rfind(|slice| slice.done).filter(|_| open)
    }
}
