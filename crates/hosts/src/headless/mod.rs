//! Starts each host without a person, and reads its output.
//!
//! [`start`] returns the command for one piece of work. The prompt goes through standard input, so
//! it may be long and does not show in `ps`. The host itself answers every question to a person.
//! Its output is one JSON object per line, in a format of its own; [`Stream`] turns it into
//! [`OutputEvent`]. No line is trusted: unknown and broken lines are ignored, and every value is capped.

mod claude;
mod codex;
mod copilot;
mod gemini;
mod limits;
mod line;
mod opencode;
mod output_event;
mod pi;
mod start;
mod stream;
mod stream_state;
#[cfg(test)]
mod tests;

pub use output_event::OutputEvent;
pub use start::{StartCommand, StartOptions, start};
pub use stream::{Moment, Stream};
