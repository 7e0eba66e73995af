//! The preparation of a new worktree: `worktree:` in `config.yaml`. Also `notify:`, the other
//! command that a run starts on its own.

use sprag_core::Glob;

use crate::fault::{Fault, FaultKind};
use crate::field::Field;
use crate::gates::{Faults, argv, globs, word};
use crate::keys;

/// The settings under `worktree:`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorktreeConfig {
    /// The commands to run in a new worktree, in order.
    pub setup: Vec<Vec<String>>,
    /// The project's ignored files to copy into it.
    pub copy: Vec<Glob>,
    /// The variables for commands and agents there, in the order of the file.
    pub env: Vec<(String, String)>,
}

/// The settings under `notify:`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotifyConfig {
    /// The command that notifies a person; `None` turns notifications off.
    pub command: Option<Vec<String>>,
}

/// Prefixes reserved for git and sprag: such variables would redirect where work happens.
const OURS: [&str; 2] = ["GIT_", "SPRAG_"];

/// Reads `worktree: {setup, copy, env}`.
pub(crate) fn worktree(field: &Field<'_>, faults: &mut Faults) -> WorktreeConfig {
    if faults.take(field.entries()).is_none() {
        return WorktreeConfig::default();
    }
    faults.note_unknown(field, &keys::WORKTREE);
    let setup = field.optional(&["setup"]).and_then(|list| faults.take(list.items()));
    let setup = setup.unwrap_or_default();
    WorktreeConfig {
        setup: setup.iter().filter_map(|item| faults.take(argv(item))).collect(),
        copy: field.optional(&["copy"]).map(|list| globs(&list, faults)).unwrap_or_default(),
        env: field.optional(&["env"]).map(|map| variables(&map, faults)).unwrap_or_default(),
    }
}

/// Reads `notify: {command}`.
pub(crate) fn notify(field: &Field<'_>, faults: &mut Faults) -> NotifyConfig {
    if faults.take(field.entries()).is_none() {
        return NotifyConfig::default();
    }
    faults.note_unknown(field, &keys::NOTIFY);
    NotifyConfig { command: faults.optional(field, "command", argv) }
}

fn variables(field: &Field<'_>, faults: &mut Faults) -> Vec<(String, String)> {
    let read = |(name, field): (&str, Field<'_>)| -> Result<(String, String), Fault> {
        let wrong = |why: String| field.fault(FaultKind::Type, why);
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if !name.bytes().all(is_letter) || name.as_bytes().first().is_none_or(u8::is_ascii_digit) {
            return Err(wrong(format!("`{}` is no name of a variable", name.escape_debug())));
        }
        if OURS.iter().any(|ours| name.starts_with(ours)) {
            return Err(wrong(format!("`{name}` is not the project's to set")));
        }
        Ok((name.to_owned(), word(&field)?))
    };
    let entries = faults.take(field.entries()).unwrap_or_default();
    entries.into_iter().filter_map(|entry| faults.take(read(entry))).collect()
}
