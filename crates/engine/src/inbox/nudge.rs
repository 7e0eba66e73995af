//! Nudges: the latest one where the original looks for it, and a queue that loses none.
//!
//! An abort stands in `latest.json` until it is answered: a later health check goes to the queue
//! and not over it. Each answer has a file of its own, so that answers to one sender do not
//! overwrite each other. A queue that is full drops its oldest and counts that.

use sprag_core::event::{NudgeAnswered, NudgeSent};
use sprag_core::inbox::{Verb, Who};
use sprag_core::{Agent, DocPath, Hash, Id, Time};
use sprag_formats::chipset::Nudge;
use sprag_formats::{Document, Format};
use sprag_store::{Edit, View};

use super::mail::names;
use super::paths;
use super::seat::{put, text, wrong};
use crate::engine::{Engine, EngineError, PATIENT};
use crate::tx::Draft;
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
    let queue = queue(view, to)?;
    let foreign = alone(view, to, &queue)?.filter(is_abort);
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
        // Only where the original looks it would be written over.
        put_in_queue(to, abort, abort.at().unwrap_or(sent), draft)?;
    }
    let stands = foreign.as_ref().or_else(|| oldest_abort(&queue));
    show(view, to, stands.unwrap_or(nudge), draft)
}

/// Returns the abort that has to be seen before everything else that waits.
fn oldest_abort(queue: &[Queued]) -> Option<&Nudge> {
    queue.iter().map(|one| &one.nudge).find(|nudge| is_abort(nudge))
}

/// Removes the aborts of what an agent had before it gets work now: they mean nothing any more.
/// What cannot be read stays.
pub(super) fn drop_aborts(
    view: &View<'_>,
    agent: &Agent,
    now: Time,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let Ok((queue, _)) = readable(view, &folder(agent, "queue")?) else { return Ok(()) };
    // The original's own tools know only the clock.
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

/// Puts a nudge that is sent now into the queue.
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

/// Returns what stands where the original looks, and whether its own tools left it. That has no id:
/// it is known by its text, so that it is the same one at every look.
fn shown(view: &View<'_>, agent: &Agent) -> Result<Option<(Nudge, bool)>, EngineError> {
    let path = latest(agent)?;
    let Some(text) = text(view, &path)? else { return Ok(None) };
    let mut nudge = Nudge::read(&text).map_err(|fault| wrong(&path, &fault))?;
    let is_foreign = nudge.id.is_none();
    nudge.id.get_or_insert_with(|| format!("n-{}", Hash::of(&text).short(8)));
    Ok(Some((nudge, is_foreign)))
}

/// Returns a nudge that waits only where the original looks.
fn alone(view: &View<'_>, agent: &Agent, queue: &[Queued]) -> Result<Option<Nudge>, EngineError> {
    let Some((nudge, is_foreign)) = shown(view, agent)? else { return Ok(None) };
    let is_queued = queue.iter().any(|one| one.nudge.id == nudge.id);
    // One of ours that is not in the queue was dropped; for an abort that is no answer.
    let waits = is_abort(&nudge) || is_foreign && nudge.kind != Nudge::RESPONSE;
    Ok((waits && !is_queued).then_some(nudge))
}

/// Returns the aborts that an agent has not answered, oldest first, and what in their place cannot
/// be read.
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

/// Keeps an abort that only stands where the original looks, where its own tools would write the
/// next nudge over it.
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
    let (all, bad) = readable(view, folder)?;
    bad.map_or(Ok(all), Err)
}

/// Reads the nudges of a folder that can be read, by name, and says where one cannot.
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
            // What others left there must not keep anybody from ending work.
            let send = if is_abort(&nudge) { send_anyway } else { send };
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
            let answered = take(view, agent, id, &mut draft)?;
            // Whoever has no name that an agent could have looks for no answer here.
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

/// Leaves an answer where whoever asked looks for it, and removes the old ones there.
fn leave_answer(
    view: &View<'_>,
    sender: &Agent,
    reply: &Nudge,
    now: Time,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let replies = folder(sender, "replies")?;
    for old in readable(view, &replies)?.0 {
        // Whoever asked has looked by now.
        if old.nudge.at().is_some_and(|at| now.since(at) > KEPT) {
            draft.edit(Edit::Remove { doc: old.path });
        }
    }
    let path = replies.join(&format!("{}.json", reply.id.as_deref().unwrap_or_default()))?;
    put(&path, text(view, &path)?.as_deref(), &reply.made(), draft)
}

/// Takes a nudge away that waits for an agent.
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
        // What cannot be read may be it.
        alone.ok_or_else(|| bad.unwrap_or(EngineError::NotFound { what }))?
    };
    unstick(view, agent, &taken, &queue, draft)?;
    Ok(taken)
}

/// Lets the next nudge be seen, where the answered one stood in its way.
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
