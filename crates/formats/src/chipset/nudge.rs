//! `nudge/AGENT/latest.json` and its queue: a short message about being alive.

use sprag_core::Time;

use super::{map, optional, text};
use crate::edit::Edit;
use crate::fault::Fault;

/// A nudge as it stands in its document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nudge {
    /// Its id; the original knows none.
    pub id: Option<String>,
    /// Who sends it.
    pub from: String,
    /// `health_check`, `stall_warning`, `priority_change`, `abort`, `sync_request`,
    /// `nudge_response`.
    pub kind: String,
    /// The text.
    pub message: String,
    /// When it was sent, as it stands there.
    pub sent: String,
    /// Whether an answer is asked for.
    pub asks: bool,
    /// Where in the journal it was sent; the original knows none.
    pub seq: Option<u64>,
}

impl Nudge {
    /// The kind that ends the work; it stands until it is answered.
    pub const ABORT: &'static str = "abort";
    /// The kind of an answer.
    pub const RESPONSE: &'static str = "nudge_response";

    /// Reads a nudge.
    pub fn read(source: &str) -> Result<Self, Fault> {
        let document = map(source)?;
        let top = document.top();
        let asks = top.optional(&["requires_response"]).map(|field| field.as_bool()).transpose()?;
        let seq = top.optional(&["seq"]).map(|field| field.as_u64()).transpose()?;
        Ok(Self {
            id: optional(&top, "id")?,
            from: text(&top, "from")?,
            kind: text(&top, "type")?,
            message: text(&top, "message")?,
            sent: text(&top, "timestamp")?,
            asks: asks.unwrap_or_default(),
            seq,
        })
    }

    /// Returns the edits that write it.
    pub fn made(&self) -> Vec<Edit> {
        let mut edits = vec![
            Edit::set(["from"], self.from.as_str()),
            Edit::set(["type"], self.kind.as_str()),
            Edit::set(["message"], self.message.as_str()),
            Edit::set(["timestamp"], self.sent.as_str()),
            Edit::set(["requires_response"], self.asks),
        ];
        edits.extend(self.id.as_deref().map(|id| Edit::set(["id"], id)));
        edits.extend(self.seq.map(|seq| Edit::set(["seq"], seq)));
        edits
    }

    /// Returns the moment it was sent, where it says one.
    pub fn at(&self) -> Option<Time> {
        Time::parse(&self.sent)
    }
}
