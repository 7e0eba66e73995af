//! What each host's settings look like: the files, the events, the fields (specs/hosts.md).

use std::time::Duration;

use crate::{Ability, At, Host, Setting};

/// Why a host without a [`Form`] has no entries.
pub const NO_BRIDGE: &str = "it is entered by a bridge, not by entries in its settings";

impl Host {
    /// Returns how its settings are written; nothing for a host that needs a bridge.
    pub const fn form(self) -> Option<&'static Form> {
        match self {
            Self::Claude => Some(&CLAUDE),
            Self::Codex => Some(&CODEX),
            Self::Gemini => Some(&GEMINI),
            Self::Copilot => Some(&COPILOT),
            Self::Opencode | Self::Pi => None,
        }
    }
}

/// Whose settings are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One person's own.
    Personal,
    /// Those of everybody who has the project.
    Shared,
}

/// How a host's settings are written.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The file for one person.
    pub personal: Setting,
    /// The file for everybody who has the project.
    pub shared: Setting,
    /// Every file in which the host looks for entries.
    pub read: &'static [Setting],
    /// The command in the host by which a person reviews entries; until then it skips them.
    pub review: Option<&'static str>,
    /// The events we ask for, in the order of a session.
    pub events: &'static [&'static str],
    /// The one of them that may be refused, and so needs time.
    pub stop: &'static str,
    /// The switch that turns all entries off: its path and the value that does.
    pub switch: Option<(&'static [&'static str], bool)>,
    pub(super) layout: Layout,
    pub(super) unit: Unit,
    /// What stands at the top of a file that has nothing but entries.
    pub(super) head: Option<(&'static str, u32)>,
    /// The name under which the host lists an entry.
    pub(super) label: Option<&'static str>,
}

/// How the entries of one event stand in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// `{"matcher": …, "hooks": [entry, …]}`; the matcher that means every tool, where it must be.
    Groups { matcher: Option<&'static str> },
    /// The entries themselves.
    Flat,
}

/// The field that holds a time limit, and what it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Seconds(&'static str),
    Milliseconds(&'static str),
}

impl Form {
    /// Returns the file for this scope.
    pub const fn setting(&self, scope: Scope) -> Setting {
        match scope {
            Scope::Personal => self.personal,
            Scope::Shared => self.shared,
        }
    }

    /// Returns the event without which there is nothing of an ability.
    pub const fn event_of(&self, ability: Ability) -> Option<&'static str> {
        // They stand in the order of a session: start, prompt, tool, stop, end.
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
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Seconds(key) | Self::Milliseconds(key) => key,
        }
    }

    pub(super) fn count(self, limit: Duration) -> u64 {
        match self {
            Self::Seconds(_) => limit.as_secs(),
            Self::Milliseconds(_) => u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

const fn project(path: &'static str) -> Setting {
    Setting { at: At::Project, path }
}

const fn home(path: &'static str) -> Setting {
    Setting { at: At::Home, path }
}

pub(super) const CLAUDE: Form = Form {
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

pub(super) const CODEX: Form = Form {
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

pub(super) const GEMINI: Form = Form {
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

pub(super) const COPILOT: Form = Form {
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
