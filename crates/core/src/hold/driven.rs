use std::fmt;

use crate::{Plain, RunId, Stored, Unreadable};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Driven {
    /// All assignments of this project together.
    Inbox,
    Run(RunId),
}

impl Driven {
    /// A reserved name that no run has.
    const INBOX: &'static str = "inbox";

    /// Returns the target with this name.
    pub fn of(name: &RunId) -> Self {
        if name.as_str() == Self::INBOX { Self::Inbox } else { Self::Run(name.clone()) }
    }

    /// Returns the name of the run, or `inbox`.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Inbox => Self::INBOX,
            Self::Run(run) => run.as_str(),
        }
    }

    /// Returns the command that a person uses to drive it again.
    pub fn again(&self) -> String {
        match self {
            Self::Inbox => format!("sprag run {}", Self::INBOX),
            Self::Run(run) => format!("sprag resume {run}"),
        }
    }
}

impl fmt::Display for Driven {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl Stored for Driven {
    fn lower(&self) -> Plain {
        self.as_str().into()
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let name = RunId::parse(&String::lift(plain)?);
        name.map(|name| Self::of(&name)).map_err(|bad| Unreadable::here(bad.to_string()))
    }
}
