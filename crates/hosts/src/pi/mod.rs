//! pi: what sprag knows of it.

mod headless;
mod hooks;
mod install;

use crate::row::{HostRow, SessionVariable, Variables};
use crate::{Ability, Class, Host, Limit, PathBase, Setting};

impl Host {
    pub const PI: Self = Self::of(&ROW);
}

const ROW: HostRow = HostRow {
    name: "pi",
    observed: "1.5.0",
    refusals: None,
    settings: &[
        Setting { at: PathBase::Project, path: ".pi/extensions/" },
        Setting { at: PathBase::Project, path: ".pi/settings.json" },
        Setting { at: PathBase::Home, path: ".pi/agent/extensions/" },
        Setting { at: PathBase::Home, path: ".pi/agent/settings.json" },
    ],
    tools: &[
        (Class::Read, &["read"]),
        (Class::Edit, &["edit", "write"]),
        (Class::Shell, &["bash"]),
        (Class::Search, &["grep", "find", "ls"]),
    ],
    // pi's own names need no counterparts.
    counterparts: &[],
    served: &[],
    limits: &[
        Limit::partly(
            Ability::Calls,
            "pi runs no commands of its own accord; a bridge among its extensions does",
        ),
        Limit::partly(
            Ability::Stops,
            "pi asks before it settles from 0.87 on; older versions can only be prompted again",
        ),
        Limit::never(Ability::Subagents, "pi has no subagents of its own"),
        Limit::never(Ability::Background, "pi has no background agents of its own"),
        Limit::never(Ability::PlanMode, "pi has no plan mode of its own"),
        Limit::partly(Ability::Compaction, "pi was never seen to shorten a conversation"),
        Limit::partly(Ability::Failures, "pi was never seen to lose its model"),
    ],
    variables: Variables {
        marks: &["PI_CODING_AGENT"],
        session: SessionVariable::None,
        others: &["PI_SESSION_FILE", "PI_SESSION_ID"],
    },
    hooks: hooks::HOOKS,
    headless: headless::HEADLESS,
    install: install::INSTALL,
};
