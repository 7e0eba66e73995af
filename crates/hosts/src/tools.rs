//! Maps tool names between workflows and hosts. `core` decides which tools a phase allows; this
//! module determines which entries of its list match a call.

use crate::{Host, ToolCall, shell};

/// A kind of tool; `@read` in a workflow means every tool of that kind, at every host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Reads a file.
    Read,
    /// Changes a file.
    Edit,
    /// Runs commands.
    Shell,
    /// Searches for files or in files.
    Search,
    /// Reads the web.
    Web,
    /// Starts other agents.
    Agent,
    /// Any other tool; no `@` entry matches it.
    Other,
}

impl Class {
    /// The kind's name in a workflow; `None` for [`Self::Other`].
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

/// The tools of pi with a counterpart at every host.
const OF_PI: [&str; 7] = ["edit", "write", "read", "bash", "grep", "find", "ls"];

/// Returns a call as a phase's policy sees it, with every name in a tool list that matches it: the
/// host's exact name, `@class`, and pi's name for a similar tool.
pub fn policed(host: Host, call: &ToolCall) -> sprag_core::Call {
    let of_pi = OF_PI.into_iter().filter(|pi| host.counterparts(pi).contains(&&*call.name));
    sprag_core::Call {
        name: call.name.clone(),
        also: call.class.entry().into_iter().chain(of_pi).map(str::to_owned).collect(),
        advances: advances(host, call),
    }
}

/// pi's tool that advances a workflow.
const ADVANCE: &str = "workflow_step";

/// Returns whether this call advances the workflow, which no phase forbids: the tool itself, the
/// one of our MCP server, or a shell call that is only `sprag step …`.
fn advances(host: Host, call: &ToolCall) -> bool {
    let ours = |server: &str| server == "sprag" || server == "plugin_sprag_sprag";
    let served = |(before, between): &(&str, &str)| {
        let rest = call.name.strip_prefix(before)?;
        rest.strip_suffix(ADVANCE)?.strip_suffix(between).map(ours)
    };
    let served = || host.row().served.iter().any(|joints| served(joints) == Some(true));
    let typed = || {
        let command = call.command.as_deref().filter(|_| call.class == Class::Shell);
        command.is_some_and(shell::is_step)
    };
    call.name == ADVANCE || served() || typed()
}

#[cfg(test)]
mod tests;
