use super::form::{self, Form};
use crate::Host;

/// A host as `init` knows it: also one that this version cannot serve yet, so that it can say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Client {
    /// Claude Code.
    Claude,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// GitHub Copilot CLI.
    Copilot,
    /// opencode.
    Opencode,
    /// pi.
    Pi,
}

/// Why a host cannot be entered by this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// It has no host hooks in its settings, and our bridge for it is not there yet.
    #[error("it needs a bridge, which this version does not have")]
    Bridge,
    /// What it says would not be understood.
    #[error("this version does not speak with it")]
    Dialect,
}

impl Client {
    /// Every host that is looked for.
    pub const ALL: [Self; 6] =
        [Self::Claude, Self::Codex, Self::Gemini, Self::Copilot, Self::Opencode, Self::Pi];

    /// Returns the host of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|client| client.name() == name)
    }

    /// Returns its name, which is also that of its program.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Copilot => "copilot",
            Self::Opencode => "opencode",
            Self::Pi => "pi",
        }
    }

    /// Returns how its settings are written; nothing for a host that needs a bridge.
    pub const fn form(self) -> Option<&'static Form> {
        match self {
            Self::Claude => Some(&form::CLAUDE),
            Self::Codex => Some(&form::CODEX),
            Self::Gemini => Some(&form::GEMINI),
            Self::Copilot => Some(&form::COPILOT),
            Self::Opencode | Self::Pi => None,
        }
    }

    /// Returns why this version cannot serve it, if it cannot.
    pub fn obstacle(self) -> Option<Obstacle> {
        match (self.form(), Host::from_name(self.name())) {
            (None, _) => Some(Obstacle::Bridge),
            (Some(_), None) => Some(Obstacle::Dialect),
            (Some(_), Some(_)) => None,
        }
    }
}

impl std::fmt::Display for Client {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.name().fmt(out)
    }
}
