//! Checks the text of a shell call, before it runs, for two acts that agents may not do: use a
//! person's verb (`sprag approve`), and write where only sprag and persons write (`.sprag/`, the
//! host's settings).
//!
//! This stops agents that take shortcuts, not attackers: a script in a file, a program of the
//! agent's own or three layers of quoting get past it. Two further checks catch those: sprag itself
//! refuses a person's verbs under an agent, and the gates detect changed files.
//!
//! A possible person's verb is denied in doubt, and the agent can write it more plainly. Text that
//! only mentions such acts (a commit message, a search, a page of documentation) passes.
//! `PowerShell` is read as if it were a POSIX shell, which finds the plain cases.

mod judge;
mod persons;
mod program;
mod writes;

use sprag_formats::shell::commands;

use crate::Host;

/// The longest text that is checked, in bytes; no system starts a shell with a longer one.
pub const MAX_TEXT: usize = 1 << 20;

/// An act that agents may not do in a shell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Forbidden {
    /// A person's verb.
    #[error("`{said}` is for a person: ask them to run it")]
    Verb {
        /// The command, as far as it is known.
        said: String,
    },
    /// A write to a protected place.
    #[error("`{path}` is not for agents to change")]
    Place {
        /// The path, as far as it is known.
        path: String,
    },
    /// A text that is too long to check.
    #[error("the command has {bytes} bytes, the limit is {MAX_TEXT}: put it in a file")]
    TooLong { bytes: usize },
}

impl Forbidden {
    fn verb(said: &str) -> Self {
        Self::Verb { said: short(said) }
    }

    fn place(path: &str) -> Self {
        Self::Place { path: short(path) }
    }
}

/// Shortens a text for a message.
fn short(text: &str) -> String {
    text.chars().take(120).collect()
}

/// Returns the first forbidden act in a shell text.
///
/// Always returns, in time linear in the length of the text.
pub fn forbidden(host: Host, text: &str) -> Option<Forbidden> {
    if text.len() > MAX_TEXT {
        return Some(Forbidden::TooLong { bytes: text.len() });
    }
    judge::Judge::new(host, text).script(text, 0)
}

/// Returns whether a text is the single command `sprag step …` and nothing else.
pub(crate) fn is_step(text: &str) -> bool {
    if text.len() > MAX_TEXT {
        return false;
    }
    let commands = commands(text);
    let [only] = commands.as_slice() else { return false };
    let Some((program, args)) = only.words.split_first() else { return false };
    let plain = only.writes.is_empty() && only.words.iter().all(|word| word.known);
    plain && program.text == "sprag" && persons::verb(args).is_some_and(|verb| verb.text == "step")
}

#[cfg(test)]
mod tests;
