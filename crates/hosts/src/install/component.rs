//! The parts of sprag in a host, and the files that they go into: one table per host and scope.
//!
//! A part can be added to a text and removed from it. Parts in the same file form one [`FileSpec`], so
//! that the file is written once.

use super::commands::Slash;
use super::settings_layout::Scope;
use crate::{Host, PathBase, Setting};

/// One part of sprag in a host's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// The host hooks: an entry for each event.
    Entries,
    /// The tools of `sprag mcp`, for every project that reads the file.
    Server,
    /// The tools of `sprag mcp` for this project only, in a file for all projects.
    ServerHere,
    /// The bridge: a whole file.
    Bridge,
    /// A slash command: a whole file.
    Command(Slash),
    /// An ignore file that keeps ours out of the project's history.
    Ignore,
}

/// A file and our parts in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileSpec {
    pub setting: Setting,
    pub parts: &'static [Component],
}

impl Host {
    /// Every file that `init` writes for this host.
    pub const fn pieces(self, scope: Scope) -> &'static [FileSpec] {
        match (self, scope) {
            (Self::Claude, Scope::Personal) => CLAUDE_PERSONAL,
            (Self::Claude, Scope::Shared) => CLAUDE_SHARED,
            (Self::Codex, Scope::Personal) => CODEX_PERSONAL,
            (Self::Codex, Scope::Shared) => CODEX_SHARED,
            (Self::Gemini, Scope::Personal) => GEMINI_PERSONAL,
            (Self::Gemini, Scope::Shared) => GEMINI_SHARED,
            (Self::Copilot, Scope::Personal) => COPILOT_PERSONAL,
            (Self::Copilot, Scope::Shared) => COPILOT_SHARED,
            (Self::Opencode, Scope::Personal) => OPENCODE_PERSONAL,
            (Self::Opencode, Scope::Shared) => OPENCODE_SHARED,
            (Self::Pi, Scope::Personal) => PI_PERSONAL,
            (Self::Pi, Scope::Shared) => PI_SHARED,
        }
    }

    /// The environment variables that move a folder below the home directory, each with the path
    /// prefix that it replaces.
    pub const fn moved(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Claude => &[("CLAUDE_CONFIG_DIR", ".claude/"), ("CLAUDE_CONFIG_DIR", "")],
            Self::Codex => &[("CODEX_HOME", ".codex/")],
            Self::Pi => &[("PI_CODING_AGENT_DIR", ".pi/agent/")],
            Self::Gemini | Self::Copilot | Self::Opencode => &[],
        }
    }
}

const fn project(path: &'static str, parts: &'static [Component]) -> FileSpec {
    FileSpec { setting: Setting { at: PathBase::Project, path }, parts }
}

const fn home(path: &'static str, parts: &'static [Component]) -> FileSpec {
    FileSpec { setting: Setting { at: PathBase::Home, path }, parts }
}

const UNTIL: &[Component] = &[Component::Command(Slash::Until)];
const START: &[Component] = &[Component::Command(Slash::Start)];
const WHY: &[Component] = &[Component::Command(Slash::Why)];
const PAUSE: &[Component] = &[Component::Command(Slash::Pause)];
const OK: &[Component] = &[Component::Command(Slash::Ok)];

const CLAUDE_PERSONAL: &[FileSpec] = &[
    project(".claude/settings.local.json", &[Component::Entries]),
    // The file of Claude Code's "local" scope: one person in one project.
    home(".claude.json", &[Component::ServerHere]),
    project(".claude/commands/sprag/.gitignore", &[Component::Ignore]),
    project(".claude/commands/sprag/until.md", UNTIL),
    project(".claude/commands/sprag/start.md", START),
    project(".claude/commands/sprag/why.md", WHY),
    project(".claude/commands/sprag/pause.md", PAUSE),
    project(".claude/commands/sprag/ok.md", OK),
];

const CLAUDE_SHARED: &[FileSpec] = &[
    project(".claude/settings.json", &[Component::Entries]),
    project(".mcp.json", &[Component::Server]),
    project(".claude/commands/sprag/until.md", UNTIL),
    project(".claude/commands/sprag/start.md", START),
    project(".claude/commands/sprag/why.md", WHY),
    project(".claude/commands/sprag/pause.md", PAUSE),
    project(".claude/commands/sprag/ok.md", OK),
];

const CODEX_PERSONAL: &[FileSpec] = &[
    home(".codex/hooks.json", &[Component::Entries]),
    home(".codex/config.toml", &[Component::Server]),
];

const CODEX_SHARED: &[FileSpec] = &[
    project(".codex/hooks.json", &[Component::Entries]),
    project(".codex/config.toml", &[Component::Server]),
];

const GEMINI_PERSONAL: &[FileSpec] = &[
    home(".gemini/settings.json", &[Component::Entries, Component::Server]),
    home(".gemini/commands/sprag/until.toml", UNTIL),
    home(".gemini/commands/sprag/start.toml", START),
    home(".gemini/commands/sprag/why.toml", WHY),
    home(".gemini/commands/sprag/pause.toml", PAUSE),
    home(".gemini/commands/sprag/ok.toml", OK),
];

const GEMINI_SHARED: &[FileSpec] = &[
    project(".gemini/settings.json", &[Component::Entries, Component::Server]),
    project(".gemini/commands/sprag/until.toml", UNTIL),
    project(".gemini/commands/sprag/start.toml", START),
    project(".gemini/commands/sprag/why.toml", WHY),
    project(".gemini/commands/sprag/pause.toml", PAUSE),
    project(".gemini/commands/sprag/ok.toml", OK),
];

const COPILOT_PERSONAL: &[FileSpec] = &[
    home(".copilot/hooks/sprag.json", &[Component::Entries]),
    home(".copilot/mcp-config.json", &[Component::Server]),
];

const COPILOT_SHARED: &[FileSpec] = &[
    project(".github/hooks/sprag.json", &[Component::Entries]),
    project(".github/mcp.json", &[Component::Server]),
];

// Its bridge includes the tools and the commands.
const OPENCODE_PERSONAL: &[FileSpec] = &[
    project(".opencode/plugin/sprag.js", &[Component::Bridge]),
    project(".opencode/plugin/.gitignore", &[Component::Ignore]),
];

const OPENCODE_SHARED: &[FileSpec] = &[project(".opencode/plugin/sprag.js", &[Component::Bridge])];

// A project's extensions need the person's trust; a person's own do not.
const PI_PERSONAL: &[FileSpec] = &[home(".pi/agent/extensions/sprag.ts", &[Component::Bridge])];

const PI_SHARED: &[FileSpec] = &[project(".pi/extensions/sprag.ts", &[Component::Bridge])];
