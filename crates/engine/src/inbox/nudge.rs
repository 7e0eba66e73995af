//! Nudges: the latest one in the original's file, and a queue that keeps them all.
//!
//! An abort stays in `latest.json` until it is answered: a later health check goes into the queue
//! and does not overwrite it. Each answer has its own file, so that several answers to one sender
//! do not overwrite each other. A full queue drops its oldest nudge and counts it.

use sprag_core::event::{NudgeAnswered, NudgeSent};
use sprag_core::inbox::{Verb, Who};
use sprag_core::{Agent, DocPath, Hash, Id, Time};
use sprag_formats::chipset::Nudge;
use sprag_formats::{Document, Format};
use sprag_store::{Edit, View};
use sprag_world::{clock, ids};

use super::assignment_files::{put, text, wrong};
use super::mail::names;
use super::paths;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};

/// The most nudges in a queue.
const DEPTH: usize = 50;
/// A nudge expires after this many milliseconds; an abort never does.
const TTL: i64 = 30 * 60_000;
/// How long an answer is kept for the sender, in milliseconds.
const KEPT: i64 = 2 * 3_600_000;

/// The messages that wait for an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Oldest first.
    pub nudges: Vec<Nudge>,
    /// The answers to its own nudges.
    pub replies: Vec<Nudge>,
    /// How many were dropped because the queue was full.
    pub dropped: u64,
}

/// Builds the nudge that aborts an agent's work.
pub(super) fn abort(from: &str, why: &str, now: Time) -> Nudge {
    new(from, Nudge::ABORT, why, true, now)
}

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

/// The state of an agent's nudges, for a new one.
struct NudgeQueue {
    queue: Vec<Queued>,
    /// An abort that is only in `latest.json`.
    foreign: Option<Nudge>,
    dropped: u64,
}

/// Sends a nudge within a larger commit.
pub(super) fn send(
    view: &View<'_>,
    to: &Agent,
    nudge: &Nudge,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let found = found(view, to)?;
    deliver(view, to, nudge, found, draft)
}

/// Sends a nudge even if the existing ones cannot be read; those stay as they are.
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

fn found(view: &View<'_>, to: &Agent) -> Result<NudgeQueue, EngineError> {
    let queue = queue(view, to)?;
    let foreign = alone(view, to, &queue)?.filter(is_abort);
    Ok(NudgeQueue { queue, foreign, dropped: dropped(view, to)? })
}

/// Adds the sequence number of its commit to a nudge.
fn stamped(view: &View<'_>, nudge: &Nudge) -> Nudge {
    Nudge { seq: Some(view.seq().0), ..nudge.clone() }
}

fn deliver(
    view: &View<'_>,
    to: &Agent,
    nudge: &Nudge,
    NudgeQueue { mut queue, foreign, dropped }: NudgeQueue,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let nudge = &stamped(view, nudge);
    let sent = nudge.at().unwrap_or_else(clock::now);
    let stale = |one: &Queued| {
        let age = one.nudge.at().map_or(0, |at| sent.since(at));
        !is_abort(&one.nudge) && age > TTL
    };
    for old in queue.iter().filter(|one| stale(one)) {
        draft.edit(Edit::Remove { doc: old.path.clone() });
    }
    queue.retain(|one| !stale(one));
    if queue.len() >= DEPTH {
        let oldest = queue.iter().position(|one| !is_abort(&one.nudge)).unwrap_or(0);
        draft.edit(Edit::Remove { doc: queue.remove(oldest).path });
        let path = dropped_path(to)?;
        let count = [sprag_formats::Edit::set(["dropped"], dropped + 1)];
        put(&path, text(view, &path)?.as_deref(), &count, draft)?;
    }
    line_up(to, nudge, sent, draft)?;
    if let Some(abort) = &foreign {
        // In `latest.json` alone, it would be overwritten.
        put_in_queue(to, abort, abort.at().unwrap_or(sent), draft)?;
    }
    let stands = foreign.as_ref().or_else(|| oldest_abort(&queue));
    show(view, to, stands.unwrap_or(nudge), draft)
}

/// Returns the abort that comes before all other nudges.
fn oldest_abort(queue: &[Queued]) -> Option<&Nudge> {
    queue.iter().map(|one| &one.nudge).find(|nudge| is_abort(nudge))
}

/// Removes the aborts of an agent's earlier work before it gets new work. Unreadable nudges stay.
pub(super) fn drop_aborts(
    view: &View<'_>,
    agent: &Agent,
    now: Time,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let Ok((queue, _)) = readable(view, &folder(agent, "queue")?) else { return Ok(()) };
    // The original's tools record only times.
    let is_past = |nudge: &Nudge| {
        is_abort(nudge) && (nudge.seq.is_some() || nudge.at().is_some_and(|at| at < now))
    };
    let alone = alone(view, agent, &queue).ok().flatten().filter(is_past);
    let (past, left): (Vec<_>, Vec<_>) = queue.into_iter().partition(|one| is_past(&one.nudge));
    for one in &past {
        draft.edit(Edit::Remove { doc: one.path.clone() });
    }
    for gone in past.iter().map(|one| &one.nudge).chain(&alone) {
        unstick(view, agent, gone, &left, draft)?;
    }
    Ok(())
}

