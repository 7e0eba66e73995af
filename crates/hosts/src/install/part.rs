//! The parts of sprag in a host, and the files that they go into: one table per host and scope.
//!
//! A part can be added to a text and removed from it. Parts in the same file form one [`Piece`], so
//! that the file is written once.

use super::commands::Slash;
use super::form::Scope;
use crate::{At, Host, Setting};

/// One part of sprag in a host's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
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
pub struct Piece {
    pub setting: Setting,
    pub parts: &'static [Part],
}

impl Host {
    /// Every file that `init` writes for this host.
    pub const fn pieces(self, scope: Scope) -> &'static [Piece] {
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

const fn project(path: &'static str, parts: &'static [Part]) -> Piece {
    Piece { setting: Setting { at: At::Project, path }, parts }
}

const fn home(path: &'static str, parts: &'static [Part]) -> Piece {
    Piece { setting: Setting { at: At::Home, path }, parts }
}

const UNTIL: &[Part] = &[Part::Command(Slash::Until)];
const START: &[Part] = &[Part::Command(Slash::Start)];
const WHY: &[Part] = &[Part::Command(Slash::Why)];
const PAUSE: &[Part] = &[Part::Command(Slash::Pause)];
const OK: &[Part] = &[Part::Command(Slash::Ok)];

const CLAUDE_PERSONAL: &[Piece] = &[
    project(".claude/settings.local.json", &[Part::Entries]),
    // The file of Claude Code's "local" scope: one person in one project.
    home(".claude.json", &[Part::ServerHere]),
    project(".claude/commands/sprag/.gitignore", &[Part::Ignore]),
    project(".claude/commands/sprag/until.md", UNTIL),
    project(".claude/commands/sprag/start.md", START),
    project(".claude/commands/sprag/why.md", WHY),
    project(".claude/commands/sprag/pause.md", PAUSE),
    project(".claude/commands/sprag/ok.md", OK),
];

const CLAUDE_SHARED: &[Piece] = &[
    project(".claude/settings.json", &[Part::Entries]),
    project(".mcp.json", &[Part::Server]),
    project(".claude/commands/sprag/until.md", UNTIL),
    project(".claude/commands/sprag/start.md", START),
    project(".claude/commands/sprag/why.md", WHY),
    project(".claude/commands/sprag/pause.md", PAUSE),
    project(".claude/commands/sprag/ok.md", OK),
];

const CODEX_PERSONAL: &[Piece] =
    &[home(".codex/hooks.json", &[Part::Entries]), home(".codex/config.toml", &[Part::Server])];

const CODEX_SHARED: &[Piece] = &[
    project(".codex/hooks.json", &[Part::Entries]),
    project(".codex/config.toml", &[Part::Server]),
];

const GEMINI_PERSONAL: &[Piece] = &[
    home(".gemini/settings.json", &[Part::Entries, Part::Server]),
    home(".gemini/commands/sprag/until.toml", UNTIL),
    home(".gemini/commands/sprag/start.toml", START),
    home(".gemini/commands/sprag/why.toml", WHY),
    home(".gemini/commands/sprag/pause.toml", PAUSE),
    home(".gemini/commands/sprag/ok.toml", OK),
];

const GEMINI_SHARED: &[Piece] = &[
    project(".gemini/settings.json", &[Part::Entries, Part::Server]),
    project(".gemini/commands/sprag/until.toml", UNTIL),
    project(".gemini/commands/sprag/start.toml", START),
    project(".gemini/commands/sprag/why.toml", WHY),
    project(".gemini/commands/sprag/pause.toml", PAUSE),
    project(".gemini/commands/sprag/ok.toml", OK),
];

const COPILOT_PERSONAL: &[Piece] = &[
    home(".copilot/hooks/sprag.json", &[Part::Entries]),
    home(".copilot/mcp-config.json", &[Part::Server]),
];

const COPILOT_SHARED: &[Piece] = &[
    project(".github/hooks/sprag.json", &[Part::Entries]),
    project(".github/mcp.json", &[Part::Server]),
];

// Its bridge includes the tools and the commands.
const OPENCODE_PERSONAL: &[Piece] = &[
    project(".opencode/plugin/sprag.js", &[Part::Bridge]),
    project(".opencode/plugin/.gitignore", &[Part::Ignore]),
];

const OPENCODE_SHARED: &[Piece] = &[project(".opencode/plugin/sprag.js", &[Part::Bridge])];

// A project's extensions need the person's trust; a person's own do not.
const PI_PERSONAL: &[Piece] = &[home(".pi/agent/extensions/sprag.ts", &[Part::Bridge])];

const PI_SHARED: &[Piece] = &[project(".pi/extensions/sprag.ts", &[Part::Bridge])];
