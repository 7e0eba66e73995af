use std::path::PathBuf;

use sprag_core::{Agent, Fence, RunId, Time, UnitId};
use sprag_engine::drive::{AgentEnd, GateShown, UnitEnd};

use crate::agent::OutputEvent;

/// An event of a driven run, for display.
#[derive(Clone, Debug)]
pub enum RunEvent<'a> {
    /// Work on an assignment begins.
    Assigned {
        unit: &'a UnitId,
        agent: &'a Agent,
        /// The run in which the agent works on it.
        run: &'a RunId,
    },
    /// An assignment was given back, because the dispatcher aborted it.
    Aborted {
        unit: &'a UnitId,
        /// Who aborted it, and why.
        why: &'a str,
        /// Why the reply to the dispatcher failed, if it did.
        unanswered: Option<&'a str>,
    },
    /// A unit was given to an agent, or its existing work is judged again.
    Begun {
        fence: Fence,
        unit: &'a UnitId,
        /// The number of this retry and the maximum; `None` on the first try.
        retry: Option<(u32, u32)>,
        /// The agent's host; `None` if only existing work is judged.
        host: Option<&'a str>,
    },
    Heard {
        fence: Fence,
        heard: &'a OutputEvent,
    },
    /// An agent's process ended.
    Ended {
        fence: Fence,
        /// How it ended, and its last message.
        end: &'a AgentEnd,
    },
    /// The gates judged the work, or the attempt was lost.
    Judged {
        fence: Fence,
        unit: &'a UnitId,
        /// The gate results, in order.
        gates: &'a [GateShown],
        end: &'a UnitEnd,
    },
    /// The work of two agents changed the same lines; the agent is asked to resolve the conflict.
    Conflict {
        fence: Fence,
        unit: &'a UnitId,
        files: &'a [PathBuf],
    },
    /// Files outside the unit changed during an agent's turn.
    Strays {
        fence: Fence,
        unit: &'a UnitId,
        /// The files, with a note if they are outside the agent's worktree.
        what: &'a [String],
    },
    /// A host accepts no work for now.
    Limited {
        host: &'a str,
        /// When the host is tried again.
        until: Time,
        /// The host's message.
        why: &'a str,
    },
    /// Nothing can happen before some other event.
    Waiting {
        /// The reason for the wait.
        on: &'a str,
        /// When the wait ends, if known.
        until: Option<Time>,
    },
    /// Another branch was checked out in the folder in which the agents work.
    Branch {
        from: &'a str,
        to: &'a str,
    },
    /// An earlier driver's attempt resumes.
    Resumed {
        fence: Fence,
    },
}

/// Receives the events of a driven run; called from several threads.
pub trait Watch: Sync {
    fn see(&self, seen: &RunEvent<'_>);
}
