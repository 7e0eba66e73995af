//! Copilot CLI: what sprag knows of it.

mod headless;
mod hooks;
mod install;

use crate::row::{HostRow, SessionVariable, Variable, Variables};
use crate::{Ability, Class, Host, Limit, PathBase, Setting};

impl Host {
    pub const COPILOT: Self = Self::of(&ROW);
}

const ROW: HostRow = HostRow {
    name: "copilot",
    observed: "1.0.102",
    refusals: Some(8),
    settings: &[
        Setting { at: PathBase::Project, path: ".github/hooks/" },
        Setting { at: PathBase::Project, path: ".github/copilot/settings.json" },
        Setting { at: PathBase::Project, path: ".github/copilot/settings.local.json" },
        // It also reads Claude Code's settings.
        Setting { at: PathBase::Project, path: ".claude/settings.json" },
        Setting { at: PathBase::Project, path: ".claude/settings.local.json" },
        Setting { at: PathBase::Home, path: ".copilot/hooks/" },
        Setting { at: PathBase::Home, path: ".copilot/settings.json" },
        Setting { at: PathBase::Home, path: ".copilot/config.json" },
    ],
    // In payloads of the second kind, its tools have names like Claude Code's.
    tools: &[
        (Class::Read, READ),
        (Class::Edit, &["edit", "create", "apply_patch", "str_replace_editor", "Edit", "Write"]),
        (Class::Shell, SHELL),
        (Class::Search, &["grep", "rg", "glob", "Grep", "Glob"]),
        (Class::Web, &["web_fetch", "web_search", "WebFetch", "WebSearch"]),
        (Class::Agent, &["task", "read_agent", "write_agent", "list_agents", "Task", "Agent"]),
    ],
    counterparts: &[
        ("read", READ),
        ("edit", &["edit", "apply_patch", "str_replace_editor", "Edit"]),
        ("write", &["create", "apply_patch", "str_replace_editor", "Write"]),
        ("bash", SHELL),
        ("grep", &["grep", "rg", "Grep"]),
        // `view` lists folders, but mainly it reads files.
        ("find", &["glob", "Glob"]),
    ],
    served: &[("", "-"), ("mcp__", "__")],
    limits: &[
        Limit::partly(
            Ability::Calls,
            "Copilot CLI runs a repository's own host hooks only in a folder that the person \
             trusts, and denies every tool where sprag is registered but cannot be started",
        ),
        Limit::partly(Ability::Context, "Copilot CLI lets the agent read nothing before a tool"),
        Limit::partly(
            Ability::Subagents,
            "Copilot CLI says when a subagent ends, but not which calls are a subagent's, so \
             phases hold for them too",
        ),
        Limit::never(
            Ability::Background,
            "Copilot CLI does not say which agents still run when it stops",
        ),
        Limit::never(
            Ability::PlanMode,
            "Copilot CLI does not say whether the session may only plan",
        ),
        Limit::partly(
            Ability::Interrupts,
            "Copilot CLI sends no stop when it is interrupted without a terminal; not tried in one",
        ),
        Limit::partly(
            Ability::Compaction,
            "Copilot CLI reports compaction according to its documentation; not observed yet",
        ),
        Limit::partly(
            Ability::Failures,
            "Copilot CLI reports API failures according to its documentation; not observed yet",
        ),
        Limit::never(
            Ability::Messages,
            "Copilot CLI shows the person nothing that a host hook says",
        ),
        Limit::never(Ability::StatusLine, "Copilot CLI asks for no status line"),
    ],
    variables: Variables {
        marks: &["COPILOT_CLI"],
        // Observed at 1.0.102, the same as in its host hooks.
        session: SessionVariable::Id(Variable {
            name: "COPILOT_AGENT_SESSION_ID",
            meaning: "The same, as Copilot CLI says it.",
        }),
        others: &["COPILOT_PROJECT_DIR"],
    },
    hooks: hooks::HOOKS,
    headless: headless::HEADLESS,
    install: install::INSTALL,
};

const READ: &[&str] = &["view", "Read"];

const SHELL: &[&str] = &[
    "bash",
    "read_bash",
    "write_bash",
    "stop_bash",
    "list_bash",
    "powershell",
    "read_powershell",
    "write_powershell",
    "stop_powershell",
    "list_powershell",
    "Bash",
    "PowerShell",
];
