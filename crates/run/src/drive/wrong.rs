//! Holds a run for errors that are no agent's fault, and records the reason for the user.

use sprag_core::{Driven, Hold, RunId, Unstarted, prompt};
use sprag_engine::drive::is_inbox;
use sprag_engine::persons::OURSELVES;

use crate::worktrees::WorktreesError;
use crate::{RunEnd, RunError, Runner};

/// The most lines and characters of a set-up's output that a hold quotes.
const LINES: usize = 3;
const TOLD: usize = 400;

impl Runner<'_> {
    /// Holds a run whose driver failed, if a person can fix the cause.
    pub(crate) fn hold_for(&self, run: &RunId, error: RunError) -> Result<RunEnd, RunError> {
        let hold = match &error {
            RunError::NotStarted { host, why } => {
                let by = if self.is_of_inbox(run) { Driven::Inbox } else { Driven::of(run) };
                Hold::NoHost(Unstarted { host: host.clone(), why: why.clone(), by })
            }
            RunError::Yard(WorktreesError::SetUp { tail, .. }) => {
                Hold::Blocked { why: format!("{error}{}", last(tail)) }
            }
            RunError::Yard(
                WorktreesError::Taken { .. }
                | WorktreesError::CheckedOut { .. }
                | WorktreesError::Touched { .. }
                | WorktreesError::TooLarge { .. },
            ) => Hold::Blocked { why: error.to_string() },
            RunError::Yard(
                WorktreesError::NoRepository { .. }
                | WorktreesError::NoProgram
                | WorktreesError::Odd { .. }
                | WorktreesError::Git { .. }
                | WorktreesError::Untrusted { .. }
                | WorktreesError::Interrupted
                | WorktreesError::Strayed { .. }
                | WorktreesError::Link(_)
                | WorktreesError::Id(_)
                | WorktreesError::Path(_)
                | WorktreesError::Store(_),
            )
            | RunError::Engine(_)
            | RunError::Driven { .. }
            | RunError::Restless
            | RunError::Ruined { .. }
            | RunError::NoPipe(_) => return Err(error),
        };
        if !is_inbox(run) && self.engine()?.pause_driven(run, &hold, OURSELVES).is_err() {
            return Err(error);
        }
        Ok(RunEnd::Held(hold))
    }

    fn is_of_inbox(&self, run: &RunId) -> bool {
        let far = self.engine().and_then(|engine| engine.drive_far(run));
        is_inbox(run) || far.is_ok_and(|far| far.source.info().is_assigned)
    }
}

/// Joins the last lines of an output into one.
fn last(tail: &str) -> String {
    let clean = prompt::evidence(tail, TOLD);
    let lines: Vec<&str> = clean.lines().map(str::trim).collect();
    let lines = &lines[lines.len().saturating_sub(LINES)..];
    if lines.is_empty() { String::new() } else { format!(": {}", lines.join("; ")) }
}
