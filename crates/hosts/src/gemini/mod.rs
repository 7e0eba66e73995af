//! Gemini CLI: what sprag knows of it.

mod headless;
mod hooks;
mod install;

use crate::row::{HostRow, SessionVariable, Variable, Variables};
use crate::{Ability, Class, Host, Limit, PathBase, Setting};

impl Host {
    pub const GEMINI: Self = Self::of(&ROW);
}

const ROW: HostRow = HostRow {
    name: "gemini",
    observed: "0.61.0",
    // Not tested beyond two refusals.
    refusals: None,
    settings: &[
        Setting { at: PathBase::Project, path: ".gemini/settings.json" },
        Setting { at: PathBase::Home, path: ".gemini/settings.json" },
    ],
    tools: &[
        (Class::Read, &["read_file", "read_many_files"]),
        (Class::Edit, &["write_file", "replace"]),
        (Class::Shell, SHELL),
        (Class::Search, &["grep_search", "search_file_content", "glob", "list_directory"]),
        (Class::Web, &["google_web_search", "web_fetch"]),
        (
            Class::Agent,
            &["invoke_agent", "delegate_to_agent", "codebase_investigator", "browser_agent"],
        ),
    ],
    counterparts: &[
        ("read", &["read_file", "read_many_files"]),
        ("edit", &["replace"]),
        ("write", &["write_file"]),
        ("bash", SHELL),
        ("grep", &["grep_search", "search_file_content"]),
        ("find", &["glob"]),
        ("ls", &["list_directory"]),
    ],
    // The first form is that of older versions.
    served: &[("mcp__", "__"), ("mcp_", "_")],
    limits: &[
        Limit::partly(
            Ability::Calls,
            "Gemini CLI runs a project's own host hooks only in a folder that the person trusts",
        ),
        Limit::partly(
            Ability::Context,
            "Gemini CLI lets the agent read nothing before a tool; the person is shown it instead",
        ),
        Limit::partly(
            Ability::Subagents,
            "Gemini CLI does not say what comes from a subagent, so phases and gates hold for it \
             too",
        ),
        Limit::never(
            Ability::Background,
            "Gemini CLI does not say which agents still run when it stops",
        ),
        Limit::never(
            Ability::PlanMode,
            "Gemini CLI does not say whether the session may only plan",
        ),
        Limit::partly(
            Ability::Interrupts,
            "Gemini CLI sends no stop when it is interrupted without a terminal; not tried in one",
        ),
        Limit::partly(
            Ability::Compaction,
            "Gemini CLI says before every request that it may shorten the conversation",
        ),
        Limit::never(Ability::Failures, "Gemini CLI does not say when the model cannot be reached"),
        Limit::partly(
            Ability::Messages,
            "Gemini CLI shows messages according to its documentation; not observed yet",
        ),
        Limit::never(Ability::StatusLine, "Gemini CLI asks for no status line"),
    ],
    variables: Variables {
        marks: &["GEMINI_CLI"],
        // Gemini does not pass the session's name to its shell.
        session: SessionVariable::OnlyOne(Variable {
            name: "GEMINI_CLI",
            meaning: "Set by Gemini CLI: its only session here is the one that a command is started in.",
        }),
        others: &["GEMINI_CLI_NO_RELAUNCH", "GEMINI_PROJECT_DIR"],
    },
    hooks: hooks::HOOKS,
    headless: headless::HEADLESS,
    install: install::INSTALL,
};

const SHELL: &[&str] = &["run_shell_command"];
