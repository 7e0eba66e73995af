use std::collections::BTreeMap;

use crate::DocPath;

/// A document that a milestone, a slice or a task may have, by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Paper {
    /// What a milestone or slice is about.
    Context,
    /// Notes for a context that nobody has agreed to.
    ContextDraft,
    /// What was found out.
    Research,
    /// The slices of a milestone.
    Roadmap,
    /// Whether a milestone holds what it promised.
    Validation,
    /// What was done.
    Summary,
    /// Puts a milestone aside.
    Parked,
    /// Research of several slices at once failed.
    ParallelBlocker,
    /// The tasks of a slice, or the steps of a task.
    Plan,
    /// How a person tries a slice out.
    Uat,
    /// What came of trying it out, or of looking at the roadmap again.
    Assessment,
    /// A slice was planned again.
    Replan,
    /// A slice is to be planned again.
    ReplanTrigger,
    /// Work was interrupted here.
    Continue,
}

impl Paper {
    /// Those of a milestone.
    pub const OF_MILESTONE: &'static [Self] = &[
        Self::Context,
        Self::ContextDraft,
        Self::Research,
        Self::Roadmap,
        Self::Validation,
        Self::Summary,
        Self::Parked,
        Self::ParallelBlocker,
    ];
    /// Those of a slice.
    pub const OF_SLICE: &'static [Self] = &[
        Self::Context,
        Self::Research,
        Self::Plan,
        Self::Summary,
        Self::Uat,
        Self::Assessment,
        Self::Replan,
        Self::ReplanTrigger,
        Self::Continue,
    ];
    /// Those of a task.
    pub const OF_TASK: &'static [Self] = &[Self::Plan, Self::Summary];

    /// Returns the end of its file's name, before `.md`.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Context => "CONTEXT",
            Self::ContextDraft => "CONTEXT-DRAFT",
            Self::Research => "RESEARCH",
            Self::Roadmap => "ROADMAP",
            Self::Validation => "VALIDATION",
            Self::Summary => "SUMMARY",
            Self::Parked => "PARKED",
            Self::ParallelBlocker => "PARALLEL-BLOCKER",
            Self::Plan => "PLAN",
            Self::Uat => "UAT",
            Self::Assessment => "ASSESSMENT",
            Self::Replan => "REPLAN",
            Self::ReplanTrigger => "REPLAN-TRIGGER",
            Self::Continue => "CONTINUE",
        }
    }
}

/// The documents that are there, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Papers(BTreeMap<Paper, DocPath>);

impl Papers {
    /// Returns whether there is one.
    pub fn has(&self, paper: Paper) -> bool {
        self.0.contains_key(&paper)
    }

    /// Returns where one is.
    pub fn path(&self, paper: Paper) -> Option<&DocPath> {
        self.0.get(&paper)
    }
}

impl FromIterator<(Paper, DocPath)> for Papers {
    fn from_iter<I: IntoIterator<Item = (Paper, DocPath)>>(papers: I) -> Self {
        Self(papers.into_iter().collect())
    }
}
