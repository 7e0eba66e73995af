//! Makes one answer of what all runs of a session say, and carries it out.

use sprag_core::{
    Effect, Facts, Hash, Id, Kind, Rank, Reply, Session, Signal, Stop, UnitId, Vote, merge,
};

use super::ends::mine;
use super::{Answer, Stopping};
use crate::draft::Draft;
use crate::engine::EngineError;
use crate::inbox::gupp::AtWork;
use crate::run_file::{RunFile, Source};
use crate::sitting::{Now, Sitting, protected};

/// Makes one answer of the votes of all runs, and counts it.
pub(super) fn vote(
    sitting: &mut Sitting,
    work: Option<&mut AtWork>,
    stopping: Stopping<'_>,
    facts: &Facts,
    draft: &mut Draft,
) -> Result<Reply, EngineError> {
    let desk = sitting.desk();
    let mut votes: Vec<(Rank, Vote)> = sitting
        .runs
        .iter()
        .map(|run| (run.live.rank(), run.live.vote(&desk, facts).unwrap_or(Vote::Silent)))
        .collect();
    let own = work.as_ref().map(|work| work.seat.slice.vote(&desk, facts));
    let refuses = matches!(own, Some(Vote::Refuse { .. }));
    votes.extend(own.map(|vote| (Rank::Assignment, vote)));
    let limits =
        [sitting.law.config.limits, sitting.guard().map_or_else(Default::default, |g| g.limits)];
    let of_project = limits.into_iter().filter_map(|limits| limits.blocks_without_progress);
    let of_runs = sitting.runs.iter().filter_map(|run| run.live.patience());
    let stop = Stop {
        cap: stopping.cap,
        limit: of_project.chain(of_runs).min(),
        mark: mark(sitting, facts.tree),
        now: facts.now,
    };
    let (desk, reply) = merge(&desk, &stop, &votes);
    sitting.file.sit(desk);
    let session = sitting.session.clone();
    for (run, (_, vote)) in sitting.runs.iter_mut().zip(votes) {
        if let Vote::Refuse { unit } = vote {
            carry_out(run, unit.id, &session, &reply, facts, draft)?;
        }
    }
    if let (Reply::Stalled { hold, .. }, Some(work), true) = (&reply, work, refuses) {
        draft.tell(&crate::inbox::run()?, work.seat.slice.stall(hold.clone(), facts)?);
    }
    Ok(reply)
}

/// Begins what a refusal names, and holds what got nowhere.
fn carry_out(
    run: &mut RunFile,
    unit: UnitId,
    session: &Session,
    reply: &Reply,
    facts: &Facts,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let hold = match reply {
        Reply::Allow { .. } => return Ok(()),
        Reply::Refused { .. } => None,
        Reply::Stalled { hold, .. } => Some(hold),
    };
    let id = run.id().clone();
    if mine(run, session).is_empty() {
        let begin = Signal::Begin { unit, agent: None, session: Some(session.clone()) };
        draft.tell(&id, run.live.step(&begin, facts)?);
    }
    let Some(hold) = hold else { return Ok(()) };
    for fence in mine(run, session) {
        let stall = Signal::Stall { fence, hold: hold.clone() };
        draft.tell(&id, run.live.step(&stall, facts)?);
    }
    Ok(())
}

/// Returns how far the work is.
fn mark(sitting: &Sitting, tree: Hash) -> Hash {
    let mut text = tree.to_string();
    for run in &sitting.runs {
        text.push_str(&sprag_formats::new_file(&run.live.position()));
    }
    Hash::of(text)
}

/// Puts the news of work that was taken away before a refusal; where the stop is let go, a person
/// hears it.
pub(super) fn after_loss(reply: Reply, lost: Option<String>, sitting: &mut Sitting) -> Reply {
    match (reply, lost) {
        (Reply::Refused { message }, Some(lost)) => {
            Reply::Refused { message: format!("{lost}\n{message}") }
        }
        (reply, lost) => {
            sitting.trouble.extend(lost);
            reply
        }
    }
}

/// Closes what is done, says what a person should know, and notes the answer.
pub(super) fn close(
    sitting: &mut Sitting,
    now: &Now<'_>,
    facts: &Facts,
    reply: Reply,
    draft: &mut Draft,
) -> Result<Answer, EngineError> {
    let mut say = std::mem::take(&mut sitting.trouble);
    for run in &mut sitting.runs {
        say.extend(settle(run, now, facts, draft)?);
        let waits = run.news(facts).into_iter().map(|waiting| waiting.hold);
        let waits = waits.chain(run.awaits_review(facts));
        say.extend(waits.map(|hold| format!("{} waits for you: {hold}", run.id())));
    }
    let over = |run: &&Id| {
        let found = sitting.runs.iter().find(|file| file.id().as_str() == run.as_str());
        found.is_some_and(|file| file.header.ended.is_some())
    };
    let ended: Vec<Id> = sitting.file.runs.iter().filter(over).cloned().collect();
    sitting.file.runs.retain(|run| !ended.contains(run));
    let session = sitting.id.as_str();
    let (kind, why, answer) = match reply {
        Reply::Allow { why } => (Kind::StopAllowed, why.join("; "), Answer::Allow { say }),
        Reply::Refused { message } => {
            sitting.file.refuse_with(&message);
            let line = message.lines().next().unwrap_or_default().to_owned();
            (Kind::StopRefused, line, Answer::Refuse { message, say })
        }
        Reply::Stalled { hold, .. } => (Kind::StopAllowed, hold.to_string(), Answer::Allow { say }),
    };
    let mut data = serde_json::json!({ "session": session });
    if !why.is_empty() {
        data["why"] = why.into();
    }
    draft.note(None, kind, data);
    Ok(answer)
}

/// Takes note of a run's new phase or end, and does what it has in its outbox for a person.
pub(crate) fn settle(
    run: &mut RunFile,
    now: &Now<'_>,
    facts: &Facts,
    draft: &mut Draft,
) -> Result<Vec<String>, EngineError> {
    let mut say = Vec::new();
    let id = run.id().clone();
    for effect in run.live.outbox().to_vec() {
        if let Effect::Notify { text } = &effect {
            say.push(text.clone());
            draft.tell(&id, run.live.step(&Signal::Performed { effect }, facts)?);
        }
    }
    if matches!(run.header.source, Source::Workflow(_)) && run.has_moved() {
        run.header.protected = protected(now.tree()?, run.live.specs());
        run.header.entered = Some(facts.now);
        run.header.base = run.is_reviewed().then(|| now.commit()).flatten();
    }
    if let Some(notice) = run.ending(facts) {
        run.header.ended = Some(facts.now);
        run.header.notified = true;
        say.extend(notice);
    }
    Ok(say)
}
