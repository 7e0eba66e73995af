//! An entry of GSD's `pre_dispatch_hooks`: a change said in data.

use super::{Answer, Do, Question, Work};
use crate::Name;
use crate::workflow::template::fill;

/// What is done to a unit before it is dispatched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreDispatch {
    /// What is done.
    pub action: Action,
}

/// What an entry does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Puts text around the instruction.
    Modify {
        /// Before it; may be empty.
        prepend: String,
        /// After it; may be empty.
        append: String,
    },
    /// Skips the unit.
    Skip {
        /// Only if this file stands beside it.
        only_if: Option<String>,
    },
    /// Gives another instruction.
    Replace {
        /// The instruction.
        prompt: String,
        /// Another kind.
        kind: Option<Name>,
    },
}

impl PreDispatch {
    pub(super) fn answer(&self, question: &Question) -> Answer {
        let unit = &question.unit;
        Answer::only(match &self.action {
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

/// Fills the names of milestone, slice and task in.
pub(super) fn filled(template: &str, unit: &Work) -> String {
    let [milestone, slice, task] = unit.parts();
    fill(template, &[("milestoneId", milestone), ("sliceId", slice), ("taskId", task)])
}
