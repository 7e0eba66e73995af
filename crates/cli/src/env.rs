//! Every environment variable that sprag reads, in one list, which the manual prints.

use std::ffi::OsString;

use sprag_hosts::row::SessionVariable;
use sprag_hosts::{HOSTS, Host, Variable};

/// Names the project instead of the search.
pub(crate) const ROOT: Variable = Variable {
    name: "SPRAG_ROOT",
    meaning: "The project's folder. Without it: the nearest folder upwards with .sprag, .gsd, \
              .chipset, .thoughts or .pi/workflows, not above the git top, never the home \
              directory.",
};

/// Turns sprag off for a session.
pub(crate) const SWITCH: Variable = Variable {
    name: "SPRAG",
    meaning: "With the value off, host hooks let every session go at once.",
};

/// Ends the search for a project.
pub(crate) const HOME: Variable =
    Variable { name: "HOME", meaning: "The home directory; it is never a project." };

/// Names the run that a session drives.
pub(crate) const RUN: Variable =
    Variable { name: "SPRAG_RUN", meaning: "The run that this session drives." };

/// Names the agent that a session is.
pub(crate) const AGENT: Variable = Variable {
    name: "SPRAG_AGENT",
    meaning: "The agent that this session is; it may not speak as another one.",
};

/// Names the session in which a command is started.
pub(crate) const SESSION: Variable = Variable {
    name: "SPRAG_SESSION",
    meaning: "The session that a command is started in; host hooks set it.",
};

/// Claude Code's process, in which several sessions may follow one another.
pub(crate) const CLAUDE_PID: Variable = Variable {
    name: "CLAUDE_PID",
    meaning: "The process of Claude Code; a cleared session is known by it.",
};

/// Where a session was started; hosts other than Claude Code set it as well.
pub(crate) const CLAUDE_PROJECT_DIR: Variable = Variable {
    name: "CLAUDE_PROJECT_DIR",
    meaning: "Where the session of a host hook was started; its project is looked for there.",
};

/// The file from which Claude Code reads variables for the agent's commands.
pub(crate) const CLAUDE_ENV_FILE: Variable = Variable {
    name: "CLAUDE_ENV_FILE",
    meaning: "Where SPRAG_SESSION is written at the beginning of a session.",
};

/// Set by Copilot CLI only for hook commands; observed at 1.0.102.
pub(crate) const COPILOT_PROJECT_DIR: Variable = Variable {
    name: "COPILOT_PROJECT_DIR",
    meaning: "Set by Copilot CLI, which also calls the entries of Claude Code: those stay silent.",
};

/// Names the user in the journal.
pub(crate) const USER: Variable =
    Variable { name: "USER", meaning: "The person's name, as the journal says who agreed." };

/// Turns colour off.
pub(crate) const NO_COLOR: Variable =
    Variable { name: "NO_COLOR", meaning: "Set to anything: no colour (see no-color.org)." };

/// Turns colour off, in an older way.
pub(crate) const CLICOLOR: Variable =
    Variable { name: "CLICOLOR", meaning: "With the value 0: no colour." };

/// Turns colour on.
pub(crate) const CLICOLOR_FORCE: Variable = Variable {
    name: "CLICOLOR_FORCE",
    meaning: "Set to anything but 0: colour even where the output is not a terminal.",
};

/// Names the terminal.
pub(crate) const TERM: Variable =
    Variable { name: "TERM", meaning: "With the value dumb: no colour." };

/// Determine which characters a terminal can show; the first one that is set counts.
pub(crate) const LOCALE: [Variable; 3] = [
    Variable { name: "LC_ALL", meaning: "One that is not UTF-8: ASCII only, on a terminal." },
    Variable { name: "LC_CTYPE", meaning: "The same, where LC_ALL is not set." },
    Variable { name: "LANG", meaning: "The same, where neither of them is set." },
];

/// Where the user's settings are.
pub(crate) const CONFIG_HOME: Variable = Variable {
    name: "XDG_CONFIG_HOME",
    meaning: "Where sprag/workflows holds workflows of your own; else ~/.config.",
};

/// Where the user's approvals are.
pub(crate) const STATE_HOME: Variable = Variable {
    name: "XDG_STATE_HOME",
    meaning: "Where sprag/roots holds what you agreed to in each project; else ~/.local/state.",
};

/// Where copies of projects are made.
pub(crate) const CACHE_HOME: Variable = Variable {
    name: "XDG_CACHE_HOME",
    meaning: "Where sprag/looks holds a copy of a project while a gate is evaluated on its earlier tests; \
              else ~/.cache.",
};

/// Where pi keeps its own files.
pub(crate) const PI_AGENT: Variable = Variable {
    name: "PI_CODING_AGENT_DIR",
    meaning: "Where pi keeps workflows of your own; else ~/.pi/agent.",
};

/// Returns the variables by which a command finds its session: first those with the session's id,
/// then those that only show the host.
pub(crate) fn of_sessions() -> impl Iterator<Item = (Host, SessionVariable, Variable)> {
    let all = || HOSTS.into_iter().map(|host| (host, host.session_variable()));
    let ids = all().filter_map(|(host, how)| match how {
        SessionVariable::Id(variable) => Some((host, how, variable)),
        SessionVariable::OnlyOne(_) | SessionVariable::None => None,
    });
    let only = all().filter_map(|(host, how)| match how {
        SessionVariable::OnlyOne(variable) => Some((host, how, variable)),
        SessionVariable::Id(_) | SessionVariable::None => None,
    });
    ids.chain(only)
}

/// Returns the variables that the manual lists.
pub(crate) fn listed() -> impl Iterator<Item = Variable> {
    let of_sessions = of_sessions().map(|(_, _, variable)| variable);
    [ROOT, SWITCH, RUN, AGENT, SESSION].into_iter().chain(of_sessions).chain([
        CLAUDE_PID,
        CLAUDE_PROJECT_DIR,
        CLAUDE_ENV_FILE,
        COPILOT_PROJECT_DIR,
        HOME,
        USER,
        CONFIG_HOME,
        STATE_HOME,
        CACHE_HOME,
        PI_AGENT,
        NO_COLOR,
        CLICOLOR,
        CLICOLOR_FORCE,
        TERM,
        LOCALE[0],
        LOCALE[1],
        LOCALE[2],
    ])
}

/// Reads a variable; an empty one counts as not set.
#[expect(clippy::disallowed_methods, reason = "this is the environment's door")]
pub(crate) fn get(variable: Variable) -> Option<OsString> {
    std::env::var_os(variable.name).filter(|value| !value.is_empty())
}

/// Returns the agent that this session is, if any.
pub(crate) fn agent() -> Option<sprag_core::Agent> {
    get(AGENT).and_then(|name| sprag_core::Agent::parse(name.to_str()?).ok())
}

/// Returns whether a host's mark is set to any non-empty value.
#[expect(clippy::disallowed_methods, reason = "this is the environment's door")]
pub(crate) fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Returns all variables, including secrets; commands are started without the secrets.
pub(crate) fn all() -> Vec<(OsString, OsString)> {
    std::env::vars_os().collect()
}

#[cfg(test)]
mod tests {
    use sprag_core::systems;
    use sprag_world::root::STATE;

    use super::*;

    #[test]
    fn the_search_names_every_folder_that_makes_a_project() {
        assert!(ROOT.meaning.contains(&systems::listed(STATE)), "{}", ROOT.meaning);
    }
}
