//! `sprag agent`: assignments, units of work, mail and nudges, for agents and dispatchers.

use serde_json::{Value, json};
use sprag_core::inbox::{Refusal, Who};
use sprag_core::{Agent, Fence, Id, RequestKey, Seq, SessionId, UnitId};
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::inbox::{AssignRequest, ClaimedHolder, Sent};
use sprag_formats::chipset::{AgentFile, DispatchStage};
use sprag_world::caller::caller;

use crate::args::agent::{AgentArgs, AgentCommand, Own};
use crate::context::{Begins, CommandContext, OutputFormat};
use crate::env;
use crate::exit::Exit;
use crate::fault::EarlyExit;
use crate::{screen, workflow};

mod messages;
mod send;
mod shown;
mod units;
mod waits;
mod who;

pub(crate) use shown::{row_line, row_object};

/// A subcommand in progress: its call, its engine and its arguments.
struct AgentCall<'a> {
    call: &'a CommandContext,
    engine: Engine<'a>,
    typed: &'a AgentArgs,
}

pub(crate) fn perform(call: &CommandContext, typed: &AgentArgs) -> Result<Exit, EarlyExit> {
    let place = call.place_to_begin(Begins::Anything)?;
    let environment = env::all();
    let desk = AgentCall {
        call,
        engine: Engine::open(&place, &environment)?.begun_by(caller(env::is_set)),
        typed,
    };
    match &typed.asked {
        AgentCommand::Ls => shown::ls(&desk),
        AgentCommand::Show { agent } => shown::show(&desk, &desk.agent(agent.as_deref())?),
        AgentCommand::Poll { agent } => shown::poll(&desk, &desk.agent(agent.as_deref())?),
        AgentCommand::Mail(mail) => messages::mail(&desk, mail),
        AgentCommand::Nudge(nudge) => messages::nudge(&desk, nudge),
        AgentCommand::Work(work) => units::work(&desk, work),
        AgentCommand::Import { file } => units::import(&desk, file),
        AgentCommand::Export => units::export(&desk),
        AgentCommand::Set { agent, unit, title, key } => {
            let (agent, unit) = (desk.agent(Some(agent))?, read_unit(unit)?);
            let title = title.as_deref();
            let (rig, stage) = (AgentFile::RIG, DispatchStage::Confirmed);
            let key = read_key(key.as_deref())?;
            let key = key.as_ref();
            let given = AssignRequest { agent: &agent, unit: &unit, title, rig, stage, key };
            desk.tell(&agent, &desk.engine.agent_set(given, &desk.who()?)?)
        }
        AgentCommand::Clear { agent } => {
            let agent = desk.agent(Some(agent))?;
            desk.tell(&agent, &desk.engine.agent_clear(&agent, &desk.who()?)?)
        }
        AgentCommand::Release { agent } => {
            let agent = desk.agent(Some(agent))?;
            desk.tell(&agent, &desk.engine.agent_release(&agent, &desk.who()?)?)
        }
        AgentCommand::Sling { unit } => send::sling(&desk, unit.as_deref()),
        AgentCommand::Watch { once, every } => send::watch(&desk, *once, every.as_deref()),
        AgentCommand::Own(verb) => own(&desk, &desk.agent(verb.agent())?, verb),
    }
}

/// Performs an agent's command on its own assignment.
fn own(desk: &AgentCall<'_>, agent: &Agent, verb: &Own) -> Result<Exit, EarlyExit> {
    let (who, session) = (desk.who()?, desk.session(agent));
    let fence = desk.typed.fence.map(|seq| Fence(Seq(seq)));
    let held = ClaimedHolder { session: &session, fence };
    let engine = &desk.engine;
    let sent = match verb {
        Own::Activate { .. } => engine.agent_activate(agent, held, &who)?,
        Own::Done { .. } => engine.agent_done(agent, held, &who)?,
        Own::Complete { .. } => engine.agent_complete(agent, held, &who)?,
        Own::Fail { why, .. } => engine.agent_fail(agent, held, why, &who)?,
        Own::Wait { hold, .. } => engine.agent_wait(agent, held, &hold.read()?, &who)?,
        Own::Touch { .. } => {
            let active = engine.agent_touch(agent, held, &who)?;
            let said = if active { "seen" } else { "nothing is active" };
            let object = json!({ "ok": true, "agent": agent.as_str(), "active": active });
            return desk.answer(&format!("{agent}: {said}"), object);
        }
    };
    desk.tell(agent, &sent)
}

impl AgentCall<'_> {
    fn who(&self) -> Result<Who, EarlyExit> {
        who::asking(self.typed.who.as_deref())
    }

    /// Returns the agent meant: the named one, else the one that this session is.
    fn agent(&self, name: Option<&str>) -> Result<Agent, EarlyExit> {
        who::meant(name, self.typed.who.as_deref())
    }

    /// Returns the agent that owns these messages. Only that agent and a person may take them.
    fn own(&self, name: &str) -> Result<Agent, EarlyExit> {
        let (agent, who) = (self.agent(Some(name))?, self.who()?);
        let allowed = match &who {
            Who::Person => true,
            Who::Mayor => Who::parse(name) == Some(Who::Mayor),
            Who::Agent(own) => *own == agent,
        };
        if allowed {
            return Ok(agent);
        }
        let (verb, whose) = ("taking messages", name.to_owned());
        let refusal = Refusal::NotYours { verb, who: who.name().to_owned(), whose };
        Err(EngineError::from(refusal).into())
    }

    /// Returns the current session; an agent without one uses its own name.
    fn session(&self, agent: &Agent) -> SessionId {
        workflow::session(&self.engine).unwrap_or_else(|| agent.session())
    }

    fn tell(&self, agent: &Agent, sent: &Sent) -> Result<Exit, EarlyExit> {
        let object = json!({
            "ok": true,
            "agent": agent.as_str(),
            "status": sent.status.as_str(),
            "unit": sent.unit.as_ref().map(UnitId::as_str),
            "fence": sent.fence.map(|fence| fence.0),
            "said": sent.said,
        });
        self.answer(&sent.said, object)
    }

    /// Makes a text safe for one line of a list: its author must not be able to add lines.
    fn one_line(&self, text: &str) -> String {
        self.call.look.clean(text)
    }

    /// Prints the answer as text or as JSON.
    fn answer(&self, text: &str, object: Value) -> Result<Exit, EarlyExit> {
        match self.call.answer {
            OutputFormat::Text => {
                let text = self.call.look.clean_lines(text);
                screen::print(&format!("{text}\n"))?;
            }
            OutputFormat::Json => {
                let mut object = object;
                object["next"] = json!({ "safe": ["sprag agent ls"], "human": [] });
                screen::print_json(&object)?;
            }
        }
        Ok(Exit::Done)
    }
}

/// Parses a request key, which becomes part of file names.
fn read_key(text: Option<&str>) -> Result<Option<RequestKey>, EarlyExit> {
    text.map(|text| RequestKey::parse(text).map_err(|bad| who::no_name(&bad))).transpose()
}

/// Parses a unit id, which becomes a file name.
fn read_unit(text: &str) -> Result<UnitId, EarlyExit> {
    Id::parse(text).map_err(|bad| who::no_name(&bad))?;
    UnitId::parse(text).map_err(|bad| who::no_name(&bad))
}
