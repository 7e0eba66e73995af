//! How sprag gets into a host's settings and out of them again: texts in, texts out.
//!
//! A host has a table of files and of what belongs into each ([`Piece`], [`Part`]). [`enter`] puts
//! that into a text and changes nothing else in it; [`leave`] takes out exactly what is ours;
//! [`survey`] says which entries are there. Order, unknown keys, indentation and line ends stay. A
//! text that cannot be changed without loss is refused, and why is said.

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
