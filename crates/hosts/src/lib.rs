//! What the hosts say to sprag, and how they are answered: one dialect a host, all of them pure.
//!
//! A host hook gets bytes on standard input. [`Host::decode`] makes a [`Heard`] of them: which
//! session, where, and what is [`Happening`]. The engine decides and gives a [`Reply`], and
//! [`Host::encode`] writes exactly the fields that host understands for that event. What a host
//! cannot do is said by [`Host::limits`].
//!
//! Two lookups belong to every host and are made before a tool runs: [`shell`] reads the text of a
//! shell call, [`edits`] the path of an edit. Both stop agents that take shortcuts, not attackers.
//!
//! ```
//! use sprag_hosts::{Answer, Host, Reply};
//!
//! let said = br#"{"session_id": "s-1", "cwd": "/home/dev/proj", "hook_event_name": "Stop"}"#;
//! let heard = Host::Claude.decode(said, None)?;
//! let reply = Reply::from(Answer::Refuse { why: "`cargo test` fails".to_owned() });
//! let output = Host::Claude.encode(&heard, &reply);
//! assert_eq!(output.stdout, "{\"decision\":\"block\",\"reason\":\"`cargo test` fails\"}\n");
//! # Ok::<(), sprag_hosts::NotUnderstood>(())
//! ```

mod call;
mod claude;
mod codex;
mod copilot;
mod decode;
mod dialect;
pub mod edits;
mod encode;
mod gemini;
mod happening;
pub mod headless;
mod heard;
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
mod session_file;
pub mod shell;
mod slash;
mod tools;

pub use call::Call;
pub use happening::{Background, By, Ended, Happening, Left, Source, Work};
pub use heard::Heard;
pub use host::{At, Host, Setting};
pub use json::MAX_BYTES;
pub use limit::{Ability, Grade, Limit};
pub use not_understood::NotUnderstood;
pub use reply::{Answer, Output, Reply};
pub use session_file::{host_of, session_file};
pub use slash::{SLASH_BODIES, Typed};
pub use tools::{Class, policed};
