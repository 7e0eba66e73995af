//! What the tests of sprag stand on; never part of the product.
//!
//! [`TestEnv`] is a small world of its own: nothing of the machine's settings gets in, and nothing
//! stays behind. [`Test`] drives a program in it, so that a test reads as a sentence. The public
//! modules are for the tests that kill, starve and race: faults at system calls, races and the
//! judge of their histories.
#![expect(clippy::disallowed_methods, reason = "tests make files and processes as they like")]
#![expect(clippy::missing_panics_doc, reason = "a test that cannot be set up must stop")]
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "likewise")]

pub mod agent;
mod command;
mod env;
mod failpoint;
pub mod folder;
pub mod gh;
pub mod inject;
pub mod linear;
pub mod model;
pub mod race;
pub mod seed;
pub mod skip;
mod spoken;
pub mod strace;
mod text;

pub use command::{Output, Ran, Test};
pub use env::TestEnv;
pub use failpoint::{Action, Failpoints};
pub use spoken::Spoken;
pub use text::text;
