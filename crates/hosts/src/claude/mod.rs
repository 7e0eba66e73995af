//! Claude Code: what sprag knows of it.

mod headless;
mod hooks;
mod install;
pub(crate) mod plugin;

use crate::row::{HostRow, SessionVariable, Variable, Variables};
use crate::{Class, Host, PathBase, Setting};

impl Host {
    pub const CLAUDE: Self = Self::of(&ROW);
}

const ROW: HostRow = HostRow {
    name: "claude",
    observed: "2.1.325",
    refusals: Some(8),
    settings: &[
        Setting { at: PathBase::Project, path: ".claude/settings.json" },
        Setting { at: PathBase::Project, path: ".claude/settings.local.json" },
        Setting { at: PathBase::Home, path: ".claude/settings.json" },
    ],
    tools: &[
        (Class::Read, &["Read", "NotebookRead"]),
        (Class::Edit, &["Edit", "Write", "MultiEdit", "NotebookEdit"]),
        (Class::Shell, SHELL),
        (Class::Search, &["Grep", "Glob", "LS"]),
        (Class::Web, &["WebFetch", "WebSearch"]),
        (Class::Agent, &["Agent", "Task", "Workflow"]),
    ],
    counterparts: &[
        ("read", &["Read", "NotebookRead"]),
        ("edit", &["Edit", "MultiEdit", "NotebookEdit"]),
        ("write", &["Write"]),
        ("bash", SHELL),
        ("grep", &["Grep"]),
        ("find", &["Glob"]),
        ("ls", &["LS"]),
    ],
    served: &[("mcp__", "__")],
    limits: &[],
    variables: Variables {
        marks: &["CLAUDECODE", "CLAUDE_CODE_SESSION_ID"],
        session: SessionVariable::Id(Variable {
            name: "CLAUDE_CODE_SESSION_ID",
            meaning: "The session that a command is started in, where SPRAG_SESSION is not set.",
        }),
        others: &[
            "CLAUDE_CODE_CHILD_SESSION",
            "CLAUDE_CODE_ENTRYPOINT",
            "CLAUDE_CODE_EXECPATH",
            "CLAUDE_CODE_MESSAGING_SOCKET",
            "CLAUDE_CODE_MESSAGING_TOKEN",
            "CLAUDE_CODE_SESSION_ATTENDED",
            "CLAUDE_CODE_SSE_PORT",
            "CLAUDE_EFFORT",
            "CLAUDE_ENV_FILE",
            "CLAUDE_PID",
            "CLAUDE_PLUGIN_DATA",
            "CLAUDE_PLUGIN_ROOT",
            "CLAUDE_PROJECT_DIR",
        ],
    },
    hooks: hooks::HOOKS,
    headless: headless::HEADLESS,
    install: install::INSTALL,
};

const SHELL: &[&str] = &["Bash", "PowerShell", "Monitor", "BashOutput", "KillShell"];
