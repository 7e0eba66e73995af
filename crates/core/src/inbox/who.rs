//! Who may do what, as the original means it and does not check.

use super::Refusal;
use crate::Agent;

/// Who is asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// A person, who may do everything.
    Person,
    /// Whoever dispatches: the mayor, or sling in its name.
    Mayor,
    /// An agent.
    Agent(Agent),
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Gives an agent work.
    Set,
    /// Begins the work.
    Activate,
    /// Says that the work goes on.
    Touch,
    /// Says that the work waits for something.
    Wait,
    /// Says that the work is done.
    Complete,
    /// Says that the work cannot be done.
    Fail,
    /// Takes a verified assignment off.
    Clear,
    /// Takes an assignment back; the unit is open again.
    Release,
    /// Makes units of work and agents.
    Make,
}

impl Verb {
    /// Returns what is typed for it.
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

    /// Returns whether the agent itself does it, and not whoever gives it work.
    const fn is_own(self) -> bool {
        match self {
            Self::Activate | Self::Touch | Self::Wait | Self::Complete | Self::Fail => true,
            Self::Set | Self::Clear | Self::Release | Self::Make => false,
        }
    }
}

impl Who {
    /// Reads a name: `mayor`, `sling` and `mayor-…` dispatch, all others are agents.
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

    /// Refuses what is not this one's to do to `agent`.
    pub fn may(&self, verb: Verb, agent: &Agent) -> Result<(), Refusal> {
        let allowed = match self {
            Self::Person => true,
            // A mayor has work of its own like anybody else.
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
