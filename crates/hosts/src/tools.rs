//! What a workflow calls a tool, and what the host calls it. Which tools a phase allows is decided
//! in `core`; here is only which entries of its list mean this call.

use crate::{Call, Host, shell};

/// A kind of tool; `@read` in a workflow means every tool of that kind, at every host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Reads a file.
    Read,
    /// Changes a file.
    Edit,
    /// Runs commands.
    Shell,
    /// Looks for files or in them.
    Search,
    /// Reads the web.
    Web,
    /// Starts other agents.
    Agent,
    /// None of these: no entry with `@` means it.
    Other,
}

impl Class {
    /// Returns what a workflow calls this kind; nothing for tools of no kind.
    pub(crate) const fn entry(self) -> Option<&'static str> {
        match self {
            Self::Read => Some("@read"),
            Self::Edit => Some("@edit"),
            Self::Shell => Some("@shell"),
            Self::Search => Some("@search"),
            Self::Web => Some("@web"),
            Self::Agent => Some("@agent"),
            Self::Other => None,
        }
    }
}

/// The tools of pi that every host has a counterpart of.
const OF_PI: [&str; 7] = ["edit", "write", "read", "bash", "grep", "find", "ls"];

/// Returns a call as a phase's policy sees it, with every word of a tool list that means it:
/// the host's exact name, `@class`, and pi's name for the like of it.
pub fn policed(host: Host, call: &Call) -> sprag_core::Call {
    let of_pi = OF_PI.into_iter().filter(|pi| host.counterparts(pi).contains(&&*call.name));
    sprag_core::Call {
        name: call.name.clone(),
        also: call.class.entry().into_iter().chain(of_pi).map(str::to_owned).collect(),
        advances: advances(host, call),
    }
}

/// The tool that moves a workflow, at pi.
const ADVANCE: &str = "workflow_step";

/// Returns whether this call moves the workflow, which no phase forbids: the tool itself, the one
/// of our MCP server, or a shell call that is `sprag step …` and nothing else.
fn advances(host: Host, call: &Call) -> bool {
    let ours = |server: &str| server == "sprag" || server == "plugin_sprag_sprag";
    let served = |(before, between): &(&str, &str)| {
        let rest = call.name.strip_prefix(before)?;
        rest.strip_suffix(ADVANCE)?.strip_suffix(between).map(ours)
    };
    let served = || host.dialect().served.iter().any(|joints| served(joints) == Some(true));
    let typed = || {
        let command = call.command.as_deref().filter(|_| call.class == Class::Shell);
        command.is_some_and(shell::is_step)
    };
    call.name == ADVANCE || served() || typed()
}

#[cfg(test)]
mod tests;