/// Puts a new nudge into the queue and records it.
fn line_up(to: &Agent, nudge: &Nudge, sent: Time, draft: &mut Draft) -> Result<(), EngineError> {
    put_in_queue(to, nudge, sent, draft)?;
    let (kind, id) = (nudge.kind.clone(), nudge.id.clone().unwrap_or_default());
    draft.note(None, NudgeSent { to: to.to_string(), kind, id });
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

fn is_abort(nudge: &Nudge) -> bool {
    nudge.kind == Nudge::ABORT
}

/// Returns the nudge in `latest.json`, and whether another tool wrote it. Such a nudge has no id,
/// so its id is derived from its text and stays the same at every read.
fn shown(view: &View<'_>, agent: &Agent) -> Result<Option<(Nudge, bool)>, EngineError> {
    let path = latest(agent)?;
    let Some(text) = text(view, &path)? else { return Ok(None) };
    let mut nudge = Nudge::read(&text).map_err(|fault| wrong(&path, &fault))?;
    let is_foreign = nudge.id.is_none();
    nudge.id.get_or_insert_with(|| format!("n-{}", Hash::of(&text).short(8)));
    Ok(Some((nudge, is_foreign)))
}

/// Returns a nudge that is only in `latest.json`.
fn alone(view: &View<'_>, agent: &Agent, queue: &[Queued]) -> Result<Option<Nudge>, EngineError> {
    let Some((nudge, is_foreign)) = shown(view, agent)? else { return Ok(None) };
    let is_queued = queue.iter().any(|one| one.nudge.id == nudge.id);
    // One of ours that is not in the queue was dropped; an abort still counts.
    let waits = is_abort(&nudge) || is_foreign && nudge.kind != Nudge::RESPONSE;
    Ok((waits && !is_queued).then_some(nudge))
}

/// Returns an agent's unanswered aborts, oldest first, and the error of an unreadable nudge.
pub(super) fn aborts(
    view: &View<'_>,
    agent: &Agent,
) -> Result<(Vec<Nudge>, Option<EngineError>), EngineError> {
    let (queue, mut bad) = readable(view, &folder(agent, "queue")?)?;
    let alone = alone(view, agent, &queue).unwrap_or_else(|error| {
        bad = Some(error);
        None
    });
    let all = queue.into_iter().map(|one| one.nudge).chain(alone);
    Ok((all.filter(is_abort).collect(), bad))
}

/// Copies an abort from `latest.json` into the queue, because other tools may overwrite that file.
pub(super) fn keep_abort(
    view: &View<'_>,
    agent: &Agent,
    abort: &Nudge,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let (queue, _) = readable(view, &folder(agent, "queue")?)?;
    if queue.iter().any(|one| one.nudge.id == abort.id) {
        return Ok(());
    }
    put_in_queue(agent, abort, abort.at().unwrap_or_else(clock::now), draft)?;
    show(view, agent, abort, draft)
}

/// Writes a nudge to `latest.json`.
fn show(view: &View<'_>, to: &Agent, nudge: &Nudge, draft: &mut Draft) -> Result<(), EngineError> {
    let path = latest(to)?;
    put(&path, text(view, &path)?.as_deref(), &nudge.made(), draft)
}

struct Queued {
    path: DocPath,
    nudge: Nudge,
}

/// Returns an agent's queue, oldest first.
fn queue(view: &View<'_>, agent: &Agent) -> Result<Vec<Queued>, EngineError> {
    read(view, &folder(agent, "queue")?)
}

/// Reads the nudges of a folder, by name.
fn read(view: &View<'_>, folder: &DocPath) -> Result<Vec<Queued>, EngineError> {
    let (all, bad) = readable(view, folder)?;
    bad.map_or(Ok(all), Err)
}

/// Reads the nudges of a folder, by name, and returns the error of an unreadable one.
fn readable(
    view: &View<'_>,
    folder: &DocPath,
) -> Result<(Vec<Queued>, Option<EngineError>), EngineError> {
    let (mut all, mut bad) = (Vec::new(), None);
    for name in names(view, folder)? {
        match read_one(view, folder.join(&name)?) {
            Ok(one) => all.extend(one),
            Err(error) => bad = Some(error),
        }
    }
    Ok((all, bad))
}

fn read_one(view: &View<'_>, path: DocPath) -> Result<Option<Queued>, EngineError> {
    let Some(text) = text(view, &path)? else { return Ok(None) };
    let nudge = Nudge::read(&text).map_err(|fault| wrong(&path, &fault))?;
    Ok(Some(Queued { path, nudge }))
}

impl Engine<'_> {
    /// Sends a nudge to an agent.
    pub fn nudge_send(
        &self,
        to: &Agent,
        kind: &str,
        message: &str,
        asks: bool,
        who: &Who,
    ) -> Result<String, EngineError> {
        if kind == Nudge::ABORT {
            // An abort releases the session, so the agent itself must not send one.
            who.may(Verb::Release, to)?;
        }
        self.commit_at_once(who.name(), PATIENT, |view| {
            let mut draft = Draft::default();
            let nudge = new(who.name(), kind, message, asks, clock::now());
            // Unreadable nudges must not prevent an abort.
            let send = if is_abort(&nudge) { send_anyway } else { send };
            send(view, to, &nudge, &mut draft)?;
            Ok((draft, nudge.id.unwrap_or_default()))
        })
    }

    /// Returns everything that waits for an agent.
    pub fn nudges(&self, agent: &Agent) -> Result<Waiting, EngineError> {
        let now = clock::now();
        self.look(|view| {
            let fresh = |nudge: &Nudge| {
                let age = nudge.at().map_or(0, |at| now.since(at));
                is_abort(nudge) || age <= TTL
            };
            let queue = queue(view, agent)?;
            let alone = alone(view, agent, &queue)?;
            let all = queue.into_iter().map(|one| one.nudge).chain(alone);
            let nudges = all.filter(fresh).collect();
            let replies = read(view, &folder(agent, "replies")?)?;
            let replies = replies.into_iter().map(|one| one.nudge).collect();
            Ok(Waiting { nudges, replies, dropped: dropped(view, agent)? })
        })
    }

    /// Answers a nudge and removes it. The sender finds the answer under the nudge's id.
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
            let answered = take(view, agent, id, &mut draft)?;
            // A sender that is not an agent has no folder for answers.
            if let Ok(sender) = Agent::parse(&answered.from) {
                let mut reply = new(agent.as_str(), Nudge::RESPONSE, message, false, now);
                reply.id = Some(Id::parse(id)?.to_string());
                leave_answer(view, &sender, &reply, now, &mut draft)?;
            }
            draft.note(None, NudgeAnswered { agent: agent.to_string(), id: id.to_owned() });
            Ok((draft, ()))
        })
    }
}

