//! The engine with real files, real git and real commands.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up must stop")]
#![expect(clippy::disallowed_methods, reason = "tests see the machine's PATH")]

mod first_release;
mod guard;
mod milestones;
mod milestones_evading;
mod plan;
mod pr;
mod reviewed;
mod unchanged;
mod workflow;
mod world;
