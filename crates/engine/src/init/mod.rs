//! Lets sprag into a project and out of it again: `sprag init`.
//!
//! First everything is only looked at: which hosts are there ([`program`]), what the project's own
//! check is ([`check`]), which other systems keep state here ([`foreign`]), which files of the hosts
//! would change ([`setting`]). From that comes a [`plan`], which a person sees whole before anything
//! is written. It is applied file by file, and what was written is remembered outside the project
//! (`init_memory`), so that [`undo`] can take out exactly that.

pub mod apply;
pub mod check;
pub mod config;
pub mod foreign;
pub mod hosts;
pub mod plan;
mod plugin;
pub mod program;
pub mod rival;
pub mod setting;
pub mod spot;
pub mod undo;

#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};

/// Returns a variable of an environment; an empty one counts as not set.
pub(crate) fn variable<'e>(
    environment: &'e [(OsString, OsString)],
    name: &str,
) -> Option<&'e OsStr> {
    let found = environment.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_os_str()).filter(|value| !value.is_empty())
}
