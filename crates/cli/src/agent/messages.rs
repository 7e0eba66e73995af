//! `sprag agent mail` and `sprag agent nudge`.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sprag_engine::inbox::mail::{MailMessage, Posted};
use sprag_formats::chipset::{self, Letter};

use super::{AgentCall, read_key};
use crate::args::agent::{Mail, Nudge};
use crate::exit::Exit;
use crate::fault::EarlyExit;

pub(super) fn mail(desk: &AgentCall<'_>, asked: &Mail) -> Result<Exit, EarlyExit> {
    match asked {
        Mail::Send { to, subject, body, kind, priority, key } => {
            let who = desk.who()?;
            let letter = Letter {
                from: who.name().to_owned(),
                to: desk.agent(Some(to))?.to_string(),
                kind: kind.clone(),
                subject: subject.clone(),
                body: body.clone().unwrap_or_default(),
                priority: priority.clone(),
            };
            let Posted { to, name, note } =
                desk.engine.mail_send(&letter, read_key(key.as_deref())?.as_ref(), &who)?;
            let object = json!({ "ok": true, "to": to, "name": name, "note": note });
            let note = note.map_or_else(String::new, |note| format!("\n{note}"));
            desk.answer(&format!("sent to {to}: {name}{note}"), object)
        }
        Mail::Ls { agent, all } => list(desk, agent.as_deref(), *all),
        Mail::Read { agent, name } => take(desk, agent, name, false),
        Mail::Ack { agent, name } => take(desk, agent, name, true),
    }
}

/// Shows a message and marks it as read, and as acknowledged if `ack`.
fn take(desk: &AgentCall<'_>, agent: &str, name: &str, ack: bool) -> Result<Exit, EarlyExit> {
    let agent = desk.own(agent)?;
    let mail = desk.engine.mail_take(agent.as_str(), name, ack, &desk.who()?)?;
    let letter = &mail.letter;
    let text = format!("from {}: {}\n{}", letter.from, letter.subject, letter.body);
    desk.answer(text.trim_end(), mail_object(name, &mail))
}

fn list(desk: &AgentCall<'_>, agent: Option<&str>, all: bool) -> Result<Exit, EarlyExit> {
    let agent = desk.agent(agent)?;
    let found = desk.engine.mail(agent.as_str())?;
    let wanted = |one: &&MailMessage| all || !one.mail.as_ref().is_ok_and(|mail| mail.read);
    let found: Vec<&MailMessage> = found.iter().filter(wanted).collect();
    let mut text = String::new();
    for one in &found {
        let said = match &one.mail {
            Ok(mail) => format!("{}: {}", mail.letter.from, mail.letter.subject),
            Err(why) => format!("cannot be read: {why}"),
        };
        let _ = writeln!(text, "{}  {}", one.name, desk.one_line(&said));
    }
    if text.is_empty() {
        text = format!("no mail for {agent}");
    }
    let objects: Vec<Value> = found
        .iter()
        .map(|one| match &one.mail {
            Ok(mail) => mail_object(&one.name, mail),
            Err(why) => json!({ "name": one.name, "why": why }),
        })
        .collect();
    let ok = found.iter().all(|one| one.mail.is_ok());
    let object = json!({ "ok": ok, "agent": agent.as_str(), "mail": objects });
    desk.answer(text.trim_end(), object)?;
    Ok(if ok { Exit::Done } else { Exit::Unreadable })
}

fn mail_object(name: &str, mail: &chipset::Mail) -> Value {
    json!({
        "ok": true,
        "name": name,
        "from": mail.letter.from,
        "to": mail.letter.to,
        "type": mail.letter.kind,
        "subject": mail.letter.subject,
        "body": mail.letter.body,
        "priority": mail.letter.priority,
        "timestamp": mail.sent,
        "read": mail.read,
        "acked_at": mail.acked,
    })
}

pub(super) fn nudge(desk: &AgentCall<'_>, asked: &Nudge) -> Result<Exit, EarlyExit> {
    match asked {
        Nudge::Send { to, message, kind, quiet } => {
            let (to, note) = desk.engine.recipient(&desk.agent(Some(to))?)?;
            let id = desk.engine.nudge_send(&to, kind, message, !quiet, &desk.who()?)?;
            let object = json!({ "ok": true, "to": to.as_str(), "id": id, "note": note });
            let note = note.map_or_else(String::new, |note| format!("\n{note}"));
            desk.answer(&format!("nudged {to}: {id}{note}"), object)
        }
        Nudge::Ls { agent } => {
            let agent = desk.agent(agent.as_deref())?;
            let waiting = desk.engine.nudges(&agent)?;
            let mut text = String::new();
            for one in &waiting.nudges {
                let id = one.id.as_deref().unwrap_or("-");
                let said = format!("{id}  {}  {}: {}", one.kind, one.from, one.message);
                let _ = writeln!(text, "{}", desk.one_line(&said));
            }
            for one in &waiting.replies {
                let id = one.id.as_deref().unwrap_or("-");
                let said = format!("{id}  answered by {}: {}", one.from, one.message);
                let _ = writeln!(text, "{}", desk.one_line(&said));
            }
            if waiting.dropped > 0 {
                let _ = writeln!(text, "{} were dropped: too many waited", waiting.dropped);
            }
            if text.is_empty() {
                text = format!("no nudges for {agent}");
            }
            let nudges: Vec<Value> = waiting.nudges.iter().map(nudge_object).collect();
            let replies: Vec<Value> = waiting.replies.iter().map(nudge_object).collect();
            let object = json!({
                "ok": true,
                "agent": agent.as_str(),
                "nudges": nudges,
                "replies": replies,
                "dropped": waiting.dropped,
            });
            desk.answer(text.trim_end(), object)
        }
        Nudge::Reply { agent, id, message } => {
            let agent = desk.own(agent)?;
            desk.engine.nudge_reply(&agent, id, message, &desk.who()?)?;
            let object = json!({ "ok": true, "agent": agent.as_str(), "id": id });
            desk.answer(&format!("{agent}: {id} is answered"), object)
        }
    }
}

fn nudge_object(one: &chipset::Nudge) -> Value {
    json!({
        "id": one.id,
        "from": one.from,
        "type": one.kind,
        "message": one.message,
        "timestamp": one.sent,
        "requires_response": one.asks,
    })
}
