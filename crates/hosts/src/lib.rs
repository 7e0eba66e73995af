//! The hosts' payloads and replies: one dialect per host, all of them pure.
//!
//! A host hook receives bytes on standard input. [`Host::decode`] turns them into a [`HookCall`]: the
//! session, its folder, and the event ([`HookEvent`]). The engine decides and returns a [`Reply`],
//! and [`Host::encode`] writes exactly the fields that the host reads at that event.
//! [`Host::limits`] lists the abilities that a host lacks.
//!
//! Two checks apply to every host before a tool runs: [`shell`] reads the text of a shell call,
//! [`edits`] the path of an edit. Both stop agents that take shortcuts, not attackers.
//!
//! ```
//! use sprag_hosts::{HostAnswer, Host, Reply};
//!
//! let said = br#"{"session_id": "s-1", "cwd": "/home/dev/proj", "hook_event_name": "Stop"}"#;
//! let heard = Host::CLAUDE.decode(said, None)?;
//! let reply = Reply::from(HostAnswer::Refuse { why: "`cargo test` fails".to_owned() });
//! let output = Host::CLAUDE.encode(&heard, &reply);
//! assert_eq!(output.stdout, "{\"decision\":\"block\",\"reason\":\"`cargo test` fails\"}\n");
//! # Ok::<(), sprag_hosts::NotUnderstood>(())
//! ```

mod call;
mod claude;
mod codex;
mod copilot;
mod decode;
pub mod edits;
mod encode;
mod gemini;
pub mod headless;
mod hook_call;
mod hook_event;
mod host;
pub mod install;
mod json;
mod limit;
mod not_understood;
mod opencode;
mod patch;
mod payload;
mod pi;
mod place;
mod reply;
pub mod row;
mod session_file;
pub mod shell;
mod slash;
mod tools;

pub use call::ToolCall;
pub use hook_call::HookCall;
pub use hook_event::{Background, BackgroundWork, By, EndReason, HookEvent, StartSource, TurnEnd};
pub use host::{Host, PathBase, Setting};
pub use json::MAX_BYTES;
pub use limit::{Ability, Grade, Limit};
pub use not_understood::NotUnderstood;
pub use reply::{HostAnswer, Output, Reply};
pub use row::Variable;
pub use session_file::{host_of, session_file};
pub use slash::{SLASH_BODIES, SlashCommand};
pub use tools::{Class, policed};

/// The hosts that sprag knows, in order of preference.
pub const HOSTS: [Host; 6] =
    [Host::CLAUDE, Host::CODEX, Host::GEMINI, Host::COPILOT, Host::OPENCODE, Host::PI];

/// The names of the hosts that sprag knows.
pub fn names() -> [&'static str; HOSTS.len()] {
    HOSTS.map(Host::name)
}
