//! What differs from host to host, as data: one value of [`Dialect`] a host, in the host's file.

use crate::encode::Room;
use crate::payload::Payload;
use crate::{Class, Happening, Host, Limit, NotUnderstood, Setting};

/// How one host speaks and is spoken to.
pub(crate) struct Dialect {
    /// Its name on the command line and in file names.
    pub(crate) name: &'static str,
    /// The version at which all of this was observed.
    pub(crate) observed: &'static str,
    /// How many refused stops in a row it endures, where it has such a cap.
    pub(crate) refusals: Option<u32>,
    /// The files that say whom it calls.
    pub(crate) settings: &'static [Setting],
    /// Its tools by kind; some are of older versions and do no harm there.
    pub(crate) tools: &'static [(Class, &'static [&'static str])],
    /// Its counterparts of pi's tools.
    ///
    /// Where it has several for one of pi's, all are meant: who forbids `edit` does not mean to
    /// allow `MultiEdit`, and who allows `bash` also means reading what it printed.
    pub(crate) counterparts: &'static [(&'static str, &'static [&'static str])],
    /// What stands before and between an MCP server and its tool in the tool's name.
    pub(crate) served: &'static [(&'static str, &'static str)],
    /// What it does only in part, or not at all.
    pub(crate) limits: &'static [Limit],
    /// Hears one event.
    pub(crate) hears: fn(Host, &str, Payload) -> Result<Happening, NotUnderstood>,
    /// Returns what an event leaves room for.
    pub(crate) room: fn(&Happening) -> Room,
}
