//! Decides by evidence who made a change.

use serde::{Deserialize, Serialize};

use crate::{Time, stored};

/// Who made a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Author {
    /// sprag itself, which has a journal line about the change.
    Sprag,
    /// A person at this machine.
    Person,
    /// The judged agent or another agent.
    Agent,
    /// A stranger: the text came with a clone or a copy.
    Stranger,
}

impl Author {
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

    /// Returns whether a change by this author counts without a person's consent.
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
    /// The agent made the change and can undo it.
    Yes,
    /// Another agent or a person may have made the change, so it is only named.
    No,
}

/// Who made a change, and what follows for the agent at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribution {
    pub author: Author,
    /// Whether the agent at work is sent back for the change.
    pub send_back: MaySendBack,
}

impl Attribution {
    /// A change by the agent at work.
    pub const AGENT: Self = Self { author: Author::Agent, send_back: MaySendBack::Yes };
    /// A change by an agent that may not be the one at work.
    pub const SOME_AGENT: Self = Self { author: Author::Agent, send_back: MaySendBack::No };
    pub const PERSON: Self = Self { author: Author::Person, send_back: MaySendBack::No };
    pub const SPRAG: Self = Self { author: Author::Sprag, send_back: MaySendBack::No };
    /// A change that came with a clone or a copy.
    pub const STRANGER: Self = Self { author: Author::Stranger, send_back: MaySendBack::No };
}

/// The evidence about a change since the text was last known to be in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeFacts {
    pub origin: Origin,
    /// The turn in which the change may have been made.
    pub turn: TurnExtent,
    pub processes: Processes,
    pub others: Others,
    /// When the file changed; `None` if it is gone. Use the inode's change time where available: a
    /// program can set the modification time.
    pub modified: Option<Time>,
    /// When the evidence is evaluated.
    pub now: Time,
}

/// Where a text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The journal records that sprag wrote it.
    Ours,
    /// It came with a clone or a copy that no person adopted.
    Elsewhere,
    /// It was made in this project.
    Here,
}

/// How far a turn got. In a session, a turn lasts from a person's prompt to the allowed stop or the
/// next prompt; in a driven run, from the agent's start to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnExtent {
    /// There was no turn.
    None,
    /// The turn is open or just ending: every change since it began is its agent's.
    Open,
    /// The turn ended with an allowed stop, and the change came after that stop was judged.
    Stopped,
    /// The turn ended without a stop: a person interrupted the agent, or its process ended.
    Interrupted {
        /// Time of the last call from its host.
        last_call: Time,
        /// Whether a tool was running then.
        tool: Tool,
    },
}

/// Whether a tool call has begun and not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    Open,
    Closed,
}

/// Processes that agents left running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processes {
    /// A process that the session started is still alive.
    Living,
    /// No such process is alive.
    Gone,
}

/// Whether agents of other sessions had a turn in the same files meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// No other agent: this session is alone.
    None,
    /// At least one other agent.
    Open {
        /// Whether tool calls of this session named the file.
        own: OwnCalls,
    },
}

/// Whether tool calls of a session named a file; a shell command may touch any file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnCalls {
    Touched,
    Left,
}

/// Decides who made a change.
pub fn whose(facts: &ChangeFacts) -> Attribution {
    match facts.origin {
        Origin::Ours => return Attribution::SPRAG,
        Origin::Elsewhere => return Attribution::STRANGER,
        Origin::Here => {}
    }
    match (facts.turn, facts.others) {
        (TurnExtent::Open, Others::None | Others::Open { own: OwnCalls::Touched }) => {
            Attribution::AGENT
        }
        // The session that named the file is responsible for it; otherwise a shell of any session
        // may have changed it.
        (TurnExtent::Open, Others::Open { own: OwnCalls::Left }) => Attribution::SOME_AGENT,
        (TurnExtent::None | TurnExtent::Stopped, _) => between_turns(facts),
        (TurnExtent::Interrupted { last_call, tool }, others) => {
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

/// Attributes a change made while no agent has the turn: to a person, unless an agent may still
/// have made it.
fn between_turns(facts: &ChangeFacts) -> Attribution {
    let is_later = facts.modified.is_some_and(|at| at > facts.now);
    let is_anothers = matches!(facts.others, Others::Open { .. });
    match facts.processes {
        Processes::Gone if !is_later && !is_anothers => Attribution::PERSON,
        Processes::Gone | Processes::Living => Attribution::SOME_AGENT,
    }
}
