//! An entry of GSD's `post_unit_hooks`: an additional unit after another one, until a file signals
//! success; another file sends the work back.

use super::pre_dispatch::filled;
use super::{Do, How, Question, RequestedUnit, RuleDecision};
use crate::{Hold, Name};

/// The action after a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostUnit {
    pub prompt: String,
    /// The file that signals success.
    pub artifact: Option<String>,
    /// The file that sends the work back.
    pub retry_on: Option<String>,
}

impl PostUnit {
    pub(super) fn answer(&self, question: &Question, name: &Name) -> RuleDecision {
        let own = format!("hook/{name}");
        let ended = question.result.as_ref().filter(|ended| ended.kind.as_str() == own);
        let sent = self.retry_on.as_deref().filter(|file| question.unit.has(file));
        let is_done = self.artifact.as_deref().is_some_and(|file| question.unit.has(file));
        let used_up = question.cycle >= question.max;
        RuleDecision::only(match (ended.map(|ended| ended.how), sent) {
            (Some(How::Passed) | None, Some(file)) if used_up => Do::Hold(Hold::RoundsOver {
                what: format!(
                    "gave up after {} cycles of `{name}`: `{file}` is still there",
                    question.max
                ),
            }),
            (Some(How::Passed), Some(file)) => Do::Rework(back(file, question)),
            (Some(How::Passed), None) => Do::Pass,
            // The unit left no result: its cycle is not over.
            (Some(How::Failed | How::Lost), _) => {
                Do::Rework(self.look(&own, Some(question.cycle), question))
            }
            (Some(How::Resumed | How::Answered) | None, _) if is_done || used_up => Do::Pass,
            (Some(How::Resumed | How::Answered) | None, _) => {
                Do::Rework(self.look(&own, None, question))
            }
        })
    }

    fn look(&self, kind: &str, cycle: Option<u32>, question: &Question) -> RequestedUnit {
        let prompt = filled(&self.prompt, &question.unit);
        RequestedUnit { kind: Name::parse(kind).ok(), prompt, cycle, ..RequestedUnit::default() }
    }
}

/// Sends the work back; the file stays, so that the fixer sees the findings.
fn back(file: &str, question: &Question) -> RequestedUnit {
    let unit = &question.unit.id;
    let prompt = format!("Deal with what `{file}` beside {unit} says, then remove that file.");
    RequestedUnit { prompt, cycle: Some(question.cycle), ..RequestedUnit::default() }
}
