use std::path::PathBuf;

use sprag_core::{Agent, Fence, RunId, Time, UnitId};
use sprag_engine::drive::{AgentEnd, Shown, UnitEnd};

use crate::agent::Heard;

/// Something that happened while a run was driven, for whoever shows it.
#[derive(Clone, Debug)]
pub enum Seen<'a> {
    /// An assignment is worked on from here on.
    Assigned {
        /// The unit.
        unit: &'a UnitId,
        /// Whose it is.
        agent: &'a Agent,
        /// The run in which it is worked on.
        run: &'a RunId,
    },
    /// An assignment was given back, because whoever dispatches said to stop it.
    Aborted {
        /// The unit.
        unit: &'a UnitId,
        /// Who said so, and why.
        why: &'a str,
        /// Why whoever did gets no answer, where that is so.
        unanswered: Option<&'a str>,
    },
    /// A unit was given to an agent, or only what there is of it is judged again.
    Begun {
        /// The attempt.
        fence: Fence,
        /// The unit.
        unit: &'a UnitId,
        /// Which retry it is and how many there are; nothing for a first try.
        retry: Option<(u32, u32)>,
        /// Who works on it; nothing where nobody does and what is there is judged.
        host: Option<&'a str>,
    },
    /// An agent said or did something.
    Heard {
        /// The attempt.
        fence: Fence,
        /// What.
        heard: &'a Heard,
    },
    /// An agent's process ended.
    Ended {
        /// The attempt.
        fence: Fence,
        /// How, and what it said last.
        end: &'a AgentEnd,
    },
    /// The gates judged the work, or the attempt was lost.
    Judged {
        /// The attempt.
        fence: Fence,
        /// The unit.
        unit: &'a UnitId,
        /// What the gates said, in order.
        gates: &'a [Shown],
        /// What it came to.
        end: &'a UnitEnd,
    },
    /// An agent's work and that of others changed the same lines; the agent is told to resolve it.
    Conflict {
        /// The attempt.
        fence: Fence,
        /// The unit.
        unit: &'a UnitId,
        /// Which files.
        files: &'a [PathBuf],
    },
    /// While an agent worked, files changed that its unit does not name.
    Strays {
        /// The attempt.
        fence: Fence,
        /// The unit.
        unit: &'a UnitId,
        /// Which files, and where they are not its own.
        what: &'a [String],
    },
    /// A host takes no more work for now.
    Limited {
        /// Which one.
        host: &'a str,
        /// When it is tried again.
        until: Time,
        /// What it said.
        why: &'a str,
    },
    /// Nothing can be done before something else happens.
    Waiting {
        /// What is waited for.
        on: &'a str,
        /// Until when, if that is known.
        until: Option<Time>,
    },
    /// Somebody went to another branch in the folder in which the agents work.
    Branch {
        /// Where it was.
        from: &'a str,
        /// Where it is now.
        to: &'a str,
    },
    /// What a driver before this one had begun is gone on with.
    Resumed {
        /// The attempt.
        fence: Fence,
    },
}

/// Sees what happens while a run is driven; called from several threads.
pub trait Watch: Sync {
    /// Takes note of something that happened.
    fn see(&self, seen: &Seen<'_>);
}
