//! The lens between a loop that an agent drives in its session and `STATE.md`, which is its whole
//! position.

use sprag_core::plan::{Holding, LoopState};
use sprag_core::{Fields, Hold, Plain, Run, Stored, Unreadable};
use sprag_formats::StoredFile;
use sprag_store::View;

use super::docs::{self, is_session};
use super::lens::{at, put};
use crate::live::LoopRun;
use crate::run_file::Unusable;

/// Reads a loop in a session.
pub(crate) fn open_loop(view: &View<'_>, file: &StoredFile) -> Result<LoopRun, Unusable> {
    let (text, read) = docs::state(view)?;
    let settings = docs::settings(view)?;
    let bad = |bad: Unreadable| Unusable::Wrong(Box::new(file.fault(&bad)));
    let read = read.unwrap_or_default();
    let run = lift_loop(file.plain(), &read).map_err(bad)?;
    let owner = run.owner();
    let elsewhere = read
        .session_id
        .as_deref()
        .is_some_and(|id| owner.is_some_and(|owner| !is_session(id, owner)));
    // A loop that went to another session is over for this one.
    let over = LoopState { active: false, ..read.clone() };
    let run = if elsewhere { run.at(over) } else { run };
    let definition = Holding { settings, ..Holding::default() };
    let (specs, at) = (Vec::new(), crate::clock::now());
    Ok(LoopRun { definition, specs, run, state: text, read, elsewhere, at })
}

/// Reads a run from its own file and from what `STATE.md` says.
pub(crate) fn lift_loop(plain: &Plain, state: &LoopState) -> Result<Run<LoopState>, Unreadable> {
    let mut plain = plain.clone();
    let attempts: Vec<sprag_core::Attempt> = Fields::of(&plain)?.get("attempts")?;
    let hold: Option<Hold> = Fields::of(&plain)?.get("hold")?;
    put(&mut plain, "position", state.lower());
    // Whether it stands still is said in the document alone, and then nobody works on it.
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

/// Returns what stands in `run.yaml`: everything but the position.
pub(crate) fn lower_loop(run: &Run<LoopState>) -> Plain {
    let mut plain = run.lower();
    if let Some(position) = at(&mut plain, "position") {
        *position = Plain::Null;
    }
    plain
}

/// Returns the id that the owner's host gave it, for `STATE.md`.
pub(crate) fn raw_owner(run: &Run<LoopState>) -> Option<&str> {
    run.owner().map(docs::own_id)
}
