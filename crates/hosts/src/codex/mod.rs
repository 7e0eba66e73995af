//! Codex CLI: what sprag knows of it.

mod headless;
mod hooks;
mod install;

use crate::row::{HostRow, SessionVariable, Variable, Variables};
use crate::{Ability, Class, Host, Limit, PathBase, Setting};

impl Host {
    pub const CODEX: Self = Self::of(&ROW);
}

const ROW: HostRow = HostRow {
    name: "codex",
    observed: "0.166.0",
    // None was observed in thirty refusals.
    refusals: None,
    settings: &[
        Setting { at: PathBase::Project, path: ".codex/hooks.json" },
        Setting { at: PathBase::Project, path: ".codex/config.toml" },
        Setting { at: PathBase::Home, path: ".codex/hooks.json" },
        Setting { at: PathBase::Home, path: ".codex/config.toml" },
    ],
    tools: &[
        (Class::Read, &["read_file", "view_image"]),
        (Class::Edit, EDIT),
        (Class::Shell, SHELL),
        (Class::Search, &["grep_files", "list_dir"]),
        (Class::Web, &["web_search"]),
        (Class::Agent, &["spawn_agent", "send_input", "resume_agent", "wait", "close_agent"]),
    ],
    counterparts: &[
        ("read", &["read_file", "view_image"]),
        ("edit", EDIT),
        ("write", EDIT),
        ("bash", SHELL),
        ("grep", &["grep_files"]),
        ("ls", &["list_dir"]),
    ],
    served: &[("mcp__", "__")],
    limits: &[
        Limit::partly(
            Ability::Calls,
            "Codex runs no host hook before a person has reviewed it there, and does not say so",
        ),
        Limit::partly(
            Ability::Tools,
            "Codex asks before its shell, its patches, MCP tools and new agents; its other tools \
             cannot be denied",
        ),
        Limit::partly(
            Ability::Subagents,
            "Codex reports subagents according to its source; not observed yet",
        ),
        Limit::never(
            Ability::Background,
            "Codex does not say which agents still run when it stops",
        ),
        Limit::partly(
            Ability::Interrupts,
            "Codex sends no stop when it is interrupted without a terminal; not tried in one",
        ),
        Limit::partly(
            Ability::Compaction,
            "Codex reports compaction according to its source; not observed yet",
        ),
        Limit::never(Ability::Failures, "Codex does not say when the model cannot be reached"),
        Limit::never(Ability::StatusLine, "Codex asks for no status line"),
    ],
    variables: Variables {
        marks: &["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID"],
        // Observed at 0.166.0, the same as in its host hooks.
        session: SessionVariable::Id(Variable {
            name: "CODEX_THREAD_ID",
            meaning: "The same, as Codex says it.",
        }),
        others: &["CODEX_CI", "CODEX_SESSION_ID", "CODEX_TOOL_CALL_ID"],
    },
    hooks: hooks::HOOKS,
    headless: headless::HEADLESS,
    install: install::INSTALL,
};

/// No other tool changes files.
const EDIT: &[&str] = &["apply_patch"];

/// Its host hooks call every shell `Bash`; the other names are the model's.
const SHELL: &[&str] =
    &["Bash", "exec_command", "write_stdin", "shell", "shell_command", "local_shell"];
