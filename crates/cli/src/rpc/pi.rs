//! pi: its bridge uses the vocabulary of pi-workflows' recorded sessions, in requests and in
//! answers.
//!
//! Guard, tools and stops are decided as for every host. A workflow is a run of the engine. pi's
//! view of it (its status, its context, the texts of its commands) comes from the pure session
//! driver in `core`, which is set to the run's state. Only the engine moves a run.

use std::ffi::OsString;
use std::path::Path;

use serde_json::Value;
use sprag_core::plain_json::json;
use sprag_core::workflow::session::{Effect, Event, Out, Session};
use sprag_core::{HostSession, RunId, SessionId};
use sprag_engine::engine::{Engine, EngineError};
use sprag_hosts::{By, EndReason, HookCall, HookEvent, Host, Reply, TurnEnd, session_file};
use sprag_store::Place;

use super::BridgeAnswer;
use super::request::Happened;
use crate::hook::Finding;
use crate::{env, hook};

mod branch;
mod command;
mod data;
mod step;

use data::Data;

/// Answers an event in a session of pi.
pub(super) fn answer(happened: &Happened<'_>) -> BridgeAnswer {
    let place = match hook::find_from(Path::new(&happened.cwd)) {
        Ok(Finding::Ours(place)) => place,
        Ok(Finding::Nothing) => return outside(&happened.event),
        Ok(Finding::Apart { line }) => return apart(&happened.event, &line),
        Err(error) => return BridgeAnswer::let_go(&error.to_string()),
    };
    match Visit::new(&place, happened).and_then(|visit| visit.answer()) {
        Ok(answer) => answer,
        Err(why) => {
            hook::leave_trace(&place, &format!("pi {}", hook::short(&happened.event)), &why);
            BridgeAnswer::let_go(&why)
        }
    }
}

/// Answers outside a project; only a user who types a command gets a message.
fn outside(event: &str) -> BridgeAnswer {
    let mut answer = BridgeAnswer::default();
    if event == "command" {
        answer.notify("error", "sprag is not at work here: no `.sprag`, or SPRAG=off.");
    }
    answer
}

/// Answers where the settings have no effect: at the start of a session, and to a typed command.
fn apart(event: &str, line: &str) -> BridgeAnswer {
    let mut answer = BridgeAnswer::default();
    if matches!(event, "command" | "session_start") {
        answer.notify("error", line);
    }
    answer
}

/// One event of one session.
struct Visit<'v> {
    place: &'v Place,
    environment: Vec<(OsString, OsString)>,
    event: &'v str,
    cwd: &'v str,
    data: Data<'v>,
    session: HostSession,
    /// The engine's name for the session.
    id: SessionId,
}

impl<'v> Visit<'v> {
    fn new(place: &'v Place, happened: &'v Happened<'_>) -> Result<Self, String> {
        let data = Data::read(happened.data)?;
        let session =
            HostSession::parse(&happened.session).map_err(|error| format!("`session`: {error}"))?;
        let id = session_file(Host::PI, &session);
        let (event, cwd) = (happened.event.as_str(), happened.cwd.as_str());
        Ok(Self { place, environment: env::all(), event, cwd, data, session, id })
    }

    fn answer(&self) -> Result<BridgeAnswer, String> {
        let answered = match self.event {
            "session_start" | "session_tree" => self.open(),
            "turn_end" => self.turn_end(),
            "before_agent_start" => self.prompted(),
            "tool_call" => return self.tool_call(),
            "tool_result" => return self.tool_result(),
            "agent_before_settle" | "agent_end" => self.settles(),
            "session_shutdown" => self.closes(),
            "step" => self.step(),
            "command" => self.command(),
            "complete" => self.complete(),
            // No other event needs an answer, since no state is kept here.
            _ => Ok(BridgeAnswer::default()),
        };
        answered.map_err(|error| error.to_string())
    }

