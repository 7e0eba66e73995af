//! opencode: what sprag knows of it.

mod headless;
mod hooks;
mod install;

use crate::row::{HostRow, SessionVariable, Variables};
use crate::{Ability, Class, Host, Limit, PathBase, Setting};

impl Host {
    pub const OPENCODE: Self = Self::of(&ROW);
}

const ROW: HostRow = HostRow {
    name: "opencode",
    observed: "1.18.33",
    // The bridge's cap; opencode has none.
    refusals: Some(50),
    // `opencode.json` cannot disable plugins in these folders.
    settings: &[
        Setting { at: PathBase::Project, path: ".opencode/plugin/" },
        Setting { at: PathBase::Project, path: ".opencode/plugins/" },
        Setting { at: PathBase::Home, path: ".config/opencode/plugin/" },
        Setting { at: PathBase::Home, path: ".config/opencode/plugins/" },
    ],
    tools: &[
        (Class::Read, &["read"]),
        (Class::Edit, &["edit", "write", "multiedit", "patch", "apply_patch"]),
        (Class::Shell, &["bash"]),
        (Class::Search, &["grep", "glob", "list"]),
        (Class::Web, &["webfetch", "websearch", "codesearch", "browser"]),
        (Class::Agent, &["task"]),
    ],
    counterparts: &[
        ("edit", &["multiedit", "patch", "apply_patch"]),
        ("write", &["patch", "apply_patch"]),
        ("find", &["glob"]),
        ("ls", &["list"]),
    ],
    served: &[("", "_")],
    limits: &[
        Limit::partly(
            Ability::Calls,
            "opencode runs no commands of its own accord; a bridge in its plugin folder does",
        ),
        Limit::partly(Ability::Context, "opencode lets the agent read nothing before a tool"),
        Limit::partly(
            Ability::Stops,
            "`opencode run` ends at its first stop whatever is answered; `opencode serve` goes on",
        ),
        Limit::partly(
            Ability::Subagents,
            "opencode gives a subagent a session of its own, and only the bridge knows whose it is",
        ),
        Limit::never(
            Ability::Background,
            "opencode does not say which agents still run when it stops",
        ),
        Limit::partly(
            Ability::PlanMode,
            "opencode does not say whether the session may only plan; the bridge may",
        ),
        Limit::partly(
            Ability::Interrupts,
            "opencode is idle after an interrupt as after a stop, and only the bridge can tell",
        ),
        Limit::never(
            Ability::Compaction,
            "opencode's bridge does not say when the conversation is shortened",
        ),
        Limit::partly(
            Ability::Failures,
            "opencode reports errors according to its source; not observed yet",
        ),
        Limit::never(Ability::Ends, "opencode's bridge does not say when a session ends"),
        Limit::partly(
            Ability::Messages,
            "opencode shows the bridge's toast in its terminal; elsewhere the message is in its log",
        ),
        Limit::never(Ability::StatusLine, "opencode asks for no status line"),
    ],
    variables: Variables {
        marks: &["OPENCODE"],
        session: SessionVariable::None,
        others: &["OPENCODE_PID"],
    },
    hooks: hooks::HOOKS,
    headless: headless::HEADLESS,
    install: install::INSTALL,
};
