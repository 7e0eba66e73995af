//! Runs the hosts' real clients against a scripted model: sprag's messages reach the agent,
//! forbidden calls do not run, and no session stops before the work is proven.
//!
//! `./scripts/test --hosts` installs the clients and runs these tests; `SPRAG_HOSTS` names the
//! folder of the clients. Without it, and for each missing client, every test is a counted skip.
//! Each client has a file; the tests common to all are in `first_minute`, `guard`, `workflow`,
//! `together`, `held`, `interrupted`, `headless` and `integrity`.
//!
//! A session gets an environment of its own with dummy keys, a home of its own and a model on
//! loopback. It has a time limit, and all its processes end with it.
#![expect(clippy::disallowed_methods, reason = "starts programs and writes their settings")]
#![expect(clippy::unwrap_used, reason = "a test that cannot prepare its case must fail")]

mod claude;
mod client;
mod codex;
mod copilot;
mod driven;
mod first_minute;
mod gemini;
mod guard;
mod headless;
mod held;
mod integrity;
mod interrupted;
mod opencode;
mod pi;
mod process;
mod session;
mod settings;
mod together;
mod workflow;
mod world;
