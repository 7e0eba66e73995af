//! The protocols that clients speak with a model.

use serde_json::Value;

use super::{Heard, Step, anthropic, chat, gemini, responses};

/// A protocol.
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

/// One turn of the model: what it does, and what it was asked.
pub(super) struct Turn<'a> {
    /// Its name, which no other turn has: clients drop a call whose id they have seen before, also
    /// in a conversation with an earlier model that they take up again.
    pub(super) id: &'a str,
    pub(super) step: &'a Step,
    pub(super) body: &'a Value,
}

/// How a request is answered.
pub(super) enum Answer {
    /// At once.
    Whole(Value),
    /// In pieces.
    Stream(Vec<Event>),
}

/// A piece of a streamed answer.
pub(super) struct Event {
    /// Its name, where the protocol names its pieces.
    pub(super) name: Option<&'static str>,
    /// What it says.
    pub(super) data: Data,
}

/// What a piece says.
pub(super) enum Data {
    /// Something.
    Json(Value),
    /// That nothing follows.
    Done,
}

impl Event {
    /// A piece that is named as its own field `type` says.
    pub(super) fn named(name: &'static str, mut data: Value) -> Self {
        data["type"] = name.into();
        Self { name: Some(name), data: Data::Json(data) }
    }

    /// A piece without a name.
    pub(super) fn plain(data: Value) -> Self {
        Self { name: None, data: Data::Json(data) }
    }

    /// The end, where the protocol says it.
    pub(super) const fn done() -> Self {
        Self { name: None, data: Data::Done }
    }
}

impl Wire {
    /// Returns the protocol of a path.
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

    /// Returns whether the answer is to come in pieces.
    pub(super) fn streams(self, path: &str, body: &Value) -> bool {
        match self {
            Self::Gemini => path.ends_with(":streamGenerateContent"),
            Self::Anthropic | Self::Responses | Self::Chat => body["stream"] == true,
        }
    }

    /// Returns what is answered to questions that are no part of a conversation.
    pub(super) fn aside(self, body: &Value) -> &'static str {
        match self {
            Self::Gemini => gemini::aside(body),
            Self::Anthropic | Self::Responses | Self::Chat => ASIDE,
        }
    }

    /// Answers a request as the protocol says.
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

/// What is answered to a question aside, such as for a title.
pub(super) const ASIDE: &str = "A title";

/// Returns whether a request offers tools: only those belong to a conversation.
pub(super) fn offers_tools(body: &Value) -> bool {
    body["tools"].as_array().is_some_and(|tools| !tools.is_empty())
}

/// Returns a request up to the first word of the model: what its conversation began with.
pub(super) fn opening(body: &Value) -> Heard {
    let said = ["messages", "input", "contents"].iter().find_map(|name| body[name].as_array());
    let by_person = |item: &&Value| !matches!(item["role"].as_str(), Some("assistant" | "model"));
    let first: Vec<Value> = said.into_iter().flatten().take_while(by_person).cloned().collect();
    Heard { wire: Wire::Chat, body: serde_json::json!({ "messages": first }) }
}
