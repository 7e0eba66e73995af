//! How sprag gets into a host's settings and out of them again: texts in, texts out.
//!
//! [`install`] adds our entries to a settings file and changes nothing else in it; [`uninstall`]
//! takes out exactly what is ours; [`survey`] says what is there. Order, unknown keys, indentation
//! and line ends stay. A text that cannot be changed without loss is refused, and why is said.

mod calls;
mod entry;
mod form;
mod merge;
mod refused;
mod survey;
mod uninstall;

pub use calls::calls;
pub use entry::Wanted;
pub use form::{Form, NO_BRIDGE, Scope};
pub use merge::{Installed, install};
pub use refused::Refused;
pub use survey::{Survey, survey};
pub use uninstall::{Uninstalled, uninstall};

#[cfg(test)]
mod tests;
