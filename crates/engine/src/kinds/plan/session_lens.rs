//! The lens between a session's loop and `STATE.md`, which holds the loop's whole position.

use sprag_core::plan::{Holding, LoopState};
use sprag_core::{Fields, Hold, Plain, Run, Stored, Unreadable};
use sprag_formats::StoredFile;
use sprag_store::View;

use super::docs::{self, is_session};
use super::lens::{at, put};
use super::turn::{self, LoopTurn, TURN};
use crate::kinds::plan::in_session::LoopRun;
use crate::run_file::Unusable;

/// Loads a session's loop. If the document is unreadable during the agent's turn, its previous
/// state is used.
pub(crate) fn open_loop(view: &View<'_>, file: &StoredFile) -> Result<LoopRun, Unusable> {
    let bad = |bad: Unreadable| Unusable::Wrong(Box::new(file.fault(&bad)));
    let (text, read, trouble) = match docs::state(view) {
        Ok((text, read)) => (text, read, None),
        Err(unusable) => (None, None, Some(unusable)),
    };
    let mut turn = LoopTurn::read(file.plain(), text.as_deref()).map_err(bad)?;
    let settings = docs::settings(view)?;
    let question = turn.noted.as_ref().and_then(|noted| noted.question.clone());
    let definition = Holding { settings, question, ..Holding::default() };
    let (specs, at) = (Vec::new(), sprag_world::clock::now());
    if let Some(trouble) = trouble {
        let kept = turn.noted.as_ref().filter(|noted| noted.open).map(|noted| &noted.kept.state);
        let Some(kept) = kept.cloned() else { return Err(trouble) };
        let run = lift_loop(file.plain(), &kept).map_err(bad)?;
        turn.trouble = Some(trouble.to_string());
        let (state, elsewhere) = (None, true);
        return Ok(LoopRun { definition, specs, run, state, read: kept, elsewhere, turn, at });
    }
    let read = read.unwrap_or_default();
    if let Some(weighed) = turn.count(&read) {
        let (run, _) = owned(file.plain(), &weighed.kept.state).map_err(bad)?;
        turn.weighed = Some(Box::new((run, weighed)));
    }
    let (run, elsewhere) = owned(file.plain(), &read).map_err(bad)?;
    Ok(LoopRun { definition, specs, run, state: text, read, elsewhere, turn, at })
}

/// Loads a run with the state of `STATE.md`, and finds out whether another session has the loop.
fn owned(plain: &Plain, state: &LoopState) -> Result<(Run<LoopState>, bool), Unreadable> {
    let run = lift_loop(plain, state)?;
    let elsewhere = match (state.session_id.as_deref(), run.owner()) {
        (Some(id), Some(owner)) => !is_session(id, owner),
        (None, _) | (_, None) => false,
    };
    // A loop that moved to another session is over for this one.
    let over = LoopState { active: false, ..state.clone() };
    Ok((if elsewhere { run.at(over) } else { run }, elsewhere))
}

/// Combines a run's own file with the state in `STATE.md`.
pub(crate) fn lift_loop(plain: &Plain, state: &LoopState) -> Result<Run<LoopState>, Unreadable> {
    let mut plain = plain.clone();
    let attempts: Vec<sprag_core::Attempt> = Fields::of(&plain)?.get("attempts")?;
    let hold: Option<Hold> = Fields::of(&plain)?.get("hold")?;
    put(&mut plain, "position", state.lower());
    // Only the document records a pause, and nothing works on the loop then.
    let goes_on = state.active && !state.paused && !state.completed;
    let freed = attempts.iter().filter(|_| goes_on).map(|attempt| {
        let mut plain = attempt.lower();
        put(&mut plain, "hold", Plain::Null);
        plain
    });
    put(&mut plain, "attempts", Plain::List(freed.collect()));
    if hold.is_some_and(|hold| hold.is_pause()) {
        put(&mut plain, "hold", Plain::Null);
    }
    let run = Run::<LoopState>::lift(&plain)?;
    Ok(run.at(state.clone()))
}

/// Returns the plain form for `run.yaml`: everything but the position, and the fields that the
/// agent may not decide.
pub(crate) fn lower_loop(held: &LoopRun) -> Plain {
    let mut plain = held.run.lower();
    put(&mut plain, TURN, turn::lower(held.noted().as_ref()));
    if let Some(position) = at(&mut plain, "position") {
        *position = Plain::Null;
    }
    plain
}

/// Returns the host's own id of the owner, for `STATE.md`.
pub(crate) fn raw_owner(run: &Run<LoopState>) -> Option<&str> {
    run.owner().map(docs::own_id)
}
