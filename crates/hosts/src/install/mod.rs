//! Installs sprag into a host's settings and removes it again: texts in, texts out.
//!
//! Each host has a table of files and of our parts in each ([`Piece`], [`Part`]). [`enter`] adds
//! them to a text and changes nothing else; [`leave`] removes exactly our parts; [`survey`] lists
//! the existing entries. Order, unknown keys, indentation and line ends stay. A text that cannot be
//! changed without loss is refused, with the reason.

mod bridge;
mod calls;
mod commands;
mod enter;
mod entry;
mod form;
mod merge;
mod part;
mod plugin;
mod refused;
mod server;
mod stamp;
mod survey;
mod table;
mod uninstall;

pub use calls::calls;
pub use commands::Slash;
pub use enter::{Entered, Left, enter, leave};
pub use entry::{Wanted, is_sprag};
pub use form::{Form, NO_BRIDGE, Scope};
pub use merge::{Installed, install};
pub use part::{Part, Piece};
pub use plugin::plugin;
pub use refused::Refused;
pub use survey::{Survey, survey};
pub use uninstall::{Uninstalled, uninstall};

#[cfg(test)]
mod tests;
