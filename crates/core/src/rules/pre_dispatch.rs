//! An entry of GSD's `pre_dispatch_hooks`: a change defined in data.

use super::{Do, Question, RuleDecision, UnitInfo};
use crate::Name;
use crate::workflow::template::fill;

/// The action before a unit is dispatched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreDispatch {
    pub action: Action,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Puts text around the instruction.
    Modify {
        /// Text before it; may be empty.
        prepend: String,
        /// Text after it; may be empty.
        append: String,
    },
    Skip {
        /// Only if this file exists next to the unit.
        only_if: Option<String>,
    },
    /// Replaces the instruction.
    Replace {
        prompt: String,
        /// Another kind, if given.
        kind: Option<Name>,
    },
}

impl PreDispatch {
    pub(super) fn answer(&self, question: &Question) -> RuleDecision {
        let unit = &question.unit;
        RuleDecision::only(match &self.action {
            Action::Modify { prepend, append } => {
                Do::Change { prepend: filled(prepend, unit), append: filled(append, unit) }
            }
            Action::Skip { only_if: None } => Do::Skip { why: "it always does".to_owned() },
            Action::Skip { only_if: Some(file) } if unit.has(file) => {
                Do::Skip { why: format!("`{file}` is there") }
            }
            Action::Skip { only_if: Some(_) } => Do::Pass,
            Action::Replace { prompt, kind } => {
                Do::Replace { kind: kind.clone(), prompt: filled(prompt, unit) }
            }
        })
    }
}

/// Fills in the ids of milestone, slice and task.
pub(super) fn filled(template: &str, unit: &UnitInfo) -> String {
    let [milestone, slice, task] = unit.parts();
    fill(template, &[("milestoneId", milestone), ("sliceId", slice), ("taskId", task)])
}
