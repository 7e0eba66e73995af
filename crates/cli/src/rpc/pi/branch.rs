//! Handles a session of pi that begins or moves in its tree: the run follows the branch.

use serde_json::json;
use sprag_core::workflow::SessionRecord;
use sprag_core::workflow::session::Event;
use sprag_engine::attach::HookEnv;
use sprag_engine::branch::Followed;
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::hooks::Beginning;

use super::{BridgeAnswer, Effect, Visit, append, effect};
use crate::env;

/// The message about a workflow that the original began.
const FOREIGN: &str = "The workflow of this branch was not begun by sprag, so it is not held. \
                       Begin it again with /workflow.";

impl Visit<'_> {
    pub(super) fn open(&self) -> Result<BridgeAnswer, EngineError> {
        let engine = self.engine()?;
        let mut answer = BridgeAnswer::default();
        let in_branch = self.data.state().unwrap_or_else(|why| {
            answer.notify("warning", &format!("The branch's workflow cannot be read: {why}."));
            None
        });
        let told = match &in_branch {
            Some(state) => self.follow(&engine, state, &mut answer)?,
            None => None,
        };
        let beginning = match self.data.reason.as_deref() {
            Some("fork") => Beginning::Follows,
            Some(_) | None => Beginning::Plain,
        };
        let agent = env::agent();
        let told = HookEnv { run: told.as_ref(), agent: agent.as_ref(), named: false };
        let said = engine.session_begins(&self.id, beginning, None, told)?;
        let session = self.id.as_str();
        answer
            .effects
            .push(json!({ "fx": "set_env", "name": env::SESSION.name, "value": session }));
        for line in said.say {
            answer.notify("info", &format!("sprag: {line}"));
        }
        let Some((_, mut seen)) = engine.driven(&self.id)? else {
            // With a workflow, every prompt brings its own context.
            if let Some(context) = said.context.filter(|_| self.event == "session_start") {
                answer.tells(&context);
            }
            answer.effects.push(effect(&Effect::SetStatus { text: None }));
            return Ok(answer);
        };
        // An unowned run was taken up, so the branch does not contain its state yet.
        if in_branch != seen.state {
            answer.extend(&append(&seen));
        }
        answer.takes(&mut seen, Event::TurnEnd);
        Ok(answer)
    }

    /// Moves the run to the branch's state; returns the run if it is active.
    fn follow(
        &self,
        engine: &Engine<'_>,
        state: &SessionRecord,
        answer: &mut BridgeAnswer,
    ) -> Result<Option<sprag_core::RunId>, EngineError> {
        match engine.follow(&self.id, state) {
            Err(EngineError::Invalid { problem }) => {
                answer.notify("warning", &format!("{problem}; the run stays where it was."));
                Ok(None)
            }
            Err(error) => Err(error),
            Ok(Followed::Stands(run)) => Ok(Some(run).filter(|_| state.active)),
            Ok(Followed::NotOurs) => {
                if state.active {
                    answer.notify("warning", FOREIGN);
                }
                Ok(None)
            }
        }
    }
}
