//! Decides whether an agent may be working, so that a change without our journal line may be its
//! own.

use sprag_core::inbox::{AgentRecord, AssignmentStatus, FOREIGN};
use sprag_core::{Attempt, DocPath, SessionId};
use sprag_store::View;
use sprag_world::process::{self, Life};

use super::assignment_files::read_ours;
use super::board::agents_in;
use super::paths;
use crate::engine::EngineError;
use crate::session::{self, LoadedSession};

/// Returns whether a known session works on an assignment, begun and neither ended nor handed in.
/// The original's tools have no sessions, so work that they activate does not count.
pub(super) fn is_open(view: &View<'_>) -> Result<bool, EngineError> {
    for agent in agents_in(view, &DocPath::parse(paths::OURS)?)? {
        let Ok((_, holder)) = read_ours::<AgentRecord>(view, &paths::holder(&agent)?) else {
            continue;
        };
        let is_active = holder.known.is_some_and(|slot| slot.status() == AssignmentStatus::Active);
        let session = holder.attempt.as_ref().and_then(Attempt::session);
        let session = session.filter(|session| is_active && **session != FOREIGN);
        if session.map(|session| may_work(view, session)).transpose()? == Some(true) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether a session may still be working.
fn may_work(view: &View<'_>, session: &SessionId) -> Result<bool, EngineError> {
    Ok(match session::read(view, session)? {
        LoadedSession::Seen(file) => {
            let life = file.process.as_deref().map_or(Life::Unknown, process::life);
            file.ended.is_none() && life != Life::Gone
        }
        LoadedSession::New | LoadedSession::Unreadable { .. } => true,
    })
}