/// Stores an answer for the sender, and removes that sender's old ones.
fn leave_answer(
    view: &View<'_>,
    sender: &Agent,
    reply: &Nudge,
    now: Time,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let replies = folder(sender, "replies")?;
    for old in readable(view, &replies)?.0 {
        // The sender had time to read it.
        if old.nudge.at().is_some_and(|at| now.since(at) > KEPT) {
            draft.edit(Edit::Remove { doc: old.path });
        }
    }
    let path = replies.join(&format!("{}.json", reply.id.as_deref().unwrap_or_default()))?;
    put(&path, text(view, &path)?.as_deref(), &reply.made(), draft)
}

/// Removes a nudge that waits for an agent.
fn take(view: &View<'_>, agent: &Agent, id: &str, draft: &mut Draft) -> Result<Nudge, EngineError> {
    let (mut queue, bad) = readable(view, &folder(agent, "queue")?)?;
    let has_id = |nudge: &Nudge| nudge.id.as_deref() == Some(id);
    let taken = if let Some(at) = queue.iter().position(|one| has_id(&one.nudge)) {
        let one = queue.remove(at);
        draft.edit(Edit::Remove { doc: one.path });
        one.nudge
    } else {
        let what = format!("no nudge `{}` waits for {agent}", id.escape_debug());
        let alone = alone(view, agent, &queue)?.filter(has_id);
        // The unreadable nudge may be the one.
        alone.ok_or_else(|| bad.unwrap_or(EngineError::NotFound { what }))?
    };
    unstick(view, agent, &taken, &queue, draft)?;
    Ok(taken)
}

/// Shows the next nudge in `latest.json` if the answered one was there.
fn unstick(
    view: &View<'_>,
    agent: &Agent,
    answered: &Nudge,
    left: &[Queued],
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let path = latest(agent)?;
    let shown = shown(view, agent).ok().flatten();
    if shown.is_none_or(|(shown, _)| shown.id != answered.id) {
        return Ok(());
    }
    let newest = left.last().map(|one| &one.nudge);
    if let Some(next) = oldest_abort(left).or(newest) {
        return show(view, agent, next, draft);
    }
    draft.edit(Edit::Remove { doc: path });
    Ok(())
}

/// Returns how many nudges an agent never got.
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
