//! The differences between hosts, as data: each host has one [`HostRow`], in its own folder.
//!
//! A row is all that the rest of sprag knows of a host. So a host that nothing here names, such as
//! that of `crates/testkit/tests/toy_host.rs`, works as well as those of [`HOSTS`](crate::HOSTS).

pub use crate::decode::{after, ignored, named, prompt};
pub use crate::encode::{ContextField, DenyField, ReplyFormat, named_room};
pub use crate::headless::line::JsonLine;
pub use crate::headless::start::denied;
pub use crate::headless::stream_state::{StreamState, tokens};
pub use crate::install::settings_layout::{CommandField, EntryLayout, TimeUnit};
pub use crate::payload::{Payload, ToolInput};

use crate::headless::{StartCommand, StartOptions};
use crate::install::{FileSpec, SettingsLayout, Slash};
use crate::{Class, HookEvent, Host, Limit, NotUnderstood, Setting};

/// One host's names, files and formats.
pub struct HostRow {
    /// The name of its program, on the command line and in file names.
    pub name: &'static str,
    /// The version of the host at which all of this was observed.
    pub observed: &'static str,
    /// How many consecutive refused stops the host tolerates; `None` if no limit is known.
    pub refusals: Option<u32>,
    /// The files that configure which programs the host calls.
    pub settings: &'static [Setting],
    /// The host's tools by kind. Names of older versions do no harm.
    pub tools: &'static [(Class, &'static [&'static str])],
    /// The host's counterparts of pi's tools.
    ///
    /// If one of pi's tools has several counterparts, a rule applies to all of them: forbidding
    /// `edit` also forbids `MultiEdit`, and allowing `bash` also allows reading its output.
    pub counterparts: &'static [(&'static str, &'static [&'static str])],
    /// The text before and between an MCP server and its tool in a tool's name.
    pub served: &'static [(&'static str, &'static str)],
    /// The abilities that the host has only in part, or not at all.
    pub limits: &'static [Limit],
    pub variables: Variables,
    pub hooks: Hooks,
    pub headless: Headless,
    pub install: Install,
}

/// The environment variables that a host sets for the commands of its agent.
pub struct Variables {
    /// Each of them shows that an agent runs the command. A variable that a person may set in a
    /// shell profile is not among them.
    pub marks: &'static [&'static str],
    /// How a command finds the session that it is started in.
    pub session: SessionVariable,
    /// The others that belong to one session, and that no other agent may inherit.
    pub others: &'static [&'static str],
}

/// How a command finds the session that it is started in.
#[derive(Clone, Copy, Debug)]
pub enum SessionVariable {
    /// The variable has the host's id of the session.
    Id(Variable),
    /// The variable only shows the host: its only session in the project is meant.
    OnlyOne(Variable),
    /// A command cannot find it.
    None,
}

/// An environment variable that sprag reads.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    pub name: &'static str,
    /// One sentence for the manual.
    pub meaning: &'static str,
}

/// How a host's hook calls are decoded and answered.
pub struct Hooks {
    /// Decodes one event by its name.
    pub decode: fn(Host, &str, Payload) -> Result<HookEvent, NotUnderstood>,
    /// Returns the room for an answer to an event.
    pub room: fn(&HookEvent) -> ReplyFormat,
}

/// How a host works without a person.
pub struct Headless {
    /// Returns the command that starts it.
    pub start: fn(Host, &StartOptions<'_>) -> StartCommand,
    /// Reads one line of its output.
    pub read: fn(&JsonLine, &mut StreamState),
    /// Reads its log at the end, if that has something which the output lacks.
    pub read_log: Option<fn(&str, &mut StreamState)>,
    /// Whether it reports times on the person's clock without an offset.
    pub local_times: bool,
}

/// How sprag is installed into a host's files.
pub struct Install {
    /// The files that `init` writes for one person.
    pub personal: &'static [FileSpec],
    /// The files that `init` writes for all people who have the project.
    pub shared: &'static [FileSpec],
    /// The environment variables that move a folder below the home directory, each with the path
    /// prefix that it replaces.
    pub moved: &'static [(&'static str, &'static str)],
    /// The format of its settings; `None` for a host that needs a bridge.
    pub layout: Option<&'static SettingsLayout>,
    /// The bridge, if it calls no commands.
    pub bridge: Option<Bridge>,
    /// How the tools of `sprag mcp` are registered.
    pub server: ServerFormat,
    /// Returns the text of a slash command's file, for hosts with such files.
    pub command: Option<fn(Slash) -> String>,
    /// The text of the ignore file that keeps ours out of the project's history.
    pub ignore: &'static str,
    /// Whether it ignores a project's settings until the person trusts the folder.
    pub asks_for_trust: bool,
    /// What happens if both sprag and another hook refuse a stop.
    pub both_refuse: &'static str,
}

/// A program inside the host that calls `sprag rpc`.
#[derive(Clone, Copy)]
pub struct Bridge {
    /// Its source.
    pub text: &'static str,
    pub protocol: BridgeProtocol,
}

/// What a bridge sends and receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BridgeProtocol {
    /// The payloads and the output of host hooks.
    HookPayloads,
    /// The vocabulary of pi-workflows' recorded sessions.
    PiWorkflows,
}

/// How an MCP server is registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerFormat {
    /// A JSON object with these fields beside `command` and `args`.
    Json {
        /// The value of `type`.
        kind: Option<&'static str>,
        /// Whether `tools` must list the tools that are allowed.
        lists_tools: bool,
    },
    /// A table in a TOML file.
    Toml,
}
