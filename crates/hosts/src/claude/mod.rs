//! Claude Code, as observed at 2.1.325: its tools, its settings, what it says and what it reads.

mod decode;
mod encode;
mod payload;

pub(crate) use decode::decode;
pub(crate) use encode::encode;

use crate::{At, Class, Setting};

/// Where Claude Code looks up whom to call.
pub(crate) const SETTINGS: &[Setting] = &[
    Setting { at: At::Project, path: ".claude/settings.json" },
    Setting { at: At::Project, path: ".claude/settings.local.json" },
    Setting { at: At::Home, path: ".claude/settings.json" },
];

const SHELL: &[&str] = &["Bash", "PowerShell", "Monitor", "BashOutput", "KillShell"];

/// The tools by kind; some are of older versions and do no harm here.
const CLASSES: [(Class, &[&str]); 6] = [
    (Class::Read, &["Read", "NotebookRead"]),
    (Class::Edit, &["Edit", "Write", "MultiEdit", "NotebookEdit"]),
    (Class::Shell, SHELL),
    (Class::Search, &["Grep", "Glob", "LS"]),
    (Class::Web, &["WebFetch", "WebSearch"]),
    (Class::Agent, &["Agent", "Task", "Workflow"]),
];

/// Returns what kind of tool this is.
pub(crate) fn class(name: &str) -> Class {
    let found = CLASSES.iter().find(|(_, names)| names.contains(&name));
    found.map_or(Class::Other, |(class, _)| *class)
}

/// Returns the counterparts of pi's tools.
///
/// Where Claude Code has several for one of pi's, all are meant: who forbids `edit` does not mean
/// to allow `MultiEdit`, and who allows `bash` also means reading what it printed.
pub(crate) fn counterparts(pi: &str) -> &'static [&'static str] {
    match pi {
        "read" => &["Read", "NotebookRead"],
        "edit" => &["Edit", "MultiEdit", "NotebookEdit"],
        "write" => &["Write"],
        "bash" => SHELL,
        "grep" => &["Grep"],
        "find" => &["Glob"],
        "ls" => &["LS"],
        _ => &[],
    }
}
