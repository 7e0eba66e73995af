//! Sets sprag up in a project and removes it again: `sprag init`.
//!
//! First it only looks: at the hosts ([`program`]), the project's own check
//! ([`usual_checks`](crate::usual_checks)), other systems with state here ([`foreign`]), and the
//! hosts' files that would change ([`setting`]).
//! This makes a [`plan`], which a person sees whole before anything is written. The plan is carried
//! out file by file. Every write is recorded outside of the project (`init_memory`), so that
//! [`undo`] can revert exactly that.

pub mod apply;
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

/// Returns a variable of an environment; an empty one counts as unset.
pub(crate) fn variable<'e>(
    environment: &'e [(OsString, OsString)],
    name: &str,
) -> Option<&'e OsStr> {
    let found = environment.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_os_str()).filter(|value| !value.is_empty())
}
