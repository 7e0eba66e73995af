//! The tool `workflow_step` in pi: the engine moves the run, and pi's branch is updated.

use sprag_core::plain_json::json;
use sprag_core::workflow::session::{AgentAction, Event, Out, ResultKind, Session, StepResult};
use sprag_core::{Plain, RunId};
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::step::{Stepped, WorkflowActor};

use super::{BridgeAnswer, Visit, moved};
use crate::workflow::CANCEL;

impl Visit<'_> {
    pub(super) fn step(&self) -> Result<BridgeAnswer, EngineError> {
        let mut answer = BridgeAnswer::default();
        let word = self.data.action.as_deref().unwrap_or_default();
        let Some(action) = AgentAction::parse(word) else {
            let text = format!("There is no action `{}`.", word.escape_debug());
            answer.steps(result(text, Some(ResultKind::Error)));
            return Ok(answer);
        };
        let engine = self.engine()?;
        match engine.driven(&self.id)? {
            // The driver answers if there is nothing to move.
            None => answer.takes(&mut Session::default(), Event::Step { action, summary: None }),
            Some((run, seen)) => self.moves(&engine, &run, seen, action, &mut answer)?,
        }
        Ok(answer)
    }

    fn moves(
        &self,
        engine: &Engine<'_>,
        run: &RunId,
        mut seen: Session,
        action: AgentAction,
        answer: &mut BridgeAnswer,
    ) -> Result<(), EngineError> {
        let who = WorkflowActor::Session(&self.id);
        let stepped = match action {
            AgentAction::Status => {
                answer.takes(&mut seen, Event::Step { action, summary: None });
                return Ok(());
            }
            AgentAction::Cancel => {
                answer.steps(result(CANCEL.to_owned(), Some(ResultKind::Cancel)));
                return Ok(());
            }
            AgentAction::Next => engine.step_next(run, who, self.data.summary.as_deref())?,
            AgentAction::Loop => engine.step_loop(run, who)?,
        };
        let effects = moved(engine, run, &seen)?;
        let done = engine.as_in_pi(run)?.and_then(|seen| seen.state).is_some_and(|s| !s.active);
        answer.steps(match stepped {
            Stepped::Moved { text } => result(text, done.then_some(ResultKind::Complete)),
            Stepped::Failed { text } => result(text, Some(ResultKind::Error)),
            Stepped::Held { hold } => result(format!("Held: {hold}"), Some(ResultKind::Error)),
        });
        answer.extend(&effects);
        Ok(())
    }
}

impl BridgeAnswer {
    fn steps(&mut self, result: StepResult) {
        self.out = json(&Out::Step(result).lower());
    }
}

/// Builds a result; its details state for programs whether the run moved.
fn result(text: String, kind: Option<ResultKind>) -> StepResult {
    let moved = match kind {
        None | Some(ResultKind::Complete) => true,
        Some(ResultKind::Error | ResultKind::Cancel) => false,
    };
    StepResult { text, details: Plain::map([("advanced", Plain::Bool(moved))]), kind }
}
