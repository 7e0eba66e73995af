//! The format of each host's settings: files, events, fields (specs/hosts.md).

use std::time::Duration;

use crate::{Ability, Host, PathBase, Setting};

/// The reason why a host without a [`SettingsLayout`] has no entries.
pub const NO_BRIDGE: &str = "it is entered by a bridge, not by entries in its settings";

impl Host {
    /// The format of the host's settings; `None` for a host that needs a bridge.
    pub const fn form(self) -> Option<&'static SettingsLayout> {
        match self {
            Self::Claude => Some(&CLAUDE),
            Self::Codex => Some(&CODEX),
            Self::Gemini => Some(&GEMINI),
            Self::Copilot => Some(&COPILOT),
            Self::Opencode | Self::Pi => None,
        }
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
    pub(crate) layout: Layout,
    pub(crate) unit: Unit,
    /// The field at the top of a file that has only entries.
    pub(crate) head: Option<(&'static str, u32)>,
    /// The name under which the host lists an entry.
    pub(crate) label: Option<&'static str>,
}

/// The layout of an event's entries in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// `{"matcher": …, "hooks": [entry, …]}`, with the matcher for every tool if the host requires
    /// one.
    Groups { matcher: Option<&'static str> },
    /// The entries themselves.
    Flat,
}

/// The field for a time limit, and its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
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

impl Unit {
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

const fn project(path: &'static str) -> Setting {
    Setting { at: PathBase::Project, path }
}

const fn home(path: &'static str) -> Setting {
    Setting { at: PathBase::Home, path }
}

pub(crate) const CLAUDE: SettingsLayout = SettingsLayout {
    personal: project(".claude/settings.local.json"),
    shared: project(".claude/settings.json"),
    read: &[
        project(".claude/settings.local.json"),
        project(".claude/settings.json"),
        home(".claude/settings.json"),
    ],
    review: None,
    events: &["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"],
    stop: "Stop",
    switch: Some((&["disableAllHooks"], true)),
    layout: Layout::Groups { matcher: None },
    unit: Unit::Seconds("timeout"),
    head: None,
    label: None,
};

pub(crate) const CODEX: SettingsLayout = SettingsLayout {
    personal: home(".codex/hooks.json"),
    shared: project(".codex/hooks.json"),
    read: &[home(".codex/hooks.json"), project(".codex/hooks.json")],
    review: Some("/hooks"),
    events: &["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"],
    stop: "Stop",
    switch: None,
    layout: Layout::Groups { matcher: None },
    unit: Unit::Seconds("timeout"),
    head: None,
    label: None,
};

pub(crate) const GEMINI: SettingsLayout = SettingsLayout {
    personal: home(".gemini/settings.json"),
    shared: project(".gemini/settings.json"),
    read: &[home(".gemini/settings.json"), project(".gemini/settings.json")],
    review: None,
    events: &["SessionStart", "BeforeAgent", "BeforeTool", "AfterAgent", "SessionEnd"],
    stop: "AfterAgent",
    switch: Some((&["hooksConfig", "enabled"], false)),
    layout: Layout::Groups { matcher: Some("*") },
    unit: Unit::Milliseconds("timeout"),
    head: None,
    label: Some("sprag"),
};

pub(crate) const COPILOT: SettingsLayout = SettingsLayout {
    personal: home(".copilot/hooks/sprag.json"),
    shared: project(".github/hooks/sprag.json"),
    read: &[home(".copilot/hooks/sprag.json"), project(".github/hooks/sprag.json")],
    review: None,
    events: &["sessionStart", "userPromptSubmitted", "preToolUse", "agentStop", "sessionEnd"],
    stop: "agentStop",
    switch: None,
    layout: Layout::Flat,
    unit: Unit::Seconds("timeoutSec"),
    head: Some(("version", 1)),
    label: None,
};
