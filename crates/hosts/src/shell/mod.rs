//! Reads the text of a shell call, before it runs, for two things an agent may not do: use a verb
//! that is a person's (`sprag approve`), and write where only sprag and persons write (`.sprag/`,
//! the host's settings).
//!
//! This stops agents that take shortcuts, not attackers: a script in a file, a program of the
//! agent's own or three layers of quoting get past it. What stands behind it is sprag itself, which
//! refuses a person's verbs under an agent, and the gates, which count what was changed.
//!
//! Where it is in doubt about a person's verb it denies, and the agent can say it more plainly.
//! Text that only speaks of such things (a commit message, a search, a page of documentation) is
//! let through. `PowerShell` is read as if it were a POSIX shell, which finds the plain cases.

mod judge;
mod persons;
mod program;
mod writes;

use sprag_formats::shell::commands;

use crate::Host;

/// How long a text may be to be read; no system starts a shell with a longer one.
pub const MAX_TEXT: usize = 1 << 20;

/// What an agent may not do in a shell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Forbidden {
    /// A verb that is a person's.
    #[error("`{said}` is for a person: ask them to run it")]
    Verb {
        /// The command, as far as it is known.
        said: String,
    },
    /// A place that agents do not write.
    #[error("`{path}` is not for agents to change")]
    Place {
        /// The path, as far as it is known.
        path: String,
    },
    /// A text that is too long to be looked through.
    #[error("the command has {bytes} bytes, the limit is {MAX_TEXT}: put it in a file")]
    TooLong {
        /// How long.
        bytes: usize,
    },
}

impl Forbidden {
    fn verb(said: &str) -> Self {
        Self::Verb { said: short(said) }
    }

    fn place(path: &str) -> Self {
        Self::Place { path: short(path) }
    }
}

/// Cuts what a message shows.
fn short(text: &str) -> String {
    text.chars().take(120).collect()
}

/// Returns the first thing in a shell text that an agent may not do.
///
/// Every text has an answer, in time that grows with its length and no faster.
pub fn forbidden(host: Host, text: &str) -> Option<Forbidden> {
    if text.len() > MAX_TEXT {
        return Some(Forbidden::TooLong { bytes: text.len() });
    }
    judge::Judge::new(host, text).script(text, 0)
}

/// Returns whether a text is the one command `sprag step …` and nothing beside it.
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
