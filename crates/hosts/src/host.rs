use crate::{Class, Heard, NotUnderstood, Output, Reply, claude};

/// A program that runs an agent and calls us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Host {
    /// Claude Code.
    Claude,
}

/// A file in which a host looks up whom to call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Where the path begins.
    pub at: At,
    /// The path below that, with `/`.
    pub path: &'static str,
}

/// Where the path of a [`Setting`] begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// At the project, or at the folder the session was started in.
    Project,
    /// At the person's home.
    Home,
}

impl Host {
    /// Every host.
    pub const ALL: [Self; 1] = [Self::Claude];

    /// Returns the host of this name, as in `sprag hook claude`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|host| host.name() == name)
    }

    /// Returns the name, also for file names.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
        }
    }

    /// Returns how many refused stops in a row it endures, where it has such a cap.
    pub const fn refusals(self) -> Option<u32> {
        match self {
            Self::Claude => Some(8),
        }
    }

    /// Returns the files that say whom this host calls; agents may not edit them.
    pub const fn settings(self) -> &'static [Setting] {
        match self {
            Self::Claude => claude::SETTINGS,
        }
    }

    /// Returns what kind of tool `name` is at this host.
    pub fn class(self, name: &str) -> Class {
        match self {
            Self::Claude => claude::class(name),
        }
    }

    /// Returns this host's counterparts of one of pi's tools, none for other names.
    pub fn counterparts(self, pi: &str) -> &'static [&'static str] {
        match self {
            Self::Claude => claude::counterparts(pi),
        }
    }

    /// Understands what the host said; `event` is the name given on the command line, for what
    /// does not name itself.
    pub fn decode(self, said: &[u8], event: Option<&str>) -> Result<Heard, NotUnderstood> {
        match self {
            Self::Claude => claude::decode(said, event),
        }
    }

    /// Writes a reply as this host reads it.
    ///
    /// A reply that the event cannot express takes the nearest form that stops nothing.
    pub fn encode(self, heard: &Heard, reply: &Reply) -> Output {
        match self {
            Self::Claude => claude::encode(heard, reply),
        }
    }
}
