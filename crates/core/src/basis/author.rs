//! Whose change it is, decided by evidence.

use serde::{Deserialize, Serialize};

use crate::{Time, stored};

/// Who made a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Author {
    /// sprag itself, which has a line about it.
    Sprag,
    /// A person here.
    Person,
    /// The agent that is judged, or another one.
    Agent,
    /// A stranger: the text came with a clone or a copy.
    Stranger,
}

impl Author {
    /// Every author.
    pub const ALL: [Self; 4] = [Self::Sprag, Self::Person, Self::Agent, Self::Stranger];

    /// Returns the word used in files and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sprag => "sprag",
            Self::Person => "person",
            Self::Agent => "agent",
            Self::Stranger => "stranger",
        }
    }

    /// Returns whether a change counts without a person's yes.
    pub const fn is_trusted(self) -> bool {
        match self {
            Self::Sprag | Self::Person => true,
            Self::Agent | Self::Stranger => false,
        }
    }
}

stored!(word Author);

/// Whether an agent may be sent back for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MaySendBack {
    /// It made the change and can undo it.
    Yes,
    /// Another agent or a person may have made it: the change is only named.
    No,
}

/// Whose change it is, and what follows for the agent at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribution {
    /// Who made the change.
    pub author: Author,
    /// Whether the agent at work is sent back for it.
    pub send_back: MaySendBack,
}

impl Attribution {
    /// The agent at work made the change.
    pub const AGENT: Self = Self { author: Author::Agent, send_back: MaySendBack::Yes };
    /// An agent made the change, and perhaps not the one at work.
    pub const SOME_AGENT: Self = Self { author: Author::Agent, send_back: MaySendBack::No };
    /// A person made the change.
    pub const PERSON: Self = Self { author: Author::Person, send_back: MaySendBack::No };
    /// sprag made the change.
    pub const SPRAG: Self = Self { author: Author::Sprag, send_back: MaySendBack::No };
    /// It came from elsewhere.
    pub const STRANGER: Self = Self { author: Author::Stranger, send_back: MaySendBack::No };
}

/// What is known of one change, since the text was last known to be in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeFacts {
    /// Where the text comes from.
    pub origin: Origin,
    /// The turn in which it may have been made.
    pub turn: Turn,
    /// What agents left running.
    pub processes: Processes,
    /// Who else is at work.
    pub others: Others,
    /// When the file changed; nothing where it is gone. Give the inode's change time where there is
    /// one: a program can set the other.
    pub modified: Option<Time>,
    /// When this is looked at.
    pub now: Time,
}

/// Where a text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A line of ours says that we wrote it.
    Ours,
    /// It came with a clone or a copy that no person adopted.
    Elsewhere,
    /// It was made here.
    Here,
}

/// How far a turn came. In a session it lasts from a person's prompt to the stop that is allowed, or
/// to the next prompt; in a driven run from the agent's start to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// There was none.
    None,
    /// It is open, or just ends: whatever changed since it began is its agent's.
    Open,
    /// It ended by a stop that was allowed, and this changed after that stop was judged.
    Stopped,
    /// It ended without a stop: a person interrupted the agent, or its process ended.
    Interrupted {
        /// When its host called last.
        last_call: Time,
        /// Whether a tool was at work then.
        tool: Tool,
    },
}

/// Whether a tool call was begun and not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// It was.
    Open,
    /// It was not.
    Closed,
}

/// What agents left running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processes {
    /// A process that the session started still lives.
    Living,
    /// None does.
    Gone,
}

/// Whether the agents of other sessions had the turn in the same files meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// None had: this session is alone.
    None,
    /// One had.
    Open {
        /// Whether calls of this session named the file.
        own: OwnCalls,
    },
}

/// Whether calls of a session touched a file by its name; a shell may touch any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnCalls {
    /// They did.
    Touched,
    /// They did not.
    Left,
}

/// Returns whose change it is.
pub fn whose(facts: &ChangeFacts) -> Attribution {
    match facts.origin {
        Origin::Ours => return Attribution::SPRAG,
        Origin::Elsewhere => return Attribution::STRANGER,
        Origin::Here => {}
    }
    match (facts.turn, facts.others) {
        (Turn::Open, Others::None | Others::Open { own: OwnCalls::Touched }) => Attribution::AGENT,
        // The session that touched it by name answers for it; a shell of any session may have changed it.
        (Turn::Open, Others::Open { own: OwnCalls::Left }) => Attribution::SOME_AGENT,
        (Turn::None | Turn::Stopped, _) => between_turns(facts),
        (Turn::Interrupted { last_call, tool }, others) => {
            let was_before = facts.modified.is_none_or(|at| at <= last_call);
            match (was_before, tool, others) {
                (true, _, Others::None | Others::Open { own: OwnCalls::Touched }) => {
                    Attribution::AGENT
                }
                (true, _, Others::Open { own: OwnCalls::Left }) | (false, Tool::Open, _) => {
                    Attribution::SOME_AGENT
                }
                (false, Tool::Closed, _) => between_turns(facts),
            }
        }
    }
}

/// Returns whose change it is where no agent has the turn: a person's, unless an agent may have made
/// it all the same.
fn between_turns(facts: &ChangeFacts) -> Attribution {
    let is_later = facts.modified.is_some_and(|at| at > facts.now);
    let is_anothers = matches!(facts.others, Others::Open { .. });
    match facts.processes {
        Processes::Gone if !is_later && !is_anothers => Attribution::PERSON,
        Processes::Gone | Processes::Living => Attribution::SOME_AGENT,
    }
}
