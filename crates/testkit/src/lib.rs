//! Helpers for sprag's tests; never part of the product.
//!
//! [`TestEnv`] is an isolated environment: no setting of the machine gets in, and nothing stays
//! behind. [`Test`] runs a program in it, so that a test reads as a sentence. The public modules
//! serve the tests with kills, starvation and races: faults at system calls, races, and the check
//! of their histories.
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
