//! The format of each host's settings: files, events, fields (specs/hosts.md).

use std::time::Duration;

use crate::{Ability, Host, Setting};

/// The reason why a host without a [`SettingsLayout`] has no entries.
pub const NO_BRIDGE: &str = "it is entered by a bridge, not by entries in its settings";

impl Host {
    /// The format of the host's settings; `None` for a host that needs a bridge.
    pub const fn form(self) -> Option<&'static SettingsLayout> {
        self.row().install.layout
    }
}

/// The people that settings apply to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One person.
    Personal,
    /// All people who have the project.
    Shared,
}

/// The format of a host's settings.
#[derive(Clone, Copy, Debug)]
pub struct SettingsLayout {
    /// The file for one person.
    pub personal: Setting,
    /// The file that is shared with the project.
    pub shared: Setting,
    /// Every file in which the host looks for entries.
    pub read: &'static [Setting],
    /// The host's command for reviewing entries; the host skips entries until a person has run it.
    pub review: Option<&'static str>,
    /// The events that sprag registers for, in the order of a session.
    pub events: &'static [&'static str],
    /// The event that may be refused. Its entry gets a time limit.
    pub stop: &'static str,
    /// The switch that turns all entries off: its path, and the value that does so.
    pub switch: Option<(&'static [&'static str], bool)>,
    pub layout: EntryLayout,
    /// The field for the time limit of the stop, and its unit.
    pub unit: TimeUnit,
    /// The field at the top of a file that has only entries.
    pub head: Option<(&'static str, u32)>,
    /// The name under which the host lists an entry.
    pub label: Option<&'static str>,
    /// How an entry names its command.
    pub command: CommandField,
    /// A second name of the stop's event.
    pub other_stop: Option<&'static str>,
    /// The key of the map that enables plugins.
    pub plugins: Option<&'static str>,
    /// Whether the host reads every JSON file beside one of its own.
    pub reads_folder: bool,
    /// The hosts whose entries in a project it runs as well.
    pub also_reads: &'static [Host],
}

/// How an entry names its command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandField {
    /// A text for a shell, in the field with this name.
    Shell(&'static str),
    /// `command` and `args`, which the host starts without a shell. In a shared file `command` is
    /// a text for a shell, because sprag may be missing there.
    Program,
}

/// The layout of an event's entries in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryLayout {
    /// `{"matcher": …, "hooks": [entry, …]}`, with the matcher for every tool if the host requires
    /// one.
    Groups { matcher: Option<&'static str> },
    /// The entries themselves.
    Flat,
}

/// The field for a time limit, and its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    Seconds(&'static str),
    Milliseconds(&'static str),
}

impl SettingsLayout {
    pub const fn setting(&self, scope: Scope) -> Setting {
        match scope {
            Scope::Personal => self.personal,
            Scope::Shared => self.shared,
        }
    }

    /// The event that an ability depends on.
    pub const fn event_of(&self, ability: Ability) -> Option<&'static str> {
        // The events are in the order of a session: start, prompt, tool, stop, end.
        match ability {
            Ability::Context => Some(self.events[1]),
            Ability::Tools => Some(self.events[2]),
            Ability::Stops => Some(self.stop),
            Ability::Ends => Some(self.events[4]),
            Ability::Calls
            | Ability::Subagents
            | Ability::Background
            | Ability::PlanMode
            | Ability::Interrupts
            | Ability::Compaction
            | Ability::Failures
            | Ability::Messages
            | Ability::StatusLine => None,
        }
    }
}

impl CommandField {
    /// The name of the field with the command.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Shell(key) => key,
            Self::Program => "command",
        }
    }
}

impl TimeUnit {
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Seconds(key) | Self::Milliseconds(key) => key,
        }
    }

    pub(crate) fn count(self, limit: Duration) -> u64 {
        match self {
            Self::Seconds(_) => limit.as_secs(),
            Self::Milliseconds(_) => u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
        }
    }
}
