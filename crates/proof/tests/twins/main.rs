//! Twins: the same stories, played by the binary of a recorded commit and by the one under test.
//!
//! A story is a function that performs commands in a world of its own: hooks of a host, `sprag run`
//! with scripted agents, commands of agents and of people. Both binaries play it at the same path,
//! one after the other, with a fixed clock and fixed ids. After every command the files of the
//! world, the output and the exit code must be equal byte for byte. `mask` lists the exceptions
//! (process numbers and durations), and `intended` lists the differences that a change made on
//! purpose.
//!
//! In the stories of `upgrade` the base plays the beginning in both plays: the current code then
//! reads what the base left on disk.
//!
//! `./scripts/twins` builds both binaries and runs this. `SPRAG_TWIN_BASE` names the binary of the
//! commit in the file `BASE`, `SPRAG_BIN` the one under test; without them every story is a counted
//! skip.
#![expect(clippy::disallowed_methods, reason = "starts programs and reads their worlds")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a story that cannot be set up must fail"
)]

mod compare;
mod hooks;
mod intended;
mod journal;
mod mask;
mod player;
mod record;
mod run;
mod scene;
mod session;
mod twin;
mod upgrade;
mod verbs;
