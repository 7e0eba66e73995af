//! One binary for the tests that read fixtures or take a while.
//!
//! `SPRAG_LONG=1` runs the random tests twenty times longer.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod docs;
mod fixtures;
mod headless;
mod large;
mod mutate;
mod plugin;
mod schema;
mod support;
