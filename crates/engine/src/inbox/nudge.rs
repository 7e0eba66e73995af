//! Nudges: the latest one where the original looks for it, and a queue that loses none.
//!
//! An abort stands in `latest.json` until it is answered: a later health check goes to the queue
//! and not over it. Each answer has a file of its own, so that answers to one sender do not
//! overwrite each other. A queue that is full drops its oldest and counts that.

use sprag_core::inbox::{Verb, Who};
use sprag_core::{Agent, DocPath, Id, Kind, Time};
use sprag_formats::chipset::Nudge;
use sprag_formats::{Document, Format};
use sprag_store::{Edit, View};

use super::mail::names;
use super::paths;
use super::seat::{put, text, wrong};
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::{clock, ids};

/// How many nudges wait at most.
const DEPTH: usize = 50;
/// After this a nudge says nothing any more; an abort always does.
const TTL: i64 = 30 * 60_000;
/// So long an answer is kept for whoever asked.
const KEPT: i64 = 2 * 3_600_000;

/// What waits for an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The nudges, oldest first.
    pub nudges: Vec<Nudge>,
    /// The answers to nudges of its own.
    pub replies: Vec<Nudge>,
    /// How many were dropped because the queue was full.
    pub dropped: u64,
}

/// Returns the nudge that ends an agent's work.
pub(super) fn abort(from: &str, why: &str, now: Time) -> Nudge {
    new(from, Nudge::ABORT, why, true, now)
}

/// Returns a nudge.
pub(super) fn new(from: &str, kind: &str, message: &str, asks: bool, now: Time) -> Nudge {
    Nudge {
        id: Some(format!("n-{}", ids::suffix())),
        from: from.to_owned(),
        kind: kind.to_owned(),
        message: message.to_owned(),
        sent: now.to_string(),
        asks,
        seq: None,
    }
}

/// What waits for an agent, as far as one who sends it something must know.
struct Found {
    queue: Vec<Queued>,
    /// An abort that only stands where the original looks.
    foreign: Option<Nudge>,
    dropped: u64,
}

/// Sends a nudge in the commit at hand.
pub(super) fn send(
    view: &View<'_>,
    to: &Agent,
    nudge: &Nudge,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let found = found(view, to)?;
    deliver(view, to, nudge, found, draft)
}

/// Sends a nudge, also where what waits there cannot be read: that stays as it is, and this one
/// waits beside it.
pub(super) fn send_anyway(
    view: &View<'_>,
    to: &Agent,
    nudge: &Nudge,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    match found(view, to) {
        Err(EngineError::Unreadable { .. }) => {
            let nudge = stamped(view, nudge);
            line_up(to, &nudge, nudge.at().unwrap_or_else(clock::now), draft)
        }
        found => deliver(view, to, nudge, found?, draft),
    }
}

fn found(view: &View<'_>, to: &Agent) -> Result<Found, EngineError> {
    let (queue, foreign) = (queue(view, to)?, foreign_abort(view, to)?);
    Ok(Found { queue, foreign, dropped: dropped(view, to)? })
}

/// Says in a nudge where in the journal it is sent.
fn stamped(view: &View<'_>, nudge: &Nudge) -> Nudge {
    Nudge { seq: Some(view.seq().0), ..nudge.clone() }
}

fn deliver(
    view: &View<'_>,
    to: &Agent,
    nudge: &Nudge,
    Found { mut queue, foreign, dropped }: Found,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let nudge = &stamped(view, nudge);
    let sent = nudge.at().unwrap_or_else(clock::now);
    let stale = |one: &Queued| {
        let age = one.nudge.at().map_or(0, |at| sent.since(at));
        one.nudge.kind != Nudge::ABORT && age > TTL
    };
    for old in queue.iter().filter(|one| stale(one)) {
        draft.edit(Edit::Remove { doc: old.path.clone() });
    }
    queue.retain(|one| !stale(one));
    if queue.len() >= DEPTH {
        let oldest = queue.iter().position(|one| one.nudge.kind != Nudge::ABORT).unwrap_or(0);
        draft.edit(Edit::Remove { doc: queue.remove(oldest).path });
        let path = dropped_path(to)?;
        let count = [sprag_formats::Edit::set(["dropped"], dropped + 1)];
        put(&path, text(view, &path)?.as_deref(), &count, draft)?;
    }
    line_up(to, nudge, sent, draft)?;
    if let Some(abort) = foreign {
        // Only where the original looks it would be written over, and nobody could answer it.
        put_in_queue(to, &abort, abort.at().unwrap_or(sent), draft)?;
        show(view, to, &abort, draft)?;
    } else if !queue.iter().any(|one| one.nudge.kind == Nudge::ABORT) {
        show(view, to, nudge, draft)?;
    }
    Ok(())
}

