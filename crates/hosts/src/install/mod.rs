//! Installs sprag into a host's settings and removes it again: texts in, texts out.
//!
//! Each host has a table of files and of our parts in each ([`FileSpec`], [`Component`]). [`enter`] adds
//! them to a text and changes nothing else; [`leave`] removes exactly our parts; [`survey`] lists
//! the existing entries. Order, unknown keys, indentation and line ends stay. A text that cannot be
//! changed without loss is refused, with the reason.

mod bridge;
mod calls;
mod commands;
mod component;
mod enter;
mod entry;
mod merge;
mod plugin;
mod refused;
mod server;
mod settings_layout;
mod stamp;
mod survey;
mod table;
mod uninstall;

pub use calls::calls;
pub use commands::Slash;
pub use component::{Component, FileSpec};
pub use enter::{Cleaned, Entered, enter, leave};
pub use entry::{Wanted, is_sprag};
pub use merge::{Installed, install};
pub use plugin::plugin;
pub use refused::Refused;
pub use settings_layout::{NO_BRIDGE, Scope, SettingsLayout};
pub use survey::{Survey, survey};
pub use uninstall::{Uninstalled, uninstall};

#[cfg(test)]
mod tests;
