//! The real clients of the hosts against a scripted model: what sprag says reaches the agent, what
//! it forbids does not happen, and nobody stops before the work is proven.
//!
//! `./scripts/test --hosts` installs the clients and runs these; `SPRAG_HOSTS` names the folder they
//! were installed into. Without it, and for each client that could not be had, every test is a
//! counted skip. One client a file; what they all must show is in `first_minute`, `guard`, `workflow`,
//! `together`, `held`, `interrupted`, `headless` and `integrity`.
//!
//! A session sees an environment of its own with keys that open nothing, a home of its own and a
//! model on loopback. It has a limit, and everything it started ends with it.
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
