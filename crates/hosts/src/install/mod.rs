//! Installs sprag into a host's settings and removes it again: texts in, texts out.
//!
//! Each host has a table of files and of our parts in each ([`FileSpec`], [`Component`]). [`enter`] adds
//! them to a text and changes nothing else; [`leave`] removes exactly our parts; [`survey`] lists
//! the existing entries. Order, unknown keys, indentation and line ends stay. A text that cannot be
//! changed without loss is refused, with the reason.

mod bridge;
mod calls;
pub(crate) mod commands;
pub(crate) mod component;
pub(crate) mod enter;
pub(crate) mod entry;
mod merge;
pub(crate) mod refused;
mod server;
mod server_table;
pub(crate) mod settings_layout;
mod stamp;
pub(crate) mod survey;
mod uninstall;

pub use crate::claude::plugin::plugin;
pub use calls::calls;
pub use commands::Slash;
pub use component::{Component, FileSpec};
pub use enter::{Cleaned, Entered, enter, leave};
pub use entry::{Wanted, is_sprag};
pub use merge::{Installed, install};
pub use refused::Refused;
pub use settings_layout::{NO_BRIDGE, Scope, SettingsLayout};
pub use survey::{Survey, survey};
pub use uninstall::{Uninstalled, uninstall};

#[cfg(test)]
mod tests;