/// Puts a nudge that is sent now into the queue.
fn line_up(to: &Agent, nudge: &Nudge, sent: Time, draft: &mut Draft) -> Result<(), EngineError> {
    put_in_queue(to, nudge, sent, draft)?;
    let id = nudge.id.as_deref().unwrap_or_default();
    let data = serde_json::json!({ "to": to.as_str(), "type": nudge.kind, "id": id });
    draft.note(None, Kind::NudgeSent, data);
    Ok(())
}

/// Puts a nudge into the queue.
fn put_in_queue(
    to: &Agent,
    nudge: &Nudge,
    sent: Time,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let id = nudge.id.as_deref().unwrap_or_default();
    let path = folder(to, "queue")?.join(&format!("{:013}-{id}.json", sent.as_millis()))?;
    put(&path, None, &nudge.made(), draft)
}

/// Returns an abort that the original's own tools left, with an id by which it can be answered.
fn foreign_abort(view: &View<'_>, to: &Agent) -> Result<Option<Nudge>, EngineError> {
    let path = latest(to)?;
    let Some(text) = text(view, &path)? else { return Ok(None) };
    let shown = Nudge::read(&text).map_err(|fault| wrong(&path, &fault))?;
    let is_one = shown.id.is_none() && shown.kind == Nudge::ABORT;
    Ok(is_one.then(|| Nudge { id: Some(format!("n-{}", ids::suffix())), ..shown }))
}

/// Returns the aborts that an agent has not answered, oldest first, and what in their place cannot
/// be read.
pub(super) fn aborts(
    view: &View<'_>,
    agent: &Agent,
) -> Result<(Vec<Nudge>, Option<EngineError>), EngineError> {
    let folder = folder(agent, "queue")?;
    let (mut aborts, mut bad) = (Vec::new(), None);
    for name in names(view, &folder)? {
        match read_one(view, folder.join(&name)?) {
            Ok(one) => aborts.extend(one.map(|one| one.nudge)),
            Err(error) => bad = Some(error),
        }
    }
    aborts.retain(|nudge| nudge.kind == Nudge::ABORT);
    match foreign_abort(view, agent) {
        Ok(one) => aborts.extend(one),
        Err(error) => bad = Some(error),
    }
    Ok((aborts, bad))
}

/// Lets an abort of the original's own tools be answered: one that only stands where the original
/// looks has no id that is kept.
pub(super) fn keep_abort(
    view: &View<'_>,
    agent: &Agent,
    abort: &Nudge,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let folder = folder(agent, "queue")?;
    for name in names(view, &folder)? {
        let one = read_one(view, folder.join(&name)?).ok().flatten();
        if one.is_some_and(|one| one.nudge.id == abort.id) {
            return Ok(());
        }
    }
    put_in_queue(agent, abort, abort.at().unwrap_or_else(clock::now), draft)?;
    show(view, agent, abort, draft)
}

/// Puts a nudge where the original looks for it.
fn show(view: &View<'_>, to: &Agent, nudge: &Nudge, draft: &mut Draft) -> Result<(), EngineError> {
    let path = latest(to)?;
    put(&path, text(view, &path)?.as_deref(), &nudge.made(), draft)
}

struct Queued {
    path: DocPath,
    nudge: Nudge,
}

/// Returns what waits for an agent, oldest first.
fn queue(view: &View<'_>, agent: &Agent) -> Result<Vec<Queued>, EngineError> {
    read(view, &folder(agent, "queue")?)
}

/// Reads the nudges of a folder, by name.
fn read(view: &View<'_>, folder: &DocPath) -> Result<Vec<Queued>, EngineError> {
    let mut queue = Vec::new();
    for name in names(view, folder)? {
        queue.extend(read_one(view, folder.join(&name)?)?);
    }
    Ok(queue)
}

fn read_one(view: &View<'_>, path: DocPath) -> Result<Option<Queued>, EngineError> {
    let Some(text) = text(view, &path)? else { return Ok(None) };
    let nudge = Nudge::read(&text).map_err(|fault| wrong(&path, &fault))?;
    Ok(Some(Queued { path, nudge }))
}

