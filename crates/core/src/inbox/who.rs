//! Permissions of the inbox, as the original intends but does not check.

use super::Refusal;
use crate::Agent;

/// The caller of a verb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// A person; permitted everything.
    Person,
    /// The dispatcher: the mayor, or sling in its name.
    Mayor,
    Agent(Agent),
}

/// A requested action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Assigns work to an agent.
    Set,
    /// Begins the work.
    Activate,
    /// Reports a sign of life.
    Touch,
    /// Reports that the work waits for something.
    Wait,
    /// Reports that the work is done.
    Complete,
    /// Reports that the work cannot be done.
    Fail,
    /// Clears a verified assignment.
    Clear,
    /// Takes an assignment back; the unit is reopened.
    Release,
    /// Creates units of work and agents.
    Make,
}

impl Verb {
    /// Returns the command word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::Activate => "activate",
            Self::Touch => "touch",
            Self::Wait => "wait",
            Self::Complete => "complete",
            Self::Fail => "fail",
            Self::Clear => "clear",
            Self::Release => "release",
            Self::Make => "work add",
        }
    }

    /// Returns whether the agent itself does it, rather than the dispatcher.
    const fn is_own(self) -> bool {
        match self {
            Self::Activate | Self::Touch | Self::Wait | Self::Complete | Self::Fail => true,
            Self::Set | Self::Clear | Self::Release | Self::Make => false,
        }
    }
}

impl Who {
    /// Parses a name: `mayor`, `sling` and `mayor-…` dispatch, all others are agents.
    pub fn parse(name: &str) -> Option<Self> {
        let role = name.split('-').next().unwrap_or(name);
        match role {
            "mayor" | "sling" => Some(Self::Mayor),
            _ => Agent::parse(name).ok().map(Self::Agent),
        }
    }

    /// Returns the name, for files and messages.
    pub fn name(&self) -> &str {
        match self {
            Self::Person => "person",
            Self::Mayor => "mayor",
            Self::Agent(agent) => agent.as_str(),
        }
    }

    /// Refuses a verb that this caller may not apply to `agent`.
    pub fn may(&self, verb: Verb, agent: &Agent) -> Result<(), Refusal> {
        let allowed = match self {
            Self::Person => true,
            // A mayor has work of its own, like any other agent.
            Self::Mayor => !verb.is_own() || Self::parse(agent.as_str()) == Some(Self::Mayor),
            Self::Agent(own) => verb.is_own() && own == agent,
        };
        if allowed {
            return Ok(());
        }
        let whose = if verb.is_own() { agent.to_string() } else { "mayor".to_owned() };
        Err(Refusal::NotYours { verb: verb.as_str(), who: self.name().to_owned(), whose })
    }
}
