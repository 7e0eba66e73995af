//! Starts each host without a person, and reads its output.
//!
//! [`start`] returns the command for one piece of work. The prompt goes through standard input, so
//! it may be long and does not show in `ps`. The host itself answers every question to a person.
//! Its output is one JSON object per line, in a format of its own; [`Stream`] turns it into
//! [`OutputEvent`]. No line is trusted: unknown and broken lines are ignored, and every value is capped.

pub(crate) mod limits;
pub(crate) mod line;
mod output_event;
pub(crate) mod start;
mod stream;
pub(crate) mod stream_state;
#[cfg(test)]
mod tests;

pub use output_event::OutputEvent;
pub use start::{StartCommand, StartOptions, start};
pub use stream::{Moment, Stream};
