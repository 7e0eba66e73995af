//! A session in several worktrees of the project's repository.
//!
//! An agent may move to a linked worktree during its session. Its runs are judged by the files
//! there from then on. Its guard is judged in every worktree that it worked in: an agent that
//! leaves failing files behind is not done.

use sprag_core::SessionId;
use sprag_store::{Doc, Place, View};
use sprag_world::root;

use crate::config;
use crate::engine::{Engine, EngineError};
use crate::integrity::in_force::{Base, InForce};
use crate::session::{self, LoadedSession};
use crate::stop::{StopAnswer, StopScope, Stopping};

impl Engine<'_> {
    /// Decides whether a session may stop: first in the worktrees that it left, then in the current
    /// one.
    pub fn stop(&self, id: &SessionId, stopping: Stopping<'_>) -> Result<StopAnswer, EngineError> {
        let mut told = Vec::new();
        for place in self.left_behind(id)? {
            let there = Engine::open(&place, self.environment)?;
            match there.stop_in(id, stopping, StopScope::Guard)? {
                StopAnswer::Allow { say } => told.extend(say),
                StopAnswer::Refuse { message, say } => {
                    let folder = place.root.display();
                    let message = format!("In {folder}, where you worked before:\n{message}");
                    return Ok(StopAnswer::Refuse { message, say });
                }
            }
        }
        Ok(match self.stop_in(id, stopping, StopScope::Whole)? {
            StopAnswer::Allow { mut say } => {
                told.retain(|one| !say.contains(one));
                say.extend(told);
                StopAnswer::Allow { say }
            }
            refused @ StopAnswer::Refuse { .. } => refused,
        })
    }

    /// Returns the other worktrees that a session worked in. A deleted worktree has nothing to
    /// judge.
    fn left_behind(&self, id: &SessionId) -> Result<Vec<Place>, EngineError> {
        let names = self.look(|view| match session::read(view, id)? {
            LoadedSession::Seen(mut file) => {
                file.turn_to(self.worktree());
                Ok(file.other_worktrees())
            }
            LoadedSession::New | LoadedSession::Unreadable { .. } => Ok(Vec::new()),
        })?;
        Ok(names.iter().filter_map(|name| root::at_worktree(self.place, name)).collect())
    }

    /// Returns the name of the linked worktree; empty for the main one.
    pub(crate) fn worktree(&self) -> &str {
        self.place.worktree.as_ref().map_or("", |worktree| &worktree.0)
    }

    /// Returns the text of the main worktree's configuration if a session in a linked worktree
    /// begins under it. The linked worktree's own configuration counts only as committed.
    pub(crate) fn guarded_by(
        &self,
        view: &View<'_>,
        in_force: &InForce,
    ) -> Result<Option<String>, EngineError> {
        if self.place.worktree.is_none() {
            return Ok(None);
        }
        let path = config::path()?;
        let [own, main] = [Base::Here, Base::Main].map(|base| in_force.document(view, &path, base));
        let (Doc::Text(own), Doc::Text(main)) = (own, main) else { return Ok(None) };
        let committed =
            || self.git_at_hand().committed("HEAD", path.as_str()) == Some(own.as_bytes().to_vec());
        Ok((own != main && !committed()).then_some(main))
    }
}
