//! `mail/AGENT/….json`: one message, in one of two shapes.

use sprag_core::Time;

use super::{map, optional, text};
use crate::edit::Edit;
use crate::fault::Fault;

/// How a message is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// As the skill describes it: subject and body.
    Skill,
    /// As the original's code types it: channel and payload.
    Code,
}

/// A message to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Who sends it.
    pub from: String,
    /// Who gets it.
    pub to: String,
    /// What it is about: `work_assignment`, `completion_report`, `coordination` …
    pub kind: String,
    /// The first line.
    pub subject: String,
    /// The text.
    pub body: String,
    /// `urgent`, `normal`, `low`.
    pub priority: String,
}

/// A message as it stands in its document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// How it is written.
    pub shape: Shape,
    /// What it says.
    pub letter: Letter,
    /// When it was sent, as it stands there.
    pub sent: String,
    /// Whether its receiver has read it.
    pub read: bool,
    /// When its receiver acknowledged it.
    pub acked: Option<String>,
    /// What its sender knows it by; the original knows none.
    pub key: Option<String>,
}

/// How urgent a message is of which nothing is said.
const NORMAL: &str = "normal";

impl Letter {
    /// Returns the edits that write it.
    pub fn made(&self, now: Time) -> Vec<Edit> {
        vec![
            Edit::set(["from"], self.from.as_str()),
            Edit::set(["to"], self.to.as_str()),
            Edit::set(["type"], self.kind.as_str()),
            Edit::set(["subject"], self.subject.as_str()),
            Edit::set(["body"], self.body.as_str()),
            Edit::set(["timestamp"], now.to_string()),
            Edit::set(["read"], false),
            Edit::set(["priority"], self.priority.as_str()),
        ]
    }
}

impl Mail {
    /// Where the key of a message stands.
    pub const KEY: &'static str = "id";

    /// Reads a message.
    pub fn read(source: &str) -> Result<Self, Fault> {
        let document = map(source)?;
        let top = document.top();
        let shape = match top.get(&["payload"]) {
            Some(_) => Shape::Code,
            None => Shape::Skill,
        };
        let (kind, subject, body) = match shape {
            Shape::Skill => (text(&top, "type")?, text(&top, "subject")?, text(&top, "body")?),
            Shape::Code => {
                let payload = text(&top, "payload")?;
                let subject = payload.split(':').next().unwrap_or_default().trim().to_owned();
                (text(&top, "channel")?, subject, payload)
            }
        };
        let read = top.optional(&["read"]).map(|field| field.as_bool()).transpose()?;
        let (from, to) = (text(&top, "from")?, text(&top, "to")?);
        let priority = optional(&top, "priority")?.unwrap_or_else(|| NORMAL.to_owned());
        Ok(Self {
            shape,
            letter: Letter { from, to, kind, subject, body, priority },
            sent: text(&top, "timestamp")?,
            read: read.unwrap_or_default(),
            acked: optional(&top, "acked_at")?,
            // Whatever else stands there is somebody else's.
            key: top.get(&[Self::KEY]).and_then(|field| field.as_str().ok().map(str::to_owned)),
        })
    }

    /// Returns the edit that marks it as read.
    pub fn mark_read() -> Edit {
        Edit::set(["read"], true)
    }

    /// Returns the edits that acknowledge it; who acknowledges has read.
    pub fn acknowledge(now: Time) -> Vec<Edit> {
        vec![Self::mark_read(), Edit::set(["acked_at"], now.to_string())]
    }
}
