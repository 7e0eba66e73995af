//! The commands that a user types into pi: `/workflow` and `/cancel-workflow`.
//!
//! The session driver determines the messages and their order. Where it would write a state, the
//! engine has begun or ended the run, and the run's state is written instead.

use sprag_core::plain_json::json;
use sprag_core::workflow::javascript::{is_space, trim};
use sprag_core::workflow::session::{Effect, Event, Session};
use sprag_core::{RunId, workflow};
use sprag_engine::attach::HookEnv;
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::workflows;
use sprag_hosts::SlashCommand;
use sprag_world::clock;

use super::{BridgeAnswer, Visit, append};
use crate::{person, slash};

impl Visit<'_> {
    pub(super) fn command(&self) -> Result<BridgeAnswer, EngineError> {
        let engine = self.engine()?;
        let (run, mut seen) = engine.driven(&self.id)?.unzip();
        let seen = seen.get_or_insert_default();
        match self.data.name.as_deref() {
            Some("workflow") => self.start(&engine, run.as_ref(), seen),
            Some("cancel-workflow") => cancel(&engine, run.as_ref(), seen),
            Some(name) => match name.strip_prefix("sprag:") {
                Some(name) => self.slash(&engine, name),
                None => Ok(BridgeAnswer::default()),
            },
            None => Ok(BridgeAnswer::default()),
        }
    }

    /// Executes a command to sprag itself.
    fn slash(&self, engine: &Engine<'_>, name: &str) -> Result<BridgeAnswer, EngineError> {
        let typed = SlashCommand::of(name, self.data.args.as_deref().unwrap_or_default());
        let reply = slash::act(engine, &self.id, &typed, HookEnv::default())?;
        let mut answer = BridgeAnswer::default();
        answer.says(&reply);
        if let sprag_hosts::HostAnswer::Context(text) = reply.answer {
            answer.extend(&[Effect::SendUserMessage { text }]);
        }
        Ok(answer)
    }

    fn start(
        &self,
        engine: &Engine<'_>,
        run: Option<&RunId>,
        seen: &mut Session,
    ) -> Result<BridgeAnswer, EngineError> {
        let args = self.data.args.clone().unwrap_or_default();
        let fresh = known(engine);
        let (suffix, confirm) = (String::new(), self.data.confirm);
        let start = Event::Start { args: args.clone(), fresh, suffix, confirm };
        let effects = seen.take(start, clock::now().as_millis()).effects;
        let mut begun = None;
        if effects.iter().any(is_entry) {
            if let Some(run) = run {
                engine.cancel(run, &person::name())?;
            }
            let (name, task) = trim(&args).split_once(is_space).unwrap_or_default();
            let started = engine.start(name, trim(task), Some(&self.id))?;
            begun = Some(started.run);
        }
        performed(engine, begun.as_ref(), effects)
    }

    pub(super) fn complete(&self) -> Result<BridgeAnswer, EngineError> {
        let known = known(&self.engine()?);
        let prefix = self.data.prefix.clone().unwrap_or_default();
        let mut answer = BridgeAnswer::default();
        answer.takes(&mut Session::default(), Event::Complete { prefix, known });
        Ok(answer)
    }
}

fn cancel(
    engine: &Engine<'_>,
    run: Option<&RunId>,
    seen: &mut Session,
) -> Result<BridgeAnswer, EngineError> {
    let effects = seen.take(Event::Cancel, clock::now().as_millis()).effects;
    if let Some(run) = run.filter(|_| effects.iter().any(is_entry)) {
        engine.cancel(run, &person::name())?;
    }
    performed(engine, run, effects)
}

fn known(engine: &Engine<'_>) -> workflow::Definitions {
    workflows::load(&engine.search()).definitions
}

const fn is_entry(effect: &Effect) -> bool {
    matches!(effect, Effect::AppendEntry { .. })
}

/// Returns the effects, with the run's state instead of the driver's.
fn performed(
    engine: &Engine<'_>,
    run: Option<&RunId>,
    effects: Vec<Effect>,
) -> Result<BridgeAnswer, EngineError> {
    let mut answer = BridgeAnswer::default();
    for effect in effects {
        if !is_entry(&effect) {
            answer.effects.push(json(&effect.lower()));
            continue;
        }
        let seen = run.map(|run| engine.as_in_pi(run)).transpose()?.flatten();
        let entry: Vec<_> = seen.iter().flat_map(append).filter(is_entry).collect();
        answer.extend(&entry);
    }
    Ok(answer)
}