    fn engine(&self) -> Result<Engine<'_>, EngineError> {
        Engine::open(self.place, &self.environment)
    }

    /// Decides as for every host.
    fn decide(&self, happening: HookEvent) -> Result<Reply, EngineError> {
        let (session, cwd) = (Some(self.session.clone()), Some(self.cwd.to_owned()));
        let heard =
            HookCall { host: Host::PI, session, cwd, subagent: None, plan_mode: false, happening };
        hook::decide(self.place, &heard)
    }

    /// Reports the workflow's state, and updates the branch if a command moved the workflow.
    fn turn_end(&self) -> Result<BridgeAnswer, EngineError> {
        let mut answer = BridgeAnswer::default();
        let Some((_, mut seen)) = self.engine()?.driven(&self.id)? else {
            answer.effects.push(effect(&Effect::SetStatus { text: None }));
            return Ok(answer);
        };
        if let Ok(in_branch) = self.data.state()
            && in_branch.is_some()
            && in_branch != seen.state
        {
            answer.extend(&append(&seen));
        }
        answer.takes(&mut seen, Event::TurnEnd);
        Ok(answer)
    }

    fn prompted(&self) -> Result<BridgeAnswer, EngineError> {
        let text = self.data.prompt.clone().unwrap_or_default();
        let reply = self.decide(HookEvent::Prompt { text, by: By::Person })?;
        let mut answer = BridgeAnswer::default();
        answer.says(&reply);
        match (self.engine()?.driven(&self.id)?, reply.answer) {
            // A workflow's context comes from its driver.
            (Some((_, mut seen)), _) => answer.takes(&mut seen, Event::AgentStart),
            (None, sprag_hosts::HostAnswer::Context(context)) => answer.tells(&context),
            (None, _) => {}
        }
        Ok(answer)
    }

    fn tool_call(&self) -> Result<BridgeAnswer, String> {
        let call = self.data.call()?;
        let reply = self.decide(HookEvent::BeforeTool(call)).map_err(|error| error.to_string())?;
        let mut answer = BridgeAnswer::default();
        answer.says(&reply);
        if let sprag_hosts::HostAnswer::Deny { why } = reply.answer {
            answer.out = json(&Out::Block { reason: why }.lower());
        }
        Ok(answer)
    }

    fn tool_result(&self) -> Result<BridgeAnswer, String> {
        let call = self.data.call()?;
        let happening = HookEvent::AfterTool { call, ended: TurnEnd::Well };
        self.decide(happening).map_err(|error| error.to_string())?;
        Ok(BridgeAnswer::default())
    }

    /// Handles the agent's attempt to stop. A turn aborted by the user or the model is no stop.
    fn settles(&self) -> Result<BridgeAnswer, EngineError> {
        let mut answer = BridgeAnswer::default();
        if self.data.is_broken_off() {
            return Ok(answer);
        }
        let engine = self.engine()?;
        let before = engine.driven(&self.id)?;
        let message = self.data.last_message.clone().filter(|said| !said.is_empty());
        let happening = HookEvent::Stop { again: false, background: vec![], message };
        let reply = self.decide(happening)?;
        if let Some((run, before)) = before {
            answer.extend(&moved(&engine, &run, &before)?);
        }
        answer.says(&reply);
        if let sprag_hosts::HostAnswer::Refuse { why } = reply.answer {
            answer.effects.push(effect(&Effect::SendUserMessage { text: why }));
        }
        Ok(answer)
    }

    fn closes(&self) -> Result<BridgeAnswer, EngineError> {
        let left = match self.data.reason.as_deref() {
            // The same process continues with another session, or with this one.
            Some("reload") => EndReason::Resume,
            Some(_) | None => EndReason::Other,
        };
        self.decide(HookEvent::SessionEnd { left })?;
        Ok(BridgeAnswer::default())
    }
}

/// Returns the effects that update the branch after a run was moved.
fn moved(engine: &Engine<'_>, run: &RunId, before: &Session) -> Result<Vec<Effect>, EngineError> {
    let after = engine.as_in_pi(run)?.filter(|after| after.state != before.state);
    Ok(after.map_or_else(Vec::new, |after| append(&after)))
}

/// Returns the effects that write a workflow's state into the branch.
fn append(seen: &Session) -> Vec<Effect> {
    let entry = seen.state.clone().map(|state| Effect::AppendEntry { state: Box::new(state) });
    entry.into_iter().chain([Effect::SetStatus { text: None }]).collect()
}

impl BridgeAnswer {
    fn extend(&mut self, effects: &[Effect]) {
        self.effects.extend(effects.iter().map(effect));
    }

    /// Passes an event to the driver, which only determines the display.
    fn takes(&mut self, seen: &mut Session, event: Event) {
        let taken = seen.take(event, sprag_world::clock::now().as_millis());
        self.out = json(&taken.out.lower());
        self.extend(&taken.effects);
    }

    /// Sends the agent a message that starts no turn.
    fn tells(&mut self, context: &str) {
        self.effects.push(serde_json::json!({
            "fx": "send_message",
            "customType": "sprag:context",
            "content": context,
            "display": false,
            "triggerTurn": false,
        }));
    }

    /// Shows the user the messages of a reply.
    fn says(&mut self, reply: &Reply) {
        if let Some(said) = &reply.say {
            self.notify("info", said);
        }
        if let sprag_hosts::HostAnswer::Told(said) = &reply.answer {
            self.notify("info", said);
        }
    }
}

fn effect(effect: &Effect) -> Value {
    json(&effect.lower())
}
