//! Tests a run's worktrees with real git.
#![expect(clippy::disallowed_methods, reason = "tests make files as they like")]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up must stop")]

mod base;
mod commit;
mod left;
mod merge;
mod odd;
mod resolve;
mod set_up;
mod world;