impl Engine<'_> {
    /// Nudges an agent.
    pub fn nudge_send(
        &self,
        to: &Agent,
        kind: &str,
        message: &str,
        asks: bool,
        who: &Who,
    ) -> Result<String, EngineError> {
        if kind == Nudge::ABORT {
            // It lets the session go, so it is not the agent's own to say.
            who.may(Verb::Release, to)?;
        }
        self.commit_at_once(who.name(), PATIENT, |view| {
            let mut draft = Draft::default();
            let nudge = new(who.name(), kind, message, asks, clock::now());
            send(view, to, &nudge, &mut draft)?;
            Ok((draft, nudge.id.unwrap_or_default()))
        })
    }

    /// Returns what waits for an agent.
    pub fn nudges(&self, agent: &Agent) -> Result<Waiting, EngineError> {
        let now = clock::now();
        self.look(|view| {
            let fresh = |nudge: &Nudge| {
                let age = nudge.at().map_or(0, |at| now.since(at));
                nudge.kind == Nudge::ABORT || age <= TTL
            };
            let mut nudges: Vec<Nudge> =
                queue(view, agent)?.into_iter().map(|one| one.nudge).filter(fresh).collect();
            // One that the original's own tools left is only there.
            let path = latest(agent)?;
            if let Some(text) = text(view, &path)? {
                let last = Nudge::read(&text).map_err(|fault| wrong(&path, &fault))?;
                if last.id.is_none() && last.kind != Nudge::RESPONSE && fresh(&last) {
                    nudges.push(last);
                }
            }
            let replies = read(view, &folder(agent, "replies")?)?;
            let replies = replies.into_iter().map(|one| one.nudge).collect();
            Ok(Waiting { nudges, replies, dropped: dropped(view, agent)? })
        })
    }

    /// Answers a nudge: the sender finds the answer under its id, and it waits no longer.
    pub fn nudge_reply(
        &self,
        agent: &Agent,
        id: &str,
        message: &str,
        who: &Who,
    ) -> Result<(), EngineError> {
        self.commit_at_once(who.name(), PATIENT, |view| {
            let now = clock::now();
            let mut draft = Draft::default();
            let mut queue = queue(view, agent)?;
            let at = queue.iter().position(|one| one.nudge.id.as_deref() == Some(id));
            let Some(at) = at else {
                let what = format!("no nudge `{}` waits for {agent}", id.escape_debug());
                return Err(EngineError::NotFound { what });
            };
            let answered = queue.remove(at);
            draft.edit(Edit::Remove { doc: answered.path });
            unstick(view, agent, &answered.nudge, queue.last(), &mut draft)?;
            let sender = Agent::parse(&answered.nudge.from)?;
            let mut reply = new(agent.as_str(), Nudge::RESPONSE, message, false, now);
            reply.id = Some(Id::parse(id)?.to_string());
            let replies = folder(&sender, "replies")?;
            for old in read(view, &replies)? {
                // Whoever asked has looked by now.
                if old.nudge.at().is_some_and(|at| now.since(at) > KEPT) {
                    draft.edit(Edit::Remove { doc: old.path });
                }
            }
            let path = replies.join(&format!("{id}.json"))?;
            put(&path, text(view, &path)?.as_deref(), &reply.made(), &mut draft)?;
            let data = serde_json::json!({ "agent": agent.as_str(), "id": id });
            draft.note(None, Kind::NudgeAnswered, data);
            Ok((draft, ()))
        })
    }
}

/// Lets the next nudge be seen, where the answered one stood in its way.
fn unstick(
    view: &View<'_>,
    agent: &Agent,
    answered: &Nudge,
    next: Option<&Queued>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let path = latest(agent)?;
    let shown = text(view, &path)?.and_then(|text| Nudge::read(&text).ok());
    if shown.is_none_or(|shown| shown.id != answered.id) {
        return Ok(());
    }
    if let Some(next) = next {
        return show(view, agent, &next.nudge, draft);
    }
    draft.edit(Edit::Remove { doc: path });
    Ok(())
}

/// Returns how many nudges an agent never saw.
pub(super) fn dropped(view: &View<'_>, agent: &Agent) -> Result<u64, EngineError> {
    let path = dropped_path(agent)?;
    let Some(text) = text(view, &path)? else { return Ok(0) };
    let document = Document::parse(Format::Json, &text).map_err(|fault| wrong(&path, &fault))?;
    let many = document.need(&["dropped"]).and_then(|field| field.as_u64());
    many.map_err(|fault| wrong(&path, &fault))
}

fn folder(agent: &Agent, name: &str) -> Result<DocPath, EngineError> {
    paths::folder(&format!("nudge/{agent}/{name}"))
}

fn latest(agent: &Agent) -> Result<DocPath, EngineError> {
    folder(agent, "latest.json")
}

fn dropped_path(agent: &Agent) -> Result<DocPath, EngineError> {
    folder(agent, "dropped.json")
}
