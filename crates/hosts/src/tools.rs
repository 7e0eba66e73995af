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
    const fn entry(self) -> Option<&'static str> {
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
        advances: advances(call),
    }
}

/// The tool that moves a workflow, at pi.
const ADVANCE: &str = "workflow_step";

/// Returns whether this call moves the workflow, which no phase forbids: the tool itself, the one
/// of our MCP server, or a shell call that is `sprag step …` and nothing else.
fn advances(call: &Call) -> bool {
    let ours = |server: &str| server == "sprag" || server == "plugin_sprag_sprag";
    let served = || {
        let rest = call.name.strip_prefix("mcp__")?;
        rest.strip_suffix(ADVANCE)?.strip_suffix("__").map(ours)
    };
    let typed = || {
        let command = call.command.as_deref().filter(|_| call.class == Class::Shell);
        command.is_some_and(shell::is_step)
    };
    call.name == ADVANCE || served() == Some(true) || typed()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str) -> Call {
        let class = Host::Claude.class(name);
        Call { name: name.to_owned(), class, paths: Vec::new(), command: None, id: None }
    }

    #[test]
    fn entries_are_classes_names_and_names_of_pi() {
        for (entry, name) in [
            ("@edit", "Write"),
            ("@edit", "NotebookEdit"),
            ("@shell", "Bash"),
            ("@agent", "Agent"),
            ("@web", "WebFetch"),
            ("@search", "Glob"),
            ("@read", "Read"),
            ("Write", "Write"),
            ("mcp__x__y", "mcp__x__y"),
            ("write", "Write"),
            ("edit", "MultiEdit"),
            ("bash", "KillShell"),
            ("find", "Glob"),
            ("ls", "LS"),
        ] {
            assert!(policed(Host::Claude, &call(name)).is_meant_by(entry), "{entry} {name}");
        }
        for (entry, name) in [
            ("@edit", "Bash"),
            ("@other", "TodoWrite"),
            ("@", "TodoWrite"),
            ("@Edit", "Edit"),
            ("WRITE", "Write"),
            ("bash", "Read"),
            ("write", "Edit"),
            ("find", "Grep"),
            ("", "Write"),
        ] {
            assert!(!policed(Host::Claude, &call(name)).is_meant_by(entry), "{entry} {name}");
        }
    }

    #[test]
    fn the_tool_that_moves_a_workflow_has_several_names() {
        for name in
            ["workflow_step", "mcp__sprag__workflow_step", "mcp__plugin_sprag_sprag__workflow_step"]
        {
            assert!(advances(&call(name)), "{name}");
        }
        for name in ["mcp__other__workflow_step", "workflow_steps", "mcp__sprag__sprag_status"] {
            assert!(!advances(&call(name)), "{name}");
        }
        let typed = |text: &str| Call { command: Some(text.to_owned()), ..call("Bash") };
        for text in ["sprag step next", "sprag -C /home/dev/proj step next --summary 'it > is'"] {
            assert!(advances(&typed(text)), "{text}");
        }
        for text in [
            "sprag step next; rm -rf src",
            "sprag step next && make",
            "sprag step next > notes",
            "sprag step next $(make)",
            "sprag step next | tee x",
            "sprag step next <(make)",
            "./sprag step next",
            "PATH=. sprag step next",
            "sprag status",
            "sprag start step",
            "step",
            "",
        ] {
            assert!(!advances(&typed(text)), "{text}");
        }
    }
}
