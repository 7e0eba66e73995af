//! `mail/AGENT/….json`: one message, in one of two shapes.

use sprag_core::Time;

use super::{map, optional, text};
use crate::edit::Edit;
use crate::fault::Fault;

/// The format of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// As the skill describes it: subject and body.
    Skill,
    /// As the original's code defines it: channel and payload.
    Code,
}

/// The content of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// The sender.
    pub from: String,
    /// The receiver.
    pub to: String,
    /// `work_assignment`, `completion_report`, `coordination` …
    pub kind: String,
    pub subject: String,
    pub body: String,
    /// `urgent`, `normal` or `low`.
    pub priority: String,
}

/// A message with its delivery state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    pub shape: Shape,
    pub letter: Letter,
    /// The sending time, as written in the file.
    pub sent: String,
    /// Whether the receiver has read it.
    pub read: bool,
    /// When the receiver acknowledged it.
    pub acked: Option<String>,
    /// The sender's id for the message; the original has none.
    pub key: Option<String>,
}

/// The default priority.
const NORMAL: &str = "normal";

impl Letter {
    /// The edits that write the message.
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
    /// The field that holds the key.
    pub const KEY: &'static str = "id";

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
            // Any other value was written by another program.
            key: top.get(&[Self::KEY]).and_then(|field| field.as_str().ok().map(str::to_owned)),
        })
    }

    /// The edit that marks the message as read.
    pub fn mark_read() -> Edit {
        Edit::set(["read"], true)
    }

    /// The edits that acknowledge the message, which also marks it as read.
    pub fn acknowledge(now: Time) -> Vec<Edit> {
        vec![Self::mark_read(), Edit::set(["acked_at"], now.to_string())]
    }
}
