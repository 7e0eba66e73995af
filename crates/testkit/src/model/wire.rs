//! The protocols between clients and a model.

use serde_json::Value;

use super::{Heard, Step, anthropic, chat, gemini, responses};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Anthropic Messages.
    Anthropic,
    /// `OpenAI` Responses.
    Responses,
    /// `OpenAI` Chat Completions.
    Chat,
    /// Gemini generateContent.
    Gemini,
}

/// One turn of the model: its step and the request that it answers.
pub(super) struct Turn<'a> {
    /// An id that no other turn has. Clients drop a call whose id they have seen before, even in a
    /// conversation with an earlier model that they resume.
    pub(super) id: &'a str,
    pub(super) step: &'a Step,
    pub(super) body: &'a Value,
}

pub(super) enum Answer {
    /// In one piece.
    Whole(Value),
    /// As a stream.
    Stream(Vec<Event>),
}

/// A piece of a streamed answer.
pub(super) struct Event {
    /// Its name, if the protocol names its pieces.
    pub(super) name: Option<&'static str>,
    pub(super) data: Data,
}

pub(super) enum Data {
    Json(Value),
    /// The mark that ends the stream.
    Done,
}

impl Event {
    /// A piece whose field `type` repeats its name.
    pub(super) fn named(name: &'static str, mut data: Value) -> Self {
        data["type"] = name.into();
        Self { name: Some(name), data: Data::Json(data) }
    }

    /// A piece without a name.
    pub(super) fn plain(data: Value) -> Self {
        Self { name: None, data: Data::Json(data) }
    }

    /// The end mark of protocols that have one.
    pub(super) const fn done() -> Self {
        Self { name: None, data: Data::Done }
    }
}

impl Wire {
    /// The protocol of a path, if it is one.
    pub(super) fn of(path: &str) -> Option<Self> {
        let generates = path.ends_with(":generateContent");
        if generates || path.ends_with(":streamGenerateContent") {
            return Some(Self::Gemini);
        }
        [
            ("/chat/completions", Self::Chat),
            ("/responses", Self::Responses),
            ("/messages", Self::Anthropic),
        ]
        .into_iter()
        .find(|(end, _)| path.ends_with(end))
        .map(|(_, wire)| wire)
    }

    /// Returns whether the client asked for a stream.
    pub(super) fn streams(self, path: &str, body: &Value) -> bool {
        match self {
            Self::Gemini => path.ends_with(":streamGenerateContent"),
            Self::Anthropic | Self::Responses | Self::Chat => body["stream"] == true,
        }
    }

    /// The answer to a request that does not belong to a conversation.
    pub(super) fn aside(self, body: &Value) -> &'static str {
        match self {
            Self::Gemini => gemini::aside(body),
            Self::Anthropic | Self::Responses | Self::Chat => ASIDE,
        }
    }

    /// Answers a request in this protocol.
    pub(super) fn answer(self, turn: &Turn<'_>, streams: bool) -> Answer {
        match (self, streams) {
            (Self::Anthropic, false) => Answer::Whole(anthropic::whole(turn)),
            (Self::Anthropic, true) => Answer::Stream(anthropic::stream(turn)),
            (Self::Responses, false) => Answer::Whole(responses::whole(turn)),
            (Self::Responses, true) => Answer::Stream(responses::stream(turn)),
            (Self::Chat, false) => Answer::Whole(chat::whole(turn)),
            (Self::Chat, true) => Answer::Stream(chat::stream(turn)),
            (Self::Gemini, false) => Answer::Whole(gemini::whole(turn)),
            (Self::Gemini, true) => Answer::Stream(gemini::stream(turn)),
        }
    }
}

/// The answer to a side request, such as for a title.
pub(super) const ASIDE: &str = "A title";

/// Returns whether a request offers tools: only such requests belong to a conversation.
pub(super) fn offers_tools(body: &Value) -> bool {
    body["tools"].as_array().is_some_and(|tools| !tools.is_empty())
}

/// Returns a request up to the model's first message: the start of its conversation.
pub(super) fn opening(body: &Value) -> Heard {
    let said = ["messages", "input", "contents"].iter().find_map(|name| body[name].as_array());
    let by_person = |item: &&Value| !matches!(item["role"].as_str(), Some("assistant" | "model"));
    let first: Vec<Value> = said.into_iter().flatten().take_while(by_person).cloned().collect();
    Heard { wire: Wire::Chat, body: serde_json::json!({ "messages": first }) }
}
