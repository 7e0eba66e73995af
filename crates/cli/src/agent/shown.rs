//! Shows one agent's assignment, or all of them.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sprag_core::inbox::{AssignmentStatus, Job};
use sprag_core::{Agent, SessionId, UnitId};
use sprag_engine::inbox::Polled;
use sprag_engine::inbox::board::AgentRow;
use sprag_world::clock;

use super::AgentCall;
use crate::exit::Exit;
use crate::fault::EarlyExit;
use crate::style::{StreamStyle, age, columns};

/// Prints an agent's assignment, with the whole job if work may begin now.
pub(super) fn poll(desk: &AgentCall<'_>, agent: &Agent) -> Result<Exit, EarlyExit> {
    let polled = desk.engine.agent_poll(agent)?;
    let text = match (polled.slot.status(), polled.slot.unit()) {
        // No work begins before the abort is answered.
        (AssignmentStatus::Pending | AssignmentStatus::Empty, _) if polled.abort.is_some() => {
            line(desk, &polled)
        }
        (AssignmentStatus::Pending, Some(unit)) => {
            let job = Job {
                unit: unit.clone(),
                title: polled.title.clone().unwrap_or_default(),
                about: polled.about.clone().unwrap_or_default(),
                waits_for: Vec::new(),
            };
            let brief = job.brief(agent, polled.fence);
            format!("{brief}\nBegin: sprag agent activate {agent}")
        }
        (AssignmentStatus::Active | AssignmentStatus::Completed, _)
        | (AssignmentStatus::Pending, None) => line(desk, &polled),
        (AssignmentStatus::Empty, _) => format!("{agent}: nothing is assigned"),
    };
    desk.answer(&text, object(&polled))
}

/// Shows an agent with everything that waits for it.
pub(super) fn show(desk: &AgentCall<'_>, agent: &Agent) -> Result<Exit, EarlyExit> {
    let polled = desk.engine.agent_poll(agent)?;
    let mail = desk.engine.mail(agent.as_str())?;
    let unread = mail.iter().filter(|one| !one.mail.as_ref().is_ok_and(|mail| mail.read));
    let unread = unread.count();
    let waiting = desk.engine.nudges(agent)?;
    let handoff = desk.engine.handoff(agent)?;
    let mut text = line(desk, &polled);
    let _ = write!(text, "\n  mail: {unread} unread of {}", mail.len());
    let _ = write!(text, "\n  nudges: {} wait, {} dropped", waiting.nudges.len(), waiting.dropped);
    if let Some(handoff) = &handoff {
        let said = format!("handed over: {} {}", handoff.unit, handoff.summary);
        let _ = write!(text, "\n  {}", desk.one_line(&said));
    }
    let mut object = object(&polled);
    object["mail"] = json!({ "unread": unread, "all": mail.len() });
    object["nudges"] = json!({ "wait": waiting.nudges.len(), "dropped": waiting.dropped });
    object["handoff"] = handoff.map_or(Value::Null, |handoff| {
        json!({ "unit": handoff.unit, "summary": handoff.summary, "branch": handoff.branch })
    });
    desk.answer(&text, object)
}

pub(super) fn ls(desk: &AgentCall<'_>) -> Result<Exit, EarlyExit> {
    let board = desk.engine.board()?;
    let rows: Vec<String> = board.agents.iter().map(|row| row_line(desk.call.look, row)).collect();
    let mut text = rows.join("\n");
    if text.is_empty() && board.unknown.is_empty() {
        text.push_str("no agents yet; sprag agent set AGENT UNIT --title T --as mayor");
    }
    for (path, why) in &board.unknown {
        let _ = write!(text, "{}{path}: {why}", if text.is_empty() { "" } else { "\n" });
    }
    let agents: Vec<Value> = board.agents.iter().map(row_object).collect();
    let unknown: Vec<Value> =
        board.unknown.iter().map(|(path, why)| json!({ "path": path, "why": why })).collect();
    let ok = unknown.is_empty();
    desk.answer(&text, json!({ "ok": ok, "agents": agents, "unknown": unknown }))?;
    Ok(if ok { Exit::Done } else { Exit::Unreadable })
}

/// Formats an agent as one line of a list.
pub(crate) fn row_line(look: StreamStyle, row: &AgentRow) -> String {
    let polled = &row.polled;
    let pad = |text: &str, width: usize| {
        let text = look.clip(text, width);
        let blanks = " ".repeat(width.saturating_sub(columns(&text)));
        format!("{text}{blanks}")
    };
    let unit = polled.slot.unit().map_or("", UnitId::as_str);
    let title = polled.title.as_deref().unwrap_or_default();
    let seen = row.seen.map_or(String::new(), |at| age(clock::now().since(at)));
    let note = if row.reclaimable { "  may be taken back" } else { "" };
    let held = if polled.hold.is_some() { "  waits" } else { "" };
    let abort = if polled.abort.is_some() { "  ABORT not answered" } else { "" };
    let status = polled.slot.status().as_str();
    let line = format!(
        "{}  {status:<9}  {}  {}  {seen}{note}{held}{abort}",
        pad(polled.agent.as_str(), 18),
        pad(unit, 12),
        pad(title, 24)
    );
    line.trim_end().to_owned()
}

/// Returns an agent of a list as a JSON object.
pub(crate) fn row_object(row: &AgentRow) -> Value {
    let mut object = object(&row.polled);
    object["seen"] = json!(row.seen);
    object["reclaimable"] = row.reclaimable.into();
    object
}

fn line(desk: &AgentCall<'_>, polled: &Polled) -> String {
    let mut text = format!("{}: {}", polled.agent, polled.slot);
    if let Some(title) = &polled.title {
        let _ = write!(text, " \"{}\"", desk.one_line(title));
    }
    if let Some(fence) = polled.fence {
        let _ = write!(text, ", attempt {fence}");
    }
    if let Some(session) = &polled.session {
        let _ = write!(text, ", session {session}");
    }
    if let Some(hold) = &polled.hold {
        let _ = write!(text, "\n  held: {hold}");
    }
    if let Some(abort) = &polled.abort {
        let said = format!("ABORT from {}: {}", abort.from, abort.message);
        let _ = write!(text, "\n  {}", desk.one_line(&said));
        let _ = write!(text, "\n  answer it: sprag agent nudge ls {}", polled.agent);
    }
    text
}

fn object(polled: &Polled) -> Value {
    json!({
        "ok": true,
        "agent": polled.agent.as_str(),
        "status": polled.slot.status().as_str(),
        "unit": polled.slot.unit().map(UnitId::as_str),
        "title": polled.title,
        "description": polled.about,
        "work": polled.work,
        "fence": polled.fence.map(|fence| fence.0),
        "session": polled.session.as_ref().map(SessionId::as_str),
        "hold": polled.hold.as_ref().map(ToString::to_string),
        "last_activity": polled.activity,
        "adopted": polled.adopted,
        "abort": polled.abort.as_ref().map(|abort| &abort.message),
    })
}
