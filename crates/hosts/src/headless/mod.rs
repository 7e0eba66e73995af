//! How each host is started without a person, and what it says then.
//!
//! [`start`] gives the command for one piece of work: the prompt goes in by standard input, so
//! that neither its length nor `ps` matters, and whatever would ask a person is answered by the
//! host itself. What comes out is one JSON a line, in a dialect of its own for each host;
//! [`Stream`] makes [`Heard`] of it. Every line is hostile: an unknown or broken one is nothing,
//! and whatever is taken from one has a cap.

mod claude;
mod codex;
mod copilot;
mod gemini;
mod heard;
mod limits;
mod line;
mod opencode;
mod pi;
mod start;
mod stream;
mod talk;
#[cfg(test)]
mod tests;

pub use heard::Heard;
pub use start::{Start, Wish, start};
pub use stream::{Moment, Stream};
