//! The differences between hosts, as data: one [`Dialect`] per host, in the host's file.

use crate::encode::ReplyFormat;
use crate::payload::Payload;
use crate::{Class, HookEvent, Host, Limit, NotUnderstood, Setting};

/// One host's names, files and formats.
pub(crate) struct Dialect {
    /// The name on the command line and in file names.
    pub(crate) name: &'static str,
    /// The version of the host at which all of this was observed.
    pub(crate) observed: &'static str,
    /// How many consecutive refused stops the host tolerates; `None` if no limit is known.
    pub(crate) refusals: Option<u32>,
    /// The files that configure which programs the host calls.
    pub(crate) settings: &'static [Setting],
    /// The host's tools by kind. Names of older versions do no harm.
    pub(crate) tools: &'static [(Class, &'static [&'static str])],
    /// The host's counterparts of pi's tools.
    ///
    /// If one of pi's tools has several counterparts, a rule applies to all of them: forbidding
    /// `edit` also forbids `MultiEdit`, and allowing `bash` also allows reading its output.
    pub(crate) counterparts: &'static [(&'static str, &'static [&'static str])],
    /// The text before and between an MCP server and its tool in a tool's name.
    pub(crate) served: &'static [(&'static str, &'static str)],
    /// The abilities that the host has only in part, or not at all.
    pub(crate) limits: &'static [Limit],
    /// Decodes one event.
    pub(crate) hears: fn(Host, &str, Payload) -> Result<HookEvent, NotUnderstood>,
    /// Returns the room for an answer to an event.
    pub(crate) room: fn(&HookEvent) -> ReplyFormat,
}
