//! `nudge/AGENT/latest.json` and its queue: short messages that check an agent's health or redirect
//! it.

use sprag_core::Time;

use super::{map, optional, text};
use crate::edit::Edit;
use crate::fault::Fault;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nudge {
    /// The original has no ids.
    pub id: Option<String>,
    /// The sender.
    pub from: String,
    /// `health_check`, `stall_warning`, `priority_change`, `abort`, `sync_request`,
    /// `nudge_response`.
    pub kind: String,
    pub message: String,
    /// The sending time, as written in the file.
    pub sent: String,
    /// Whether a response is required.
    pub asks: bool,
    /// The journal's sequence number at sending; the original has none.
    pub seq: Option<u64>,
}

impl Nudge {
    /// The kind that ends the work; it stays until it is answered.
    pub const ABORT: &'static str = "abort";
    /// The kind of a response.
    pub const RESPONSE: &'static str = "nudge_response";

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

    /// The edits that write the nudge.
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

    /// The sending time, if it is valid.
    pub fn at(&self) -> Option<Time> {
        Time::parse(&self.sent)
    }
}
