use std::collections::BTreeMap;

use crate::DocPath;

/// A document that a milestone, a slice or a task may have, by the suffix of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Paper {
    /// The subject of a milestone or slice.
    Context,
    /// Notes for a context that no person has agreed to.
    ContextDraft,
    /// Findings of research.
    Research,
    /// The slices of a milestone.
    Roadmap,
    /// Whether a milestone delivers its promises.
    Validation,
    /// A report of finished work.
    Summary,
    /// Marks a parked milestone.
    Parked,
    /// A marker: parallel research of several slices failed.
    ParallelBlocker,
    /// The tasks of a slice, or the steps of a task.
    Plan,
    /// Instructions for a person to try out a slice.
    Uat,
    /// The result of trying out a slice or of reassessing the roadmap.
    Assessment,
    /// A marker: a slice was replanned.
    Replan,
    /// A marker: a slice needs replanning.
    ReplanTrigger,
    /// A marker: work was interrupted here.
    Continue,
}

impl Paper {
    /// The documents of a milestone.
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
    /// The documents of a slice.
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
    /// The documents of a task.
    pub const OF_TASK: &'static [Self] = &[Self::Plan, Self::Summary];

    /// Returns the suffix of its file name, before `.md`.
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

/// The existing documents and their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Papers(BTreeMap<Paper, DocPath>);

impl Papers {
    pub fn has(&self, paper: Paper) -> bool {
        self.0.contains_key(&paper)
    }

    pub fn path(&self, paper: Paper) -> Option<&DocPath> {
        self.0.get(&paper)
    }
}

impl FromIterator<(Paper, DocPath)> for Papers {
    fn from_iter<I: IntoIterator<Item = (Paper, DocPath)>>(papers: I) -> Self {
        Self(papers.into_iter().collect())
    }
}
